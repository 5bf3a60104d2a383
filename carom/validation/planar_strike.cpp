#include "carom/validation/planar_strike.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "carom/error.h"
#include "carom/stepper/impact_handler.h"
#include "carom/validation/plane_pose.h"

namespace carom {
namespace {

constexpr std::size_t share = 64;  // impacts that one PlanarStrike takes in a row

/// A contact of the body with the world at the origin, the normal up.
Contact contact_at_origin(const Model& model) {
  Contact contact;
  contact.id = {0, 1, 0};
  contact.body_a = 0;
  contact.surface = model.contact_material(model.colliders().front().material, model.colliders().back().material);
  return contact;
}

}  // namespace

PlanarStrike::PlanarStrike(const Scene& scene) : file_(scene.file), impact_(scene.model) {
  const Model& model = *scene.model;
  if (!moves_in_xz_plane(model) || model.colliders().size() < 2) {
    throw Error(file_ +
                ": a scene of planar impacts must have one body, on a joint {type: planar, plane: xz} between its mass "
                "centre and the world, and a floor");
  }
  const Method& method = scene.method;
  contacts_ = {contact_at_origin(model)};
  restitution_ = contacts_.front().surface.restitution;
  for (const Collider& collider : model.colliders()) {
    if (collider.body < 0) floor_ = collider;
    if (collider.body >= 0 && collider.restitution_change) {
      throw Error(file_ + ": shape '" + collider.name +
                  "' has a restitution_change; planar impacts read that of the floor alone");
    }
  }
  if (method.stepper == StepperKind::compliant) {
    compliant_options_.dissipation = contacts_.front().surface.dissipation;
    compliant_options_.transition_speed = method.compliant.transition_speed;
    compliant_options_.viscous_friction = contacts_.front().surface.viscous_friction;
    compliant_options_.accuracy = method.tolerance;
  } else {
    law_.emplace(method.law, law_options(method));
  }
  q_ = VectorX::Zero(3);
  v_ = VectorX::Zero(3);
}

void PlanarStrike::solve(const ImpactProblem& problem) {
  p_.resize(problem.u.size());
  u_.resize(problem.u.size());
  status_ = law_ ? law_->solve(problem, p_, u_).status : compliant_.solve(problem, compliant_options_, p_, u_).status;
  keep_worst(certify_impact(problem, p_, u_), certificate_);
}

Vec3 PlanarStrike::after(const PlanarImpact& impact) {
  // The contact stays at the origin, so the mass centre is what is placed.
  q_ << -impact.contact[0], -impact.contact[1], 0;
  if (floor_.restitution_change) {
    // The restitution depends on the place on the floor, though.
    const Vec3 place(impact.pose[0] + impact.contact[0], 0, 0);
    contacts_.front().surface.restitution =
        restitution_.changed_by(floor_.restitution_change->at(floor_.X_BS.inverse() * place));
  }
  v_ = impact.before;
  impact_.pose(q_, v_, contacts_);
  if (impact_.u()[impact_.u().size() - 1] >= 0) return impact.before;
  solve(impact_.problem());
  if (status_ != ImpactStatus::resolved) {
    throw Error(fmt::format("{}: the law did not resolve the impact of record or drop {}", file_, impact.number));
  }
  impact_.add_response(p_, v_);
  return v_;
}

PlanarStrikes strike_all(const Scene& scene, const std::vector<PlanarImpact>& impacts) {
  PlanarStrikes strikes;
  strikes.after.resize(impacts.size());
  std::vector<ImpactCertificate> certificates((impacts.size() + share - 1) / share);
  tbb::parallel_for(std::size_t{0}, certificates.size(), [&](std::size_t part) {
    PlanarStrike strike(scene);
    for (std::size_t i = part * share; i < std::min(impacts.size(), (part + 1) * share); ++i) {
      strikes.after[i] = strike.after(impacts[i]);
    }
    certificates[part] = strike.certificate();
  });
  for (const ImpactCertificate& certificate : certificates) keep_worst(certificate, strikes.certificate);
  return strikes;
}

}  // namespace carom
