// Paper DCA, figures 9 and 10: the double pendulum in a plane, which touches, slides, sticks and slips, and which
// bounces.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/study/fitted_order.h"
#include "carom/validation/bhalerao2009_examples.h"

namespace carom::bhalerao2009 {
namespace {

/// A change of regime of a run: the start of the first step in the new one.
struct Change {
  double time = 0;
  TopMotion after = TopMotion::flight;
};

/// Motion of P1 in each step, told by the impulses and the mode of its contact.
TopMotion motion_of(const StepReport& step) {
  for (const ContactReport& contact : step.contacts) {
    if (!(contact.impulse[2] > 0)) continue;
    return contact.mode == ContactMode::rolling ? TopMotion::stick : TopMotion::slide;
  }
  return TopMotion::flight;
}

/// An impact takes the step that closes the gap and the next one, which removes the rest of the approach. The motion of
/// P1 in these steps is that of the impact, not the one after it.
std::vector<Change> changes_of(const PendulumRun& run) {
  std::vector<Change> changes;
  TopMotion last = TopMotion::flight;
  const auto& reports = run.trajectory.reports;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    TopMotion motion = motion_of(reports[i]);
    if (motion == last) continue;
    const double time = run.times[i];
    if (last == TopMotion::flight && i + 2 < reports.size()) motion = motion_of(reports[i += 2]);
    changes.push_back({time, motion});
    last = motion;
  }
  return changes;
}

std::string words(const std::vector<Change>& changes) {
  std::string text;
  for (const Change& change : changes) {
    text += fmt::format("{}{} {:.5f}", text.empty() ? "" : ", ", top_motion_name(change.after), change.time);
  }
  return text;
}

struct Bounce {
  double time = 0;
  double approach = 0;  ///< m/s
};

std::vector<Bounce> bounces_of(const std::vector<Pendulum::Event>& events) {
  std::vector<Bounce> bounces;
  for (const Pendulum::Event& event : events) {
    if (event.approach > 0) bounces.push_back({event.time, event.approach});
  }
  return bounces;
}

/// Bounces of a run in steps: the starts of those that give an impulse after one that gives none.
std::vector<Bounce> bounces_of(const PendulumRun& run) {
  std::vector<Bounce> bounces;
  bool touched = false;
  for (std::size_t i = 0; i < run.trajectory.reports.size(); ++i) {
    const bool touches = motion_of(run.trajectory.reports[i]) != TopMotion::flight;
    if (touches && !touched) bounces.push_back({run.times[i], -run.top_velocity[i].z()});
    touched = touches;
  }
  return bounces;
}

/// Impacts of a run whose impacts are instants.
std::vector<Bounce> impacts_of(const PendulumRun& run) {
  std::vector<Bounce> bounces;
  for (const StepReport& step : run.trajectory.reports) {
    for (const ImpactReport& impact : step.impacts) {
      bounces.push_back({impact.time, -step.struck[impact.first_contact].before[2]});
    }
  }
  return bounces;
}

/// Largest distance in time of the first so many bounces.
double latest(const std::vector<Bounce>& bounces, const std::vector<Bounce>& exact, std::size_t count) {
  if (bounces.size() < count || exact.size() < count) return INFINITY;
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i) worst = std::max(worst, std::abs(bounces[i].time - exact[i].time));
  return worst;
}

/// Largest distance of the regimes' times, if the same regimes follow one another.
double apart(const std::vector<Change>& changes, const std::vector<Pendulum::Event>& events) {
  double worst = changes.size() == events.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < std::min(changes.size(), events.size()); ++i) {
    if (changes[i].after != events[i].after) return INFINITY;
    worst = std::max(worst, std::abs(changes[i].time - events[i].time));
  }
  return worst;
}

std::vector<double> components(const std::vector<Vec3>& from, int axis) {
  std::vector<double> values;
  for (const Vec3& vector : from) values.push_back(vector[axis]);
  return values;
}

