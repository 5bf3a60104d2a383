#include "carom/import/xml_node.h"

#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <tuple>
#include <utility>

#include "carom/counted.h"
#include "carom/utf8.h"

namespace carom {
namespace {

constexpr std::uintmax_t largest_file = 64u << 20;
constexpr std::string_view blanks = " \t\r\n";

[[noreturn]] void refuse(const std::string& file, int line, const std::string& text) {
  throw ImportError({{file, line, text}});
}

std::string trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(blanks);
  if (from == std::string_view::npos) return {};
  return std::string(text.substr(from, text.find_last_not_of(blanks) - from + 1));
}

/// Comments may be in any encoding; names and values go into messages and records.
const char* in_utf8(const char* text, int line, const std::string& file) {
  const std::string_view all(text);
  for (std::size_t i = 0; i < all.size();) {
    const std::size_t size = character_size(all, i);
    if (size == 0) refuse(file, line, "this is not UTF-8; save the file in that encoding");
    i += size;
  }
  return text;
}

XmlNode copy(const tinyxml2::XMLElement& element, const std::string& file) {
  XmlNode node;
  node.line = element.GetLineNum();
  node.name = in_utf8(element.Name(), node.line, file);
  for (const auto* a = element.FirstAttribute(); a; a = a->Next()) {
    node.attributes.push_back({in_utf8(a->Name(), a->GetLineNum(), file), in_utf8(a->Value(), a->GetLineNum(), file)});
  }
  std::string text;
  for (const auto* child = element.FirstChild(); child; child = child->NextSibling()) {
    if (const auto* inner = child->ToElement()) node.children.push_back(copy(*inner, file));
    if (const auto* words = child->ToText()) text += in_utf8(words->Value(), words->GetLineNum(), file);
  }
  node.text = trimmed(text);
  return node;
}

/// tinyxml2 leaves "&name;" as it is, in values and between elements: what it stands for would be lost.
void refuse_entities(const tinyxml2::XMLDocument& document, const std::string& file) {
  for (const auto* node = document.FirstChild(); node; node = node->NextSibling()) {
    if (!node->ToUnknown() || std::string_view(node->Value()).find("ENTITY") == std::string_view::npos) continue;
    refuse(file, node->GetLineNum(),
           "entities are declared here, which are not expanded; expand them first (xmllint --noent FILE)");
  }
}

/// A word as a finite number; nothing if it is none. A leading plus is allowed, as in C.
std::optional<double> number_of(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) return {};
  return value;
}

std::string in_words(int least, int most) {
  const std::string noun = most == 1 ? " finite number" : " finite numbers";
  if (least == most) return std::to_string(least) + noun;
  return std::to_string(least) + " to " + std::to_string(most) + noun;
}

ImportNote unread(const std::string& file, int line, const std::string& what, const std::string& remark) {
  if (remark.empty()) return {file, line, what};
  return {file, line, what + ": " + remark, true};
}

void list(const XmlNode& node, const std::string& file, std::vector<ImportNote>& notes) {
  const std::string& place = node.file.empty() ? file : node.file;
  if (!node.was_read()) {
    notes.push_back(unread(place, node.line, "<" + node.name + ">", node.remark));
    return;
  }
  for (const XmlNode::Attribute& a : node.attributes) {
    if (a.read) continue;
    notes.push_back(unread(place, node.line, "attribute \"" + a.name + "\" of <" + node.name + ">", a.remark));
  }
  for (const XmlNode& child : node.children) list(child, file, notes);
}

}  // namespace

const std::string* XmlNode::attribute(const std::string& key) {
  for (Attribute& a : attributes) {
    if (a.name != key) continue;
    a.read = true;
    return &a.value;
  }
  return nullptr;
}

std::vector<XmlNode*> XmlNode::all(const std::string& child) {
  std::vector<XmlNode*> found;
  for (XmlNode& node : children) {
    if (node.name != child) continue;
    node.read_ = true;
    found.push_back(&node);
  }
  return found;
}

XmlNode* XmlNode::first(const std::string& child) {
  for (XmlNode& node : children) {
    if (node.name != child) continue;
    node.read_ = true;
    return &node;
  }
  return nullptr;
}

void XmlNode::ignore() {
  read_ = true;
  for (Attribute& a : attributes) a.read = true;
  for (XmlNode& child : children) child.ignore();
}

namespace {

/// Why the text is no XML, and what to do.
std::string xml_fault(const tinyxml2::XMLDocument& document, const std::string& text) {
  if (document.ErrorID() == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED) {
    return "elements are nested too deeply; there can be fewer than " + std::to_string(TINYXML2_MAX_ELEMENT_DEPTH - 1) +
           " levels";
  }
  const std::size_t start = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const std::size_t declaration = text.find("<?xml");
  if (document.ErrorID() == tinyxml2::XML_ERROR_PARSING_DECLARATION && declaration != std::string::npos &&
      text.find_first_not_of(blanks, start) < declaration) {
    return "the declaration <?xml …?> must come before all else in a file; move it to the first line, or remove it";
  }
  return "this is not XML from here on: check that every tag is closed and every value is in quotes";
}

/// Refuses a text of another kind.
void refuse_others(const std::string& text, const std::string& file) {
  const std::size_t start = text.starts_with("\xEF\xBB\xBF") ? 3 : 0, first = text.find_first_not_of(blanks, start);
  if (first == std::string::npos || text[first] == '<') return;
  const bool scene = text.compare(start, 6, "carom:") == 0 || text.find("\ncarom:") != std::string::npos;
  const int line =
      1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(first), '\n'));
  refuse(file, line,
         scene ? "this is a scene, and a model file is asked for: URDF, SDFormat or MJCF; `carom run` checks and runs "
                 "scenes"
               : "a model file is XML (URDF, SDFormat or MJCF) and begins with <; this begins with something else");
}

}  // namespace

