#include <charconv>

#include "carom/import/mjcf/reader.h"
#include "carom/import/mjcf/references.h"

// <replicate> repeats its content in frames that are each moved from the last: copy i is at X^i, X = (offset, euler).
// Names in a copy get the separator and the copy's number, with as many digits as the count has. Elements of other
// sections that refer to such names are copied and renamed alike (MuJoCo's XML reference, "replicate").
namespace carom::mjcf {
namespace {

constexpr int most_copies = 10000;

void rename(XmlNode& node, const std::string& suffix) {
  for (XmlNode& child : node.children) {
    for (XmlNode::Attribute& attribute : child.attributes) {
      if (attribute.name == "name") attribute.value += suffix;
    }
    rename(child, suffix);
  }
}

void rename_references(XmlNode& node, const Names& names, const std::string& suffix) {
  for (XmlNode::Attribute& attribute : node.attributes) {
    const auto of_kind = names.find(kind_of_reference(attribute.name));
    if (of_kind != names.end() && of_kind->second.contains(attribute.value)) attribute.value += suffix;
  }
  for (XmlNode& child : node.children) rename_references(child, names, suffix);
}

std::string digits(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

class Replicator {
 public:
  Replicator(XmlNode& root, Reader& reader) : root_(root), reader_(reader) {}

  /// Innermost first, so that the copies of a copy have their own names already.
  void expand(XmlNode& node) {
    std::vector<XmlNode> children;
    for (XmlNode& child : node.children) {
      expand(child);
      if (child.name != "replicate") {
        children.push_back(std::move(child));
        continue;
      }
      for (XmlNode& copy : copies(child)) children.push_back(std::move(copy));
    }
    node.children = std::move(children);
  }

 private:
  std::vector<XmlNode> copies(XmlNode& node) {
    node.take();
    Element element(node);
    const int count = element.integer(reader_.faults, "count", 0);
    const std::string* separator = element.text("sep");
    const Transform step{read_rotation(element, reader_.compiler, reader_.faults),
                         element.vector(reader_.faults, "offset", Vec3::Zero())};
    if (count < 1 || count > most_copies) {
      reader_.faults.add(node, "<replicate> needs a count of copies from 1 to " + std::to_string(most_copies));
      return {};
    }
    Names names;
    collect_names(node, names);
    std::vector<std::string> suffixes;
    const std::size_t width = std::to_string(count).size();
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      suffixes.push_back((separator ? *separator : "") + std::string(width - number.size(), '0') + number);
    }
    std::vector<XmlNode> made;
    Transform X;
    for (const std::string& suffix : suffixes) {
      made.push_back(framed(node, X));
      rename(made.back(), suffix);
      X = X * step;
    }
    copy_references(names, suffixes);
    return made;
  }

  static XmlNode framed(const XmlNode& node, const Transform& X) {
    XmlNode frame;
    frame.name = "frame";
    frame.line = node.line;
    frame.file = node.file;
    for (const XmlNode::Attribute& attribute : node.attributes) {
      if (attribute.name == "childclass") frame.attributes.push_back(attribute);
    }
    const Quaternion q(X.R);
    frame.attributes.push_back({"pos", digits(X.p.x()) + " " + digits(X.p.y()) + " " + digits(X.p.z())});
    if (X.R != Mat3::Identity()) {
      frame.attributes.push_back(
          {"quat", digits(q.w()) + " " + digits(q.x()) + " " + digits(q.y()) + " " + digits(q.z())});
    }
    frame.children = node.children;
    return frame;
  }

  /// Tendons before what acts on them.
  void copy_references(Names& names, const std::vector<std::string>& suffixes) {
    for (const char* section : {"tendon", "contact", "equality", "actuator", "sensor"}) {
      for (XmlNode& part : root_.children) {
        if (part.name == section) copy_in(part, names, suffixes);
      }
    }
  }

  static void copy_in(XmlNode& section, Names& names, const std::vector<std::string>& suffixes) {
    std::vector<XmlNode> children;
    Names added;
    for (XmlNode& child : section.children) {
      if (!refers_to(child, names)) {
        children.push_back(std::move(child));
        continue;
      }
      for (const std::string& suffix : suffixes) {
        XmlNode copy = child;
        rename_references(copy, names, suffix);
        for (XmlNode::Attribute& attribute : copy.attributes) {
          if (attribute.name != "name") continue;
          if (section.name == "tendon") added["tendon"].insert(attribute.value);
          attribute.value += suffix;
        }
        children.push_back(std::move(copy));
      }
    }
    section.children = std::move(children);
    for (auto& [kind, more] : added) names[kind].insert(more.begin(), more.end());
  }

  XmlNode& root_;
  Reader& reader_;
};

}  // namespace

void expand_replicates(XmlNode& root, Reader& reader) {
  Replicator replicator(root, reader);
  for (XmlNode& section : root.children) {
    if (section.name == "worldbody") replicator.expand(section);
  }
}

}  // namespace carom::mjcf
