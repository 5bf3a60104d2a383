#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/lemke.h"
#include "carom/complementarity/mixed_lcp.h"

namespace carom {

/// Friction cones with K generators: direction j of a contact is (μ_x cos(2πj/K), μ_y sin(2πj/K)) / max(μ_x, μ_y), so
/// anisotropic friction gives directions of unequal lengths. K ≥ 3, even or odd. One semi-axis may be zero.
struct PolyhedralOptions {
  int directions = 8;
  LcpOptions lcp;
};

/// What solving a contact problem gave.
struct ContactSolution {
  SolveStatus status = SolveStatus::solved;
  int pivots = 0;
  int paths = 0;        ///< of Lemke's method: 1 unless the first ended badly
  int size = 0;         ///< of the LCP: a row per block, and K + 1 more per cone with friction
  double residual = 0;  ///< lcp_residual; of the mixed form mixed_lcp_residual
};

/// Unit vectors (cos(2πj/K), sin(2πj/K)), 2 × K. For even K opposite ones are exact negatives, and those on an axis
/// exact.
void cone_directions(int directions, Eigen::Matrix2Xd& result);

/// Stewart and Trinkle's contact problem (2000, eqs. 7–12 and 15–20) as an LCP over z = (c_n of all blocks; β of all
/// cones with friction; λ of these):
///
///     0 ≤ u_n⁺ + offset   ⊥ c_n ≥ 0       p_n = floor + c_n
///     0 ≤ λ e + Dᵀ u_t⁺   ⊥ β ≥ 0         p_t = D β,  D: 2 × K
///     0 ≤ μ p_n − eᵀ β    ⊥ λ ≥ 0         μ = max(μ_x, μ_y), u⁺ = u + A p
///
/// The paper's contact rows n^T q⁺ ≥ α₀ are n^T v⁺ + gap / h ≥ 0: offset = gap / h. With offset = 0 they are Anitescu
/// and Potra's (section 3.3). Impulses are counted in a unit in which the mean diagonal of A is near one (a power of
/// two), so that all unknowns of the LCP are velocities and its residual means the same in any units of mass.
///
/// The path starts from the basis in which every cone slides the way its velocity u_t points (λ and one β basic; where
/// u_t = 0 their w are), and z₀ lifts every other row, as if all gaps opened at one speed and then less and less. So a
/// contact that separates costs no pivot. In the original rows the covering vector is then ≥ 0, and 1 on normal rows;
/// as zᵀ R z = pᵀ A p + μ λ c ≥ 0, a path from there meets no ray if all offsets are ≥ 0 (round-off aside, which
/// LemkeSolver answers with further paths). With an offset < 0 a solution need not exist.
///
/// Velocity (and which contacts stick) can be not unique at high friction, impulses also where contacts are redundant;
/// the path picks one. Contacts without normal impulse get tangent impulses of exactly zero. Call check() on a problem
/// that you did not build yourself.
class PolyhedralSolver {
 public:
  /// impulse and velocity: k, p and u + A p. After a status other than solved both hold the last iterate.
  [[nodiscard]] ContactSolution solve(const ContactProblem& problem, const PolyhedralOptions& options,
                                      Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity);

  /// The mixed form, v⁺ kept as unknown: M (v⁺ − v_free) = Jᵀ p (eqs. 5 and 13) and the rows above with u⁺ = J v⁺.
  /// M: nv × nv, symmetric positive definite; J: k × nv; v_free: nv, velocity without contact impulses; impulse: k;
  /// v_plus: nv. Same bases as solve() with A = J M⁻¹ Jᵀ and u = J v_free.
  [[nodiscard]] ContactSolution solve_mixed(const Eigen::Ref<const Eigen::MatrixXd>& M,
                                            const Eigen::Ref<const Eigen::MatrixXd>& J,
                                            const Eigen::Ref<const Eigen::VectorXd>& v_free,
                                            std::span<const Block> blocks, const PolyhedralOptions& options,
                                            Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> v_plus);

  /// Makes room for any problem of so many blocks: solve() then allocates nothing for as many or fewer, of any kinds.
  void reserve(int blocks, int directions);

  /// After secondary_ray: the direction in impulses is Σ of c_n and β as ordered above. Of the last solve.
  Eigen::Map<const Eigen::VectorXd> ray() const { return mixed_ ? mixed_solver_.ray() : lemke_.ray(); }

 private:
  void lay_out(std::span<const Block> blocks, int directions);
  Eigen::Vector2d direction(const Block& block, int j) const;
  LcpStart start(std::span<const Block> blocks, const double* u);
  void project(std::span<const Block> blocks, const double* y, double* rows) const;
  void add_friction_rows(std::span<const Block> blocks, Eigen::Map<Eigen::MatrixXd>& R, Eigen::Map<Eigen::VectorXd>& q);
  void assemble(const ContactProblem& problem);
  void assemble_mixed(const Eigen::Ref<const Eigen::MatrixXd>& M, const Eigen::Ref<const Eigen::MatrixXd>& J,
                      const Eigen::Ref<const Eigen::VectorXd>& v_free, std::span<const Block> blocks);
  void recover_impulse(std::span<const Block> blocks, Eigen::Ref<Eigen::VectorXd> impulse) const;

  int count_ = 0;       // c_n and β
  int size_ = 0;        // λ too
  double unit_ = 1;     // impulse (N s) of an unknown of one (m/s)
  bool mixed_ = false;  // the last solve
  Eigen::Matrix2Xd directions_;
  std::vector<int> cone_block_;  // block of each cone with friction
  std::vector<double> matrix_, vector_, z_, u_, column_;
  std::vector<double> H_, K_, a_;  // mixed form
  std::vector<double> covering_;
  std::vector<int> basic_;
  LemkeSolver lemke_;
  MixedLcpSolver mixed_solver_;
};

}  // namespace carom
