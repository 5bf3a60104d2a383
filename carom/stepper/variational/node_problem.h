#pragma once

#include <algorithm>
#include <vector>

#include "carom/certificate/evidence.h"
#include "carom/complementarity/contact_solver.h"
#include "carom/complementarity/island_certificate.h"
#include "carom/contact/contact_finder.h"
#include "carom/dynamics/constraint_equations.h"
#include "carom/stepper/constraint_multipliers.h"
#include "carom/stepper/load_sharing.h"
#include "carom/stepper/mass_operator.h"
#include "carom/stepper/model_size.h"
#include "carom/stepper/posed_problem.h"
#include "carom/stepper/step_loads.h"

namespace carom {

/// Energy that the impulses of one node gave, J.
struct NodeWork {
  double whole = 0;  ///< Σ ½ (u⁺ + u)ᵀ p of everything, u before all of them: what they changed of the kinetic energy
  double contacts = 0;  ///< the share of the contacts in this sum
  // The next two and the certificate's contact_work with u the velocity before their own impulses but after all others.
  double constraints = 0;  ///< against the rates prescribed
  double friction = 0;     ///< of dry friction in joints
  double prescribed = 0;   ///< rate times impulse of prescribed motions
};

/// Impulses of the model's constraints, of dry friction in joints and of persistent contacts at one end of a
/// variational step, at this node's configuration,
///
///   p⁺ = p + Jᵀ λ,   u⁺ = J (velocity)
///
///   Constraint      bilateral   u⁺ + offset = 0.
///   Joint friction  bounded     |λ| ≤ (h/2) friction, against the rate.
///   Contact         cone        0 ≤ u_n⁺ + offset ⊥ λ_n ≥ 0. Friction by maximal dissipation (paper PROP, section
///                               VII-B, where it is found by derivative-free search).
///
/// The offsets are the caller's. At a step's start they make the motion end on the constraints. At its end they are
/// zero, or prescribed rates. Rows in that order.
class NodeProblem {
 public:
  NodeProblem(const Model& model, const Method& method);

  /// Asked in every iteration of a solve, which then throws Stopped; it has to live as long.
  void set_stop(const StopSignal* stop) { options_.stop = stop; }

  /// Builds J and A of these contacts at q. The mass is factored there; the workspace holds forward_kinematics. The
  /// impulses act for the part `duration` of the step, s. The velocity v of the bodies says what slides; `memory` is
  /// that of the last step's contacts.
  void pose(const Model& model, double time, const VectorX& q, const VectorX& v, double duration,
            const std::vector<Contact>& contacts, const std::vector<ContactMemory>& memory,
            DynamicsWorkspace& workspace, MassOperator& mass);

  int rows() const { return static_cast<int>(rows_.size()); }
  int constraint_rows() const { return constraints_; }
  /// Adds the impulses of constraints and of dry friction; X_WB: bodies at this node.
  void add_loads(const Model& model, const StepLoads& loads, const std::vector<Transform>& X_WB,
                 VectorX& impulses) const {
    loads.add_standing_rows(model, rows_, {impulse_.data(), rows_.size()}, static_cast<std::size_t>(standing_), X_WB,
                            impulses);
  }
  bool is_positional(int constraint_row) const { return positional_[constraint_row] != 0; }
  double error(int constraint_row) const { return equations_.errors[constraint_row]; }
  const ConstraintRow& row(int i) const { return rows_[static_cast<std::size_t>(i)]; }
  /// Largest speed of a row before the node or in the problem solved last, m/s; of a row that is an angle's that of the
  /// model's extent.
  double fastest() const { return std::max(largest_speed(u_), largest_speed(free_)); }
  double rate(int constraint_row) const { return equations_.rates[constraint_row]; }
  /// To be set by the caller after pose; zero there, but for constraints −rate.
  double& offset(int constraint_row) { return blocks_[constraint_row].offset; }
  Block& contact_block(std::size_t contact) { return blocks_[standing_ + contact]; }

  /// Solves for the impulses, with u before them. Begins from the impulses before if `warm`. Offsets of redundant
  /// constraints are made to agree first.
  [[nodiscard]] ContactSolution solve(const MassOperator& mass, const VectorX& u, bool warm);
  /// Shares the load of faces; after the last solve.
  void share_faces();

  const VectorX& impulse() const { return impulse_; }
  const VectorX& velocity() const { return velocity_; }   ///< u⁺
  const VectorX& free_velocity() const { return free_; }  ///< u
  Vec3 contact_impulse(std::size_t contact) const { return of_contact(contact, impulse_); }
  Vec3 contact_velocity(std::size_t contact) const { return of_contact(contact, velocity_); }
  double free_normal(std::size_t contact) const { return free_[blocks_[standing_ + contact].normal_row()]; }
  /// u_before: velocities of the rows before the node's impulses and all else that the problem's u holds.
  NodeWork work(const MassOperator& mass, const VectorX& u_before) const;
  SolveCertificate certificate(const MassOperator& mass);
  /// Rows, conditions and impulses as their judge wants them.
  void tell(RowEvidence& evidence) const;
  void copy_problem(const MassOperator& mass, PosedProblem& copy) const;

 private:
  struct Friction {
    int coordinate;
    double bound;
  };
  Vec3 of_contact(std::size_t contact, const VectorX& rows) const;
  double own_work(const MassOperator& mass, int first, int count) const;
  void agree(const MassOperator& mass);
  double in_row(int i) const;
  double largest_speed(const VectorX& velocities) const;

  ContactOptions options_;
  ModelSize size_;
  int constraints_ = 0, standing_ = 0;
  std::vector<char> positional_;
  std::vector<Friction> frictions_;
  ConstraintEquations equations_;
  std::vector<ConstraintRow> rows_;
  std::vector<Block> blocks_;
  std::vector<ContactId> ids_;
  std::vector<SharedContact> pair_;
  VectorX u_, free_, impulse_, velocity_, demand_, multiplier_;
  ContactSolution solution_;
  ContactSolver solver_;
  ConstraintMultipliers multipliers_;
  LoadSharing sharing_;
  IslandCertifier certifier_;
};

}  // namespace carom
