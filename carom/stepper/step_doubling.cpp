#include "carom/stepper/step_doubling.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/complementarity/worse_of.h"
#include "carom/stepper/report_parts.h"

namespace carom {
namespace {

constexpr int most_halvings = 14, most_halvings_unsolved = 4, most_halvings_alike = 4, most_halvings_at_once = 4;
constexpr std::int64_t units = std::int64_t{1} << most_halvings;  // of a step

/// The speed, m/s, of a fall through a hundredth of the largest radius of gyration.
double slow_fall(const Model& model) { return std::sqrt(2 * model.gravity().norm() * 0.01 * largest_gyration(model)); }

bool is_solved(const StepReport& report) { return report.status == SolveStatus::solved; }

/// Halvings of a part, at least one, that should bring an error `excess` times its bound down to it if errors fall with
/// the length to the power `order`.
int halvings_for(double excess, int order) {
  if (!std::isfinite(excess)) return most_halvings_at_once;
  return std::clamp(static_cast<int>(std::ceil(std::log2(excess) / order)), 1, most_halvings_at_once);
}

/// An error over its bound; infinite where there are no numbers.
double over(double error, double bound) {
  if (error == 0) return 0;
  return std::isfinite(error) && bound > 0 ? error / bound : std::numeric_limits<double>::infinity();
}

}  // namespace

StepDoubling::StepDoubling(const Model& model, std::unique_ptr<Stepper> stepper, double accuracy, int order)
    : stepper_(std::move(stepper)),
      accuracy_(accuracy),
      order_(order),
      least_speed_(slow_fall(model)),
      workspace_(model) {}

StepReport& StepDoubling::advance(const Model& model, State& state, double length, const StepRequest& request) {
  const double start = state.time, end = time_after(state, length);
  const std::int64_t number = state.step + 1;
  clear(report_, number, end);
  report_.parts = report_.trials = 0;
  body_motions(model, state.q, state.v, workspace_, start_);
  double speed = std::max(least_speed_, fastest(model, start_));
  bool has_whole = false, knows_speed = false;
  double allowance = 0;  // what is left for errors of events, m
  Excess before;         // of the trial that was too long at the same place
  std::int64_t span = units;
  for (std::int64_t done = 0; done < units;) {
    const double h = length * std::ldexp(static_cast<double>(span), -most_halvings);
    if (!has_whole) take(model, state, h, request, whole_);
    take(model, state, h / 2, request, first_);
    take(model, first_.end, h / 2, request, second_);
    if (!knows_speed) {
      speed = std::max(speed, std::min(fastest(model, whole_.motions), fastest(model, second_.motions)));
      allowance = accuracy_ * speed * length;
      knows_speed = true;
    }
    const Excess now = excess(model, h, accuracy_ * speed, allowance);
    const bool kinked = is_eventful() || !now.falls_from(before, span);
    double over = kinked ? std::min(now.smooth, now.of_event) : now.smooth;
    const bool unsolved = !is_solved(first_.report) || !is_solved(second_.report);
    if (unsolved && span > (units >> most_halvings_unsolved)) over = std::max(over, 2.0);
    if (span > (units >> most_halvings_alike) && agrees_by_itself(model, speed * h)) over = std::max(over, 2.0);
    if (!(over <= 1) && span > 1) {
      before = now;
      before.span = span;
      const int halvings = halvings_for(over, kinked ? 1 : order_);
      has_whole = halvings == 1;
      if (has_whole) std::swap(whole_, first_);
      span = std::max<std::int64_t>(1, span >> halvings);
      continue;
    }
    if (now.smooth > 1) allowance = std::max(0.0, allowance - now.distance);
    has_whole = false;
    before = {};
    keep(first_, request);
    keep(second_, request);
    done += span;
    report_.shortest_part = report_.parts == 2 ? h / 2 : std::min(report_.shortest_part, h / 2);
    std::swap(state, second_.end);
    std::swap(start_, second_.motions);
    state.step = number - 1;
    state.time = start + length * std::ldexp(static_cast<double>(done), -most_halvings);
    if (over <= 0.4 / order_ && done < units && done % (2 * span) == 0) span *= 2;
  }
  state.time = end;
  state.step = number;
  return report_;
}

/// Takes one step of the other stepper from a state, which stays.
void StepDoubling::take(const Model& model, const State& from, double length, const StepRequest& request,
                        Trial& trial) {
  trial.end = from;
  trial.evidence.clear();
  StepRequest part = request;
  if (request.evidence != nullptr) part.evidence = &trial.evidence;
  trial.report = stepper_->advance(model, trial.end, length, part);
  trial.end.step = from.step;  // parts are not counted
  body_motions(model, trial.end.q, trial.end.v, workspace_, trial.motions);
  ++report_.trials;
}

/// True if no bit of the whole differs from the halves though bodies moved by a millionth of `way` (m) or more.
bool StepDoubling::agrees_by_itself(const Model& model, double way) const {
  if (whole_.end.q != second_.end.q) return false;
  for (std::size_t i = 0; i < start_.size(); ++i) {
    if (body_distance(model.bodies()[i], start_[i], second_.motions[i]) > 1e-6 * way) return true;
  }
  return false;
}

/// Speed of the fastest body, m/s.
double StepDoubling::fastest(const Model& model, const std::vector<BodyMotion>& motions) const {
  double speed = 0;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    speed = std::max(speed, body_speed(model.bodies()[i], motions[i]));
  }
  return speed;
}

/// Errors of the part of this `length`, s, that was tried, over those that it may have. Allowed are the `rate` of
/// errors, m/s, and the `allowance` for events, m.
StepDoubling::Excess StepDoubling::excess(const Model& model, double length, double rate, double allowance) const {
  double distance = 0;
  for (std::size_t i = 0; i < whole_.motions.size(); ++i) {
    distance = worse_of(distance, body_distance(model.bodies()[i], whole_.motions[i], second_.motions[i]));
  }
  const double left = distance / ((1 << order_) - 1);
  return {.distance = distance, .smooth = over(left, rate * length), .of_event = over(distance, allowance / 2)};
}

/// True if a contact began, ended, struck, slipped or stuck in the part that was tried.
bool StepDoubling::is_eventful() const {
  return !whole_.report.events.empty() || !first_.report.events.empty() || !second_.report.events.empty();
}

/// True if the error falls with the length from that of a longer part, as errors of smooth motion do.
bool StepDoubling::Excess::falls_from(const Excess& longer, std::int64_t now) const {
  if (longer.span == 0) return true;
  return smooth <= longer.smooth * std::sqrt(static_cast<double>(now) / static_cast<double>(longer.span));
}

/// Adds a half of a part that is short enough to the report of the step.
void StepDoubling::keep(const Trial& trial, const StepRequest& request) {
  add_part(trial.report, report_);
  add_impacts(trial.report, report_);
  report_.parts += 1;
  if (request.evidence != nullptr) {
    request.evidence->insert(request.evidence->end(), trial.evidence.begin(), trial.evidence.end());
  }
}

}  // namespace carom
