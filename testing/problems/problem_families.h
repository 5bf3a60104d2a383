#pragma once

#include <cstdint>
#include <string>

#include "testing/problems/contact_mechanics.h"

/// Seeded contact problems of rigid bodies in families, shared by tests and benchmarks.
namespace carom::families {

enum class Family {
  full_rank,        ///< as many balls and potatoes as contacts, touching one another and the world at random
  redundant,        ///< few bodies that meet in faces of up to six points, some of them twice
  mass_ratio,       ///< full_rank with masses of a given ratio
  stack,            ///< a column of boxes, four corners in every face
  zero_friction,    ///< any of the above, without friction in some or all contacts
  near_degenerate,  ///< redundant, with points and normals moved by 1e-9 to 1e-5, and nearly singular inertias
  wedged,           ///< bodies between two walls, steep or parallel or overhanging, some to be pushed out of overlap
  jammed,           ///< rods and boxes that slide at high friction into the ground, beyond Painlevé's limit and short
                    ///< of it; some to be pushed out of overlap
  mechanism,        ///< linkages: bilateral rows, redundant ones too, limits, dry friction in joints, anisotropic cones
  torsion,          ///< the same with friction ellipsoids
};

/// Those in which every contact is a cone with friction, and a solution exists.
constexpr Family all[] = {Family::full_rank, Family::redundant, Family::mass_ratio, Family::stack};
/// Those in which a solution exists: offsets are ≥ 0, and what bilateral rows ask can be done.
constexpr Family solvable[] = {Family::full_rank,     Family::redundant,       Family::mass_ratio, Family::stack,
                               Family::zero_friction, Family::near_degenerate, Family::mechanism,  Family::torsion};
/// Those in which one need not.
constexpr Family hard[] = {Family::wedged, Family::jammed};

std::string name(Family family);

/// All that it takes to make a problem again.
struct Recipe {
  Family family = Family::full_rank;
  int contacts = 1;
  std::uint64_t seed = 0;
  double mass_ratio = 1e4;  ///< largest over smallest mass, in the family of that name
};

/// As C++, for a failing test to print.
std::string describe(const Recipe& recipe);

Mechanics make(const Recipe& recipe);

/// The same from numbers that follow one another.
Mechanics make(Family family, int contacts, Random& random, double mass_ratio = 1e4);

}  // namespace carom::families
