#include "carom/certificate/end_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/complementarity/worse_of.h"

namespace carom {
namespace {

/// Roundings on the way from coordinates to a length, about.
constexpr double roundings = 16;
/// Implicit bodies take a point for a ball of this radius, m (implicit_body.h).
constexpr double radius_of_points = 1e-8;

Transform pose_of(int body, const DynamicsWorkspace& at) { return body < 0 ? Transform{} : at.X_WB[body]; }

Transform pose_of(const Collider& collider, const DynamicsWorkspace& at) {
  return pose_of(collider.body, at) * collider.X_BS;
}

/// Size of which a joint's coordinate is known to its digits, also near zero: 1 rad, or its body's size, m.
double size_of_coordinate(const Model& model, int coordinate, const std::vector<double>& size) {
  for (std::size_t body = 0; body < model.joints().size(); ++body) {
    const Joint& joint = model.joints()[body];
    const int k = coordinate - joint.v_index;
    if (k < 0 || k >= velocity_size(joint)) continue;
    const bool angle = has_scalar_coordinates(joint.type) ? is_angle(joint, k) : k < 3;
    return angle ? 1 : size[body];
  }
  return 0;
}

/// Way that positions of both bodies resolve at a point, m; for a row on coordinates rad or m.
double round_off(const Model& model, const ConstraintRow& row, const DynamicsWorkspace& at,
                 const std::vector<double>& size) {
  const double far =
      row.coordinate >= 0
          ? size_of_coordinate(model, row.coordinate, size)
          : std::max({row.point_a.norm(), pose_of(row.body_a, at).p.norm(), pose_of(row.body_b, at).p.norm()});
  return roundings * std::numeric_limits<double>::epsilon() * far;
}

/// True if the shape bends everywhere, so that it has one point nearest to any convex body. Superquadrics are flat
/// where their exponents are above 2.
bool bends(const Shape& shape) {
  return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Ellipsoid>(shape);
}

double radius_as_a_point(const Shape& shape) {
  const auto* sphere = std::get_if<Sphere>(&shape);
  const auto* capsule = std::get_if<Capsule>(&shape);
  return (sphere != nullptr && sphere->radius == 0) || (capsule != nullptr && capsule->radius == 0) ? radius_of_points
                                                                                                    : 0;
}

/// Greatest value of n · x over the shape less that at p, all in the world, m.
double beyond(const Shape& shape, const Transform& X_WS, const Vec3& n, const Vec3& p) {
  const Vec3 direction = X_WS.R.transpose() * n;
  if (std::holds_alternative<HalfSpace>(shape)) {
    // Along its own normal alone it ends.
    return X_WS.R.col(2).dot(X_WS.p - p) + (direction - Vec3::UnitZ()).norm();
  }
  return n.dot(X_WS * support_point(shape, direction) - p);
}

/// Distance of x from the line through p along n, m.
double off_line(const Vec3& x, const Vec3& p, const Vec3& n) { return (x - p - n.dot(x - p) * n).norm(); }

/// Distance of a contact's rows from a frame that acts at one point.
double skewness(const ConstraintRow* rows) {
  Mat3 frame;
  for (int axis = 0; axis < 3; ++axis) frame.col(axis) = rows[axis].direction;
  return (frame.transpose() * frame - Mat3::Identity()).cwiseAbs().maxCoeff();
}

double cores(const Model& model, const ContactId& id) {
  double sum = 0;
  for (const int collider : {id.a, id.b}) {
    const auto& layer = model.materials()[model.colliders()[collider].material].layer;
    if (layer) sum += layer->thickness;
  }
  return sum;
}

}  // namespace

EndGeometry::EndGeometry(const Model& model) : finder_(model) {}

EndMeasure EndGeometry::of_shapes(const Model& model, const EndCondition& condition, const ConstraintRow* rows,
                                  const DynamicsWorkspace& at_end, double size) {
  const ContactId& id = condition.id;
  const Collider &A = model.colliders()[id.a], &B = model.colliders()[id.b];
  const Vec3 &x = rows[2].point_a, &n = rows[2].direction;
  const Contact nearest = finder_.nearest(model, id.a, id.b, at_end.X_WB);
  EndMeasure measure{.length = nearest.gap - radius_as_a_point(A.shape) - radius_as_a_point(B.shape)};
  if (bends(A.shape) || bends(B.shape)) {
    measure.misplaced = worse_of((n - nearest.R_WC.col(2)).norm(), off_line(x, nearest.p_WA, n) / size);
    return measure;
  }
  // Many points may be nearest, so any of them will do.
  const Vec3 a = x + n.dot(nearest.p_WA - x) * n, b = x + n.dot(nearest.p_WB - x) * n;
  measure.misplaced = worse_of(std::abs(beyond(A.shape, pose_of(A, at_end), -n, a)),
                               std::abs(beyond(B.shape, pose_of(B, at_end), n, b))) /
                      size;
  return measure;
}

EndMeasure EndGeometry::of_point(const Model& model, const EndCondition& condition, const ConstraintRow* rows,
                                 const DynamicsWorkspace& at_end, double size) {
  const EndCondition::PointOnPlane& point = condition.point;
  const ContactId& id = condition.id;
  const Collider &A = model.colliders()[id.a], &B = model.colliders()[id.b];
  const Collider &pointed = point.of_a ? A : B, &flat = point.of_a ? B : A;
  const Transform X_point = pose_of(pointed.body, at_end), X_flat = pose_of(flat.body, at_end);
  const Vec3 N = X_flat.R * point.normal, z = X_point.R * point.axis, y = X_flat * point.on_plane;
  Vec3 lowest = X_point * point.center - point.ball * N;
  if (point.rim > 0) lowest -= point.rim * (N - N.dot(z) * z).normalized();
  EndMeasure measure{.length = N.dot(lowest - y)};
  points_.clear();
  nearest_points(Sphere{}, {Mat3::Identity(), lowest}, pointed.shape, pose_of(pointed, at_end), points_);
  const auto off = std::min_element(points_.begin(), points_.end(),
                                    [](const ContactPoint& p, const ContactPoint& q) { return p.gap < q.gap; });
  const double outside = std::abs(off->gap), below = std::abs(beyond(flat.shape, pose_of(flat, at_end), N, y));
  const Vec3 normal = point.of_a ? N : Vec3(-N);
  measure.misplaced = std::max(
      {outside / size, below / size, (rows[2].direction - normal).norm(), off_line(rows[2].point_a, lowest, N) / size});
  return measure;
}

const std::vector<EndMeasure>& EndGeometry::measure(const Model& model, const StepEvidence& evidence,
                                                    const DynamicsWorkspace& at_end, const std::vector<double>& size) {
  using Kind = EndCondition::Kind;
  const auto has = [&](Kind kind) {
    return std::any_of(evidence.end_conditions.begin(), evidence.end_conditions.end(),
                       [&](const auto& c) { return c.kind == kind; });
  };
  if (has(Kind::constraint)) {
    constraint_equations(model, evidence.q_end, evidence.end, ConstraintLevel::velocity, at_end, equations_);
  }
  measures_.clear();
  for (std::size_t i = 0; i < evidence.end_conditions.size(); ++i) {
    const EndCondition& condition = evidence.end_conditions[i];
    const ConstraintRow* rows = evidence.rows.data() + evidence.blocks[i].row;
    EndMeasure measure;
    if (condition.kind == Kind::constraint) {
      measure.length = equations_.errors[static_cast<std::size_t>(condition.number)];
    } else if (condition.kind == Kind::stop) {
      Contact stop;
      const bool found = finder_.evaluate(model, condition.id, evidence.q_end, at_end.X_WB, stop);
      measure.length = found ? stop.gap : std::numeric_limits<double>::infinity();
    } else if (condition.is_contact()) {
      double least = std::numeric_limits<double>::infinity();
      for (const int body : {rows->body_a, rows->body_b}) {
        if (body >= 0) least = std::min(least, size[static_cast<std::size_t>(body)]);
      }
      measure.length = condition.level;
      if (condition.kind == Kind::shapes) measure = of_shapes(model, condition, rows, at_end, least);
      if (condition.kind == Kind::point) measure = of_point(model, condition, rows, at_end, least);
      measure.misplaced = worse_of(measure.misplaced, skewness(rows));
      measure.size = least;
      if (condition.core_alone) measure.length += cores(model, condition.id);
    }
    measure.round_off = round_off(model, *rows, at_end, size);
    measures_.push_back(measure);
  }
  return measures_;
}

}  // namespace carom
