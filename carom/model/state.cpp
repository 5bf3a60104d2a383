#include "carom/model/state.h"

#include <algorithm>
#include <bit>

namespace carom {
namespace {

bool identical_bits(const double* a, const double* b, Eigen::Index count) {
  for (Eigen::Index i = 0; i < count; ++i) {
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  }
  return true;
}

bool identical_bits(const VectorX& a, const VectorX& b) {
  return a.size() == b.size() && identical_bits(a.data(), b.data(), a.size());
}

/// An empty vector stands for zeros.
bool identical_impulses(const VectorX& a, const VectorX& b) {
  if (a.size() == 0 || b.size() == 0) return a.isZero(0) && b.isZero(0);
  return identical_bits(a, b);
}

}  // namespace

std::string limit_name(const ContactId& id) {
  if (id.is_rope()) return "rope";
  switch (id.feature) {
    case ContactId::lower:
      return "lower limit";
    case ContactId::upper:
      return "upper limit";
    case ContactId::forward:
      return "forward ratchet";
    default:
      return "backward ratchet";
  }
}

int standing_row_count(const Model& model) {
  int count = 0;
  for (const Constraint& constraint : model.constraints()) {
    count += row_count(constraint.kind) + (constraint.kind == ConstraintKind::spring ? 1 : 0);
  }
  for (const Joint& joint : model.joints()) {
    count +=
        static_cast<int>(std::count_if(joint.friction.begin(), joint.friction.end(), [](double f) { return f > 0; }));
  }
  const auto is_servo = [](const Drive& drive) { return drive.kind == DriveKind::servo; };
  return count + static_cast<int>(std::count_if(model.drives().begin(), model.drives().end(), is_servo));
}

bool identical(const State& a, const State& b) {
  if (a.step != b.step || !identical_bits(&a.time, &b.time, 1)) return false;
  if (!identical_bits(a.q, b.q) || !identical_bits(a.v, b.v) || !identical_impulses(a.standing, b.standing))
    return false;
  if (a.contacts.size() != b.contacts.size()) return false;
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    if (a.contacts[i].id != b.contacts[i].id || a.contacts[i].sliding != b.contacts[i].sliding) return false;
    for (const auto member : {&ContactMemory::impulse, &ContactMemory::tangent}) {
      if (!identical_bits((a.contacts[i].*member).data(), (b.contacts[i].*member).data(), 3)) return false;
    }
    for (const std::size_t side : {0, 1}) {
      if (!identical_bits(a.contacts[i].deflection[side].data(), b.contacts[i].deflection[side].data(), 3))
        return false;
    }
    if (!identical_bits(&a.contacts[i].approach, &b.contacts[i].approach, 1)) return false;
    if (!identical_bits(&a.contacts[i].spin_impulse, &b.contacts[i].spin_impulse, 1)) return false;
  }
  return true;
}

}  // namespace carom
