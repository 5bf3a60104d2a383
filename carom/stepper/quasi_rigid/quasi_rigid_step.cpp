#include "carom/stepper/quasi_rigid/quasi_rigid_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "carom/contact/closest_points.h"
#include "carom/error.h"

namespace carom {
namespace {

using System = ClosestPointSystem;

}  // namespace

QuasiRigidStepper::QuasiRigidStepper(std::vector<QuasiRigidBody> bodies, std::vector<QuasiRigidPair> pairs,
                                     const Vec3& gravity, std::vector<QuasiRigidMotion> start,
                                     const QuasiRigidOptions& options)
    : bodies_(std::move(bodies)),
      problem_(bodies_, std::move(pairs), gravity),
      gravity_(gravity),
      motions_(std::move(start)),
      contacts_(problem_.pairs().size()),
      lower_(problem_.lower()),
      upper_(VectorX::Constant(problem_.size(), std::numeric_limits<double>::infinity())),
      unknowns_(VectorX::Zero(problem_.size())),
      sizes_(problem_.size(), 1.0) {
  if (motions_.size() != bodies_.size()) {
    throw Error(std::to_string(bodies_.size()) + " bodies need a motion each, not " + std::to_string(motions_.size()));
  }
  ncp_.tolerance = options.tolerance;
  double lightest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const int at = problem_.velocity_index(static_cast<int>(i));
    if (at < 0) continue;
    lightest = std::min(lightest, bodies_[i].mass);
    unknowns_.segment<3>(at) = motions_[i].velocity;
    unknowns_.segment<3>(at + 3) = motions_[i].angular_velocity;
    for (int k = 0; k < 6; ++k) sizes_[at + k] = k < 3 ? options.speed : options.speed / options.length;
  }
  ClosestPointFinder finder(ClosestPointOptions{.length = options.length});
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const QuasiRigidPair& pair = problem_.pairs()[i];
    const ClosestPoints found =
        finder.find(bodies_[pair.a].surface, motions_[pair.a].X_WC, bodies_[pair.b].surface, motions_[pair.b].X_WC);
    if (found.status != NcpStatus::solved) {
      throw Error("pair " + std::to_string(i) + ": closest points of the start were not found (" +
                  status_name(found.status) + "); start the bodies apart, and with one nearest point each");
    }
    const int first = problem_.pair_index(static_cast<int>(i)), law = problem_.impulse_index(static_cast<int>(i));
    unknowns_.segment(first, found.unknowns.size()) = found.unknowns;
    for (int k = 0; k < 6; ++k) sizes_[first + k] = options.length;
    sizes_[first + System::gap] = options.length;
    const double impulse = lightest * options.speed;
    sizes_[law] = pair.compliant ? options.length : impulse;
    if (pair.compliant) {
      unknowns_[law] = pair.deflection;
      sizes_[law + 1] = sizes_[law + 2] = impulse;
    }
    contacts_[i] = {found.gap, pair.deflection, 0, 0, found.normal, found.p_WA};
  }
}

MixedNcpResult QuasiRigidStepper::step(double h) {
  if (!(h > 0 && std::isfinite(h))) throw Error("the step is " + std::to_string(h) + " s; it must be above 0");
  trial_ = unknowns_;
  const MixedNcp problem{
      .lower = lower_,
      .upper = upper_,
      .function =
          [&](const MixedNcp::Input& z, Eigen::Ref<VectorX> F) {
            problem_.residual(motions_, h, z, scratch_, F);
            return true;
          },
      .dense_jacobian =
          [&](const MixedNcp::Input& z, Eigen::Ref<MatrixX> J) {
            problem_.jacobian(motions_, h, z, scratch_, J);
            return true;
          },
      .sparse_jacobian = {},
      .sizes = sizes_,
  };
  const MixedNcpResult result = solver_.solve(problem, ncp_, trial_);
  if (result.status == NcpStatus::solved) keep(h);
  return result;
}

void QuasiRigidStepper::keep(double h) {
  unknowns_ = trial_;
  problem_.end(motions_, h, unknowns_, scratch_);
  motions_ = scratch_;
  time_ += h;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const int first = problem_.pair_index(static_cast<int>(i)), law = problem_.impulse_index(static_cast<int>(i));
    QuasiRigidPair& pair = problem_.pairs()[i];
    QuasiRigidContact& contact = contacts_[i];
    contact.gap = unknowns_[first + System::gap];
    contact.normal = unknowns_.segment<3>(first + System::normal);
    contact.point = unknowns_.segment<3>(first + System::point_a);
    contact.rigid_impulse = unknowns_[pair.compliant ? law + 2 : law];
    if (!pair.compliant) continue;
    contact.deflection = pair.deflection = unknowns_[law];
    contact.layer_impulse = unknowns_[law + 1];
  }
}

double QuasiRigidStepper::energy() const {
  double energy = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!bodies_[i].moves) continue;
    const QuasiRigidMotion& motion = motions_[i];
    const Vec3 spin = motion.X_WC.R.transpose() * motion.angular_velocity;
    energy += bodies_[i].mass * (motion.velocity.squaredNorm() / 2 - gravity_.dot(motion.X_WC.p)) +
              spin.dot(bodies_[i].inertia * spin) / 2;
  }
  for (const QuasiRigidPair& pair : problem_.pairs()) {
    if (pair.compliant) energy += pair.layer.stiffness * pair.deflection * pair.deflection / 2;
  }
  return energy;
}

}  // namespace carom
