#include "carom/stepper/quasi_rigid/contact_element.h"

#include "carom/geometry/implicit/level_depth.h"
#include "carom/spatial/rotation.h"

namespace carom {
namespace {

/// A CornerOnPlane in the world.
struct PlacedCorner {
  Vec3 corner, axis, normal, point;
  Vec3 across = Vec3::Zero();  // p̂
  double length = 0;           // ‖p‖
  Vec3 touch;                  // a
  double gap = 0;

  PlacedCorner(const CornerOnPlane& c, const Transform& X_corner, const Transform& X_plane)
      : corner(X_corner * c.corner),
        axis(X_corner.R * c.axis),
        normal(X_plane.R * c.normal),
        point(X_plane * c.point),
        touch(corner - c.ball * normal) {
    if (c.rim > 0) {
      const Vec3 p = normal - normal.dot(axis) * axis;
      length = p.norm();
      across = p / length;
      touch -= c.rim * across;
    }
    gap = normal.dot(touch - point);
  }
};

/// The body of an element whose surface moves to a level.
struct LevelledBody {
  const ImplicitBody* surfaces;
  int body;
  Transform X;

  LevelledBody(const ContactElement& element, const CarriedMotion& motion) {
    const bool of_a = element.level == ClosestPointSystem::Level::of_a;
    surfaces = of_a ? element.surface_a : element.surface_b;
    body = of_a ? element.body_a : element.body_b;
    X = motion.pose(body) * (of_a ? element.X_AS : element.X_BS);
  }
};

PlacedCorner placed(const ContactElement& element, const CarriedMotion& motion) {
  const CornerOnPlane& c = element.corner;
  return {c, motion.pose(c.corner_on_a ? element.body_a : element.body_b),
          motion.pose(c.corner_on_a ? element.body_b : element.body_a)};
}

}  // namespace

ElementFrame::ElementFrame(const Vec3& normal, const Vec3& axis) {
  const double length = normal.norm();
  n = normal / length;
  n_by_n = (Mat3::Identity() - n * n.transpose()) / length;
  const double along = n.dot(axis);
  const Vec3 projected = axis - along * n;
  const double size = projected.norm();
  t = projected / size;
  o = n.cross(t);
  const Mat3 by_unit = (-along * Mat3::Identity() - n * axis.transpose()) / size;
  t_by_n = (by_unit - t * (t.transpose() * by_unit)) * n_by_n;
  o_by_n = skew(n) * t_by_n - skew(t) * n_by_n;
  t_by_axis = (Mat3::Identity() - t * t.transpose() - n * n.transpose()) / size;
  o_by_axis = skew(n) * t_by_axis;
}

Mat3 ElementFrame::R_WC() const {
  Mat3 R;
  R << t, o, n;
  return R;
}

Vec3 friction_axis_of(const ContactElement& element, const CarriedMotion& motion) {
  return motion.pose(element.axis.body).R * element.axis.axis;
}

void axis_slope(const Model& model, const ContactElement& element, const CarriedMotion& motion,
                Eigen::Ref<MatrixX> slope) {
  slope.setZero();
  if (element.axis.body < 0) return;
  const Vec3 axis = friction_axis_of(element, motion);
  for (std::size_t i = 0; i < element.coordinates.size(); ++i) {
    const int k = element.coordinates[i];
    if (!motion.moves(model, k, element.axis.body)) continue;
    slope.col(static_cast<Eigen::Index>(i)) = motion.column(k).angular.cross(axis);
  }
}

ElementGeometry element_geometry(const ContactElement& element, const CarriedMotion& motion,
                                 const Eigen::Ref<const VectorX>& z) {
  using System = ClosestPointSystem;
  const int first = element.first;
  if (element.is_smooth) {
    ElementGeometry geometry{z.segment<3>(first + System::point_a), z.segment<3>(first + System::point_b),
                             z.segment<3>(first + System::normal), z[first + System::gap]};
    if (element.by_length) {
      const LevelledBody body(element, motion);
      geometry.gap = -level_depth(*body.surfaces, body.X.inverse() * geometry.a2).depth;
    }
    return geometry;
  }
  const PlacedCorner corner = placed(element, motion);
  const Vec3 other = corner.touch - corner.gap * corner.normal;
  if (element.corner.corner_on_a) return {corner.touch, other, corner.normal, corner.gap};
  return {other, corner.touch, -corner.normal, corner.gap};
}

LengthSlope length_slope(const Model& model, const ContactElement& element, const CarriedMotion& motion,
                         const Eigen::Ref<const VectorX>& z) {
  const LevelledBody body(element, motion);
  const Vec3 x = z.segment<3>(element.first + ClosestPointSystem::point_b);
  LengthSlope slope;
  slope.by_point = -(body.X.R * level_depth(*body.surfaces, body.X.inverse() * x).gradient);
  MatrixX moves(6, static_cast<Eigen::Index>(element.coordinates.size()));
  motion.velocity_jacobian(model, body.body, x, element.coordinates, moves);
  slope.by_y = -slope.by_point.transpose() * moves.bottomRows<3>();
  return slope;
}

void corner_slope(const Model& model, const ContactElement& element, const CarriedMotion& motion,
                  Eigen::Ref<MatrixX> slope) {
  const CornerOnPlane& c = element.corner;
  const PlacedCorner corner = placed(element, motion);
  const int of_corner = c.corner_on_a ? element.body_a : element.body_b;
  const int of_plane = c.corner_on_a ? element.body_b : element.body_a;
  slope.setZero();
  for (std::size_t i = 0; i < element.coordinates.size(); ++i) {
    const int k = element.coordinates[i];
    const CarriedMotion::Column& column = motion.column(k);
    const bool moves_corner = motion.moves(model, k, of_corner), moves_plane = motion.moves(model, k, of_plane);
    const Vec3 turn = moves_corner ? column.angular : Vec3::Zero().eval();
    const Vec3 normal = moves_plane ? column.angular.cross(corner.normal).eval() : Vec3::Zero().eval();
    // The gap of the lowest point changes as if it were fixed in its body.
    double gap = 0;
    if (moves_corner) gap += corner.normal.dot(column.at(corner.touch));
    if (moves_plane) gap -= corner.normal.dot(column.at(corner.touch));
    Vec3 touch = moves_corner ? column.at(corner.corner) : Vec3::Zero().eval();
    touch -= c.ball * normal;
    if (c.rim > 0) {
      const Vec3 axis = turn.cross(corner.axis);
      const Vec3 p = normal - (normal.dot(corner.axis) + corner.normal.dot(axis)) * corner.axis -
                     corner.normal.dot(corner.axis) * axis;
      touch -= c.rim / corner.length * (p - corner.across.dot(p) * corner.across);
    }
    const Vec3 other = touch - gap * corner.normal - corner.gap * normal;
    auto column_of = slope.col(static_cast<Eigen::Index>(i));
    column_of.segment<3>(0) = c.corner_on_a ? touch : other;
    column_of.segment<3>(3) = c.corner_on_a ? other : touch;
    column_of.segment<3>(6) = c.corner_on_a ? normal : Vec3(-normal);
    column_of[9] = gap;
  }
}

namespace {

/// Signed part of the normal from the foot of a corner on its plane to where impulses act.
double below_plane(const ContactElement& element) {
  return element.corner.corner_on_a ? (1 - element.side) * element.sunk : -element.side * element.sunk;
}

}  // namespace

Vec3 impulse_point(const ContactElement& element, const ElementGeometry& geometry) {
  if (element.is_smooth) return geometry.a1 + element.side * (geometry.a2 - geometry.a1);
  return (element.corner.corner_on_a ? geometry.a2 : geometry.a1) + below_plane(element) * geometry.normal;
}

MatrixX impulse_point_slope(const ContactElement& element, const MatrixX& slope) {
  return slope.middleRows<3>(element.corner.corner_on_a ? 3 : 0) + below_plane(element) * slope.middleRows<3>(6);
}

}  // namespace carom
