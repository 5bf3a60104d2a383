// The part of a file, and of the files that it includes, that libsdformat is given.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string_view>

#include "carom/import/mesh_file.h"
#include "carom/import/sdf_source.h"
#include "carom/import/sdf_state.h"
#include "carom/import/vocabularies.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

constexpr int oldest_minor = 4, newest_minor = 12;
constexpr int resolved_minor =
    9;  // newest that libsdformat knows: of models, joints and frames the later ones say the same
constexpr std::size_t deepest_include = 32;

/// The elements that the extract keeps, and of which it keeps all and not just the first.
bool is_repeated(std::string_view tag) {
  constexpr std::array repeated = {"model", "include", "frame", "link", "collision", "joint", "drake:joint"};
  return std::find(repeated.begin(), repeated.end(), tag) != repeated.end();
}

const std::vector<std::string_view>& kept_children(std::string_view tag) {
  static const std::map<std::string_view, std::vector<std::string_view>> kept = {
      {"sdf", {"world", "model"}},
      {"world", {"model", "include", "frame", "joint", "drake:joint"}},
      {"model", {"static", "pose", "frame", "link", "joint", "drake:joint", "model", "include"}},
      {"frame", {"pose"}},
      {"link", {"pose", "collision"}},
      {"collision", {"pose"}},
      {"joint", {"parent", "child", "pose", "axis", "axis2"}},
      {"drake:joint", {"drake:parent", "drake:child", "pose"}},
      {"axis", {"xyz", "use_parent_model_frame"}},
      {"axis2", {"xyz", "use_parent_model_frame"}},
      {"include", {"name", "static", "pose", "placement_frame"}},
  };
  static const std::vector<std::string_view> none;
  const auto found = kept.find(tag);
  return found == kept.end() ? none : found->second;
}

const std::vector<std::string_view>& kept_attributes(std::string_view tag) {
  static const std::map<std::string_view, std::vector<std::string_view>> kept = {
      {"sdf", {"version"}},
      {"world", {"name"}},
      {"model", {"name", "canonical_link", "placement_frame"}},
      {"frame", {"name", "attached_to"}},
      {"link", {"name"}},
      {"collision", {"name"}},
      {"joint", {"name", "type"}},
      {"drake:joint", {"name", "type"}},
      {"pose", {"relative_to", "frame", "rotation_format", "degrees"}},
      {"xyz", {"expressed_in"}},
      {"include", {"merge"}},
  };
  static const std::vector<std::string_view> none;
  const auto found = kept.find(tag);
  return found == kept.end() ? none : found->second;
}

/// The tag in the extract. A world with joints between its models is written as a model in which they nest. Joints in a
/// world are known to libsdformat only from SDFormat 1.10 on.
std::string written_as(XmlNode& node) {
  if (node.name == "world" && (node.first("joint") || node.first("drake:joint"))) return "model";
  return node.name.starts_with("drake:") ? node.name.substr(6) : node.name;
}

bool needs_name(std::string_view tag) {
  return !kept_attributes(tag).empty() && kept_attributes(tag).front() == "name" && tag != "sdf";
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else if (c == '"') {
      safe += "&quot;";
    } else {
      safe += c == '\n' || c == '\r' ? ' ' : c;  // an element is one line of the extract
    }
  }
  return safe;
}

/// Minor number of "1.7"; nothing if the text is no version of SDFormat 1.
std::optional<int> minor_version(const std::string& version) {
  if (!version.starts_with("1.") || version.size() > 4) return {};
  const std::string minor = version.substr(2);
  if (minor.empty() || !std::all_of(minor.begin(), minor.end(), [](unsigned char c) { return std::isdigit(c); })) {
    return {};
  }
  return std::stoi(minor);
}

