#include "carom/model/constraint.h"

namespace carom {

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
    case ConstraintKind::blade:
      return "blade";
    case ConstraintKind::rolling:
      return "rolling";
  }
  return "";
}

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
    case ConstraintKind::blade:
      return 1;
  }
  return 0;
}

}  // namespace carom
