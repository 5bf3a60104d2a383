#pragma once

#include <array>

#include "carom/model/state.h"

namespace carom {

/// The measure of a block's impulses if the step's equation has its conditions at its end. It is a length of the state
/// after, divided by h, and replaces a velocity. A datum; the Judge measures the lengths.
struct EndCondition {
  enum class Kind {
    velocity,    ///< none of these: the block's velocity, where the step is linearised
    constraint,  ///< g(q⁺, t⁺) = 0, row `number` of constraint_equations at velocity level
    stop,        ///< 0 ≤ gap(q⁺) ⊥ p ≥ 0 of the joint's limit or rope `id`
    shapes,      ///< 0 ≤ d(q⁺) + slack + Σ δ⁺_n ⊥ p_n ≥ 0 of two shapes, d their signed distance
    point,       ///< the same of a point of one shape over a face of the other, d its distance from the face's plane
    level,       ///< the same with d as declared, for a layer by levels of an inequality, which are no distance
  };
  /// Parallel faces and edges have this in place of nearest points, in the frames of the bodies. A circle has the
  /// radius `rim` and its axis through `center`. The point is the one deepest below the plane, of the circle and the
  /// ball about it.
  struct PointOnPlane {
    bool of_a = true;  ///< whose the point is; the face is the other's
    Vec3 center = Vec3::Zero(), axis = Vec3::Zero();
    double rim = 0, ball = 0;  ///< m
    Vec3 normal = Vec3::UnitZ(), on_plane = Vec3::Zero();
  };

  Kind kind = Kind::velocity;
  int number = -1;
  ContactId id = {};
  PointOnPlane point = {};
  double level = 0;  ///< m
  // For contacts of any kind.
  bool core_alone = false;           ///< it stands for cores below layers: d + Σ thickness in place of d
  double share = 1;                  ///< of this one, for layers by area, m²
  std::array<double, 2> slack = {};  ///< of the layers of A and B: overlap at which they begin to give way, m
  std::array<Vec3, 2> start = {Vec3::Zero(), Vec3::Zero()};  ///< δ along t, o, n when the step begins, m
  std::array<Vec3, 2> end = {Vec3::Zero(), Vec3::Zero()};    ///< δ⁺

  bool is_contact() const { return kind == Kind::shapes || kind == Kind::point || kind == Kind::level; }
};

}  // namespace carom
