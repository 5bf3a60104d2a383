#pragma once

#include <utility>
#include <vector>

#include "carom/contact/contact.h"
#include "carom/dynamics/workspace.h"
#include "carom/geometry/broad_phase.h"
#include "carom/geometry/contact_points.h"

namespace carom {

/// Finds the contacts of a mechanism in a configuration, or the one with a given name. A is a moving body; of two
/// moving bodies, the one whose collider comes first in the model. Keeps its buffers: no allocation for counts seen
/// before.
///
/// "Configuration" is q with the body poses X_WB that forward_kinematics gives for it.
class ContactFinder {
 public:
  explicit ContactFinder(const Model& model);

  /// All contacts with gap ≤ margin, m; of limits, ratchets and ropes those with gap ≤ stop_margin, m or rad. Sorted by
  /// id.
  const std::vector<Contact>& find(const Model& model, const VectorX& q, const std::vector<Transform>& X_WB,
                                   double margin, double stop_margin = 0);

  /// The contact `id` whatever its gap; false if the pair has no such feature in this configuration.
  bool evaluate(const Model& model, const ContactId& id, const VectorX& q, const std::vector<Transform>& X_WB,
                Contact& contact);

  /// The contact of smallest gap between two colliders (a moving, as in ContactId).
  Contact nearest(const Model& model, int collider_a, int collider_b, const std::vector<Transform>& X_WB);

  /// Pairs of colliders, in the order of ContactId, whose boxes meet while bodies move for h seconds to other poses.
  /// Speeds stay those at the start, `from` (forward_velocity). A centre of mass on a path of length L between ends c
  /// apart leaves their line by at most √(L² − c²)/2. Points within r of it that turn by θ about it reach beyond their
  /// boxes at both ends by at most r (1 − cos(θ/2)).
  const std::vector<std::pair<int, int>>& pairs_on_the_way(const Model& model, const DynamicsWorkspace& from,
                                                           const std::vector<Transform>& X_WB_to, double h);

 private:
  Transform pose(const Model& model, int collider, const std::vector<Transform>& X_WB) const;
  Contact make_contact(const Model& model, int a, int b, const std::vector<Transform>& X_WB,
                       const ContactPoint& point) const;
  const std::vector<std::pair<int, int>>& filtered(const Model& model);

  BroadPhase broad_phase_;
  std::vector<Bounds> boxes_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<ContactPoint> points_;
  std::vector<Contact> contacts_;
};

}  // namespace carom
