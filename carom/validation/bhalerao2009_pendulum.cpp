#include "carom/validation/bhalerao2009_pendulum.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "carom/error.h"

namespace carom::bhalerao2009 {
namespace {

constexpr int position = 0, velocity = 3, turn_A = 6, turn_B = 10, spin_A = 14, spin_B = 17;  // in y
constexpr int a = 0, alpha_A = 3, alpha_B = 6, joint = 9, plane = 12;                         // in the unknowns
constexpr double longest_step = 2e-3;                                                         // s
constexpr double resting_speed = 1e-9;  // m/s: slower approaches do not bounce, so that endless bounces end

Mat3 cross(const Vec3& r) {
  Mat3 matrix;
  matrix << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  return matrix;
}

Quaternion quaternion(const double* w) { return Quaternion(w[0], w[1], w[2], w[3]).normalized(); }

/// q′ = ½ q (0, w) with w in body axes.
void turn_rate(const double* q, const Vec3& w, double* rate) {
  const Quaternion turned = Quaternion(q[0], q[1], q[2], q[3]) * Quaternion(0, w.x(), w.y(), w.z());
  rate[0] = turned.w() / 2;
  for (int i = 0; i < 3; ++i) rate[1 + i] = turned.vec()[i] / 2;
}

void put(const Quaternion& q, double* to) {
  to[0] = q.w();
  for (int i = 0; i < 3; ++i) to[1 + i] = q.vec()[i];
}

}  // namespace

const char* top_motion_name(TopMotion motion) {
  constexpr std::array names{"flight", "slide", "stick"};
  return names[static_cast<std::size_t>(motion)];
}

Pendulum::Pendulum(const PendulumSetup& setup, double tolerance) : setup_(setup), tolerance_(tolerance) {
  rule_.resize(static_cast<int>(y_.size()));
  y_.setZero();
  y_.segment<3>(position) = setup.position;
  y_.segment<3>(velocity) = setup.velocity;
  put(Quaternion(setup.R_A), &y_[turn_A]);
  put(Quaternion(setup.R_B), &y_[turn_B]);
  if (setup.position.z() == 0 && setup.velocity.z() == 0) settle(setup.velocity.x());
}

Mat3 Pendulum::R_A() const { return quaternion(&y_[turn_A]).toRotationMatrix(); }
Mat3 Pendulum::R_B() const { return quaternion(&y_[turn_B]).toRotationMatrix(); }

Pendulum::Pose Pendulum::pose_of(const Vec20& y) const {
  Pose pose;
  pose.R_A = quaternion(&y[turn_A]).toRotationMatrix();
  pose.R_B = quaternion(&y[turn_B]).toRotationMatrix();
  pose.I_A = pose.R_A * setup_.inertia.asDiagonal() * pose.R_A.transpose();
  pose.I_B = pose.R_B * setup_.inertia.asDiagonal() * pose.R_B.transpose();
  pose.r_A = -setup_.length / 2 * pose.R_A.col(2);
  pose.r_B = -setup_.length / 2 * pose.R_B.col(2);
  pose.w_A = pose.R_A * y.segment<3>(spin_A);
  pose.w_B = pose.R_B * y.segment<3>(spin_B);
  return pose;
}

/// Matrix of both bodies' equations, for accelerations and for jumps alike; the plane's three rows are left zero.
Pendulum::Mat15 Pendulum::left_side(const Pose& pose) const {
  const Mat3 one = Mat3::Identity();
  const double m = setup_.mass;
  Mat15 K = Mat15::Zero();
  K.block<3, 3>(0, a) = m * one;
  K.block<3, 3>(0, alpha_A) = -m * cross(pose.r_A);
  K.block<3, 3>(0, joint) = one;
  K.block<3, 3>(0, plane) = -one;
  K.block<3, 3>(3, alpha_A) = pose.I_A;
  K.block<3, 3>(3, joint) = cross(pose.r_A);  // l_A − r_A = r_A
  K.block<3, 3>(3, plane) = cross(pose.r_A);
  K.block<3, 3>(6, a) = m * one;
  K.block<3, 3>(6, alpha_A) = -2 * m * cross(pose.r_A);
  K.block<3, 3>(6, alpha_B) = -m * cross(pose.r_B);
  K.block<3, 3>(6, joint) = -one;
  K.block<3, 3>(9, alpha_B) = pose.I_B;
  K.block<3, 3>(9, joint) = cross(pose.r_B);
  return K;
}

/// Direction in which P1 slides, a unit vector; zero where it has no speed.
Vec3 Pendulum::slip_direction(const Vec20& y) const {
  if (setup_.planar) return Vec3(slip_, 0, 0);
  const Vec3 slip(y[velocity], y[velocity + 1], 0);
  return slip.norm() > 0 ? Vec3(slip.normalized()) : Vec3(Vec3::Zero());
}

Pendulum::Vec15 Pendulum::solve(const Vec20& y, TopMotion motion) {
  const Pose pose = pose_of(y);
  const double m = setup_.mass;
  const Vec3 weight(0, 0, -m * setup_.gravity);
  const auto centripetal = [](const Vec3& w, const Vec3& r) { return Vec3(w.cross(w.cross(r))); };
  Mat15 K = left_side(pose);
  Vec15 b = Vec15::Zero();
  b.segment<3>(0) = weight - m * centripetal(pose.w_A, pose.r_A);
  b.segment<3>(3) = -pose.w_A.cross(pose.I_A * pose.w_A);
  b.segment<3>(6) = weight - m * (centripetal(pose.w_A, 2 * pose.r_A) + centripetal(pose.w_B, pose.r_B));
  b.segment<3>(9) = -pose.w_B.cross(pose.I_B * pose.w_B);
  for (int i = 0; i < 3; ++i) {
    const bool held = motion == TopMotion::stick || (motion == TopMotion::slide && i == 2);
    K(plane + i, held ? a + i : plane + i) = 1;
  }
  if (motion == TopMotion::slide) K.block<2, 1>(plane, plane + 2) = setup_.friction * slip_direction(y).head<2>();
  return K.partialPivLu().solve(b);
}

void Pendulum::rate(const Vec20& y, Vec20& dy) {
  const Vec15 x = solve(y, motion_);
  const Pose pose = pose_of(y);
  dy.segment<3>(position) = y.segment<3>(velocity);
  dy.segment<3>(velocity) = x.segment<3>(a);
  if (motion_ != TopMotion::flight) dy[velocity + 2] = 0;
  turn_rate(&y[turn_A], y.segment<3>(spin_A), &dy[turn_A]);
  turn_rate(&y[turn_B], y.segment<3>(spin_B), &dy[turn_B]);
  dy.segment<3>(spin_A) = pose.R_A.transpose() * x.segment<3>(alpha_A);
  dy.segment<3>(spin_B) = pose.R_B.transpose() * x.segment<3>(alpha_B);
}

bool Pendulum::in_cone(const Vec3& force) const {
  return force.z() >= 0 && force.head<2>().norm() <= setup_.friction * force.z();
}

/// Below zero where the regime has ended.
double Pendulum::event_value(const Vec20& y) {
  if (motion_ == TopMotion::flight) return y[velocity + 2] < 0 ? y[position + 2] : 1;
  const Vec3 force = solve(y, motion_).segment<3>(plane);
  if (motion_ == TopMotion::stick) return in_cone(force) ? 1 : -1;
  const double forward = setup_.planar && setup_.friction > 0 ? slip_ * y[velocity] : 1;
  return std::min(force.z(), forward);
}

Pendulum::Vec20 Pendulum::stepped(double h, double* error) {
  const Vec20 weight = Vec20::Constant(1 / tolerance_);
  Vec20 end, dy;
  const double worst =
      rule_.step(y_.data(), h, weight.data(), end.data(), [&](double, int, const double* y, double* rates) {
        rate(Eigen::Map<const Vec20>(y), dy);
        Eigen::Map<Vec20>{rates} = dy;
      });
  if (error) *error = worst;
  return end;
}

void Pendulum::advance(double time) {
  Vec20 dy;
  while (time_ < time) {
    const bool last = time_ + step_ >= time;
    double h = last ? time - time_ : step_;
    rate(y_, dy);
    Eigen::Map<Vec20>{rule_.rate(0)} = dy;
    double error = 0;
    Vec20 end = stepped(h, &error);
    if (!(error <= 1)) {
      step_ = h * DormandPrince::growth(error);
      // A slide that stops in space takes steps near 1e-11 s, and goes on so for over half an hour.
      if (step_ < 1e-10) throw Error("the pendulum's reference does not integrate: a regime that does not exist");
      continue;
    }
    if (!last) step_ = std::min(longest_step, h * DormandPrince::growth(error));
    const bool over = event_value(end) < 0;
    if (over) {
      double before = 0;
      for (int i = 0; i < 60 && h - before > 1e-16; ++i) {
        const double middle = (before + h) / 2;
        (event_value(stepped(middle, nullptr)) < 0 ? h : before) = middle;
      }
      end = stepped(h, nullptr);
    }
    y_ = end;
    time_ = last && !over ? time : time_ + h;
    for (const int at : {turn_A, turn_B}) y_.segment<4>(at).normalize();
    if (!over) continue;
    if (motion_ == TopMotion::flight) {
      strike();
    } else if (motion_ == TopMotion::slide && solve(y_, motion_)[plane + 2] >= 0) {
      settle(0);
    } else if (motion_ == TopMotion::stick && solve(y_, motion_)[plane + 2] >= 0) {
      slip_ = solve(y_, motion_)[plane] > 0 ? -1 : 1;
      turn_to(TopMotion::slide, 0);
    } else {
      turn_to(TopMotion::flight, 0);
    }
  }
}

void Pendulum::turn_to(TopMotion motion, double approach) {
  motion_ = motion;
  if (motion != TopMotion::flight) y_[position + 2] = y_[velocity + 2] = 0;
  if (motion == TopMotion::stick) y_.segment<2>(velocity).setZero();
  events_.push_back({time_, motion, approach});
  if (static_cast<int>(events_.size()) > most_events) {
    throw Error(fmt::format("the pendulum's reference has {} changes of regime by {:.6g} s", most_events, time_));
  }
}

/// P1 lies on the plane without normal speed, and slips at `speed` along x (in space: as y says).
void Pendulum::settle(double speed) {
  double approach = 0;
  if (!events_.empty() && events_.back().time == time_) {
    approach = events_.back().approach;
    events_.pop_back();
  }
  const bool frictionless = setup_.friction == 0;
  const bool slides = !setup_.planar || frictionless || speed != 0;
  slip_ = speed > 0 ? 1 : speed < 0 ? -1 : 0;
  if (!slides) {
    y_[velocity] = 0;
    const Vec3 force = solve(y_, TopMotion::stick).segment<3>(plane);
    if (in_cone(force)) return turn_to(TopMotion::stick, approach);
    slip_ = force.x() > 0 ? -1 : 1;
  }
  const bool presses = solve(y_, TopMotion::slide)[plane + 2] > 0;
  turn_to(presses ? TopMotion::slide : TopMotion::flight, approach);
}

void Pendulum::strike() {
  const Vec3 v = y_.segment<3>(velocity);
  const Pose pose = pose_of(y_);
  const double e = -v.z() > resting_speed ? setup_.restitution : 0;
  const double mu = setup_.friction;
  const auto impact = [&](bool sticks, double slip) {
    Mat15 K = left_side(pose);
    Vec15 b = Vec15::Zero();
    K(plane + 2, a + 2) = 1;
    b[plane + 2] = -(1 + e) * v.z();
    for (int i = 0; i < 2; ++i) {
      K(plane + i, sticks ? a + i : plane + i) = 1;
      if (sticks) b[plane + i] = -v[i];
    }
    if (!sticks) K(plane, plane + 2) = mu * slip;
    return Vec15(K.partialPivLu().solve(b));
  };
  Vec15 x = impact(mu > 0, 0);
  double slip = 0;
  if (mu > 0 && !in_cone(x.segment<3>(plane))) {
    if (!setup_.planar) throw Error("the pendulum's reference solves impacts with friction in a plane only");
    slip = 1;
    x = impact(false, slip);
    if (v.x() + x[a] < 0) x = impact(false, slip = -1);
    if ((v.x() + x[a]) * slip < 0) throw Error("an impact of the pendulum's reference has no slip that fits");
  }
  y_.segment<3>(velocity) += x.segment<3>(a);
  y_.segment<3>(spin_A) += pose.R_A.transpose() * x.segment<3>(alpha_A);
  y_.segment<3>(spin_B) += pose.R_B.transpose() * x.segment<3>(alpha_B);
  turn_to(TopMotion::flight, -v.z());
  if (e > 0) return;
  y_[position + 2] = y_[velocity + 2] = 0;
  settle(mu > 0 && slip == 0 ? 0 : y_[velocity]);
}

Vec3 Pendulum::contact_force() { return solve(y_, motion_).segment<3>(plane); }

double Pendulum::energy() const {
  const Pose pose = pose_of(y_);
  const Vec3 p = y_.segment<3>(position), v = y_.segment<3>(velocity);
  const Vec3 v_A = v + pose.w_A.cross(pose.r_A);
  const Vec3 v_B = v + pose.w_A.cross(2 * pose.r_A) + pose.w_B.cross(pose.r_B);
  const double height = (p + pose.r_A).z() + (p + 2 * pose.r_A + pose.r_B).z();
  return setup_.mass * ((v_A.squaredNorm() + v_B.squaredNorm()) / 2 + setup_.gravity * height) +
         (pose.w_A.dot(pose.I_A * pose.w_A) + pose.w_B.dot(pose.I_B * pose.w_B)) / 2;
}

}  // namespace carom::bhalerao2009
