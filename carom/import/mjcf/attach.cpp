#include <algorithm>
#include <array>
#include <filesystem>

#include "carom/import/mjcf/reader.h"
#include "carom/import/mjcf/references.h"
#include "carom/import/vocabularies.h"

// <attach model="M" body="B" prefix="P"/> inserts the body B of the file that <model name="M"> names, with all below
// it. Elements of that file's sections come along if all that they refer to does. Every name is prefixed with P.
// Elements keep the defaults and the <compiler> of their own file; options are those of the file that they go into.
// (MuJoCo's XML reference, "body/attach".)
namespace carom::mjcf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t deepest = 16;  // files that attach one another
constexpr std::array sections = {"tendon", "contact", "equality", "actuator",
                                 "sensor"};  // tendons before what acts on them

/// A file that is attached, with all that it attaches itself.
struct Part {
  XmlNode root;
  Compiler compiler;
  std::string path;
  std::set<std::string> classes;   ///< outermost ones of files that it attaches itself
  std::string top_class = "main";  ///< its own outermost one
};

bool is_asset_reference(const std::string& attribute) {
  return attribute == "mesh" || attribute == "hfield" || attribute == "material" || attribute == "texture";
}

void add_prefix(XmlNode& node, const std::string& prefix) {
  for (XmlNode::Attribute& attribute : node.attributes) {
    const bool is_class = attribute.name == "class" || attribute.name == "childclass";
    const bool refers = is_class || is_asset_reference(attribute.name) || !kind_of_reference(attribute.name).empty();
    if (attribute.name != "name" && (!refers || attribute.value == "world")) continue;
    attribute.value = prefix + attribute.value;
  }
  for (XmlNode& child : node.children) add_prefix(child, prefix);
}

XmlNode::Attribute* find_attribute(XmlNode& node, const std::string& name) {
  const auto found = std::find_if(node.attributes.begin(), node.attributes.end(),
                                  [&](const XmlNode::Attribute& attribute) { return attribute.name == name; });
  return found == node.attributes.end() ? nullptr : &*found;
}

void set_if_missing(XmlNode& node, const std::string& name, const std::string& value) {
  if (!find_attribute(node, name)) node.attributes.push_back({name, value, true});
}

void name_file(XmlNode& node, const std::string& file) {
  if (node.file.empty()) node.file = file;
  for (XmlNode& child : node.children) name_file(child, file);
}

/// Gives the outermost default class a name that no other file has. Without a prefix it would be taken for the other
/// file's, which mostly has the same name.
void rename_top_class(Part& part, const std::string& name) {
  const auto rename = [&](auto&& self, XmlNode& node) -> void {
    for (XmlNode::Attribute& attribute : node.attributes) {
      const bool is_class = attribute.name == "class" || attribute.name == "childclass";
      if (is_class && attribute.value == part.top_class) attribute.value = name;
    }
    for (XmlNode& child : node.children) self(self, child);
  };
  rename(rename, part.root);
  part.top_class = name;
}

XmlNode* find_body(XmlNode& node, const std::string& name) {
  for (XmlNode& child : node.children) {
    if (child.name != "body" && child.name != "frame" && child.name != "worldbody") continue;
    const XmlNode::Attribute* own = child.name == "body" ? find_attribute(child, "name") : nullptr;
    if (own && own->value == name) return &child;
    if (XmlNode* found = find_body(child, name)) return found;
  }
  return nullptr;
}

/// True if all that an element of a section refers to is there.
bool is_within(const XmlNode& node, const Names& names) {
  const bool itself = std::all_of(node.attributes.begin(), node.attributes.end(), [&](const auto& attribute) {
    const std::string kind = kind_of_reference(attribute.name);
    if (kind.empty() || (kind == "body" && attribute.value == "world")) return true;
    const auto of_kind = names.find(kind);
    return of_kind != names.end() && of_kind->second.contains(attribute.value);
  });
  return itself && std::all_of(node.children.begin(), node.children.end(),
                               [&](const XmlNode& child) { return is_within(child, names); });
}

class Attacher {
 public:
  Attacher(XmlNode& root, Reader& reader, std::vector<std::string> open)
      : root_(root), reader_(reader), open_(std::move(open)) {}

  void expand() {
    for (XmlNode& section : root_.children) {
      if (section.name != "asset") continue;
      for (XmlNode& asset : section.children) {
        if (asset.name == "model") list(asset);
      }
    }
    for (XmlNode& section : root_.children) {
      if (section.name == "worldbody") expand(section);
    }
    for (XmlNode& each : added_) root_.children.push_back(std::move(each));
  }

