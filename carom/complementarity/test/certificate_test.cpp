#include "carom/complementarity/certificate.h"

#include <gtest/gtest.h>

#include <Eigen/SparseCore>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/complementarity/polyhedral/polyhedral.h"
#include "testing/problems/problem_families.h"

namespace carom::certificate_test {
namespace {

using families::Mechanics;
using families::Random;

constexpr int K = 8;

/// A point mass m on a plane, sliding at speed s along `angle`, pressed on it with speed −u_n.
struct Slider {
  Eigen::Matrix3d A;
  Eigen::Vector3d u;
  std::vector<Block> blocks;
  Slider(double mass, double speed, double angle, double down, Eigen::Vector2d friction)
      : A(Eigen::Matrix3d::Identity() / mass), u(speed * std::cos(angle), speed * std::sin(angle), -down), blocks(1) {
    blocks[0].kind = BlockKind::cone;
    blocks[0].friction = friction;
  }
  ContactProblem problem() const { return {A, u, blocks}; }
};

TEST(Certificate, IsZeroForASliderWithTheExactImpulse) {
  for (int step = 0; step < 48; ++step) {
    const double angle = 2 * std::numbers::pi * step / 48, mu = 0.4;
    const Slider slider(2, 3, angle, 0.5, {mu, mu});
    const Eigen::Vector3d p(-mu * std::cos(angle), -mu * std::sin(angle), 1);  // m × 0.5 m/s = 1 N s
    const SolveCertificate c = certify(slider.problem(), p, 0);
    EXPECT_LE(c.normal_complementarity, 1e-15);
    EXPECT_LE(c.cone_violation, 1e-15);
    EXPECT_LE(c.dissipation_residual, 1e-15);
    EXPECT_EQ(c.polyhedral_error, 0);
    EXPECT_LE(c.natural_map, 1e-15);
    EXPECT_NEAR(c.contact_work, 0.25 * p.squaredNorm() + slider.u.dot(p), 1e-14);
    EXPECT_LE(c.worst_work, 0);
  }
}

TEST(Certificate, StatesThePolyhedralErrorAndNoMore) {
  PolyhedralSolver solver;
  for (int step = 0; step < 48; ++step) {
    const double angle = 2 * std::numbers::pi * step / 48, mu = 0.4;
    const Slider slider(2, 3, angle, 0.5, {mu, mu});
    Eigen::Vector3d p, v;
    ASSERT_EQ(solver.solve(slider.problem(), {K, {}}, p, v).status, SolveStatus::solved);
    const SolveCertificate c = certify(slider.problem(), p, K);
    EXPECT_LE(c.dissipation_residual, 1e-14);
    const double slip = v.head<2>().norm(), p_size = p.norm(), u_size = slider.u.norm();
    const double worst = mu * p.z() * slip * (1 - std::cos(std::numbers::pi / K)) / (p_size * u_size);
    EXPECT_LE(c.polyhedral_error, worst + 1e-15);
    const bool generator = step % (48 / K) == 0;
    if (generator) {
      EXPECT_LE(c.polyhedral_error, 1e-15);
      EXPECT_LE(c.natural_map, 1e-14);
    }
    // The polygon explains what the exact cone misses, but for the residual that was judged above.
    EXPECT_NEAR(certify(slider.problem(), p, 0).dissipation_residual, c.polyhedral_error, 1e-14);
  }
}

TEST(Certificate, ReactsToEveryCorruption) {
  Random random(11);
  PolyhedralSolver solver;
  int sliding = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Mechanics m = families::make(families::all[trial % 4], 1 + trial % 8, random);
    const ContactProblem problem = m.problem();
    Eigen::VectorXd p(problem.u.size()), v(problem.u.size());
    ASSERT_EQ(solver.solve(problem, {K, {}}, p, v).status, SolveStatus::solved);
    if (p.norm() == 0) continue;
    int pressed = 0;
    for (std::size_t b = 0; b < m.blocks.size(); ++b) {
      if (p(m.blocks[b].normal_row()) > p(m.blocks[pressed].normal_row())) pressed = static_cast<int>(b);
    }
    const Block& block = m.blocks[pressed];
    Eigen::VectorXd bad = p;
    bad(block.normal_row()) *= -1;
    EXPECT_GT(certify(problem, bad, K).normal_complementarity, 1e-3);
    bad = p;
    bad.segment<2>(block.row) = Eigen::Vector2d(2 * block.friction.x() * p(block.normal_row()), 0);
    EXPECT_GT(certify(problem, bad, K).cone_violation, 1e-3);
    EXPECT_GT(certify(problem, bad, K).natural_map, 1e-3);
    if (v.segment<2>(block.row).norm() > 0.1) {  // friction turned round pushes the slip on
      ++sliding;
      bad = p;
      bad.segment<2>(block.row) *= -1;
      EXPECT_GT(certify(problem, bad, K).dissipation_residual, 1e-3);
      EXPECT_GT(certify(problem, bad, K).natural_map, 1e-3);
      EXPECT_GT(certify(problem, bad, K).contact_work, certify(problem, p, K).contact_work);
    }
  }
  EXPECT_GT(sliding, 20);
}

TEST(Certificate, NamesTheBlockThatDoesWork) {
  Eigen::Matrix2d A = Eigen::Matrix2d::Identity();
  Eigen::Vector2d u(-1, -1);
  std::vector<Block> blocks(2);
  blocks[1].row = 1;
  const ContactProblem problem{A, u, blocks};
  const SolveCertificate c = certify(problem, Eigen::Vector2d(1, 1.5), 0);  // u⁺ = (0, 0.5)
  EXPECT_EQ(c.worst_block, 1);
  EXPECT_DOUBLE_EQ(c.worst_work, 0.75);
  EXPECT_DOUBLE_EQ(c.contact_work, -0.5 + 0.5 * (0.5 - 1) * 1.5);
  EXPECT_EQ(c.push_out, 0);
  blocks[1].push_speed = 1e3;  // then the same work pushes an overlap out
  blocks[1].offset = -0.5;
  const SolveCertificate pushed = certify(problem, Eigen::Vector2d(1, 1.5), 0);
  EXPECT_EQ(pushed.worst_block, -1);
  EXPECT_DOUBLE_EQ(pushed.push_out, 0.75);
  EXPECT_LE(pushed.normal_complementarity, 1e-15);
  EXPECT_LE(pushed.natural_map, 1e-15);
}

TEST(Certificate, KnowsEllipsesWithOneZeroAxis) {
  // Friction along x alone: y slides freely, and an impulse along y is outside the cone.
  const Slider slider(2, 3, 0.7, 0.5, {0.4, 0});
  const Eigen::Vector3d exact(-0.4, 0, 1);
  EXPECT_LE(certify(slider.problem(), exact, 0).dissipation_residual, 1e-15);
  EXPECT_LE(certify(slider.problem(), exact, 0).natural_map, 1e-15);
  EXPECT_EQ(certify(slider.problem(), exact, 0).cone_violation, 0);
  EXPECT_GT(certify(slider.problem(), Eigen::Vector3d(-0.4, -0.1, 1), 0).cone_violation, 0.05);
  const Slider smooth(2, 3, 0.7, 0.5, {0, 0});
  EXPECT_LE(certify(smooth.problem(), Eigen::Vector3d(0, 0, 1), 0).natural_map, 1e-15);
  EXPECT_GT(certify(smooth.problem(), Eigen::Vector3d(-0.1, 0, 1), 0).cone_violation, 0.05);
  // An ellipse: the friction that dissipates most is −p_n M² u / ‖M u‖, M = diag(μ).
  const Slider ellipse(2, 3, 0.7, 0.5, {0.4, 0.1});
  const Eigen::Vector2d mu(0.4, 0.1);
  Eigen::Vector3d p(0, 0, 1);
  for (int i = 0; i < 200; ++i) {  // u⁺ depends on p: a contraction, as p is small beside the slip
    const Eigen::Vector2d slip = (ellipse.u + ellipse.A * p).head<2>();
    p.head<2>() = -mu.cwiseAbs2().cwiseProduct(slip) / mu.cwiseProduct(slip).norm();
  }
  EXPECT_LE(certify(ellipse.problem(), p, 0).dissipation_residual, 1e-15);
  EXPECT_LE(certify(ellipse.problem(), p, 0).cone_violation, 1e-15);
  EXPECT_LE(certify(ellipse.problem(), p, 0).natural_map, 1e-14);
}

TEST(Certificate, IsTheSameInAnyUnitsAndOrder) {
  Random random(12);
  for (int trial = 0; trial < 50; ++trial) {
    const Mechanics m = families::make(families::all[trial % 4], 2 + trial % 6, random);
    const int k = static_cast<int>(m.u.size()), blocks = k / 3;
    Eigen::VectorXd p(k);
    for (double& entry : p) entry = random.uniform(-0.1, 1);  // any impulse, not a solution
    const SolveCertificate c = certify(m.problem(), p, K);
    const double mass = 1000, time = 1e-3;  // units of kg and s in new ones; impulse: mass / time with metres kept
    Mechanics scaled = m;
    scaled.A = m.A / mass;
    scaled.u = m.u / time;
    for (Block& block : scaled.blocks) block.offset /= time;
    const SolveCertificate s = certify(scaled.problem(), p * mass / time, K);
    Mechanics turned = m;
    Eigen::VectorXd p_turned(k);
    std::vector<int> from(k);
    for (int i = 0; i < k; ++i) from[i] = 3 * (blocks - 1 - i / 3) + i % 3;
    for (int i = 0; i < k; ++i) {
      turned.u(i) = m.u(from[i]);
      p_turned(i) = p(from[i]);
      for (int j = 0; j < k; ++j) turned.A(i, j) = m.A(from[i], from[j]);
    }
    for (int b = 0; b < blocks; ++b) {
      turned.blocks[b] = m.blocks[blocks - 1 - b];
      turned.blocks[b].row = 3 * b;
    }
    const SolveCertificate t = certify(turned.problem(), p_turned, K);
    const auto same = [](double a, double b) { EXPECT_NEAR(a, b, 1e-12 * (1 + std::abs(a))); };
    for (const SolveCertificate& other : {s, t}) {
      same(c.normal_complementarity, other.normal_complementarity);
      same(c.cone_violation, other.cone_violation);
      same(c.dissipation_residual, other.dissipation_residual);
      same(c.polyhedral_error, other.polyhedral_error);
      same(c.natural_map, other.natural_map);
    }
    same(c.contact_work, s.contact_work * time * time / mass);
    same(c.contact_work, t.contact_work);
    ASSERT_EQ(c.worst_block < 0, t.worst_block < 0);
    EXPECT_EQ(c.worst_block < 0 ? -1 : blocks - 1 - c.worst_block, t.worst_block);
  }
}

/// A disc of unit radius of gyration on a plane, which slides and spins; contact frame rows x, y, z, torsion.
struct Spinner {
  Eigen::Matrix4d A = Eigen::Matrix4d::Identity();
  Eigen::Vector4d u;
  std::vector<Block> blocks;
  Spinner(const Eigen::Vector4d& before, const Eigen::Vector3d& axes) : u(before), blocks(1) {
    blocks[0].kind = BlockKind::ellipsoid;
    blocks[0].friction = axes.head<2>();
    blocks[0].torsion = axes.z();
  }
  ContactProblem problem() const { return {A, u, blocks}; }
};

TEST(Certificate, KnowsTorsion) {
  // Sliding: p_f = −p_n M² u_f⁺ / ‖M u_f⁺‖, M the semi-axes; a contraction, as p is small beside the slip.
  const Eigen::Vector3d axes(0.3, 0.2, 0.05);
  const Spinner disc(Eigen::Vector4d(2, 1, -1, 4), axes);
  Eigen::Vector4d p(0, 0, 1, 0);
  for (int i = 0; i < 200; ++i) {
    const Eigen::Vector4d after = disc.u + disc.A * p;
    const Eigen::Vector3d slip(after(0), after(1), after(3));
    const Eigen::Vector3d friction = -axes.cwiseAbs2().cwiseProduct(slip) / axes.cwiseProduct(slip).norm();
    p << friction.head<2>(), 1, friction(2);
  }
  const SolveCertificate c = certify(disc.problem(), p, 0);
  EXPECT_LE(c.normal_complementarity, 1e-15);
  EXPECT_LE(c.cone_violation, 1e-15);
  EXPECT_LE(c.dissipation_residual, 1e-14);
  EXPECT_LE(c.natural_map, 1e-14);
  p(3) *= -1;  // torsion that drives the spin
  EXPECT_GT(certify(disc.problem(), p, 0).dissipation_residual, 0.05);
  EXPECT_GT(certify(disc.problem(), p, 0).natural_map, 0.05);
  p(3) *= -10;  // more than the ellipsoid holds
  EXPECT_GT(certify(disc.problem(), p, 0).cone_violation, 0.05);

  // Torsion alone: the disc turns on a plane without friction, and only its spin is braked.
  const Spinner pivot(Eigen::Vector4d(2, 1, -1, 4), {0, 0, 0.05});
  EXPECT_LE(certify(pivot.problem(), Eigen::Vector4d(0, 0, 1, -0.05), 0).natural_map, 1e-15);
  EXPECT_LE(certify(pivot.problem(), Eigen::Vector4d(0, 0, 1, -0.05), 0).dissipation_residual, 1e-15);
  EXPECT_GT(certify(pivot.problem(), Eigen::Vector4d(0, 0, 1, 0), 0).natural_map, 0.01);
}

TEST(Certificate, KnowsBilateralAndBoundedRows) {
  const Eigen::Matrix2d A = Eigen::Vector2d(2, 1).asDiagonal();
  const Eigen::Vector2d u(3, 1);
  std::vector<Block> blocks(2);
  blocks[0].kind = BlockKind::bilateral;
  blocks[0].offset = 1;  // u⁺ = −1
  blocks[1].kind = BlockKind::bounded;
  blocks[1].row = 1;
  blocks[1].lower = -0.25;
  blocks[1].upper = 0.5;
  const ContactProblem problem{A, u, blocks};
  const auto at = [&](double x, double y) { return certify(problem, Eigen::Vector2d(x, y), 0); };
  EXPECT_EQ(at(-2, -0.25).bilateral_residual, 0);
  EXPECT_EQ(at(-2, -0.25).bounded_residual, 0);
  EXPECT_EQ(at(-2, -0.25).natural_map, 0);
  EXPECT_GT(at(-1.9, -0.25).bilateral_residual, 0.01);
  EXPECT_GT(at(-2, -0.2).bounded_residual, 0.01);  // could brake more
  EXPECT_GT(at(-2, -0.3).bounded_residual, 0.01);  // out of bounds
  EXPECT_GT(at(-2, 0.5).bounded_residual, 0.01);   // pushes the motion on
  EXPECT_GT(at(-2, 0.5).worst_work, 0.5);
  EXPECT_EQ(at(-2, 0.5).worst_block, 1);
  blocks[1].offset = -0.9;  // then −0.1 stops it within the bounds
  EXPECT_LE(at(-2, -0.1).natural_map, 1e-15);
  EXPECT_GT(at(-2, -0.25).natural_map, 0.05);
}

/// A light foot on a rubbing or prescribed ankle: what its turning is judged by follows no unit of length.
TEST(Certificate, JudgesRowsThatTurnAlikeInAnyUnitOfLength) {
  for (const BlockKind kind : {BlockKind::bounded, BlockKind::bilateral}) {
    const auto residual = [&](double length) {  // a metre in the new unit
      Eigen::Matrix4d A = Eigen::Vector4d(5, 5, 5, 1e4 / (length * length)).asDiagonal();
      A(0, 3) = A(3, 0) = 150 / length;
      Eigen::Vector4d u(1e-4 * length, 0, -0.01 * length, 1e-6), p(1e-4 * length, 0, 0.002 * length, 1e-7);
      p[3] *= length * length;
      std::vector<Block> blocks(2);
      blocks[0].kind = BlockKind::cone;
      blocks[0].friction = {0.5, 0.5};
      blocks[1].kind = kind;
      blocks[1].row = 3;
      blocks[1].lower = -length * length;
      blocks[1].upper = length * length;
      const SolveCertificate c = certify({A, u, blocks}, p, 0);
      return kind == BlockKind::bounded ? c.bounded_residual : c.bilateral_residual;
    };
    const double turns = 1e-6 + 1e4 * 1e-7 + 150 * 1e-4, energy = std::hypot(1e-4, 0.002) * std::hypot(1e-4, 0.01);
    EXPECT_NEAR(residual(1), turns / std::sqrt(1e4 * energy), 1e-12);
    for (const int power : {-10, -3, 4}) EXPECT_EQ(residual(std::ldexp(1.0, power)), residual(1)) << power;
  }
}

TEST(Certificate, IsTheSameForEveryFormOfTheOperator) {
  struct Product : ContactProduct {
    const Eigen::MatrixXd& A;
    explicit Product(const Eigen::MatrixXd& matrix) : A(matrix) {}
    Eigen::Index rows() const override { return A.rows(); }
    void multiply(const Eigen::Ref<const Eigen::VectorXd>& p, Eigen::Ref<Eigen::VectorXd> y) const override {
      y.noalias() = A * p;
    }
  };
  Random random(13);
  for (int trial = 0; trial < 40; ++trial) {
    const Mechanics m = families::make(families::all[trial % 4], 1 + trial % 9, random);
    Eigen::VectorXd p(m.u.size());
    for (double& entry : p) entry = random.uniform(-0.1, 1);
    const Eigen::SparseMatrix<double> sparse = m.A.sparseView();
    const Product product(m.A);
    const SolveCertificate dense = certify(m.problem(), p, 0);
    for (const ContactOperator& form : {ContactOperator(sparse), ContactOperator(product)}) {
      const SolveCertificate other = certify({form, m.u, m.blocks}, p, 0);
      EXPECT_NEAR(other.natural_map, dense.natural_map, 1e-12 * (1 + dense.natural_map));
      EXPECT_NEAR(other.normal_complementarity, dense.normal_complementarity, 1e-12);
      EXPECT_NEAR(other.contact_work, dense.contact_work, 1e-12 * (1 + std::abs(dense.contact_work)));
      Eigen::MatrixXd copy(m.A.rows(), m.A.cols());
      form.copy_to(copy);
      EXPECT_TRUE(copy == m.A);
    }
  }
}

TEST(Certificate, SeesADemandThatNothingCanMeet) {
  // A = 0: whatever the impulse, a closing contact goes on closing, and a bilateral row goes on moving.
  const Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3, 3);
  const Eigen::Vector3d u(0, 0, -1);
  std::vector<Block> cone(1);
  cone[0].kind = BlockKind::cone;
  EXPECT_EQ(certify({A, u, cone}, Eigen::Vector3d::Zero(), 0).natural_map, 1);
  EXPECT_EQ(certify({A, -u, cone}, Eigen::Vector3d::Zero(), 0).natural_map, 0);
  std::vector<Block> held(3);
  for (int i = 0; i < 3; ++i) {
    held[i].kind = BlockKind::bilateral;
    held[i].row = i;
  }
  EXPECT_EQ(certify({A, u, held}, Eigen::Vector3d::Zero(), 0).natural_map, 1);
}

TEST(Certificate, NeverCallsGoodWhatIsNoNumber) {
  families::Random random(71);
  const families::Mechanics m = families::make(families::Family::full_rank, 3, random);
  for (Eigen::Index row = 0; row < m.u.size(); ++row) {
    Eigen::VectorXd impulse = Eigen::VectorXd::Constant(m.u.size(), 0.1);
    impulse(row) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(certify(m.problem(), impulse, 0).natural_map <= 1e300) << row;
    EXPECT_FALSE(certify(m.problem(), impulse, 8).normal_complementarity <= 1e300) << row;
  }
}

}  // namespace
}  // namespace carom::certificate_test
