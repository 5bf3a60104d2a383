#include "carom/model/constraint.h"

namespace carom {

Transform FramePath::pose(double t) const {
  if (!moves) return {};
  Vec3 p;
  for (int k = 0; k < 3; ++k) p[k] = position[k].at(t);
  return {Eigen::AngleAxisd(angle.at(t), axis).toRotationMatrix(), p};
}

Vec6 FramePath::velocity(double t) const {
  Vec6 V = Vec6::Zero();
  if (!moves) return V;
  V.head<3>() = angle.rate(t) * axis;
  for (int k = 0; k < 3; ++k) V[3 + k] = position[k].rate(t);
  return V;
}

std::string constraint_name(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::ball:
      return "ball";
    case ConstraintKind::weld:
      return "weld";
    case ConstraintKind::hinge:
      return "hinge";
    case ConstraintKind::rod:
      return "rod";
    case ConstraintKind::point_on_plane:
      return "point_on_plane";
    case ConstraintKind::coupler:
      return "coupler";
    case ConstraintKind::motion:
      return "motion";
    case ConstraintKind::rope:
      return "rope";
    case ConstraintKind::tendon:
      return "tendon";
    case ConstraintKind::blade:
      return "blade";
    case ConstraintKind::rolling:
      return "rolling";
    case ConstraintKind::spring:
      return "spring";
  }
  return "";
}

std::string spring_side_name(SpringSide side) {
  switch (side) {
    case SpringSide::both:
      return "both";
    case SpringSide::pull:
      return "pull";
    case SpringSide::push:
      return "push";
  }
  return "";
}

bool restricts_motion(ConstraintKind kind) { return kind != ConstraintKind::spring; }

bool is_of_coordinates(ConstraintKind kind) {
  return kind == ConstraintKind::coupler || kind == ConstraintKind::motion || kind == ConstraintKind::tendon;
}

bool is_unilateral(ConstraintKind kind) { return kind == ConstraintKind::rope || kind == ConstraintKind::tendon; }

int row_count(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::weld:
      return 6;
    case ConstraintKind::hinge:
      return 5;
    case ConstraintKind::ball:
    case ConstraintKind::rolling:
      return 3;
    case ConstraintKind::rod:
    case ConstraintKind::point_on_plane:
    case ConstraintKind::coupler:
    case ConstraintKind::motion:
    case ConstraintKind::blade:
      return 1;
    case ConstraintKind::rope:
    case ConstraintKind::tendon:
    case ConstraintKind::spring:
      return 0;
  }
  return 0;
}

}  // namespace carom
