#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/import/imported_model.h"
#include "carom/import/mesh_file.h"

namespace carom {

/// An XML element that remembers what was read of it. The rest is what the file says and Carom does not use, so no
/// reader lists it by hand.
class XmlNode {
 public:
  struct Attribute {
    std::string name, value;
    bool read = false;
    std::string remark = {};  ///< that the format has no such attribute; empty if it has
  };
  std::string name;
  int line = 0;
  std::string file;    ///< of an element that was included from another file: which; else empty
  std::string text;    ///< between the tags, without the blanks around it
  std::string remark;  ///< that the format has no such element there; empty if it has
  std::vector<Attribute> attributes;
  std::vector<XmlNode> children;

  /// The attribute's value, now counted as read; null if there is none.
  const std::string* attribute(const std::string& key);
  /// The children of that name, each now counted as read; the readers of their attributes and children are others.
  std::vector<XmlNode*> all(const std::string& child);
  /// The first child of that name, counted as read; null if there is none.
  XmlNode* first(const std::string& child);
  /// Counts the element, all its attributes and everything in it as read.
  void ignore();
  /// Counts the element itself as read.
  void take() { read_ = true; }
  bool was_read() const { return read_; }

 private:
  bool read_ = false;
};

/// Reads a file of at most 64 MiB. Throws ImportError at the line where it is no longer XML in UTF-8, or declares an
/// entity (these are not expanded). It also throws if the file nests deeper than tinyxml2 goes, 98 elements. The root
/// counts as read.
XmlNode read_xml(const std::string& path);
/// The same from text; `file` names it in sentences.
XmlNode parse_xml(const std::string& text, const std::string& file);

/// A note for every element that was not read, and for every unread attribute of the others, in the file's order. The
/// note says if the format has no such name.
void list_unread(const XmlNode& root, const std::string& file, std::vector<ImportNote>& notes);

/// Reads values and collects faults, so that one run tells all.
class XmlFaults {
 public:
  explicit XmlFaults(std::string file) : file_(std::move(file)) {}

  void add(const XmlNode& at, const std::string& text) {
    faults_.push_back({at.file.empty() ? file_ : at.file, at.line, text});
  }
  void add(int line, const std::string& text) { faults_.push_back({file_, line, text}); }
  /// A file that is not there, `what` naming its kind in the sentence. All of these are one fault, where the first
  /// stands, with the places that were tried for it.
  void add_missing(const XmlNode& at, const std::string& what, const MissingFile& missing);
  /// Warns of something taken otherwise than by the letter of the file, which goes on.
  void warn(const XmlNode& at, const std::string& text) {
    warnings_.push_back({at.file.empty() ? file_ : at.file, at.line, text});
  }
  void warn(int line, const std::string& text) { warnings_.push_back({file_, line, text}); }
  const std::vector<ImportNote>& warnings() const { return warnings_; }
  bool empty() const { return faults_.empty(); }
  const std::string& file() const { return file_; }
  const std::vector<ImportNote>& faults() const { return faults_; }
  /// Throws ImportError if there are faults, sorted by file and line; one that was found twice is told once.
  void raise() const;

  /// The attribute as one finite number. Nothing if it is missing or none (then a fault is added).
  std::optional<double> number(XmlNode& node, const std::string& attribute);
  /// Exactly `count` finite numbers between blanks.
  std::optional<VectorX> numbers(XmlNode& node, const std::string& attribute, int count);
  /// Between `least` and `most` of them.
  std::optional<VectorX> numbers(XmlNode& node, const std::string& attribute, int least, int most);
  /// The same of any text, `what` naming it in the sentence.
  std::optional<VectorX> parse_numbers(const XmlNode& at, const std::string& what, const std::string& text, int least,
                                       int most);
  /// The attribute's value; a fault if it is missing or empty.
  std::optional<std::string> require(XmlNode& node, const std::string& attribute);

 private:
  std::string file_;
  std::vector<ImportNote> faults_;
  std::vector<ImportNote> warnings_;
  std::vector<std::string> missing_;  ///< what is not there, each once
  std::string missing_text_;          ///< of the first
  std::size_t missing_fault_ = 0;     ///< which fault tells of them
};

}  // namespace carom
