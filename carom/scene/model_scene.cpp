#include "carom/scene/model_scene.h"

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <limits>
#include <sstream>
#include <utility>

#include "carom/import/imported_model.h"

namespace carom {
namespace {

/// A text as YAML's double quotes hold it.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

ModelPlacement with_whole_folders(ModelPlacement placement) {
  for (std::string& folder : placement.search_path) folder = std::filesystem::absolute(folder).string();
  if (!placement.parts_folder.empty()) {
    placement.parts_folder = std::filesystem::absolute(placement.parts_folder).string();
  }
  return placement;
}

/// As the scene's keys say them.
ImportOptions import_options(const ModelPlacement& asked) {
  const ModelPlacement placement = with_whole_folders(asked);
  ImportOptions options;
  options.fixed_base = placement.fixed;
  options.relax_inertia = placement.relax_inertia;
  options.search_path = placement.search_path;
  options.parts_folder = placement.parts_folder;
  const bool parts = placement.meshes == "parts" || !placement.parts_folder.empty();
  options.meshes = parts ? MeshUse::parts : MeshUse::hulls;
  return options;
}

std::string whole_path(const std::string& path) { return std::filesystem::absolute(path).lexically_normal().string(); }

}  // namespace

std::shared_ptr<const ReadModel> read_model(const std::string& path, const ModelPlacement& asked) {
  const ImportOptions options = import_options(asked);
  const std::string whole = whole_path(path);
  try {
    return std::make_shared<const ReadModel>(ReadModel{whole, options, import_model(whole, options)});
  } catch (const ImportError&) {
    static_cast<void>(import_model(path, options));  // says the same of the path as it was given
    throw;
  }
}

std::shared_ptr<const ReadModel> read_model(const std::string& path, const ModelPlacement& asked, ImportedModel model) {
  const std::string whole = whole_path(path);
  model.file = whole;
  return std::make_shared<const ReadModel>(ReadModel{whole, import_options(asked), std::move(model)});
}

ModelPlacement placed_as_file_says(const std::string& path, ModelPlacement asked) {
  const auto read = read_model(path, asked);
  return placed_as_file_says(read->model, std::move(asked));
}

ModelPlacement placed_as_file_says(const ImportedModel& model, ModelPlacement asked) {
  asked = with_whole_folders(std::move(asked));
  asked.gravity = model.gravity.value_or(asked.gravity);
  asked.ground &= std::none_of(model.colliders.begin(), model.colliders.end(),
                               [](const Collider& collider) { return is_ground(collider.shape); });
  return asked;
}

std::string scene_of_model(const std::string& path, const ModelPlacement& placement) {
  std::ostringstream out;
  out << std::setprecision(std::numeric_limits<double>::max_digits10);
  const Vec3 g = placement.gravity;
  out << "carom: 1\ngravity: [" << g.x() << ", " << g.y() << ", " << g.z() << "]\n"
      << "materials:\n  - {name: default, friction: " << placement.friction << "}\n"
      << "combination: {friction: geometric-mean, restitution: maximum}\n";
  if (placement.drop && placement.ground) {
    out << "world:\n  shapes:\n    - {type: half-space, name: ground, material: default}\n";
  }
  out << "models:\n  - file: " << quoted(std::filesystem::path(path).filename().string())
      << "\n    material: default\n";
  if (!placement.search_path.empty()) out << "    search_path:\n";
  for (const std::string& folder : placement.search_path) out << "      - " << quoted(folder) << "\n";
  if (placement.fixed) out << "    base: fixed\n";
  if (placement.relax_inertia) out << "    relax_inertia: true\n";
  if (!placement.meshes.empty()) out << "    meshes: " << placement.meshes << "\n";
  if (!placement.parts_folder.empty()) out << "    parts_folder: " << quoted(placement.parts_folder) << "\n";
  if (placement.drop) out << "    drop: " << *placement.drop << "\n";
  if (!placement.self_collision.empty()) out << "    self_collision: " << placement.self_collision << "\n";
  if (!placement.keyframe.empty()) out << "    keyframe: " << quoted(placement.keyframe) << "\n";
  if (!placement.joints.empty()) out << "    joints:\n";
  for (const auto& [joint, position] : placement.joints) out << "      " << quoted(joint) << ": " << position << "\n";
  out << "method: {stepper: stewart-trinkle, step: 0.001}\nduration: 2\n";
  return out.str();
}

}  // namespace carom
