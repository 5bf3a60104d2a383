#include "carom/stepper/compliant/contact_springs.h"

#include <algorithm>

#include "carom/spatial/rotation.h"

namespace carom {
namespace {

bool comes_before(const ContactSprings::Spring& spring, const ContactId& id) { return spring.id < id; }

}  // namespace

int ContactSprings::find(const ContactId& id) const {
  const auto place = std::lower_bound(springs_.begin(), springs_.end(), id, comes_before);
  return place != springs_.end() && place->id == id ? static_cast<int>(place - springs_.begin()) : -1;
}

void ContactSprings::keep(const Contact& contact, const Vec2& deflection, bool slid) {
  auto place = std::lower_bound(springs_.begin(), springs_.end(), contact.id, comes_before);
  if (place == springs_.end() || place->id != contact.id) place = springs_.insert(place, {contact.id});
  place->frame = contact.R_WC;
  place->deflection = deflection;
  place->slid = slid;
}

void ContactSprings::write(double* numbers) const {
  for (const Spring& spring : springs_) numbers = std::copy_n(spring.deflection.data(), 2, numbers);
}

bool ContactSprings::admit() {
  const bool any = !missing_.empty();
  for (const Contact& contact : missing_) keep(contact, Vec2::Zero(), false);
  missing_.clear();
  return any;
}

Eigen::Matrix2d ContactSprings::turn(int i, const Contact& contact) const {
  const Mat3& from = springs_[static_cast<std::size_t>(i)].frame;
  const Vec3 before = from.col(2), after = contact.R_WC.col(2);
  const Mat3 cross = skew(after.cross(before));
  const Mat3 back = Mat3::Identity() + cross + cross * cross / (1 + before.dot(after));
  return from.leftCols<2>().transpose() * back * contact.R_WC.leftCols<2>();
}

}  // namespace carom
