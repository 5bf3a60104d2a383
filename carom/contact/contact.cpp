#include "carom/contact/contact.h"

#include "carom/dynamics/recursions.h"

namespace carom {

namespace {

/// True if the coordinate or sum may go up from this limit or ratchet.
bool opens_upwards(const ContactId& id) { return id.feature == ContactId::lower || id.feature == ContactId::forward; }

}  // namespace

double gap_rate(const Contact& contact, const VectorX& v, const DynamicsWorkspace& workspace) {
  if (contact.id.is_limit()) return opens_upwards(contact.id) ? v[contact.id.b] : -v[contact.id.b];
  if (contact.id.is_tendon()) {
    const double rate = coordinate_row(contact.terms).sum(v);
    return opens_upwards(contact.id) ? rate : -rate;
  }
  const Vec3 relative =
      point_velocity(contact.body_a, contact.p_WA, workspace) - point_velocity(contact.body_b, contact.p_WB, workspace);
  return contact.R_WC.col(2).dot(relative);
}

void append_rows(const Contact& contact, std::vector<ConstraintRow>& rows) {
  ConstraintRow row;
  if (contact.id.is_limit()) {
    row.coordinate = contact.id.b;
    row.coefficient = opens_upwards(contact.id) ? 1 : -1;
    rows.push_back(row);
    return;
  }
  if (contact.id.is_tendon()) {
    rows.push_back(coordinate_row(contact.terms));
    rows.back().sign = opens_upwards(contact.id) ? 1 : -1;
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
