#include <algorithm>
#include <array>
#include <tuple>

#include "carom/import/imported_model.h"
#include "carom/import/mjcf.h"
#include "carom/import/sdformat.h"
#include "carom/import/urdf.h"
#include "carom/import/xml_node.h"

namespace carom {
namespace {

struct Format {
  const char* root;  ///< element that a file of this format starts with
  ImportedModel (*read)(const std::string& path, const ImportOptions& options);
};
constexpr std::array formats = {Format{"robot", read_urdf}, Format{"sdf", read_sdformat}, Format{"mujoco", read_mjcf}};

std::string listed_roots() {
  std::string list;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    if (i > 0) list += i + 1 < formats.size() ? ", " : " or ";
    list += "<" + std::string(formats[i].root) + ">";
  }
  return list;
}

}  // namespace

bool ReadModel::is_of(const std::string& asked_path, const ImportOptions& asked) const {
  const auto plain = [](const ImportOptions& o) {
    return std::tie(o.search_path, o.fixed_base, o.relax_inertia, o.meshes, o.parts_folder, o.mocap);
  };
  return path == asked_path && plain(options) == plain(asked) && options.bases.empty() && asked.bases.empty();
}

ImportedModel import_model(const std::string& path, const ImportOptions& options) {
  // The file is read once more by its reader; that costs little beside what the reader does with it.
  const XmlNode root = read_xml(path);
  const auto* format =
      std::find_if(formats.begin(), formats.end(), [&](const Format& f) { return root.name == f.root; });
  if (format != formats.end()) return format->read(path, options);
  throw ImportError(
      {{path, root.line, "the root element is <" + root.name + ">; that of a model is " + listed_roots()}});
}

}  // namespace carom
