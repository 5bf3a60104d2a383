#include "carom/impact/plus_interval.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "carom/impact/slip_path.h"

namespace carom {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr double shortest = 1e-9;    // interval of second order, where round-off begins
constexpr double jam_turn = 0.05;    // rad, of the slip in one interval of a tangential impact
constexpr double vanishing = 1e-12;  // of an effective mass that vanishes

}  // namespace

void PlusInterval::reserve(int blocks, int rows) {
  const auto n = static_cast<std::size_t>(blocks);
  system_.reserve(blocks, rows);
  rule_.reserve(blocks, rows);
  blocks_.reserve(n);
  start_.reserve(n);
  found_.reserve(n);
  jamming_.reserve(n);
  sliding_.reserve(n);
  path_.reserve(blocks, rows);
  push_.reserve(n);
  stiffness_.reserve(rows);
  previous_.reserve(rows);
}

void PlusInterval::bind(const ImpactProblem& problem, const PlusOptions& options, double speed) {
  options_ = &options;
  speed_ = speed;
  const auto size = problem.A.rows();
  reserve(static_cast<int>(problem.blocks.size()), static_cast<int>(size));
  blocks_.assign(problem.blocks.begin(), problem.blocks.end());
  for (Block& block : blocks_) {
    block.floor = 0;
    if (block.kind != BlockKind::bilateral) block.offset = 0;
  }
  stiffness_.clear();
  if (options.weigh_by_stiffness) {
    double mean = 0;
    int contacts = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].kind == BlockKind::bilateral) continue;
      mean += problem.surfaces[i].stiffness;
      ++contacts;
    }
    stiffness_.assign(size, 1.0);  // of bilateral rows: that of the mean contact
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].kind == BlockKind::bilateral) continue;
      const double relative = problem.surfaces[i].stiffness * contacts / mean;
      std::fill_n(stiffness_.begin() + blocks_[i].row, blocks_[i].size(), relative);
    }
  }
  if (problem.A.form() == ContactOperator::Form::dense) {
    system_.bind(problem.A.dense(), problem.u, blocks_, stiffness_);
  } else {
    const auto square = static_cast<std::size_t>(size * size);
    if (matrix_.size() < square) matrix_.resize(square);
    Eigen::Map<Eigen::MatrixXd> A(matrix_.data(), size, size);
    problem.A.copy_to(A);
    system_.bind(A, problem.u, blocks_, stiffness_);
  }
  rule_.set_speed(speed);
  // Below what the second order leaves uncertain, slip has no direction.
  transition_ = std::max(options.transition_speed, 1e-12 * speed);
  if (options.intervals == PlusIntervals::second_order) {
    transition_ = std::max(transition_, 0.1 * std::min(options.path_tolerance, 1e-3) * speed);
  }
  impact_impulse_ = 0;
  for (const Block& block : blocks_) {
    const int z = block.normal_row();
    if (block.kind == BlockKind::bilateral || !(system_.A()(z, z) > 0)) continue;
    impact_impulse_ = std::max(impact_impulse_, -problem.u[z] / system_.A()(z, z));
  }
  previous_.resize(size);
  push_.assign(blocks_.size(), 0.0);
}

/// M u_xy / max(μ), see slip_path.h.
Vector2d PlusInterval::slip(int block, const double* u) const {
  const Vector2d& friction = blocks_[block].friction;
  const double largest = friction.maxCoeff();
  return {friction[0] / largest * u[blocks_[block].row], friction[1] / largest * u[blocks_[block].row + 1]};
}

/// Has friction to apply.
bool PlusInterval::acts(int block) const {
  const NormalState normal = system_.labels()[block].normal;
  return blocks_[block].kind == BlockKind::cone && blocks_[block].friction.maxCoeff() > 0 &&
         (normal == NormalState::active || normal == NormalState::given);
}

PlusMotion PlusInterval::motion(int block) const {
  const BlockLabel& label = system_.labels()[block];
  if (label.normal != NormalState::active && label.normal != NormalState::given) return PlusMotion::idle;
  if (!acts(block)) return PlusMotion::pushing;
  if (label.tangent == TangentState::rolling) return PlusMotion::rolling;
  return label.tangent == TangentState::sliding ? PlusMotion::sliding : PlusMotion::slipping;
}

/// Every compressing contact active, every slow one rolling.
void PlusInterval::label(std::span<const PlusRole> roles, std::span<const double> owed) {
  start_.resize(blocks_.size());
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    BlockLabel& label = start_[k];
    label = {};
    if (roles[k] == PlusRole::observing) label.normal = NormalState::absent;
    if (roles[k] == PlusRole::expanding) {
      label.normal = NormalState::given;
      label.given = owed[k];
    }
    if (blocks_[k].kind != BlockKind::cone) continue;
    const int block = static_cast<int>(k);
    if (blocks_[k].friction.maxCoeff() <= 0) {
      label.tangent = TangentState::sliding;  // with s = 0: none
      continue;
    }
    const Vector2d w = slip(block, system_.u().data());
    if (w.norm() < transition_) continue;
    label.tangent = TangentState::sliding;
    label.slip = w.normalized();
  }
  for (std::size_t k = 0; k < blocks_.size(); ++k) system_.relabel(static_cast<int>(k), start_[k]);
}

