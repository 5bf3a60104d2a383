#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/combination.h"
#include "carom/model/layer.h"
#include "carom/pair_restitution.h"
#include "carom/spatial/types.h"
#include "carom/tangential_spring.h"

namespace carom {

/// A surface's part in friction, restitution and elasticity; what two materials do together is a ContactMaterial.
struct Material {
  std::string name = {};
  Vec2 friction = Vec2::Zero();  ///< of what slides, along the contact frame's x and y (equal if isotropic)
  Restitution restitution = {};
  std::optional<Vec2> static_friction = std::nullopt;  ///< of what sticks, ≥ friction; none: the friction itself
  std::optional<Vec2> impact_friction = std::nullopt;  ///< of impacts that are instants; none: the friction itself
  double viscous_friction = 0;    ///< friction that grows with the slip speed, per unit normal force, ≥ 0, s/m
  double youngs_modulus = 0;      ///< E, Pa; 0: not given, which counts as rigid beside a material that has one
  double poisson_ratio = 0.3;     ///< ν, −1 < ν < 0.5
  double dissipation = 0;         ///< c ≥ 0 of Hunt and Crossley's force f (1 + 3/2 c ż) at the compression z, s/m
  double contact_radius = 0.01;   ///< > 0, of the curvature that corners, edges and flat faces have in Hertz's law, m
  double torsional_friction = 0;  ///< moment about the normal that is held per unit normal force, ≥ 0, m: the third
                                  ///< semi-axis μ e_r of the friction ellipsoid
  std::optional<Layer> layer = std::nullopt;  ///< compliant, on a rigid core; none: rigid
  double impact_friction_slope = 0;  ///< c of an impact's friction max(0, μ + c s) at the approach speed s, s/m
  std::optional<TangentialSpring> tangential_spring = std::nullopt;  ///< none: rigid along the surface
};

/// Properties of the contact of two materials.
///
///   friction and its kinds   combined by the rule of friction
///   restitution   by its own rule, at each speed
///
///   modulus   1/E* = (1 − ν_A²)/E_A + (1 − ν_B²)/E_B                     (Johnson, Contact Mechanics, eq. 4.21)
///
///   dissipation   E* (c_A (1 − ν_A²)/E_A + c_B (1 − ν_B²)/E_B): each side's by its share of the compliance. The mean
///   if
///                 both are rigid, or unknown
///
///   impact_friction_slope   the mean
///
///   tangential_spring   two springs in series, each side's by its share of the compliance (equal if both are rigid, or
///                 unknown). They bear the same force and give back e_t² of what each stores. None if neither side has
///                 one
///
/// Layers are not combined: each keeps its own memory, and both bear the same force.
struct ContactMaterial {
  Vec2 friction = Vec2::Zero();  ///< semi-axes of the friction ellipse per unit normal impulse, contact frame's x and y
  PairRestitution restitution;
  Vec2 static_friction = Vec2::Zero();                 ///< the same of what sticks, ≥ friction
  std::optional<Vec2> impact_friction = std::nullopt;  ///< the same of impacts; none: the friction itself
  double viscous_friction = 0;                         ///< s/m
  double modulus = 0;                                  ///< E*, Pa; 0: of neither material known
  double dissipation = 0;                              ///< s/m
  double torsional_friction = 0;                       ///< m
  double impact_friction_slope = 0;                    ///< s/m
  std::optional<TangentialSpring> tangential_spring = std::nullopt;

  /// Friction of an impact at the approach speed s ≥ 0, m/s: max(0, μ + c s) along either axis.
  Vec2 friction_of_impact(double s) const {
    Vec2 friction_at_rest = impact_friction.value_or(friction);
    if (impact_friction_slope == 0) return friction_at_rest;
    return (friction_at_rest.array() + impact_friction_slope * s).max(0).matrix();
  }
};

/// Properties of a pair of materials that is named, in place of the combination of its two. Elasticity stays theirs.
struct NamedPair {
  Vec2 friction = Vec2::Zero();
  Restitution restitution = {};
  std::optional<Vec2> static_friction = std::nullopt;                ///< none: the friction itself
  std::optional<Vec2> impact_friction = std::nullopt;                ///< none: the friction itself
  double viscous_friction = 0;                                       ///< s/m
  double torsional_friction = 0;                                     ///< m
  double impact_friction_slope = 0;                                  ///< s/m
  std::optional<TangentialSpring> tangential_spring = std::nullopt;  ///< none: rigid along the surface
};

/// Two materials named together.
struct MaterialPair {
  int a = 0, b = 0;  ///< material numbers, in either order
  NamedPair together;
};

/// Properties of every material with every other: entry a · count + b. For sound materials and pairs.
std::vector<ContactMaterial> contact_materials(const std::vector<Material>& materials,
                                               const std::vector<MaterialPair>& pairs, Combination friction,
                                               Combination restitution);

}  // namespace carom
