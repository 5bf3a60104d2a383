#pragma once

#include <array>
#include <string>
#include <vector>

#include "carom/study/bootstrap.h"
#include "carom/validation/toss_protocol.h"

namespace carom {

/// Errors of one simulator, toss by toss; all scores that are compared are of the same tosses in the same order.
struct TossScore {
  std::string name;
  std::vector<TossError> errors;
};

/// The four errors of a toss that a score is made of, and what they are.
inline constexpr std::array<const char*, 4> toss_figures{
    "position error, mean over the toss (% of the width)", "position error, at its end (% of the width)",
    "rotation error, mean over the toss (deg)", "rotation error, at its end (deg)"};
std::array<double, 4> figures_of(const TossError& error);

/// One of the four over the tosses, with its bootstrap interval.
Interval score_interval(const TossScore& score, std::size_t figure);
/// Their median, in place of the mean.
Interval score_median(const TossScore& score, std::size_t figure);
/// How many tosses end on the measured side.
int right_faces(const TossScore& score);
/// The same of the difference of two simulators, toss by toss: below zero where the first is the better.
Interval paired_interval(const TossScore& score, const TossScore& other, std::size_t figure);

/// A line per simulator: means with intervals, and how many tosses end on the right face.
std::string score_table(const std::vector<TossScore>& scores);
/// The same of medians.
std::string median_table(const std::vector<TossScore>& scores);
/// A line per simulator but `reference`: its errors less those of the reference, with intervals; * where zero is
/// outside.
std::string paired_table(const std::vector<TossScore>& scores, const TossScore& reference);

}  // namespace carom
