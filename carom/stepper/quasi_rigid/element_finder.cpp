#include "carom/stepper/quasi_rigid/element_finder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "carom/geometry/flat_face.h"
#include "carom/numerics/least_squares.h"

namespace carom {
namespace {

using System = ClosestPointSystem;

constexpr double aligned = 1 - 1e-9;  // cosine between a contact's normal and a face's that is the same

/// True if nearest points of the shape are corners wherever they lie on no edge and on no face.
bool is_polytope(const Shape& shape) {
  return std::holds_alternative<Box>(shape) || std::holds_alternative<ConvexMesh>(shape) ||
         std::holds_alternative<HalfSpace>(shape);
}

/// Sine between a cap and a face below which the rim is no element: a cap that ends flat has no lowest point.
constexpr double least_tilt = 1e-3;

bool has_cap(const Shape& shape) {
  return std::holds_alternative<Cylinder>(shape) || std::holds_alternative<Cone>(shape);
}

/// Centre of the rim (frame S) whose lowest point is the deepest of the shape on a plane with the normal N (frame S).
bool set_rim(const Shape& shape, const Vec3& point, const Vec3& normal, const Transform& X_BS, CornerOnPlane& c) {
  if (normal.head<2>().norm() < least_tilt) return false;
  Vec3 middle = Vec3::Zero();
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    middle.z() = std::copysign(cylinder->half_length, point.z());
    c.rim = cylinder->radius;
  } else if (const auto* cone = std::get_if<Cone>(&shape)) {
    c.rim = cone->radius;
  } else {
    return false;
  }
  c.axis = X_BS.R.col(2);
  c.corner = X_BS * middle;
  return true;
}

/// The point of the shape (frame S) that a contact point is of, on a plane with the normal N (frame S).
void set_corner(const Shape& shape, const Vec3& point, const Vec3& normal, const Transform& X_BS, CornerOnPlane& c) {
  Vec3 corner = point;
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    c.ball = capsule->radius;
    corner = std::copysign(capsule->half_length, point.z()) * Vec3::UnitZ();
  } else if (const auto* rounded = std::get_if<RoundedPolytope>(&shape)) {
    c.ball = rounded->radius;
    corner = point + rounded->radius * normal;
  } else if (std::abs(normal.z()) < 0.7 && set_rim(shape, point, normal, X_BS, c)) {
    return;
  }
  c.corner = X_BS * corner;
}

/// Multipliers of the active inequalities at a point with the outward normal `out`, both in the body's frame. They
/// solve Σ l ∇f = out by least squares, of least norm if gradients depend on each other. Negative ones are set to 0.
void guess_multipliers(const ImplicitBody& body, const Vec3& point, const Vec3& out, double* multipliers) {
  std::vector<std::size_t> active;
  double greatest = -std::numeric_limits<double>::infinity();
  std::vector<SurfaceJet> jets;
  for (const ImplicitSurface& surface : body.surfaces) {
    jets.push_back(evaluate(surface, point));
    greatest = std::max(greatest, jets.back().value);
  }
  for (std::size_t i = 0; i < jets.size(); ++i) {
    multipliers[i] = 0;
    if (jets[i].value >= greatest - 1e-6 && jets[i].gradient.dot(out) > 0) active.push_back(i);
  }
  if (active.empty()) return;
  MatrixX gradients(3, static_cast<Eigen::Index>(active.size()));
  for (std::size_t i = 0; i < active.size(); ++i)
    gradients.col(static_cast<Eigen::Index>(i)) = jets[active[i]].gradient;
  const VectorX solution = least_squares(gradients, out);
  for (std::size_t i = 0; i < active.size(); ++i) {
    multipliers[active[i]] = std::max(0.0, solution[static_cast<Eigen::Index>(i)]);
  }
}

}  // namespace

ElementFinder::ElementFinder(const Model& model, const Method& method)
    : slip_(method.quasi_rigid.slip),
      deflection_(method.quasi_rigid.deflection),
      layers_(method.stepper->layers == LayerUse::of_materials),
      patches_(model, layers_) {
  for (const Collider& collider : model.colliders()) bodies_.push_back(implicit_body(collider.shape));
}

bool ElementFinder::make_corner(const Model& model, const Contact& contact, bool shared,
                                const std::vector<Transform>& X_WB, ContactElement& element) const {
  const Collider& A = model.colliders()[contact.id.a];
  const Collider& B = model.colliders()[contact.id.b];
  const bool deepest = is_deepest(contact.id.feature);
  if (!deepest && !shared && !(is_polytope(A.shape) && is_polytope(B.shape))) return false;
  const auto pose = [&](int body) { return body < 0 ? Transform{} : X_WB[body]; };
  const Transform X_WA = pose(A.body) * A.X_BS, X_WBS = pose(B.body) * B.X_BS;
  const Vec3 n = contact.R_WC.col(2);
  const FlatFace on_a = face_along(A.shape, X_WA.R.transpose() * Vec3(-n));
  const FlatFace on_b = face_along(B.shape, X_WBS.R.transpose() * n);
  if (std::max(on_a.cosine, on_b.cosine) < aligned) return false;
  CornerOnPlane& c = element.corner;
  c.corner_on_a = on_b.cosine >= aligned;
  const FlatFace& face = c.corner_on_a ? on_b : on_a;
  const Collider &flat = c.corner_on_a ? B : A, &other = c.corner_on_a ? A : B;
  const Transform& X_other = c.corner_on_a ? X_WA : X_WBS;
  c.normal = flat.X_BS.R * face.normal;
  c.point = flat.X_BS * face.point;
  const Vec3 towards = c.corner_on_a ? n : Vec3(-n);
  const Vec3 place = X_other.inverse() * (c.corner_on_a ? contact.p_WA : contact.p_WB);
  // The point of a cone's side that touches moves over it.
  if (std::holds_alternative<Cone>(other.shape) && place.z() > 1e-9 * bounding_radius(other.shape)) return false;
  const Vec3 normal = X_other.R.transpose() * towards;
  if (deepest && !has_cap(other.shape)) return false;
  // Beside fixed points with layers the rim would touch what they touch, and the equations would have a double root.
  if (!deepest || element.core > 0 || !set_rim(other.shape, place, normal, other.X_BS, c)) {
    set_corner(other.shape, place, normal, other.X_BS, c);
  }
  element.is_smooth = false;
  return true;
}

