// Forces of a step of an integration that are functions of the state, against their law at the step's start.

#include <algorithm>
#include <cmath>
#include <tuple>

#include "carom/certificate/judge.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

bool is_of_contact(const Block& block) { return block.is_contact() || block.kind == BlockKind::unilateral; }

/// Impulse of a block's rows in the frame of a contact; of a joint limit z alone.
Vec3 impulse_in_frame(const StepEvidence& evidence, const Block& block, const Contact& contact) {
  Vec3 sum = Vec3::Zero();
  for (int i = block.row; i < block.row + block.size(); ++i) {
    const auto number = static_cast<std::size_t>(i);
    const ConstraintRow& row = evidence.rows[number];
    if (row.coordinate < 0) {
      sum += evidence.impulse[number] * row.direction;
    } else if (contact.id.is_limit() && row.coordinate == contact.id.b) {
      return {0, 0, evidence.impulse[number] * row.coefficient * (contact.id.feature == ContactId::lower ? 1 : -1)};
    }
  }
  return contact.R_WC.transpose() * sum;
}

}  // namespace

/// All but contacts, into integration_->standing. Friction of a joint is what the rate makes of it, and opposes it.
void Judge::follow_rates(const Model& model, const StepEvidence& evidence) {
  std::vector<Block>& standing = integration_->standing;
  standing.clear();
  measure_groups(model, evidence, {evidence.blocks, integration_->impulse, &Row::before, &Row::after, false, 0});
  for (const Block& block : evidence.blocks) {
    if (is_of_contact(block)) continue;
    standing.push_back(block);
    const int k = evidence.rows[static_cast<std::size_t>(block.row)].coordinate;
    if (block.kind != BlockKind::bounded || k < 0) continue;
    const Joint& joint = model.joints()[static_cast<std::size_t>(model.coordinate_body(k))];
    const double rate = evidence.v_start[k];
    const double bound = evidence.length * joint.friction[k - joint.v_index] *
                         CompliantLaw::rise(std::abs(rate), evidence.equation.compliance->transition_speed);
    standing.back().upper = bound;
    standing.back().lower = -bound;
    const double size = sizes_of(trees_[group_of(model, evidence.rows[static_cast<std::size_t>(block.row)])]).velocity;
    rows_[static_cast<std::size_t>(block.row)].after = std::copysign(size, rate);
  }
}

/// A contact's block against its law; largest: impulse of its group.
void Judge::judge_force(const StepEvidence& evidence, const Block& block, const CompliantContact& lawful,
                        double largest, Verdict& verdict) const {
  const Vec3 p = impulse_in_frame(evidence, block, lawful.contact);
  const double friction = p.head<2>().norm(), slip = lawful.velocity.head<2>().norm();
  const double asked = evidence.length * lawful.normal_force(p[2] > 0 ? friction / p[2] : 0);
  SolveCertificate& conditions = verdict.conditions;
  conditions.normal_complementarity = worse_of(conditions.normal_complementarity, std::abs(p[2] - asked) / largest);
  const ConstraintRow& row = evidence.rows[static_cast<std::size_t>(block.row)];
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
  for (const auto& [body, told, own] : {std::tuple(row.body_a, row.point_a, lawful.contact.p_WA),
                                        std::tuple(row.body_b, row.point_b, lawful.contact.p_WB)}) {
    if (body < 0) continue;
    const double missed = (told - own).norm() / size_[static_cast<std::size_t>(body)];
    verdict.kinematic_residual = worse_of(verdict.kinematic_residual, missed * p.norm() / largest);
  }
}

/// Contacts at the start: those told against their law, and those that are not told though they overlap.
void Judge::judge_compliance(const Model& model, const StepEvidence& evidence, Verdict& verdict) {
  Integration& my = *integration_;
  forward_kinematics(model, evidence.q_start, at_);
  forward_velocity(model, evidence.q_start, evidence.v_start, at_);
  const std::vector<CompliantContact>& lawful =
      my.law.find(model, *evidence.equation.compliance, evidence.q_start, evidence.v_start, at_);
  my.told.assign(lawful.size(), 0);
  group_trees(model, evidence);
  measure_groups(model, evidence, {evidence.blocks, evidence.impulse, &Row::before, &Row::after, false, 0});
  double& unlawful = verdict.conditions.normal_complementarity;
  for (std::size_t i = 0; i < evidence.blocks.size(); ++i) {
    const Block& block = evidence.blocks[i];
    if (!is_of_contact(block)) continue;
    const ContactId& id = evidence.modes[i].id;
    const auto place =
        std::ranges::lower_bound(lawful, id, {}, [](const CompliantContact& of) { return of.contact.id; });
    const bool overlaps = place != lawful.end() && place->contact.id == id;
    if (overlaps) my.told[static_cast<std::size_t>(place - lawful.begin())] = 1;
    const int group = group_of(model, evidence.rows[static_cast<std::size_t>(block.row)]);
    if (group < 0) continue;
    const double largest = trees_[static_cast<std::size_t>(group)].impulse;
    if (overlaps) {
      judge_force(evidence, block, *place, largest > 0 ? largest : 1, verdict);
    } else if (evidence.impulse[static_cast<std::size_t>(block.normal_row())] != 0) {
      unlawful = worse_of(unlawful, 1);
    }
  }
  for (std::size_t i = 0; i < lawful.size(); ++i) {
    const Contact& contact = lawful[i].contact;
    const bool moves = carrier_[static_cast<std::size_t>(contact.body_a) + 1] >= 0 ||
                       carrier_[static_cast<std::size_t>(contact.body_b) + 1] >= 0;
    if (my.told[i] == 0 && moves && lawful[i].normal_force(0) > 0) unlawful = worse_of(unlawful, 1);
  }
}

}  // namespace carom
