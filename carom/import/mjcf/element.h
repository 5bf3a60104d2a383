#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "carom/import/xml_node.h"

// Elements of an MJCF file together with their default classes. An element takes what it does not say itself from its
// class, and that from the class around it, up to "main". A list of variable length that is shorter than one further
// out replaces only that many of its first numbers, as in MuJoCo.
namespace carom::mjcf {

/// An element and the elements of its classes that stand for it, nearest first.
class Element {
 public:
  explicit Element(XmlNode& own, std::vector<XmlNode*> defaults = {});

  XmlNode& node() const { return *said_.front(); }
  /// True if the element or a class has the attribute; it then counts as read.
  bool has(const std::string& key) { return text(key) != nullptr; }
  /// The nearest value; null if there is none. Counts all of that name as read.
  const std::string* text(const std::string& key);
  /// Number of classes between the element and the value: 0 is its own; −1 if there is none.
  int level(const std::string& key) const;
  /// Finite numbers: if `least` is `most` the nearest, which must be so many; else all together.
  std::optional<VectorX> numbers(XmlFaults& faults, const std::string& key, int least, int most);
  double number(XmlFaults& faults, const std::string& key, double missing);
  Vec3 vector(XmlFaults& faults, const std::string& key, const Vec3& missing);
  /// A number without a fraction, of 32 bits.
  int integer(XmlFaults& faults, const std::string& key, int missing);
  /// One of the words; a fault if the value is another.
  std::string choice(XmlFaults& faults, const std::string& key, std::initializer_list<const char*> words,
                     const std::string& missing);
  bool flag(XmlFaults& faults, const std::string& key, bool missing);
  /// The element's own name; empty if it has none.
  std::string name() const;

 private:
  std::vector<XmlNode*> said_;
};

/// The tree of default classes.
class Defaults {
 public:
  /// Reads every `<default>` of the document. Those of the classes `apart` have nothing of the class main.
  void read(XmlNode& root, const std::set<std::string>& apart, XmlFaults& faults);

  /// The element with the classes that its attribute `class` names, or else `childclass`, or else "main". In a class
  /// the elements of the given tags stand for it.
  Element element(XmlNode& own, const std::string& childclass, std::initializer_list<const char*> tags,
                  XmlFaults& faults) const;
  /// True if the class exists; a fault at the node if not.
  bool knows(const XmlNode& at, const std::string& name, XmlFaults& faults) const;
  /// Counts these attributes as read in all classes' elements of these tags. A reader knows them even if no element of
  /// the file asks for them.
  void know(std::initializer_list<const char*> tags, std::initializer_list<const char*> attributes);

 private:
  struct Class {
    std::string parent;  // empty for main
    std::vector<XmlNode*> elements;
  };
  void read_class(XmlNode& node, const std::string& name, XmlFaults& faults);

  std::map<std::string, Class> classes_;
  std::set<std::string> top_names_;  // other names of the class main
};

}  // namespace carom::mjcf
