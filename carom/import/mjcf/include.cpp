#include <filesystem>
#include <set>

#include "carom/import/mjcf/reader.h"

// A file is included at most once, as in MuJoCo, so no file can include itself, and names stay unique.
namespace carom::mjcf {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 500;  // levels of elements, as in a document without includes

void name_file(XmlNode& node, const std::string& file) {
  node.file = file;
  for (XmlNode& child : node.children) name_file(child, file);
}

class Includer {
 public:
  explicit Includer(Reader& reader) : reader_(reader), folder_(fs::path(reader.file).parent_path()) {
    seen_.insert(fs::path(reader.file).lexically_normal().string());
  }

  void expand(XmlNode& node, int depth) {
    std::vector<XmlNode> children;
    for (XmlNode& child : node.children) {
      if (child.name != "include") {
        expand(child, depth + 1);
        children.push_back(std::move(child));
        continue;
      }
      for (XmlNode& brought : read(child, depth)) children.push_back(std::move(brought));
    }
    node.children = std::move(children);
  }

 private:
  /// The content that the include brings, itself expanded.
  std::vector<XmlNode> read(XmlNode& include, int depth) {
    const auto name = reader_.faults.require(include, "file");
    if (!name) return {};
    const std::string path = (fs::path(*name).is_absolute() ? fs::path(*name) : folder_ / *name).string();
    if (!seen_.insert(fs::path(path).lexically_normal().string()).second || depth > deepest) {
      reader_.faults.add(include, "<include> names \"" + *name + "\", which is part of the model already; " +
                                      "a file can be included once, and not by itself");
      return {};
    }
    try {
      XmlNode root = read_xml(path);
      if (root.name != "mujoco" && root.name != "mujocoinclude") {
        reader_.faults.add(include, "the root of the included file \"" + *name + "\" is <" + root.name +
                                        ">, but must be <mujoco> or <mujocoinclude>");
        return {};
      }
      name_file(root, path);
      expand(root, depth);
      return std::move(root.children);
    } catch (const ImportError& error) {
      reader_.faults.add(include, "the included file cannot be read: " + std::string(error.what()));
      return {};
    }
  }

  Reader& reader_;
  fs::path folder_;
  std::set<std::string> seen_;
};

}  // namespace

void include_files(XmlNode& root, Reader& reader) { Includer(reader).expand(root, 0); }

}  // namespace carom::mjcf
