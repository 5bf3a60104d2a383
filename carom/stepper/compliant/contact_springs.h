#pragma once

#include <vector>

#include "carom/contact/contact.h"

namespace carom {

/// Deflections of the tangential springs of compressed contacts (sheared_layer.h), the part of the integration's state
/// that belongs to contacts. Each has two numbers, along the tangents that it had at the start of the integration step.
/// They are carried to another normal by the least turn, and turn about the normal with the mean of both bodies.
class ContactSprings {
 public:
  /// A spring at the start of a step of the integration.
  struct Spring {
    ContactId id;
    Mat3 frame = Mat3::Identity();   ///< of the contact, world
    Vec2 deflection = Vec2::Zero();  ///< along the frame's x and y, m
    bool slid = false;               ///< at the end of the step before
    Vec3 in_world() const { return frame.leftCols<2>() * deflection; }
  };

  void clear() { springs_.clear(), missing_.clear(); }
  int size() const { return static_cast<int>(springs_.size()); }
  const Spring& operator[](int i) const { return springs_[static_cast<std::size_t>(i)]; }
  int find(const ContactId& id) const;  ///< −1: none

  /// One with a deflection in the contact's frame, in place of one that the contact has.
  void keep(const Contact& contact, const Vec2& deflection, bool slid);
  /// The deflections, two numbers of each.
  void write(double* numbers) const;

  /// A compressed contact without a spring, which admit() gives one that is not deflected.
  void miss(const Contact& contact) { missing_.push_back(contact); }
  /// True if there were any.
  bool admit();

  /// Tangents of the contact's frame, as columns, in the two numbers of its spring: numbers = turn · (x, y).
  Eigen::Matrix2d turn(int i, const Contact& contact) const;

 private:
  std::vector<Spring> springs_;  // by id
  std::vector<Contact> missing_;
};

}  // namespace carom
