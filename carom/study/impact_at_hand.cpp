#include "carom/study/impact_at_hand.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "carom/contact/contact_finder.h"
#include "carom/counted.h"
#include "carom/dynamics/recursions.h"
#include "carom/error.h"
#include "carom/stepper/simulation.h"
#include "carom/stop_signal.h"

namespace carom {
namespace {

constexpr double still = 1e-9;  // of the largest speed: approach that counts as none, as of the event-driven stepper
constexpr double earliest_end = 1e-12, latest_end = 1e-6;  // how long before an impact the motion to it ends, s

double speed_of(const Scene& scene, const VectorX& v) {
  const double fastest = v.size() == 0 ? 0 : v.cwiseAbs().maxCoeff();
  return std::max(fastest, scene.method.step * scene.model->gravity().norm());
}

ImpactAtHand pose(const Scene& scene, const State& state) {
  const Model& model = *scene.model;
  ImpactAtHand hand;
  hand.model = scene.model;
  hand.method = scene.method;
  hand.time = state.time;
  hand.q = state.q;
  hand.v = state.v;
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, state.q, workspace);
  forward_velocity(model, state.q, state.v, workspace);
  ContactFinder finder(model);
  const double proximity = scene.method.proximity, least = still * speed_of(scene, state.v);
  hand.contacts = finder.find(model, state.q, workspace.X_WB, proximity, proximity);
  for (const Contact& contact : hand.contacts) {
    hand.strikes.push_back(gap_rate(contact, state.v, workspace) < -least ? 1 : 0);
  }
  return hand;
}

bool anything_strikes(const ImpactAtHand& hand) {
  return std::find(hand.strikes.begin(), hand.strikes.end(), 1) != hand.strikes.end();
}

/// The first impact of a step in which a contact approaches; the number of impacts if there is none.
std::size_t first_strike(const Scene& scene, const State& before, const StepReport& report) {
  const double least = still * speed_of(scene, before.v);
  const auto strikes = [&](const ImpactReport& impact) {
    for (std::size_t i = 0; i < impact.contacts; ++i) {
      if (report.struck[impact.first_contact + i].before.z() < -least) return true;
    }
    return false;
  };
  return static_cast<std::size_t>(std::find_if(report.impacts.begin(), report.impacts.end(), strikes) -
                                  report.impacts.begin());
}

/// The state just before impact `number` of the step that starts at `before`, at the time `impact`.
State state_before(const Scene& scene, const State& before, double impact, std::size_t number) {
  const double round_off = 4 * std::numeric_limits<double>::epsilon() * std::abs(impact);
  for (double ahead = std::max(earliest_end, round_off); ahead <= latest_end; ahead *= 10) {
    Method method = scene.method;
    method.step = impact - ahead - before.time;
    if (!(method.step > round_off)) return before;
    Simulation redo(scene.model, method, before);
    redo.set_controller(scene.controller());
    if (redo.step().impacts.size() <= number) return redo.state();
  }
  throw Error(fmt::format("{}: the impact at {:.9g} s was not found again from {:.9g} s; name another with --at",
                          scene.file, impact, before.time));
}

/// Watches how long a search takes, and whether the motion could be followed.
class Patience {
 public:
  explicit Patience(const ImpactMoment& moment) : seconds_(moment.patience), stop_(moment.stop) {}
  /// Gives a simulation the scene's controller, and lets it be stopped within its steps.
  void prepare(const Scene& scene, Simulation& simulation) const {
    simulation.set_controller(scene.controller());
    simulation.set_stop(stop_);
  }
  /// Throws Error that says how far it got.
  void look(const Scene& scene, const StepReport& report) {
    if (stop_ && stop_()) throw Stopped();
    if (report.status != SolveStatus::solved && unsolved_++ == 0) first_ = report.time;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
    if (taken.count() <= seconds_) return;
    std::string why;
    if (unsolved_ > 0) why = fmt::format(" ({} steps were not solved, the first at {:g} s)", unsolved_, first_);
    throw Error(
        fmt::format("{}: the search for an impact got to {:g} s in {:.0f} s of computing{}; give it more with "
                    "--patience, end it earlier with --until, or let the scene start nearer to the impact",
                    scene.file, report.time, taken.count(), why));
  }