XmlNode parse_xml(const std::string& text, const std::string& file) {
  if (text.find_first_not_of(blanks) == std::string::npos)
    refuse(file, 1, "the file is empty; a model has one root element");
  if (text.starts_with("\x89HDF")) {
    refuse(
        file, 1,
        "this is an HDF5 file, as records of runs are, and a model file is asked for: URDF, SDFormat or MJCF; `carom "
        "view` and `carom export` look at records");
  }
  if (text.find('\0') != std::string::npos) {
    refuse(file, 1, "this text has zero bytes, as UTF-16 has; save the file as UTF-8");
  }
  refuse_others(text, file);
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
    refuse(file, document.ErrorLineNum(), xml_fault(document, text));
  }
  refuse_entities(document, file);
  if (!document.RootElement()) refuse(file, 1, "there is no element in this file; a model has one root element");
  XmlNode root = copy(*document.RootElement(), file);
  for (const auto* after = document.RootElement()->NextSibling(); after; after = after->NextSibling()) {
    if (!after->ToElement() && !after->ToText()) continue;
    refuse(file, after->GetLineNum(),
           "the model ends before this line, with </" + root.name + ">; a file holds one root element");
  }
  root.take();
  return root;
}

XmlNode read_xml(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) refuse(path, 0, "this is a folder; name a model file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) refuse(path, 0, "the file cannot be opened");
  // A device or a pipe has no size, and may have no end.
  std::string text, block(std::size_t{64} << 10, '\0');
  while (stream && text.size() <= largest_file) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block, 0, static_cast<std::size_t>(stream.gcount()));
  }
  if (text.size() > largest_file) refuse(path, 0, "the file is larger than 64 MiB; no model file should be");
  return parse_xml(text, path);
}

void list_unread(const XmlNode& root, const std::string& file, std::vector<ImportNote>& notes) {
  list(root, file, notes);
}

void XmlFaults::add_missing(const XmlNode& at, const std::string& what, const MissingFile& missing) {
  constexpr std::size_t most_told = 24;
  if (std::find(missing_.begin(), missing_.end(), missing.uri()) != missing_.end()) return;
  missing_.push_back(missing.uri());
  if (missing_.size() == 1) {
    missing_fault_ = faults_.size();
    missing_text_ = what + " " + missing.what();
    add(at, missing_text_);
    return;
  }
  const std::size_t more = missing_.size() - 1;
  std::string text = missing_text_ + "; " + counted(static_cast<std::int64_t>(more), "more file") +
                     (more == 1 ? " is" : " are") + " not there either: ";
  for (std::size_t i = 1; i < std::min(missing_.size(), most_told); ++i) {
    text += (i > 1 ? ", \"" : "\"") + missing_[i] + "\"";
  }
  faults_[missing_fault_].text = text + (missing_.size() > most_told ? ", …" : "");
}

void XmlFaults::raise() const {
  if (faults_.empty()) return;
  std::vector<ImportNote> sorted = faults_;
  // The document's own faults come first, whatever the names of the files that it includes.
  const auto key = [this](const ImportNote& note) { return std::tuple(note.file != file_, note.file, note.line); };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const ImportNote& a, const ImportNote& b) { return key(a) < key(b); });
  const auto same = [&](const ImportNote& a, const ImportNote& b) { return key(a) == key(b) && a.text == b.text; };
  sorted.erase(std::unique(sorted.begin(), sorted.end(), same), sorted.end());
  throw ImportError(std::move(sorted));
}

std::optional<double> XmlFaults::number(XmlNode& node, const std::string& attribute) {
  const auto values = numbers(node, attribute, 1);
  if (!values) return {};
  return (*values)[0];
}

std::optional<VectorX> XmlFaults::numbers(XmlNode& node, const std::string& attribute, int count) {
  return numbers(node, attribute, count, count);
}

std::optional<VectorX> XmlFaults::numbers(XmlNode& node, const std::string& attribute, int least, int most) {
  const std::string* value = node.attribute(attribute);
  if (!value) return {};
  return parse_numbers(node, attribute + " of <" + node.name + ">", *value, least, most);
}

std::optional<VectorX> XmlFaults::parse_numbers(const XmlNode& at, const std::string& what, const std::string& text,
                                                int least, int most) {
  std::vector<double> values;
  const std::string_view all(text);
  bool numeric = true;
  for (std::size_t from = all.find_first_not_of(blanks); from != std::string_view::npos && numeric;) {
    const std::size_t to = std::min(all.find_first_of(blanks, from), all.size());
    const auto value = number_of(all.substr(from, to - from));
    numeric = value.has_value();
    if (value) values.push_back(*value);
    from = all.find_first_not_of(blanks, to);
  }
  const int count = static_cast<int>(values.size());
  if (!numeric || count < least || count > most) {
    const std::string shown = text.size() > 60 ? text.substr(0, 60) + "…" : text;
    add(at, what + " must be " + in_words(least, most) + ", but is \"" + shown + "\"");
    return {};
  }
  return Eigen::Map<const VectorX>(values.data(), count);
}

std::optional<std::string> XmlFaults::require(XmlNode& node, const std::string& attribute) {
  const std::string* value = node.attribute(attribute);
  if (value && !value->empty()) return *value;
  add(node, "<" + node.name + "> has no " + attribute + "; it needs one");
  return {};
}

}  // namespace carom
