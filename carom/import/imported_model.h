#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "carom/error.h"
#include "carom/model/appearance.h"
#include "carom/model/model.h"

namespace carom {

/// A sentence about a place in a model file.
struct ImportNote {
  std::string file;
  int line = 0;  ///< from 1; 0: the file as a whole
  std::string text;
  bool foreign = false;  ///< about a name that the format does not have
};

/// Faults that keep a model file from being used: every one found, in the order of the file. what() has a line
/// `file:line: sentence` for each.
class ImportError : public Error {
 public:
  explicit ImportError(std::vector<ImportNote> faults);
  const std::vector<ImportNote>& faults() const { return faults_; }

 private:
  std::vector<ImportNote> faults_;
};

/// ImportOptions::bases names a link that hangs on something, or none.
class UnknownBase : public Error {
 public:
  UnknownBase(std::string name, std::vector<std::string> roots);
  const std::string& name() const { return name_; }
  const std::vector<std::string>& roots() const { return roots_; }  ///< those that there are

 private:
  std::string name_;
  std::vector<std::string> roots_;
};

/// A model file's content in the terms of the library: a list of links that hang on joints, and what is
/// fixed to them. Links that the file welds together are one link here; the others live on as frames.
struct ImportedModel {
  /// A link that moves, or may.
  struct Link {
    std::string name;
    int line = 0;
    SpatialInertia inertia;      ///< in the link's frame B, of all that is welded to it
    std::optional<Joint> joint;  ///< inboard joint; `parent` counts in `links`, −1 is the world. None: moves freely
    VectorX position, velocity;  ///< of the joint at the start, sizes as in State; empty: zero (no rotation)
    VectorX asked;   ///< where the file starts it, if beyond its limits: position is then the nearest within
    Transform X_WB;  ///< of a link without a joint: where the file puts it
    bool collides_with_parent = false;
    bool is_mocap = false;  ///< has no joint, and is to be moved along a path (ImportOptions::mocap)
  };
  /// A name for a place in a link: a link of the file that was merged into another, a site, a frame.
  struct Frame {
    std::string name;
    int line = 0;
    int link = -1;           ///< −1: the world
    Transform X_BF;          ///< pose in the link
    SpatialInertia inertia;  ///< what a merged link brought to the link's inertia, in F; mass 0 if nothing
  };
  /// A part of a body's weight that is carried (MJCF's gravcomp): the force −mass × gravity at a point of the link.
  struct Lift {
    std::string name;
    int link = -1;
    Vec3 point = Vec3::Zero();  ///< in the link, m
    double mass = 0;            ///< kg
  };
  struct Keyframe {
    std::string name;
    std::vector<VectorX> position,
        velocity;                ///< by link, sizes as in State; of free links pose and velocity in the world
    std::vector<VectorX> asked;  ///< by link, as of Link; empty where position is what the file says
  };
  std::string name;  ///< as the file names it; of a file without a name that of the file
  std::string file;
  std::vector<Link> links;  ///< parents before children
  std::vector<Frame> frames;
  std::vector<Collider> colliders;      ///< `body` counts in `links`, `material` in `materials`
  std::vector<int> collider_lines;      ///< by collider
  std::vector<Visual> visuals;          ///< `body` counts in `links`; meshes are not opened (visual_meshes.h)
  std::vector<Material> materials;      ///< empty if the file says nothing of friction: then every `material` is −1
  std::vector<MaterialPair> pairs;      ///< numbers of materials
  std::vector<Constraint> constraints;  ///< bodies count in `links`
  std::vector<Drive> drives;            ///< likewise
  std::vector<Lift> lifts;
  std::vector<Sensor> sensors;                ///< bodies count in `links`, colliders in `colliders`
  std::vector<int> sensor_lines;              ///< by sensor
  std::vector<std::pair<int, int>> excluded;  ///< links that never collide, −1 the world
  std::optional<Vec3> gravity;                ///< m/s², if the file says
  std::vector<Keyframe> keyframes;
  std::vector<std::string> mocap;  ///< bodies that motion capture moves (MJCF); they stand still unless asked for
  /// Parts of the file that Carom does not use, by name and line: `<tag>` or `attribute "name" of <tag>`, and why.
  std::vector<ImportNote> unused;
  /// Things taken otherwise than by the letter of the file, each a sentence: whoever runs the model should read it.
  std::vector<ImportNote> warnings;
};

/// The force that a lift exerts in this gravity, m/s²; its body counts in `links`.
AppliedWrench wrench_of(const ImportedModel::Lift& lift, const Vec3& gravity);

/// Shapes that stand for meshes which collide and are not convex: their convex hulls, or convex parts (mesh_solids.h).
/// MJCF's meshes are hulls by its own rules.
enum class MeshUse { hulls, parts };

struct ImportOptions {
  /// Folders in which `package://NAME/…` and `model://NAME/…` are looked for: FOLDER/NAME/… or, if the folder itself is
  /// called NAME, or its package.xml names it so, FOLDER/…. Searched in order, after the file's own folder and the
  /// folders above it; after them come the folders of the environment (search_path_of_environment).
  std::vector<std::string> search_path;
  /// Welds root links that would move freely to the world; they then need no inertia.
  bool fixed_base = false;
  /// Takes the nearest inertia that a body can have in place of one that none can have (URDF), with a warning each.
  bool relax_inertia = false;
  MeshUse meshes = MeshUse::hulls;
  std::string parts_folder = {};  ///< folder in which parts are kept; empty: the user's cache (parts_folder.h)
  /// Welds these root links alone, by name, and moves them to a place in the file's world. Readers throw UnknownBase
  /// where a name is that of no root link.
  std::map<std::string, Transform> bases = {};
  /// Keeps these of ImportedModel::mocap as links, to be moved. Other names have no effect.
  std::set<std::string> mocap = {};
};

/// A model file that was read, so that whoever needs it next may take it from here.
struct ReadModel {
  std::string path;  ///< absolute
  ImportOptions options;
  ImportedModel model;

  /// True if this is what import_model would give. With bases or another path of the same file it is not seen.
  bool is_of(const std::string& asked_path, const ImportOptions& asked) const;
};

/// Reads a URDF, SDFormat or MJCF file, told apart by the root element (`<robot>`, `<sdf>`, `<mujoco>`). Throws
/// ImportError with every fault.
ImportedModel import_model(const std::string& path, const ImportOptions& options = {});

/// Half-spaces and height fields: solid however deep, so that only what stands still can have one.
inline bool is_ground(const Shape& shape) {
  return std::holds_alternative<HalfSpace>(shape) || std::holds_alternative<HeightField>(shape);
}

/// True if the path looks like a model file: .urdf, .sdf, .world, .xml, .mjcf.
bool is_model_file(const std::string& path);

}  // namespace carom
