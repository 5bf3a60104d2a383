#pragma once

#include <cstdint>
#include <vector>

#include "carom/study/sweep_study.h"

namespace carom {

/// Points of the unit cube, each number above 0 and below 1.
///
/// Points of `random` are independent, by a counter, so that point i of one count is point i of any other. Points of
/// `latin` have in each direction one in each of `count` intervals (McKay, Beckman and Conover 1979). Points of `sobol`
/// are the sequence of Joe and Kuo (2008), shifted by the seed's digits.
std::vector<std::vector<double>> unit_points(SweepSampling sampling, std::uint64_t seed, int count, int dimensions);

/// The value of a variable from its numbers of the unit cube. It is one number, or the quaternion w, x, y, z of a
/// rotation (Shoemake 1992).
std::vector<double> drawn(const SweepVariable& variable, const double* unit);

}  // namespace carom
