#include "carom/impact/energetic_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least_slip = 1e-14;      // of the largest speed: has ended
constexpr double turns_no_more = 1e-15;   // of the rates of the slip: turning that is round-off
constexpr double no_restitution = 1e-12;  // below it nothing is given back
constexpr double first_step = 0.01;       // of the time in which the slip changes by its own size
constexpr int most_parts = 20, most_locating = 100;

}  // namespace

double EnergeticFlow::normal_velocity(const double* P) const {
  return w_[0] + B_(0, 0) * P[0] + B_(0, 1) * P[1] + B_(0, 2) * P[2];
}

Eigen::Vector2d EnergeticFlow::slip_velocity() const { return w_.tail<2>() + B_.bottomRows<2>() * P_; }

/// Compression ends, or begins again. True if the impact ends with that.
bool EnergeticFlow::turn() {
  expanding_ = !expanding_;
  return expanding_ && e_ == 0;
}

/// Moves P_t along a straight line, `tangent` per normal impulse, until the impact or the slip ends. The slip changes
/// at slip_rate.
EnergeticFlow::Part EnergeticFlow::go_straight(const Eigen::Vector2d& tangent, double slip, double slip_rate) {
  const Eigen::Vector3d along(1, tangent.x(), tangent.y());
  const double a = B_.row(0).dot(along);
  double left = slip_rate < 0 ? -slip / slip_rate : infinity;
  for (int part = 0; part < most_parts; ++part) {
    const double v = normal_velocity(P_.data());
    const double given = expanding_ ? 1 / (e_ * e_) : 1;
    double length = infinity;
    bool ends = false;
    if (!expanding_) {
      if (a > 0) length = std::max(0.0, -v / a);
    } else {
      const double owed = energy_ / given, root = v * v + 2 * a * owed;
      ends = root >= 0;
      length = ends ? 2 * owed / (v + std::sqrt(root)) : std::max(0.0, -v / a);
    }
    const bool slip_ends = left <= length;
    if (slip_ends) length = left;
    if (!std::isfinite(length)) return Part::wedged;
    energy_ -= given * length * (v + 0.5 * a * length);
    P_ += length * along;
    left -= length;
    if (slip_ends) return Part::slip_ended;
    if (ends || turn()) return Part::done;
  }
  return Part::budget;
}

EnergeticFlow::Part EnergeticFlow::slide_straight(double slip, const Eigen::Vector2d& s) {
  const Eigen::Vector2d q = B_.block<2, 1>(1, 0) - B_.block<2, 2>(1, 1) * s;
  return go_straight(-s, slip, s.dot(q));
}

/// Rates of (3), of the impulse and of the energy.
void EnergeticFlow::rate(const double* y, double* rate) const {
  const double c = std::cos(y[angle]), s = std::sin(y[angle]), slip = std::exp(y[log_slip]);
  const double qx = B_(1, 0) - B_(1, 1) * c - B_(1, 2) * s, qy = B_(2, 0) - B_(2, 1) * c - B_(2, 2) * s;
  rate[log_slip] = c * qx + s * qy;
  rate[angle] = c * qy - s * qx;
  rate[normal] = slip;
  rate[tangent_x] = -slip * c;
  rate[tangent_y] = -slip * s;
  rate[energy] = -(expanding_ ? 1 / (e_ * e_) : 1) * slip * normal_velocity(y + normal);
}

/// A quantity at next_ that is zero at an event and positive beyond it, and its rate. It is the normal velocity, up to
/// its sign, where compression ends or begins again, and minus the energy where the contact ends.
std::array<double, 2> EnergeticFlow::passed(Event event) const {
  const double* rate = method_.rate(DormandPrince::stages - 1);
  if (event == Event::parts) return {-next_[energy], -rate[energy]};
  const double sign = event == Event::expands ? 1 : -1;
  return {sign * normal_velocity(next_.data() + normal),
          sign * B_.row(0).dot(Eigen::Map<const Eigen::RowVector3d>(rate + normal))};
}

