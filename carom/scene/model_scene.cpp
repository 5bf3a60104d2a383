#include "carom/scene/model_scene.h"

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <limits>
#include <sstream>

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

}  // namespace

ModelPlacement placed_as_file_says(const std::string& path, ModelPlacement asked) {
  for (std::string& folder : asked.search_path) folder = std::filesystem::absolute(folder).string();
  if (!asked.parts_folder.empty()) asked.parts_folder = std::filesystem::absolute(asked.parts_folder).string();
  ImportOptions import;
  import.fixed_base = asked.fixed;
  import.relax_inertia = asked.relax_inertia;
  import.search_path = asked.search_path;
  const ImportedModel model = import_model(path, import);
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
