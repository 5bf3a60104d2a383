// The law's conditions on the rows of a step, from the velocities of the bodies.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/certificate/judge.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

constexpr double negligible_phase = 1e-9;  // of a group's impulses: a phase below has no sizes of its own
constexpr double surely_motion = 1e-6;     // of the largest speed about
constexpr double fewest_digits = 1e-86;    // m/s or rad/s: below, velocities run out of digits

bool is_equation(const Block& block) { return block.kind == BlockKind::bilateral || block.kind == BlockKind::bounded; }

}  // namespace

/// Velocities of all rows at v, by the motion of their bodies.
void Judge::measure_rows(const Model& model, const RowEvidence& evidence, const VectorX& v, double Row::*into,
                         const StepEvidence* ends) {
  forward_velocity(model, evidence.q_at, v, at_);
  if (ends != nullptr) {
    transport_velocity(model, evidence.q_at, ends->q_end, v, end_->velocity);
    forward_velocity(model, ends->q_end, end_->velocity, end_->at);
  }
  for (std::size_t i = 0; i < evidence.rows.size(); ++i) {
    const ConstraintRow& row = evidence.rows[i];
    const DynamicsWorkspace& at = ends != nullptr && i >= ends->first_at_end ? end_->at : at_;
    const auto spin = [&](int body) { return body < 0 ? Vec3(Vec3::Zero()) : at.nodes[body].V.angular; };
    double a = 0, b = 0, speed = 0;
    if (row.coordinate >= 0) {
      row.for_each_term([&](int k, double coefficient) {
        a += coefficient * v[k];
        speed = std::max(speed, std::abs(coefficient * v[k]));
      });
    } else {
      const Vec3 v_a = point_velocity(row.body_a, row.point_a, at), v_b = point_velocity(row.body_b, row.point_b, at);
      const Vec3 w_a = spin(row.body_a), w_b = spin(row.body_b);
      a = row.direction.dot(v_a) + row.moment.dot(w_a);
      b = row.direction.dot(v_b) + row.moment.dot(w_b);
      speed = std::max(v_a.norm(), v_b.norm()) * row.direction.norm() +
              std::max(w_a.norm(), w_b.norm()) * row.moment.norm();
    }
    rows_[i].*into = a - b;
    fastest_ = std::max(fastest_, speed);
  }
}

/// A_ii of a row on coordinates; the mass matrix is factored.
double Judge::inverse_inertia(const Model& model, const ConstraintRow& row) {
  scratch_.setZero();
  row.for_each_term([&](int k, double coefficient) { scratch_[k] += coefficient; });
  impulse_ = scratch_;
  solve_mass(model, impulse_, at_, scratch_);
  return impulse_.dot(scratch_);
}

/// Sizes of the rows' round-off: |J δ| ≤ √(J M⁻¹ Jᵀ) √(δᵀ M δ), with the round-off δ of the motion of the trees.
void Judge::measure_round_off(const Model& model, const RowEvidence& evidence, double least_speed) {
  for (std::size_t i = 0; i < evidence.rows.size(); ++i) {
    Row& row = rows_[i];
    row.still = round_off_of_speeds * fastest_;
    // A row that is faster than any round-off needs no bound of it.
    if (std::min(std::abs(row.before), std::abs(row.after)) > surely_motion * fastest_) continue;
    double carried = 0;
    for_each_tree(model, evidence.rows[i], [&](int tree) {
      carried = std::max({carried, trees_[tree].momentum, std::sqrt(trees_[tree].mass) * least_speed});
    });
    const double moves = evidence.rows[i].coordinate < 0 ? row.mobility : inverse_inertia(model, evidence.rows[i]);
    row.still = std::max(row.still, round_off_of_speeds * std::sqrt(moves) * carried);
  }
}

