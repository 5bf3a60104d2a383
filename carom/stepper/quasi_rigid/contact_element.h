#pragma once

#include <vector>

#include "carom/contact/friction_axis.h"
#include "carom/geometry/implicit/closest_point_system.h"
#include "carom/model/state.h"
#include "carom/stepper/quasi_rigid/carried_motion.h"
#include "carom/stepper/quasi_rigid/contact_law.h"

namespace carom {

/// A point of a body over a plane of another. It replaces the closest points of two shapes if faces or edges lie on one
/// another. In the frames of the bodies,
///
///     a = e − ρ N − r p̂,   p = N − (N·z) z,   p̂ = p / ‖p‖,   d = N · (a − y),
///
/// with the point e. A ball about it has the radius ρ (end of a capsule). A circle about the axis z has the radius r
/// (rim of a cylinder). N is the plane's outward normal and y a point of it.
struct CornerOnPlane {
  bool corner_on_a = true;  ///< whose the point is; the plane is the other's
  Vec3 corner = Vec3::Zero();
  double ball = 0, rim = 0;
  Vec3 axis = Vec3::Zero();  ///< z
  Vec3 normal = Vec3::Zero(), point = Vec3::Zero();
};

/// One place where two bodies may touch in a step, and its law. The place is either closest points, which are unknowns
/// of the step, or a CornerOnPlane.
struct ContactElement {
  ContactId id;
  int body_a = -1, body_b = -1;
  bool is_smooth = true;
  const ImplicitBody* surface_a = nullptr;  ///< if smooth, in the shapes' frames
  const ImplicitBody* surface_b = nullptr;
  Transform X_AS = {}, X_BS = {};                                     ///< the shapes in their bodies
  ClosestPointSystem::Level level = ClosestPointSystem::Level::none;  ///< if smooth: the layer by levels
  bool by_length = false;     ///< if by levels: its depth is the length of (12), not the level itself
  CornerOnPlane corner = {};  ///< if not smooth
  ContactLaw law;
  LayerDeflections remembered = {};  ///< deflections of the last step; zero if it had no such element
  LayerDeflections start = {};       ///< at the start of the step (share_layers)
  double depth = 0;                  ///< m: overlap at the start of the step, if it has layers; ≤ 0: none
  FrictionAxis axis = {};            ///< t is its projection on the tangent plane
  double core = 0;  ///< m: for cores alone, how far the surfaces may overlap before this element presses
  /// Impulses act at a₁ + side (a₂ − a₁), on the surface that does not give way. All corners of a pair on one plane use
  /// `sunk`, m, as their gap there. So their points of action lie in one plane, and can all stick while one body tilts.
  double side = 0, sunk = 0;
  Eigen::Vector4d last{0, 0, 0, 0};   ///< impulse to start from, along t, o, n, and about n
  double kept = 1;                    ///< part of its impulse that the step keeps (quasi_rigid_energy.cpp)
  double relaxed = 1;                 ///< part of its deflections that the step keeps, likewise
  VectorX guess = {};                 ///< unknowns of the ClosestPointSystem to start from
  std::vector<int> coordinates = {};  ///< those that move either body
  int first = 0;                      ///< its unknowns: closest points, then the law's

  ClosestPointSystem system() const { return {*surface_a, *surface_b, level}; }
  int geometry_size() const { return is_smooth ? system().size() : 0; }
  int law_index() const { return first + geometry_size(); }
  int size() const { return geometry_size() + law.size(); }
};

/// Closest points, normal from B towards A and gap of an element.
struct ElementGeometry {
  Vec3 a1 = Vec3::Zero(), a2 = Vec3::Zero(), normal = Vec3::UnitZ();
  double gap = 0;
};

/// Tangents and unit normal of an element, and their derivatives by the normal, which need not have unit length, and by
/// the axis. The normal is n̂ = n/‖n‖. The first tangent t is the projection of the axis on the plane across n̂, scaled
/// to unit length, and o = n̂ × t.
struct ElementFrame {
  ElementFrame(const Vec3& normal, const Vec3& axis);
  Vec3 t, o, n;
  Mat3 t_by_n, o_by_n, n_by_n;
  Mat3 t_by_axis, o_by_axis;

  Mat3 R_WC() const;
};

/// The axis of an element at the end of the step, world.
Vec3 friction_axis_of(const ContactElement& element, const CarriedMotion& motion);
/// ∂axis/∂y, 3 × the element's coordinates; zero of the world's axes.
void axis_slope(const Model& model, const ContactElement& element, const CarriedMotion& motion,
                Eigen::Ref<MatrixX> slope);

/// Geometry of smooth elements from the unknowns, of others from the bodies' poses.
ElementGeometry element_geometry(const ContactElement& element, const CarriedMotion& motion,
                                 const Eigen::Ref<const VectorX>& z);

/// Slopes of a smooth element `by_length`: ∂d/∂x by the point that both share, world, and ∂d/∂y at fixed x.
struct LengthSlope {
  Vec3 by_point = Vec3::Zero();
  MatrixX by_y = {};
};
LengthSlope length_slope(const Model& model, const ContactElement& element, const CarriedMotion& motion,
                         const Eigen::Ref<const VectorX>& z);

/// ∂(a₁, a₂, n, d)/∂y of a corner on a plane, 10 × the element's coordinates.
void corner_slope(const Model& model, const ContactElement& element, const CarriedMotion& motion,
                  Eigen::Ref<MatrixX> slope);

/// The point where impulses act, world.
Vec3 impulse_point(const ContactElement& element, const ElementGeometry& geometry);
/// Its derivative by y from corner_slope's, of a corner on a plane.
MatrixX impulse_point_slope(const ContactElement& element, const MatrixX& slope);

}  // namespace carom
