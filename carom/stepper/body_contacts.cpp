#include "carom/stepper/body_contacts.h"

#include "carom/model/contact_name.h"

namespace carom {
namespace {

/// 1 where the body is A of the contact, −1 where it is B, 0 where it has no part in it.
int side_of(const ContactReport& contact, int body) {
  if (!contact.id.is_surface()) return 0;
  return contact.body_a == body ? 1 : contact.body_b == body ? -1 : 0;
}

int other_of(const ContactReport& contact, int side) { return side > 0 ? contact.body_b : contact.body_a; }

BodyContact told_for(const Model& model, const ContactReport& contact, int side) {
  BodyContact told;
  told.name = contact_name(model, contact.id, contact.body_a, contact.body_b);
  told.id = contact.id;
  told.body = side > 0 ? contact.body_a : contact.body_b;
  told.other = other_of(contact, side);
  told.mode = contact.mode;
  told.position = contact.position;
  told.gap = contact.gap;
  told.normal = side * contact.R_WC.col(2);
  told.normal_impulse = contact.impulse.z();
  told.friction_impulse = side * (contact.R_WC.leftCols<2>() * contact.impulse.head<2>());
  told.slip = side * (contact.R_WC.leftCols<2>() * contact.velocity.head<2>());
  return told;
}

}  // namespace

std::vector<BodyContact> contacts_of(const Model& model, const StepReport& report, int body) {
  std::vector<BodyContact> contacts;
  for (const ContactReport& contact : report.contacts) {
    if (const int side = side_of(contact, body)) contacts.push_back(told_for(model, contact, side));
  }
  return contacts;
}

std::vector<BodyContact> contacts_between(const Model& model, const StepReport& report, int body, int other) {
  std::vector<BodyContact> contacts;
  for (const ContactReport& contact : report.contacts) {
    const int side = side_of(contact, body);
    if (side != 0 && other_of(contact, side) == other) contacts.push_back(told_for(model, contact, side));
  }
  return contacts;
}

Vec3 contact_impulse(const StepReport& report, int body) {
  Vec3 sum = Vec3::Zero();
  for (const ContactReport& contact : report.contacts) {
    if (const int side = side_of(contact, body)) sum += side * (contact.R_WC * contact.impulse);
  }
  return sum;
}

Vec3 contact_impulse(const StepReport& report, int body, int other) {
  Vec3 sum = Vec3::Zero();
  for (const ContactReport& contact : report.contacts) {
    const int side = side_of(contact, body);
    if (side != 0 && other_of(contact, side) == other) sum += side * (contact.R_WC * contact.impulse);
  }
  return sum;
}

}  // namespace carom
