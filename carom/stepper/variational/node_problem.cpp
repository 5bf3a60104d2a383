#include "carom/stepper/variational/node_problem.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr double round_off_slip = 1e-8;  // of the largest velocity of a row: slip that counts as none
constexpr double round_off = 1e-14;      // of the largest velocity of a row: what is made zero

ContactOptions contact_options(const Method& method) {
  ContactOptions options;
  options.cone = method.cone;
  options.polyhedral.directions = method.directions;
  options.rungs = method.rungs;
  return options;
}

}  // namespace

NodeProblem::NodeProblem(const Model& model, const Method& method) : options_(contact_options(method)), size_(model) {
  for (const Constraint& constraint : model.constraints()) {
    const int count = row_count(constraint.kind);
    constraints_ += count;
    // The normal row of a rolling disc, which comes last, is all that a position can violate.
    const bool rolls = constraint.kind == ConstraintKind::rolling, skates = constraint.kind == ConstraintKind::blade;
    for (int i = 0; i < count; ++i) positional_.push_back(skates || (rolls && i < 2) ? 0 : 1);
  }
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.friction.size(); ++k) {
      if (joint.friction[k] > 0) frictions_.push_back({joint.v_index + k, joint.friction[k]});
    }
  }
  standing_ = constraints_ + static_cast<int>(frictions_.size());
  multipliers_.reserve(constraints_);
}

void NodeProblem::pose(const Model& model, double time, const VectorX& q, const VectorX& v, double duration,
                       const std::vector<Contact>& contacts, const std::vector<ContactMemory>& memory,
                       DynamicsWorkspace& workspace, MassOperator& mass) {
  constraint_equations(model, q, time, ConstraintLevel::velocity, workspace, equations_);
  rows_.assign(equations_.rows.begin(), equations_.rows.end());
  blocks_.clear();
  const auto add = [&](Block block) {
    block.row = static_cast<int>(blocks_.size());
    blocks_.push_back(block);
  };
  Block block;
  block.kind = BlockKind::bilateral;
  for (const double rate : equations_.rates) {
    block.offset = -rate;
    add(block);
  }
  block = {};
  block.kind = BlockKind::bounded;
  for (const Friction& friction : frictions_) {
    ConstraintRow row;
    row.coordinate = friction.coordinate;
    rows_.push_back(row);
    block.upper = duration * friction.bound;
    block.lower = -block.upper;
    add(block);
  }
  for (const Contact& contact : contacts) append_rows(contact, rows_);
  mass.build(model, rows_, workspace);
  u_.resize(rows());
  mass.apply(v, u_);
  const double slow = round_off_slip * largest_speed(u_);
  int row = standing_;
  ids_.clear();
  for (const Contact& contact : contacts) {
    block = {};
    block.kind = contact.kind();
    block.row = row;
    const auto known = std::find_if(memory.begin(), memory.end(), [&](const auto& m) { return m.id == contact.id; });
    const bool slides = known != memory.end() ? known->sliding : block.size() > 1 && u_.segment<2>(row).norm() > slow;
    const bool rests = contact.id.is_surface() && !slides;
    block.friction = rests ? contact.surface.static_friction : contact.surface.friction;
    blocks_.push_back(block);
    ids_.push_back(contact.id);
    row += block.size();
  }
  impulse_.setZero(rows());
  velocity_ = free_ = u_;
  solution_ = {};
}

/// Velocity of a row at the speed of 1 m/s, of an angle's row at that of the model's extent.
double NodeProblem::in_row(int i) const { return 1 / size_.as_speed(row(i)); }

double NodeProblem::largest_speed(const VectorX& velocities) const {
  double largest = 0;
  for (int i = 0; i < static_cast<int>(velocities.size()); ++i)
    largest = std::max(largest, std::abs(velocities[i]) / in_row(i));
  return largest;
}

Vec3 NodeProblem::of_contact(std::size_t contact, const VectorX& rows) const {
  const Block& block = blocks_[standing_ + contact];
  if (block.kind == BlockKind::cone) return rows.segment<3>(block.row);
  return {0, 0, rows[block.row]};
}

/// An iterate off constraints that repeat one another can ask for what no motion does. The demand is then moved to the
/// nearest that can be met.
void NodeProblem::agree(const MassOperator& mass) {
  if (constraints_ == 0) return;
  const auto A = mass.delassus().topLeftCorner(constraints_, constraints_);
  if (multipliers_.factor(A) == 0) return;
  demand_.resize(constraints_);
  multiplier_.resize(constraints_);
  for (int i = 0; i < constraints_; ++i) demand_[i] = -blocks_[i].offset - free_[i];
  multipliers_.solve(demand_, multiplier_);
  demand_.noalias() = A * multiplier_;
  for (int i = 0; i < constraints_; ++i) blocks_[i].offset = -demand_[i] - free_[i];
}