PlotSection curves(std::string title, std::string note, const PendulumRun& run, bool velocities) {
  PlotSection section;
  section.title = std::move(title);
  section.note = std::move(note);
  for (const int axis : {0, 2}) {
    Plot& plot = section.plots.emplace_back();
    plot.title = fmt::format("{} of P1 along {}", velocities ? "velocity" : "position", axis == 0 ? 'x' : 'z');
    plot.unit = velocities ? "m/s" : "m";
    plot.times = run.times;
    plot.curves.emplace_back("P1", components(velocities ? run.top_velocity : run.top, axis));
  }
  return section;
}

/// The first bounce of a run in steps: how many steps give an impulse, and the speeds before and after them.
struct FirstBounce {
  int steps = 0;
  double ratio = 0;
};
FirstBounce first_bounce(const PendulumRun& run) {
  const auto& reports = run.trajectory.reports;
  std::size_t first = 0;
  while (first < reports.size() && motion_of(reports[first]) == TopMotion::flight) ++first;
  std::size_t last = first;
  while (last < reports.size() && motion_of(reports[last]) != TopMotion::flight) ++last;
  return {static_cast<int>(last - first), -run.top_velocity[last].z() / run.top_velocity[first].z()};
}

/// Figure 10 in steps, with impacts located inside them or by the paper's memory of one step.
void tell_steps(const ValidationOptions& options, const std::vector<Bounce>& exact, Rebound rebound, double finest,
                Validation& validation) {
  const std::vector<double> steps = steps_down_to(finest);
  const bool memory = rebound == Rebound::next_step;
  const char* name = memory ? "by (16)" : "located";
  auto& entries = validation.entries;
  std::vector<double> errors;
  validation.text += fmt::format("  figure 10, {}: bounces seen; times of the first (exact:", name);
  for (std::size_t i = 0; i < 5; ++i) validation.text += fmt::format(" {:.5f}", exact[i].time);
  validation.text += ")\n";
  for (const double h : steps) {
    const PendulumRun run = pendulum_run(
        options, "bouncing", h, [&](Method& method) { method.rebound = rebound; }, memory ? 0 : small_radius);
    const std::vector<Bounce> found = memory ? bounces_of(run) : impacts_of(run);
    errors.push_back(latest(found, exact, 4));
    const FirstBounce first = first_bounce(run);
    validation.text += fmt::format("    h = {:<8} {:3d} ", h, found.size());
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 5); ++i)
      validation.text += fmt::format(" {:.5f}", found[i].time);
    validation.text += fmt::format("   steps of the first {}, ratio {:.5f}\n", first.steps, first.ratio);
    if (h != steps.back()) continue;
    validation.figures.push_back(curves(fmt::format("Figure 10, {}", name), fmt::format("Step {} s.", h), run, true));
    entries.push_back(
        from(Origin::printed,
             absolute_entry(source, "figure 10", fmt::format("steps that the first bounce takes, {}", name),
                            memory ? 2 : 1, first.steps, 0, memory ? "one stops P1, the next throws it back" : "")));
    entries.push_back(
        from(Origin::printed,
             absolute_entry(source, "figure 10", fmt::format("speed after the first bounce over that before, {}", name),
                            0.7, first.ratio, 4 * h,
                            fmt::format("h = {}: gravity changes speeds by 3.1 h of theirs in a step", h))));
  }
  entries.push_back(absolute_entry(
      source, "figure 10", fmt::format("step sizes that see four bounces, {}", name), static_cast<double>(steps.size()),
      static_cast<double>(std::count_if(errors.begin(), errors.end(), [](double e) { return std::isfinite(e); })), 0));
  if (!memory) {
    entries.push_back(
        from(Origin::integrator,
             absolute_entry(source, "figure 10", fmt::format("order in h of the times of four bounces, {}", name), 1,
                            fitted_order(steps, errors), 0.1)));
    return;
  }
  // A time seen to a step has no smooth order.
  double worst = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) worst = std::max(worst, errors[i] / steps[i]);
  entries.push_back(
      from(Origin::integrator, error_entry(source, "figure 10", fmt::format("times of four bounces, {} (steps)", name),
                                           0, worst, 3, "every bounce starts within a step and takes one more")));
}

}  // namespace

