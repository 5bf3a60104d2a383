#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "carom/import/xml_node.h"

namespace carom {

/// The names that a format has for the parts of a mechanism. Readers ask for names, so none asks for a misspelt one.
/// The vocabulary tells misspelt names apart from those that the format has and Carom does not use.
///
/// Elements that are not in it (pictures, sensors) may hold anything. Names with a colon or `xmlns` belong to others.
class Vocabulary {
 public:
  /// Content of an element, names between blanks. `*` among the children: any; `**`: its content is another format's.
  struct Entry {
    std::string element;  ///< its name, or "parent/name" if it is another thing there
    std::string attributes, children;
  };
  /// Every name counts: one that is unknown is a fault, like to another or not.
  enum class Strictness { open, closed };

  Vocabulary(std::string format, Strictness strictness, const std::vector<Entry>& entries);

  /// Looks through the root and all below it. Faults:
  ///
  /// - an unknown name that is like one that could be there (like_name). In an open format, an element must be like one
  ///   of the vocabulary's own: losing a picture is no fault;
  /// - an element of the vocabulary in a place where the format has none of this name;
  /// - if closed, any other unknown name.
  ///
  /// The other unknown names are marked in the tree: `list_unread` then says that the format has none of them. Each
  /// occurrence has one mark or one fault. Costs O(names known there) for an unknown name.
  void check(XmlNode& root, XmlFaults& faults) const;

 private:
  struct Words {
    std::vector<std::string> attributes, children;
    bool holds_anything = false, is_foreign = false;
  };
  const Words* find(const std::string& parent, const std::string& name) const;
  void check(const std::string& parent, XmlNode& node, XmlFaults& faults) const;
  void check_attributes(const Words& words, XmlNode& node, XmlFaults& faults) const;
  void check_child(const Words& words, const XmlNode& node, XmlNode& child, XmlFaults& faults) const;

  std::string format_;
  Strictness strictness_;
  std::map<std::string, Words> elements_;
  std::set<std::string> names_;  // of elements, without parents
};

/// The known name that a misspelt one was likely meant to be, empty if there is none. They may differ in capitals,
/// hyphens and underscores alone. Or letters are missing, too many, wrong or exchanged: one in names of 4 to 7 letters,
/// up to two in longer ones. Or one name is the other's beginning, with at least three letters and at most four fewer.
/// The one with the fewest differences wins, then the first in the list.
std::string like_name(const std::string& name, const std::vector<std::string>& known);

}  // namespace carom
