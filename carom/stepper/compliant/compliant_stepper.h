#pragma once

#include <array>
#include <optional>
#include <vector>

#include "carom/certificate/judge.h"
#include "carom/dormand_prince.h"
#include "carom/stepper/compliant/compliant_contacts.h"
#include "carom/stepper/event_driven/constrained_motion.h"
#include "carom/stepper/event_driven/touch_search.h"
#include "carom/stepper/stepper.h"

namespace carom {

/// Motion with contact forces that are functions of the state, integrated through every impact with error control
/// (DormandPrince): no impact law, no complementarity.
///
///     M v̇ + c = τ + g + Jᵀ f(q, v) + Gᵀ λ,   G v̇ + Ġ v = prescribed
///
/// f: CompliantContacts. λ: constraints beside the tree, at the level of accelerations (ConstrainedMotion). Every step
/// of the integration ends with a projection of position and velocity onto them. Dry friction in joints rises with the
/// rate as that of contacts does with the slip, and so creeps instead of sticking. Contacts with a tangential spring
/// stick. Its deflection is integrated beside q and v (ContactSprings), and is what the state remembers of them. A step
/// of the integration ends where one ceases to slide.
///
/// Source: paper PLUS, section 4 (its integrator is Runge–Kutta–Merson's). A step of the integration must not jump over
/// a contact. Without contacts, a step in which something moves by more than a fiftieth of the smallest shape ends at
/// the first touch (TouchSearch). With contacts, nothing moves further than that in a step. In shorter steps a touch is
/// left to the error control, and its time is found afterwards, as that of a parting is.
///
/// The length of a step is the spacing of reports, not of the integration. The integration starts afresh at every
/// report, so a resumed run has the same bits. The error of an integration step is at most method.tolerance, relative,
/// or absolute where numbers are below 1 (m, rad, m/s, rad/s). The ledger counts what layers store as potential energy,
/// and what contacts lost as contact_work; free_motion_error is the integration's.
///
/// Cost: 7 evaluations per step of the integration. An impact takes some 100 steps. Contacts that last take as many per
/// period √(m/k) of the stiffest, however long they rest. Searches for touches allocate.
class CompliantStepper : public Stepper {
 public:
  CompliantStepper(const Model& model, const Method& method);

  /// Status iteration_limit: the budget settings.most_steps came first; inaccurate: a step could not be made short
  /// enough. The rest of the step is then skipped. There is no contact problem of a step.
  StepReport& advance(const Model& model, State& state, double length, const StepRequest& request) override;

 private:
  /// Dry friction of one coordinate of a joint.
  struct JointFriction {
    int coordinate = 0;
    double bound = 0;  // N m or N
  };
  /// One contact's force at a stage, N, or its impulse in the step, N s; world axes, of a joint limit or rope z alone.
  struct Share {
    ContactId id;
    Vec3 amount;
  };

  void set_stop(const StopSignal& stop);
  static void read(const Model& model, const double* y, VectorX& q, VectorX& v);
  void look(const Model& model, const VectorX& q, const VectorX& v);
  void recall_springs(const Model& model, const State& state);
  double add_joint_friction(const VectorX& v);
  double friction_force(const JointFriction& friction, const VectorX& v) const;
  void evaluate(const Model& model, double time, const double* y, int stage, double* rate);
  void begin_step(const Model& model);
  double try_step(const Model& model, double h);
  void step_integration(const Model& model);
  void interpolate(const Model& model, double h, double place, VectorX& q, VectorX& v);
  double way(const Model& model, double h);
  double find_length(const Model& model, double h);
  double cut_at_touch(const Model& model, double h);
  double cut_where_sliding_ends(const Model& model, double h);
  double place_of_most_slip(const Model& model, const ContactId& id, double h);
  void append_forces(std::vector<ConstraintRow>& rows, std::vector<double>& forces) const;
  void tell(int stage);
  void judge(const Model& model, double h);
  void book(double h);
  void note_changes(const Model& model, double from, double h);
  double time_of_change(const Model& model, const ContactId& id, double from, double h, bool closes);
  void add_event(const Model& model, EventKind kind, const ContactId& id, double time);
  void note_depths();
  void report_contacts(const Model& model);
  void finish(const Model& model, State& state, double kinetic, double potential);

  Method method_;
  ModelSize size_;
  std::vector<double> sizes_;  // of q and v
  CompliantContacts contacts_;
  ContactSprings springs_;
  ConstrainedMotion motion_;
  StepLoads loads_;
  TouchSearch touches_;
  DynamicsWorkspace workspace_;
  StopSignal stop_;  // of this step
  Judge judge_;
  StepEvidence evidence_;  // of a step of the integration
  std::vector<StepEvidence>* told_ = nullptr;
  DormandPrince rk_;
  StepReport report_;
  std::vector<JointFriction> frictions_;

  double time_ = 0, end_ = 0;
  double stored_ = 0;  // in contacts at the start of the integration step, J
  double guess_ = 0;   // length of the next step of the integration, s
  bool stuck_ = false;
  VectorX q_, v_, q_stage_, v_stage_, rate_q_, rate_v_, controlled_, force_;
  std::vector<double> y_, next_, weight_, between_;  // of q, v and the springs' deflections
  std::optional<ContactId> touched_;                 // where the step of the integration was ended
  std::vector<ContactId> before_;                    // of the last step of the integration
  std::vector<ContactId> closed_;                    // what has touched and not parted since, sorted
  std::vector<Share> impulses_;                      // of the step so far, sorted
  // Per stage: powers (damping, drives, contacts, constraints, joints' friction), loads and forces.
  std::vector<std::array<double, 5>> powers_;
  std::vector<double> contact_powers_;       // f·u
  std::vector<std::vector<double>> beyond_;  // distances that springs have slid, by spring
  bool slides_ = false;                      // any spring, at any stage
  std::vector<VectorX> stage_loads_;
  std::vector<std::vector<Share>> forces_;
};

}  // namespace carom
