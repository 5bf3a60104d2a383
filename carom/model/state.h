#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "carom/model/model.h"

namespace carom {

/// Names one unilateral constraint of a model across steps: two colliders and the feature pair between them, a joint's
/// limit or ratchet, a rope, or an end of a tendon's range.
struct ContactId {
  static constexpr int of_joint = -1, of_rope = -2, of_tendon = -3;
  static constexpr int lower = 0, upper = 1, forward = 2, backward = 3;  ///< features of a joint: limits and ratchets

  int a = of_joint;  ///< collider of body A, or of_joint, of_rope or of_tendon
  int b =
      -1;  ///< collider of body B, or the velocity coordinate, or the rope's or tendon's number in Model::constraints()
  int feature = 0;  ///< feature number of contact_points; of a joint see above, of a tendon lower or upper; of a rope 0
  auto operator<=>(const ContactId&) const = default;
  bool is_surface() const { return a >= 0; }
  /// An element of a layer's patch: feature −1 − i for node i.
  static constexpr int of_node(int node) { return -1 - node; }
  bool is_patch() const { return is_surface() && feature < 0; }
  int node() const { return -1 - feature; }
  bool is_limit() const { return a == of_joint; }  ///< a ratchet included
  bool is_ratchet() const { return is_limit() && feature >= forward; }
  bool is_rope() const { return a == of_rope; }
  bool is_tendon() const { return a == of_tendon; }
};

/// Name of a limit of a joint or tendon, or of a ratchet: "lower limit", "upper limit", "forward ratchet", "backward
/// ratchet"; of a rope: "rope".
std::string limit_name(const ContactId& id);

/// Memory that a stepper has of one contact of its last step.
struct ContactMemory {
  ContactId id;
  Vec3 impulse = Vec3::Zero();  ///< on A, world axes, N s, that the next step begins with: the last one, or near it; a
                                ///< limit or rope uses z alone
  bool sliding = false;         ///< slipped at the end of the last step
  double approach = 0;  ///< of an impact that the last step began with and that is still owed its rebound: speed of
                        ///< approach, m/s or rad/s; of stepper hybrid-dca
  // Of steppers that are implicit in the geometry alone; zero of the others.
  double spin_impulse = 0;  ///< last friction moment's on A about the normal, N m s
  /// δ of the layers of A and B along t, o, n of the contact, m.
  std::array<Vec3, 2> deflection = {Vec3::Zero(), Vec3::Zero()};
  Vec3 tangent = Vec3::Zero();  ///< t, world axes, unit length
  bool operator==(const ContactMemory&) const = default;
};

/// Everything that is needed to go on, and nothing else. A value: copied, stored, compared bit for bit.
struct State {
  double time = 0;                      ///< s
  std::int64_t step = 0;                ///< steps taken since the scene's start
  VectorX q;                            ///< positions, Model::position_count()
  VectorX v;                            ///< velocities, Model::velocity_count()
  std::vector<ContactMemory> contacts;  ///< contacts that carried an impulse in the last step, by id
  VectorX standing;  ///< impulses that the next step begins with in the rows that are there whatever touches
                     ///< (constraints, dry friction of joints, servos, springs between points), in N s, N m s; empty:
                     ///< zeros, as of steppers without such rows
};

/// Number of rows that are there whatever touches, each an entry of State::standing: those of the constraints come
/// first, then one for each coordinate with dry friction, each servo, and each spring between points.
int standing_row_count(const Model& model);

/// Bit for bit equality (so −0 and 0 differ, and NaN equals itself).
bool identical(const State& a, const State& b);

}  // namespace carom
