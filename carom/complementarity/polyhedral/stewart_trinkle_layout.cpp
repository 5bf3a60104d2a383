#include "carom/complementarity/polyhedral/stewart_trinkle_layout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace carom {

void cone_directions(int directions, Eigen::Matrix2Xd& result) {
  const int K = directions;
  if (result.cols() != K) result.resize(2, K);
  for (int j = 0; j < K; ++j) {
    // From the first octant by symmetry, so that mirrored directions agree to the bit.
    const int eighths = 8 * j / K;          // octant
    const int quarter = (eighths + 1) / 2;  // nearest axis, in quarter turns
    const double angle = 2 * std::numbers::pi * (4.0 * j - static_cast<double>(quarter) * K) / (4.0 * K);
    const double along = std::cos(angle), across = std::sin(angle);
    const Eigen::Vector2d axes[] = {{along, across}, {-across, along}, {-along, -across}, {across, -along}};
    result.col(j) = axes[quarter % 4];
  }
}

double impulse_unit(double sum_of_squares, std::size_t count) {
  if (!(sum_of_squares > 0) || !std::isfinite(sum_of_squares)) return 1;
  return std::ldexp(1.0, -std::ilogb(sum_of_squares / static_cast<double>(count)));
}

void StewartTrinkleLayout::build(std::span<const Block> blocks, int directions) {
  if (directions_.cols() != directions) cone_directions(directions, directions_);
  parts_.clear();
  int unknowns = static_cast<int>(blocks.size());
  for (const Block& block : blocks) {
    Part part;
    part.row = block.row;
    part.normal_row = block.normal_row();
    part.constant = block.kind == BlockKind::bounded ? block.lower : block.floor;
    part.range = block.kind == BlockKind::bounded ? block.upper - block.lower : 0.0;
    part.bound = block.kind == BlockKind::cone ? block.friction.maxCoeff() : 0.0;
    if (part.bound > 0) {
      part.stretch_x = block.friction.x() / part.bound;
      part.stretch_y = block.friction.y() / part.bound;
      part.beta = unknowns;
      unknowns += directions;
    }
    parts_.push_back(part);
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const bool capped = blocks[b].kind == BlockKind::bounded && std::isfinite(parts_[b].range);
    if (parts_[b].bound > 0 || capped) parts_[b].cap = unknowns++;
  }
  size_ = unknowns;
  block_of_.resize(size_);
  for (std::size_t b = 0; b < parts_.size(); ++b) {
    block_of_[b] = static_cast<int>(b);
    if (parts_[b].cap >= 0) block_of_[parts_[b].cap] = static_cast<int>(b);
    for (int j = 0; parts_[b].beta >= 0 && j < directions; ++j) block_of_[parts_[b].beta + j] = static_cast<int>(b);
  }
}

void StewartTrinkleLayout::project(const double* y, double* rows) const {
  for (const Part& part : parts_) {
    *rows++ = y[part.normal_row];
  }
  for (const Part& part : parts_) {
    if (part.beta < 0) continue;
    const double x = part.stretch_x * y[part.row], across = part.stretch_y * y[part.row + 1];
    for (int j = 0; j < directions(); ++j) *rows++ = directions_(0, j) * x + directions_(1, j) * across;
  }
}

void StewartTrinkleLayout::recover_impulse(const double* z, double unit, Eigen::Ref<Eigen::VectorXd> impulse) const {
  impulse.setZero();
  for (std::size_t b = 0; b < parts_.size(); ++b) {
    const Part& part = parts_[b];
    double c = unit * z[b];
    if (part.beta < 0 && part.cap >= 0) c = std::min(c, part.range);
    impulse(part.normal_row) = part.constant + c;
    if (part.beta < 0 || !(impulse(part.normal_row) > 0)) continue;
    Eigen::Vector2d tangent = Eigen::Vector2d::Zero();
    for (int j = 0; j < directions(); ++j) tangent += z[part.beta + j] * direction(part, j);
    impulse.segment<2>(part.row) = unit * tangent;
  }
}

}  // namespace carom
