#pragma once

#include <vector>

#include "carom/stepper/impact_handler.h"
#include "carom/stepper/time_stepper.h"

namespace carom {

/// Steps in which impacts are instants of their own (paper PLUS, section 1: detector, impact handler and contact
/// handler apart from one another).
///
/// Detector: a step is tried with nothing but persisting contact (TimeStepper, anitescu-potra, no restitution). A
/// contact that this step stops may be an impact instead. It is one if it was open when the step began, and approached
/// faster than restitution_speed and than the applied forces' approach within a step. The time of touch is found along
/// the path, and the motion goes there. Impact handler: the method's law, with all contacts within method.proximity
/// (ImpactHandler). Contact handler: the rest of the step, tried in the same way, until nothing strikes any more.
///
/// Departures from the paper: The impact is met where surfaces touch (to proximity / 100), not where they overlap, so
/// nothing is ever pushed apart again. Persisting contact is Anitescu and Potra's complementarity problem, which always
/// has a solution and is certified. PLUS without restitution would be no more than a heuristic for the same.
///
/// After most_impacts in one step (bounces that outpace it: Zeno) what still strikes is stopped by the contact handler.
/// First order in h, or second with SmoothParts::second_order. An impact costs some four solves of contacts more.
class SemiExplicitStepper : public Stepper {
 public:
  static constexpr int most_impacts = 32;

  SemiExplicitStepper(const Model& model, const Method& method);

  /// The report: sums of the parts of the step, contacts with the impulses of all parts and impacts together; struck
  /// contacts in impacts and struck. The problem is that of the last part of the step.
  StepReport& advance(const Model& model, State& state, double length, const StepRequest& request) override;

 private:
  /// A contact that strikes in the part of a step that was tried.
  struct Hit {
    ContactId id;
    double gap = 0;        ///< at the start
    double by_forces = 0;  ///< change of the approach speed within the part, m/s
  };

  const StepReport& attempt(const Model& model, const State& state, double span);
  bool find_hits(const Model& model, const State& state, const StepReport& part, double span);
  double gap_of(const Model& model, const ContactId& id, const VectorX& q, DynamicsWorkspace& workspace);
  double time_of_touch(const Model& model, const State& state, const Hit& hit, double span);
  double go_to_touch(const Model& model, State& state, double span);
  bool strike(const Model& model, State& state);
  void accept(const StepReport& part, State& state);

  Method method_;
  TimeStepper parts_;
  ImpactHandler handler_;
  MassOperator mass_;
  ContactFinder finder_;
  DynamicsWorkspace start_, scratch_;
  StopSignal stop_;                            // of this step
  PosedProblem* kept_ = nullptr;               // in this step
  std::vector<StepEvidence>* told_ = nullptr;  // in this step
  VectorX controlled_, q_scratch_;
  State trial_;
  std::vector<Hit> hits_;
  std::vector<char> strikes_;
  StepReport report_;
};

}  // namespace carom
