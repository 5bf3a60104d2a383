// A step of an integration, integrated again with the forces that its evidence tells.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "carom/certificate/judge.h"
#include "carom/certificate/servo_pull.h"
#include "carom/dynamics/applied_force.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/multiply_mass.h"
#include "carom/dynamics/point_spring.h"
#include "carom/dynamics/recursions.h"
#include "carom/dynamics/row_velocity.h"

namespace carom {
namespace {

constexpr double difference_way = 3e-4;   // of the bodies' sizes, and rad: how far J v is differenced
constexpr double difference_part = 0.1;   // of the step: no longer
constexpr double difference_digits = 64;  // round-offs of J v that a difference may have

/// Power that friction of a block could take along a direction, less what its impulse takes: 0 if it opposes it.
double misses(const Block& block, const Eigen::Vector2d& p, double normal, const Eigen::Vector2d& along) {
  const double size = along.norm();
  if (!(size > 0)) return std::numeric_limits<double>::infinity();
  return std::abs(normal * block.friction.cwiseProduct(along).norm() + p.dot(along)) / size;
}

}  // namespace

Judge::Integration::Integration(const Model& model) : finder(model), law(model), beside(model) {
  const int size = model.position_count() + model.velocity_count();
  rk.resize(size);
  for (auto* numbers : {&start, &end, &weight}) numbers->assign(static_cast<std::size_t>(size), 0.0);
  for (VectorX* numbers : {&q, &rate}) numbers->setZero(model.position_count());
  for (VectorX* numbers : {&v, &none}) numbers->setZero(model.velocity_count());
}

/// h v̇ at a stage, into v_plus_. The impulse of all but rows is in applied_, that of rows in impulse_.
void Judge::accelerate(const Model& model, const StepEvidence& evidence, double time, const VectorX& q,
                       const VectorX& v, const Acting& acting) {
  forward_kinematics(model, q, at_);
  forward_velocity(model, q, v, at_);
  inverse_dynamics(model, integration_->none, at_, scratch_);
  applied_ = evidence.controlled - scratch_ - damping_.cwiseProduct(v);
  spring_force(model, q, scratch_);
  applied_ += scratch_;
  add_applied_force(model, time, at_, applied_);
  add_point_springs(model, v, at_, applied_);
  for_each_servo(model, time, q, v, [&](int k, double pull) { applied_[k] += pull; });
  applied_ *= evidence.length;
  row_impulses(model, acting, impulse_);
  factor_mass(model, extra_, at_);
  change_ = applied_ + impulse_;
  solve_mass(model, change_, at_, v_plus_);
}

/// Raises the trees' scales to the impulses of the stage posed last; each row's by itself.
void Judge::measure_forces(const Model& model, const Acting& acting) {
  rows_.resize(acting.rows.size());
  measure_impulses(model, acting);
  for (const VectorX* part : {&applied_, &impulse_}) {
    solve_mass(model, *part, at_, scratch_);
    raise(*part, scratch_, 1, &Tree::scale);
  }
}

/// Adds h (J̇ v − the acceleration prescribed) to the rows' velocities at the start, of contacts and constraints; those
/// on coordinates do not turn. By a central difference of fourth order of J v along the motion.
void Judge::add_turning_of_rows(const Model& model, const StepEvidence& evidence) {
  Integration& my = *integration_;
  forward_velocity(model, evidence.q_start, evidence.v_start, at_);
  double rate = 0, fastest = 0;
  for (int body = 0; body < model.body_count(); ++body) {
    const Motion& motion = at_.nodes[body].V;
    const double size = size_[static_cast<std::size_t>(body)];
    rate = std::max({rate, motion.angular.norm(), motion.linear.norm() / size});
    fastest = std::max({fastest, motion.linear.norm(), motion.angular.norm()});
  }
  double step = difference_part * evidence.length;
  if (rate * step > difference_way) step = difference_way / rate;
  my.bias.assign(evidence.rows.size(), 0.0);
  static constexpr std::array<double, 4> places{1, -1, 2, -2}, weights{2.0 / 3, -2.0 / 3, -1.0 / 12, 1.0 / 12};
  const double start = evidence.end - evidence.length;
  const bool yields = evidence.equation.compliant.has_value();  // no acceleration is asked of contacts
  for (std::size_t k = 0; k < places.size(); ++k) {
    integrate(model, evidence.q_start, evidence.v_start, places[k] * step, my.q);
    forward_kinematics(model, my.q, my.beside);
    forward_velocity(model, my.q, evidence.v_start, my.beside);
    constraint_equations(model, my.q, start + places[k] * step, ConstraintLevel::velocity, my.beside, my.equations);
    const auto add = [&](std::size_t row, const ConstraintRow& beside, double prescribed) {
      my.bias[row] += weights[k] / step * (row_velocity(beside, evidence.v_start, my.beside) - prescribed);
    };
    for (std::size_t i = 0; i < my.equations.rows.size() && i < evidence.rows.size(); ++i)
      add(i, my.equations.rows[i], my.equations.rates[i]);
    for (std::size_t i = 0; i < evidence.blocks.size(); ++i) {
      const Block& block = evidence.blocks[i];
      if (yields || (!block.is_contact() && block.kind != BlockKind::unilateral)) continue;
      const BlockMode& mode = evidence.modes[i];
      Contact contact;
      if (!my.finder.evaluate(model, mode.id, my.q, my.beside.X_WB, contact)) {
        // Beside the start the pair has no such point, so that its acceleration has no such difference.
        for (int row = block.row; row < block.row + block.size(); ++row)
          rows_[row].still = std::numeric_limits<double>::infinity();
        continue;
      }
      contact.R_WC.leftCols<2>() = mode.R_WC.leftCols<2>();
      my.rows.clear();
      append_rows(contact, my.rows);
      for (std::size_t row = 0; row < my.rows.size(); ++row)
        add(static_cast<std::size_t>(block.row) + row, my.rows[row], 0);
    }
  }
  const double h = evidence.length;
  const double digits = difference_digits * std::numeric_limits<double>::epsilon() * fastest * h / step;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_[i].before += h * my.bias[i];
    rows_[i].after += h * my.bias[i];
    rows_[i].still = std::max(rows_[i].still, digits);
  }
}

