#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "carom/model/state.h"
#include "carom/stepper/controller.h"
#include "carom/stepper/method.h"
#include "carom/stepper/posed_problem.h"
#include "carom/stepper/push.h"
#include "carom/stepper/step_report.h"

namespace carom {

struct StepEvidence;

/// One mechanism advanced by one method from one state. The same inputs give the same bits.
class Simulation {
 public:
  /// Throws Error if the method makes no sense, or if it would ignore a restitution or a servo. Throws Error, too, if
  /// the state does not fit the model, has an energy that is not finite, or violates a constraint: assemble_constraints
  /// (assembly.h) mends that. Its sentences name other choices from `catalogue`; the method brings its own entries.
  Simulation(std::shared_ptr<const Model> model, const Method& method, State initial,
             const Catalogue& catalogue = default_catalogue());
  ~Simulation();

  /// Advances by method.step. The report is valid until the next call. On an exception, whoever threw it, state() and
  /// certificate() are those before the step. The next step then has the bits that it would have had.
  const StepReport& step();

  /// Steps until state().time is the nearest to `time` (s) that whole steps reach, and returns how many it took. It
  /// takes none if the time lies behind, or half a step ahead at most. If given, `after` sees every step's report while
  /// state() is the step's end. Throws Error if the time is not finite; on an exception the run is at the last whole
  /// step.
  std::int64_t run_until(double time, const std::function<void(const StepReport&)>& after = {});

  /// From now on, for so many seconds, a force on a body or a joint acts beside all others, over steps however they
  /// lie. The file push.h says what is refused. In the ledger it is the controller's work; like a controller it is no
  /// part of the state.
  void push(const BodyPush& push);
  void push(const JointPush& push);

  /// From now on every step copies its contact problem into `*into`, which must live as long as steps are taken; null:
  /// none does.
  void keep_problem(PosedProblem* into);

  /// From now on every step adds to `*into` what its parts tell their judge (evidence.h); null: none does. The vector
  /// must live as long as steps are taken. Steppers that are not judged by their evidence add nothing.
  void keep_evidence(std::vector<StepEvidence>* into);

  /// From now on asks it before every step (controller.h). Empty: none. Steps throw Error where it gives
  /// something that is not finite.
  void set_controller(Controller controller);

  /// From now on long steps ask it, again and again, whether to stop (stop_signal.h): step() then throws Stopped. It
  /// does not change what steps compute.
  void set_stop(std::function<bool()> asked);

  const State& state() const;
  const Model& model() const;
  const Method& method() const;
  const RunCertificate& certificate() const;  ///< of the steps taken by this object

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace carom
