#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "carom/complementarity/mixed/mixed_ncp_solver.h"
#include "carom/stepper/quasi_rigid/contact_law.h"

// The law of one contact with nothing but an inertia behind it: M (u⁺ − u_free) = p, d⁺ = d + h u_n⁺.
namespace carom {

struct SingleContact {
  ContactLaw law;
  Eigen::Matrix4d M = Eigen::Matrix4d::Identity();  ///< of (u_t, u_o, u_n, w), symmetric, positive definite
  Eigen::Vector4d free_velocity = Eigen::Vector4d::Zero();
  double gap = 0;           ///< at the start of the step
  ContactInput input = {};  ///< h and deflections at the start; the rest is filled in
  double mass = 1, length = 0.1;

  VectorX x = {};  ///< u⁺, then the law's unknowns

  int size() const { return 4 + law.size(); }
  auto z() const { return x.tail(law.size()); }
  Eigen::Vector4d velocity() const { return x.head<4>(); }
  Eigen::Vector4d impulse() const { return law.impulse(z()); }

  ContactInput at(const Eigen::Ref<const VectorX>& point) const {
    ContactInput end = input;
    end.velocity = point.head<4>();
    end.gap = gap + input.h * point[2];
    return end;
  }
  ContactInput end() const { return at(x); }

  void residual(const Eigen::Ref<const VectorX>& point, Eigen::Ref<VectorX> F) const {
    const ContactRows rows = law.rows(at(point), point.tail(law.size()));
    F.head<4>() = M * (point.head<4>() - free_velocity) - rows.impulse;
    F.tail(law.size()) = rows.F.head(law.size());
  }
  void jacobian(const Eigen::Ref<const VectorX>& point, Eigen::Ref<MatrixX> J) const {
    const int n = law.size();
    const ContactRows rows = law.rows(at(point), point.tail(n));
    J.topLeftCorner<4, 4>() = M;
    J.topRightCorner(4, n) = -rows.impulse_by_z.leftCols(n);
    Eigen::Matrix<double, 5, 4> motion = Eigen::Matrix<double, 5, 4>::Zero();
    motion(0, 2) = input.h;
    motion.bottomRows<4>().setIdentity();
    J.bottomLeftCorner(n, 4) = (rows.F_by_motion * motion).topRows(n);
    J.bottomRightCorner(n, n) = rows.F_by_z.topLeftCorner(n, n);
  }

  /// Calls use(problem) with a view of this as a mixed complementarity problem.
  template <typename Use>
  auto as_problem(Use&& use) const {
    VectorX lower = VectorX::Constant(size(), -std::numeric_limits<double>::infinity()), upper = -lower;
    std::vector<double> sizes(static_cast<std::size_t>(size()), 1.0);
    sizes[3] = 1 / length;
    for (int i = 0; i < law.size(); ++i) {
      const int place = 4 + i;
      lower[place] = law.lower(i);
      sizes[static_cast<std::size_t>(place)] = law.unknown_size(i);
    }
    return use(MixedNcp{.lower = lower,
                        .upper = upper,
                        .function =
                            [this](const MixedNcp::Input& point, Eigen::Ref<VectorX> F) {
                              residual(point, F);
                              return true;
                            },
                        .dense_jacobian =
                            [this](const MixedNcp::Input& point, Eigen::Ref<MatrixX> J) {
                              jacobian(point, J);
                              return true;
                            },
                        .sparse_jacobian = {},
                        .sizes = sizes});
  }

  /// Starts at the free velocity with this impulse.
  void start(const Eigen::Vector4d& impulse = Eigen::Vector4d::Zero()) {
    x.resize(size());
    x.head<4>() = free_velocity;
    law.unknowns(impulse, free_velocity, x.tail(law.size()));
  }
  MixedNcpResult solve_on() {
    MixedNcpSolver solver;
    return as_problem([&](const MixedNcp& problem) { return solver.solve(problem, {}, x); });
  }
  MixedNcpResult solve() {
    start();
    return solve_on();
  }
  /// The next step: end becomes start. free: the free velocity of that step.
  void advance(const Eigen::Vector4d& free) {
    input.start = law.end(end(), z());
    gap += input.h * x[2];
    free_velocity = free;
  }
};

enum class LayerFamily { none, normal_alone, coupled, hertz, hunt_crossley, count };

/// Random problems with stiffness, damping, friction and the ellipsoid's ratios over four decades each.
class RandomContacts {
 public:
  explicit RandomContacts(unsigned seed) : random_(seed) {}

