#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "carom/study/method_choice.h"
#include "carom/study/run_difference.h"
#include "carom/study/sampled_run.h"

namespace carom {

/// One run on the way to a step that is short enough.
struct StepTrial {
  double accuracy = 0;  ///< the step, s; of a method with error control its tolerance
  double change = std::numeric_limits<double>::quiet_NaN();  ///< largest distance from the trial before, m
  double seconds = 0;                                        ///< wall clock
};

/// Limits of refinement.
struct Refinement {
  double tolerance = 0;             ///< m: the motion is to change by no more when the step is halved
  double budget = 10;               ///< seconds of wall clock for all trials of a method
  int most_halvings = 10;           ///< of the scene's step
  std::string record;               ///< path of a record of the last trial; empty for none
  std::function<bool()> stop = {};  ///< polled; if true, the run throws Stopped
};

/// A method's run with a step that its own change under halving has shown to be short enough, or the best that the
/// budget allowed.
struct RefinedRun {
  MethodChoice choice;
  SampledRun run;             ///< of the last trial
  std::vector<double> error;  ///< estimate for it at each sample, m: how far the trial before was off at most until
                              ///< then. An upper one for a method of first order or higher, once it converges
  std::vector<StepTrial> trials;
  bool settled = false;   ///< the last change is within the tolerance
  double scene_step = 0;  ///< the scene's own, s
  /// Largest distance of the motion with the scene's own step from that of the last trial, m. NaN where it is not
  /// known, and of a method with error control, whose step is no more than an interval of reports.
  double scene_step_error = std::numeric_limits<double>::quiet_NaN();
  std::string record;                 ///< its path; empty for none
  std::vector<std::string> warnings;  ///< of the scene with this method, a sentence each
};

/// Largest estimate of its error, m; infinite if there is none.
double largest_error(const RefinedRun& refined);

/// Halves the scene's step, or the part of it that makes 400 steps in the run, until the motion changes by less than
/// the tolerance. A method with error control runs twice instead: with a hundred times its tolerance and with its own.
/// A trial that would outlast the budget is not begun. One that outlasts it all the same, or fails, counts only if it
/// is the first. Throws SceneError and Error as scene_with and Simulation do.
RefinedRun refine_run(const SceneSource& source, const MethodChoice& choice, const Refinement& refinement);

}  // namespace carom
