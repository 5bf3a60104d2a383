#include "carom/contact/contact.h"

namespace carom {

void append_rows(const Contact& contact, std::vector<ConstraintRow>& rows) {
  ConstraintRow row;
  if (contact.id.is_limit()) {
    row.coordinate = contact.id.b;
    const bool up = contact.id.feature == ContactId::lower || contact.id.feature == ContactId::forward;
    row.coefficient = up ? 1 : -1;
    rows.push_back(row);
    return;
  }
  row.body_a = contact.body_a;
  row.body_b = contact.body_b;
  row.point_a = contact.p_WA;
  row.point_b = contact.p_WB;
  for (int axis = contact.id.is_surface() ? 0 : 2; axis < 3; ++axis) {
    row.direction = contact.R_WC.col(axis);
    rows.push_back(row);
  }
}

}  // namespace carom
