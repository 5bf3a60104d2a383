// Paper QR, example 2, figure 7: the ellipsoid falls tilted, slips and rolls. The reference is the equations of motion,
// which know nothing of steps. Closest points of ellipsoid and plane come from the support function, friction from
// maximal dissipation. It takes steps of a microsecond.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/study/fitted_order.h"
#include "carom/validation/chakraborty2007_examples.h"

namespace carom::chakraborty2007 {
namespace {

constexpr double end_of_comparison = 0.19;  // s: it slips until then

/// The body, and the layer's deflection, as an ODE.
struct TiltedMotion {
  Vec3 p, v;
  Quaternion q;
  Vec3 L;            ///< angular momentum, world
  double layer = 0;  ///< m
};

class Equations {
 public:
  explicit Equations(const Setting& setting) : setting_(setting) {
    const Vec3 squares = setting.semi_axes.cwiseAbs2();
    moments_ = setting.mass / 5 * (Vec3::Constant(squares.sum()) - squares);
  }
  Vec3 angular_velocity(const TiltedMotion& m) const {
    const Mat3 R = m.q.toRotationMatrix();
    return R * (R.transpose() * m.L).cwiseQuotient(moments_);
  }
  Vec3 momentum(const TiltedMotion& m, const Vec3& omega) const {
    const Mat3 R = m.q.toRotationMatrix();
    return R * moments_.cwiseProduct(R.transpose() * omega);
  }
  /// Slip at the lowest point, and spin.
  Vec3 slip(const TiltedMotion& m) const {
    const Vec3 u = m.v + angular_velocity(m).cross(arm(m));
    return {u.x(), u.y(), angular_velocity(m).z()};
  }
  /// Rates, and that of the layer: pressed by the body, or coming back by itself.
  TiltedMotion rates(const TiltedMotion& m) const {
    const Vec3 r = arm(m), omega = angular_velocity(m);
    const Vec3 u = m.v + omega.cross(r);
    const double depth = -(m.p.z() + r.z()), rate = -u.z();
    double force = setting_.stiffness * depth + setting_.damping * rate;
    const bool touches = depth >= m.layer - 1e-12 && depth > 0 && force > 0;
    TiltedMotion change;
    change.layer = touches ? rate : -setting_.stiffness / setting_.damping * m.layer;
    Vec3 f = setting_.mass * Vec3(0, 0, -setting_.gravity), moment = Vec3::Zero();
    if (touches) {
      const Vec3 axes(setting_.friction, setting_.friction, setting_.torsion),
          scaled = axes.cwiseProduct(Vec3(u.x(), u.y(), omega.z()));
      Vec3 rub = Vec3::Zero();
      if (scaled.norm() > 0) rub = -force * axes.cwiseProduct(scaled) / scaled.norm();
      const Vec3 push(rub.x(), rub.y(), force);
      f += push;
      moment = r.cross(push) + Vec3(0, 0, rub.z());
    }
    change.p = m.v;
    change.v = f / setting_.mass;
    change.L = moment;
    const Quaternion spin(0, omega.x(), omega.y(), omega.z());
    change.q.coeffs() = 0.5 * (spin * m.q).coeffs();
    return change;
  }
  static TiltedMotion moved(const TiltedMotion& m, const TiltedMotion& rate, double dt) {
    TiltedMotion next = {m.p + dt * rate.p, m.v + dt * rate.v, m.q, m.L + dt * rate.L, m.layer + dt * rate.layer};
    next.q.coeffs() += dt * rate.q.coeffs();
    next.q.normalize();
    return next;
  }

