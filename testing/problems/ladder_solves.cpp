#include "testing/problems/ladder_solves.h"

#include <algorithm>

#include "carom/complementarity/infeasibility.h"
#include "testing/problems/problem_factors.h"

namespace carom::families {

namespace {

constexpr int steps = 3;              // after the first of a problem
constexpr double loose = 1e-5;        // residual that is enough of what moves
constexpr int least_in_factors = 17;  // contacts: below, islands are solved as matrices

/// p ↦ A p, for a solver that may not look at the entries.
class Product : public ContactProduct {
 public:
  explicit Product(const Eigen::MatrixXd& A) : A_(&A) {}
  Eigen::Index rows() const override { return A_->rows(); }
  void multiply(const Eigen::Ref<const Eigen::VectorXd>& p, Eigen::Ref<Eigen::VectorXd> y) const override {
    y.noalias() = *A_ * p;
  }

 private:
  const Eigen::MatrixXd* A_;
};

std::span<const double> view(const Eigen::VectorXd& p) { return {p.data(), static_cast<std::size_t>(p.size())}; }

bool has_torsion(const Mechanics& m) {
  return std::any_of(m.blocks.begin(), m.blocks.end(), [](const Block& b) { return b.kind == BlockKind::ellipsoid; });
}

}  // namespace

/// A problem and a few like it, as steps follow one another: velocities change by a little or a lot, and each solve
/// starts from the impulses of the last one, or asks whether the last contradiction holds.
void LadderSolves::solve_steps(const Mechanics& m, const ContactOperator& A, ContactOptions options) {
  options.rungs = &counts_;
  Eigen::VectorXd u = m.u, impulse(u.size()), velocity(u.size()), start;
  const double size = u.cwiseAbs().maxCoeff();
  for (int step = 0; step <= steps; ++step) {
    const ContactSolution solution = solver_.solve({A, u, m.blocks}, options, view(start), impulse, velocity);
    if (solution.status == SolveStatus::infeasible) solver_.suspect(solver_.infeasibility());
    start = impulse;
    const double change = size * random_.logarithmic(-10, 0);
    if (random_.chance(0.8)) {
      for (double& entry : u) entry += random_.uniform(-change, change);
    }
  }
}

/// 0 ≤ normal velocities ⊥ normal impulses ≥ 0 with the mechanism's velocities and the bilateral impulses as unknowns.
void LadderSolves::solve_with_velocities(const Mechanics& m) {
  std::vector<int> equations, normals;
  for (const Block& block : m.blocks) {
    if (block.kind == BlockKind::bilateral) equations.push_back(block.row);
    if (block.is_contact() || block.kind == BlockKind::unilateral) normals.push_back(block.normal_row());
  }
  const Eigen::MatrixXd E = m.J(equations, Eigen::all), N = m.J(normals, Eigen::all);
  const Eigen::Index nv = m.v.size(), e = E.rows(), n = N.rows();
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(nv + e, nv + e), H = Eigen::MatrixXd::Zero(nv + e, n);
  G.topLeftCorner(nv, nv) = m.M;
  G.topRightCorner(nv, e) = -E.transpose();
  G.bottomLeftCorner(e, nv) = E;
  H.topRows(nv) = -N.transpose();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, nv + e);
  K.leftCols(nv) = N;
  const Eigen::MatrixXd R = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd a = Eigen::VectorXd::Zero(nv + e), b = Eigen::VectorXd::Zero(n), x(nv + e), z(n);
  a.head(nv) = -m.M * m.v;
  const LcpResult result = mixed_.solve({G, H, K, R, a, b}, {}, {}, x, z);
  counts_.add(solution_of(result, SolverKind::lemke, static_cast<int>(n)));
}

void LadderSolves::solve(Family family, int contacts) {
  Mechanics m = make(family, contacts, random_, random_.logarithmic(0, 6));
  const double more = random_.chance(0.15) ? random_.logarithmic(1, 9) : 1;
  for (Block& block : m.blocks) block.friction *= more;
  const ContactFactors G = factors_of(m);
  for (const FrictionCone cone : {FrictionCone::exact, FrictionCone::polyhedral}) {
    if (cone == FrictionCone::polyhedral && has_torsion(m)) continue;
    ContactOptions options;
    options.cone = cone;
    solve_steps(m, m.A, options);
    if (contacts < least_in_factors) continue;
    solve_steps(m, G, options);
    options.enough = loose;
    solve_steps(m, G, options);
  }
  if (random_.chance(0.2)) solve_with_velocities(m);
}

void LadderSolves::solve_product(int contacts) {
  const Mechanics m = make(Family::full_rank, contacts, random_);
  const Product product(m.A);
  solve_steps(m, product, {});
}

}  // namespace carom::families
