#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "carom/complementarity/mixed/mixed_ncp.h"
#include "carom/complementarity/mixed/ncp_iterate.h"
#include "carom/complementarity/mixed/ncp_model.h"
#include "carom/complementarity/mixed/newton_josephy.h"
#include "carom/complementarity/mixed/semismooth_newton.h"

namespace carom {

enum class NcpMethod { semismooth_newton, newton_josephy };
std::string method_name(NcpMethod method);

struct MixedNcpOptions {
  double tolerance = 1e-10;  ///< largest mixed_ncp_residual of a result that is called solved
  int max_iterations = 200;  ///< of one method from one start
  int further_starts = 12;   ///< points tried when both methods failed from the given one
  NcpMethod first = NcpMethod::semismooth_newton;
  bool fall_back = true;     ///< to the other method and to further starts
  bool polish = false;       ///< one more Newton step from a solution, with its Jacobian (NcpIterate::polish)
  int largest_dense = 2000;  ///< unknowns up to which Newton–Josephy, which works on a full matrix, is used
};

struct MixedNcpResult {
  NcpStatus status = NcpStatus::iteration_limit;
  double residual = 0;                              ///< mixed_ncp_residual of x
  NcpMethod method = NcpMethod::semismooth_newton;  ///< that found x
  int iterations = 0;                               ///< of all methods and starts: linear problems solved
  int starts = 0;                                   ///< runs of a method; 1 if the first was enough
  int function_calls = 0;
  int jacobian_calls = 0;
};

/// Solves mixed nonlinear complementarity problems. From the x passed in, it runs semismooth Newton; if that fails,
/// Newton–Josephy. Then comes a proximal continuation: F + λ (x − xᶜ) with the best point as centre, λ falling (Billups
/// and Ferris 1997). Then both methods run in turn from further starts. These are points of the box about the given
/// one, at distances of 0.1 to 100 sizes, the same ones every time. Scales of unknowns and rows are found anew for each
/// start.
///
/// If there are several solutions, x decides which is found; a good x takes two to four iterations. For unsolved
/// problems the x of least residual is returned, with the status of its run. No status proves that no solution exists.
/// The answer depends on the arguments alone, not on what was solved before. Dense problems of a size seen before are
/// solved without allocation, sparse ones with that of Eigen's factorization only.
class MixedNcpSolver {
 public:
  /// x: n, start and result; a start outside the box is moved onto it. Call check() on a problem that you did not build
  /// yourself: this checks sizes only.
  [[nodiscard]] MixedNcpResult solve(const MixedNcp& problem, const MixedNcpOptions& options,
                                     Eigen::Ref<Eigen::VectorXd> x);

 private:
  bool attempt(NcpMethod method, const std::vector<double>& start, MixedNcpResult& result);
  bool proximal_attempt(MixedNcpResult& result);
  void keep_best(NcpStatus status, NcpMethod method, MixedNcpResult& result);
  void further_start(const MixedNcp& problem, int number, std::uint64_t& random);
  bool dense_fits() const { return model_.size() <= options_.largest_dense; }

  MixedNcpOptions options_;
  NcpModel model_;
  NcpIterate iterate_;
  SemismoothNewton semismooth_;
  NewtonJosephy josephy_;
  std::vector<double> given_, start_, scaled_, best_;  // the first two and the last in the caller's units
};

}  // namespace carom
