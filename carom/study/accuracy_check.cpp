#include "carom/study/accuracy_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>

#include "carom/dynamics/body_motion.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/error.h"
#include "carom/stepper/finite_step.h"
#include "carom/stepper/simulation.h"
#include "carom/stop_signal.h"
#include "carom/study/run_difference.h"

namespace carom {
namespace {

constexpr double work_of_a_check = 1e6;  // microseconds, about
constexpr std::size_t most_judged_instants = 2000;
constexpr double near = 1e-9;        // distance of the starts that show chaos
constexpr double looser = 10;        // tolerance of the second run of a method with error control
constexpr double loosest = 0.01;     // tolerance of a second run that still shows something
constexpr double least_part = 1e-4;  // of the size of a body: motion below it is no motion

using Motions = std::vector<std::vector<BodyMotion>>;  ///< by instant and body

/// Frames of the record that runs are compared at, the first and the last among them.
std::vector<std::size_t> instants_of(const Record& record) {
  const std::size_t last = record.frames.size() - 1, stride = last / most_judged_instants + 1;
  std::vector<std::size_t> instants;
  for (std::size_t i = 0; i < last; i += stride) instants.push_back(i);
  instants.push_back(last);
  return instants;
}

/// A run that begins at a recorded frame with `parts` steps in place of one. If the method has an accuracy, it is
/// divided likewise. (One of the two alone could lead to the same parts.)
class Again {
 public:
  Again(const Record& record, std::size_t frame, const Method& method, int parts, const AccuracyCheck& how,
        const State* start = nullptr)
      : parts_(parts), simulation_(record.scene.model, divided(method, parts), start_of(record, frame, parts, start)) {
    simulation_.set_controller(record.scene.controller());
    simulation_.set_stop(how.stop);
    stop_ = how.stop;
  }

  /// Goes on to where the record has the frame. Throws Error if a step leaves no numbers.
  const State& until(const Frame& frame) {
    while (simulation_.state().step < frame.state.step * parts_) {
      if (stop_ && stop_()) throw Stopped();
      const StepReport& report = simulation_.step();
      if (!is_finite(simulation_.state(), report)) throw Error("it ended in numbers that are not finite");
    }
    return simulation_.state();
  }

 private:
  static Method divided(Method method, int parts) {
    method.step /= parts;
    method.accuracy /= parts;
    return method;
  }
  static State start_of(const Record& record, std::size_t frame, int parts, const State* start) {
    State state = start != nullptr ? *start : record.frames[frame].state;
    state.step *= parts;
    return state;
  }

  int parts_;
  Simulation simulation_;
  std::function<bool()> stop_;
};

Motions recorded_motions(const Record& record, const std::vector<std::size_t>& instants) {
  Motions motions;
  for (const std::size_t i : instants) motions.push_back(body_motions(*record.scene.model, record.frames[i].state));
  return motions;
}

Motions motions_again(const Record& record, const std::vector<std::size_t>& instants, const Method& method, int parts,
                      const AccuracyCheck& how, const State* start = nullptr) {
  Again again(record, 0, method, parts, how, start);
  Motions motions;
  for (const std::size_t i : instants) {
    motions.push_back(body_motions(*record.scene.model, again.until(record.frames[i])));
  }
  return motions;
}

/// Distances of two runs: at each instant, and of which body.
struct Distances {
  std::vector<double> at;
  std::vector<std::size_t> body;
};

Distances distances(const Model& model, const Motions& first, const Motions& second) {
  Distances told;
  for (std::size_t k = 0; k < first.size(); ++k) {
    double most = 0;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < model.bodies().size(); ++i) {
      const double distance = body_distance(model.bodies()[i], first[k][i], second[k][i]);
      if (!(distance > most)) continue;
      most = distance;
      worst = i;
    }
    told.at.push_back(most);
    told.body.push_back(worst);
  }
  return told;
}

/// Largest distance of a body from where it started.
double extent_of(const Model& model, const Motions& motions) {
  double extent = 0;
  for (const auto& bodies : motions) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      extent = std::max(extent, body_distance(model.bodies()[i], motions.front()[i], bodies[i]));
    }
  }
  return extent;
}

/// The estimate at each instant from the changes up to it.
std::vector<double> estimates(const std::vector<double>& first, const std::vector<double>* second) {
  const std::vector<double> c1 = running_largest(first);
  std::vector<double> c2;
  if (second != nullptr) c2 = running_largest(*second);
  std::vector<double> errors;
  for (std::size_t k = 0; k < c1.size(); ++k) {
    const double ratio = second == nullptr || c1[k] == 0 ? 0.5 : std::clamp(c2[k] / c1[k], 0.25, 0.9);
    // Changes that do not shrink at all are at least seen.
    errors.push_back(std::max(c1[k], second == nullptr ? 0 : c2[k]) / (1 - ratio));
  }
  return running_largest(errors);
}

