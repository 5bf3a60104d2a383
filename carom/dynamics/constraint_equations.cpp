#include "carom/dynamics/constraint_equations.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// The frames of a constraint in the world, and how G moves against B on its path, world axes.
struct Sides {
  Transform X_WF, X_WG;
  Vec3 angular = Vec3::Zero(), linear = Vec3::Zero();
};

class RowWriter {
 public:
  RowWriter(const Constraint& constraint, const Sides& sides, ConstraintLevel level, ConstraintEquations& equations)
      : constraint_(constraint), sides_(sides), level_(level), equations_(equations) {}

  /// Velocity of A's point relative to B's along a unit vector.
  void along(const Vec3& direction, const Vec3& point_a, const Vec3& point_b, double error) {
    ConstraintRow row = between_bodies();
    row.direction = direction;
    row.point_a = point_a;
    row.point_b = point_b;
    add(row, error, direction.dot(sides_.linear + sides_.angular.cross(point_b - sides_.X_WG.p)));
  }

  /// Angular velocity of A relative to B about a unit vector.
  void about(const Vec3& axis, double error) {
    ConstraintRow row = between_bodies();
    row.moment = axis;
    add(row, error, axis.dot(sides_.angular));
  }

  /// A row that no position violates.
  void rolling_along(const Vec3& direction, const Vec3& point) {
    if (level_ == ConstraintLevel::velocity) along(direction, point, point, 0);
  }

  /// A rope that starts too long.
  void keep_within(double length) {
    const Vec3 apart = sides_.X_WF.p - sides_.X_WG.p;
    const double distance = apart.norm();
    if (level_ != ConstraintLevel::assembly || !(distance > length)) return;
    along(apart / distance, sides_.X_WF.p, sides_.X_WG.p, distance - length);
  }

  void add(const ConstraintRow& row, double error, double rate) {
    equations_.rows.push_back(row);
    equations_.errors.push_back(error);
    equations_.rates.push_back(rate);
  }

 private:
  ConstraintRow between_bodies() const {
    ConstraintRow row;
    row.body_a = constraint_.body_a;
    row.body_b = constraint_.body_b;
    return row;
  }

  const Constraint& constraint_;
  const Sides& sides_;
  ConstraintLevel level_;
  ConstraintEquations& equations_;
};

void coincide(const Sides& sides, RowWriter& writer) {
  const Vec3 apart = sides.X_WF.p - sides.X_WG.p;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 direction = sides.X_WG.R.col(axis);
    writer.along(direction, sides.X_WF.p, sides.X_WF.p, direction.dot(apart));
  }
}

void keep_orientation(const Sides& sides, RowWriter& writer) {
  const Mat3 R_GF = sides.X_WG.R.transpose() * sides.X_WF.R;
  const Vec3 turn_G = logarithm(Quaternion(R_GF).normalized());
  for (int axis = 0; axis < 3; ++axis) writer.about(sides.X_WG.R.col(axis), turn_G[axis]);
}

/// The shortest turn that tilts z_G to z_F has no part along z_G; the hinge turns freely about what is left.
void keep_axis(const Sides& sides, RowWriter& writer) {
  const Vec3 from = sides.X_WG.R.col(2), to = sides.X_WF.R.col(2);
  const Vec3 normal = from.cross(to);
  const double sine = normal.norm(), cosine = from.dot(to);
  const double angle = std::atan2(sine, cosine);
  const Vec3 opposite = sides.X_WG.R.col(0);
  const Vec3 axis = sine > 0 ? Vec3(normal / sine) : opposite;
  for (int k = 0; k < 2; ++k) writer.about(sides.X_WG.R.col(k), angle * axis.dot(sides.X_WG.R.col(k)));
}

void keep_distance(const Constraint& constraint, const Sides& sides, RowWriter& writer) {
  const Vec3 apart = sides.X_WF.p - sides.X_WG.p;
  const double distance = apart.norm();
  const Vec3 direction = distance > 0 ? Vec3(apart / distance) : Vec3(sides.X_WG.R.col(0));
  writer.along(direction, sides.X_WF.p, sides.X_WG.p, distance - constraint.length);
}

/// As the disc rolls, its lowest point moves along the rim. There the rim is level, so the height of that point changes
/// as if it were fixed in the body.
void roll(const Constraint& constraint, const Sides& sides, RowWriter& writer) {
  const Vec3 normal = sides.X_WG.R.col(2), axle = sides.X_WF.R.col(2);
  const Vec3 up = normal - normal.dot(axle) * axle;
  const double steepness = up.norm();
  const Vec3 towards_center = steepness > 0 ? Vec3(up / steepness) : Vec3(sides.X_WF.R.col(0));
  const Vec3 lowest = sides.X_WF.p - constraint.radius * towards_center;
  const Mat3 R_WC = contact_frame(normal);
  writer.rolling_along(R_WC.col(0), lowest);
  writer.rolling_along(R_WC.col(1), lowest);
  writer.along(normal, lowest, lowest, normal.dot(lowest - sides.X_WG.p));
}

