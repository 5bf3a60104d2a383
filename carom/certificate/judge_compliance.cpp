// Forces of a step of an integration that are functions of the state, against their law at the step's start.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/certificate/judge.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

constexpr double unlawful = 1;  // residual of what no law has

bool is_of_contact(const Block& block) { return block.is_contact() || block.kind == BlockKind::unilateral; }

/// Impulse of a block's rows in the frame of a contact; of a joint limit z alone, by the direction of its own row.
Vec3 impulse_in_frame(const StepEvidence& evidence, const Block& block, const Contact& contact,
                      const ConstraintRow& own) {
  Vec3 sum = Vec3::Zero();
  for (int i = block.row; i < block.row + block.size(); ++i) {
    const auto number = static_cast<std::size_t>(i);
    const ConstraintRow& row = evidence.rows[number];
    if (own.coordinate >= 0) {
      return {0, 0, evidence.impulse[number] * row.sign * row.coefficient / (own.sign * own.coefficient)};
    }
    sum += evidence.impulse[number] * row.direction;
  }
  return contact.R_WC.transpose() * sum;
}

}  // namespace

/// Distance of a row from the lawful one over the size of the bodies; `unlawful` on others, or with a moment.
double Judge::misplaced(const ConstraintRow& told, const ConstraintRow& own) const {
  if (told.coordinate != own.coordinate) return unlawful;
  if (own.coordinate >= 0) {
    // The same sum, but for a factor.
    const double factor = told.sign * told.coefficient / (own.sign * own.coefficient);
    const auto same = [&](const RowTerm& a, const RowTerm& b) {
      return a.coordinate == b.coordinate && told.sign * a.coefficient == factor * own.sign * b.coefficient;
    };
    return std::ranges::equal(told.others, own.others, same) ? 0 : unlawful;
  }
  if (told.body_a != own.body_a || told.body_b != own.body_b || !told.moment.isZero(0)) return unlawful;
  double size = std::numeric_limits<double>::infinity();
  for (const int body : {own.body_a, own.body_b}) {
    if (body >= 0) size = std::min(size, size_[static_cast<std::size_t>(body)]);
  }
  return std::max((told.point_a - own.point_a).norm(), (told.point_b - own.point_b).norm()) / size;
}

/// A contact's block against its law; `largest`: impulse of its group.
void Judge::judge_force(const StepEvidence& evidence, const Block& block, const LawfulContact& lawful, double largest,
                        Verdict& verdict) {
  std::vector<ConstraintRow>& own = integration_->rows;
  own.clear();
  append_rows(lawful.contact, own);
  const Vec3 p = impulse_in_frame(evidence, block, lawful.contact, own.front());
  const double friction = p.head<2>().norm(), slip = lawful.velocity.head<2>().norm();
  const double asked = evidence.length * lawful.normal_force(p[2] > 0 ? friction / p[2] : 0);
  largest = std::max({largest, asked, p.norm()});
  if (!(largest > 0)) return;
  SolveCertificate& conditions = verdict.conditions;
  conditions.normal_complementarity = worse_of(conditions.normal_complementarity, std::abs(p[2] - asked) / largest);
  for (int i = 0; i < block.size(); ++i) {
    const ConstraintRow& told = evidence.rows[static_cast<std::size_t>(block.row) + static_cast<std::size_t>(i)];
    const double missed = block.size() == std::ssize(own) ? misplaced(told, own.front()) : unlawful;
    verdict.kinematic_residual = worse_of(verdict.kinematic_residual, missed * p.norm() / largest);
  }
  if (!lawful.contact.id.is_surface()) return;
  Block cone;
  cone.kind = BlockKind::cone;
  cone.friction = lawful.friction;
  BlockMotion motion;
  motion.impulse.head<3>() = p;
  if (!(lawful.shear > 0)) motion.velocity.head<2>() = lawful.velocity.head<2>();
  const double natural_map = conditions.natural_map;
  judge_block(cone, motion, {largest, slip > 0 ? slip : 1}, 0, conditions);
  conditions.natural_map = natural_map;
}

