#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/study/fit_data.h"
#include "carom/study/fit_study.h"
#include "carom/study/folds.h"
#include "carom/validation/cube_model.h"
#include "carom/validation/fitted_values.h"
#include "carom/validation/toss_protocol.h"

// Parameters of a cube fitted to measured tosses, so that every toss can be judged by values that it had no part in.
//
// The distinct tosses of the file of training are dealt out to k folds, toss i to fold i mod k. For each fold a law is
// fitted to 60 tosses, evenly spaced among those of the other folds. One more fit, to 60 of all, is for tosses that are
// not of this file. Each is a fit as `carom fit` makes them (carom/study/fit.h). An experiment is a toss, known by its
// release. Its columns are the tracked point's coordinates and the nine cosines between the axes of cube and board. The
// loss is soft_l1 with noise far below the errors, so that nearly their sizes are summed, as the protocol sums them.
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
  int evaluations = 0;   ///< budget of a fit, simulations of all its tosses; 0: that of the options
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

/// Names of the parameters that are fitted.
std::vector<std::string> names_of(const CubeLaw& law);
CubeParameters parameters_of(const CubeLaw& law, const std::vector<double>& values);

/// The tosses that a fit for this fold sees; fold −1: one for all.
std::vector<Toss> training_tosses(const std::vector<Toss>& distinct, const std::vector<std::vector<int>>& folds,
                                  int fold);

/// The poses that a simulator predicts for a toss. Called from several threads at once.
using TossSimulator = std::function<std::vector<Pose>(const Toss&)>;
/// Mean over these tosses of the protocol's errors: mean position error over the toss, widths, and mean rotation error,
/// radians. Simulates them side by side on the threads there are.
double toss_objective(const TossSimulator& simulate, const std::vector<Toss>& tosses, const TossProtocol& protocol);

/// A fit of a law to tosses, as `carom fit` takes it.
struct CubeFit {
  FitStudy study;
  FitData data;
};
/// From these values, with so many simulations of all tosses.
CubeFit cube_fit(const CubeLaw& law, const std::vector<double>& start, const std::vector<Toss>& tosses,
                 const TossProtocol& protocol, int evaluations);

/// Values of a law for all and for each fold. `before`: the law that it starts at, or null. `evaluations`: budget of
/// each fit, unless the law has its own; five more are the start's and the end's.
void fit_law(CubeLaw& law, const CubeLaw* before, const std::vector<Toss>& distinct,
             const std::vector<std::vector<int>>& folds, const TossProtocol& protocol, int evaluations,
             const std::function<void(const std::string&)>& progress = {});

}  // namespace carom
