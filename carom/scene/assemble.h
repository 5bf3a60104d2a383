#pragma once

#include <optional>

#include "carom/scene/constraints.h"
#include "carom/scene/drives.h"
#include "carom/scene/joints.h"
#include "carom/scene/scene.h"

namespace carom {

/// Everything in a scene that makes the mechanism and says where it starts.
struct SceneParts {
  Vec3 gravity = Vec3::Zero();
  SceneMaterials materials;
  std::vector<SceneShape> world_shapes;
  SceneBodies bodies;
  SceneJoints joints;
  std::vector<SceneConstraint> constraints;
  SceneDrives drives;
  std::vector<ColliderPair> surface_pairs;                        ///< colliders: the world's shapes, then each body's
  std::vector<std::pair<int, int>> excluded;                      ///< bodies that never collide, −1 the world
  std::vector<NamedFrame> frames;                                 ///< bodies by their number in `bodies`
  std::vector<Visual> visuals;                                    ///< likewise
  std::vector<Sensor> sensors;                                    ///< likewise
  std::vector<std::pair<std::string, std::string>> fingerprints;  ///< of files that the scene names: models, motions
  std::map<std::string, double> parameters;                       ///< that formulas of feedback may use
  std::vector<std::string> warnings;                              ///< what model files say that is not used
  std::vector<int> with_parent;                                   ///< bodies that may collide with their joint's parent
};

/// Place of the material, shape, body, joint, constraint or drive that a sentence names first, in quotes after its
/// kind; of a material its layer. Line 0 if it names none.
Place place_of_fault(const SceneParts& parts, const std::string& sentence);

struct SceneStart {
  std::shared_ptr<const Model> model;
  State initial;
  Appearance appearance;
  ControllerMaker feedback;
  FeedbackFormulas formulas;
  std::vector<std::string> warnings;
};

/// The model and its initial state. Faults that only the whole mechanism shows are told at the shape, body or joint
/// that the model names first, else at the file. An example is a pair of shapes that may meet, but between which no
/// contact can be computed.
///
/// A free body's pose and velocity are given in the world. Let F be the joint's frame on the parent P, and M that on
/// the body B. Then q holds R_FM and p_FM_F of X_FM = X_PF⁻¹ X_WP⁻¹ X_WB X_BM, and v is V_WB − V_WP, as a motion vector
/// in M.
///
/// A coordinate with a prescribed motion starts on it, unless the joint says otherwise. A start that violates
/// constraints is assembled (assembly.h), and a warning says how far it was off. Constraints that repeat one another
/// are named in a warning.
std::optional<SceneStart> assemble(const SceneParts& parts, Diagnostics& diagnostics);

}  // namespace carom
