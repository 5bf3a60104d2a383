#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "carom/study/fitted_order.h"
#include "carom/study/method_choice.h"
#include "carom/study/run_difference.h"

namespace carom {

// Dependence of the motion on the step. With runs of steps h₁ > h₂ > … and d(·, ·) the largest distance of two runs
// (run_difference.h) over the instants that all share,
//
//     change   c_k = d(h_k, h_{k+1}),           order  p_k of c_k and c_{k+1} (order_of_changes)
//     error    e_k = d(h_k, reference),         order  q_k = log(e_k / e_{k+1}) / log(h_k / h_{k+1})
//
// and, if changes fall at order p, Richardson's estimate of the finest run's error, c / (r^p − 1). It uses the last
// change c and the ratio r = h_k / h_{k+1}. The order p is the slower of that of all changes and the last one seen. The
// estimate needs no reference. The reference is a motion by the same law that was integrated with error control between
// located events. A time-stepping method may approach it or not: if it takes contacts for what they are not, e_k stays
// while c_k falls.
//
// Work against precision: a run's work is the number of steps and parts of steps that it tries. Its precision is the
// distance from the method's own run with the smallest step, and for that run itself Richardson's estimate. Runs with
// steps of one length are shown beside runs that choose their steps by an accuracy (step_doubling.h).

/// One run of a method.
struct StepRun {
  double step = 0;  ///< s
  std::int64_t steps = 0;
  double seconds = 0;  ///< of computing
  // NaN for none: of the last run, or without a reference.
  double change = std::numeric_limits<double>::quiet_NaN();  ///< c_k, m
  double change_order = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::quiet_NaN();  ///< e_k, m
  double error_order = std::numeric_limits<double>::quiet_NaN();
  double end_error = std::numeric_limits<double>::quiet_NaN();  ///< distance from the reference at the end, m
  double own_error = std::numeric_limits<double>::quiet_NaN();  ///< distance from the last run; of that its estimate, m
  std::int64_t trials = 0;                                      ///< steps
  std::int64_t unsolved_steps = 0;
};

/// One run of a method that chose its steps by an accuracy.
struct AccuracyRun {
  double accuracy = 0;  ///< asked: error of a step as a part of the way that bodies go in it
  double own_error = std::numeric_limits<double>::quiet_NaN();  ///< distance from the last run with fixed steps, m
  double error = std::numeric_limits<double>::quiet_NaN();      ///< from the reference, m
  std::int64_t parts = 0;                                       ///< that the steps were taken in
  std::int64_t trials = 0;  ///< of parts of steps, those that were too long included
  double seconds = 0;       ///< of computing
  std::int64_t unsolved_steps = 0;
};

/// A method's runs, from the largest step, and from the largest accuracy.
struct MethodConvergence {
  MethodChoice choice;
  std::vector<StepRun> runs;
  std::vector<AccuracyRun> accuracy_runs;
  double order = std::numeric_limits<double>::quiet_NaN();     ///< of all changes
  double estimate = std::numeric_limits<double>::quiet_NaN();  ///< Richardson's, for the last run, m; NaN where no
                                                               ///< order of at least a half is seen
  std::string reference;  ///< name of the method that it is compared with; empty for none
  std::string trouble;    ///< why runs are missing, a sentence; empty for none
};

struct ConvergenceOptions {
  std::vector<MethodChoice> methods;  ///< empty for the scene's own
  std::vector<double> steps;          ///< s; empty for the scene's, halved `halvings` times
  int halvings = 6;
  std::vector<double> accuracies{1e-2, 1e-3, 1e-4};  ///< that runs choose their steps by; empty for none
  double budget = 10;  ///< seconds of computing for each method, beyond which no further run begins
  std::function<void(const std::string&, double)> progress;
  std::function<bool()> stop;  ///< polled; if true, the study throws Stopped
};

struct Convergence {
  Scene scene;
  std::vector<MethodConvergence> methods;
};

/// Throws SceneError and Error for a scene or a method with faults, and for steps that make no sense or share too few
/// instants. Also throws for accuracies outside 1e-8 to 0.1, and for a method with error control, whose motion does not
/// depend on its step.
Convergence converge(const SceneSource& source, const ConvergenceOptions& options);

/// The figures of a method in words, a sentence or two.
std::string convergence_words(const MethodConvergence& method);
/// Words and tables, for a terminal; and the JSON object of `carom converge --json`.
std::string convergence_text(const Convergence& convergence);
std::string convergence_json(const Convergence& convergence);
/// Writes one self-contained page: words, tables, work against precision, error against step. Throws Error if the file
/// can't be written.
void write_convergence_page(const Convergence& convergence, const std::string& path);

}  // namespace carom