void ElementFinder::make_smooth(const Model& model, const Contact& contact, const std::vector<Transform>& X_WB,
                                ContactElement& element) const {
  const Collider& A = model.colliders()[contact.id.a];
  const Collider& B = model.colliders()[contact.id.b];
  element.is_smooth = true;
  element.surface_a = &bodies_[static_cast<std::size_t>(contact.id.a)];
  element.surface_b = &bodies_[static_cast<std::size_t>(contact.id.b)];
  element.X_AS = A.X_BS;
  element.X_BS = B.X_BS;
  const auto pose = [&](int body) { return body < 0 ? Transform{} : X_WB[body]; };
  const Transform X_WA = pose(A.body) * A.X_BS, X_WBS = pose(B.body) * B.X_BS;
  const System system = element.system();
  const Vec3 n = contact.R_WC.col(2);
  element.guess.setZero(system.size());
  element.guess.segment<3>(System::point_a) = contact.p_WA;
  element.guess.segment<3>(System::point_b) = contact.p_WB;
  element.guess.segment<3>(System::normal) = n;
  element.guess[System::gap] = contact.gap;
  if (element.level == System::Level::of_a) element.guess.segment<3>(System::point_a) = contact.p_WB;
  if (element.level == System::Level::of_b) element.guess.segment<3>(System::point_b) = contact.p_WA;
  guess_multipliers(*element.surface_a, X_WA.inverse() * contact.p_WA, X_WA.R.transpose() * Vec3(-n),
                    element.guess.data() + System::multipliers_a);
  guess_multipliers(*element.surface_b, X_WBS.inverse() * contact.p_WB, X_WBS.R.transpose() * n,
                    element.guess.data() + system.multipliers_b());
}

ContactElement ElementFinder::make(const Model& model, const Contact& contact, bool shared,
                                   const std::vector<Transform>& X_WB, double speed) const {
  const Collider& A = model.colliders()[contact.id.a];
  const Collider& B = model.colliders()[contact.id.b];
  double mass = std::numeric_limits<double>::infinity(), length = mass;
  for (const Collider* side : {&A, &B}) {
    length = std::min(length, bounding_radius(side->shape));
    if (!model.is_static(side->body)) mass = std::min(mass, model.bodies()[side->body].inertia.mass);
  }
  if (!(mass > 0 && std::isfinite(mass))) mass = 1;
  const Vec3 friction(contact.surface.friction.x(), contact.surface.friction.y(), contact.surface.torsional_friction);
  std::optional<Layer> layer_a, layer_b;
  if (layers_) {
    layer_a = model.materials()[A.material].layer;
    layer_b = model.materials()[B.material].layer;
  }
  const bool soft_a = layer_a.has_value(), soft_b = layer_b.has_value();
  const double core = (soft_a ? layer_a->thickness : 0) + (soft_b ? layer_b->thickness : 0);
  const bool core_alone = contact.id.feature >= deepest_point;
  if (core_alone) {
    layer_a.reset();
    layer_b.reset();
  }
  ContactElement element{
      .id = contact.id,
      .body_a = contact.body_a,
      .body_b = contact.body_b,
      .law = ContactLaw(friction, layer_a, layer_b, slip_, {.mass = mass, .speed = speed, .length = length},
                        patches_.share(contact.id))};
  if (core_alone) element.core = core;
  if (deflection_ != DeflectionMeasure::distance && element.law.has_layer()) {
    element.level = soft_a ? System::Level::of_a : System::Level::of_b;
    element.by_length = deflection_ == DeflectionMeasure::euclidean;
  }
  if (soft_a && soft_b) element.side = 0.5;
  if (soft_a && !soft_b) element.side = 1;
  if (contact.id.is_patch()) {
    element.is_smooth = false;
    element.corner = patches_.corner(model, contact, X_WB);
  } else if (!make_corner(model, contact, shared, X_WB, element)) {
    make_smooth(model, contact, X_WB, element);
  }
  if (!element.is_smooth) {
    element.level = System::Level::none;
    element.by_length = false;
  }
  element.axis = friction_axis(model, contact.id.a, contact.id.b, contact.R_WC.col(2), X_WB);
  return element;
}

void ElementFinder::recall(const ContactMemory& memory, const Mat3& R, double turn, ContactElement& element) {
  element.last << R.transpose() * memory.impulse, memory.spin_impulse;
  for (std::size_t side = 0; side < 2; ++side) {
    Vec3 deflection = memory.deflection[side];
    // Along the surface it turns with the bodies while the axes change on their own.
    const Vec3 tangent = std::cos(turn) * memory.tangent + std::sin(turn) * R.col(2).cross(memory.tangent);
    const double cosine = tangent.dot(R.col(0)), sine = tangent.dot(R.col(1)), size = std::hypot(cosine, sine);
    if (size > 0 && deflection.head<2>() != Vec2::Zero()) {
      const double t = deflection[0], o = deflection[1];
      deflection[0] = (cosine * t - sine * o) / size;
      deflection[1] = (sine * t + cosine * o) / size;
    }
    element.remembered.of[side] = deflection;
  }
}

}  // namespace carom