double EnergeticFlow::step(double h) {
  return method_.step(y_.data(), h, weight_.data(), next_.data(),
                      [&](double, int, const double* y, double* at) { rate(y, at); });
}

/// Shortens the step of length h to the event in it: Newton's method, and bisection where it leaves the bracket.
void EnergeticFlow::locate(Event event, double h) {
  double low = 0, high = h, at = h;
  for (int i = 0; i < most_locating; ++i) {
    const auto [value, slope] = passed(event);
    (value >= 0 ? high : low) = at;
    double better = at - value / slope;
    if (!(better >= low && better <= high)) better = 0.5 * (low + high);
    if (std::abs(better - at) <= std::numeric_limits<double>::epsilon() * h) return;
    at = better;
    step(at);
  }
}

/// Follows slip that turns.
EnergeticFlow::Part EnergeticFlow::slide(const EnergeticFlowOptions& options, int& steps) {
  const Eigen::Vector2d start = slip_velocity();
  y_ = {std::log(start.norm()), std::atan2(start.y(), start.x()), P_[0], P_[1], P_[2], energy_};
  const double impulse = speed_ / B_(0, 0), rates = B_.bottomRows<2>().cwiseAbs().sum();
  const double accuracy = options.accuracy;
  weight_.fill(1 / (accuracy * impulse));
  weight_[log_slip] = weight_[angle] = 1 / accuracy;
  weight_[energy] = 1 / (accuracy * impulse * speed_);
  double h = first_step / rates;
  while (steps < options.max_steps) {
    rate(y_.data(), method_.rate(0));
    const double slip = std::exp(y_[log_slip]);
    if (std::abs(method_.rate(0)[angle]) <= turns_no_more * rates || slip <= least_slip * speed_) {
      P_ << y_[normal], y_[tangent_x], y_[tangent_y];
      energy_ = y_[energy];
      return slide_straight(slip, {std::cos(y_[angle]), std::sin(y_[angle])});
    }
    const double error = step(h), taken = h;
    ++steps;
    h *= std::isfinite(error) ? DormandPrince::growth(error) : 0.2;
    if (!(error <= 1)) continue;
    const bool parts = expanding_ && passed(Event::parts)[0] >= 0;
    const Event event = !expanding_ ? Event::expands : parts ? Event::parts : Event::compresses;
    const bool passes = passed(event)[0] >= 0;
    if (passes) locate(event, taken);
    y_ = next_;
    if (!passes) continue;
    P_ << y_[normal], y_[tangent_x], y_[tangent_y];
    if (parts || turn()) return Part::done;
  }
  return Part::budget;
}

EnergeticFlowEnd EnergeticFlow::solve(const double* B, const double* w, double e, const EnergeticFlowOptions& options,
                                      double* P, int& steps) {
  B_ = Eigen::Map<const Eigen::Matrix3d>(B);
  w_ = Eigen::Map<const Eigen::Vector3d>(w);
  P_.setZero();
  e_ = e < no_restitution ? 0 : e;
  energy_ = 0;
  expanding_ = false;
  speed_ = w_.cwiseAbs().maxCoeff();
  method_.resize(size);
  zero_slip_.resize(1);
  Part part = Part::slip_ended;
  if (w_.tail<2>().norm() > least_slip * speed_) part = slide(options, steps);
  if (part == Part::slip_ended) {
    Eigen::Map<Eigen::Matrix2d>(zero_slip_.mobility()) = B_.block<2, 2>(1, 1);
    Eigen::Map<Eigen::Vector2d>(zero_slip_.acceleration()) = B_.block<2, 1>(1, 0);
    Eigen::Map<Eigen::Vector2d>(zero_slip_.start()).setZero();
    zero_slip_.radius()[0] = 1;
    zero_slip_.solve();
    part = go_straight({zero_slip_.force()[0], zero_slip_.force()[1]}, 0, 0);
  }
  Eigen::Map<Eigen::Vector3d>(P, 3) = P_;
  if (part == Part::done) return EnergeticFlowEnd::parted;
  return part == Part::wedged ? EnergeticFlowEnd::wedged : EnergeticFlowEnd::budget;
}

}  // namespace carom
