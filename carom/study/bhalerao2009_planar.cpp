// Paper DCA, figures 9 and 10: the double pendulum in a plane, which touches, slides, sticks and slips, and which
// bounces.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/study/bhalerao2009_examples.h"
#include "carom/study/fitted_order.h"

namespace carom::bhalerao2009 {
namespace {

/// A change of regime of a run: the start of the first step in the new one.
struct Change {
  double time = 0;
  TopMotion after = TopMotion::flight;
};

/// What P1 did in each step, told by the impulses and the mode of its contact.
TopMotion motion_of(const StepReport& step) {
  for (const ContactReport& contact : step.contacts) {
    if (!(contact.impulse[2] > 0)) continue;
    return contact.mode == ContactMode::rolling ? TopMotion::stick : TopMotion::slide;
  }
  return TopMotion::flight;
}

std::vector<Change> changes_of(const PendulumRun& run) {
  std::vector<Change> changes;
  TopMotion last = TopMotion::flight;
  for (std::size_t i = 0; i < run.trajectory.reports.size(); ++i) {
    const TopMotion motion = motion_of(run.trajectory.reports[i]);
    if (motion != last) changes.push_back({run.times[i], motion});
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

/// Of a run in steps: the starts of those that give an impulse after one that gives none.
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

/// Largest distance in time of the first so many bounces.
double latest(const std::vector<Bounce>& bounces, const std::vector<Bounce>& exact, std::size_t count) {
  if (bounces.size() < count || exact.size() < count) return INFINITY;
  double worst = 0;
  for (std::size_t i = 0; i < count; ++i) worst = std::max(worst, std::abs(bounces[i].time - exact[i].time));
  return worst;
}

/// Normal speed of the reference right after a blow over that right before it.
double speed_ratio(const PendulumSetup& setup, double time) {
  Pendulum before(setup), after(setup);
  constexpr double moment = 1e-12;
  before.advance(time - moment);
  after.advance(time + moment);
  return -after.top_velocity().z() / before.top_velocity().z();
}

/// Whether the same regimes follow one another; then the largest distance of their times.
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

}  // namespace

void validate_planar(const ValidationOptions& options, Validation& validation) {
  auto& entries = validation.entries;
  Pendulum reference(figure_9());
  reference.advance(3);
  const std::vector<Pendulum::Event>& events = reference.events();
  constexpr std::array regimes{TopMotion::slide, TopMotion::stick, TopMotion::slide, TopMotion::stick};
  const bool as_printed =
      std::equal(events.begin(), events.end(), regimes.begin(), regimes.end(),
                 [](const Pendulum::Event& event, TopMotion after) { return event.after == after; });
  entries.push_back(absolute_entry(source, "figure 9", "touch, slide, stick, slip, stick in the reference (1: yes)", 1,
                                   as_printed ? 1 : 0, 0, "in three seconds, with friction 0.2"));
  constexpr std::array<double, 5> steps{4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4};
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
  entries.push_back(absolute_entry(
      source, "figure 9", "step sizes with the regimes of the reference in their order",
      static_cast<double>(steps.size()),
      static_cast<double>(std::count_if(errors.begin(), errors.end(), [](double e) { return std::isfinite(e); })), 0));
  entries.push_back(absolute_entry(source, "figure 9", "order in h of the times of regimes", 1,
                                   fitted_order({steps.begin(), steps.end()}, errors), 0.25,
                                   "the largest error of the four"));
}

void validate_bouncing(const ValidationOptions& options, Validation& validation) {
  auto& entries = validation.entries;
  Pendulum reference(figure_10());
  reference.advance(2);
  const std::vector<Bounce> exact = bounces_of(reference.events());
  constexpr std::size_t compared = 12;
  const PendulumRun located = pendulum_run(options, "bouncing", 0.01, [](Method& method) {
    method.stepper = StepperKind::event_driven;
    method.cone = FrictionCone::exact;
  });
  std::vector<Bounce> blows;
  for (const StepReport& step : located.trajectory.reports) {
    for (const BlowReport& blow : step.blows) {
      blows.push_back({blow.time, -step.struck[blow.first_contact].before[2]});
    }
  }
  entries.push_back(error_entry(source, "figure 10", fmt::format("times of {} bounces, event-driven (s)", compared), 0,
                                latest(blows, exact, compared), 1e-9, "beside the reference; tolerance 1e-10 a step"));
  entries.push_back(absolute_entry(source, "figure 10", "speed after the first bounce over that before, reference", 0.7,
                                   speed_ratio(figure_10(), exact.front().time), 1e-9));
  constexpr std::array<double, 4> steps{2e-3, 1e-3, 5e-4, 2.5e-4};
  std::vector<double> errors;
  for (const double h : steps) {
    const PendulumRun run = pendulum_run(options, "bouncing", h);
    const std::vector<Bounce> found = bounces_of(run);
    errors.push_back(latest(found, exact, 4));
    validation.text += fmt::format("    h = {:<8} bounces {}\n", h, found.size());
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 14); ++i) {
      validation.text += fmt::format("      {:.5f} ({:.5f})  {:.4f} ({:.4f})\n", found[i].time, exact[i].time,
                                     found[i].approach, exact[i].approach);
    }
    if (h == steps.back()) validation.figures.push_back(curves("Figure 10", fmt::format("Step {} s.", h), run, true));
  }
  entries.push_back(absolute_entry(source, "figure 10", "order in h of the times of four bounces", 1,
                                   fitted_order({steps.begin(), steps.end()}, errors), 0.25));
}

}  // namespace carom::bhalerao2009