void PlusInterval::choose_active_set() {
  const PruneResult pruned = prune_active_set(system_, rule_, options_->prune);
  status_ = pruned.status;
  if (!options_->exhaustive) return;
  // Directions of slip to begin from: the one that pruning found, else those that the rule turns where they belong.
  constexpr int directions = 4;
  found_.assign(system_.labels().begin(), system_.labels().end());
  list_choices(blocks_, start_, found_, directions, choices_);
  const SearchResult result =
      search_.search(system_, rule_, choices_, {options_->prune.tolerance, options_->search_limit});
  // A search that was cut, or whose directions of slip turned elsewhere, may have missed what pruning found.
  const bool better = status_ != LabelStatus::admissible || result.solution.norm <= pruned.solution.norm;
  if (result.found && better) {
    status_ = LabelStatus::admissible;
  } else {
    system_.set_labels(found_);
    system_.solve();
  }
}

/// Against the bound that holds for all active sets, whatever slow contacts do.
void PlusInterval::judge_optimality() {
  gap_ = {};
  if (!options_->judge_optimality) return;
  found_ = start_;
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (blocks_[k].kind == BlockKind::cone && found_[k].tangent == TangentState::rolling) {
      found_[k].tangent = TangentState::free;
    }
  }
  const LeastNormProblem problem{system_.A(), system_.u(), blocks_, found_, stiffness_};
  static_cast<void>(bound_.compute(problem, {}, dual_));
  double square = 0;
  for (Eigen::Index i = 0; i < system_.impulse().size(); ++i) {
    square += system_.impulse()[i] * system_.impulse()[i] / system_.stiffness()[i];
  }
  gap_ = optimality_gap(status_, std::sqrt(square), proven_norm(problem, dual_));
  if (square == 0) gap_ = {Optimality::optimal, 0};
}

void PlusInterval::take(std::span<const PlusRole> roles, std::span<const double> owed,
                        const Eigen::Ref<const VectorXd>& u, double impulse_scale) {
  system_.set_velocity(u);
  label(roles, owed);
  choose_active_set();
  judge_optimality();
  stopped_ = 0;
  jammed_ = jam(roles);
  if (jammed_) return;
  if (options_->intervals == PlusIntervals::direction_change) {
    alpha_ = step_length(options_->direction_change, options_->shortest_interval);
  } else {
    run_second_order(impulse_scale);
  }
}

/// Length to which the solution may be followed. It ends at the closest point to rest of the first contact that comes
/// within transition_speed of it. It also ends where a slip has turned by largest_turn, but never at an α below
/// `least`. Contacts without an impulse do not count: they have no friction whose direction could be wrong.
double PlusInterval::step_length(double largest_turn, double least) const {
  double alpha = 1;
  for (int k = 0; k < std::ssize(blocks_); ++k) {
    if (!slides(k)) continue;
    const Vector2d w = slip(k, system_.u().data()), end = slip(k, system_.velocity().data());
    if (end.norm() < transition_) continue;
    const double nearest = slip_path::closest(w, end - w);
    if (nearest > 0 && nearest < 1 && (w + nearest * (end - w)).norm() < transition_) {
      alpha = std::min(alpha, nearest);
      continue;
    }
    alpha = std::min(alpha, std::max(least, slip_path::turned_by(largest_turn, w, end - w)));
  }
  return alpha;
}

/// The part of α to which the last solution can be followed: less than 1 if a slip passes rest or turns too far.
double PlusInterval::reach() const {
  double part = 1;
  for (const int k : sliding_) {
    if (!slides(k)) continue;
    const Vector2d w = slip(k, system_.u().data()), change = alpha_ * (slip(k, system_.velocity().data()) - w);
    if ((w + change).norm() < transition_ || slip_path::turned_by(1.5 * options_->largest_turn, w, change) >= 1)
      continue;
    part = std::min(part, std::clamp(slip_path::closest(w, change), 0.2, 0.9));
  }
  return part;
}

/// Repeats until the directions of friction leave the active set as it is. A set that shrinks begins anew with its own
/// length. The old length may be next to nothing, where contacts that slide are about to jam one another.
void PlusInterval::run_second_order(double impulse_scale) {
  for (;;) {
    sliding_.clear();
    for (int k = 0; k < std::ssize(blocks_); ++k) {
      if (slides(k)) sliding_.push_back(k);
    }
    alpha_ = 1;
    if (sliding_.empty()) return;
    average_slip(impulse_scale);
    const PruneResult pruned = prune_active_set(system_, rule_, options_->prune);
    status_ = pruned.status;
    if (pruned.solves == 1) return;
    oppose_start();
  }
}

/// Sets the friction of sliding contacts back to oppose the slip at the interval's start, and solves.
void PlusInterval::oppose_start() {
  for (int k = 0; k < std::ssize(blocks_); ++k) {
    if (!slides(k)) continue;
    BlockLabel label = system_.labels()[k];
    label.slip = start_[k].slip;
    system_.relabel(k, label);
  }
  rule_.solve(system_);
}

