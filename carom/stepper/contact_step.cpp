#include "carom/stepper/contact_step.h"

#include <algorithm>
#include <numeric>

#include "carom/impact/newton.h"

namespace carom {
namespace {

void grow(std::vector<double>& buffer, Eigen::Index size) {
  if (static_cast<Eigen::Index>(buffer.size()) < size) buffer.resize(size);
}

int representative(std::vector<int>& group, int i) {
  while (group[i] != i) i = group[i] = group[group[i]];
  return i;
}

}  // namespace

ContactStep::ContactStep(const Model& model)
    : group_(model.body_count()), struck_(model.body_count()), end_(VectorX::Zero(model.velocity_count())) {}

void ContactStep::reserve(const Model& model, const Method& method, std::size_t count, MassOperator& mass) {
  if (count <= capacity_) return;
  capacity_ = count;
  const int blocks = static_cast<int>(count);
  constraint_rows_.reserve(3 * count);
  blocks_.reserve(count);
  relaxed_.reserve(count);
  for (auto* buffer : {&free_, &start_, &reach_, &impulse_, &velocity_}) grow(*buffer, 3 * blocks);
  mass.reserve(model, 3 * blocks);
  polyhedral_.reserve(blocks, method.directions);
  if (method.law == LawKind::poisson) poisson_.reserve(blocks, method.directions);
}

void ContactStep::set_blocks(const Method& method, const std::vector<CandidateContact>& candidates) {
  blocks_.clear();
  int row = 0;
  for (const CandidateContact& candidate : candidates) {
    const Contact& contact = candidate.contact;
    Block block;
    block.kind = contact.kind();
    block.row = row;
    block.friction = contact.surface.friction;
    const double travel = candidate.crossing ? candidate.travel : method.step * reach_[block.normal_row()];
    const double start_gap = contact.gap - travel;
    const bool left_open = candidate.crossing || (candidate.remembered && start_gap > 0);
    const bool velocity_level = method.stepper == StepperKind::anitescu_potra && !left_open;
    block.offset = velocity_level ? 0 : start_gap / method.step;
    block.push_speed = std::max(0.0, -block.offset);
    blocks_.push_back(block);
    row += block.size();
  }
}

void ContactStep::apply_restitution(const Model& model, const Method& method,
                                    const std::vector<CandidateContact>& candidates) {
  if (method.law == LawKind::none) return;
  std::iota(group_.begin(), group_.end(), 0);
  std::fill(struck_.begin(), struck_.end(), 0);
  for (const CandidateContact& candidate : candidates) {
    const int a = candidate.contact.body_a, b = candidate.contact.body_b;
    if (a < 0 || b < 0) continue;
    const int i = representative(group_, model.root(a)), j = representative(group_, model.root(b));
    group_[std::max(i, j)] = std::min(i, j);
  }
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const Contact& contact = candidates[k].contact;
    const int n = blocks_[k].normal_row();
    const double approach = -start_[n];
    const double by_forces = std::abs(free_[n] - start_[n]);
    const bool closes = contact.gap <= 0 || candidates[k].crossing;
    if (!closes || !(approach > std::max(method.restitution_speed, by_forces))) continue;
    if (contact.body_a >= 0) struck_[representative(group_, model.root(contact.body_a))] = 1;
    if (method.law == LawKind::poisson) {
      blocks_[k].offset = std::min(blocks_[k].offset, 0.0);  // compression ends within the step
      continue;
    }
    blocks_[k].restitution = contact.surface.restitution;
    apply_newton(approach, blocks_[k]);
  }
  if (method.law != LawKind::poisson) return;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const Contact& contact = candidates[k].contact;
    if (contact.body_a < 0 || !struck_[representative(group_, model.root(contact.body_a))]) continue;
    blocks_[k].restitution = contact.surface.restitution;
    // Of the compression of a contact that approaches, the applied forces made a part within this step: no blow.
    const int n = blocks_[k].normal_row();
    if (start_[n] < 0 && free_[n] < start_[n]) blocks_[k].restitution *= start_[n] / free_[n];
  }
}

