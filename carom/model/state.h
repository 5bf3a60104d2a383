#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "carom/model/model.h"

namespace carom {

/// Names one constraint of a model across steps: two colliders and the feature pair between them, or a joint's limit.
struct ContactId {
  int a = -1;       ///< collider of body A, or −1 for a joint limit
  int b = -1;       ///< collider of body B, or the velocity coordinate that the limit bounds
  int feature = 0;  ///< feature number of contact_points; for a limit 0 lower, 1 upper
  auto operator<=>(const ContactId&) const = default;
  bool is_limit() const { return a < 0; }
};

/// What a stepper remembers of one contact of its last step.
struct ContactMemory {
  ContactId id;
  Vec3 impulse = Vec3::Zero();  ///< last impulse on A, world axes, N s; a limit uses z alone
  bool sliding = false;         ///< slipped at the end of the last step
  bool operator==(const ContactMemory&) const = default;
};

/// Everything that is needed to go on, and nothing else. A value: copied, stored, compared bit for bit.
struct State {
  double time = 0;                      ///< s
  std::int64_t step = 0;                ///< steps taken since the scene's start
  VectorX q;                            ///< positions, Model::position_count()
  VectorX v;                            ///< velocities, Model::velocity_count()
  std::vector<ContactMemory> contacts;  ///< contacts that carried an impulse in the last step, by id
};

/// Bit for bit equality (so −0 and 0 differ, and NaN equals itself).
bool identical(const State& a, const State& b);

}  // namespace carom
