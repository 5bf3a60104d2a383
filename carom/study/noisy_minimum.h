#pragma once

#include <functional>
#include <vector>

// The least value of a function of a few numbers that is neither smooth nor cheap. An example is the mean error of
// simulated tosses: with a little more friction, one of them comes to rest on another face.
//
// Rounds of two methods of NLopt without derivatives take turns, each from the best point so far. BOBYQA (Powell 2009),
// a quadratic model of all numbers at once, needs few evaluations. SBPLX (Rowan 1990), Nelder and Mead's simplex on
// subspaces, tolerates noise. Steps are halved from pair to pair. A local minimum, found from one start; deterministic.
namespace carom {

struct MinimumOptions {
  int evaluations = 500;     ///< budget
  double step = 0.15;        ///< the first, as a part of each number's range
  double resolution = 1e-3;  ///< of the numbers, as a part too: a round ends where its steps are smaller
  double gain = 1e-3;        ///< two rounds that together lower the value by a smaller part of itself are the last
};

struct Minimum {
  std::vector<double> at;
  double value = 0;
  int evaluations = 0;
};

/// Between lower[i] and upper[i], from `start`, which is moved inside them. Passes on exceptions of the function.
Minimum noisy_minimum(const std::function<double(const std::vector<double>&)>& function,
                      const std::vector<double>& start, const std::vector<double>& lower,
                      const std::vector<double>& upper, const MinimumOptions& options = {});

}  // namespace carom
