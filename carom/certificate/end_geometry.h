#pragma once

#include <vector>

#include "carom/certificate/evidence.h"
#include "carom/contact/contact_finder.h"
#include "carom/dynamics/constraint_equations.h"

namespace carom {

/// Measures of a condition at the step's end, from the state after.
struct EndMeasure {
  double length = 0;     ///< g, gap, or d (with Σ thickness where cores are meant), m or rad
  double round_off = 0;  ///< of it
  double size = 0;       ///< of contacts: of the lesser body, m
  /// Distance of a contact's rows from where the shapes touch. Turns in rad, ways relative to the bodies' size.
  double misplaced = 0;
};

/// Measures the conditions at the end of a step (EndCondition) by the geometry of the model at q⁺ alone. It does not
/// use the points, normals and gaps of the step's problem.
///
///   constraint   `constraint_equations` at q⁺ and t⁺
///   stop         gap of the limit or rope at q⁺
///   shapes       signed distance d of the two shapes (contact_points.h), and `misplaced`, see below
///   point        its distance from the plane; whether it is a point of its shape and the plane bounds the other one
///   level        nothing
///
/// For two shapes with one nearest point (one of them is a ball or an ellipsoid) `misplaced` compares its place and
/// normal with the rows. For others the impulse must act on the line between a point of A farthest along −n and one of
/// B farthest along n.
///
/// Not checked: where below a plane the impulses of its points act, and that a plane's point is within its face.
/// O(conditions). Allocates for lists that are longer than any before.
class EndGeometry {
 public:
  explicit EndGeometry(const Model& model);

  /// By block. at_end: forward_kinematics at q⁺; size: of bodies, m.
  const std::vector<EndMeasure>& measure(const Model& model, const StepEvidence& evidence,
                                         const DynamicsWorkspace& at_end, const std::vector<double>& size);

 private:
  EndMeasure of_shapes(const Model& model, const EndCondition& condition, const ConstraintRow* rows,
                       const DynamicsWorkspace& at_end, double size);
  EndMeasure of_point(const Model& model, const EndCondition& condition, const ConstraintRow* rows,
                      const DynamicsWorkspace& at_end, double size);

  ContactFinder finder_;
  ConstraintEquations equations_;
  std::vector<ContactPoint> points_;
  std::vector<EndMeasure> measures_;
};

}  // namespace carom
