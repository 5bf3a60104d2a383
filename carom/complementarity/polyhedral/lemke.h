#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/contact_problem.h"
#include "carom/complementarity/polyhedral/lemke_basis.h"
#include "carom/stop_signal.h"

namespace carom {

/// Options of Lemke's method.
struct LcpOptions {
  double pivot_tolerance =
      1e-10;  ///< entries below this, relative to the largest of their scaled column, are no pivots
  double residual_tolerance = 1e-9;  ///< largest lcp_residual of a result that is called solved
  int max_pivots = 0;                ///< of one path; 0: 100 + 20 n
  double demand = 0;  ///< size of −q, in its unit, below which residuals are not relative to −q but to this
  const StopSignal* stop = nullptr;  ///< asked at every pivot; null: nothing stops it
};

/// Start of a path: a basis whose z are nonnegative wherever `covering` is zero.
struct LcpStart {
  std::span<const int> basic_z;      ///< z that are basic at the start; w of all other rows
  std::span<const double> covering;  ///< n, weight ≥ 0 of z₀ in the row of each pair's basic variable; empty: ones
};

struct LcpResult {
  SolveStatus status = SolveStatus::solved;
  int pivots = 0;
  int paths = 0;        ///< followed: 1 unless the first ended badly
  double residual = 0;  ///< lcp_residual of z, computed after the solve from the original matrix
  RungTrace rungs;
};

/// Largest of the violations of 0 ≤ w ⊥ z ≥ 0, w = R z + q: max_i |min(z_i / s, w_i / t)|. The problem's own data set s
/// and t, the sizes of impulse and velocity. They are the largest |z_i|, and the largest −q_i, which z has to mend (1
/// if nothing). Dimensionless; the caller's units must make the entries of z comparable, and those of q. O(n²).
double lcp_residual(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q,
                    const Eigen::Ref<const Eigen::VectorXd>& z);

/// Linear complementarity problem: find z with 0 ≤ w = R z + q ⊥ z ≥ 0. Solved by Lemke's method with lexicographic
/// resolution of ties (Cottle, Pang and Stone, The Linear Complementarity Problem, 1992, algorithm 4.4.5 and section
/// 4.9).
///
/// The path. The solution of w = q + R z + d z₀ is followed from large z₀ down to z₀ = 0 through bases. In each pair
/// but one, one of w_i, z_i is basic. The lexicographically least of the rows [B⁻¹ q, B⁻¹ B₀] / pivot fixes the next
/// basis, with B₀ the basis of the start. So no basis comes twice. The covering vector d is as an LcpStart says, or 1
/// in the rows of the equilibrated problem. There rows and columns are scaled by powers of two, so that no digit is
/// lost. For copositive R and d > 0, as in Stewart and Trinkle's problems in velocity form, the path cannot end on a
/// ray.
///
/// After the path the solution of its last basis is computed anew, refined against R and cleared of negative round-off.
/// Then lcp_residual judges it in the original units. If it fails, or the path did, the path is followed again from d =
/// 1, and then for proximal points (Rockafellar 1976). There z⁺ solves the problem of R + ε I, q − ε z, whose pivots
/// are bounded away from zero. The weight ε falls as long as that can be solved. From the bases of these points the
/// path is tried for the problem itself. If none of these solved the problem, the status tells how the first path
/// ended.
///
/// If solutions are not unique, the path picks one; the order of rows can change which. Cost: see LemkeBasis. Memory is
/// kept between calls; a call whose n is not larger than any before allocates nothing.
class LemkeSolver {
 public:
  /// R: n × n, q: n, z: n. After a status other than solved z holds the best point found.
  [[nodiscard]] LcpResult solve(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q,
                                const LcpOptions& options, Eigen::Ref<Eigen::VectorXd> z);

