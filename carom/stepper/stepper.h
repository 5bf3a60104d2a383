#pragma once

#include <utility>
#include <vector>

#include "carom/certificate/evidence.h"
#include "carom/model/model.h"
#include "carom/model/state.h"
#include "carom/stepper/posed_problem.h"
#include "carom/stepper/step_report.h"
#include "carom/stop_signal.h"

namespace carom {

/// The request for one step, beside its length. A view: it need live no longer than the call.
struct StepRequest {
  const VectorX& force;             ///< of the controller, over the whole step, nv entries; N m or N
  const StopSignal& stop;           ///< asked again and again; the step then leaves by Stopped
  PosedProblem* problem = nullptr;  ///< where the contact problem is copied to, which allocates; null: nowhere. A
                                    ///< stepper that poses none empties it
  std::vector<StepEvidence>* evidence = nullptr;  ///< where what every part tells its judge is added, which allocates
};

/// One way to advance a mechanism in time. Everything that a step depends on is in its arguments and in what the
/// stepper was made with; members are memory to work in. So equal arguments give equal bits, whatever was asked for
/// before, and however that ended.
class Stepper {
 public:
  Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  virtual ~Stepper() = default;

  /// Advances the state by `length`, s, and its step number by one. The model is the one that the stepper was made for.
  /// The report is valid until the next call; Simulation adds the pushes to it. On an exception the state is part of
  /// the way: Simulation keeps the one before.
  virtual StepReport& advance(const Model& model, State& state, double length, const StepRequest& request) = 0;
};

/// Calls f where its scope is left, by whatever way.
template <class F>
class OnLeaving {
 public:
  explicit OnLeaving(F f) : f_(std::move(f)) {}
  OnLeaving(const OnLeaving&) = delete;
  OnLeaving& operator=(const OnLeaving&) = delete;
  ~OnLeaving() { f_(); }

 private:
  F f_;
};

}  // namespace carom