/// Averages friction over the path, of a length at which straight and bent path differ by no more than is allowed. The
/// next interval begins with a turn of the size that this one ended with.
void PlusInterval::average_slip(double impulse_scale) {
  Eigen::Map<VectorXd> straight(previous_.data(), system_.impulse().size());
  alpha_ = step_length(turn_, shortest);
  for (;;) {
    path_.begin(system_, sliding_, alpha_, transition_, 0.1 * std::min(options_->path_tolerance, 1e-3));
    path_.straighten(system_, rule_);
    double part = reach();
    straight = system_.impulse();
    const bool bent = path_.refine(system_, rule_);
    part = std::min(part, reach());
    const double scale = std::max({impulse_scale, impact_impulse_, alpha_ * straight.norm()});
    const double error = alpha_ * (system_.impulse() - straight).norm();
    const double allowed = options_->path_tolerance * scale;
    if (error > allowed) part = std::min(part, std::clamp(0.9 * std::cbrt(allowed / error), 0.2, 0.8));
    if (part == 1 || alpha_ <= shortest) {
      if (!bent) path_.restore(system_, rule_);
      turn_ = std::min(options_->largest_turn, turn_ * std::clamp(0.9 * std::cbrt(allowed / error), 1.0, 2.0));
      return;
    }
    alpha_ = std::max(shortest, alpha_ * part);
    turn_ *= part;
    oppose_start();
  }
}

/// The impulse along (−M s, 1) at which the slip of a block comes closest to rest; 0 if more of it slows the approach.
/// The label `pushed` is sliding with a given normal impulse; the labels of all others stay.
double PlusInterval::stopping_impulse(int block, const BlockLabel& pushed) {
  const int z = blocks_[block].normal_row();
  const auto respond = [&](double given) {
    BlockLabel label = pushed;
    label.given = given;
    system_.relabel(block, label);
    system_.solve();
  };
  respond(0);
  const double approach = system_.velocity()[z];
  const Vector2d before = slip(block, system_.velocity().data());
  respond(pushed.given);
  const double gain = (system_.velocity()[z] - approach) / pushed.given;
  const Vector2d change = slip(block, system_.velocity().data()) - before;
  if (gain > vanishing * system_.A()(z, z)) return 0;
  return pushed.given * std::max(0.0, slip_path::closest(slip(block, system_.u().data()), change));
}

/// Treats sliding contacts whose approach should end but cannot (Painlevé's jamming). If A_zz − A_z,xy M s ≤ 0,
/// friction presses a contact in at least as fast as the normal impulse pushes it out. This includes the response of
/// all that holds meanwhile. No impulse then ends the compression while the contact slides. A tangential impact ends
/// the slip first: the impulse grows along (−M s, 1) up to the point closest to rest. Compression goes on from there.
/// Uchida et al. do not treat it. True if a contact jams.
bool PlusInterval::jam(std::span<const PlusRole> roles) {
  const double tolerance = options_->approach_tolerance * speed_;
  jamming_.clear();
  for (int k = 0; k < std::ssize(blocks_); ++k) {
    if (roles[k] != PlusRole::compressing || blocks_[k].kind != BlockKind::cone ||
        !(blocks_[k].friction.maxCoeff() > 0) || start_[k].tangent != TangentState::sliding ||
        !(system_.velocity()[blocks_[k].row + 2] < -tolerance) ||
        !(system_.A()(blocks_[k].row + 2, blocks_[k].row + 2) > 0)) {
      continue;
    }
    jamming_.push_back(k);
  }
  if (jamming_.empty()) return false;
  found_.assign(system_.labels().begin(), system_.labels().end());
  std::size_t kept = 0;
  for (const int k : jamming_) {
    BlockLabel pushed = start_[k];
    pushed.normal = NormalState::given;
    pushed.given = speed_ / system_.A()(blocks_[k].row + 2, blocks_[k].row + 2);
    push_[k] = stopping_impulse(k, pushed);
    system_.relabel(k, found_[k]);
    if (push_[k] > 0) jamming_[kept++] = k;
  }
  jamming_.resize(kept);
  if (kept == 0) {
    system_.solve();
    return false;
  }
  // Contacts that expand wait.
  for (int k = 0; k < std::ssize(blocks_); ++k) {
    BlockLabel label = start_[k];
    if (roles[k] == PlusRole::expanding) label.normal = NormalState::absent;
    system_.relabel(k, label);
  }
  for (const int k : jamming_) {
    BlockLabel label = start_[k];
    label.normal = NormalState::given;
    label.given = push_[k];
    system_.relabel(k, label);
  }
  const PruneResult pruned = prune_active_set(system_, rule_, options_->prune);
  status_ = pruned.status;
  alpha_ = step_length(jam_turn, shortest);
  for (const int k : jamming_) {
    const Vector2d w = slip(k, system_.u().data()), end = slip(k, system_.velocity().data());
    const double left = (w + alpha_ * (end - w)).norm();
    if (left < transition_) ++stopped_;
  }
  return true;
}

}  // namespace carom
