#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carom/record/record.h"
#include "carom/study/method_choice.h"

// Verdicts on accuracy beside the truth. A scene's truth is the event-driven motion by the same law, if the limit of
// the scene's own method for halved steps agrees with it. Otherwise the finer of the method's own runs is the truth.
namespace carom {

/// One run, judged, and what its error is.
struct AccuracyTrial {
  std::string scene;  ///< its name
  double step = 0;    ///< s
  double asked = 0;   ///< Method::accuracy; 0: none, all steps have one length
  Accuracy accuracy;
  double error = 0;              ///< true, the largest in the run, m
  double error_until_known = 0;  ///< the same up to Accuracy::known_until
  double extent = 0;             ///< of the true motion, m
  double way = 0;                ///< longest way of a body in it, m
  std::int64_t trials = 0;       ///< contact problems posed: of steps, or of their parts (step_doubling.h)
  std::string truth;             ///< "event-driven" or "own limit"
  double truth_error = 0;        ///< estimate of what the truth itself is off by, m

  /// True error over the one that the verdict claims: up to the horizon where the motion is chaotic. Truths that are
  /// not known better than that are given the benefit of their own error.
  double ratio() const;
  /// True error over the one that the asked accuracy allows, a part of the way; up to the horizon of a chaotic motion.
  double excess() const;
  /// The verdict calls a motion good that is off by more than a tenth of its extent.
  bool wrongly_good() const;
};

/// Judges the scene's runs with all these steps, and with the longest of them in parts of each asked accuracy. Each
/// step must divide the first of them and that the duration.
std::vector<AccuracyTrial> accuracy_trials(const SceneSource& source, const std::vector<double>& steps,
                                           const std::vector<double>& asked);

/// The truth table, as Markdown.
std::string accuracy_table(const std::vector<AccuracyTrial>& trials);

}  // namespace carom
