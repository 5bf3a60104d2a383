#pragma once

#include <string>
#include <vector>

#include "carom/study/fit.h"

namespace carom {

/// "profile", "curvature" or "none".
std::string source_name(IntervalSource source);
/// "friction", or "speed of throw 2" of a number that belongs to one experiment.
std::string full_name(const FittedNumber& number);

/// Means of the residuals of each column over all experiments. There is one before the first impact, one at it (within
/// one and a half sampling intervals) and one after it. Without an impact there is one over the whole.
std::vector<FitBias> biases_of(const FitResult& result);

/// Correlation of each residual over its noise with the next of its column.
double serial_correlation(const FitResult& result);

/// Faults of a fit, a sentence each: numbers that are not determined, what residuals show, what limits the intervals.
std::vector<std::string> sentences_of(const FitResult& result);

/// The result's sentences, or that there is nothing to find fault with.
std::vector<std::string> conclusions(const FitResult& result);

/// The way in which the least misfit was found, and why so.
std::string way_of(const FitResult& result);

}  // namespace carom
