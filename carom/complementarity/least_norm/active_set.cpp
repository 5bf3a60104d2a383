#include "carom/complementarity/least_norm/active_set.h"

#include <algorithm>

namespace carom {

std::string label_status_name(LabelStatus status) {
  switch (status) {
    case LabelStatus::admissible:
      return "admissible";
    case LabelStatus::approaching:
      return "approaching";
    case LabelStatus::pushing:
      return "pushing";
    case LabelStatus::violated:
      return "violated";
    case LabelStatus::inconsistent:
      return "inconsistent";
  }
  return "unknown";
}

LabelStatus judge(const LabelViolation& violation, const LabelTolerance& tolerance) {
  if (!(violation.residual <= tolerance.residual)) return LabelStatus::inconsistent;
  if (!(violation.impulse <= tolerance.impulse)) return LabelStatus::violated;
  if (!(violation.pushing <= tolerance.velocity)) return LabelStatus::pushing;
  if (!(violation.approach <= tolerance.velocity)) return LabelStatus::approaching;
  return LabelStatus::admissible;
}

Eigen::Vector2d SlipRule::direction(const LabelledSystem& system, int block) {
  const Block& b = system.blocks()[block];
  Eigen::Vector2d s = Eigen::Vector2d::Zero();
  for (int axis = 0; axis < 2; ++axis) {
    if (b.friction[axis] > 0) s[axis] = -system.impulse()[b.row + axis] / b.friction[axis];
  }
  const double length = s.norm();
  return length > 0 ? Eigen::Vector2d(s / length) : Eigen::Vector2d::Zero().eval();
}

PruneResult prune_active_set(LabelledSystem& system, SlipRule& rule, const PruneOptions& options) {
  PruneResult result;
  const int blocks = static_cast<int>(system.blocks().size());
  for (;;) {
    result.solution = rule.solve(system);
    ++result.solves;
    const double largest = system.impulse().size() > 0 ? system.impulse().cwiseAbs().maxCoeff() : 0;
    double worst = 0;
    for (int k = 0; k < blocks; ++k) worst = std::max(worst, system.impulse_violation(k));
    if (!(worst > options.tolerance.impulse * largest)) break;
    // Labels change impulse_violation of their own block alone: the solution stays until the next solve.
    for (int k = 0; k < blocks; ++k) {
      if (system.impulse_violation(k) < (1 - options.tie) * worst) continue;
      BlockLabel label = system.labels()[k];
      if (system.blocks()[k].kind == BlockKind::cone && label.tangent == TangentState::rolling) {
        label.tangent = TangentState::slipping;
        label.slip = rule.direction(system, k);
      } else {
        label.normal = NormalState::open;
      }
      system.relabel(k, label);
    }
  }
  result.violation = system.violation();
  result.status = judge(result.violation, options.tolerance);
  return result;
}

}  // namespace carom
