// The conditions of a step that is implicit in the geometry, on lengths of the state after it.

#include <algorithm>
#include <cmath>

#include "carom/certificate/judge.h"
#include "carom/certificate/layer_condition.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

/// The problem of such a step resolves gaps to about 1e-11 of the bodies' size, ten times the tolerance of its solver.
/// It resolves impulses to the same part of those that stop the bodies. Scales are therefore at least this part of
/// either: sound_residual times this part is that resolution.
constexpr double beside = 1e-3;

/// Part of a length beyond the resolution of its digits, m or rad.
double resolved(double length, double round_off) {
  return std::abs(length) > round_off ? std::copysign(std::abs(length) - round_off, length) : 0;
}

/// The layers of a contact of two shapes, in a step.
struct Layers {
  bool any = false;
  double residual = 0;
  double depth = 0;              // slack and Σ δ⁺_n, m
  double give = 0;               // by which linear ones yield to a unit of impulse, m/(N s)
  Vec2 sideways = Vec2::Zero();  // (δ⁺ − δ)_t, m
};

Layers judge_layers(const Model& model, double h, const EndCondition& condition, const Vec3& p, double impulse,
                    double length) {
  Layers layers;
  if (condition.core_alone) return layers;
  const int colliders[] = {condition.id.a, condition.id.b};
  for (std::size_t side = 0; side < 2; ++side) {
    const auto& layer = model.materials()[model.colliders()[colliders[side]].material].layer;
    if (!layer) continue;
    layers.any = true;
    const PressedLayer pressed{condition.share, condition.slack[side], condition.start[side], condition.end[side]};
    layers.residual = worse_of(layers.residual, layer_residual(*layer, h, pressed, p, impulse, length));
    layers.depth += pressed.slack + pressed.end.z();
    const double slope = pressed.share * (h * layer->stiffness(2, 2) + layer->damping(2, 2));
    if (layer->kind == LayerKind::kelvin_voigt && slope > 0) layers.give += 1 / slope;
    layers.sideways += (pressed.end - pressed.start).head<2>();
  }
  return layers;
}

/// The natural map of a block at that normal speed: it counts a velocity as the impulse that makes it.
double natural_map(const Block& block, BlockMotion motion, double speed, const BlockSizes& sizes, int directions) {
  motion.velocity[block.normal_row() - block.row] = speed;
  SolveCertificate map;
  judge_block(block, motion, sizes, directions, map);
  return map.natural_map;
}

}  // namespace

/// Bodies at the end of the step, and how velocities go there.
void Judge::prepare_end(const Model& model, const StepEvidence& evidence) {
  if (!end_) end_.emplace(model);
  forward_kinematics(model, evidence.q_end, end_->at);
  for (std::size_t k = 0; k < end_->carry.size(); ++k) {
    scratch_.setZero();
    for (const Joint& joint : model.joints()) {
      if (static_cast<int>(k) < velocity_size(joint)) scratch_[joint.v_index + static_cast<int>(k)] = 1;
    }
    transport_velocity(model, evidence.q_at, evidence.q_end, scratch_, end_->carry[k]);
  }
}

void Judge::judge_end_conditions(const Model& model, const StepEvidence& evidence, double least_speed,
                                 Verdict& verdict) {
  using Kind = EndCondition::Kind;
  if (!is_finite(evidence, verdict.conditions)) return;
  begin_rows(model, evidence, v_moved_, least_speed, &evidence);
  const double h = evidence.length;
  whole_impulse_ = evidence.impulse;
  for (std::size_t i = 0; i < evidence.taken_back.size(); ++i) whole_impulse_[i] += evidence.taken_back[i];
  const int directions = evidence.equation.directions;
  const Phase phase{evidence.blocks, whole_impulse_, &Row::before, &Row::after, false, directions};
  measure_groups(model, evidence, phase);
  const std::vector<EndMeasure>& measures = end_->geometry.measure(model, evidence, end_->at, size_);
  for (std::size_t i = 0; i < evidence.blocks.size(); ++i) {
    Block block = evidence.blocks[i];
    const EndCondition& condition = evidence.end_conditions[i];
    const int group = group_of(model, evidence.rows[block.row]);
    if (group < 0) continue;
    BlockSizes sizes = sizes_of(trees_[group]);
    BlockMotion motion = motion_of(evidence, block, phase);
    bool maps = motion.mobility[0] > 0;
    if (condition.kind != Kind::velocity) {
      const int normal = block.normal_row() - block.row;
      const double yields = motion.mobility[normal];
      double least = beside * measures[i].size;
      if (yields > 0) sizes.impulse = std::max(sizes.impulse, beside * sizes.velocity / yields);
      double length = measures[i].length;
      if (condition.is_contact()) {
        const Vec3 p = motion.impulse.head<3>();
        const Layers layers = judge_layers(model, h, condition, p, sizes.impulse, std::max(h * sizes.velocity, least));
        length += layers.depth;
        // A length to which a soft layer yields counts as the impulse that presses it so far.
        least = std::max(least, layers.give * sizes.impulse);
        maps = maps && !layers.any;
        if (evidence.equation.slip_of_layers) motion.velocity.head<2>() += layers.sideways / h;
        const auto& colliders = model.colliders();
        const ContactMaterial& material =
            model.contact_material(colliders[condition.id.a].material, colliders[condition.id.b].material);
        block.friction = material.friction;
        block.torsion = material.torsional_friction;
        double& complementarity = verdict.conditions.normal_complementarity;
        complementarity = worse_of(complementarity, layers.residual);
        verdict.kinematic_residual =
            worse_of(verdict.kinematic_residual, p.norm() / sizes.impulse * measures[i].misplaced);
      }
      block.offset = 0;
      const double left = resolved(length, measures[i].round_off);
      motion.velocity[normal] = left / std::max(h, least / sizes.velocity);
      if (maps) {
        const double speed = left / std::max(h, least / (sizes.impulse * yields));
        double& worst = verdict.conditions.natural_map;
        worst = worse_of(worst, natural_map(block, motion, speed, sizes, directions));
        maps = false;
      }
    }
    const double map_before = verdict.conditions.natural_map;
    if (!(motion.mobility[0] > 0)) motion.mobility[0] = mobility_of_equation(model, evidence, block);
    judge_block(block, motion, sizes, directions, verdict.conditions);
    // Rows on coordinates have no map. That of contacts is of rigid ones: it would judge a layer that hardly presses by
    // the mass beside a gap.
    if (!maps) verdict.conditions.natural_map = map_before;
  }
}

}  // namespace carom
