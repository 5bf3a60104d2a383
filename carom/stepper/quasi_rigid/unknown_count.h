#pragma once

namespace carom {

/// Unknowns of a step as Chakraborty, Berard, Akella and Trinkle 2007 count them below eq. (15), part by part.
struct UnknownCount {
  int free = 0;           ///< with an equation each
  int complementary = 0;  ///< bounded by 0, each with an inequality
};

/// Counts 6 n_b + 13 n_c and 3 n_c for free bodies and contacts. Each contact has friction, torsion and one layer, and
/// one surface f and one g. The multipliers of closest points are not counted: (9) equates unit vectors instead.
constexpr UnknownCount printed_count(int bodies, int contacts) {
  constexpr int twist = 6;
  constexpr int closest_points = 3 + 3;          // a₁, a₂
  constexpr int deflections = 1 + 1 + 2;         // δ̄_n algebraic, δ_n, δ_t and δ_o
  constexpr int friction = 2 + 1;                // p_t and p_o, p_r
  constexpr int normal = 1 + 1, slip_speed = 1;  // p_ns, p_nr; σ
  return {twist * bodies + (closest_points + deflections + friction) * contacts, (normal + slip_speed) * contacts};
}

}  // namespace carom
