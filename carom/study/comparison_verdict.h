#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "carom/study/comparison.h"

namespace carom {

/// The part of a method that the groups of a comparison go with.
enum class Decisive {
  unknown,  ///< fewer than two runs are judged
  none,     ///< all judged runs agree
  law,      ///< runs under one law share a group, whatever their stepper
  stepper,  ///< runs of one stepper share a group, whatever their law
  method,   ///< only law and stepper together determine the group
};

/// The answer to a user's question: do law and step decide the result here?
struct ComparisonVerdict {
  Decisive decisive = Decisive::unknown;
  double between_methods = 0;         ///< largest distance between two judged runs, m
  double parted_at = 0;               ///< the first parting of two groups, s; infinite where all agree
  std::size_t first = 0, second = 0;  ///< the two runs that are farthest apart
  double step_error = 0;              ///< largest scene_step_error of the judged runs, m; NaN where none is known
  std::size_t coarsest = 0;           ///< the run that has it
  std::vector<std::string> words;     ///< one sentence on the law, one on the step, where there is something to say
};

/// O(n²) for n runs.
ComparisonVerdict verdict_of(const Comparison& comparison);

/// "law", "stepper", "method", "none"; "unknown".
std::string decisive_name(Decisive decisive);

/// Number of the group that a run belongs to, from 1; 0 for none.
std::size_t group_number(const Comparison& comparison, std::size_t run);

}  // namespace carom
