#pragma once

#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "carom/import/imported_model.h"
#include "carom/import/xml_node.h"

namespace carom {

/// One SDFormat file: what it says, and an extract of it that holds its structure and its frames alone.
///
/// libsdformat resolves versions, scopes, includes and frames, but it puts defaults where a file says nothing. It
/// reports many faults without a line, and also those in pictures and sensors, which have no mechanics. So it is given
/// the extract: models, links, joints, frames and poses, an element per line. A line of the extract then stands for one
/// element of the file. Every number except poses is read from that element, so that a fault has a line.
struct SdfFile {
  SdfFile(std::string file, XmlNode tree) : path(std::move(file)), root(std::move(tree)), faults(path) {}

  std::string path;
  XmlNode root;
  XmlFaults faults;
  std::string extract;
  std::vector<XmlNode*> by_line;  ///< the element that stands on a line of the extract, from 0
  std::string extract_path;       ///< where the extract is stored, if another file includes this one
};

/// An element and the file that it stands in.
struct SdfPlace {
  SdfFile* file = nullptr;
  XmlNode* node = nullptr;

  int line() const { return node->line; }
  void fault(const std::string& text) const { file->faults.add(*node, text); }
};

/// A file and all that it includes, once per `<include>`.
class SdfSource {
 public:
  SdfSource() = default;
  SdfSource(const SdfSource&) = delete;
  SdfSource& operator=(const SdfSource&) = delete;
  /// Removes the stored extracts.
  ~SdfSource();

  /// Reads the file, and the files that it includes. Faults are collected in the files; ImportError where one is not
  /// XML. The first of `files` is the file itself.
  void read(XmlNode root, const std::string& path, const ImportOptions& options);

  /// The element on a line (from 1) of the extract that is stored at `extract_path` (of the first file: anywhere else).
  SdfPlace place(const std::string& extract_path, int line);
  /// Throws ImportError if any file has a fault: those of the first file first, each file's by line.
  void raise() const;
  /// Adds what was not read.
  void list_unused(std::vector<ImportNote>& notes) const;
  /// Adds what was taken otherwise than by the letter, file by file.
  void list_warnings(std::vector<ImportNote>& notes) const;

  std::deque<SdfFile> files;
  std::vector<ImportNote> notes;  ///< beside what was not read

 private:
  friend class SdfExtract;
  std::filesystem::path folder_;  // for extracts of included files; empty until there is one
};

/// "true", "false", "1" or "0" as the text of the child; `otherwise` if there is no such child. A fault if it is
/// neither.
bool read_flag(const SdfPlace& place, const std::string& child, bool otherwise);
/// The child's text as one finite number; nothing if there is no such child, or it is none (then a fault is added).
std::optional<double> read_number(const SdfPlace& place, const std::string& child);
/// The same of several.
std::optional<VectorX> read_numbers(const SdfPlace& place, const std::string& child, int count);
/// The only child of that name, counted as read; its `node` is null if there is none. A second one is a fault.
SdfPlace first(const SdfPlace& place, const std::string& child);
/// The first child of that name, not counted as read: for what is listed as unused unless it matters.
SdfPlace peek(const SdfPlace& place, const std::string& child);
/// A `<pose>` of the element's own, in the frame that it stands in. Identity if there is none.
Transform read_pose(const SdfPlace& place);

}  // namespace carom