void ContactStep::assemble(const Model& model, const Method& method, const std::vector<CandidateContact>& candidates,
                           const Linearisation& at, const VectorX& free_velocity, DynamicsWorkspace& workspace,
                           MassOperator& mass) {
  reserve(model, method, candidates.size(), mass);
  constraint_rows_.clear();
  for (const CandidateContact& candidate : candidates) append_rows(candidate.contact, constraint_rows_);
  mass.build(model, constraint_rows_, workspace);
  Eigen::Map<VectorX> u_free(free_.data(), rows()), u_start(start_.data(), rows());
  Eigen::Map<VectorX> u_reach(reach_.data(), rows());
  mass.apply(free_velocity, u_free);
  mass.apply(at.start, u_start);
  mass.apply(at.reach, u_reach);
  set_blocks(method, candidates);
  apply_restitution(model, method, candidates);
}

ContactSolution ContactStep::solve(const Method& method, MassOperator& mass, VectorX& velocity) {
  solution_ = {};
  if (rows() == 0) return solution_;
  const Eigen::Map<const VectorX> u_free(free_.data(), rows());
  Eigen::Map<VectorX> p(impulse_.data(), rows()), u_plus(velocity_.data(), rows());
  PolyhedralOptions options;
  options.directions = method.directions;
  const ContactProblem problem{mass.delassus(), u_free, blocks_};
  if (method.form == ContactForm::mixed) {
    solution_ = polyhedral_.solve_mixed(mass.matrix(), mass.jacobian(), velocity, blocks_, options, p, end_);
  } else if (method.law == LawKind::poisson) {
    solution_ = poisson_.solve(problem, options, p, u_plus);
  } else {
    solution_ = polyhedral_.solve(problem, options, p, u_plus);
  }
  const bool solved = solution_.status == SolveStatus::solved;
  if (!solved) {
    relaxed_.assign(blocks_.begin(), blocks_.end());
    for (Block& block : relaxed_) block.offset = std::max(block.offset, 0.0);
    const ContactProblem velocity_level{mass.delassus(), u_free, relaxed_};
    if (polyhedral_.solve(velocity_level, options, p, u_plus).status != SolveStatus::solved) p.setZero();
  }
  if (method.form == ContactForm::mixed && solved) {
    velocity = end_;
  } else {
    mass.add_response(p, velocity);
  }
  u_plus.noalias() = mass.delassus() * p;
  u_plus += u_free;
  return solution_;
}

double ContactStep::held_work() const {
  double sum = 0;
  for (Eigen::Index i = 0; i < rows(); ++i) sum -= 0.5 * (free_[i] - start_[i]) * impulse_[i];
  return sum;
}

SolveCertificate ContactStep::certificate(const Method& method, const MassOperator& mass) const {
  const Eigen::Map<const VectorX> u_free(free_.data(), rows());
  const ContactProblem problem{mass.delassus(), u_free, blocks_};
  const bool two_phases = method.law == LawKind::poisson && solution_.status == SolveStatus::solved && rows() > 0;
  if (!two_phases) return certify(problem, impulse(), method.directions);
  SolveCertificate whole;
  keep_worst(certify(problem, poisson_.compression_impulse(), method.directions), whole);
  // An expansion beside which the compression is everything has no sizes of its own to be judged by.
  const double compressed = poisson_.compression_impulse().cwiseAbs().maxCoeff();
  if (!poisson_.expanded() || !(poisson_.expansion_impulse().cwiseAbs().maxCoeff() > 1e-9 * compressed)) return whole;
  const ContactProblem expansion{mass.delassus(), poisson_.compression_velocity(), poisson_.expansion_blocks()};
  keep_worst(certify(expansion, poisson_.expansion_impulse(), method.directions), whole);
  return whole;
}

}  // namespace carom
