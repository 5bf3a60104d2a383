#pragma once

#include <functional>
#include <string>
#include <vector>

#include "carom/impact/propagative/uniqueness.h"
#include "carom/study/design_impact.h"
#include "carom/study/design_study.h"

// Changes a mechanism as little as possible so that its contacts have the required positions and angles between their
// normals. With orthogonal normals, or any angle π − π/m, a simultaneous impact has one outcome whatever the order of
// its parts. Source: paper PROP (Seghete and Murphey 2014, section VII; docs/theory/propagative.md).
//
// The unknowns x are numbers in the scene's text. Each trial writes them there and reads the scene, so the designed
// scene is, to the bit, the one that was tested. Change is measured by Σ ((x − x₀)/scale)². The paper takes "a classic
// root finding algorithm for underconstrained systems"; least_change.h has the method of Carom.
namespace carom {

struct DesignedUnknown {
  std::string name, path;
  double before = 0, after = 0, scale = 1, lower = 0, upper = 0;
  int at_bound = 0;  ///< after: −1 at the lower, 1 at the upper, 0 between
  double share = 0;  ///< ((after − before)/scale)² of the sum over all unknowns: what it had to give
};

struct DesignedCondition {
  std::string told;
  double target = 0, before = 0, after = 0;  ///< of the quantity
  double miss = 0;                           ///< after, by how much it is not met
  bool met_before = false, met = false;
};

/// Verdict on what elastic impacts at the contacts can do, from the scene's velocity.
struct DesignVerdict {
  Unique here = Unique::unknown;    ///< from this velocity
  Unique always = Unique::unknown;  ///< from any
  std::string sentence;             ///< of `here`
  std::size_t outcomes = 0;
  bool cut = false;          ///< at least so many
  double indeterminacy = 0;  ///< distance of the outcomes farthest apart, over √(2E): 0 to 2
  bool approaching = false;  ///< some contact closes: without, there is no impact
};

struct DesignResult {
  DesignStudy study;
  std::vector<DesignedUnknown> unknowns;
  std::vector<DesignedCondition> conditions;
  DesignImpact impact_before, impact_after;
  DesignVerdict verdict_before, verdict_after;
  std::string text_before, text_after;  ///< of the scenes
  bool met = false;                     ///< all conditions
  std::string why;                      ///< not: sentences
  double change = 0;                    ///< √Σ ((after − before)/scale)²
  /// Distance, in the same measure, of the nearest solution of the linearised conditions. For a formula to be
  /// minimised, it is the part of its slope that conditions and bounds leave. −1: not known.
  double stationarity = -1;
  std::vector<std::string> overlaps;  ///< of other shapes, after
  int evaluations = 0;                ///< scenes read
  std::string written;                ///< file of the designed scene; empty: none
};

struct DesignOptions {
  int minimum_evaluations = 300;                     ///< of `minimise: indeterminacy`, each meeting the conditions
  int max_momenta = 100000;                          ///< that an enumeration of outcomes visits
  std::function<void(const std::string&)> progress;  ///< may be empty
  std::function<bool()> stop;  ///< asked before every trial; the study throws Stopped; may be empty
};

/// Throws Error or SceneError if study and scene do not fit each other. That conditions can't be met is a result.
DesignResult design(const DesignStudy& study, const DesignOptions& options = {});

/// Tables for a terminal.
std::string design_text(const DesignResult& result);
/// One JSON object.
std::string design_json(const DesignResult& result);

}  // namespace carom
