#pragma once

#include <vector>

#include "carom/certificate/judge.h"
#include "carom/stepper/event_driven/touch_search.h"
#include "carom/stepper/impact_handler.h"
#include "carom/stepper/stepper.h"
#include "carom/stepper/variational/variational_part.h"

namespace carom {

/// The variational integrator of paper PROP (section VI) with impacts inside its steps.
///
/// Between impacts VariationalPart advances the discrete momentum, which is the state's velocity: v = M(q)⁻¹ p. So
/// nothing has to be remembered between steps, and a run may begin and go on anywhere. An impact inside a step: the
/// time t_i and the configuration q_i are found with
///
///   p⁻(q_k, q_i; t_i − t_k) = p⁺_k   and   gap(q_i) = 0,
///
/// the method's law (ImpactHandler, with all contacts within method.proximity) changes the discrete momentum at q_i.
/// The motion goes on from there for the rest of the step, eq. (30). A law that keeps ½ pᵀ M⁻¹ p keeps the energy
/// exactly.
///
/// Zeno: A contact persists if it opens so slowly that the applied forces close it again within one step.
/// VariationalPart then lets it open but meets it without restitution. A contact whose strikes have become a hundred
/// times slower within the step persists, too. An impact is plastic if, even without losses, it would open the contact
/// no faster than that. So is one slower than restitution_speed, and whatever strikes after most_impacts in one step.
///
/// A step whose equations are not solved, which is too long for its motion, is halved until they are (counted in the
/// report's resolves).
///
/// Second order in h in smooth motion and through impacts that do not accumulate. Momenta of symmetries are kept to
/// round-off. The energy of a conservative motion has no drift.
class VariationalStepper : public Stepper {
 public:
  static constexpr int most_impacts = 32;

  VariationalStepper(const Model& model, const Method& method);

  /// The report: sums of the parts of the step, contacts with the impulses of all parts and impacts together. Its
  /// fixed_point_iterations: residuals evaluated in the part that took most, with its searches for touches. The problem
  /// is the last part's at the step's end.
  StepReport& advance(const Model& model, State& state, double length, const StepRequest& request) override;

 private:
  void set_stop(const StopSignal& stop);
  bool strike_what_approaches(const Model& model);
  bool flies(const Model& model, const Contact& contact, double speed);
  void strike(const Model& model, ImpactHandler& handler, const std::vector<ContactId>& approaching);
  void begin_part(const Model& model);
  void begin_attempts(const Model& model);
  bool keep_closed(const Model& model, const ContactId& id);
  double time_of_touch(const Model& model, const Touch& touch, double span);
  double take_part(const Model& model, double span);
  double follow_contacts(const Model& model, double span);
  void finish_part(const Model& model);
  void judge_part(const Model& model);
  void note_modes(const Model& model);
  void finish(const Model& model, State& state);

  Method method_;
  ModelSize size_;
  ImpactHandler law_, plastic_;
  VariationalPart part_;
  TouchSearch touches_;
  ContactFinder finder_;
  MassOperator mass_;
  SmoothForces forces_;
  DynamicsWorkspace workspace_, scratch_;
  StepReport report_;
  Judge judge_;
  StepEvidence evidence_;
  std::vector<StepEvidence>* told_ = nullptr;  // of this step
  StopSignal stop_;                            // of this step

  double time_ = 0;
  double slack_ = 0;  // approach that the impacts of this instant may have left, m/s
  int parts_ = 0;
  int jumps_ = 0;                   // of contacts, in this step
  double passing_ = 0;              // length of the next part, in which a contact jumps, s
  bool has_accelerations_ = false;  // vdot_ and scratch_ hold the free accelerations at q_
  VectorX q_, v_, q_touch_, v_touch_, tau_, vdot_, controlled_;
  std::vector<Contact> closed_;        // contacts that touch and do not separate
  std::vector<ContactId> persisting_;  // their ids
  std::vector<ContactMemory> memory_, modes_;
};

}  // namespace carom
