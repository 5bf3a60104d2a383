#pragma once

#include "carom/contact/contact.h"
#include "carom/geometry/shape.h"

// Hertz's law of two elastic bodies that touch in a point: f = K z^(3/2) at the compression z, m, with
//
//   K = 4/3 E* √R,     1/R = 1/R_A + 1/R_B
//
// (Johnson, Contact Mechanics, 1985, eq. 4.23; Uchida, Sherman and Delp 2015, eq. 17). E* is ContactMaterial::modulus.
//
// R of a side is the radius of a sphere, of a capsule, of a cylinder's side. An ellipsoid has √(R₁ R₂), the geometric
// mean of its principal radii of curvature where the normal is n. This is the equivalent radius of Johnson's eq. 4.25
// beside a plane: R = abc / h², with h the support function, h² = a² n_x² + b² n_y² + c² n_z². Half-spaces, height
// fields, faces of boxes and meshes and caps of cylinders are flat, 1/R = 0. Their corners and edges, and points, which
// are sharp, have the material's contact_radius. If a face lies on a face, corners and edges of either touch. R is then
// the mean contact_radius of the sides that have such.
//
// Departures: a cylinder's side is curved one way alone and touches a plane along a line, for which Hertz's law has
// another exponent. Its radius here gives each point of the line a law of its own. Height fields count as flat on their
// ridges too.
namespace carom {

/// One of the two surfaces of a contact.
struct HertzSide {
  const Shape& shape;
  Vec3 normal;                ///< unit, outwards, in the shape's frame
  double contact_radius = 0;  ///< of its material, m
};

/// R, m. O(1), of a mesh O(its flat faces) but for one on a half-space or a height field.
double hertz_radius(const HertzSide& a, const HertzSide& b);

/// K, N/m^(3/2); 0 if the modulus is not known.
double hertz_stiffness(const Contact& contact);

}  // namespace carom
