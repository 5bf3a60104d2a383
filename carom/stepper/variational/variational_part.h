#pragma once

#include <vector>

#include "carom/complementarity/linear/secant_steps.h"
#include "carom/contact/contact_finder.h"
#include "carom/stepper/model_size.h"
#include "carom/stepper/step_report.h"
#include "carom/stepper/variational/discrete_motion.h"
#include "carom/stepper/variational/node_problem.h"
#include "carom/stepper/variational/tree_groups.h"
#include "carom/stop_signal.h"

namespace carom {

/// One step of the discrete Euler–Lagrange equations with constraints and contacts that persist, without impacts:
///
///   p⁻(w) = p₀ + J(q₀)ᵀ λ₀,   g(q₁, t₁) = 0,   0 ≤ gap(q₁) ⊥ λ₀ₙ ≥ 0, friction against J(q₀) w
///   p₁ = p⁺ + J(q₁)ᵀ λ₁,      J(q₁) v₁ = rates, 0 ≤ (J v₁)ₙ ⊥ λ₁ₙ ≥ 0, friction against J(q₁) v₁
///
/// and v = M⁻¹ p at both ends, so that the state's velocity is the discrete momentum. Half of an impulse acts at either
/// end of the step, as in RATTLE (Andersen 1983; Marsden and West 2001, section 3.5). So constraints hold in positions
/// and in velocities, and the map is symmetric and of second order. A sliding contact's friction is that of the mean of
/// both ends. An overlap at q₀ beyond round-off is kept, not pushed out.
///
/// Quasi-Newton steps, sped up by SecantSteps, solve it: `w ← w − M₀⁻¹ (p⁻(w) − p₀ − J₀ᵀ λ₀)`, with λ₀ from the cone
/// problem linearised at w. They are "impulse-based" (Lee et al. 2016): residual and update are recursions over the
/// tree. M₀ is taken at q₀ and holds joints' dampers and springs as far as the midpoint rule feels them. Linear in the
/// number of bodies, but for what the solver of the contacts takes.
class VariationalPart {
 public:
  VariationalPart(const Model& model, const Method& method);

  /// A start. contacts: those that persist, at q. All are copied.
  void begin(const Model& model, double time, const VectorX& q, const VectorX& v, const std::vector<Contact>& contacts,
             const std::vector<ContactMemory>& memory, const VectorX& controlled);
  /// Gaps up to it count as closed, m or rad.
  double touching() const { return touching_; }
  /// Demands of contacts on the motion.
  enum class Meeting {
    at_the_end,    ///< that it ends where they are closed, without approach
    by_rates,      ///< at its start that it does not approach, and the same at its end: cannot push, may overlap
    at_the_start,  ///< the first of these alone: for a part so short that no force does anything in it
  };
  void set_stop(const StopSignal& stop) {
    stop_ = stop;
    start_node_.set_stop(&stop_);
    end_node_.set_stop(&stop_);
  }
  /// A step of this length from there. False if the quasi-Newton steps did not arrive: it is too long for the motion.
  [[nodiscard]] bool attempt(const Model& model, double span, Meeting meeting = Meeting::at_the_end);

  // Outcome of the last attempt.
  /// True if the gaps of the contacts changed as their rates at both ends say, to first order of what the surfaces'
  /// curvature makes. The impulses must also have given no energy beyond what turning a motion along a surface borrows.
  /// Else the step is too long for their motion, or a contact point has jumped to another place of the surfaces. One
  /// jumps, say, where an edge comes to lie on another.
  bool is_followed() const { return followed_; }
  const VectorX& q_end() const { return q_end_; }
  const VectorX& v_end() const { return v_end_; }
  /// q at a part x of the way (0 to 1) and its rate, to second order: where to look for touches.
  void between(const Model& model, double x, VectorX& q, VectorX& v) const;
  /// The part as its judge wants it, but for the cone's generators.
  void tell(StepEvidence& evidence) const;
  /// Adds what it did to a step's report, but for what a judge says; contacts that carried an impulse go to `memory`.
  void report(const Model& model, std::vector<ContactMemory>& memory, StepReport& report);
  /// The contact problem at its end.
  void copy_problem(PosedProblem& copy) const { end_node_.copy_problem(end_mass_, copy); }

  /// Residuals evaluated, and solves with M₀, in all attempts since the last call of report.
  int evaluations() const { return evaluations_; }

 private:
  void start_node(const Model& model, double span);
  bool follows(const Model& model);
  bool gives(const Model& model, const NodeWork& start, const NodeWork& end);
  double position_round_off(const Model& model, double span) const;
  void solve_start(const Model& model, double span);
  bool apply(const Model& model, double span, bool warm);
  double work_at_start(const Model& model);
  void set_offsets(const Model& model, double span);
  void note_slip();
  void end_node(const Model& model);
  bool hand_on(const Model& model);
  void report_contact(std::size_t i, std::vector<ContactMemory>& memory, StepReport& report);

  StopSignal stop_;
  ModelSize size_of_model_;
  MassOperator start_mass_, end_mass_;
  DiscreteMotion motion_;
  StepLoads loads_;
  SecantSteps secant_;
  NodeProblem start_node_, end_node_;
  ContactFinder finder_;
  DynamicsWorkspace start_, end_;
  ConstraintEquations equations_;
  std::vector<Contact> contacts_, closing_;
  std::vector<char> at_end_;  // by contact: whether it is closed at the end
  std::vector<ContactMemory> memory_;
  std::vector<ContactMemory> over_step_;  // which of contacts_ slid in the step
  double time_ = 0, span_ = 0, kinetic_start_ = 0, potential_start_ = 0;
  TreeGroups groups_;
  // By group, kinetic norm: momentum at the start, what forces give, size of the motion, what it lacks.
  VectorX momentum_, given_, size_, error_;
  double step_ = 0, touching_ = 0, drift_ = 0;
  int evaluations_ = 0;
  Meeting meeting_ = Meeting::at_the_end;
  bool arrived_ = false, followed_ = true;
  SolveStatus status_ = SolveStatus::solved;
  ContactSolution contact_solution_;
  VectorX q_, v_, p_, controlled_, damping_, stiffness_, augmentation_, no_augmentation_;
  VectorX w_, F_, MF_, r_, free_, u_free_, u_start_, u_w_, p_start_, q_end_, v_end_, p_end_, u_end_, v_scratch_;
};

}  // namespace carom
