#include "carom/scene/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>
#include <utility>

namespace carom {
namespace {

using Kind = YamlNode::Kind;

/// Leaves the parser; the fault has been told.
struct Stop {};

struct Extent {
  int size = 1;    ///< values
  int height = 1;  ///< levels
};

Extent extent(const YamlNode& node) {
  Extent total;
  for (const YamlNode& item : node.items) {
    const Extent part = extent(item);
    total.size += part.size;
    total.height = std::max(total.height, part.height + 1);
  }
  return total;
}

/// Builds the tree from the parser's events. yaml-cpp's own nodes would hide duplicate keys.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& text, int file, Diagnostics& diagnostics)
      : text_(text), file_(file), diagnostics_(diagnostics) {
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') line_starts_.push_back(i + 1);
    }
  }

  std::optional<YamlNode> root;

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) stop(place(mark), "a second YAML document starts here; a scene file holds one: remove '---'");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    YamlNode node;
    node.place = place(mark);
    if (!open_.empty() && expects_value()) node.place = open_.back().node.keys.back().place;
    complete(std::move(node), anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlNode node;
    node.kind = Kind::scalar;
    node.place = place(mark);
    node.text = value;
    node.quoted = tag == "!";
    check_tag(node.place, tag);
    if (node.quoted) check_closing_quote(node.place);
    complete(std::move(node), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) stop(place(mark), "this alias stands inside what it is an alias of");
    const Extent added = extent(found->second);
    grow(place(mark), added.size - 1, added.height - 1);
    complete(found->second, 0);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Kind::list, mark, tag, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Kind::map, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor = 0;
  };

  Place place(const YAML::Mark& mark) const { return {mark.line + 1, mark.column + 1, file_}; }
  [[noreturn]] void stop(Place where, const std::string& message) {
    diagnostics_.add(where, message);
    throw Stop{};
  }
  bool expects_value() const {
    const YamlNode& map = open_.back().node;
    return map.kind == Kind::map && map.keys.size() > map.items.size();
  }
  void check_tag(Place where, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    diagnostics_.add(where, "the tag " + in_quotes(tag) + " has no meaning in a scene; remove it");
  }
  /// yaml-cpp takes the end of the file for a closing quote.
  void check_closing_quote(Place where) {
    const std::size_t start = line_starts_[std::min<std::size_t>(where.line - 1, line_starts_.size() - 1)];
    std::size_t i = start + where.column - 1;
    if (i >= text_.size() || (text_[i] != '"' && text_[i] != '\'')) return;
    const char quote = text_[i];
    for (++i; i < text_.size(); ++i) {
      if (text_[i] == '\\' && quote == '"') {
        ++i;
      } else if (text_[i] == quote) {
        if (quote == '\'' && i + 1 < text_.size() && text_[i + 1] == quote) {
          ++i;
        } else {
          return;
        }
      }
    }
    stop(where, "the quote that opens here is never closed");
  }
  void grow(Place where, int values, int levels) {
    size_ += values;
    if (size_ > largest_yaml_size) {
      stop(where, "the scene holds more than " + std::to_string(largest_yaml_size) +
                      " values once its aliases are written out; that is more than Carom reads");
    }
    if (static_cast<int>(open_.size()) + levels > largest_yaml_depth) {
      stop(where, "lists and maps are nested more than " + std::to_string(largest_yaml_depth) +
                      " deep here; no scene needs that");
    }
  }
  void open(Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    YamlNode node;
    node.kind = kind;
    node.place = place(mark);
    check_tag(node.place, tag);
    if (!open_.empty() && open_.back().node.kind == Kind::map && !expects_value()) {
      stop(node.place, "a key must be a word, not a list or a map");
    }
    open_.push_back({std::move(node), anchor});
    grow(place(mark), 0, 0);
  }
  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    if (done.node.kind == Kind::map) drop_duplicates(done.node);
    complete(std::move(done.node), done.anchor);
  }
  /// Puts a finished value where it belongs: the document, a list, or a map as key or value.
  void complete(YamlNode node, YAML::anchor_t anchor) {
    grow(node.place, 1, 0);
    if (anchor != 0) {
      if (node.kind == Kind::list || node.kind == Kind::map) grow(node.place, extent(node).size, 0);
      anchors_[anchor] = node;
    }
    if (open_.empty()) {
      root = std::move(node);
      return;
    }
    YamlNode& parent = open_.back().node;
    if (parent.kind == Kind::map && !expects_value()) {
      if (node.kind != Kind::scalar) stop(node.place, "a key is missing before this ':'");
      parent.keys.push_back({std::move(node.text), node.place});
    } else {
      parent.items.push_back(std::move(node));
    }
  }
  void drop_duplicates(YamlNode& map) {
    std::vector<std::size_t> order(map.keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return map.keys[a].text < map.keys[b].text; });
    std::vector<char> drop(map.keys.size(), 0);
    for (std::size_t i = 1, first = 0; i < order.size(); ++i) {
      const YamlNode::Key& key = map.keys[order[i]];
      if (key.text != map.keys[order[first]].text) {
        first = i;
        continue;
      }
      diagnostics_.add(key.place, "the key " + in_quotes(key.text) + " is given twice; it stands in line " +
                                      std::to_string(map.keys[order[first]].place.line) + " already: keep one");
      drop[order[i]] = 1;
    }
    YamlNode kept;
    for (std::size_t i = 0; i < drop.size(); ++i) {
      if (drop[i]) continue;
      kept.keys.push_back(std::move(map.keys[i]));
      kept.items.push_back(std::move(map.items[i]));
    }
    map.keys = std::move(kept.keys);
    map.items = std::move(kept.items);
  }

  const std::string& text_;
  int file_;
  Diagnostics& diagnostics_;
  std::vector<std::size_t> line_starts_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  int documents_ = 0;
  int size_ = 0;
};

bool tab_indents(const std::string& text, int line) {
  std::istringstream lines(text);
  std::string found;
  for (int i = 0; i < line && std::getline(lines, found); ++i) {
  }
  const std::size_t end = found.find_first_not_of(" \t");
  return found.find('\t') < end;
}

std::string syntax_fault(const std::string& text, const YAML::Exception& fault) {
  const std::string what = "this is not valid YAML: " + fault.msg + "; ";
  if (tab_indents(text, fault.mark.line + 1)) return what + "indent with spaces, not with tabs";
  return what + "check indentation, brackets, quotes and the space after each ':' here and in the lines above";
}

}  // namespace

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case Kind::null:
      return "empty";
    case Kind::list:
      return "a list of " + std::to_string(node.items.size());
    case Kind::map:
      return "a map";
    case Kind::scalar:
      break;
  }
  return in_quotes(node.text);
}

std::optional<YamlNode> parse_yaml(const std::string& text, Diagnostics& diagnostics, int file) {
  std::istringstream stream(text);
  TreeBuilder builder(text, file, diagnostics);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Stop&) {
    return {};
  } catch (const YAML::Exception& fault) {
    diagnostics.add({fault.mark.line + 1, fault.mark.column + 1, file}, syntax_fault(text, fault));
    return {};
  }
  return std::move(builder.root);
}

}  // namespace carom
