#include "carom/contact/hertz.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/cone.h"
#include "carom/geometry/implicit/implicit_solid.h"
#include "carom/geometry/superquadric.h"

namespace carom {
namespace {

/// A normal within this angle of a face's lies on the face: meshes stored in single precision are no better, rad.
constexpr double on_face = 1e-5;

/// 1/R of one side, 1/m. 0: flat.
struct Curvature {
  const HertzSide& side;

  double of_radius(double radius) const { return 1 / (radius > 0 ? radius : side.contact_radius); }
  double of_sharp_unless(bool flat) const { return flat ? 0 : 1 / side.contact_radius; }

  double operator()(const Sphere& sphere) const { return of_radius(sphere.radius); }
  double operator()(const Capsule& capsule) const { return of_radius(capsule.radius); }
  double operator()(const HalfSpace&) const { return 0; }
  double operator()(const HeightField&) const { return 0; }
  double operator()(const Ellipsoid& ellipsoid) const {
    return ellipsoid.semi_axes.cwiseProduct(side.normal).squaredNorm() / ellipsoid.semi_axes.prod();
  }
  double operator()(const Box&) const {
    int k = 0;
    side.normal.cwiseAbs().maxCoeff(&k);
    return of_sharp_unless(std::hypot(side.normal[(k + 1) % 3], side.normal[(k + 2) % 3]) <= on_face);
  }
  double operator()(const Cylinder& cylinder) const {
    if (std::abs(side.normal.z()) <= on_face) return of_radius(cylinder.radius);
    return of_sharp_unless(std::hypot(side.normal.x(), side.normal.y()) <= on_face);
  }
  double operator()(const ConvexMesh& mesh) const { return of_sharp_unless(is_face(*mesh.polyhedron)); }
  double operator()(const RoundedPolytope& rounded) const {
    return is_face(*rounded.core) ? 0 : of_radius(rounded.radius);
  }
  double operator()(const Cone& cone) const {
    const bool on_base = (side.normal + Vec3::UnitZ()).squaredNorm() <= on_face * on_face;
    return on_base ? 0 : of_support(cone_support(cone, side.normal));
  }
  double operator()(const Superquadric& solid) const { return of_support(superquadric_support(solid, side.normal)); }
  double operator()(const ImplicitShape& implicit) const {
    const auto is_along = [&](const ImplicitSurface& surface) {
      const auto* plane = std::get_if<PlaneSurface>(&surface);
      return plane != nullptr && (plane->normal - side.normal).squaredNorm() <= on_face * on_face;
    };
    const auto& surfaces = implicit.solid->body.surfaces;
    if (std::any_of(surfaces.begin(), surfaces.end(), is_along)) return 0;
    return of_support(implicit_support(*implicit.solid, side.normal));
  }

  bool is_face(const Polyhedron& solid) const {
    return std::any_of(solid.flats.begin(), solid.flats.end(), [&](const Polyhedron::Face& face) {
      return (face.normal - side.normal).squaredNorm() <= on_face * on_face;
    });
  }
  /// The root of Gauss's curvature: the Hessian's other two eigenvalues are the radii of curvature. At rims and corners
  /// one of them or both are zero, but for round-off.
  double of_support(const Support& support) const {
    constexpr double sharp = 1e-9;  // of the size: a mean radius below it
    const Mat3 across = support.hessian + side.normal * side.normal.transpose();
    const double product = across.determinant(), least = sharp * bounding_radius(side.shape);
    return product > least * least ? 1 / std::sqrt(product) : of_sharp_unless(false);
  }
};

bool is_ground(const Shape& shape) {
  return std::holds_alternative<HalfSpace>(shape) || std::holds_alternative<HeightField>(shape);
}

}  // namespace

double hertz_radius(const HertzSide& a, const HertzSide& b) {
  // A face of a mesh on the ground touches with its corners, so there is no need to look for it.
  const bool is_mesh = std::holds_alternative<ConvexMesh>(a.shape);
  if (is_mesh && is_ground(b.shape)) return a.contact_radius;
  const double sum = std::visit(Curvature{a}, a.shape) + std::visit(Curvature{b}, b.shape);
  if (sum > 0) return 1 / sum;
  if (is_ground(a.shape) == is_ground(b.shape)) return 0.5 * (a.contact_radius + b.contact_radius);
  return is_ground(a.shape) ? b.contact_radius : a.contact_radius;
}

double hertz_stiffness(const Contact& contact) {
  return 4.0 / 3.0 * std::sqrt(contact.radius) * contact.surface.modulus;
}

}  // namespace carom
