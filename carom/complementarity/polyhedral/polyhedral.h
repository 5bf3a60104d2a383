#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/bilateral_elimination.h"
#include "carom/complementarity/mixed/mixed_lcp.h"
#include "carom/complementarity/polyhedral/lemke.h"
#include "carom/complementarity/polyhedral/polyhedral_start.h"
#include "carom/complementarity/polyhedral/principal_pivoting.h"
#include "carom/complementarity/polyhedral/stewart_trinkle_layout.h"
#include "carom/complementarity/polyhedral/stewart_trinkle_matrix.h"

namespace carom {

/// Friction cones with K generators. Direction j of a contact is (μ_x cos(2πj/K), μ_y sin(2πj/K)) / max(μ_x, μ_y). So
/// anisotropic friction gives directions of unequal lengths. K ≥ 3, even or odd. One semi-axis may be zero.
struct PolyhedralOptions {
  int directions = 8;
  LcpOptions lcp;
};

/// The result of an LCP of so many rows as that of the contact problem that it stands for.
ContactSolution solution_of(const LcpResult& lcp, SolverKind method, int size);

/// Stewart and Trinkle's contact problem (2000, eqs. 7–12 and 15–20) as an LCP. The unknowns are z = (c_n of all
/// blocks; β of all cones with friction; λ of these):
///
///     0 ≤ u_n⁺ + offset   ⊥ c_n ≥ 0       p_n = floor + c_n
///     0 ≤ λ e + Dᵀ u_t⁺   ⊥ β ≥ 0         p_t = D β,  D: 2 × K
///     0 ≤ μ p_n − eᵀ β    ⊥ λ ≥ 0         μ = max(μ_x, μ_y), u⁺ = u + A p
///
/// The paper's contact rows n^T q⁺ ≥ α₀ are n^T v⁺ + gap / h ≥ 0: offset = gap / h. With offset = 0 they are Anitescu
/// and Potra's (section 3.3). Impulses are counted in a unit, a power of two, in which the mean diagonal of A is near
/// one. So all unknowns of the LCP are velocities, and its residual means the same in any units of mass.
///
/// A bounded row is two pairs with p = lower + c. They are 0 ≤ w + λ ⊥ c ≥ 0 and 0 ≤ (upper − lower) − c ⊥ λ ≥ 0.
/// Bilateral rows, redundant ones too, are eliminated first (bilateral_elimination.h); contradictory ones leave a
/// residual. Blocks with torsion are refused. The matrix is never formed (stewart_trinkle_matrix.h). A pivot of Lemke's
/// method costs a product with A and a few core² multiplications. The core has one slot for each contact that slides
/// and three for each that sticks (lemke_basis.h). Problems without friction and bounds of up to 48 rows are solved by
/// principal pivoting.
///
/// The path starts from the basis in which every cone slides the way its velocity u_t points. There λ and one β are
/// basic; where u_t = 0, their w are. The variable z₀ lifts every other row, as if all gaps opened at one speed and
/// then less and less. So a contact that separates costs no pivot. In the original rows the covering vector is then ≥
/// 0, and 1 on normal rows. Since zᵀ R z = pᵀ A p + μ λ c ≥ 0, a path from there meets no ray if offsets are ≥ 0.
/// Round-off can still cause one; LemkeSolver then follows further paths. With an offset < 0 a solution need not exist.
/// With a warm start the path starts from the basis that the earlier impulses indicate (polyhedral_start.h). It needs
/// no pivot where that still solves the problem.
///
/// The velocity (and which contacts stick) need not be unique at high friction, nor impulses where contacts are
/// redundant. The path picks one, and a warm start may pick another. Contacts without normal impulse get tangent
/// impulses of exactly zero. Call check() on a problem that you did not build yourself.
class PolyhedralSolver {
 public:
  /// impulse and velocity: k, p and u + A p. The warm start has k impulses of an earlier solve of a problem with the
  /// same blocks, or none. The path starts from their basis. After a status other than solved impulse and velocity hold
  /// the last iterate.
  [[nodiscard]] ContactSolution solve(const ContactProblem& problem, const PolyhedralOptions& options,
                                      std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                      Eigen::Ref<Eigen::VectorXd> velocity);

  /// The same without a warm start.
  [[nodiscard]] ContactSolution solve(const ContactProblem& problem, const PolyhedralOptions& options,
                                      Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
    return solve(problem, options, {}, impulse, velocity);
  }

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

  /// After the last solve ended in secondary_ray: the direction in c_n, β and λ as ordered above (without bilateral
  /// rows).
  Eigen::Map<const Eigen::VectorXd> ray() const {
    return method_ == SolverKind::none    ? mixed_solver_.ray()
           : method_ == SolverKind::lemke ? lemke_.ray()
                                          : pivoting_.ray();
  }

 private:
  ContactSolution solve_contacts(const ContactProblem& problem, const PolyhedralOptions& options,
                                 std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse);
  LcpStart first_basis(const ContactOperator& A, const Eigen::Ref<const Eigen::VectorXd>& u,
                       std::span<const double> warm_start);
  void add_friction_rows(std::span<const Block> blocks, Eigen::Map<Eigen::MatrixXd>& R, Eigen::Map<Eigen::VectorXd>& q);
  void assemble_mixed(const Eigen::Ref<const Eigen::MatrixXd>& M, const Eigen::Ref<const Eigen::MatrixXd>& J,
                      const Eigen::Ref<const Eigen::VectorXd>& v_free, std::span<const Block> blocks);

  SolverKind method_ = SolverKind::lemke;  // of the last solve; none for the mixed form
  StewartTrinkleLayout layout_;
  StewartTrinkleMatrix matrix_;
  PolyhedralStart start_;
  LemkeSolver lemke_;
  PrincipalPivoting pivoting_;
  std::vector<double> z_;
  std::vector<double> normals_;  // R without friction
  std::vector<double> dense_;    // A, where it came as a product
  BilateralElimination bilateral_;
  std::vector<double> reduced_impulse_, reduced_start_, end_velocity_;
  // Mixed form
  double unit_ = 1;
  std::vector<double> R_, H_, K_, a_, b_, u_;
  MixedLcpSolver mixed_solver_;
};

}  // namespace carom
