#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <random>
#include <vector>

#include "carom/complementarity/contact_problem.h"

/// Free rigid bodies, and rows of contacts and joints between them: contact problems that come with the mechanics that
/// they were made from. Shared by tests and benchmarks.
namespace carom::families {

/// The mechanics of b bodies. M (6 b × 6 b), J (k × 6 b), v (6 b; angular, then linear), A = J M⁻¹ Jᵀ, u = J v.
struct Mechanics {
  Eigen::MatrixXd M, J, A;
  Eigen::VectorXd v, u;
  std::vector<Block> blocks;
  ContactProblem problem() const { return {A, u, blocks}; }
};

/// One number sequence for all platforms: std distributions differ between libraries, the engine does not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }
  /// 10 to the power of a uniform number.
  double logarithmic(double low_exponent, double high_exponent);
  bool chance(double probability) { return uniform(0, 1) < probability; }
  int integer(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  Eigen::Vector3d vector(double size);
  Eigen::Vector3d direction();

 private:
  std::mt19937_64 engine_;
};

struct FreeBody {
  double mass = 1;                                     ///< kg
  Eigen::Vector3d gyration = Eigen::Vector3d::Ones();  ///< radii of gyration about the principal axes, m
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< these axes as columns
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();   ///< velocity, rad/s
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();    ///< velocity of the centre of mass, m/s
};

/// A point where body a touches b. Bodies are counted from 0; −1 is the world.
struct Touch {
  int a = 0, b = -1;
  Eigen::Vector3d r_a = Eigen::Vector3d::Zero(), r_b = Eigen::Vector3d::Zero();  ///< from the centres of mass
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();                             ///< from b towards a
};

/// Columns x, y, z = normal.
Eigen::Matrix3d frame(const Eigen::Vector3d& normal);

/// Collects rows in their order; velocities are those of a relative to b.
class Assembly {
 public:
  std::vector<FreeBody> bodies;

  /// Rows x, y, normal; a fourth about the normal for an ellipsoid. The block's row is set here.
  Block& add_contact(const Touch& touch, BlockKind kind);
  /// The relative velocity of the touching points along an axis.
  Block& add_point_row(const Touch& touch, const Eigen::Vector3d& axis, BlockKind kind);
  /// The relative angular velocity about an axis.
  Block& add_turning_row(int a, int b, const Eigen::Vector3d& axis, BlockKind kind);
  Mechanics finish() const;

  std::vector<Block> blocks;

 private:
  using Vector6d = Eigen::Matrix<double, 6, 1>;
  struct Row {
    int a = -1, b = -1;
    Vector6d on_a = Vector6d::Zero(), on_b = Vector6d::Zero();  // (angular, linear)
  };
  static Row point_row(const Touch& touch, const Eigen::Vector3d& axis);
  Block& add_block(BlockKind kind);
  std::vector<Row> rows_;
};

}  // namespace carom::families
