#include "carom/dynamics/point_spring.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/joint_column.h"

namespace carom {
namespace {

/// Calls f(coordinate of v, generalised force) for a unit impulse along the row, side by side and from each body to its
/// root.
template <class F>
void for_each_coordinate(const Model& model, const ConstraintRow& row, const DynamicsWorkspace& workspace, F&& f) {
  const auto walk = [&](int body, const Vec3& point, const Vec3& direction) {
    if (body < 0) return;
    const Force force{Vec3(point - workspace.nodes[body].p).cross(direction), direction};
    for_each_projected(model, body, force, workspace, f);
  };
  walk(row.body_a, row.point_a, row.direction);
  walk(row.body_b, row.point_b, -row.direction);
}

/// 1 where the spring's row pulls the points together, −1 where it pushes them apart.
double sign_of(const Constraint& spring) { return spring.side == SpringSide::push ? -1 : 1; }

}  // namespace

PointSpring point_spring(const Constraint& constraint, const DynamicsWorkspace& workspace) {
  const auto place = [&](int body, const Vec3& p) { return body < 0 ? p : Vec3(workspace.X_WB[body] * p); };
  PointSpring spring;
  spring.row.body_a = constraint.body_a;
  spring.row.body_b = constraint.body_b;
  spring.row.point_a = place(constraint.body_a, constraint.X_AF.p);
  spring.row.point_b = place(constraint.body_b, constraint.X_BG.p);
  const Vec3 apart = spring.row.point_b - spring.row.point_a;
  spring.length = apart.norm();
  const Mat3& R_BG = constraint.X_BG.R;
  const Vec3 own = constraint.body_b < 0 ? Vec3(R_BG.col(0)) : Vec3(workspace.X_WB[constraint.body_b].R * R_BG.col(0));
  spring.row.direction = sign_of(constraint) * (spring.length > 0 ? Vec3(apart / spring.length) : own);
  return spring;
}

double tension_of(const Constraint& spring, double length, double rate) {
  const double tension = spring.stiffness * (length - spring.length) + spring.damping * rate;
  switch (spring.side) {
    case SpringSide::pull:
      return std::max(0.0, tension);
    case SpringSide::push:
      return std::min(0.0, tension);
    case SpringSide::both:
      break;
  }
  return tension;
}

double energy_of(const Constraint& spring, double length) {
  const double stretch = length - spring.length;
  const bool slack = spring.side != SpringSide::both && sign_of(spring) * stretch < 0;
  return slack ? 0 : 0.5 * spring.stiffness * stretch * stretch;
}

double approach_of(const Model& model, const ConstraintRow& row, const VectorX& v, const DynamicsWorkspace& workspace) {
  double sum = 0;
  for_each_coordinate(model, row, workspace, [&](int k, double force) { sum += force * v[k]; });
  return sum;
}

SpringPull spring_pull(const Model& model, const Constraint& constraint, const VectorX& v,
                       const DynamicsWorkspace& workspace) {
  SpringPull pull{point_spring(constraint, workspace)};
  const double sign = sign_of(constraint), rate = -sign * approach_of(model, pull.spring.row, v, workspace);
  pull.force = sign * tension_of(constraint, pull.spring.length, rate);
  pull.damped = constraint.damping * rate * rate;
  return pull;
}

double add_point_springs(const Model& model, const VectorX& v, const DynamicsWorkspace& workspace, VectorX& tau,
                         VectorX* sizes) {
  double damped = 0;
  for (const Constraint& constraint : model.constraints()) {
    if (constraint.kind != ConstraintKind::spring) continue;
    const SpringPull pull = spring_pull(model, constraint, v, workspace);
    for_each_coordinate(model, pull.spring.row, workspace, [&](int k, double unit) {
      tau[k] += pull.force * unit;
      if (sizes != nullptr) (*sizes)[k] += std::abs(pull.force * unit);
    });
    damped += pull.damped;
  }
  return damped;
}

void add_point_spring_stiffness(const Model& model, const DynamicsWorkspace& workspace, double of_damping,
                                double of_stiffness, SpringDiagonal which, VectorX& diagonal) {
  for (const Constraint& constraint : model.constraints()) {
    if (constraint.kind != ConstraintKind::spring) continue;
    const double gain = of_damping * constraint.damping + of_stiffness * constraint.stiffness;
    const ConstraintRow row = point_spring(constraint, workspace).row;
    double sum = 0;
    for_each_coordinate(model, row, workspace, [&](int, double unit) { sum += std::abs(unit); });
    for_each_coordinate(model, row, workspace, [&](int k, double unit) {
      const double size = std::abs(unit);
      diagonal[k] += gain * size * (which == SpringDiagonal::bound ? sum : size);
    });
  }
}

double point_spring_energy(const Model& model, const DynamicsWorkspace& workspace) {
  double sum = 0;
  for (const Constraint& constraint : model.constraints()) {
    if (constraint.kind == ConstraintKind::spring)
      sum += energy_of(constraint, point_spring(constraint, workspace).length);
  }
  return sum;
}

}  // namespace carom