/// Trees that rows join are one group.
void Judge::group_trees(const Model& model, const RowEvidence& evidence) {
  for (std::size_t t = 0; t < trees_.size(); ++t) trees_[t].group = static_cast<int>(t);
  for (const ConstraintRow& row : evidence.rows) {
    int first = -1;
    for_each_tree(model, row, [&](int tree) {
      const int i = group_of(first < 0 ? tree : first), j = group_of(tree);
      trees_[std::max(i, j)].group = std::min(i, j);
      first = i;
    });
  }
}

/// The representative of a tree among those that rows join.
int Judge::group_of(int tree) {
  while (trees_[tree].group != tree) tree = trees_[tree].group = trees_[trees_[tree].group].group;
  return tree;
}

int Judge::group_of(const Model& model, const ConstraintRow& row) {
  int group = -1;
  for_each_tree(model, row, [&](int tree) {
    if (group < 0) group = group_of(tree);
  });
  return group;
}

/// Sizes of the groups in a phase.
void Judge::measure_groups(const Model& model, const RowEvidence& evidence, const Phase& phase) {
  for (Tree& tree : trees_) tree.impulse = tree.velocity = 0;
  for (const Block& block : phase.blocks) {
    const int group = group_of(model, evidence.rows[block.row]);
    if (group < 0) continue;
    const int rows = std::min(block.size(), 3), n = block.normal_row();
    double p = 0, u = 0;
    for (int i = block.row; i < block.row + rows; ++i) {
      p += phase.impulse[i] * phase.impulse[i];
      const double before = std::abs(rows_[i].*phase.before);
      if (before > rows_[i].still) u += before * before;
    }
    const double asked = is_equation(block) ? std::abs(block.offset) : -block.offset;
    const double demand = asked > rows_[n].still ? asked : 0.0;
    const double owed = block.floor > 0 ? block.floor * rows_[n].mobility : 0.0;
    Tree& size = trees_[group];
    size.impulse = std::max(size.impulse, std::sqrt(p));
    size.velocity = std::max({size.velocity, std::sqrt(u), demand, owed});
  }
}

/// Motion of a block's rows in a phase; velocities that are round-off count as none.
BlockMotion Judge::motion_of(const RowEvidence& evidence, const Block& block, const Phase& phase) const {
  BlockMotion motion;
  for (int i = 0; i < block.size(); ++i) {
    const Row& row = rows_[block.row + i];
    const double p = phase.impulse[block.row + i];
    // A row's own device yields to its impulse beside what the bodies do.
    const double compliance = evidence.rows[block.row + i].compliance;
    const double u = row.*phase.after + compliance * p;
    const double offset = block.row + i == block.normal_row() ? block.offset : 0;
    motion.impulse[i] = p;
    motion.velocity[i] = std::abs(u + offset) <= row.still ? -offset : u;
    motion.mobility[i] = row.mobility > 0 ? row.mobility + compliance : 0;
  }
  return motion;
}

/// A_ii of an equation, servo or dry friction on coordinates; 0 of other blocks. The mass matrix is factored.
double Judge::mobility_of_equation(const Model& model, const RowEvidence& evidence, const Block& block) {
  const ConstraintRow& row = evidence.rows[block.row];
  return is_equation(block) && row.coordinate >= 0 ? inverse_inertia(model, row) + row.compliance : 0;
}

BlockSizes Judge::sizes_of(const Tree& group) {
  const double impulse = group.impulse > 0 ? group.impulse : group.square;
  return {impulse > 0 ? impulse : 1, group.velocity > 0 ? group.velocity : 1};
}