  /// The same from an advanced start.
  [[nodiscard]] LcpResult solve_from(const Eigen::Ref<const Eigen::MatrixXd>& R,
                                     const Eigen::Ref<const Eigen::VectorXd>& q, const LcpStart& start,
                                     const LcpOptions& options, Eigen::Ref<Eigen::VectorXd> z);

  /// The same for a matrix of any structure. q and z in the original units, R as it is, equilibrated.
  [[nodiscard]] LcpResult solve_from(LcpMatrix& R, const Eigen::Ref<const Eigen::VectorXd>& q, const LcpStart& start,
                                     const LcpOptions& options, Eigen::Ref<Eigen::VectorXd> z);

  /// After secondary_ray: d ≥ 0, d ≠ 0, the direction of the ray on which the first path ended (size n). With d₀ ≥ 0
  /// the direction of z₀, R d + cover d₀ ≥ 0 and dᵀ(R d + cover d₀) = 0. If also Rᵀd ≤ 0 and qᵀd < 0, the problem has
  /// no feasible point, let alone a solution: proves_infeasible.
  Eigen::Map<const Eigen::VectorXd> ray() const { return {ray_.data(), static_cast<Eigen::Index>(ray_.size())}; }

 private:
  enum class PathEnd { solution, ray, iteration_limit, lost };

  void bind(LcpMatrix& R, const Eigen::Ref<const Eigen::VectorXd>& q, const LcpOptions& options);
  PathEnd follow(const LcpStart& start, const LcpOptions& options, int& pivots);
  bool begin(const LcpStart& start, int& leaving);
  void set_covering(std::span<const double> covering);
  int first_leaving() const;
  int choose_leaving(double pivot_tolerance);
  int resolve_ties();
  bool precedes(int row, int best);
  void advance(int entering, int leaving);
  bool recompute_values(double refine_above = 1e-14);
  void snap();
  void store_ray(int entering);
  double finish(const Eigen::Ref<const Eigen::VectorXd>& q);
  bool ray_proves_infeasible(const Eigen::Ref<const Eigen::VectorXd>& q);
  double residual_of_candidate(const Eigen::Ref<const Eigen::VectorXd>& q);
  PathEnd enter(SolverRung rung, const LcpStart& start, const LcpOptions& options, LcpResult& result);
  double try_basis_without_shift(const Eigen::Ref<const Eigen::VectorXd>& q, const LcpOptions& options,
                                 LcpResult& result);
  void proximal_points(const Eigen::Ref<const Eigen::VectorXd>& q, const LcpOptions& options, LcpResult& result,
                       Eigen::Ref<Eigen::VectorXd> z);
  void store_basis();
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }

  int n_ = 0;
  LcpMatrix* R_ = nullptr;
  DenseLcpMatrix dense_;
  double least_demand_ = 0;           // of the options
  double demand_ = 0;                 // largest −q, relative to the scales of pairs
  std::vector<double> q_;             // equilibrated
  std::vector<double> zero_;          // of each variable: what is round-off of zero
  std::vector<double> cover_weight_;  // of the start, per pair
  std::vector<int> initial_;          // basic variable of each pair at the start
  LemkeBasis basis_;
  BasisVector value_, column_;
  bool fresh_ = false;  // value_ is refined to the last digit
  std::vector<int> candidates_, ties_, basic_z_;
  std::vector<double> no_covering_;
  struct TieRow {
    std::vector<double> entries;  // 2 n
    bool complete = false;
  };
  TieRow best_row_, other_row_;
  std::vector<double> candidate_, centre_, product_, ray_;
};

/// True if y ≥ 0, Rᵀy ≤ 0 and qᵀy < 0, to `tolerance` relative to the terms of each sum. Then yᵀ(R z + q) < 0 for every
/// z ≥ 0, so no feasible z exists. O(n²).
bool proves_infeasible(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q,
                       const Eigen::Ref<const Eigen::VectorXd>& y, double tolerance = 1e-9);

}  // namespace carom
