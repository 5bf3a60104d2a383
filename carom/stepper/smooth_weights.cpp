#include "carom/stepper/smooth_weights.h"

#include <limits>

#include "carom/dynamics/recursions.h"
#include "carom/numerics/symmetric_spectrum.h"

namespace carom {

double fitted_weight(double x) {
  // Both terms are 1/x for small x; their difference is ½ + x/12 − x³/720 there.
  if (x < 1e-2) return 0.5 + x / 12 - x * x * x / 720;
  return 1 / -std::expm1(-x) - 1 / x;
}

namespace {

/// Largest mobility of a point of a body as if no joint tied it, 1/kg: no less than in its tree. 0 of the world.
double mobility_alone(const Model& model, int body, const Vec3& point) {
  if (body < 0) return 0;
  const SpatialInertia& inertia = model.bodies()[static_cast<std::size_t>(body)].inertia;
  const double arm = (point - inertia.center).norm();
  const double spin = arm > 0 ? semidefinite_inverse(inertia.central).trace() : 0;
  return 1 / inertia.mass + arm * arm * spin;
}

/// x times a mobility that may be unknown: what has no mass settles at once.
double decay(double factor, double mobility) {
  if (factor == 0) return 0;
  return std::isfinite(mobility) && mobility > 0 ? factor * mobility : std::numeric_limits<double>::max();
}

}  // namespace

SmoothWeights::SmoothWeights(const Model& model) {
  const int n = model.velocity_count();
  joints_ = VectorX::Constant(n, 0.5);
  DynamicsWorkspace at(model);
  forward_kinematics(model, model.neutral_position(), at);
  factor_mass(model, VectorX::Zero(n), at);
  VectorX column(n);
  const auto mobility = [&](const auto& terms) {
    column.setZero();
    for (const RowTerm& term : terms) column[term.coordinate] += term.coefficient;
    const VectorX force = column;
    solve_mass(model, column, at, column);
    return force.dot(column);
  };
  joint_decay_.resize(static_cast<std::size_t>(n));
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.damping.size(); ++k) {
      const double damping = joint.damping[k], stiffness = joint.stiffness[k];
      if (damping == 0 && stiffness == 0) continue;
      RowTerm own;
      own.coordinate = joint.v_index + k;
      own.coefficient = 1;
      const double moves = mobility(std::vector<RowTerm>{own});
      joint_decay_[static_cast<std::size_t>(own.coordinate)] = {decay(damping, moves), decay(stiffness, moves)};
    }
  }
  for (std::size_t i = 0; i < model.drives().size(); ++i) {
    const Drive& drive = model.drives()[i];
    drive_decay_.emplace_back();
    if (drive.kind != DriveKind::servo) continue;
    const double moves = mobility(model.drive_terms(i));
    drive_decay_.back() = {decay(drive.damping, moves), decay(drive.stiffness, moves)};
  }
  for (const Constraint& constraint : model.constraints()) {
    constraint_decay_.emplace_back();
    if (constraint.kind != ConstraintKind::spring) continue;
    const double moves = mobility_alone(model, constraint.body_a, constraint.X_AF.p) +
                         mobility_alone(model, constraint.body_b, constraint.X_BG.p);
    constraint_decay_.back() = {decay(constraint.damping, moves), decay(constraint.stiffness, moves)};
  }
  drives_.assign(drive_decay_.size(), 0.5);
  constraints_.assign(constraint_decay_.size(), 0.5);
}

void SmoothWeights::fit(double h) {
  for (std::size_t k = 0; k < joint_decay_.size(); ++k) {
    joints_[static_cast<Eigen::Index>(k)] = joint_decay_[k].weight(h);
  }
  for (std::size_t k = 0; k < drive_decay_.size(); ++k) drives_[k] = drive_decay_[k].weight(h);
  for (std::size_t k = 0; k < constraint_decay_.size(); ++k) constraints_[k] = constraint_decay_[k].weight(h);
}

}  // namespace carom
