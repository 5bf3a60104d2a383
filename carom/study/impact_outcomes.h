#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/geometry/point_hull.h"
#include "carom/impact/propagative/outcome_set.h"
#include "carom/impact/propagative/uniqueness.h"
#include "carom/study/impact_at_hand.h"

namespace carom {

/// Velocities of a mechanism as points of a Euclidean space, in which distances are those of the kinetic metric:
///
///     y = Lᵀ v,  M = L Lᵀ,  ‖y_a − y_b‖² = (v_a − v_b)ᵀ M (v_a − v_b),  √J.
class KineticSpace {
 public:
  explicit KineticSpace(const ImpactAtHand& hand);

  VectorX point(const VectorX& v) const { return factor_.transpose() * v; }
  /// ½ vᵀ M v, J.
  double energy(const VectorX& v) const { return 0.5 * point(v).squaredNorm(); }
  double distance(const VectorX& a, const VectorX& b) const { return point(a - b).norm(); }

 private:
  MatrixX factor_;  // L
};

/// A velocity that a frictionless impact can lead to.
struct OutcomePoint {
  std::string name;          ///< "outcome 1", "plastic on the span", "blend of outcome 1 with …", …
  VectorX v;                 ///< Model::velocity_count()
  VectorX impulse;           ///< along the normals of ImpactOutcomes::contacts, N s (of a joint limit N m s)
  VectorX contact_velocity;  ///< of the same, m/s
  double energy_ratio = 0;   ///< kinetic energy after over that before; NaN where that is zero
};

/// The impact as impacts at one contact after another, without friction (docs/theory/propagative.md).
struct ImpactOutcomes {
  std::vector<int> contacts;   ///< of ImpactAtHand::contacts: those that take part, linked to one that strikes
  std::vector<int> immovable;  ///< those that no impulse moves, left out
  bool has_friction = false;   ///< some contact that takes part has friction, which is left out
  double energy = 0;           ///< kinetic, before, J
  double reachable = 0;        ///< the part of it that the contacts can take, J
  NormalImpact impact;         ///< of `contacts`; bilateral constraints eliminated
  MatrixX normals;             ///< a row for each of them: its unit normal in KineticSpace, within the constraints
  VectorX before;              ///< v, projected onto the constraints
  Uniqueness verdict;          ///< its contacts are numbers in `contacts`
  OutcomeSet all;              ///< reading stops_when_feasible; sequences of numbers in `contacts`
  OutcomeSet literal;          ///< reading no_subsequence
  std::vector<OutcomePoint> outcomes;  ///< of `all`
  std::vector<bool> in_literal;        ///< for each: minimal sequences to the letter lead there too
  PointHull hull;                      ///< of `outcomes` in KineticSpace
  std::vector<OutcomePoint> plastic;   ///< on the span, and on the feasible cone
  std::optional<double> restitution;   ///< of the blends
  std::string no_blends;               ///< why there are none, a sentence
  std::vector<OutcomePoint> blends;    ///< each outcome with each plastic one
};

struct OutcomeSearch {
  int max_momenta = 20000;            ///< budget of each enumeration
  std::optional<double> restitution;  ///< of the blends; empty: the one that all contacts that strike share
};

/// Throws Error if a number of it makes no sense.
void check(const OutcomeSearch& search);

/// Throws Error if nothing that strikes can be moved. Cost: a solve of A, and the enumerations.
ImpactOutcomes impact_outcomes(const ImpactAtHand& hand, const KineticSpace& space, const OutcomeSearch& search);

/// Place of a velocity among the outcomes.
struct Placement {
  int nearest = -1;             ///< of the elastic ones, ImpactOutcomes::outcomes; −1: there are none
  double distance = 0;          ///< from it, √J
  double relative = 0;          ///< over √(2 E)
  std::string closest;          ///< name of the nearest of all: outcomes, plastic ones, blends
  double closest_relative = 0;  ///< its distance over √(2 E)
  double hull_distance = 0;     ///< from the convex hull of the outcomes, over √(2 E)
  bool in_hull = false;         ///< to 1e-8
};
Placement place(const ImpactOutcomes& outcomes, const KineticSpace& space, const VectorX& v);

}  // namespace carom
