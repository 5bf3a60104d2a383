#pragma once

#include <optional>
#include <span>
#include <vector>

#include "carom/certificate/compliant_forces.h"
#include "carom/certificate/end_condition.h"
#include "carom/complementarity/contact_problem.h"
#include "carom/dynamics/delassus.h"

namespace carom {

/// The discrete equation that a stepper claims to solve, as a datum which the Judge evaluates by its own code. All
/// matrices, rows and forces are those of one configuration q_a, the linearisation:
///
///   M (v⁺ − v − s) = h (g + f + k(q_a) − c − D v⁺ − h K (v⁺ − r)) + Jᵀ p,   q⁺ = q ⊞ h v⁺
///
/// With `means`, means over the step stand for its end: with weights φ and θ of the end,
///
///   M (v⁺ − v − s) = h (g + f + k(q_a) − c − D ((1 − φ) v + φ v⁺) − h K (φ ((1 − φ) v + φ v⁺) − r)) + Jᵀ p,
///   q⁺ = q ⊞ h ((1 − θ) v + θ v⁺)
///
/// A tree's θ is ½, or 1 in an impact; φ is ½ where no spring or damper acts. The turn is then that of v + kick, and a
/// single body turns along v + kick + θ s.
///
/// Here g is gravity, f applied forces in the middle of the step, k springs with stiffness K, and D dampers. The reach
/// is r = (q_a ⊟ q)/h. Gyroscopic terms are either c(v) or the turn s of a motion without forces.
///
/// A discrete action has another equation, in which D₁ and D₂ are slopes of L_d = h L(q_m, w). The middle of the path
/// q⁺ = q ⊞ h w is q_m, where forces f, springs, dampers and servos act (docs/theory/variational.md):
///
///   −D₁ L_d(q, q⁺) = M v + Jᵀ p,   M⁺ v⁺ = D₂ L_d(q, q⁺) + J⁺ᵀ p⁺
///
/// In a step that is implicit in the geometry (StepEvidence::end_conditions) surface contacts act at its end instead.
/// Their impulses are Tᵀ J(q⁺)ᵀ p, with the transport T of velocities from q_a to q⁺. Their slips are J(q⁺) T v⁺, and
/// their conditions are on lengths there. A part p⁻ of its impulses may act on positions but not on velocities,
///
///   q⁺ = q ⊞ h v*,   v* = v⁺ + M⁻¹ Jᵀ p⁻,   M with what D and K add to it,
///
/// and the conditions are those of p + p⁻ and v*.
///
/// A step of an integration has forces in place of impulses. It is one step of DormandPrince on
///
///   M v̇ = g + f + k(q) − D v − c(q, v) + J(q)ᵀ p / h,   q̇ = position_rate(q, v)
///
/// with quaternions of unit length at every stage. The forces p / h of each stage are told as the impulses p that they
/// would have in the whole step. The conditions are those of accelerations at the step's start (BlockMode). Contacts,
/// joint limits, ropes and dry friction may be functions of the state instead. At the start they are then those of
/// CompliantLaw.
struct DeclaredEquation {
  enum class Form { impulses_at_one_place, discrete_action, integration };
  Form form = Form::impulses_at_one_place;
  // The others are of impulses at one place, but for `directions`.
  enum class Linearised { ahead, at_end };
  Linearised linearised = Linearised::ahead;  ///< at q ⊞ lead h v, or at the step's end as found by fixed point
  double lead = 1;
  bool means = false;  ///< forces and the way are those of means over the step (force_weight, end_weight)
  bool implicit_turn = true;  ///< s instead of c: of single bodies I (ω_s − ω) + h ω̄ × I ω̄ = 0, of trees as declared
  int directions = 0;                        ///< generators of the polyhedral friction cone, 0 for the exact one
  std::optional<CompliantForces> compliant;  ///< of an integration whose forces are functions of the state
  bool slip_of_layers = false;  ///< friction sees u_t + (δ⁺ − δ)_t / h, the slip of the layers' surfaces
};

/// Rows at one configuration, the law's conditions on them, and their impulses.
struct RowEvidence {
  VectorX q_at;                     ///< q_a, where the impulses acted
  std::vector<ConstraintRow> rows;  ///< contacts, limits, constraints, joint friction, servos, prescribed motions
  std::vector<Block> blocks;        ///< the law's conditions on them, of the first phase
  std::vector<double> impulse;      ///< p of all phases, by row
  // Second phase of a law that is solved in two (Poisson's), empty otherwise.
  std::vector<Block> later_blocks;
  std::vector<double> later_impulse;
};

/// Rows at a later stage of an integration, with their impulses. They need not be those of the step's start.
struct StageEvidence {
  std::vector<ConstraintRow> rows;
  std::vector<double> impulse;  ///< by row
};

/// How a block of rows moves at the start of a step of an integration.
struct BlockMode {
  ContactId id;                  ///< of a contact
  Mat3 R_WC = Mat3::Identity();  ///< likewise, its frame: the rows' directions
  bool moves = false;            ///< of dry friction of a joint: against a motion, else it holds
  double rest = 0;               ///< speed below which a slip, or a joint's rate, counts as none, m/s or rad/s
  Vec3 slip = Vec3::Zero();      ///< direction of a slip that counts as none and goes on all the same, world; else zero
};

/// All that a step tells its judge. Velocities are in the coordinates at the configuration named. For a
/// discrete action the rows are those of the step's start, where q_a is; turn and corrections are unused.
struct StepEvidence : RowEvidence {
  DeclaredEquation equation;
  double length = 0;         ///< h, s
  double end = 0;            ///< time at the step's end, s
  VectorX q_start, v_start;  ///< the state before
  VectorX q_end, v_end;      ///< the state after
  VectorX controlled;        ///< generalized force of the controller, N or N m
  VectorX turn;              ///< s, at q_a
  // By coordinate, with `means` alone.
  VectorX kick;          ///< part of the change of velocity that comes before the turn, at q_a
  VectorX force_weight;  ///< φ, ½ ≤ φ ≤ 1
  VectorX end_weight;    ///< θ, 0 < θ ≤ 1
  /// Changes of the step's end beside the equation, all zero if there were none. The first moves positions back onto
  /// constraints and out of overlap. It is the velocity that leads there from q ⊞ h v⁺ in unit time. The second, at
  /// q_end, is what this and the correction of the kinetic energy of articulated trees added to velocities.
  VectorX position_correction, velocity_correction;

  RowEvidence at_end;  ///< of a discrete action: rows at the step's end
  // For steps that are implicit in the geometry, empty otherwise. Every block has an end condition, every row its p⁻
  // (taken_back). Rows from first_at_end on are at q_end.
  std::vector<EndCondition> end_conditions;
  std::size_t first_at_end = 0;
  std::vector<double> taken_back;

  // For steps of an integration, empty otherwise. Modes are by block. Stages are all but the first, whose rows, blocks
  // and impulses are those of the evidence itself, at q_start, and the last.
  std::vector<BlockMode> modes;
  std::vector<StageEvidence> later_stages;
};

/// An impact at one configuration: velocities before and after, and the impulses that are to account for them.
struct ImpactEvidence {
  const VectorX& q;
  const VectorX& before;
  const VectorX& after;
  const std::vector<ConstraintRow>& rows;
  std::span<const double> impulse;  ///< by row
};

}  // namespace carom
