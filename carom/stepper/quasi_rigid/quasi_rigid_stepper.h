#pragma once

#include <vector>

#include "carom/certificate/judge.h"
#include "carom/complementarity/mixed/mixed_ncp_solver.h"
#include "carom/contact/crossing.h"
#include "carom/stepper/constraint_projection.h"
#include "carom/stepper/free_motion.h"
#include "carom/stepper/model_size.h"
#include "carom/stepper/overlap_projection.h"
#include "carom/stepper/quasi_rigid/element_finder.h"
#include "carom/stepper/quasi_rigid/quasi_rigid_problem.h"
#include "carom/stepper/step_loads.h"
#include "carom/stepper/stepper.h"

namespace carom {

/// Steps whose contact geometry is that of their end. One mixed complementarity problem a step (QuasiRigidProblem,
/// paper QR) finds motion, closest points, layers and friction together. Steppers implicit-geometry (all contacts
/// rigid) and quasi-rigid (layers as the materials say).
///
/// A step takes the pairs that are near where it is linearised (q ⊞ h v). It also takes those that bore an impulse or a
/// deflection in the last step. If the motion found overlaps or passes through further pairs, the step is solved again
/// with them. It starts from the collision detector's points at the linearisation, the last velocity, and the impulses
/// that the state remembers. So a resumed run has the same bits. If that fails, it starts from the points at the step's
/// start, without impulses. If that fails, it is solved without friction, which is then raised by stages. If that
/// fails, the step is cut in two, `halvings` times over, or until it took 300 times `iterations`. A part that then is
/// not solved goes on with contacts that creep a little, or with as much friction as could be raised. If there is no
/// motion even without friction, it stays where it began. Then status, event and solve_residual (what is left of the
/// problem) say so.
///
/// Contacts whose impulses would give energy lose a part of them. Layers that have not been pressed in do not push back
/// (quasi_rigid_energy.cpp).
///
/// Rigid shapes, cores and limits that overlap when a step begins (a scene that starts so) are first moved apart
/// without velocity. With OverlapRemedy::push the step itself drives them apart.
///
/// Forces, dampers, springs, gyroscopic terms: FreeMotion. Constraints hold at the end of the step at position level,
/// limits and ropes likewise; rows without a position level hold at velocity level. First order in h. Impacts are
/// inelastic. Allocates.
class QuasiRigidStepper : public Stepper {
 public:
  /// Throws Error for shapes that are no convex bodies.
  QuasiRigidStepper(const Model& model, const Method& method);

  /// There is no contact problem in the form of PosedProblem.
  StepReport& advance(const Model& model, State& state, double length, const StepRequest& request) override;

 private:
  static constexpr double other_branch = 1e-6;  // of the bodies' size: closest points that are not the nearest

  void move_apart(const Model& model, State& state);
  void note_unsolved();
  void advance_by(const Model& model, State& state, double h, int halvings);
  enum class Start { warm, cold, in_stages };
  bool take(const Model& model, const State& state, double h, Start start);
  void linearise(const Model& model, const State& state, double h);
  void gather(const Model& model, const State& state, bool cold);
  bool add_element(const Model& model, const State& state, const Contact& contact, bool shared, bool cold, bool missed,
                   const std::vector<Transform>& X_WB);
  void drop_near_rim(const ContactElement& rim, const std::vector<Transform>& X_WB);
  bool add_core(const Model& model, const State& state, const Contact& contact, const std::vector<Transform>& X_WB);
  int further_deepest(const ContactId& pair) const;
  bool add_entered(const Model& model, const State& state, const std::vector<Contact>& closed);
  bool recall(const Model& model, const State& state, const Contact& contact, bool at_start, ContactElement& element);
  void insert(const ContactElement& element);
  void level_corners();
  double driven_speed(const Model& model);
  void pose(const Model& model, const State& state, bool cold);
  MixedNcp problem_of_step();
  bool solve(bool thorough);
  bool solve_by_creep();
  void solve_by_parts();
  bool solve_in_stages();
  double round_off() const;
  double tolerance() const;
  double gap_at_start(const ContactElement& element) const;
  bool drop_beside_face(const Model& model);
  bool add_missed(const Model& model, const State& state);
  void start_unknowns(bool cold);
  void finish(const Model& model, State& state, double h);
  /// True if nothing has moved yet: the scene presses in layers that overlap then.
  static bool begins(const State& state) { return state.step == 0 && state.contacts.empty(); }
  void keep_starts(State& state) const;
  void share_layers(const Model& model, const State& state);
  void take_back_gains();
  void report_elements();
  void report_overlap(const Model& model, const VectorX& q_end);
  void report_rows();
  void report_loads(const Model& model, double h, const VectorX& v_plus);
  double layer_depth(const Model& model, const ContactId& pair) const;
  void begin_evidence(const Model& model, const State& state, double h);
  void tell_rows();
  void tell_elements();
  void tell(const ConstraintRow& row, double impulse, double taken_back);
  void judge(const Model& model, const VectorX& q_end, const VectorX& v_end);
  void report_events(const Model& model, const std::vector<ContactMemory>& before,
                     const std::vector<ContactMemory>& after);
  void settle(const Model& model, const VectorX& v_plus);
  double stored(const Model& model, const ContactMemory& contact) const;
  double stored(const Model& model, const std::vector<ContactMemory>& memory) const;
  double speed_scale(const Model& model, double h) const;

  Method method_;
  ModelSize size_;
  StopSignal stop_;  // of this step
  DynamicsWorkspace begin_, middle_, end_, scratch_;
  MassOperator mass_;
  FreeMotion free_motion_;
  StepLoads loads_;
  ConstraintProjection projection_;
  OverlapProjection overlap_projection_;
  ContactFinder finder_;
  ElementFinder elements_of_;
  StepRowMaker row_maker_;
  QuasiRigidProblem problem_;
  MixedNcpSolver solver_;

  Linearisation at_;
  QuasiRigidStart start_;
  std::vector<StepRow> rows_;
  std::vector<Contact> stops_;
  std::vector<ContactElement> elements_;
  std::vector<ContactId> dropped_;  // of this try
  std::vector<Crossing> crossings_;
  Impacts impacts_;
  std::vector<ContactMemory> memory_;  // of the part of the step
  VectorX w_start_, w_end_, w_mean_, lower_, upper_, z_, q_scratch_, v_end_, controlled_, f_contact_, f_rows_,
      scratch_w_;
  std::vector<double> sizes_, row_sizes_;  // of unknowns and of their rows
  std::vector<double> yields_;             // by step row, velocity by a unit of impulse
  MixedNcpResult solved_;
  MatrixX basis_;
  double time_ = 0, speed_ = 1;
  bool all_friction_ = true;  // of a step that was solved in stages
  std::vector<int> roots_;    // of trees that move
  StepReport report_;
  Judge judge_;
  StepEvidence evidence_;                      // of the part of the step
  std::vector<StepEvidence>* told_ = nullptr;  // of this step
};

}  // namespace carom
