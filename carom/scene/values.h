#pragma once

#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "carom/scene/diagnostics.h"
#include "carom/scene/yaml.h"
#include "carom/spatial/transform.h"

// Reads the kinds of value that scene files are made of. If the text does not fit, a function returns nothing and tells
// a fault with the value's place. The `label` is the sentence's name for the value: its key.
namespace carom {

/// Kind of a number: the unit that sentences name, and whether degrees may be written out ("30 deg").
struct Quantity {
  const char* unit;
  enum class Degrees { no, angle, rate } degrees = Degrees::no;
};
namespace quantity {
inline constexpr Quantity ratio{"a plain ratio"};
inline constexpr Quantity length{"m"};
inline constexpr Quantity time{"s"};
inline constexpr Quantity mass{"kg"};
inline constexpr Quantity density{"kg/m³"};
inline constexpr Quantity moment{"kg m²"};
inline constexpr Quantity acceleration{"m/s²"};
inline constexpr Quantity speed{"m/s"};
inline constexpr Quantity inverse_speed{"s/m"};
inline constexpr Quantity pressure{"Pa"};
inline constexpr Quantity angle{"rad", Quantity::Degrees::angle};
inline constexpr Quantity angular_rate{"rad/s", Quantity::Degrees::rate};
inline constexpr Quantity damping{"N s/m or N m s/rad"};
inline constexpr Quantity stiffness{"N/m or N m/rad"};
inline constexpr Quantity frequency{"Hz"};
inline constexpr Quantity force{"N or N m"};
inline constexpr Quantity reflected_inertia{"kg m² or kg"};
}  // namespace quantity

/// Kind of a number of which the file alone says whether it is an angle, an angular velocity, or neither and in `unit`.
Quantity quantity_of(const YamlNode& node, const char* unit);

/// Which numbers are accepted. `limit` is any number, and .inf and -.inf as well: no limit.
enum class Range { any, positive, not_negative, fraction, limit };

std::optional<double> read_number(const YamlNode& node, const std::string& label, Quantity quantity, Range range,
                                  Diagnostics& diagnostics);
/// A list of `size` numbers, one quantity each (the last one for all that follow).
std::optional<VectorX> read_numbers(const YamlNode& node, const std::string& label, int size,
                                    const std::vector<Quantity>& quantities, Range range, Diagnostics& diagnostics);
std::optional<Vec3> read_vector(const YamlNode& node, const std::string& label, Quantity quantity, Range range,
                                Diagnostics& diagnostics);
/// A vector other than zero, at unit length.
std::optional<Vec3> read_direction(const YamlNode& node, const std::string& label, Diagnostics& diagnostics);
std::optional<int> read_integer(const YamlNode& node, const std::string& label, Diagnostics& diagnostics);
std::optional<bool> read_boolean(const YamlNode& node, const std::string& label, Diagnostics& diagnostics);
std::optional<std::string> read_text(const YamlNode& node, const std::string& label, Diagnostics& diagnostics);
/// A text fit for a name: not empty, without '/' and control characters.
std::optional<std::string> read_name(const YamlNode& node, const std::string& label, Diagnostics& diagnostics);
/// Index in `choices` of one of these words.
std::optional<int> read_choice(const YamlNode& node, const std::string& label, const std::vector<std::string>& choices,
                               Diagnostics& diagnostics);

/// R = rotation of `q`; both kept, so that neither loses digits to the other.
struct Orientation {
  Quaternion q = Quaternion::Identity();
  Mat3 R = Mat3::Identity();
};
/// The shortest rotation that turns z to the unit vector `direction`; about x where direction is −z. Right angles are
/// exact: R has entries 0 and ±1.
Orientation turn_z_to(const Vec3& direction);
/// [w, x, y, z] (unit length within 1e-3, then made exact), or {axis, angle}, or {roll_pitch_yaw: [r, p, y]} with
/// R = Rz(y) Ry(p) Rx(r), or {z_axis: direction}, see turn_z_to.
std::optional<Orientation> read_orientation(const YamlNode& node, const std::string& label, Diagnostics& diagnostics);

/// The keys of one map. Tells unknown keys when it is made, with the known key that each may stand for.
class Fields {
 public:
  /// `what` names the map in sentences: "a sphere". Not a map: told, and every key is absent.
  Fields(const YamlNode& node, std::string what, std::vector<std::string> known, Diagnostics& diagnostics);

  bool is_map() const { return node_.kind == YamlNode::Kind::map; }
  /// The value of a key, or null.
  const YamlNode* find(const std::string& key) const;
  /// The same; its absence is told. `right` says what to write.
  const YamlNode* require(const std::string& key, const std::string& right);
  /// Place of the key, or of the map if it has none.
  Place place(const std::string& key) const;
  /// Tells a fault if both keys are there.
  void exclude(const std::string& key, const std::string& other, const std::string& right);

 private:
  const YamlNode& node_;
  std::string what_;
  Diagnostics& diagnostics_;
  std::vector<std::string> meant_;  ///< known keys that misspelt ones most likely stand for
};

/// The key `name`, which must be there and not be in `names` yet, to which it is added. `what`: names of what, in
/// sentences. Empty where there is none.
std::string read_unique_name(Fields& fields, const std::string& what, std::set<std::string>& names,
                             Diagnostics& diagnostics);

/// `position` and `orientation` of a map; the identity where they are missing.
Transform read_pose(const Fields& fields, Diagnostics& diagnostics);

/// The pose under a key of a map; the identity where the key is missing.
Transform read_frame(const Fields& fields, const std::string& key, Diagnostics& diagnostics);

/// The key `axis`, as the rotation that turns z of the frames under both `sides` to it alike. So the bodies are
/// parallel at the zero of the joint or constraint. `whose`: the joint's, the hinge's. Returns nothing without the key.
/// If a side has an orientation as well, a fault is told and nothing is returned.
std::optional<Mat3> read_common_axis(const Fields& fields, const char* const (&sides)[2], const std::string& whose,
                                     Diagnostics& diagnostics);

/// The entries of a list; none, and a fault told, if it is not a list.
const std::vector<YamlNode>& read_list(const YamlNode& node, const std::string& label, const std::string& of,
                                       Diagnostics& diagnostics);

/// Calls f(key, value) for every entry of a map that must not be empty; anything else is told.
template <class F>
void for_each_entry(const YamlNode& map, const std::string& label, Diagnostics& diagnostics, F&& f) {
  if (map.kind != YamlNode::Kind::map || map.keys.empty()) {
    diagnostics.add(map.place, label + " must be a map with at least one name, but is " +
                                   (map.kind == YamlNode::Kind::map ? "empty" : describe(map)));
    return;
  }
  for (std::size_t i = 0; i < map.keys.size(); ++i) f(map.keys[i], map.items[i]);
}

/// The value of `key` without any check: for maps whose kind decides which keys they have.
const YamlNode* peek(const YamlNode& map, const std::string& key);

}  // namespace carom
