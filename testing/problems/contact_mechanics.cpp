#include "testing/problems/contact_mechanics.h"

#include <Eigen/Geometry>
#include <cmath>
#include <utility>

namespace carom::families {

double Random::logarithmic(double low_exponent, double high_exponent) {
  return std::pow(10.0, uniform(low_exponent, high_exponent));
}

Eigen::Vector3d Random::vector(double size) {
  const double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
  return {x, y, z};
}

Eigen::Vector3d Random::direction() {
  for (;;) {
    const Eigen::Vector3d x = vector(1);
    if (x.norm() > 0.1 && x.norm() < 1) return x.normalized();
  }
}

Eigen::Matrix3d frame(const Eigen::Vector3d& normal) {
  const Eigen::Vector3d across = std::abs(normal.z()) < 0.9 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitX();
  Eigen::Matrix3d R;
  R.col(2) = normal;
  R.col(0) = across.cross(normal).normalized();
  R.col(1) = normal.cross(R.col(0));
  return R;
}

Assembly::Row Assembly::point_row(const Touch& touch, const Eigen::Vector3d& axis) {
  Row row;
  row.a = touch.a;
  row.b = touch.b;
  row.on_a << touch.r_a.cross(axis), axis;
  row.on_b << -touch.r_b.cross(axis), -axis;
  return row;
}

Block& Assembly::add_block(BlockKind kind) {
  Block block;
  block.kind = kind;
  block.row = static_cast<int>(rows_.size());
  blocks.push_back(block);
  return blocks.back();
}

Block& Assembly::add_contact(const Touch& touch, BlockKind kind) {
  Block& block = add_block(kind);
  const Eigen::Matrix3d R = frame(touch.normal);
  if (block.is_contact()) {
    rows_.push_back(point_row(touch, R.col(0)));
    rows_.push_back(point_row(touch, R.col(1)));
  }
  rows_.push_back(point_row(touch, R.col(2)));
  if (kind != BlockKind::ellipsoid) return block;
  Row torsion;
  torsion.a = touch.a;
  torsion.b = touch.b;
  torsion.on_a.head<3>() = touch.normal;
  torsion.on_b.head<3>() = -touch.normal;
  rows_.push_back(torsion);
  return block;
}

Block& Assembly::add_point_row(const Touch& touch, const Eigen::Vector3d& axis, BlockKind kind) {
  Block& block = add_block(kind);
  rows_.push_back(point_row(touch, axis));
  return block;
}

Block& Assembly::add_turning_row(int a, int b, const Eigen::Vector3d& axis, BlockKind kind) {
  Block& block = add_block(kind);
  Row row;
  row.a = a;
  row.b = b;
  row.on_a.head<3>() = axis;
  row.on_b.head<3>() = -axis;
  rows_.push_back(row);
  return block;
}

Mechanics Assembly::finish() const {
  const auto size = 6 * static_cast<Eigen::Index>(bodies.size());
  const auto rows = static_cast<Eigen::Index>(rows_.size());
  Mechanics result;
  result.blocks = blocks;
  result.M = Eigen::MatrixXd::Zero(size, size);
  result.v.resize(size);
  result.J = Eigen::MatrixXd::Zero(rows, size);
  result.A = Eigen::MatrixXd::Zero(rows, rows);
  // A = Hᵀ H, H = M^(−1/2) Jᵀ: body by body, since M is diagonal in the principal axes.
  std::vector<std::vector<std::pair<Eigen::Index, Vector6d>>> halves(bodies.size());
  for (Eigen::Index r = 0; r < rows; ++r) {
    const Row& row = rows_[static_cast<std::size_t>(r)];
    for (const auto& [body, jacobian] : {std::pair(row.a, row.on_a), std::pair(row.b, row.on_b)}) {
      if (body < 0) continue;
      const FreeBody& free = bodies[static_cast<std::size_t>(body)];
      result.J.block<1, 6>(r, 6 * body) += jacobian.transpose();
      Vector6d half;
      half << (free.axes.transpose() * jacobian.head<3>()).cwiseQuotient(free.gyration), jacobian.tail<3>();
      halves[static_cast<std::size_t>(body)].emplace_back(r, half / std::sqrt(free.mass));
    }
  }
  for (std::size_t body = 0; body < bodies.size(); ++body) {
    const FreeBody& free = bodies[body];
    const Eigen::Index at = 6 * static_cast<Eigen::Index>(body);
    result.v.segment<3>(at) = free.angular;
    result.v.segment<3>(at + 3) = free.linear;
    result.M.block<3, 3>(at, at) =
        free.axes * (free.mass * free.gyration.cwiseAbs2()).asDiagonal() * free.axes.transpose();
    result.M.block<3, 3>(at + 3, at + 3) = free.mass * Eigen::Matrix3d::Identity();
    for (const auto& [i, half_i] : halves[body]) {
      for (const auto& [j, half_j] : halves[body]) {
        if (j <= i) result.A(i, j) += half_i.dot(half_j);
      }
    }
  }
  for (Eigen::Index j = 0; j < rows; ++j) {
    for (Eigen::Index i = 0; i < j; ++i) result.A(i, j) = result.A(j, i);
  }
  result.u = result.J * result.v;
  return result;
}

}  // namespace carom::families
