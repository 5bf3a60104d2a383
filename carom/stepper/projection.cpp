#include "carom/stepper/projection.h"

#include <algorithm>

#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

constexpr double deepest_allowed = 1e-12;
constexpr int most_rounds = 30;

}  // namespace

Projection::Projection(const Model& model)
    : displacement_(VectorX::Zero(model.velocity_count())), no_augmentation_(VectorX::Zero(model.velocity_count())) {}

void Projection::reserve(const Model& model, std::size_t count, MassOperator& mass) {
  if (count <= capacity_) return;
  capacity_ = count;
  const int rows = static_cast<int>(count);
  rows_.reserve(count + 2);  // a contact's tangent rows are appended before they are dropped
  blocks_.reserve(count);
  for (auto* buffer : {&zero_, &multiplier_, &moved_}) buffer->resize(count);
  mass.reserve(model, rows);
  solver_.reserve(rows, {});
}

bool Projection::apply(const Model& model, VectorX& q, DynamicsWorkspace& workspace, MassOperator& mass,
                       ContactFinder& finder) {
  bool moved = false;
  double reach = 0;  // neighbours that the last displacement could have closed count too
  for (int round = 0; round < most_rounds; ++round) {
    forward_kinematics(model, q, workspace);
    const std::vector<Contact>& contacts = finder.find(model, q, workspace.X_WB, reach);
    double deepest = 0;
    rows_.clear();
    blocks_.clear();
    for (const Contact& contact : contacts) {
      if (contact.id.is_ratchet()) continue;  // restricts velocities, not positions
      deepest = std::max(deepest, -contact.gap);
      Block block;
      block.row = static_cast<int>(blocks_.size());
      block.offset = contact.gap;
      blocks_.push_back(block);
      append_rows(contact, rows_);
      if (!contact.id.is_surface()) continue;
      rows_[rows_.size() - 3] = rows_.back();  // the normal row alone
      rows_.resize(rows_.size() - 2);
    }
    if (deepest <= deepest_allowed) return moved;
    const Eigen::Index k = static_cast<Eigen::Index>(rows_.size());
    reserve(model, rows_.size(), mass);
    mass.factor(model, no_augmentation_, workspace);
    mass.build(model, rows_, workspace);
    Eigen::Map<VectorX> zero(zero_.data(), k), multiplier(multiplier_.data(), k), gap(moved_.data(), k);
    zero.setZero();
    const ContactProblem problem{mass.delassus(), zero, blocks_};
    ContactOptions options;
    options.stop = &stop_;
    if (solver_.solve(problem, options, {}, multiplier, gap).status != SolveStatus::solved) return moved;
    displacement_.setZero();
    mass.add_response(multiplier, displacement_);
    integrate(model, q, displacement_, 1, q);
    moved = true;
    reach = 2 * deepest;
  }
  forward_kinematics(model, q, workspace);
  return moved;
}

}  // namespace carom