/// Dry friction of joints against what their rates make of it, whether it is told or not.
void Judge::judge_joint_friction(const Model& model, const StepEvidence& evidence, SolveCertificate& conditions) {
  VectorX& told = integration_->friction;
  told.setZero(model.velocity_count());
  for (const Block& block : evidence.blocks) {
    const auto number = static_cast<std::size_t>(block.row);
    const int k = evidence.rows[number].coordinate;
    if (block.kind != BlockKind::bounded || k < 0) continue;
    evidence.rows[number].for_each_term(
        [&](int at, double coefficient) { told[at] += coefficient * evidence.impulse[number]; });
  }
  for (const Joint& joint : model.joints()) {
    for (int i = 0; i < velocity_size(joint); ++i) {
      const int k = joint.v_index + i;
      const double bound = i < joint.friction.size() ? joint.friction[i] : 0, rate = evidence.v_start[k];
      if (bound == 0 && told[k] == 0) continue;
      const double rise = CompliantLaw::rise(std::abs(rate), evidence.equation.compliant->transition_speed);
      const double asked = -std::copysign(evidence.length * bound * rise, rate), missed = std::abs(told[k] - asked);
      if (missed == 0) continue;
      const double group = trees_[static_cast<std::size_t>(group_of(tree_of_[static_cast<std::size_t>(k)]))].impulse;
      const double largest = std::max({group, std::abs(asked), std::abs(told[k])});
      conditions.bounded_residual = worse_of(conditions.bounded_residual, missed / largest);
    }
  }
}

/// Contacts at the start against their law: those told, those that overlap and are not told, and rows of no block.
void Judge::judge_compliance(const Model& model, const StepEvidence& evidence, Verdict& verdict) {
  Integration& my = *integration_;
  forward_kinematics(model, evidence.q_start, at_);
  forward_velocity(model, evidence.q_start, evidence.v_start, at_);
  const std::vector<LawfulContact>& lawful =
      my.law.find(model, *evidence.equation.compliant, evidence.q_start, evidence.v_start, at_);
  my.told.assign(lawful.size(), 0);
  my.in_block.assign(evidence.rows.size(), 0);
  group_trees(model, evidence);
  measure_groups(model, evidence, {evidence.blocks, evidence.impulse, &Row::before, &Row::after, false, 0});
  double& residual = verdict.conditions.normal_complementarity;
  for (std::size_t i = 0; i < evidence.blocks.size(); ++i) {
    const Block& block = evidence.blocks[i];
    std::fill_n(my.in_block.begin() + block.row, block.size(), 1);
    const int group = group_of(model, evidence.rows[static_cast<std::size_t>(block.row)]);
    if (!is_of_contact(block) || group < 0) continue;
    const ContactId& id = evidence.modes[i].id;
    const auto place = std::ranges::lower_bound(lawful, id, {}, [](const LawfulContact& of) { return of.contact.id; });
    const bool overlaps = place != lawful.end() && place->contact.id == id;
    const auto first = evidence.impulse.begin() + block.row;
    const bool bears = std::any_of(first, first + block.size(), [](double p) { return p != 0; });
    if (!overlaps) {
      if (bears) residual = worse_of(residual, unlawful);
      continue;
    }
    char& told = my.told[static_cast<std::size_t>(place - lawful.begin())];
    if (told != 0 && bears) residual = worse_of(residual, unlawful);
    told = 1;
    judge_force(evidence, block, *place, trees_[static_cast<std::size_t>(group)].impulse, verdict);
  }
  for (std::size_t i = 0; i < lawful.size(); ++i) {
    const Contact& contact = lawful[i].contact;
    const bool moves = carrier_[static_cast<std::size_t>(contact.body_a) + 1] >= 0 ||
                       carrier_[static_cast<std::size_t>(contact.body_b) + 1] >= 0;
    if (my.told[i] == 0 && moves && lawful[i].normal_force(0) > 0) residual = worse_of(residual, unlawful);
  }
  for (std::size_t row = 0; row < evidence.rows.size(); ++row) {
    if (my.in_block[row] == 0 && evidence.impulse[row] != 0) residual = worse_of(residual, unlawful);
  }
  judge_joint_friction(model, evidence, verdict.conditions);
}

/// Velocities without the equations' impulses, into v_free_: forces that are functions of the state are applied ones.
/// The equations alone go into integration_->standing.
void Judge::free_of_equations(const Model& model, const StepEvidence& evidence) {
  Integration& my = *integration_;
  my.standing.clear();
  my.impulse.assign(evidence.impulse.size(), 0.0);
  for (const Block& block : evidence.blocks) {
    if (block.kind != BlockKind::bilateral) continue;
    my.standing.push_back(block);
    my.impulse[static_cast<std::size_t>(block.row)] = evidence.impulse[static_cast<std::size_t>(block.row)];
  }
  row_impulses(model, {evidence.rows, my.impulse, evidence.rows.size()}, impulse_);
  solve_mass(model, impulse_, at_, scratch_);
  v_free_ = v_plus_ - scratch_;
}

}  // namespace carom
