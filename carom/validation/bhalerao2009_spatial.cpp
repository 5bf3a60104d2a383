// Paper DCA, figures 7 and 8: the double pendulum in space, dropped on a plane without friction, and sliding with it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/study/fitted_order.h"
#include "carom/validation/bhalerao2009_examples.h"

namespace carom::bhalerao2009 {
namespace {

/// Largest distance of the centre of mass from where it started, along x and y, until `end` s.
double drift(const PendulumRun& run, int axis, double start, double end) {
  double worst = 0;
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    if (run.times[i] < start || run.times[i] > end) continue;
    worst = std::max(worst, std::abs(run.center[i][axis] - run.center[0][axis]));
  }
  return worst;
}

/// Largest error of each body's angles against the reference.
struct AngleErrors {
  double A = 0, B = 0;
  std::vector<double> times, of_A, of_B;  ///< the largest of the three, over time
};
AngleErrors angle_errors(const PendulumRun& run, const PendulumSetup& setup) {
  Pendulum reference(setup);
  AngleErrors errors;
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    reference.advance(run.times[i]);
    const Vec3 &A = run.angles_A[i], &B = run.angles_B[i];
    errors.times.push_back(run.times[i]);
    errors.of_A.push_back((angles_123(reference.R_A(), A) - A).cwiseAbs().maxCoeff());
    errors.of_B.push_back((angles_123(reference.R_A().transpose() * reference.R_B(), B) - B).cwiseAbs().maxCoeff());
  }
  errors.A = *std::max_element(errors.of_A.begin(), errors.of_A.end());
  errors.B = *std::max_element(errors.of_B.begin(), errors.of_B.end());
  return errors;
}

Plot plot(std::string title, std::string unit, const std::vector<double>& times) {
  Plot made;
  made.title = std::move(title);
  made.unit = std::move(unit);
  made.times = times;
  return made;
}

void add_figure_8(const PendulumRun& run, const AngleErrors& errors, Validation& validation) {
  PlotSection section;
  section.title = "Figure 8";
  section.note = fmt::format("Step {} s; errors against the reference, the largest of three angles.", run.step);
  for (const bool of_A : {true, false}) {
    Plot angles = plot(of_A ? "angles of A" : "angles of B", "rad", run.times);
    for (int k = 0; k < 3; ++k) {
      std::vector<double>& values =
          angles.curves.emplace_back(fmt::format("angle {}", k + 1), std::vector<double>()).second;
      for (const Vec3& angle : of_A ? run.angles_A : run.angles_B) values.push_back(angle[k]);
    }
    section.plots.push_back(std::move(angles));
    Plot error = plot(of_A ? "error of A" : "error of B", "rad", errors.times);
    error.curves.emplace_back("error", of_A ? errors.of_A : errors.of_B);
    section.plots.push_back(std::move(error));
  }
  validation.figures.push_back(std::move(section));
}

}  // namespace