/// The file that a model's folder names for the newest version that is understood.
std::string model_file(const fs::path& folder) {
  const fs::path config = folder / "model.config";
  std::error_code error;
  if (!fs::exists(config, error)) {
    throw Error("\"" + folder.string() + "\" is a folder without model.config, which would name the file of the model");
  }
  XmlNode root = read_xml(config.string());
  std::string best;
  int newest = -1;
  for (XmlNode* entry : root.all("sdf")) {
    const std::string* version = entry->attribute("version");
    const int minor = version ? minor_version(*version).value_or(-1) : 0;
    if (entry->text.empty() || minor > newest_minor || minor <= newest) continue;
    newest = minor;
    best = entry->text;
  }
  if (best.empty()) {
    throw Error("\"" + config.string() + "\" names no file of SDFormat 1.12 or older; it needs an <sdf> that does");
  }
  return (folder / best).lexically_normal().string();
}

/// Models that Gazebo ships and nearly every world includes. They stand in for an <include> of that name if the search
/// path has no such model. Gazebo's plane has a friction of 100; here it takes that of the scene.
struct ShippedModel {
  std::string_view name, text, taken_as;  // empty: has no mechanics
};
constexpr ShippedModel shipped_models[]{
    {"sun", "<sdf version='1.6'><light name='sun'/></sdf>", ""},
    {"ground_plane",
     "<sdf version='1.6'><model name='ground_plane'><static>true</static><link name='link'>"
     "<collision name='collision'><geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link>"
     "</model></sdf>",
     "the plane z = 0, with the friction that the scene gives it"},
};

const ShippedModel* shipped_model(std::string uri) {
  while (uri.ends_with('/')) uri.pop_back();
  std::string name = uri.substr(uri.rfind('/') + 1);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return c == ' ' ? '_' : static_cast<char>(std::tolower(c)); });
  const auto* found = std::find_if(std::begin(shipped_models), std::end(shipped_models),
                                   [&](const ShippedModel& model) { return model.name == name; });
  return found == std::end(shipped_models) ? nullptr : found;
}

}  // namespace

/// Writes the extracts of a file and of those that it includes.
class SdfExtract {
 public:
  SdfExtract(SdfSource& source, const ImportOptions& options) : source_(source), options_(options) {}

  void add(XmlNode root, const std::string& path) {
    SdfFile& file = source_.files.emplace_back(path, std::move(root));
    open_.push_back(path);
    if (check_root(file)) {
      sdformat_vocabulary().check(file.root, file.faults);
      write(file, file.root);
    }
    open_.pop_back();
  }

 private:
  bool check_root(SdfFile& file);
  void write(SdfFile& file, XmlNode& node);
  static void check_ends(SdfFile& file, XmlNode& joint);
  void write_attributes(SdfFile& file, XmlNode& node) const;
  static void write_text(SdfFile& file, XmlNode& node);
  std::string include(const SdfPlace& place, const SdfPlace& uri);
  std::string include_tree(const SdfPlace& place, XmlNode root, const std::string& path);
  std::string include_shipped(const SdfPlace& place, const ShippedModel& model);
  std::string store(const SdfFile& file, std::size_t number);

  SdfSource& source_;
  const ImportOptions& options_;
  bool world_as_model_ = false;
  std::vector<std::string> open_;  // files from the first to the one that is being read
};

bool SdfExtract::check_root(SdfFile& file) {
  if (file.root.name != "sdf") {
    file.faults.add(file.root, "the root element is <" + file.root.name + ">; a file of SDFormat has <sdf>");
    return false;
  }
  for (const XmlNode& node : file.root.children) {
    if (node.name != "link" && node.name != "joint" && node.name != "include" && node.name != "frame") continue;
    file.faults.add(node, "<" + node.name + "> stands outside of a model; put it into one");
  }
  for (XmlNode::Attribute& a : file.root.attributes) a.read = a.read || a.name.starts_with("xmlns");
  const auto version = file.faults.require(file.root, "version");
  if (!version) return false;
  const auto minor = minor_version(*version);
  if (minor && *minor <= newest_minor) {
    if (*minor < oldest_minor) {
      source_.notes.push_back({file.path, file.root.line, "version " + *version + ", read as if converted to 1.9"});
    }
    return true;
  }
  file.faults.add(file.root, "version \"" + *version + "\" is not understood; SDFormat 1.4 to 1.12 is");
  return false;
}

