#include "carom/complementarity/least_norm/labelled_system.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "carom/complementarity/linear/dense_kernels.h"
#include "carom/error.h"

namespace carom {
namespace {

void check_block(const Block& block, std::size_t index) {
  const std::string where = "block " + std::to_string(index);
  if (block.kind != BlockKind::bilateral && block.kind != BlockKind::unilateral && block.kind != BlockKind::cone) {
    throw Error("least-norm active sets: " + where +
                " is bounded or an ellipsoid; they know bilateral, unilateral and cone blocks");
  }
  if (block.floor != 0) {
    throw Error("least-norm active sets: " + where +
                " has a floor; an impulse that is owed is given by its label (NormalState::given)");
  }
}

bool acts(const BlockLabel& label) { return label.normal == NormalState::active || label.normal == NormalState::given; }
bool slides(const BlockLabel& label) {
  return acts(label) && (label.tangent == TangentState::sliding || label.tangent == TangentState::slipping);
}

}  // namespace

void LabelledSystem::reserve(int blocks, int rows) {
  const auto size = static_cast<std::size_t>(rows);
  blocks_.reserve(blocks);
  labels_.reserve(blocks);
  if (A_.size() < size * size) A_.resize(size * size);
  for (auto* buffer : {&u_, &offset_, &stiffness_, &row_scale_, &impulse_, &velocity_, &right_, &unknown_, &buffer_,
                       &rate_, &multipliers_}) {
    buffer->reserve(size);
  }
  rows_.reserve(size);
  columns_.reserve(size);
  if (B_.rows() < rows) B_.resize(rows, rows);
  factors_.reserve(rows + 3, rows + 3);
}

void LabelledSystem::bind(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Eigen::VectorXd>& u,
                          std::span<const Block> blocks, std::span<const double> stiffness) {
  for (std::size_t i = 0; i < blocks.size(); ++i) check_block(blocks[i], i);
  size_ = static_cast<int>(A.rows());
  if (A.cols() != A.rows() || u.size() != A.rows() || (!stiffness.empty() && std::ssize(stiffness) != u.size())) {
    throw Error("least-norm active sets: A must be square, and u and the stiffnesses as long as its side, " +
                std::to_string(size_));
  }
  blocks_.assign(blocks.begin(), blocks.end());
  labels_.assign(blocks.size(), BlockLabel{NormalState::absent, TangentState::rolling, Eigen::Vector2d::Zero(), 0});
  reserve(static_cast<int>(blocks.size()), size_);
  const auto size = static_cast<std::size_t>(size_);
  for (int j = 0; j < size_; ++j) std::copy(A.col(j).data(), A.col(j).data() + size_, A_.data() + j * size_);
  u_.assign(u.data(), u.data() + size_);
  if (stiffness.empty()) {
    stiffness_.assign(size, 1.0);
  } else {
    stiffness_.assign(stiffness.begin(), stiffness.end());
  }
  for (const double k : stiffness_) {
    if (!(k > 0)) throw Error("least-norm active sets: every stiffness must be positive, one is " + std::to_string(k));
  }
  row_scale_.assign(size, 1.0);
  offset_.assign(size, 0.0);
  speed_ = 0;
  for (const Block& block : blocks_) {
    double mean = 0;
    for (int i = block.row; i < block.row + block.size(); ++i) {
      mean += a(i)[i] / block.size();
      if (i == block.normal_row()) offset_[i] = block.offset;
      speed_ = std::max(speed_, std::abs(u_[i] + offset_[i]));
    }
    for (int i = block.row; i < block.row + block.size(); ++i) row_scale_[i] = mean > 0 ? 1 / mean : 1;
  }
  if (speed_ == 0) speed_ = 1;
  impulse_.assign(size, 0.0);
  velocity_.assign(u_.begin(), u_.end());
  right_.assign(size, 0.0);
  for (auto* buffer : {&unknown_, &buffer_, &rate_, &multipliers_}) buffer->assign(size, 0.0);
  rows_.clear();
  columns_.clear();
  factored_ = false;
}

void LabelledSystem::set_velocity(const Eigen::Ref<const Eigen::VectorXd>& u) {
  std::copy(u.data(), u.data() + size_, u_.begin());
}

LabelledSystem::Layout LabelledSystem::layout(int block, const BlockLabel& label) const {
  Layout result;
  const int last = blocks_[block].size() - 1;
  result.row[last] = label.normal == NormalState::active;
  result.column[last] = label.normal == NormalState::active || label.normal == NormalState::free;
  if (last == 0) return result;
  const bool rolling = acts(label) && label.tangent == TangentState::rolling;
  const bool free = label.normal == NormalState::free || (acts(label) && label.tangent == TangentState::free);
  for (int axis = 0; axis < 2; ++axis) {
    result.row[axis] = rolling && rubs(block, axis);
    result.column[axis] = (rolling || free) && rubs(block, axis);
  }
  result.combined = result.column[last] && slides(label);
  return result;
}

/// The least weighted norm of an impulse that comes along with one of 1 along the unknown is 1 / scale.
LabelledSystem::Unknown LabelledSystem::unknown(int block, int component) const {
  const Block& b = blocks_[block];
  double compliance = 1 / stiffness_[b.row + component];
  if (component == 2 && slides(labels_[block])) {
    for (int axis = 0; axis < 2; ++axis) {
      const double along = b.friction[axis] * labels_[block].slip[axis];
      compliance += along * along / stiffness_[b.row + axis];
    }
  }
  return {block, component, 1 / std::sqrt(compliance)};
}

double LabelledSystem::entry(int row, const Unknown& unknown) const {
  const Block& b = blocks_[unknown.block];
  double sum = a(b.row + unknown.component)[row];
  if (unknown.component == 2 && slides(labels_[unknown.block])) {
    const Eigen::Vector2d& s = labels_[unknown.block].slip;
    sum -= b.friction[0] * s[0] * a(b.row)[row] + b.friction[1] * s[1] * a(b.row + 1)[row];
  }
  return sum * row_scale_[row] * unknown.scale;
}

void LabelledSystem::fill_column(const Unknown& unknown) {
  for (std::size_t i = 0; i < rows_.size(); ++i) buffer_[i] = entry(rows_[i], unknown);
}

void LabelledSystem::fill_row(int row) {
  for (std::size_t j = 0; j < columns_.size(); ++j) buffer_[j] = entry(row, columns_[j]);
}

void LabelledSystem::set_labels(std::span<const BlockLabel> labels) {
  labels_.assign(labels.begin(), labels.end());
  factored_ = false;
}

void LabelledSystem::factorize() {
  rows_.clear();
  columns_.clear();
  for (int k = 0; k < std::ssize(blocks_); ++k) {
    const Layout now = layout(k, labels_[k]);
    for (int c = 0; c < blocks_[k].size(); ++c) {
      if (now.row[c]) rows_.push_back(blocks_[k].row + c);
      if (now.column[c]) columns_.push_back(unknown(k, c));
    }
  }
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    for (std::size_t i = 0; i < rows_.size(); ++i) B_(i, j) = entry(rows_[i], columns_[j]);
  }
  factors_.factorize(B_.topLeftCorner(std::ssize(rows_), std::ssize(columns_)));
  factored_ = true;
}