/// Tells if starts 1e-9 apart end further apart than is enough, and when they do.
void look_for_chaos(const Record& record, const std::vector<std::size_t>& instants, const Motions& motions,
                    const AccuracyCheck& how, Accuracy& accuracy) {
  const Model& model = *record.scene.model;
  State beside = record.frames.front().state;
  VectorX direction(model.velocity_count());  // no symmetry of a mechanism is likely to keep it
  for (Eigen::Index i = 0; i < direction.size(); ++i) direction[i] = std::cos(1.0 + 2.0 * static_cast<double>(i));
  beside.v += near * direction;
  if (std::ranges::none_of(model.constraints(), [](const Constraint& c) { return restricts_motion(c.kind); }))
    integrate(model, record.frames.front().state.q, direction, near, beside.q);
  try {
    const Distances apart =
        distances(model, motions, motions_again(record, instants, record.scene.method, 1, how, &beside));
    for (std::size_t k = 0; k < instants.size() && !accuracy.chaotic; ++k) {
      if (apart.at[k] <= accuracy.enough) continue;
      accuracy.chaotic = true;
      accuracy.part_until = record.frames[instants[k]].state.time;
    }
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception&) {
    // A start beside the first that can't be run shows nothing.
  }
}

Accuracy check_whole(const Record& record, bool third_run, const AccuracyCheck& how) {
  const Scene& scene = record.scene;
  const Model& model = *scene.model;
  const std::vector<std::size_t> instants = instants_of(record);
  const Motions motions = recorded_motions(record, instants);
  Accuracy accuracy;
  std::vector<double> errors;
  Distances change;
  double extent = extent_of(model, motions);
  if (is_integrated(scene.method)) {
    Method loose = scene.method;
    loose.tolerance = looser * loose.tolerance;
    if (loose.tolerance > loosest) loose.tolerance = scene.method.tolerance / looser;
    // Another tolerance alone would change nothing where the step limits the integration's own steps.
    constexpr int parts = 2;
    change = distances(model, motions, motions_again(record, instants, loose, parts, how));
    errors = running_largest(change.at);
    accuracy.way = fmt::format("the whole run again at half the step and a tolerance of {:.3g}", loose.tolerance);
  } else {
    const Motions half = motions_again(record, instants, scene.method, 2, how);
    change = distances(model, motions, half);
    extent = std::min(extent, extent_of(model, half));
    std::optional<Distances> next;
    if (third_run) next = distances(model, half, motions_again(record, instants, scene.method, 4, how));
    errors = estimates(change.at, next ? &next->at : nullptr);
    accuracy.way = fmt::format("the whole run again at {} the {}", third_run ? "a half and a quarter of" : "half",
                               scene.method.accuracy > 0 ? "step and accuracy" : "step");
    // An impact's error depends on its place in the step, and shorter steps may begin at the same place.
    if (is_second_order(scene.method) && !record.events.empty()) {
      accuracy.way += ", which may meet an impact at the same place of a step and then not see its error";
    }
  }
  accuracy.known = true;
  accuracy.steps_checked = record.frames.back().state.step - record.frames.front().state.step;
  accuracy.extent = extent;
  accuracy.enough = std::max(Accuracy::tolerable_part * extent, least_part * largest_gyration(model));
  accuracy.largest = errors.back();
  // At the end alone the change may be small by chance; no smaller part of the estimate is believed than a tenth.
  accuracy.at_end = errors.back() * std::clamp(change.at.back() / std::max(largest(change.at), 1e-300), 0.1, 1.0);
  const std::size_t worst =
      static_cast<std::size_t>(std::max_element(change.at.begin(), change.at.end()) - change.at.begin());
  if (accuracy.largest > 0 && !model.bodies().empty()) {
    accuracy.worst = model.bodies()[change.body[worst]].name;
    accuracy.worst_time = record.frames[instants[worst]].state.time;
  }
  const auto known =
      std::partition_point(errors.begin(), errors.end(), [&](double error) { return error <= accuracy.enough; });
  const std::size_t until = known == errors.begin() ? 0 : static_cast<std::size_t>(known - errors.begin()) - 1;
  accuracy.known_until = record.frames[instants[until]].state.time;
  if (known != errors.end()) look_for_chaos(record, instants, motions, how, accuracy);
  return accuracy;
}

/// Every so many of them, so that there are at most `most`.
std::vector<std::size_t> thin_out(const std::vector<std::size_t>& all, std::size_t most) {
  std::vector<std::size_t> kept;
  if (all.empty() || most == 0) return kept;
  const std::size_t count = std::min(most, all.size());
  for (std::size_t i = 0; i < count; ++i) kept.push_back(all[(2 * i + 1) * all.size() / (2 * count)]);
  return kept;
}

/// Windows from a frame to the next, and how many each of them represents.
struct Sample {
  std::size_t frame;
  double weight;
};

