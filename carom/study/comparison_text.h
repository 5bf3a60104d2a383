#pragma once

#include <string>
#include <vector>

#include "carom/study/comparison.h"

namespace carom {

/// What a comparison shows, in plain words: what agrees, what parts and where, what is not to be trusted. A paragraph
/// each.
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

/// What the steppers and laws of the comparison take for granted, a line each.
ComparisonTable assumption_table(const Comparison& comparison);

/// Words and table, for a terminal.
std::string comparison_text(const Comparison& comparison);

/// The name of a run: that of its method.
std::string run_name(const Comparison& comparison, std::size_t run);
/// "ball 1 – ball 2", "ball – the world", "limit of knee".
std::string pair_name(const Model& model, const BodyPair& pair);

}  // namespace carom