void LabelledSystem::relabel(int block, const BlockLabel& label) {
  const Layout before = layout(block, labels_[block]);
  const bool turned = labels_[block].slip != label.slip;
  labels_[block] = label;
  if (!factored_) return;
  const Layout now = layout(block, label);
  if (now.row == before.row && now.column == before.column && now.combined == before.combined &&
      !(now.combined && turned)) {
    return;  // only the right side changes
  }
  if (std::ssize(rows_) < update_from_) {
    factored_ = false;
  } else {
    edit(block, before, now, turned);
  }
}

/// Everything that goes is taken away before anything comes, so that the matrix never grows beyond A's side by more
/// than a block.
void LabelledSystem::edit(int block, const Layout& before, const Layout& after, bool turned) {
  const int row = blocks_[block].row;
  const auto keeps_column = [&](int c) {
    return after.column[c] && before.column[c] && (c < 2 || before.combined == after.combined) &&
           !(c == 2 && after.combined && turned);
  };
  for (int j = static_cast<int>(columns_.size()) - 1; j >= 0; --j) {
    if (columns_[j].block != block || keeps_column(columns_[j].component)) continue;
    columns_.erase(columns_.begin() + j);
    factors_.remove_column(j);
  }
  for (int i = static_cast<int>(rows_.size()) - 1; i >= 0; --i) {
    const int c = rows_[i] - row;
    if (c < 0 || c >= blocks_[block].size() || after.row[c]) continue;
    rows_.erase(rows_.begin() + i);
    factors_.remove_row(i);
  }
  for (int c = 0; c < blocks_[block].size(); ++c) {
    if (!after.row[c] || before.row[c]) continue;
    fill_row(row + c);
    rows_.push_back(row + c);
    factors_.append_row({buffer_.data(), columns_.size()});
  }
  for (int c = 0; c < blocks_[block].size(); ++c) {
    if (!after.column[c] || keeps_column(c)) continue;
    columns_.push_back(unknown(block, c));
    fill_column(columns_.back());
    factors_.append_column({buffer_.data(), rows_.size()});
  }
}

