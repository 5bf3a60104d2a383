// Paper PLUS, example 4 (figure 15): work of an impact against its accuracy, counted, not timed.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "carom/error.h"
#include "carom/impact/plus.h"
#include "carom/scene/scene_text.h"
#include "carom/study/fitted_order.h"
#include "carom/validation/first_touch.h"
#include "carom/validation/uchida2015_examples.h"

namespace carom::uchida2015 {
namespace {

/// The elastic impact of one contact that slides one way throughout. Friction is −μ s, and p_n reverses the normal
/// velocity. It is the same without time and on an elastic layer, whose mass in the normal direction is then constant.
Vec3 sliding_impact(const MechanismImpact& impact) {
  const Vec3 u = impact.u();
  Vec3 way(0, 0, 1);
  way.head<2>() = -impact.block(0).friction.x() * u.head<2>().normalized();
  return u + 2 * (-u[2] / impact.A().row(2).dot(way)) * impact.A() * way;
}

struct Integrator {
  CompliantIntegrator rule;
  bool extrapolate;
  const char* name;
};
constexpr std::array<Integrator, 5> integrators{{
    {CompliantIntegrator::runge_kutta_merson, false, "Runge-Kutta-Merson"},
    {CompliantIntegrator::semi_explicit_euler, false, "semi-explicit Euler"},
    {CompliantIntegrator::implicit_euler, false, "implicit Euler"},
    {CompliantIntegrator::semi_explicit_euler, true, "semi-explicit, extrapolated"},
    {CompliantIntegrator::implicit_euler, true, "implicit, extrapolated"},
}};

CompliantOptions options_of(const MechanismImpact& impact, const Integrator& integrator, double accuracy) {
  CompliantOptions options = paper_compliant(impact);
  options.integrator = integrator.rule;
  options.extrapolate = integrator.extrapolate;
  options.accuracy = accuracy;
  return options;
}

/// Evaluations and errors of the integrators over their accuracies; the order of the error in the steps of
/// the paper's two.
void tell_work(const MechanismImpact& impact, const Vec3& exact, Validation& validation) {
  validation.text += "    integrator                   accuracy    steps  evaluations     error\n";
  for (const Integrator& integrator : integrators) {
    std::vector<double> steps, errors;
    for (const double accuracy : {1e-3, 1e-4, 1e-5, 1e-6}) {
      const CompliantStruck struck = strike(impact, options_of(impact, integrator, accuracy));
      steps.push_back(struck.outcome.intervals);
      errors.push_back((struck.velocity - exact).norm() / impact.u().norm());
      validation.text += fmt::format("    {:<28} {:8.0e} {:8d} {:12d} {:9.1e}\n", integrator.name, accuracy,
                                     struck.outcome.intervals, struck.evaluations, errors.back());
    }
    if (integrator.rule == CompliantIntegrator::runge_kutta_merson || integrator.extrapolate) continue;
    validation.entries.push_back(absolute_entry(source, "figure 15",
                                                fmt::format("order in 1 / steps, {}", integrator.name), -1,
                                                fitted_order(steps, errors), 0.25, "of the velocity after the impact"));
  }
}

/// An impact of the pendulum that starts at the angles q.
struct Fallen {
  State state;
  MechanismImpact impact;
  PlusStruck plus;
  bool slides = true;  ///< throughout
};
Fallen fallen_from(const Scene& scene, const VectorX& q) {
  State start = scene.initial;
  start.q = q;
  Fallen fallen{first_touch(scene, start, 5), MechanismImpact(scene.model), {}};
  MechanismImpact& impact = fallen.impact;
  impact.find(fallen.state.q, fallen.state.v, touching);
  if (impact.contact_count() != 1) throw Error(scene.file + ": the pendulum does not strike the ground with its ball");
  fallen.plus = strike(impact, scene.method.plus);
  for (std::size_t i = 0; i < fallen.plus.trace.steps.size(); ++i) {
    fallen.slides = fallen.slides && fallen.plus.trace.motion(i, 0) == PlusMotion::sliding;
  }
  return fallen;
}

/// The four ways to read the paper's angles: of the rods in the world or of the pins, from the horizontal or the
/// downward vertical.
void tell_conventions(const Scene& scene, Validation& validation) {
  constexpr double pi = std::numbers::pi;
  const SceneText text(scene.text, scene.file);
  const Vec3 angles(text.number("theta_1"), text.number("theta_2"), text.number("theta_3"));
  validation.text += "  triple pendulum      strikes after, s   approach, m/s   slip, m/s   slides throughout\n";
  for (const bool of_pins : {false, true}) {
    for (const bool from_horizontal : {true, false}) {
      Vec3 q = angles;
      if (!of_pins) q.tail<2>() -= angles.head<2>();
      if (from_horizontal) q[0] += pi / 2;
      const Fallen fallen = fallen_from(scene, q);
      const VectorX& u = fallen.impact.u();
      validation.text += fmt::format("    {} from the {:<10} {:11.4f} {:15.4f} {:11.4f}   {}\n",
                                     of_pins ? "pins" : "rods", from_horizontal ? "horizontal" : "vertical",
                                     fallen.state.time, -u[2], u.head<2>().norm(), fallen.slides ? "yes" : "no");
    }
  }
}

}  // namespace

void validate_pendulum(const ValidationOptions& options, Validation& validation) {
  const Scene scene = scene_of(options, "triple_pendulum");
  tell_conventions(scene, validation);
  Fallen fallen = fallen_from(scene, scene.initial.q);
  auto& entries = validation.entries;
  entries.push_back(
      from(Origin::printed, absolute_entry(source, "section 4(d)", "the sphere slides throughout (1: yes)", 1,
                                           fallen.slides ? 1 : 0, 0, "rods' angles from the horizontal")));
  entries.push_back(absolute_entry(source, "section 4(d)", "intervals", 2, fallen.plus.outcome.intervals, 0,
                                   "its slip does not turn: one of compression, one of expansion"));
  const Vec3 exact = sliding_impact(fallen.impact);
  entries.push_back(absolute_entry(source, "section 4(d)", "velocity after, PLUS, from its closed form (m/s)", 0,
                                   (fallen.plus.velocity - exact).norm(), 1e-11, "round-off"));
  const CompliantStruck compliant = strike(fallen.impact, options_of(fallen.impact, integrators[0], 1e-8));
  entries.push_back(absolute_entry(source, "section 4(d)", "the same of the compliant impact, relative", 0,
                                   (compliant.velocity - exact).norm() / fallen.impact.u().norm(), 1e-6,
                                   "100 steps of accuracy 1e-8"));
  tell_work(fallen.impact, exact, validation);
}

}  // namespace carom::uchida2015