void Judge::judge_phase(const Model& model, const RowEvidence& evidence, const Phase& phase,
                        SolveCertificate& conditions) {
  measure_groups(model, evidence, phase);
  // A group without impulses is judged relative to those that its velocities ask for: no impulse has a size of its own.
  for (Tree& tree : trees_) tree.square = 0;
  for (const Block& block : phase.blocks) {
    const int group = group_of(model, evidence.rows[block.row]), n = block.normal_row();
    if (group < 0 || trees_[group].impulse > 0 || !(trees_[group].velocity > 0)) continue;
    const ConstraintRow& row = evidence.rows[n];
    const double moves = row.coordinate < 0 ? rows_[n].mobility : inverse_inertia(model, row);
    double asked = std::abs(block.offset);
    for (int i = block.row; i < block.row + std::min(block.size(), 3); ++i) {
      const double before = std::abs(rows_[i].*phase.before);
      if (before > rows_[i].still) asked = std::max(asked, before);
    }
    if (moves > 0) trees_[group].square = std::max(trees_[group].square, asked / (moves + row.compliance));
  }
  for (const Block& block : phase.blocks) {
    const int group = group_of(model, evidence.rows[block.row]);
    if (group < 0) continue;
    const Tree& size = trees_[group];
    if (phase.later && size.impulse <= negligible_phase * size.whole) continue;
    BlockMotion motion = motion_of(evidence, block, phase);
    const BlockSizes sizes = sizes_of(size);
    const double natural_map = conditions.natural_map;
    // Rows on coordinates have conditions of their own, and no map.
    const bool maps = motion.mobility[0] > 0;
    if (!maps) motion.mobility[0] = mobility_of_equation(model, evidence, block);
    judge_block(block, motion, sizes, phase.directions, conditions);
    if (!maps) conditions.natural_map = natural_map;
  }
}

/// False if impulses or velocities are not finite; every residual is infinite then.
bool Judge::is_finite(const RowEvidence& evidence, SolveCertificate& conditions) const {
  const bool finite =
      std::all_of(evidence.impulse.begin(), evidence.impulse.end(), [](double p) { return std::isfinite(p); });
  if (finite && v_plus_.allFinite()) return true;
  for (double SolveCertificate::*residual :
       {&SolveCertificate::normal_complementarity, &SolveCertificate::cone_violation,
        &SolveCertificate::dissipation_residual, &SolveCertificate::polyhedral_error,
        &SolveCertificate::bilateral_residual, &SolveCertificate::bounded_residual, &SolveCertificate::natural_map}) {
    conditions.*residual = std::numeric_limits<double>::infinity();
  }
  return false;
}

void Judge::begin_rows(const Model& model, const RowEvidence& evidence, const VectorX& after, double least_speed,
                       const StepEvidence* ends) {
  fastest_ = std::max(least_speed, fewest_digits);
  group_trees(model, evidence);
  measure_rows(model, evidence, v_free_, &Row::before, ends);
  measure_rows(model, evidence, after, &Row::after, ends);
  measure_round_off(model, evidence, least_speed);
}

/// v_free_ and v_plus_ are the velocities without the rows' impulses and with them. least_speed: the fastest about is
/// no slower, m/s or rad/s.
void Judge::judge_rows(const Model& model, const RowEvidence& evidence, int directions, double least_speed,
                       SolveCertificate& conditions) {
  if (!is_finite(evidence, conditions)) return;
  begin_rows(model, evidence, v_plus_, least_speed);
  const std::span<const double> all(evidence.impulse);
  if (evidence.later_blocks.empty()) {
    judge_phase(model, evidence, {evidence.blocks, all, &Row::before, &Row::after, false, directions}, conditions);
    return;
  }
  row_impulses(model, {evidence.rows, evidence.later_impulse, evidence.rows.size()}, impulse_);
  solve_mass(model, impulse_, at_, scratch_);
  v_between_ = v_plus_ - scratch_;
  measure_rows(model, evidence, v_between_, &Row::between);
  first_impulse_.resize(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) first_impulse_[i] = all[i] - evidence.later_impulse[i];
  judge_phase(model, evidence, {evidence.blocks, first_impulse_, &Row::before, &Row::between, false, directions},
              conditions);
  for (Tree& tree : trees_) tree.whole = tree.impulse;
  judge_phase(model, evidence,
              {evidence.later_blocks, evidence.later_impulse, &Row::between, &Row::after, true, directions},
              conditions);
}

}  // namespace carom