void validate_frictionless(const ValidationOptions& options, double finest, Validation& validation) {
  const std::vector<double> steps = steps_down_to(finest);
  const PendulumSetup setup = figure_7();
  Pendulum reference(setup);
  reference.advance(3);
  const double touch = reference.events().front().time;
  std::array<std::vector<double>, 2> drifts;
  std::vector<double> angles;
  double apart = 0, worst_touch = 0;
  PlotSection section;
  section.title = "Figure 7";
  section.note = "Drift of the centre of mass without friction.";
  std::array<Plot, 2> plots;
  validation.text += "  figure 7: largest drift of the centre of mass over 3 s, m\n";
  for (const double h : steps) {
    const PendulumRun run = pendulum_run(options, "frictionless", h);
    const int first = first_step(run.trajectory, [](const StepReport& step) {
      return std::any_of(step.contacts.begin(), step.contacts.end(),
                         [](const ContactReport& contact) { return contact.impulse[2] > 0; });
    });
    const AngleErrors errors = angle_errors(run, setup);
    angles.push_back(std::max(errors.A, errors.B));
    worst_touch = std::max(worst_touch, std::abs(first * h - touch) / h);
    for (const int axis : {0, 1}) {
      drifts[axis].push_back(drift(run, axis, 0, 3));
      apart = std::max(apart, drift(run, axis, 0, touch - h));
      if (plots[axis].times.empty()) plots[axis] = plot(axis == 0 ? "drift in x" : "drift in y", "m", run.times);
      std::vector<double>& values =
          plots[axis].curves.emplace_back(fmt::format("h = {}", h), std::vector<double>()).second;
      for (const double t : plots[axis].times) {
        values.push_back(run.center[static_cast<std::size_t>(std::lround(t / h))][axis] - run.center[0][axis]);
      }
    }
    validation.text += fmt::format("    h = {:<8} x {:.3e}   y {:.3e}\n", h, drifts[0].back(), drifts[1].back());
  }
  auto& entries = validation.entries;
  for (const int axis : {0, 1}) {
    entries.push_back(
        from(Origin::printed,
             absolute_entry(source, "figure 7", fmt::format("order in h of the drift in {}", axis == 0 ? 'x' : 'y'), 1,
                            fitted_order(steps, drifts[axis]), 0.15, "the paper: proportional to h")));
    section.plots.push_back(std::move(plots[axis]));
  }
  entries.push_back(
      from(Origin::integrator, absolute_entry(source, "figure 7", "order in h of the angles' error", 1,
                                              fitted_order(steps, angles), 0.15, "the paper: a first order scheme")));
  // The plane's push passes through P1 whatever the radius of the ball there, so nothing is extrapolated.
  const AngleErrors located = angle_errors(event_driven_run(options, "frictionless", small_radius), setup);
  entries.push_back(
      from(Origin::integrator, error_entry(source, "figure 7", "angles, event-driven beside the reference (rad)", 0,
                                           std::max(located.A, located.B), 1e-9, "independent")));
  entries.push_back(error_entry(source, "figure 7", "largest drift while apart (m)", 0, apart, 1e-12,
                                "one rigid body that falls; round-off"));
  entries.push_back(error_entry(source, "figure 7", "start of the step of touch, from the closed form, in steps", 0,
                                worst_touch, 2, "the flight's own error is h/2, a step h"));
  validation.figures.push_back(std::move(section));
}

void validate_sliding(const ValidationOptions& options, double finest, Validation& validation) {
  auto& entries = validation.entries;
  const PendulumSetup setup = figure_8();
  Pendulum reference(setup);
  reference.advance(3);
  entries.push_back(
      from(Origin::printed,
           absolute_entry(source, "figure 8", "changes of regime of the reference after its start", 0,
                          static_cast<double>(reference.events().size()) - 1, 0, "three seconds of pure sliding")));
  PendulumRun located = event_driven_run(options, "sliding", small_radius);
  const PendulumRun thicker = event_driven_run(options, "sliding", 2 * small_radius);
  for (std::size_t i = 0; i < located.times.size(); ++i) {
    located.angles_A[i] = 2 * located.angles_A[i] - thicker.angles_A[i];
    located.angles_B[i] = 2 * located.angles_B[i] - thicker.angles_B[i];
  }
  const AngleErrors second = angle_errors(located, setup);
  entries.push_back(from(Origin::integrator,
                         error_entry(source, "figure 8", "angles, event-driven beside the reference (rad)", 0,
                                     std::max(second.A, second.B), 1e-6,
                                     "independent; radii of 4e-5 and 8e-5 m extrapolated, whose squares are 1e-9")));
  // The exact cone: a polygon's friction points beside the slip however small the step.
  const std::vector<double> steps = steps_down_to(std::max(finest, 5e-4));
  std::vector<double> of_A, of_B;
  validation.text += "  figure 8: largest error of the angles over 3 s, rad\n";
  for (const double h : steps) {
    const AngleErrors errors = angle_errors(
        pendulum_run(options, "sliding", h, [](Method& method) { method.cone = FrictionCone::exact; }), setup);
    of_A.push_back(errors.A);
    of_B.push_back(errors.B);
    validation.text += fmt::format("    exact cone, h = {:<8} A {:.3e}   B {:.3e}\n", h, errors.A, errors.B);
  }
  entries.push_back(
      from(Origin::integrator, absolute_entry(source, "figure 8", "order in h of the angles' error, A", 1,
                                              fitted_order(steps, of_A), 0.15, "reference: equations of its own")));
  entries.push_back(from(Origin::integrator, absolute_entry(source, "figure 8", "order in h of the angles' error, B", 1,
                                                            fitted_order(steps, of_B), 0.15)));
  constexpr double h = 1e-3;
  for (const int directions : {4, 8, 16, 32, 64}) {
    const PendulumRun run =
        pendulum_run(options, "sliding", h, [&](Method& method) { method.directions = directions; });
    const AngleErrors errors = angle_errors(run, setup);
    validation.text +=
        fmt::format("    {} directions, h = {}  A {:.3e}   B {:.3e}\n", directions, h, errors.A, errors.B);
    if (directions == 8) add_figure_8(run, errors, validation);
  }
}

}  // namespace carom::bhalerao2009