 private:
  void list(XmlNode& asset) {
    asset.take();
    const auto file = reader_.faults.require(asset, "file");
    const std::string* name = asset.attribute("name");
    if (!file) return;
    files_[name && !name->empty() ? *name : fs::path(*file).stem().string()] = {&asset, *file};
  }

  void expand(XmlNode& node) {
    std::vector<XmlNode> children;
    for (XmlNode& child : node.children) {
      expand(child);
      if (child.name != "attach") {
        children.push_back(std::move(child));
      } else if (auto part = attached(child)) {
        children.push_back(std::move(*part));
      }
    }
    node.children = std::move(children);
  }

  /// The body that comes into the place of an <attach>, or a frame with all of the other file's world.
  std::optional<XmlNode> attached(XmlNode& attach) {
    attach.take();
    const auto model = reader_.faults.require(attach, "model");
    const std::string* given = attach.attribute("prefix");
    const std::string* body = attach.attribute("body");
    const std::string prefix = given ? *given : "";
    const auto listed = model ? files_.find(*model) : files_.end();
    if (model && listed == files_.end()) {
      reader_.faults.add(attach, "<attach> names the model \"" + *model + "\", which no <model> of an <asset> has");
    }
    if (listed == files_.end()) return {};
    if (std::any_of(used_.begin(), used_.end(),
                    [&](const auto& other) { return other == std::pair(*model, prefix); })) {
      reader_.faults.add(attach, "the model \"" + *model + "\" is attached already with the prefix \"" + prefix +
                                     "\", so its names would be twice; give another prefix");
      return {};
    }
    used_.emplace_back(*model, prefix);
    auto part = read(*listed->second.first, listed->second.second);
    if (!part) return {};
    if (prefix.empty()) rename_top_class(*part, part->top_class + " of " + part->path);
    XmlNode made;
    if (body) {
      XmlNode* found = find_body(part->root, *body);
      if (!found) {
        reader_.faults.add(attach,
                           "<attach> names the body \"" + *body + "\", which \"" + part->path + "\" does not have");
        return {};
      }
      made = *found;
    } else {
      made.name = "frame";
      made.line = attach.line;
      made.take();
      for (XmlNode* world : part->root.all("worldbody")) {
        made.children.insert(made.children.end(), world->children.begin(), world->children.end());
      }
    }
    Names names;
    XmlNode holder;
    holder.children.push_back(made);
    collect_names(holder, names);
    add_prefix(made, prefix);
    add_sections(*part, names, prefix);
    set_if_missing(made, "childclass", prefix + part->top_class);
    name_file(made, part->path);
    return made;
  }

  std::optional<Part> read(const XmlNode& asset, const std::string& file) {
    const fs::path path = fs::path(file).is_absolute() ? fs::path(file) : fs::path(reader_.file).parent_path() / file;
    Part part;
    part.path = path.lexically_normal().string();
    if (open_.size() > deepest || std::find(open_.begin(), open_.end(), part.path) != open_.end()) {
      reader_.faults.add(asset, "the model file \"" + file + "\" attaches itself, by way of this line");
      return {};
    }
    try {
      Reader own(part.path, reader_.options);
      part.root = read_xml(part.path);
      if (part.root.name != "mujoco") {
        reader_.faults.add(
            asset, "the root of the model file \"" + file + "\" is <" + part.root.name + ">, but must be <mujoco>");
        return {};
      }
      include_files(part.root, own);
      mjcf_vocabulary().check(part.root, own.faults);
      part.compiler = read_compiler(part.root, own.faults);
      std::vector<std::string> open = open_;
      open.push_back(part.path);
      Attacher(part.root, own, std::move(open)).expand();
      expand_replicates(part.root, own);
      if (part.compiler.total_mass > 0) {
        own.faults.add(part.root, "settotalmass of <compiler> in a file that is attached is not understood; remove it");
      }
      own.faults.raise();
      reader_.attached.insert(own.attached.begin(), own.attached.end());
      reader_.model.unused.insert(reader_.model.unused.end(), own.model.unused.begin(), own.model.unused.end());
      part.classes = own.attached_classes;
    } catch (const ImportError& error) {
      for (const ImportNote& fault : error.faults()) {
        XmlNode at;
        at.file = fault.file;
        at.line = fault.line;
        reader_.faults.add(at, fault.text);
      }
      return {};
    }
    for (XmlNode& section : part.root.children) {
      const XmlNode::Attribute* name = section.name == "default" ? find_attribute(section, "class") : nullptr;
      if (name && !name->value.empty() && !part.classes.contains(name->value)) part.top_class = name->value;
      know_files(section, part);
    }
    return part;
  }

