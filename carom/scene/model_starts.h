#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carom/import/imported_model.h"
#include "carom/scene/collision_groups.h"
#include "carom/scene/self_collision.h"
#include "carom/scene/values.h"

namespace carom {

/// One entry of the list: a model file, and how it stands in the scene.
struct ModelEntry {
  Place place;
  std::string named_file;  ///< as the scene names it
  ImportedModel model;
  std::string prefix;
  Transform X_WM;                                  ///< the file's world in the scene's
  double lift = 0;                                 ///< m, of links that hang on nothing
  int default_material = -1;                       ///< number in the scene, of shapes to which the file gives none
  std::optional<Mat3> plane;                       ///< in which its links that hang on nothing move, axes in the world
  GroupMasks masks;                                ///< of all shapes of the file
  std::vector<VectorX> positions, velocities;      ///< by link, sizes as in State
  std::vector<VectorX> asked;                      ///< by link, where the file starts it, if beyond its limits
  std::optional<Vec3> velocity, angular_velocity;  ///< of links that hang on nothing, if the scene says; world axes
  std::vector<LeftOut> left_out;                   ///< of collision, because they overlap
  std::map<std::string, FramePath> mocap;          ///< paths of links that the scene moves
  std::string named(const std::string& name) const { return prefix + name; }
};

/// At the start: of the file, where it says, else zero.
void start_as_in_file(ModelEntry& entry);
/// Then, if the scene asks for it, at a keyframe of the file: the value of the key `keyframe`.
void start_at_keyframe(const YamlNode& node, ModelEntry& entry, Diagnostics& diagnostics);
/// Then where the key `joints` puts them, a map from names or patterns to coordinates, or to maps of what each has.
/// Tells what is beyond a limit.
void start_joints(const YamlNode& node, ModelEntry& entry, Diagnostics& diagnostics);

}  // namespace carom
