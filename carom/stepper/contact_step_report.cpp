// Report of a ContactStep on the problem that it solved: work, certificate, a copy.

#include <algorithm>
#include <cmath>

#include "carom/stepper/contact_step.h"

namespace carom {
/// ½ pᵀ A p over some of the rows, J.
double ContactStep::own_work(int first, int count, MassOperator& mass) {
  if (count == 0) return 0;
  const Eigen::Map<const VectorX> p(impulse_.data() + first, count);
  if (!joined_) {
    const auto& A = mass.delassus();
    double square = 0;
    for (int i = 0; i < count; ++i) square += p[i] * A.col(first + i).segment(first, count).dot(p);
    return 0.5 * square;
  }
  Eigen::Map<VectorX> some(scratch_.data(), rows());
  some.setZero();
  some.segment(first, count) = p;
  response_.setZero();
  mass.add_response(some, response_);
  mass.apply(response_, some);
  for (int i = first; i < first + count; ++i) some[i] += constraint_rows_[i].compliance * impulse_[i];
  return 0.5 * p.dot(some.segment(first, count));
}

StandingWork ContactStep::standing_work(MassOperator& mass) {
  const auto own = [&](int first, int count) { return own_work(first, count, mass); };
  return standing_rows_.work(own, velocity_.data(), start_.data(), impulse_.data());
}

void ContactStep::add_turning_work(const Model& model, const VectorX& v, const MassOperator& mass,
                                   std::vector<double>& of_body) {
  if (standing_rows_.constraint_count() == 0) return;
  Eigen::Map<VectorX> u(scratch_.data(), rows());
  mass.apply(v, u);
  for (int i = 0; i < standing_rows_.constraint_count(); ++i) {
    const ConstraintRow& row = constraint_rows_[i];
    const int body = row.coordinate >= 0 ? model.coordinate_body(row.coordinate) : std::max(row.body_a, row.body_b);
    of_body[body] += (0.5 * (velocity_[i] + u[i]) - standing_rows_.rate(i)) * impulse_[i];
  }
}

/// In an impact of second order the forces act for 1 − θ of the step before the touch, and for θ after it. A contact
/// that throws back then works at its instant alone. One that holds what touched it bears the forces from there on. Of
/// its impulse the part r = w / (w + θ d) stopped the approach w, with what the forces change in the step, d.
double ContactStep::touching_work(const Block& block, double theta) const {
  const int n = block.normal_row();
  const auto change = [&](int i) { return free_[i] - start_[i]; };
  const auto before = [&](int i) { return start_[i] + (1 - theta) * change(i); };
  const bool rebounds = is_thrown_back(block);
  const double borne = theta * change(n);
  const double r = !rebounds && before(n) < 0 && borne < 0 ? before(n) / (before(n) + borne) : 1;
  double sum = 0;
  for (int i = block.row; i < block.row + block.size(); ++i) {
    const double after = rebounds ? velocity_[i] - theta * change(i) : velocity_[i];
    sum += (r * 0.5 * (before(i) + after) + (1 - r) * velocity_[i]) * impulse_[i];
  }
  return sum;
}

double ContactStep::touching_correction() const {
  double sum = 0;
  for (std::size_t k = 0; k < weight_.size(); ++k) {
    const Block& block = this->block(k);
    if (weight_[k] == smooth_weight || !is_thrown_back(block)) continue;
    sum += touching_work(block, weight_[k]);
    for (int i = block.row; i < block.row + block.size(); ++i) sum -= 0.5 * (velocity_[i] + free_[i]) * impulse_[i];
    const int n = block.normal_row();
    sum += std::max(0.0, std::min(velocity_[n], block.push_speed)) * impulse_[n];
  }
  return sum;
}

double ContactStep::whole_contact_work() const {
  double sum = 0;
  for (std::size_t k = 0; k < weight_.size(); ++k) {
    const Block& block = this->block(k);
    if (weight_[k] != smooth_weight) {
      sum += touching_work(block, weight_[k]);
      continue;
    }
    for (int i = block.row; i < block.row + block.size(); ++i) {
      sum += 0.5 * (velocity_[i] + start_[i]) * impulse_[i];
    }
  }
  return sum;
}

double ContactStep::turned_out() const {
  double sum = 0;
  for (std::size_t k = 0; k < turn_.size(); ++k) {
    const Block& block = this->block(k);
    const double u = velocity_[block.normal_row()];
    const auto pushed = [](double rate, double speed) { return std::max(0.0, std::min(rate, speed)); };
    const double by_overlap = pushed(u + turn_[k], std::max(0.0, block.push_speed + turn_[k]));
    sum += (pushed(u, block.push_speed) - by_overlap) * impulse_[block.normal_row()];
  }
  return sum;
}

void ContactStep::tell(const Method& method, StepEvidence& evidence) const {
  evidence.rows.reserve(constraint_rows_.capacity());
  evidence.blocks.reserve(blocks_.capacity());
  evidence.impulse.reserve(constraint_rows_.capacity());
  evidence.rows.assign(constraint_rows_.begin(), constraint_rows_.end());
  evidence.blocks.assign(blocks_.begin(), blocks_.end());
  evidence.impulse.assign(impulse_.begin(), impulse_.begin() + rows());
  evidence.later_blocks.clear();
  evidence.later_impulse.clear();
  if (method.law != LawKind::poisson) return;
  evidence.later_blocks.reserve(blocks_.capacity());
  evidence.later_impulse.reserve(constraint_rows_.capacity());
  if (solution_.status != SolveStatus::solved || rows() == 0 || !poisson_.expanded()) return;
  const auto& blocks = poisson_.expansion_blocks();
  const auto later = poisson_.expansion_impulse();
  evidence.later_blocks.assign(blocks.begin(), blocks.end());
  evidence.later_impulse.assign(later.data(), later.data() + later.size());
}

void ContactStep::copy_problem(const Method& method, const MassOperator& mass, PosedProblem& copy) const {
  if (joined_) {
    copy_joined(copy);
    return;
  }
  const bool compression = method.law->in_step == InStep::poisson && rows() > 0;
  copy.A.resize(rows(), rows());
  mass.contact_operator().copy_to(copy.A);
  copy.u = Eigen::Map<const VectorX>(free_.data(), rows());
  copy.blocks = blocks_;
  copy.warm_start = Eigen::Map<const VectorX>(warm_start_.data(), rows());
  copy.impulse = compression ? poisson_.compression_impulse() : impulse();
  copy.solution = solution_;
  copy.expansion_follows = compression && poisson_.expanded();
}

void ContactStep::copy_joined(PosedProblem& copy) const {
  const ContactProblem problem = joined_->problem();
  const auto k = problem.u.size();
  copy.A.resize(k, k);
  problem.A.copy_to(copy.A);
  copy.u = problem.u;
  copy.blocks.assign(problem.blocks.begin(), problem.blocks.end());
  copy.warm_start.resize(k);
  copy.impulse.resize(k);
  for (Eigen::Index i = 0; i < k; ++i) {
    copy.warm_start[i] = warm_start_[joined_->kept()[i]];
    copy.impulse[i] = impulse_[joined_->kept()[i]];
  }
  copy.solution = solution_;
  copy.expansion_follows = false;
}

/// By the velocities that the step ends with: where the joined problem were wrong they would be others.
SolveCertificate ContactStep::joined_certificate(const Method& method) {
  const ContactProblem problem = joined_->problem();
  const std::vector<int>& kept = joined_->kept();
  const auto k = static_cast<Eigen::Index>(kept.size());
  grow(kept_impulse_, k);
  grow(kept_velocity_, k);
  Eigen::Map<VectorX> p(kept_impulse_.data(), k), u(kept_velocity_.data(), k);
  for (Eigen::Index i = 0; i < k; ++i) p[i] = impulse_[kept[i]];
  problem.A.multiply(p, u);
  for (Eigen::Index i = 0; i < k; ++i) {
    u[i] = joined_->without_round_off(i, velocity_[kept[i]] - u[i]);
  }
  SolveCertificate certificate = certifier_.certify({problem.A, u, problem.blocks}, p, method.generators());
  double scale = 0, worst = 0;
  for (const Block& block : blocks_) {
    for (int i = block.row; i < block.row + block.size(); ++i) scale = std::max(scale, std::abs(free_[i]));
    scale = std::max(scale, block.kind == BlockKind::bilateral ? std::abs(block.offset) : -block.offset);
    if (block.kind != BlockKind::bilateral) continue;
    const double left = std::abs(velocity_[block.row] + block.offset);
    if (left > joining_digits * slight_[block.row]) worst = std::max(worst, left);
  }
  certificate.bilateral_residual = worst / (scale > 0 ? scale : 1);
  return certificate;
}

SolveCertificate ContactStep::certificate(const Method& method, const MassOperator& mass) {
  if (joined_) return joined_certificate(method);
  const int generators = method.generators();
  const Eigen::Map<const VectorX> u_free(free_.data(), rows());
  const ContactProblem problem{mass.contact_operator(), u_free, blocks_};
  const bool two_phases =
      method.law->in_step == InStep::poisson && solution_.status == SolveStatus::solved && rows() > 0;
  if (!two_phases) return certifier_.certify(problem, impulse(), generators);
  SolveCertificate whole;
  keep_worst(certifier_.certify(problem, poisson_.compression_impulse(), generators), whole);
  // An expansion beside which the compression is everything has no sizes of its own to be judged by.
  const double compressed = poisson_.compression_impulse().cwiseAbs().maxCoeff();
  if (!poisson_.expanded() || !(poisson_.expansion_impulse().cwiseAbs().maxCoeff() > 1e-9 * compressed)) return whole;
  const ContactProblem expansion{mass.contact_operator(), poisson_.compression_velocity(), poisson_.expansion_blocks()};
  const std::span<const double> beside(poisson_.compression_impulse().data(), static_cast<std::size_t>(rows()));
  keep_worst(certifier_.certify(expansion, poisson_.expansion_impulse(), generators, beside), whole);
  return whole;
}

}  // namespace carom