/// Impulses at the start that make no more than round-off of their rows' velocities count as none: at rest without
/// weight nothing else has a size.
void Judge::drop_round_off(const Model& model, const StepEvidence& evidence) {
  integration_->impulse = evidence.impulse;
  for (std::size_t i = 0; i < evidence.rows.size(); ++i) {
    double& p = integration_->impulse[i];
    if (p == 0) continue;
    const double moves = evidence.rows[i].coordinate < 0 ? rows_[i].mobility : inverse_inertia(model, evidence.rows[i]);
    if (std::abs(p) * moves <= rows_[i].still) p = 0;
  }
}

/// Puts the directions of slips in the place of their accelerations, in the size of the group's velocities: friction
/// opposes what moves already.
void Judge::follow_slips(const Model& model, const StepEvidence& evidence) {
  const std::vector<double>& impulse = integration_->impulse;
  measure_rows(model, evidence, evidence.v_start, &Row::between);
  for (std::size_t i = 0; i < evidence.blocks.size(); ++i) {
    const Block& block = evidence.blocks[i];
    const BlockMode& mode = evidence.modes[i];
    const int group = group_of(model, evidence.rows[block.row]);
    if (group < 0) continue;
    const double size = sizes_of(trees_[group]).velocity;
    if (block.kind == BlockKind::bounded) {
      Row& row = rows_[block.row];
      const double rate = row.between, p = impulse[static_cast<std::size_t>(block.row)];
      const bool begins = std::abs(row.after) > row.still && p * row.after < 0;
      if (std::abs(rate) > mode.rest || (!begins && p * rate < 0 && mode.moves)) row.after = std::copysign(size, rate);
      continue;
    }
    if (block.kind != BlockKind::cone) continue;
    Row &x = rows_[block.row], &y = rows_[block.row + 1];
    const Eigen::Vector2d u(x.between, y.between), a(x.after, y.after);
    const Eigen::Vector2d p(impulse[static_cast<std::size_t>(block.row)],
                            impulse[static_cast<std::size_t>(block.row) + 1]);
    const double normal = impulse[static_cast<std::size_t>(block.normal_row())];
    Eigen::Vector2d along = u;
    if (!(u.norm() > mode.rest)) {
      if (mode.slip.isZero(0)) continue;  // it rests or opens, by its acceleration
      const Eigen::Vector2d slip = mode.R_WC.leftCols<2>().transpose() * mode.slip;
      for (const Eigen::Vector2d& other : {a, slip}) {
        if (misses(block, p, normal, other) < misses(block, p, normal, along)) along = other;
      }
    }
    along *= size / along.norm();
    x.after = along[0];
    y.after = along[1];
  }
}