void validate_planar(const ValidationOptions& options, double finest, Validation& validation) {
  auto& entries = validation.entries;
  Pendulum reference(figure_9());
  reference.advance(3);
  const std::vector<Pendulum::Event>& events = reference.events();
  constexpr std::array regimes{TopMotion::slide, TopMotion::stick, TopMotion::slide, TopMotion::stick};
  const bool as_printed =
      std::equal(events.begin(), events.end(), regimes.begin(), regimes.end(),
                 [](const Pendulum::Event& event, TopMotion after) { return event.after == after; });
  entries.push_back(from(
      Origin::printed, absolute_entry(source, "figure 9", "touch, slide, stick, slip, stick in the reference (1: yes)",
                                      1, as_printed ? 1 : 0, 0, "in three seconds, with friction 0.2")));
  const std::vector<double> steps = steps_down_to(finest);
  std::vector<double> errors;
  std::string text;
  for (const Pendulum::Event& event : events)
    text += fmt::format(" {} {:.5f}", top_motion_name(event.after), event.time);
  validation.text += "  figure 9: starts of regimes, s\n    reference:" + text + "\n";
  for (const double h : steps) {
    const PendulumRun run = pendulum_run(options, "planar", h);
    const std::vector<Change> changes = changes_of(run);
    errors.push_back(apart(changes, events));
    validation.text += fmt::format("    h = {:<8} {}\n", h, words(changes));
    if (h == steps.back()) validation.figures.push_back(curves("Figure 9", fmt::format("Step {} s.", h), run, false));
  }
  entries.push_back(from(
      Origin::integrator,
      absolute_entry(
          source, "figure 9", "step sizes with the regimes of the reference in their order",
          static_cast<double>(steps.size()),
          static_cast<double>(std::count_if(errors.begin(), errors.end(), [](double e) { return std::isfinite(e); })),
          0)));
  entries.push_back(
      from(Origin::integrator, absolute_entry(source, "figure 9", "order in h of the times of regimes", 1,
                                              fitted_order(steps, errors), 0.25, "the largest error of the four")));
  // The paper's terms are explicit, as the scene has them; Carom's implicit ones must come to the same motion.
  const PendulumRun implicit = pendulum_run(options, "planar", steps.back(),
                                            [](Method& method) { method.gyroscopic = GyroscopicTerms::implicit; });
  entries.push_back(
      from(Origin::integrator,
           error_entry(source, "figure 9", "times of regimes, implicit gyroscopic terms (s)", errors.back(),
                       apart(changes_of(implicit), events), 2 * errors.back(), "beside explicit ones")));
}

void validate_bouncing(const ValidationOptions& options, double finest, Validation& validation) {
  auto& entries = validation.entries;
  Pendulum reference(figure_10());
  reference.advance(2);
  const std::vector<Bounce> exact = bounces_of(reference.events());
  constexpr std::size_t compared = 12;
  std::vector<Bounce> impacts = impacts_of(event_driven_run(options, "bouncing", small_radius));
  const std::vector<Bounce> thicker = impacts_of(event_driven_run(options, "bouncing", 2 * small_radius));
  impacts.resize(std::min(impacts.size(), thicker.size()));
  for (std::size_t i = 0; i < impacts.size(); ++i) impacts[i].time = 2 * impacts[i].time - thicker[i].time;
  entries.push_back(
      from(Origin::integrator,
           error_entry(source, "figure 10", fmt::format("times of {} bounces, event-driven (s)", compared), 0,
                       latest(impacts, exact, compared), 1e-9,
                       "beside the reference; radii of 4e-5 and 8e-5 m extrapolated, whose squares are 1e-9")));
  tell_steps(options, exact, Rebound::located, finest, validation);
  tell_steps(options, exact, Rebound::next_step, finest, validation);
}

}  // namespace carom::bhalerao2009