LabelledSolution LabelledSystem::solve() {
  if (!factored_) factorize();
  std::fill(impulse_.begin(), impulse_.end(), 0.0);
  const auto add_friction = [&](int k) {
    const Block& b = blocks_[k];
    if (b.size() == 1 || !slides(labels_[k])) return;
    for (int axis = 0; axis < 2; ++axis) {
      impulse_[b.row + axis] = -b.friction[axis] * labels_[k].slip[axis] * impulse_[b.row + 2];
    }
  };
  for (int k = 0; k < std::ssize(blocks_); ++k) {
    if (labels_[k].normal != NormalState::given) continue;
    impulse_[blocks_[k].normal_row()] = labels_[k].given;
    add_friction(k);
  }
  velocity_.assign(u_.begin(), u_.end());
  for (int j = 0; j < size_; ++j) {
    if (impulse_[j] != 0) dense::add_scaled(size_, impulse_[j], a(j), velocity_.data());
  }
  // Relative to all velocities, asked for or not: those asked for may be round-off.
  double size = 0;
  for (int i = 0; i < size_; ++i) {
    const double target = (velocity_[i] + offset_[i]) * row_scale_[i];
    size += target * target;
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const int row = rows_[i];
    right_[i] = -(velocity_[row] + offset_[row]) * row_scale_[row];
  }
  const LeastNormSolution found = factors_.solve({right_.data(), rows_.size()}, {unknown_.data(), columns_.size()});
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    const Unknown& x = columns_[j];
    impulse_[blocks_[x.block].row + x.component] = unknown_[j] * x.scale;
  }
  for (int k = 0; k < std::ssize(blocks_); ++k) add_friction(k);
  velocity_.assign(u_.begin(), u_.end());
  double norm = 0;
  for (int j = 0; j < size_; ++j) {
    if (impulse_[j] != 0) dense::add_scaled(size_, impulse_[j], a(j), velocity_.data());
    norm += impulse_[j] * impulse_[j] / stiffness_[j];
  }
  residual_ = size > 0 ? found.residual / std::sqrt(size) : 0;
  return {std::sqrt(norm), residual_, found.rank};
}

void LabelledSystem::turn(int block, const Eigen::Vector2d& change, Eigen::Ref<Eigen::VectorXd> impulse_rate,
                          Eigen::Ref<Eigen::VectorXd> velocity_rate) {
  const Block& b = blocks_[block];
  const Eigen::Vector2d along = b.friction.cwiseProduct(change);
  // buffer_: how the velocities asked for change with s, per unit of normal impulse.
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const int row = rows_[i];
    buffer_[i] = -(along[0] * a(b.row)[row] + along[1] * a(b.row + 1)[row]) * row_scale_[row];
  }
  impulse_rate.setZero();
  const double normal = impulse_[b.row + 2];
  if (labels_[block].normal == NormalState::given) {
    for (std::size_t i = 0; i < rows_.size(); ++i) right_[i] = -normal * buffer_[i];
    factors_.solve({right_.data(), rows_.size()}, {rate_.data(), columns_.size()});
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      impulse_rate[blocks_[columns_[j].block].row + columns_[j].component] = rate_[j] * columns_[j].scale;
    }
  } else {
    const auto found = std::find_if(columns_.begin(), columns_.end(),
                                    [&](const Unknown& x) { return x.block == block && x.component == 2; });
    double compliance_rate = 0;
    for (int axis = 0; axis < 2; ++axis) {
      compliance_rate += 2 * b.friction[axis] * labels_[block].slip[axis] * along[axis] / stiffness_[b.row + axis];
    }
    turn_column(static_cast<int>(found - columns_.begin()), compliance_rate, impulse_rate);
  }
  for (int k = 0; k < std::ssize(blocks_); ++k) {
    if (blocks_[k].size() == 1 || !slides(labels_[k])) continue;
    const Block& other = blocks_[k];
    impulse_rate.segment<2>(other.row) = -other.friction.cwiseProduct(labels_[k].slip) * impulse_rate[other.row + 2];
  }
  impulse_rate.segment<2>(b.row) -= along * normal;
  velocity_rate.setZero();
  for (int j = 0; j < size_; ++j) {
    if (impulse_rate[j] != 0) dense::add_scaled(size_, impulse_rate[j], a(j), velocity_rate.data());
  }
}

