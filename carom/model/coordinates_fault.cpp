#include "carom/model/coordinates_fault.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "carom/numerics/least_squares.h"

namespace carom {
namespace {

/// Twists of size 1, in a unit of length in which the turns have arms of size 1. Neither changes the rank of S.
Twists evened(const Twists& twists) {
  double arm = 0;
  for (const auto& twist : twists.colwise()) {
    const double turn = twist.head<3>().stableNorm();
    if (turn > 0) arm = std::max(arm, twist.tail<3>().stableNorm() / turn);
  }
  Twists even = twists;
  if (arm > 0) even.bottomRows<3>() /= arm;
  for (auto twist : even.colwise()) twist /= twist.stableNorm();
  return even;
}

/// A rank that S has at one position it has at almost all, since S is analytic in q: a few positions settle it.
bool independent_somewhere(const Twists& twists) {
  const Twists even = evened(twists);
  const Eigen::Index count = twists.cols();
  constexpr double golden = 0.6180339887498949;  // multiples of it, modulo 1, are in no simple relation
  VectorX q(count);
  for (int trial = 0; trial < 4; ++trial) {
    for (Eigen::Index k = 0; k < count; ++k) {
      const double multiple = golden * static_cast<double>(trial * count + k + 1);
      q[k] = 0.3 + multiple - std::floor(multiple);
    }
    if (dependent_columns(exponential_product(even, q).S, 1e-9).empty()) return true;
  }
  return false;
}

std::string twists_fault(const Joint& joint) {
  const Eigen::Index count = joint.twists.cols();
  if (count == 0) return "has no twists; give it one to six, or make it a fixed joint";
  std::ostringstream fault;
  if (count > 6) {
    fault << "has " << count << " twists, but a body has only six ways to move; give at most six";
    return fault.str();
  }
  for (Eigen::Index k = 0; k < count; ++k) {
    const bool finite = joint.twists.col(k).allFinite();
    if (finite && !joint.twists.col(k).isZero(0)) continue;
    fault << "has a twist number " << k + 1
          << (finite ? " of zero, which moves nothing; leave it out"
                     : " that is not finite; give six numbers, angular part first");
    return fault.str();
  }
  if (independent_somewhere(joint.twists)) return "";
  return "has twists that depend on each other wherever the joint is, so some of its coordinates repeat others; leave "
         "those out";
}

}  // namespace

std::string coordinates_fault(const Joint& joint) {
  const std::string name = joint_name(joint.type);
  if (joint.type != JointType::screw && joint.pitch != 0) {
    return "has a pitch, which a " + name + " joint cannot have; leave it out";
  }
  if (joint.type != JointType::twists && joint.twists.cols() > 0) {
    return "has twists, which a " + name + " joint cannot have; leave them out";
  }
  if (joint.type == JointType::twists) return twists_fault(joint);
  if (joint.type != JointType::screw || (std::isfinite(joint.pitch) && joint.pitch != 0)) return "";
  if (joint.pitch == 0) return "has a pitch of 0; give one in metres per radian, or make it a revolute joint";
  return "has a pitch that is not finite; give one in metres per radian";
}

}  // namespace carom
