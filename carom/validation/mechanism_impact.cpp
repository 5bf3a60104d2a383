#include "carom/validation/mechanism_impact.h"

#include <algorithm>
#include <cmath>

#include "carom/contact/hertz.h"
#include "carom/dynamics/recursions.h"

namespace carom {

MechanismImpact::MechanismImpact(std::shared_ptr<const Model> model)
    : model_(std::move(model)), finder_(*model_), workspace_(*model_) {}

void MechanismImpact::place(const VectorX& q) {
  forward_kinematics(*model_, q, workspace_);
  factor_mass(*model_, no_extra_, workspace_);
}

void MechanismImpact::find(const VectorX& q, const VectorX& v, double margin) {
  place(q);
  contacts_ = &finder_.find(*model_, q, workspace_.X_WB, margin);
  gather(v);
}

void MechanismImpact::pose(const VectorX& q, const VectorX& v, const std::vector<Contact>& contacts) {
  place(q);
  contacts_ = &contacts;
  gather(v);
}

void MechanismImpact::gather(const VectorX& v) {
  rows_.clear();
  blocks_.clear();
  surfaces_.clear();
  for (const Contact& contact : *contacts_) {
    Block block;
    block.row = static_cast<int>(rows_.size());
    block.kind = contact.kind();
    append_rows(contact, rows_);
    const bool slides_freely =
        contact.surface.impact_friction_slope == 0 && contact.surface.friction_of_impact(0).isZero(0);
    if (block.kind == BlockKind::cone && slides_freely) {
      rows_[block.row] = rows_.back();  // the normal
      rows_.resize(block.row + 1);
      block.kind = BlockKind::unilateral;
    }
    blocks_.push_back(block);
    ImpactSurface surface;
    surface.restitution = contact.surface.restitution;
    surface.tangential_spring = contact.surface.tangential_spring;
    const double stiffness = hertz_stiffness(contact);
    if (stiffness > 0) surface.stiffness = stiffness;
    surfaces_.push_back(surface);
  }
  delassus_.build(*model_, rows_, workspace_);
  u_.resize(static_cast<Eigen::Index>(rows_.size()));
  delassus_.apply(v, u_);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    Block& block = blocks_[i];
    const double approach = std::max(0.0, -u_[block.normal_row()]);
    if (block.kind == BlockKind::cone) block.friction = (*contacts_)[i].surface.friction_of_impact(approach);
  }
}

void MechanismImpact::set_surface(const ImpactSurface& surface) {
  for (ImpactSurface& each : surfaces_) each = surface;
}

double hertz_stiffness(double radius, double modulus) { return 4.0 / 3 * std::sqrt(radius) * modulus; }

}  // namespace carom