ContactSolution NodeProblem::solve(const MassOperator& mass, const VectorX& u, bool warm) {
  solution_ = {};
  if (rows() == 0) return solution_;
  free_ = u;
  agree(mass);
  double scale = largest_speed(free_);
  for (const Block& block : blocks_) scale = std::max(scale, std::abs(block.offset) / in_row(block.normal_row()));
  for (int i = 0; i < rows(); ++i) {
    if (std::abs(free_[i]) <= round_off * scale * in_row(i)) free_[i] = 0;
  }
  demand_ = impulse_;
  const std::span<const double> start(demand_.data(), warm ? static_cast<std::size_t>(rows()) : 0);
  const ContactProblem problem{mass.contact_operator(), free_, blocks_};
  solution_ = solver_.solve(problem, options_, start, impulse_, velocity_);
  if (!impulse_.allFinite()) {
    impulse_.setZero();
    velocity_ = free_;
    if (solution_.status == SolveStatus::solved) solution_.status = SolveStatus::inaccurate;
  }
  return solution_;
}

/// Pairs of shapes one after the other; their contacts are neighbours.
void NodeProblem::share_faces() {
  const double still = round_off_slip * (rows() == 0 ? 0 : free_.lpNorm<Eigen::Infinity>());
  for (std::size_t first = 0, end = 0; first < ids_.size(); first = std::max(end, first + 1)) {
    pair_.clear();
    for (end = first; end < ids_.size(); ++end) {
      if (ids_[end].a != ids_[first].a || ids_[end].b != ids_[first].b || !ids_[end].is_surface()) break;
      const Block& block = blocks_[standing_ + end];
      pair_.push_back({&block, &rows_[block.row], velocity_.data() + block.row, impulse_.data() + block.row});
    }
    if (pair_.size() > 1) sharing_.share(pair_, still, generators(options_));
  }
}

/// u⁺ᵀ p − ½ pᵀ A p of some rows.
double NodeProblem::own_work(const MassOperator& mass, int first, int count) const {
  const auto p = impulse_.segment(first, count);
  const auto A = mass.delassus().block(first, first, count, count);
  return velocity_.segment(first, count).dot(p) - 0.5 * p.dot(A * p);
}

NodeWork NodeProblem::work(const MassOperator& mass, const VectorX& u_before) const {
  NodeWork work;
  if (rows() == 0) return work;
  const int contact_rows = rows() - standing_;
  const auto share = [&](int first, int count) {
    const auto p = impulse_.segment(first, count);
    return u_before.segment(first, count).dot(p) +
           0.5 * p.dot(velocity_.segment(first, count) - free_.segment(first, count));
  };
  work.contacts = share(standing_, contact_rows);
  work.whole = share(0, standing_) + work.contacts;
  work.constraints = own_work(mass, 0, constraints_);
  for (int i = 0; i < constraints_; ++i) {
    work.constraints += blocks_[i].offset * impulse_[i];  // which is where u⁺ would have it
    work.prescribed += equations_.rates[i] * impulse_[i];
  }
  work.friction = own_work(mass, constraints_, standing_ - constraints_);
  return work;
}

SolveCertificate NodeProblem::certificate(const MassOperator& mass) {
  const ContactProblem problem{mass.contact_operator(), free_, blocks_};
  return certifier_.certify(problem, impulse_, generators(options_));
}

void NodeProblem::tell(RowEvidence& evidence) const {
  evidence.rows.reserve(rows_.capacity());
  evidence.blocks.reserve(blocks_.capacity());
  evidence.impulse.reserve(rows_.capacity());
  evidence.rows.assign(rows_.begin(), rows_.end());
  evidence.blocks.assign(blocks_.begin(), blocks_.end());
  evidence.impulse.assign(impulse_.begin(), impulse_.end());
}

void NodeProblem::copy_problem(const MassOperator& mass, PosedProblem& copy) const {
  copy = {};
  if (rows() == 0) return;
  copy.A.resize(rows(), rows());
  mass.contact_operator().copy_to(copy.A);
  copy.u = free_;
  copy.blocks = blocks_;
  copy.warm_start = VectorX::Zero(rows());
  copy.impulse = impulse_;
  copy.solution = solution_;
}

}  // namespace carom
