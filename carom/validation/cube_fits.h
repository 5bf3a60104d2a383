#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/study/folds.h"
#include "carom/study/noisy_minimum.h"
#include "carom/validation/cube_model.h"
#include "carom/validation/fitted_values.h"
#include "carom/validation/toss_protocol.h"

// Parameters of a cube fitted to measured tosses, so that every toss can be judged by values that it had no part in.
//
// The distinct tosses of the file of training are dealt out to k folds, toss i to fold i mod k. For each fold a law is
// fitted to 60 tosses, evenly spaced among those of the other folds. One more fit, to 60 of all, is for tosses that are
// not of this file. A fit minimises
//
//     mean over its tosses of (mean position error over the toss, widths + mean rotation error, radians)
namespace carom {

inline constexpr int fold_count = 5;
inline constexpr int tosses_per_fit = 60;

/// A law that is fitted: a scene but for the numbers.
struct CubeLaw {
  std::string name;  ///< of its scene file, without the ending
  Method method;
  CubeParameters fixed;                                ///< what is not fitted
  std::vector<std::pair<std::string, double>> starts;  ///< what is, and where the search starts
  std::string start_of;  ///< a law fitted before, whose values for the same fold the search starts at where it has them
  int evaluations = 0;   ///< budget of a fit; 0: that of the options
  std::optional<FittedValues> all;  ///< to tosses of all folds
  std::vector<FittedValues> folds;  ///< to tosses of all other folds; empty before the fit
};

/// Laws and folds of one file, JSON.
struct CubeFits {
  std::vector<std::vector<std::int64_t>> folds;  ///< numbers of the tosses; empty before the first fit
  std::vector<CubeLaw> laws;
};
/// Throws Error that names the file and what would be right.
CubeFits read_cube_fits(const std::string& path);
void write_cube_fits(const CubeFits& fits, const std::string& path);

CubeParameters parameters_of(const CubeLaw& law, const std::vector<double>& values);

/// Which positions a fit for this fold may use; fold −1: for none, so that it may use all.
std::vector<int> training_positions(int n, const std::vector<std::vector<int>>& folds, int fold);

/// The poses that a simulator predicts for a toss. Fits call it from several threads at once.
using TossSimulator = std::function<std::vector<Pose>(const Toss&)>;
/// Objective that a fit minimises, over these tosses. Simulates them side by side on the threads there are.
double toss_objective(const TossSimulator& simulate, const std::vector<Toss>& tosses, const TossProtocol& protocol);

/// Values for a fold (−1: for all) of whatever simulator the values make, from the starts, within the bounds. Two
/// thirds of the evaluations look around with every third toss, the others use all. With `near`, the start is a good
/// one, and all evaluations use all tosses.
FittedValues fit_tosses(const std::function<TossSimulator(const std::vector<double>&)>& simulator,
                        const std::vector<double>& start, const std::vector<double>& lower,
                        const std::vector<double>& upper, const std::vector<Toss>& distinct,
                        const std::vector<std::vector<int>>& folds, int fold, const TossProtocol& protocol,
                        const MinimumOptions& options, bool near = false);
/// The same of a law: its values for all and for each fold. `before`: the law that it starts at, or null.
void fit_law(CubeLaw& law, const CubeLaw* before, const std::vector<Toss>& distinct,
             const std::vector<std::vector<int>>& folds, const TossProtocol& protocol, const MinimumOptions& options,
             const std::function<void(const std::string&)>& progress = {});

}  // namespace carom
