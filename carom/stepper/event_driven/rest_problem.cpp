#include "carom/stepper/event_driven/rest_problem.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr int most_renewals = 200;
constexpr double settled = 1e-13;  // of the largest force: change of the friction of what slides

ContactOptions exact() {
  ContactOptions options;
  options.cone = FrictionCone::exact;
  options.exact.tolerance = 1e-12;
  return options;
}

}  // namespace

void RestProblem::begin(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  A_ = &A;
  b_ = &b;
  rows_.clear();
  blocks_.clear();
  slides_.clear();
}

void RestProblem::add(const Block& block) {
  blocks_.push_back(block);
  blocks_.back().row = static_cast<int>(rows_.size());
  for (int i = 0; i < block.size(); ++i) rows_.push_back(block.row + i);
}

void RestProblem::add_sliding(const Block& block, const Eigen::Vector2d& s) {
  slides_.push_back({block.row, block.friction.cwiseProduct(s)});
  Block normal;
  normal.kind = BlockKind::unilateral;
  normal.row = static_cast<int>(rows_.size());
  blocks_.push_back(normal);
  rows_.push_back(block.normal_row());
}

/// Returns the largest change.
double RestProblem::renew_friction(Eigen::VectorXd& force) const {
  double change = 0;
  for (const Slide& slide : slides_) {
    const Eigen::Vector2d friction = -force[slide.row + 2] * slide.friction;
    change = std::max(change, (friction - force.segment<2>(slide.row)).cwiseAbs().maxCoeff());
    force.segment<2>(slide.row) = friction;
  }
  return change;
}

SolveStatus RestProblem::solve(Eigen::VectorXd& force, Eigen::VectorXd& acceleration) {
  const auto n = static_cast<Eigen::Index>(rows_.size());
  own_A_ = (*A_)(rows_, rows_);
  own_force_.setZero(n);
  own_acceleration_.setZero(n);
  for (const Slide& slide : slides_) force.segment<2>(slide.row).setZero();
  SolveStatus status = SolveStatus::inaccurate;
  ContactOptions options = exact();
  options.stop = &stop_;
  options.rungs = rungs_;
  for (int renewal = 0; renewal < most_renewals; ++renewal) {
    force(rows_).setZero();
    own_b_ = (*A_ * force + *b_)(rows_);
    const ContactSolution solution =
        solver_.solve({own_A_, own_b_, blocks_}, options, {}, own_force_, own_acceleration_);
    force(rows_) = own_force_;
    const double change = renew_friction(force);
    if (solution.status != SolveStatus::solved) return solution.status;
    if (!(change > settled * force.cwiseAbs().maxCoeff())) {
      status = SolveStatus::solved;
      break;
    }
  }
  acceleration = *A_ * force + *b_;
  return status;
}

void RestProblem::match(const Eigen::VectorXd& acceleration, Eigen::VectorXd& force) {
  own_force_ = acceleration(rows_) - (*A_ * force + *b_)(rows_);
  multipliers_.reserve(static_cast<int>(rows_.size()));
  multipliers_.factor(own_A_);
  multipliers_.solve(own_force_, own_force_);
  force(rows_) += own_force_;
}

}  // namespace carom