double position(const Model& model, int body, int coordinate, const VectorX& q) {
  return q[model.joints()[body].q_index + coordinate];
}

void couple(const Model& model, const Constraint& constraint, const ConstraintRow& row, const VectorX& q,
            RowWriter& writer) {
  const double followed = sum_of_shares(model, constraint.shares, q);
  writer.add(row, position(model, constraint.body_a, constraint.coordinate_a, q) - followed - constraint.offset, 0);
}

void move(const Model& model, const Constraint& constraint, const ConstraintRow& row, const VectorX& q, double time,
          RowWriter& writer) {
  writer.add(row, position(model, constraint.body_a, constraint.coordinate_a, q) - constraint.target.at(time),
             constraint.target.rate(time));
}

Sides sides_of(const Constraint& constraint, double time, const DynamicsWorkspace& workspace) {
  const auto pose = [&](int body, const Transform& X) { return body < 0 ? X : workspace.X_WB[body] * X; };
  Sides sides;
  sides.X_WF = pose(constraint.body_a, constraint.X_AF);
  sides.X_WG = pose(constraint.body_b, constraint.X_BG);
  if (!constraint.path.moves) return sides;
  const Vec6 velocity = constraint.path.velocity(time);
  sides.angular = sides.X_WG.R * velocity.head<3>();
  sides.linear = sides.X_WG.R * velocity.tail<3>();
  sides.X_WG = sides.X_WG * constraint.path.pose(time);
  return sides;
}

/// A tendon that starts outside its range. Its row points to the nearer end.
void keep_in_range(const Model& model, const Constraint& tendon, const ConstraintRow& row, const VectorX& q,
                   ConstraintLevel level, RowWriter& writer) {
  if (level != ConstraintLevel::assembly) return;
  const double length = sum_of_shares(model, tendon.shares, q);
  const double end = std::clamp(length, tendon.lower, tendon.upper);
  if (length != end) writer.add(row, length - end, 0);
}

void write(const Model& model, std::size_t number, const VectorX& q, double time, ConstraintLevel level,
           const Sides& sides, RowWriter& writer) {
  const Constraint& constraint = model.constraints()[number];
  const std::span<const RowTerm> terms = model.constraint_terms(number);
  switch (constraint.kind) {
    case ConstraintKind::ball:
      coincide(sides, writer);
      break;
    case ConstraintKind::weld:
      coincide(sides, writer);
      keep_orientation(sides, writer);
      break;
    case ConstraintKind::hinge:
      coincide(sides, writer);
      keep_axis(sides, writer);
      break;
    case ConstraintKind::rod:
      keep_distance(constraint, sides, writer);
      break;
    case ConstraintKind::point_on_plane: {
      const Vec3 normal = sides.X_WG.R.col(2);
      writer.along(normal, sides.X_WF.p, sides.X_WF.p, normal.dot(sides.X_WF.p - sides.X_WG.p));
      break;
    }
    case ConstraintKind::coupler:
      couple(model, constraint, coordinate_row(terms), q, writer);
      break;
    case ConstraintKind::motion:
      move(model, constraint, coordinate_row(terms), q, time, writer);
      break;
    case ConstraintKind::rope:  // unilateral: in motion it is found with the contacts
      writer.keep_within(constraint.length);
      break;
    case ConstraintKind::tendon:  // likewise
      keep_in_range(model, constraint, coordinate_row(terms), q, level, writer);
      break;
    case ConstraintKind::spring:  // a force, no equation
      break;
    case ConstraintKind::blade:
      writer.rolling_along(sides.X_WF.R.col(1), sides.X_WF.p);
      break;
    case ConstraintKind::rolling:
      roll(constraint, sides, writer);
      break;
  }
}

}  // namespace

void constraint_equations(const Model& model, const VectorX& q, double time, ConstraintLevel level,
                          const DynamicsWorkspace& workspace, ConstraintEquations& equations) {
  equations.rows.clear();
  equations.errors.clear();
  equations.rates.clear();
  for (std::size_t i = 0; i < model.constraints().size(); ++i) {
    const Constraint& constraint = model.constraints()[i];
    const Sides sides = is_of_coordinates(constraint.kind) ? Sides() : sides_of(constraint, time, workspace);
    RowWriter writer(constraint, sides, level, equations);
    write(model, i, q, time, level, sides, writer);
  }
}

}  // namespace carom