void SdfExtract::write_attributes(SdfFile& file, XmlNode& node) const {
  if (needs_name(node.name)) {
    const auto name = file.faults.require(node, "name");
    // Older versions allow it; libsdformat would blame the first line.
    const std::string* version = file.root.attribute("version");
    if (name && name->find("::") != std::string::npos && minor_version(*version).value_or(0) >= 8) {
      file.faults.add(node,
                      "the name \"" + *name + "\" has \"::\", which joins the names of nested models; take another");
    }
  }
  for (const std::string_view key : kept_attributes(node.name)) {
    const std::string* value = node.attribute(std::string(key));
    if (!value) continue;
    // The type of a joint does not matter to frames, and libsdformat does not know all.
    std::string shown = key == "type" ? "revolute" : escaped(*value);
    if (key == "version" && minor_version(*value).value_or(0) > resolved_minor) {
      shown = "1." + std::to_string(resolved_minor);
    }
    // The frame of a world that is given as a model.
    if (world_as_model_ && *value == "world" && key != "name") shown = "__model__";
    file.extract += " " + std::string(key) + "=\"" + shown + "\"";
  }
}

/// Values that libsdformat would replace by a default, without a fault, are checked here.
void SdfExtract::write_text(SdfFile& file, XmlNode& node) {
  const SdfPlace place{&file, &node};
  XmlNode holder;
  holder.children.push_back(node);
  if (node.name == "pose") {
    read_pose({&file, &holder});
  } else if (node.name == "static" || node.name == "use_parent_model_frame") {
    read_flag({&file, &holder}, node.name, false);
  } else if (node.name == "xyz") {
    const auto xyz = file.faults.parse_numbers(node, "<xyz>", node.text, 3, 3);
    if (xyz && xyz->norm() == 0) place.fault("<xyz> is zero; an axis needs a direction");
  } else if (!kept_children(node.name).empty()) {
    return;  // text beside elements says nothing
  } else if (node.text.empty()) {
    place.fault("<" + node.name + "> is empty; it must name something");
  }
  file.extract += escaped(node.text);
}

void SdfExtract::check_ends(SdfFile& file, XmlNode& joint) {
  for (std::string end : {"parent", "child"}) {
    if (joint.name == "drake:joint") end.insert(0, "drake:");
    if (!joint.first(end)) file.faults.add(joint, "<" + joint.name + "> has no <" + end + ">; it needs one");
  }
}

void SdfExtract::write(SdfFile& file, XmlNode& node) {
  const SdfPlace uri = node.name == "include" ? first({&file, &node}, "uri") : SdfPlace();
  std::string included;
  if (node.name == "include") {
    included = include({&file, &node}, uri);
    if (included.empty()) return;
  }
  const std::string tag = written_as(node);
  if (node.name == "world") {
    apply_state(file, node);
    world_as_model_ = tag == "model";
  }
  if (tag == "joint") check_ends(file, node);
  file.extract += (file.extract.empty() ? "<" : "\n<") + tag;
  file.by_line.push_back(&node);
  write_attributes(file, node);
  file.extract += ">";
  write_text(file, node);
  for (const std::string_view child : kept_children(node.name)) {
    if (is_repeated(child)) {
      std::set<std::string> names;
      for (XmlNode* each : node.all(std::string(child))) {
        const std::string* name = each->attribute("name");
        if (name && !names.insert(*name).second) {
          file.faults.add(*each, "another <" + each->name + "> of this <" + node.name + "> is called \"" + *name +
                                     "\"; names must differ");
        }
        write(file, *each);
      }
    } else if (const SdfPlace only = first({&file, &node}, std::string(child)); only.node) {
      write(file, *only.node);
    }
  }
  if (uri.node) {
    file.extract += "\n<uri>" + escaped(included) + "</uri>";
    file.by_line.push_back(uri.node);
  }
  if (tag == "collision") file.extract += "<geometry><empty/></geometry>";  // required, and read elsewhere
  file.extract += "</" + tag + ">";
}

