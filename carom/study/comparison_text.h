#pragma once

#include <string>
#include <vector>

#include "carom/study/comparison.h"

namespace carom {

/// A comparison in plain words: what agrees, what parts and where, what is not to be trusted. A paragraph each. The
/// verdict precedes them (comparison_verdict.h).
std::vector<std::string> comparison_words(const Comparison& comparison);

/// A table with a line for each method, its cells as texts.
struct ComparisonTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};
/// Steps, errors, distances, energies and times.
ComparisonTable comparison_table(const Comparison& comparison);
/// The first strike of every pair of bodies, a column each, in every run.
ComparisonTable strike_table(const Comparison& comparison);

/// A line for each stepper, a column for each law. A cell has the number of the run's group, "–" for a run that is not
/// judged, and nothing where there is no run.
ComparisonTable group_table(const Comparison& comparison);

/// The assumptions of the comparison's steppers and laws, a line each.
ComparisonTable assumption_table(const Comparison& comparison);

/// Words and table, for a terminal.
std::string comparison_text(const Comparison& comparison);

/// "0.7 mm", "1.2 m".
std::string length_text(double meters);

/// The name of a run: that of its method.
std::string run_name(const Comparison& comparison, std::size_t run);
/// "ball 1 – ball 2", "ball – the world", "limit of knee".
std::string pair_name(const Model& model, const BodyPair& pair);

}  // namespace carom