/// The part of turn() for an unknown normal impulse. Its column of B changes by what buffer_ has per unit of impulse,
/// and with its scale.
void LabelledSystem::turn_column(int column, double compliance_rate, Eigen::Ref<Eigen::VectorXd> impulse_rate) {
  const Unknown& turned = columns_[column];
  const std::size_t m = rows_.size(), n = columns_.size();
  const double stretch = -0.5 * compliance_rate * turned.scale * turned.scale;  // scale' / scale
  for (std::size_t i = 0; i < m; ++i) {
    buffer_[i] = buffer_[i] * turned.scale + stretch * entry(rows_[i], turned);
    right_[i] = -buffer_[i] * unknown_[column];
  }
  factors_.solve({right_.data(), m}, {rate_.data(), n});
  const auto add = [&](double factor) {
    for (std::size_t j = 0; j < n; ++j) {
      impulse_rate[blocks_[columns_[j].block].row + columns_[j].component] += factor * rate_[j] * columns_[j].scale;
    }
  };
  add(1);
  if (factors_.rank() < static_cast<int>(n)) {
    factors_.multipliers({unknown_.data(), n}, {multipliers_.data(), m});
    const double pull = dense::dot(static_cast<int>(m), buffer_.data(), multipliers_.data());
    for (std::size_t i = 0; i < m; ++i) right_[i] = entry(rows_[i], turned);
    factors_.solve({right_.data(), m}, {rate_.data(), n});
    add(-pull);
    impulse_rate[blocks_[turned.block].row + 2] += pull * turned.scale;
  }
  impulse_rate[blocks_[turned.block].row + 2] += unknown_[column] * turned.scale * stretch;
}

double LabelledSystem::impulse_violation(int block) const {
  const Block& b = blocks_[block];
  const BlockLabel& label = labels_[block];
  if (b.kind == BlockKind::bilateral || !acts(label)) return 0;
  const double normal = impulse_[b.normal_row()];
  const double pull = label.normal == NormalState::active ? -normal : 0;
  const double friction = b.friction.maxCoeff();
  if (b.kind != BlockKind::cone || label.tangent != TangentState::rolling || friction <= 0) return pull;
  double square = 0;
  for (int axis = 0; axis < 2; ++axis) {
    if (!rubs(block, axis)) continue;
    const double along = impulse_[b.row + axis] / b.friction[axis];
    square += along * along;
  }
  return std::max(pull, friction * (std::sqrt(square) - normal));
}

LabelViolation LabelledSystem::violation() const {
  LabelViolation worst;
  double largest = 0;
  for (int i = 0; i < size_; ++i) largest = std::max(largest, std::abs(impulse_[i]));
  if (largest == 0) largest = 1;
  for (int k = 0; k < std::ssize(blocks_); ++k) {
    const Block& b = blocks_[k];
    const int z = b.normal_row();
    worst.impulse = std::max(worst.impulse, impulse_violation(k) / largest);
    if (labels_[k].normal == NormalState::open) {
      worst.approach = std::max(worst.approach, -(velocity_[z] + offset_[z]) / speed_);
    }
    if (b.kind == BlockKind::cone && acts(labels_[k]) && labels_[k].tangent == TangentState::slipping) {
      const double power = impulse_[b.row] * velocity_[b.row] + impulse_[b.row + 1] * velocity_[b.row + 1];
      worst.pushing = std::max(worst.pushing, power / (largest * speed_));
    }
  }
  worst.residual = residual_;
  return worst;
}

}  // namespace carom