  /// Files that the part includes have its settings, too.
  void know_files(const XmlNode& node, const Part& part) {
    reader_.attached.emplace(node.file.empty() ? part.path : node.file, part.compiler);
    for (const XmlNode& child : node.children) know_files(child, part);
  }

  /// Adds what stands beside the attached body: assets, defaults, and all that is about nothing but the body.
  void add_sections(Part& part, Names names, const std::string& prefix) {
    XmlNode own_defaults;  // there even if the file says nothing: its elements take none of the other file's
    own_defaults.name = "default";
    own_defaults.line = part.root.line;
    own_defaults.attributes.push_back({"class", part.top_class, true});
    add_defaults(own_defaults, part, prefix);
    for (XmlNode& section : part.root.children) {
      constexpr std::array read = {"compiler", "worldbody", "tendon", "contact", "equality", "actuator"};
      if (section.name == "asset") {
        add_assets(section, part, prefix);
      } else if (section.name == "default") {
        add_defaults(section, part, prefix);
      } else if (std::find(read.begin(), read.end(), section.name) == read.end()) {
        reader_.model.unused.push_back(
            {part.path, section.line, "<" + section.name + ">: that of a file that is attached does not count"});
      }
    }
    for (const char* kind : sections) {
      for (XmlNode* section : part.root.all(kind)) {
        XmlNode kept = *section;
        std::erase_if(kept.children, [&](const XmlNode& child) {
          if (is_within(child, names)) return false;
          reader_.model.unused.push_back(
              {part.path, child.line, "<" + child.name + ">: it is about what is not attached"});
          return true;
        });
        for (XmlNode& child : kept.children) {
          const XmlNode::Attribute* name = find_attribute(child, "name");
          if (kept.name == std::string("tendon") && name) names["tendon"].insert(name->value);
          add_prefix(child, prefix);
          set_class(kept.name, child, part, prefix);
        }
        name_file(kept, part.path);
        added_.push_back(std::move(kept));
      }
    }
  }

  static void set_class(const std::string& section, XmlNode& child, const Part& part, const std::string& prefix) {
    if (child.name != "exclude" && section != "sensor") set_if_missing(child, "class", prefix + part.top_class);
  }

  void add_assets(const XmlNode& section, const Part& part, const std::string& prefix) {
    XmlNode kept = section;
    std::erase_if(kept.children, [](const XmlNode& asset) { return asset.name == "model"; });
    for (XmlNode& asset : kept.children) {
      XmlNode::Attribute* file = find_attribute(asset, "file");
      if (file && (asset.name == "mesh" || asset.name == "hfield")) {
        set_if_missing(asset, "name", fs::path(file->value).stem().string());
        file = find_attribute(asset, "file");
        const fs::path named = part.compiler.strip_path ? fs::path(file->value).filename() : fs::path(file->value);
        if (!fs::path(file->value).is_absolute()) {
          file->value = fs::absolute(fs::path(part.path).parent_path() / part.compiler.mesh_folder / named).string();
        }
      }
      add_prefix(asset, prefix);
      if (asset.name == "mesh") set_class(section.name, asset, part, prefix);
    }
    name_file(kept, part.path);
    added_.push_back(std::move(kept));
  }

  /// The outermost class under a name of its own, without a class around it: it does not take what the other file's
  /// elements take.
  void add_defaults(const XmlNode& section, const Part& part, const std::string& prefix) {
    XmlNode kept = section;
    set_if_missing(kept, "class", part.top_class);
    add_prefix(kept, prefix);
    reader_.attached_classes.insert(find_attribute(kept, "class")->value);
    name_file(kept, part.path);
    added_.push_back(std::move(kept));
  }

  XmlNode& root_;
  Reader& reader_;
  std::vector<std::string> open_;  // files from the first to this
  std::map<std::string, std::pair<XmlNode*, std::string>> files_;
  std::vector<std::pair<std::string, std::string>> used_;  // models and prefixes
  std::vector<XmlNode> added_;
};

}  // namespace

void expand_attaches(XmlNode& root, Reader& reader) {
  Attacher(root, reader, {fs::path(reader.file).lexically_normal().string()}).expand();
}

}  // namespace carom::mjcf
