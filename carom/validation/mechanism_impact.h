#pragma once

#include <memory>
#include <vector>

#include "carom/contact/contact_finder.h"
#include "carom/dynamics/delassus.h"
#include "carom/impact/impact_problem.h"

namespace carom {

/// The impact of a mechanism at its present position and velocity: its touching contacts as the impact laws see them. A
/// = J M⁻¹ Jᵀ and u = J v. Contacts without friction have their normal row alone. Constraints beside the tree have no
/// rows in it.
///
/// Keeps its buffers: no allocation for counts of contacts seen before.
class MechanismImpact {
 public:
  explicit MechanismImpact(std::shared_ptr<const Model> model);

  /// All contacts with gap ≤ margin (m) at q, and their velocities at v. Friction, restitution and Hertz' stiffness are
  /// the model's; the stiffness of what has no modulus is 1.
  void find(const VectorX& q, const VectorX& v, double margin);
  /// The same of contacts that are given, which must last as long as the problem is looked at.
  void pose(const VectorX& q, const VectorX& v, const std::vector<Contact>& contacts);
  /// One surface for all contacts.
  void set_surface(const ImpactSurface& surface);

  /// Views this object, until it is changed.
  ImpactProblem problem() const { return {delassus_.matrix(), u_, blocks_, surfaces_}; }
  int contact_count() const { return static_cast<int>(contacts_->size()); }
  const Contact& contact(int i) const { return (*contacts_)[i]; }
  const Block& block(int i) const { return blocks_[i]; }
  Eigen::Map<const MatrixX> A() const { return delassus_.matrix(); }
  const VectorX& u() const { return u_; }
  /// f += Jᵀ p.
  void add_force(const Eigen::Ref<const VectorX>& p, Eigen::Ref<VectorX> f) const { delassus_.add_transposed(p, f); }
  /// v += M⁻¹ Jᵀ p.
  void add_response(const Eigen::Ref<const VectorX>& p, VectorX& v) { delassus_.add_response(p, v); }
  const Model& model() const { return *model_; }

 private:
  void place(const VectorX& q);
  void gather(const VectorX& v);

  std::shared_ptr<const Model> model_;
  ContactFinder finder_;
  DynamicsWorkspace workspace_;
  Delassus delassus_;
  VectorX no_extra_, u_;
  const std::vector<Contact>* contacts_ = nullptr;
  std::vector<ConstraintRow> rows_;
  std::vector<Block> blocks_;
  std::vector<ImpactSurface> surfaces_;
};

/// K of Hertz' law f = K z^(3/2): 4/3 √R E, N/m^(3/2) (paper PLUS, eq. 4.1). R is the radius of the relative curvature
/// (m), E the effective plane strain modulus (Pa).
double hertz_stiffness(double radius, double modulus);

}  // namespace carom
