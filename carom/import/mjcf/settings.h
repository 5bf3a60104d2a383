#pragma once

#include <set>
#include <string>

#include "carom/import/mjcf/element.h"
#include "carom/spatial/transform.h"

// Settings of an MJCF file for all its elements: `<compiler>` and `<option>`.
namespace carom::mjcf {

/// When a body's inertia is that of its geoms.
enum class InertiaFromGeoms { never, if_missing, always };

struct Compiler {
  bool degrees = true;
  std::string euler_sequence = "xyz";  ///< small letters: axes that turn along; capitals: axes of the parent
  bool autolimits = true;              ///< a range is a limit, unless `limited` denies it
  InertiaFromGeoms inertia_from_geoms = InertiaFromGeoms::if_missing;
  int least_group = 0, greatest_group = 5;  ///< of geoms that count for inertia
  double least_mass = 0;                    ///< kg, of every body
  double least_inertia = 0;                 ///< kg m², of every principal moment
  bool balance_inertia = false;             ///< makes moments that no body can have equal
  double total_mass = -1;                   ///< kg, of all bodies; not positive: as they are
  bool align_free = false;
  std::string mesh_folder;
  bool strip_path = false;

  double angle(double value) const;  ///< rad
};

/// Settings of `<option>` and its `<flag>` that bear on the motion.
struct Options {
  Vec3 gravity{0, 0, -9.81};  ///< m/s²
  bool contacts = true, limits = true, dry_friction = true, equalities = true, actuation = true;
  bool springs = true, dampers = true;
  std::set<int> idle_groups;  ///< of actuators
  bool clamps_controls = true;
  bool parents_collide = false;
  const XmlNode* fluid = nullptr;  ///< the `<option>` that fills space with one; null: none
};

Compiler read_compiler(XmlNode& root, XmlFaults& faults);
Options read_options(XmlNode& root, XmlFaults& faults);

/// R of quat, axisangle, xyaxes, zaxis or euler; the identity if none is there.
Mat3 read_rotation(Element& element, const Compiler& compiler, XmlFaults& faults);
/// The same with pos.
Transform read_pose(Element& element, const Compiler& compiler, XmlFaults& faults);
/// The least rotation that takes z to the direction (not zero).
Mat3 rotation_of_z(const Vec3& direction);
/// Rotation of w x y z, of any length; a fault at the node and the identity if it has none.
Mat3 rotation_of_quaternion(const XmlNode& at, const VectorX& wxyz, XmlFaults& faults);

/// True if an element with `range` and `limited` (or others of that kind) is limited.
bool is_limited(Element& element, const std::string& limited, const std::string& range, const Compiler& compiler,
                XmlFaults& faults);

}  // namespace carom::mjcf
