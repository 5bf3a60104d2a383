#pragma once

#include <memory>
#include <string>

#include "carom/spatial/transform.h"

namespace carom::test {

/// The mechanism of an SDFormat file in Simbody, put together without Carom. Poses, inertias and axes are those of
/// libsdformat's resolved tree of the file itself. Links hang in trees on fixed, hinge, slide, screw, universal and
/// ball joints, or on none. Gravity is (0, 0, −9.81) m/s² unless a world of the file says otherwise.
///
/// Names are scoped as in "arm::hand", without the outermost model. A link that no joint ties to the world moves freely
/// by a joint of the link's name.
class SdfInSimbody {
 public:
  /// `fixed_base`: such links are welded to the world instead. Throws std::runtime_error for what it does not know.
  SdfInSimbody(const std::string& path, bool fixed_base);
  ~SdfInSimbody();

  int velocity_count() const;
  Vec3 gravity() const;
  bool has_joint(const std::string& name) const;
  /// Place of the joint's rates among all.
  int velocity_index(const std::string& name) const;
  /// Coordinates of one joint: angles and lengths; of a ball w x y z; of a free link that and the position.
  void set_position(const std::string& joint, const VectorX& q);
  /// All rates, in Simbody's order: of balls and free links in the axes of the parent.
  void set_velocity(const VectorX& u);

  Transform pose(const std::string& link) const;
  Vec6 velocity(const std::string& link) const;  ///< angular, then of the link's origin, both in the world's axes
  MatrixX mass_matrix() const;
  /// Forces on the joints that give these accelerations under gravity.
  VectorX inverse_dynamics(const VectorX& udot) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace carom::test
