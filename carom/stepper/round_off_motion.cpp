#include "carom/stepper/round_off_motion.h"

#include <algorithm>
#include <limits>

#include "carom/dynamics/recursions.h"

namespace carom {

bool moves_by_round_off(const Model& model, const VectorX& q, const VectorX& change, double h, double speed,
                        const std::vector<CandidateContact>& candidates, DynamicsWorkspace& workspace) {
  constexpr double digits = 16 * std::numeric_limits<double>::epsilon();
  forward_kinematics(model, q, workspace);
  forward_velocity(model, q, change, workspace);
  double farthest = 0;
  for (const Transform& X_WB : workspace.X_WB) farthest = std::max(farthest, X_WB.p.norm());
  for (const CandidateContact& candidate : candidates) {
    farthest = std::max({farthest, candidate.contact.p_WA.norm(), candidate.contact.p_WB.norm()});
  }
  const auto stays = [&](int body, const Vec3& point) {
    return point_velocity(body, point, workspace).norm() <= speed + digits * farthest / h;
  };
  for (int body = 0; body < model.body_count(); ++body) {
    if (!stays(body, workspace.X_WB[body].p)) return false;
  }
  return std::all_of(candidates.begin(), candidates.end(), [&](const CandidateContact& candidate) {
    const Contact& contact = candidate.contact;
    return stays(contact.body_a, contact.p_WA) && stays(contact.body_b, contact.p_WB);
  });
}

}  // namespace carom
