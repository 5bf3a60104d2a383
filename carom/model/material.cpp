#include "carom/model/material.h"

#include <cmath>

namespace carom {
namespace {

/// (1 − ν²)/E, 1/Pa; 0 of what counts as rigid.
double compliance(const Material& material) {
  const double nu = material.poisson_ratio;
  return material.youngs_modulus > 0 ? (1 - nu * nu) / material.youngs_modulus : 0;
}

Vec2 combine(Combination rule, const Vec2& a, const Vec2& b) {
  return {combine(rule, a.x(), b.x()), combine(rule, a.y(), b.y())};
}

/// Springs in series. Each side gives way by its share of the normal compliance over its ratio of stiffness. These add
/// up, and so do the shares of the energy that the sides store.
std::optional<TangentialSpring> in_series(const Material& a, const Material& b) {
  if (!a.tangential_spring && !b.tangential_spring) return {};
  const double of_a = compliance(a), of_b = compliance(b), sum = of_a + of_b;
  double give = 0, given_back = 0;
  const auto add = [&](const std::optional<TangentialSpring>& spring, double share) {
    if (!spring) return;
    give += share / spring->stiffness;
    given_back += share / spring->stiffness * spring->restitution * spring->restitution;
  };
  add(a.tangential_spring, sum > 0 ? of_a / sum : 0.5);
  add(b.tangential_spring, sum > 0 ? of_b / sum : 0.5);
  if (!(give > 0)) return {};
  return TangentialSpring{1 / give, std::sqrt(given_back / give)};
}

ContactMaterial combination(const Material& a, const Material& b, Combination friction, Combination restitution) {
  ContactMaterial together;
  together.friction = combine(friction, a.friction, b.friction);
  together.restitution = PairRestitution(restitution, a.restitution, b.restitution);
  together.static_friction =
      combine(friction, a.static_friction.value_or(a.friction), b.static_friction.value_or(b.friction));
  if (a.impact_friction || b.impact_friction) {
    together.impact_friction =
        combine(friction, a.impact_friction.value_or(a.friction), b.impact_friction.value_or(b.friction));
  }
  together.viscous_friction = combine(friction, a.viscous_friction, b.viscous_friction);
  together.torsional_friction = combine(friction, a.torsional_friction, b.torsional_friction);
  const double of_a = compliance(a), of_b = compliance(b), sum = of_a + of_b;
  together.modulus = sum > 0 ? 1 / sum : 0;
  together.dissipation =
      sum > 0 ? (of_a * a.dissipation + of_b * b.dissipation) / sum : 0.5 * (a.dissipation + b.dissipation);
  together.impact_friction_slope = 0.5 * (a.impact_friction_slope + b.impact_friction_slope);
  together.tangential_spring = in_series(a, b);
  return together;
}

}  // namespace

std::vector<ContactMaterial> contact_materials(const std::vector<Material>& materials,
                                               const std::vector<MaterialPair>& pairs, Combination friction,
                                               Combination restitution) {
  const std::size_t count = materials.size();
  std::vector<ContactMaterial> table;
  table.reserve(count * count);
  for (const Material& a : materials) {
    for (const Material& b : materials) table.push_back(combination(a, b, friction, restitution));
  }
  for (const MaterialPair& pair : pairs) {
    ContactMaterial& together = table[pair.a * count + pair.b];
    together.friction = pair.together.friction;
    together.restitution = pair.together.restitution;
    together.static_friction = pair.together.static_friction.value_or(pair.together.friction);
    together.impact_friction = pair.together.impact_friction;
    together.viscous_friction = pair.together.viscous_friction;
    together.torsional_friction = pair.together.torsional_friction;
    together.impact_friction_slope = pair.together.impact_friction_slope;
    together.tangential_spring = pair.together.tangential_spring;
    table[pair.b * count + pair.a] = together;
  }
  return table;
}

}  // namespace carom