 private:
  /// From the centre to the lowest point: R D² n/|D n| along −z.
  Vec3 arm(const TiltedMotion& m) const {
    const Mat3 R = m.q.toRotationMatrix();
    const Vec3 down = R.transpose() * -Vec3::UnitZ(), stretched = setting_.semi_axes.cwiseProduct(down);
    return R * setting_.semi_axes.cwiseProduct(stretched / stretched.norm());
  }
  Setting setting_;
  Vec3 moments_;
};

/// By the midpoint rule.
TiltedMotion integrate(const Equations& equations, TiltedMotion m, double until, double dt) {
  const auto steps = static_cast<int>(std::lround(until / dt));
  for (int k = 0; k < steps; ++k) {
    const TiltedMotion half = Equations::moved(m, equations.rates(m), 0.5 * dt);
    m = Equations::moved(m, equations.rates(half), dt);
  }
  return m;
}

/// When the layer is touched first, and when the slip is nothing first; 0 if never within 0.6 s.
struct Marks {
  double touch = 0, slip = 0;
};
Marks marks_of(const Equations& equations, TiltedMotion m) {
  constexpr double dt = 2e-6;
  Marks marks;
  for (double time = dt; time < 0.6; time += dt) {
    const TiltedMotion half = Equations::moved(m, equations.rates(m), 0.5 * dt);
    m = Equations::moved(m, equations.rates(half), dt);
    if (marks.touch == 0 && m.layer > 0) marks.touch = time;
    if (m.layer <= 1e-6 || equations.slip(m).head<2>().norm() >= 2e-3) continue;
    marks.slip = time;
    break;
  }
  return marks;
}

double touch_of(const Scene& scene) {
  for (const Sample& sample : run(scene, scene.method.step, 0.2)) {
    if (sample.touches) return sample.time;
  }
  return 0;
}

double end_of_slip(const std::vector<Sample>& samples) {
  for (std::size_t k = 1; k < samples.size(); ++k) {
    if (samples[k].touches && samples[k].slip.head<2>().norm() < 2e-3) return samples[k].time;
  }
  return samples.back().time;
}

/// The other reading of K: the core is hit, and what the text says besides holds too.
void validate_other_reading(const ValidationOptions& options, Validation& validation) {
  const Scene scene = scene_of(options, "tilted_ellipsoid", 3);
  const std::string figure = fmt::format("figure 7, K_n = {}", setting_of(scene).stiffness);
  double deepest = 0, before = 0, after = 0;
  int late = 0, rolling = 0;
  for (const Sample& sample : run(scene, scene.method.step, scene.duration)) {
    const double across = sample.angular_velocity.head<2>().norm();
    deepest = std::max(deepest, sample.deflection);
    (deepest > 0 ? after : before) = std::max(deepest > 0 ? after : before, across);
    if (sample.time < 0.5) continue;
    ++late;
    rolling += sample.touches && sample.slip.head<2>().norm() < 1e-4 * sample.velocity.head<2>().norm();
  }
  for (const ValidationEntry& entry :
       {absolute_entry(source, figure, "deflection where the core is hit (m)", 0.005, deepest, 1e-9,
                       "\"again the large non-penetration impulse\", at the printed maximum"),
        error_entry(source, figure, "angular velocity across the vertical before the impact, over that after", 0.05,
                    before / after, 0, "\"angular velocities in the x and y directions appear after impact\""),
        absolute_entry(source, figure, "share of the steps from 0.5 s on in which it rolls", 1,
                       rolling / std::max(1.0 * late, 1.0), 0, "\"the rolling behavior continues ad-infinitum\"")}) {
    validation.entries.push_back(from(Origin::printed, entry));
  }
  validation.text +=
      fmt::format("  {}: deepest {:.3g} m; across the vertical {:.3f} rad/s before the impact, {:.1f} rad/s after\n",
                  figure, deepest, before, after);
}

}  // namespace

void validate_tilted(const ValidationOptions& options, Validation& validation) {
  const Scene scene = scene_of(options, "tilted_ellipsoid");
  const Setting setting = setting_of(scene);
  const Equations equations(setting);
  TiltedMotion start;
  const State& initial = scene.initial;
  start.q = Quaternion(initial.q[0], initial.q[1], initial.q[2], initial.q[3]);
  start.p = initial.q.segment<3>(4);
  start.v = Vec3::Zero();
  start.L = equations.momentum(start, start.q * Vec3(initial.v.head<3>()));
  const TiltedMotion exact = integrate(equations, start, end_of_comparison, 1e-6);

  const Vec3 exact_spin = equations.angular_velocity(exact);
  const auto distance = [&](const Vec3& v, const Vec3& w) {
    return (v - exact.v).norm() + 0.01 * (w - exact_spin).norm();
  };
  std::vector<double> steps, apart, slips;
  std::vector<Sample> ends;
  for (const double h : {1e-4, 5e-5, 2.5e-5}) {
    const std::vector<Sample> samples = run(scene, h, 0.25);
    ends.push_back(samples[static_cast<std::size_t>(std::lround(end_of_comparison / h))]);
    slips.push_back(end_of_slip(samples));
    steps.push_back(h);
    apart.push_back(distance(ends.back().velocity, ends.back().angular_velocity));
    validation.text +=
        fmt::format("  figure 7: h = {:<7} s, {:.2e} m/s from the equations of motion, slip ends at {:.4f} s\n", h,
                    apart.back(), slips.back());
  }
  // Velocity with the first order taken out.
  const Vec3 v = 2 * ends[2].velocity - ends[1].velocity;
  const Vec3 w = 2 * ends[2].angular_velocity - ends[1].angular_velocity;
  auto& entries = validation.entries;
  entries.push_back(
      from(Origin::integrator, absolute_entry(source, "figure 7", "motion at 0.19 s, distance from the ODE's, relative",
                                              0, distance(v, w) / (exact.v.norm() + 0.01 * exact_spin.norm()), 0.01,
                                              "|dv| + 1 cm |dw|, extrapolated to h = 0")));
  entries.push_back(
      absolute_entry(source, "figure 7", "order in h of that distance", 1, fitted_order(steps, apart), 0.15));
  const Marks marks = marks_of(equations, start);
  entries.push_back(
      from(Origin::integrator, absolute_entry(source, "figure 7", "layer touched (s)", marks.touch, touch_of(scene),
                                              3e-4, "in flight the spin brings the ellipsoid nearer to level")));
  entries.push_back(
      from(Origin::integrator, absolute_entry(source, "figure 7", "slip along the surface ends (s)", marks.slip,
                                              2 * slips[2] - slips[1], 2e-3, "below 2 mm/s; extrapolated to h = 0")));
  entries.push_back(explained(
      from(Origin::printed,
           absolute_entry(source, "figure 7", "slip ends, as its text has it (s)", 0.5, slips[0], 0.05)),
      0.5 - marks.slip + 0.01,
      "\"approximately 0.5 seconds\": with the printed numbers both the steps and the equations of motion end it near "
      "0.21 s; by 0.5 s nothing of it is left. Tolerance: to where the equations of motion have it"));
  validate_other_reading(options, validation);
}

}  // namespace carom::chakraborty2007