std::vector<Sample> choose_windows(const Record& record, std::size_t asked) {
  const std::size_t intervals = record.frames.size() - 1;
  std::vector<bool> eventful(intervals, false);
  for (const Event& event : record.events) {
    const auto after = std::lower_bound(record.frames.begin(), record.frames.end(), event.step,
                                        [](const Frame& frame, std::int64_t step) { return frame.state.step < step; });
    const auto place = after - record.frames.begin();
    if (place >= 1 && place <= static_cast<std::ptrdiff_t>(intervals))
      eventful[static_cast<std::size_t>(place - 1)] = true;
  }
  std::vector<std::size_t> quiet, busy;
  for (std::size_t i = 0; i < intervals; ++i) (eventful[i] ? busy : quiet).push_back(i);
  const std::size_t count = asked > 0 ? asked : std::max<std::size_t>(2, intervals / 80);
  std::vector<Sample> samples;
  const auto add = [&](const std::vector<std::size_t>& all, std::size_t most) {
    const std::vector<std::size_t> kept = thin_out(all, most);
    for (const std::size_t frame : kept) {
      samples.push_back({frame, static_cast<double>(all.size()) / static_cast<double>(kept.size())});
    }
  };
  const std::size_t of_busy = std::min(busy.size(), (count + 1) / 2);
  add(busy, of_busy);
  add(quiet, count - of_busy);
  return samples;
}

Accuracy check_windows(const Record& record, std::size_t asked, const AccuracyCheck& how) {
  Accuracy accuracy;
  const Model& model = *record.scene.model;
  double error = 0, way = 0;
  for (const Sample& sample : choose_windows(record, asked)) {
    const Frame &from = record.frames[sample.frame], &to = record.frames[sample.frame + 1];
    const auto first = body_motions(model, from.state), last = body_motions(model, to.state);
    Again again(record, sample.frame, record.scene.method, 2, how);
    const auto other = body_motions(model, again.until(to));
    const double seconds = to.state.time - from.state.time;
    double apart = 0, moved = 0;
    for (std::size_t i = 0; i < model.bodies().size(); ++i) {
      const Body& body = model.bodies()[i];
      apart = std::max(apart, body_distance(body, last[i], other[i]));
      moved = std::max(moved, body_distance(body, first[i], last[i]));
    }
    error += sample.weight * apart;
    way += sample.weight * std::max(moved, least_part * seconds * largest_gyration(model));
    accuracy.steps_checked += to.state.step - from.state.step;
  }
  accuracy.windows_error = way > 0 ? error / way : 0;
  accuracy.way =
      fmt::format("windows again at half the {}", record.scene.method.accuracy > 0 ? "step and accuracy" : "step");
  return accuracy;
}

Accuracy unchecked(std::string reason) {
  Accuracy accuracy;
  accuracy.reason = std::move(reason);
  return accuracy;
}

}  // namespace

double counted_work(const Record& record) {
  const double coordinates = static_cast<double>(record.scene.model->velocity_count());
  const bool integrated = is_integrated(record.scene.method);
  const RunCertificate& certificate = record.certificate;
  const double trials =
      static_cast<double>(certificate.trials) / static_cast<double>(std::max<std::int64_t>(1, certificate.steps));
  double work = 0;
  for (std::size_t i = 1; i < record.frames.size(); ++i) {
    const Frame& frame = record.frames[i];
    const double steps = static_cast<double>(frame.state.step - record.frames[i - 1].state.step);
    const double contacts = static_cast<double>(frame.constraints), rows = static_cast<double>(frame.lcp_size);
    const double one = 20 + 2.5 * coordinates + 10 * contacts + 0.035 * rows * rows + 0.0007 * rows * rows * rows;
    work += trials * steps * one *
            (integrated ? 3.0 * static_cast<double>(std::max<std::int64_t>(1, frame.iterations)) : 1.0);
  }
  return work;
}

Accuracy check_accuracy(const Record& record, const AccuracyCheck& how) {
  using Extent = AccuracyCheck::Extent;
  if (how.extent == Extent::off) return unchecked("it was not asked for");
  if (record.end != "done") return unchecked("the run did not come to its end");
  if (record.frames.size() < 2) return unchecked("no step was taken");
  if (record.scene.model->bodies().empty()) return unchecked("there is no body");
  const double work = counted_work(record);
  const bool integrated = is_integrated(record.scene.method);
  const double of_whole = integrated ? 1 : 2;
  const bool whole =
      how.extent == Extent::whole || (how.extent == Extent::automatic && of_whole * work <= work_of_a_check);
  try {
    if (whole) return check_whole(record, !integrated && 6 * work <= work_of_a_check, how);
    if (integrated) {
      return unchecked(
          "a second run is more work than is spent unasked, and a method with error control has no windows; "
          "--check-step "
          "on checks it");
    }
    Accuracy accuracy = check_windows(record, static_cast<std::size_t>(std::max(0, how.windows)), how);
    accuracy.reason = how.extent == Extent::windows
                          ? "only windows were asked for"
                          : "a second run is more work than is spent unasked; --check-step on checks it";
    return accuracy;
  } catch (const Stopped&) {
    return unchecked("the check was interrupted");
  } catch (const std::exception& failure) {
    return unchecked(std::string("the run in another accuracy failed: ") + failure.what());
  }
}

}  // namespace carom
