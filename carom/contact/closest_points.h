#pragma once

#include "carom/complementarity/mixed/mixed_ncp_solver.h"
#include "carom/geometry/implicit/closest_point_system.h"

namespace carom {

struct ClosestPointOptions {
  double tolerance = 1e-12;  ///< of a solution, as MixedNcpOptions::tolerance
  int max_iterations = 60;   ///< of one method from one start
  double length = 0.1;       ///< change of a coordinate that matters, m: about the bodies' size
};

/// The places where two implicit bodies are nearest, or the shortest way out of one another.
struct ClosestPoints {
  NcpStatus status = NcpStatus::iteration_limit;  ///< of the best start; the rest is valid only if `solved`
  double residual = 0;                            ///< mixed_ncp_residual of the unknowns
  double gap = 0;                                 ///< signed, m
  Vec3 normal = Vec3::Zero();                     ///< unit, from B towards A, world frame
  Vec3 p_WA = Vec3::Zero();                       ///< a₁, on A
  Vec3 p_WB = Vec3::Zero();                       ///< a₂ = a₁ − gap · normal, on B
  VectorX unknowns;                               ///< of the ClosestPointSystem, to start the next step from
  int solutions = 0;                              ///< starts that ended in a solution
};

/// Solves the ClosestPointSystem of two bodies as a mixed complementarity problem (MixedNcpSolver). This lies beside
/// the contacts because geometry knows no complementarity.
///
/// The first start is the line between the bodies' inner points; a solution with gap > 0 is the distance, and proves
/// it. Otherwise it also starts from the normals of plane inequalities, if a body has few, and from 26 fixed
/// directions. It returns the solution with the greatest gap, the first of equals. Each solution is a lower bound of
/// the signed distance by itself. If bodies overlap, it is likely but not proven that the greatest was found. For
/// polytopes with many faces it may miss a way out through two edges. Cost: about 0.1 ms for a pair apart, milliseconds
/// for round bodies that overlap, tens of them for meshes. If a solution for nearby poses is known, find_near is one
/// run from there. Steps use neither, but solve the same equations with theirs. Allocates.
class ClosestPointFinder {
 public:
  explicit ClosestPointFinder(const ClosestPointOptions& options = {}) : options_(options) {}

  [[nodiscard]] ClosestPoints find(const ImplicitBody& a, const Transform& X_WA, const ImplicitBody& b,
                                   const Transform& X_WB);

  /// The solution reached from given unknowns, apart or overlapping. If the start is the solution of a nearby pose, it
  /// is the one that moves with the bodies.
  [[nodiscard]] ClosestPoints find_near(const ImplicitBody& a, const Transform& X_WA, const ImplicitBody& b,
                                        const Transform& X_WB, const VectorX& start);

 private:
  ClosestPointOptions options_;
  MixedNcpSolver solver_;
};

}  // namespace carom