  double uniform() { return uniform_(random_); }  // in [−1, 1)
  /// 10^(−decades … decades).
  double about(double decades) { return std::pow(10, decades * uniform()); }
  bool coin() { return uniform() < 0; }
  int die(int sides) { return std::min(sides - 1, static_cast<int>((uniform() + 1) / 2 * sides)); }

  Eigen::Matrix4d inertia(double mass, double length) {
    Eigen::Matrix4d A;
    for (double& entry : A.reshaped()) entry = uniform();
    const Eigen::Vector4d units(1, 1, 1, length);
    return mass * units.asDiagonal() * (A * A.transpose() + 0.05 * Eigen::Matrix4d::Identity()) * units.asDiagonal();
  }
  Mat3 springs(double size) {
    Mat3 A;
    for (double& entry : A.reshaped()) entry = uniform();
    return size * (A * A.transpose() + 0.05 * Mat3::Identity());
  }

  Vec3 friction(double length) {
    const double mu = std::pow(10, -1 + 2 * uniform());  // 1e-3 to 10
    Vec3 m(mu, mu * std::pow(10, -2 + 2 * uniform()), mu * length * std::pow(10, -2 + 2 * uniform()));
    if (coin()) std::swap(m[0], m[1]);
    const int without = die(9);
    if (without == 0) m[2] = 0;
    if (without == 1) m.head<2>().setZero();
    if (without == 2) m[0] = 0;
    if (without == 3) m.setZero();
    return m;
  }

  std::optional<Layer> layer(LayerFamily family, double mass, double h) {
    if (family == LayerFamily::none) return {};
    Layer layer;
    layer.sideways = family != LayerFamily::normal_alone;
    layer.thickness = coin() ? std::numeric_limits<double>::infinity() : 1e-3 * about(1);
    const Mat3 K = springs(0.01 * mass / (h * h) * about(2));
    layer.stiffness = K;
    if (family == LayerFamily::normal_alone || family == LayerFamily::coupled) {
      if (coin()) layer.damping = springs(h * K.norm() * about(2));
      return layer;
    }
    layer.kind = family == LayerFamily::hertz ? LayerKind::hertz : LayerKind::hunt_crossley;
    layer.stiffness.setZero();
    layer.stiffness.topLeftCorner<2, 2>() = K.topLeftCorner<2, 2>();
    layer.stiffness(2, 2) = K(2, 2) / std::sqrt(1e-3);
    if (family == LayerFamily::hunt_crossley) layer.dissipation = about(2);
    return layer;
  }
  LayerFamily family() { return static_cast<LayerFamily>(die(static_cast<int>(LayerFamily::count))); }

  /// A deflection that the layer may have.
  Vec3 deflection(const std::optional<Layer>& layer) {
    if (!layer || uniform() > 0.5) return Vec3::Zero();
    const double size = std::min(layer->thickness, 1e-3) * (uniform() + 1) / 2;
    if (!layer->sideways) return Vec3(0, 0, size);
    return Vec3(size * uniform(), size * uniform(), size);
  }

  SingleContact contact(SlipKinematics kinematics, LayerFamily of_a, LayerFamily of_b) {
    const double mass = about(2), length = 0.1 * about(1), h = 1e-3 * about(1);
    const auto layer_a = layer(of_a, mass, h), layer_b = layer(of_b, mass, h);
    SingleContact one{.law = ContactLaw(friction(length), layer_a, layer_b, kinematics,
                                        {.mass = mass, .speed = 1, .length = length})};
    one.M = inertia(mass, length);
    one.mass = mass;
    one.length = length;
    for (int i = 0; i < 4; ++i) one.free_velocity[i] = uniform() * about(1) / (i == 3 ? length : 1);
    one.input.h = h;
    one.input.start.of = {deflection(layer_a), deflection(layer_b)};
    one.gap = -one.input.start.total()[2] + (coin() ? 0 : h * about(1));
    one.start();
    return one;
  }

 private:
  std::mt19937 random_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

}  // namespace carom