 private:
  double seconds_, first_ = 0;
  int unsolved_ = 0;
  std::function<bool()> stop_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Moves the mechanism to a time and returns how many impacts it met.
std::int64_t follow(const Scene& scene, double until, State& state, Patience& patience) {
  std::int64_t impacts = 0;
  Simulation whole(scene.model, scene.method, state);
  patience.prepare(scene, whole);
  while (until - whole.state().time > scene.method.step * (1 + 1e-9)) {
    const StepReport& report = whole.step();
    impacts += static_cast<std::int64_t>(report.impacts.size());
    patience.look(scene, report);
  }
  state = whole.state();
  Method method = scene.method;
  method.step = until - state.time;
  if (!(method.step > 1e-9 * scene.method.step)) return impacts;
  Simulation rest(scene.model, method, state);
  patience.prepare(scene, rest);
  impacts += static_cast<std::int64_t>(rest.step().impacts.size());
  state = rest.state();
  return impacts;
}

std::string closed_ones(const ImpactAtHand& hand) {
  if (hand.contacts.empty()) return "no contact is closed";
  return counted(static_cast<std::int64_t>(hand.contacts.size()), "contact") +
         (hand.contacts.size() == 1 ? " is closed and does not approach" : " are closed and none approaches");
}

}  // namespace

Scene moving_scene(const SceneSource& source) {
  const LawKind own = source.scene().method.law;
  const LawKind law = go_together(StepperKind::event_driven, own) ? own : LawKind::plus;
  return scene_with(source, {StepperKind::event_driven, law});
}

ImpactMoment parse_impact_moment(const std::string& text, double until) {
  ImpactMoment moment;
  moment.until = until;
  if (text == "first") return moment;
  if (text == "start") {
    moment.kind = ImpactMoment::Kind::at_start;
    return moment;
  }
  char* end = nullptr;
  moment.after = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(moment.after) || moment.after < 0) {
    throw Error("--at " + text + ": write first, start, or a time in seconds, 0 or more");
  }
  if (moment.after > until) {
    throw Error(fmt::format("--at {}: the search ends at {:g} s; set --until to a later time", text, until));
  }
  return moment;
}

ImpactSearch find_impact(const Scene& scene, const ImpactMoment& moment) {
  ImpactSearch search;
  State state = scene.initial;
  const double start = state.time;
  std::int64_t impacts = 0;
  Patience patience(moment);
  if (moment.after > start) impacts = follow(scene, moment.after, state, patience);
  ImpactAtHand hand = pose(scene, state);
  const std::string closed = closed_ones(hand);
  const std::string here = moment.after > start ? fmt::format("at {:g} s", state.time) : std::string("at the start");
  if (anything_strikes(hand)) {
    hand.at_start = !(moment.after > start);
    hand.impacts = impacts;
    search.found = std::move(hand);
    return search;
  }
  if (moment.kind == ImpactMoment::Kind::at_start) {
    search.none.sentence = fmt::format(
        "there is no impact at the start: {}; the first one of the motion is found with --at first", closed);
    return search;
  }
  Simulation simulation(scene.model, scene.method, state);
  patience.prepare(scene, simulation);
  while (moment.until - simulation.state().time > 1e-9 * scene.method.step) {
    const State before = simulation.state();
    const StepReport& report = simulation.step();
    const std::size_t number = first_strike(scene, before, report);
    if (number < report.impacts.size()) {
      hand = pose(scene, state_before(scene, before, report.impacts[number].time, number));
      if (anything_strikes(hand)) {
        hand.at_start = false;
        hand.impacts = impacts + static_cast<std::int64_t>(number);
        search.found = std::move(hand);
        return search;
      }
    }
    impacts += static_cast<std::int64_t>(report.impacts.size());
    patience.look(scene, report);
  }
  search.none.sentence = fmt::format(
      "nothing strikes: {} {}, and until {:g} s the motion meets no impact; search longer with --until, or drop a "
      "model "
      "with --drop",
      here, closed, moment.until);
  return search;
}

}  // namespace carom
