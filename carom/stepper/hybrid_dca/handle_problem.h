#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/contact_solver.h"
#include "carom/complementarity/mixed/mixed_lcp.h"

namespace carom {

/// A contact problem with some velocities V of the mechanism kept as free unknowns beside the impulses p (paper DCA,
/// eqs. 32 and 33). V has a block of six for each handle or body:
///
///     0 = −V + K p + V_0                     (32d) and (31): K = [κ_12 κ_13; κ_22 κ_23], V_0 = ˡV + h κ_11 …
///     u⁺ = χ V + R p + u_0                   velocities of the rows; conditions as in PolyhedralSolver
///
/// over x = (V; c_n of all blocks; β of all cones; λ), a mixed LCP. K: m × k, V_0: m, χ: k × m.
///
/// χ. A row that pushes on bodies whose velocities are all kept has its kinematic χ = [r× | 1] and neither R nor u_0.
/// The paper calls this sparse. For any other row the paper obtains χ by partial disassembly, V of the body being a
/// function of one handle's. Such a function exists only as long as contacts press on fewer directions than the handles
/// show (one contact of three directions, say). Here χ is the least one with χ K = A, as far as K tells the impulses
/// apart well. R = A − χ K and u_0 = u − χ V_0 are what is left. If the paper's function exists, R is zero, up to what
/// the handles show by less than a thousandth. Solutions are those of the pure problem for any number of contacts.
struct HandleProblem {
  /// K, V_0, and of the rows A and u of the pure problem. For each row: `kinematic`, whether its row of chi is given.
  Eigen::MatrixXd K, chi, R;
  Eigen::VectorXd V_free, u;
  std::vector<char> kinematic;

  /// Completes chi, R and u of the rows where chi is not given. A: k × k, u_pure: k. own: m, the effect of a unit
  /// impulse along each of V on it, its scale.
  void complete(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Eigen::VectorXd>& u_pure,
                const Eigen::Ref<const Eigen::VectorXd>& own);

  /// impulse, velocity: k, p and u⁺. V: m. Polyhedral cones alone; options as of PolyhedralSolver. size counts V.
  [[nodiscard]] ContactSolution solve(std::span<const Block> blocks, const PolyhedralOptions& options,
                                      std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                      Eigen::Ref<Eigen::VectorXd> velocity);

  Eigen::VectorXd V;  ///< of the last solve

 private:
  void assemble(std::span<const Block> blocks);

  StewartTrinkleLayout layout_;
  PolyhedralStart start_;
  MixedLcpSolver solver_;
  Eigen::MatrixXd P_, G_, H_, K_, R_;
  Eigen::VectorXd a_, b_, z_, p_0_, velocity_;
  double unit_ = 1;
};

}  // namespace carom