/// Conditions of the accelerations at the start, which are in v_plus_, h times.
void Judge::judge_accelerations(const Model& model, const StepEvidence& evidence, SolveCertificate& conditions) {
  if (evidence.rows.empty() || !is_finite(evidence, conditions)) return;
  multiply_mass(model, v_plus_, at_, change_);
  raise(change_, v_plus_, 1, &Tree::momentum);
  const bool yields = evidence.equation.compliant.has_value();
  if (yields) {
    free_of_equations(model, evidence);
    if (integration_->standing.empty()) return;  // contacts and friction have no conditions on accelerations
  } else {
    solve_mass(model, impulse_, at_, scratch_);
    v_free_ = v_plus_ - scratch_;
  }
  begin_rows(model, evidence, v_plus_, evidence.length * model.gravity().norm());
  add_turning_of_rows(model, evidence);
  Integration& my = *integration_;
  if (!yields) drop_round_off(model, evidence);
  const Phase phase{yields ? my.standing : evidence.blocks, my.impulse, &Row::before, &Row::after, false, 0};
  if (!yields) {
    measure_groups(model, evidence, phase);
    follow_slips(model, evidence);
  }
  const double natural_map = conditions.natural_map;
  judge_phase(model, evidence, phase, conditions);
  conditions.natural_map = natural_map;
}

/// Integrates from the start to integration_->q and v, as declared; sizes of the first and the last stage count.
void Judge::integrate_again(const Model& model, const StepEvidence& evidence) {
  Integration& my = *integration_;
  const auto positions = evidence.q_start.size(), velocities = evidence.v_start.size();
  const double h = evidence.length, begins = evidence.end - h;
  const auto keep_rate = [&](double* rate) {
    position_rate(model, my.q, my.v, my.rate);
    std::copy_n(my.rate.data(), positions, rate);
    for (Eigen::Index k = 0; k < velocities; ++k) rate[positions + k] = v_plus_[k] / h;
  };
  my.q = evidence.q_start;
  my.v = evidence.v_start;
  keep_rate(my.rk.rate(0));
  std::copy_n(my.q.data(), positions, my.start.data());
  std::copy_n(my.v.data(), velocities, my.start.data() + positions);
  my.rk.step(my.start.data(), h, my.weight.data(), my.end.data(),
             [&](double place, int stage, const double* y, double* rate) {
               std::copy_n(y, positions, my.q.data());
               std::copy_n(y + positions, velocities, my.v.data());
               normalize_quaternions(model, my.q);
               if (stage > std::ssize(evidence.later_stages)) return;
               const StageEvidence& told = evidence.later_stages[static_cast<std::size_t>(stage - 1)];
               const Acting acting{told.rows, told.impulse, told.rows.size()};
               accelerate(model, evidence, begins + place * h, my.q, my.v, acting);
               keep_rate(rate);
               if (stage == std::ssize(evidence.later_stages)) measure_forces(model, acting);
             });
}

Judge::Verdict Judge::judge_integration(const Model& model, const StepEvidence& evidence) {
  if (!integration_) integration_.emplace(model);
  Verdict verdict;
  for (Tree& tree : trees_) tree.residual = tree.momentum = tree.scale = 0;
  extra_.setZero();
  const Acting acting{evidence.rows, evidence.impulse, evidence.rows.size()};
  accelerate(model, evidence, evidence.end - evidence.length, evidence.q_start, evidence.v_start, acting);
  measure_forces(model, acting);
  integration_->v = v_plus_;
  judge_accelerations(model, evidence, verdict.conditions);
  if (evidence.equation.compliant) judge_compliance(model, evidence, verdict);
  v_plus_ = integration_->v;
  integrate_again(model, evidence);

  const VectorX &q = integration_->q, &v = integration_->v;
  forward_kinematics(model, q, at_);
  scratch_ = evidence.v_end - evidence.velocity_correction;
  transport_velocity(model, evidence.q_end, q, scratch_, v_plus_);
  transport_velocity(model, evidence.q_start, q, evidence.v_start, v_);
  for (const VectorX* end : {&v_plus_, &v_}) {
    multiply_mass(model, *end, at_, change_);
    raise(change_, *end, passing_part, &Tree::scale);
  }
  scratch_ = v_plus_ - v;
  multiply_mass(model, scratch_, at_, change_);
  raise(change_, scratch_, 1, &Tree::residual);
  integrate(model, q, evidence.position_correction, 1, q_scratch_);
  difference(model, q_scratch_, evidence.q_end, scratch_);
  constexpr double none = std::numeric_limits<double>::infinity();
  const double missed = scratch_.allFinite() ? displacement(model, scratch_, evidence.q_end) : none;
  verdict.kinematic_residual = worse_of(verdict.kinematic_residual, missed);
  verdict.momentum_residual = change_.allFinite() ? worst_tree() : none;
  return verdict;
}

}  // namespace carom