/// Adds the file that an <include> names; the path of its extract, or nothing if it holds no model or has a fault.
std::string SdfExtract::include(const SdfPlace& place, const SdfPlace& uri) {
  if (!uri.node) {
    place.fault("<include> has no <uri>; it must name a model");
    return {};
  }
  if (const SdfPlace params = peek(place, "experimental:params"); params.node) {
    params.fault("<experimental:params> changes what is included, which is not understood; write that model out");
    return {};
  }
  try {
    std::string path;
    try {
      path = resolve_path(uri.node->text, place.file->path, options_);
    } catch (const Error&) {
      if (const ShippedModel* shipped = shipped_model(uri.node->text)) return include_shipped(place, *shipped);
      throw;
    }
    if (fs::is_directory(path)) path = model_file(path);
    const auto same = [&](const std::string& open) {
      std::error_code error;
      return open == path || fs::equivalent(open, path, error);
    };
    if (open_.size() > deepest_include || std::any_of(open_.begin(), open_.end(), same)) {
      uri.fault("\"" + path + "\" includes itself, by way of this line or of what it includes");
      return {};
    }
    return include_tree(place, read_xml(path), path);
  } catch (const ImportError& error) {
    const ImportNote& fault = error.faults().front();
    uri.fault("\"" + fault.file + "\" cannot be included: " +
              (fault.line > 0 ? "at line " + std::to_string(fault.line) + ", " : "") + fault.text);
  } catch (const Error& error) {
    uri.fault("this model is not found: " + std::string(error.what()));
  }
  return {};
}

/// Adds what an <include> names; the path of its extract, or nothing as above.
std::string SdfExtract::include_tree(const SdfPlace& place, XmlNode root, const std::string& path) {
  const std::size_t number = source_.files.size();
  add(std::move(root), path);
  SdfFile& file = source_.files[number];
  if (!file.faults.empty()) return {};
  if (file.root.first("model")) return file.extract_path = store(file, number);
  source_.notes.push_back({place.file->path, place.line(), "<include> of \"" + path + "\", which holds no model"});
  return {};
}

std::string SdfExtract::include_shipped(const SdfPlace& place, const ShippedModel& model) {
  const std::string name(model.name);
  if (!model.taken_as.empty()) {
    place.file->faults.warn(*place.node,
                            "the model \"" + name + "\" is not found; it is taken as " + std::string(model.taken_as));
  }
  return include_tree(place, parse_xml(std::string(model.text), name), name);
}

/// libsdformat reads included files by path alone.
std::string SdfExtract::store(const SdfFile& file, std::size_t number) {
  std::error_code error;
  if (source_.folder_.empty()) {
    std::string pattern = (fs::temp_directory_path(error) / "carom-sdf-XXXXXX").string();
    if (error || !mkdtemp(pattern.data())) throw Error("there is no folder for temporary files; set TMPDIR to one");
    source_.folder_ = pattern;
  }
  std::string path = (source_.folder_ / (std::to_string(number) + ".sdf")).string();
  std::ofstream stream(path, std::ios::binary);
  stream << file.extract;
  if (!stream.flush()) throw Error("\"" + path + "\" cannot be written");
  return path;
}

void SdfSource::read(XmlNode root, const std::string& path, const ImportOptions& options) {
  SdfExtract(*this, options).add(std::move(root), path);
}

}  // namespace carom
