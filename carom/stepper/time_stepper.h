#pragma once

#include <optional>
#include <vector>

#include "carom/certificate/judge.h"
#include "carom/contact/contact_finder.h"
#include "carom/contact/crossing.h"
#include "carom/stepper/constraint_projection.h"
#include "carom/stepper/contact_step.h"
#include "carom/stepper/free_motion.h"
#include "carom/stepper/model_size.h"
#include "carom/stepper/overlap_projection.h"
#include "carom/stepper/step_loads.h"
#include "carom/stepper/stepper.h"

namespace carom {

/// Stewart and Trinkle's time stepping (2000) in its three forms, one step at a time.
///
///   M (v⁺ − v) = h k + J_nᵀ c_n + J_tᵀ β + J_sᵀ p_s,   q⁺ = q ⊞ h v⁺,   0 ≤ offset + J_n v⁺ ⊥ c_n ≥ 0,   friction by
///   eqs. (8)–(12)
///
/// Matrices at q + h v (stewart-trinkle, anitescu-potra), or at the end of the step by fixed point (section 3.4). The
/// set of constraints is section 4's: those that carried an impulse in the last step, and those violated at the
/// linearisation. Contacts that gravity can close within the step belong to it, too. After the solve, constraints that
/// the motion would violate at its end, or pass through on its way, join. The step is then solved again, until nothing
/// is missed. The set only grows within a step, so this ends. A motion may be too fast for the plane of a touch (edges,
/// its turning within the step). Shapes would then still pass through one another. It is also too fast if a body that
/// touches and is no ball turns by more than 2 rad. Then the step is taken in halves, each cut again up to 12 times;
/// what then passes is not solved.
///
/// At position level, overlap deeper than bodies fall in a step is moved apart at the end of the step, without velocity
/// (OverlapProjection). With OverlapRemedy::push the next step drives it apart. At velocity level (anitescu-potra), any
/// overlap is moved apart.
///
/// p_s: constraints, dry friction of joints and servos (StandingRows). k holds forces of drives and wrenches in the
/// middle of the step, and the controller's. Constraints beside the tree hold at velocity level within the step, at the
/// linearisation. Then position and velocity are brought back onto them by the shortest way in the kinetic metric
/// (ConstraintProjection). The assembly's kinetic energy is set to what forces and contacts left it (KineticScaling).
///
/// Stepper hybrid-dca (paper DCA, eqs. 13–15) is the first of these forms, with matrices, forces and contacts at q +
/// (h/2) v, the paper's mid-point. Bilateral rows are joined away (JoinedProblem), and redundant ones bear nothing.
///
/// First order in h. With SmoothParts::second_order the motion between impacts is of second order: matrices, forces and
/// contacts at q + (h/2) v, forces at means over the step (SmoothWeights), and positions along the mean velocity,
///
///   q⁺ = q ⊞ h ((1 − θ) v + θ v⁺),   θ = ½,   J_n v⁺ + (J_n − J_start) v ≥ −gap/h.
///
/// In a group of touching trees where a contact closes at the speed that it has at the start, θ h is the time left
/// after the first touch: bodies go along v to where surfaces meet, and along v⁺ from there. Gyroscopic terms take half
/// of what all forces change before the turn (FreeMotion). Where contacts, constraints or servos act, this is found in
/// a second solve. Terms of first order remain in friction of what rolls and is not round, and in impacts beside
/// contacts that bear a load. Allocates nothing in a step that considers no more contacts than an earlier one did; but
/// hybrid-dca.
class TimeStepper : public Stepper {
 public:
  TimeStepper(const Model& model, const Method& method);

  /// Augmentation that joints keep of a step follows the length.
  StepReport& advance(const Model& model, State& state, double length, const StepRequest& request) override;

 private:
  void set_stop(const StopSignal& stop);
  void linearise(const Model& model, const State& state);
  void gather_candidates(const Model& model, const State& state);
  void find_start_rates(const Model& model, const State& state);
  void carry(CandidateContact& crossing) const;
  void add_candidate(const CandidateContact& candidate);
  double owed_by_vanished(const State& state, const std::vector<Contact>& near, const ContactId& id) const;
  void add_passed(const Model& model, CandidateContact candidate, const std::vector<Transform>& X_WB, double time);
  bool stop_turned();
  bool add_missed(const Model& model, const State& state);
  ContactSolution solve_assembled();
  void move_to_end(const Model& model, const State& state);
  ContactSolution solve_at_linearisation(const Model& model, const State& state);
  void begin_weights(const Model& model);
  void find_free_velocity(const Model& model, const State& state);
  bool turn_with_impulses(const Model& model, const State& state);
  ContactSolution solve_linear(const Model& model, const State& state, SolveStatus status);
  ContactSolution solve(const Model& model, const State& state);

  bool is_too_fast() const;
  bool take(const Model& model, State& state, int halvings);
  void take_in_parts(const Model& model, State& state, double h, int halvings);

  /// Place where a step is linearised, as a part of the way of its start's velocity.
  double lead() const { return method_.stepper->joins_constraints || weights_ ? 0.5 : 1; }
  /// True if the tree of a coordinate has an impact in this step of second order.
  bool is_struck(const Model& model, int coordinate) const {
    return impacts_.end_weight[static_cast<std::size_t>(model.coordinate_body(coordinate))] != smooth_weight;
  }
  double owed_rebound(const CandidateContact& candidate, const ContactReport& report) const;
  void report_contacts(const Model& model, const ContactSolution& solution);
  void report_events(const Model& model, const State& state);
  void judge(const Model& model, const State& state);
  void report_joints(const Model& model);
  void report_loads(const Model& model);
  void keep_velocity(const Model& model);
  void keep_to_constraints(const Model& model);
  const std::vector<Contact>& measure_overlap(const Model& model);
  bool moves_apart(const Model& model) const;
  void report_end(const Model& model);

  Method method_;
  ModelSize size_;
  StopSignal stop_;  // of this step
  DynamicsWorkspace start_, middle_, end_, scratch_;
  MassOperator mass_;
  std::optional<SmoothWeights> weights_;  // of second order
  FreeMotion free_motion_;
  ContactFinder finder_;
  ContactStep contact_step_;
  OverlapProjection projection_;
  ConstraintProjection constraint_projection_;
  StepLoads loads_;
  std::vector<char> round_;  // per body: whether all its shapes are balls
  Impacts impacts_;          // of this step
  VectorX kick_, last_kick_;
  Linearisation at_;
  std::vector<CandidateContact> candidates_;
  std::vector<Crossing> crossings_;
  VectorX reach_start_;     // the reach in the coordinates at the step's start
  VectorX free_velocity_;   // v_f in the coordinates at the linearisation
  VectorX velocity_;        // v⁺ in the coordinates at the linearisation
  VectorX velocity_start_;  // the same in the coordinates at the step's start
  VectorX path_;            // mean velocity along which positions move, in the coordinates at the step's start
  VectorX q_end_, v_end_;   // end of the step
  VectorX controlled_;      // force of the controller in this step
  VectorX q_scratch_, difference_;
  std::vector<Contact> missed_;
  std::vector<ContactMemory> carrying_;  // contacts with an impulse in this step, by id
  StepReport report_;
  StepReport whole_;              // of a step that was taken in parts
  PosedProblem* kept_ = nullptr;  // in this step
  Judge judge_;
  StepEvidence evidence_;
  VectorX q_moved_;                            // q ⊞ h v⁺, before anything is moved back
  std::vector<StepEvidence>* told_ = nullptr;  // in this step
};

}  // namespace carom
