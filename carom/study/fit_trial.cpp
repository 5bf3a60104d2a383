#include "carom/study/fit_trial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "carom/error.h"
#include "carom/record/live_columns.h"
#include "carom/record/output_formulas.h"
#include "carom/scene/expression.h"
#include "carom/scene/outputs.h"
#include "carom/stepper/finite_step.h"
#include "carom/stepper/simulation.h"
#include "carom/stop_signal.h"

namespace carom {
namespace {

constexpr double round_off = 1e-9;  // s, within which an instant is the end of a step

[[noreturn]] void refuse(const FitStudy& study, Place place, const std::string& message) {
  if (study.file.empty()) throw Error(message);  // asked for by options
  throw SceneError({{study.file, place.line, place.column, message}});
}

/// Takes the numbers of a run at instants between the ends of steps, in proportion.
class Sampler {
 public:
  Sampler(const std::vector<double>& times, const LiveColumns& live, const std::vector<std::string>& names, double step)
      : times_(times), live_(live), step_(step), now_(names.size()), before_(names.size()) {
    for (const std::string& name : names) places_.push_back(live.place(name));
    run_.values.assign(names.size(), {});
    run_.first_impact = std::numeric_limits<double>::infinity();
  }

  /// At the end of a step. Numbers of steps that no instant is at or beside are not asked for: they cost as much as a
  /// small step does.
  void take(double time) {
    const bool ends_here = next_ < times_.size() && times_[next_] <= time + round_off;
    if (ends_here || begins_before_an_instant(time)) {
      for (std::size_t c = 0; c < places_.size(); ++c) now_[c] = live_.number_at(places_[c]);
    }
    if (!begun_) before_ = now_;
    for (; next_ < times_.size() && times_[next_] <= time + round_off; ++next_) {
      const bool is_end = times_[next_] >= time - round_off;
      const double part = is_end ? 1 : std::clamp((times_[next_] - time_) / (time - time_), 0.0, 1.0);
      for (std::size_t c = 0; c < now_.size(); ++c) {
        run_.values[c].push_back(is_end ? now_[c] : before_[c] + part * (now_[c] - before_[c]));
      }
    }
    begun_ = true;
    time_ = time;
    before_ = now_;
  }
  void see(const StepReport& report, double start) {
    for (const Event& event : report.events) {
      const bool strikes = event.kind == EventKind::touch || event.kind == EventKind::impact;
      if (strikes) run_.first_impact = std::min(run_.first_impact, event.time - start);
    }
  }
  bool done() const { return next_ == times_.size(); }
  FitRun& run() { return run_; }

 private:
  /// True if the next step has an instant within it, not at its end.
  bool begins_before_an_instant(double time) const {
    for (std::size_t i = next_; i < times_.size(); ++i) {
      if (times_[i] <= time + round_off) continue;
      return times_[i] < time + step_ - 0.5 * round_off;  // so that round-off decides for the safe side
    }
    return false;
  }

  const std::vector<double>& times_;
  const LiveColumns& live_;
  double step_;
  std::vector<std::size_t> places_;  ///< of the columns among the numbers
  std::vector<double> now_, before_;
  FitRun run_;
  std::size_t next_ = 0;
  double time_ = 0;
  bool begun_ = false;
};

/// Numbers of a scene that say how it is computed, not what moves.
bool is_setting_of_the_run(const std::string& path) {
  constexpr std::array<const char*, 8> settings{"duration",          "method/step",
                                                "method/tolerance",  "method/nonlinear_tolerance",
                                                "method/directions", "method/nonlinear_iterations",
                                                "method/proximity",  "method/lzb/accuracy"};
  return path.starts_with("record/") ||
         std::any_of(settings.begin(), settings.end(), [&](const char* setting) { return path == setting; });
}

/// The name of a column's output in the scene: any sign that formulas do not take becomes _.
std::string output_name(const FitColumn& column, std::size_t number) {
  std::string name = "measured_" + std::to_string(number) + "_" + column.name;
  for (char& c : name) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!fits) c = '_';
  }
  return name;
}

std::vector<std::string> experiment_names(const FitData& data) {
  std::vector<std::string> names;
  for (const MeasuredMotion& motion : data.motions) names.push_back(motion.name);
  return names;
}

}  // namespace

FitTrial::FitTrial(const FitStudy& study, const FitData& data, const std::optional<MethodChoice>& method,
                   const std::function<bool()>& stop)
    : study_(study),
      data_(data),
      method_(method),
      stop_(stop),
      plain_(study.scene_text.empty() ? read_scene_text(study.scene) : study.scene_text, study.scene) {
  check_experiments();
  for (std::size_t k = 0; k < study.unknowns.size(); ++k) {
    const int copies = study.unknowns[k].per_experiment ? static_cast<int>(data.motions.size()) : 1;
    for (int e = 0; e < copies; ++e) {
      coordinates_.push_back({static_cast<int>(k), study.unknowns[k].per_experiment ? e : -1});
    }
  }
  start_.resize(std::ssize(coordinates_));
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    start_[static_cast<Eigen::Index>(k)] = start_of(study.unknowns[static_cast<std::size_t>(coordinates_[k].unknown)]);
  }
  check_columns();
  check_bounds();
}

void FitTrial::check_experiments() const {
  const std::vector<std::string> names = experiment_names(data_);
  for (const auto& [name, settings] : study_.experiments) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const bool unnamed = names.size() == 1 && names.front().empty();
    refuse(study_, study_.experiments_place,
           data_.file + " has no experiment " + in_quotes(name) +
               (unnamed ? ": it has no column experiment, so all of it is one"
                        : suggestion(name, names, "its experiments are")));
  }
  if (study_.folds > static_cast<int>(names.size())) {
    refuse(study_, {},
           "folds: each of the " + std::to_string(study_.folds) + " folds holds out an experiment or more, but " +
               data_.file + " has " + std::to_string(names.size()));
  }
  constexpr std::size_t fewest = 5;  // of fewer, resamples are alike and their interval says nothing
  if (study_.bootstrap > 0 && study_.resampled == Resampled::experiments && names.size() < fewest) {
    refuse(study_, {},
           "resample: a bootstrap over experiments needs 5 or more, but " + data_.file + " has " +
               std::to_string(names.size()) + "; take resample: residuals");
  }
}

/// A unit is that of degrees, and the column's must be, too.
void FitTrial::check_degrees(std::size_t column, const Scene& scene) const {
  if (data_.degrees.empty() || data_.degrees[data_columns_[column]].line == 0) return;
  const FitColumn& asked = study_.columns[column];
  const DegreeCell& cell = data_.degrees[data_columns_[column]];
  const LiveColumns live(scene);
  const std::string unit = live.has(asked.formula) ? live.unit(asked.formula) : "";
  const std::string right = cell.text.ends_with("/s") ? "rad/s" : "rad";
  if (unit.empty() || unit == right) return;  // of formulas no unit is known
  throw Error(data_.file + ":" + std::to_string(cell.line) + ": " + in_quotes(cell.text) + " in column " +
              in_quotes(asked.name) + " is in " + right + ", but the study says that this is " + asked.formula +
              ", in " + unit);
}

/// Refuses instants that no run would reach, as times of a calendar.
void FitTrial::check_instants(const Scene& scene) const {
  constexpr double most_steps = 1e8;
  for (const MeasuredMotion& motion : data_.motions) {
    const double steps = motion.times.back() / scene.method.step;
    if (!(steps > most_steps)) continue;
    throw Error(data_.file + ": the last instant" +
                (motion.name.empty() ? "" : " of experiment " + in_quotes(motion.name)) + ", " +
                number_text(motion.times.back()) + " s, is " + number_text(steps) +
                " steps away; times count from the scene's start, in s");
  }
}

/// Refuses bounds at which the scene is refused: a search would end there by chance.
void FitTrial::check_bounds() const {
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const FitUnknown& unknown = study_.unknowns[static_cast<std::size_t>(coordinates_[k].unknown)];
    if (coordinates_[k].experiment > 0) continue;  // those of one unknown have the same bounds
    for (const double side : {0.0, 1.0}) {
      Eigen::VectorXd u = start_;
      u[static_cast<Eigen::Index>(k)] = side;
      try {
        const SceneSource source = source_of(*scene_, settings(0, u));
        static_cast<void>(method_ ? scene_with(source, *method_) : source.scene());
      } catch (const Error& error) {
        const auto* faults = dynamic_cast<const SceneError*>(&error);
        refuse(study_, unknown.place,
               "unknown " + in_quotes(unknown.name) + ": the scene is refused at its " +
                   (side > 0 ? "upper" : "lower") + " bound, " + number_text(side > 0 ? unknown.upper : unknown.lower) +
                   ": " + (faults != nullptr ? faults->diagnostics().front().message : error.what()));
      }
    }
  }
}

double FitTrial::start_of(const FitUnknown& unknown) const {
  if (is_setting_of_the_run(unknown.path)) {
    refuse(study_, unknown.place,
           "unknown " + in_quotes(unknown.name) + ": " + unknown.path +
               " says how the scene is computed, and nothing that could be measured; carom converge tells what a step "
               "does");
  }
  try {
    static_cast<void>(plain_.with({{unknown.path, unknown.lower}}));
  } catch (const Error& error) {
    refuse(study_, unknown.place, "unknown " + in_quotes(unknown.name) + ": " + error.what());
  }
  try {
    const double number = plain_.number(unknown.path);
    const auto part = [&](double x) { return unknown.log ? std::log(x) : x; };
    if (unknown.log && !(number > 0)) return 0.5;
    const double u = (part(number) - part(unknown.lower)) / (part(unknown.upper) - part(unknown.lower));
    return u >= 0 && u <= 1 ? u : 0.5;
  } catch (const Error&) {  // a formula, or a key that the scene leaves out
    return 0.5;
  }
}

void FitTrial::check_columns() {
  std::vector<std::pair<std::string, std::string>> outputs;
  for (std::size_t c = 0; c < study_.columns.size(); ++c) {
    const FitColumn& column = study_.columns[c];
    const auto found = std::find(data_.columns.begin(), data_.columns.end(), column.name);
    if (found == data_.columns.end()) {
      const auto aside = std::find_if(data_.left_aside.begin(), data_.left_aside.end(),
                                      [&](const auto& each) { return each.first == column.name; });
      refuse(study_, column.place,
             data_.file + " has no column " + in_quotes(column.name) +
                 (aside != data_.left_aside.end() ? ": it " + aside->second
                                                  : suggestion(column.name, data_.columns, "its columns are")));
    }
    const std::string name = output_name(column, c);
    SceneSource source{
        with_outputs(plain_.with(settings(0, start_)), study_.scene, {{name, column.formula}}), study_.scene, {}};
    const Scene scene = method_ ? scene_with(source, *method_) : source.scene();
    std::vector<std::string> names;
    try {
      names = OutputFormulas(scene).names();
    } catch (const SceneError& error) {
      std::string what = error.diagnostics().front().message;
      const std::string prefix = "output '" + name + "': ";
      if (what.starts_with(prefix)) what.erase(0, prefix.size());
      refuse(study_, column.place, "column " + in_quotes(column.name) + ": " + what);
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      refuse(study_, column.place,
             "column " + in_quotes(column.name) + ": " + column.formula +
                 " is a vector; name one of its components, as in " + column.formula + ".x");
    }
    outputs.emplace_back(name, column.formula);
    outputs_.push_back(name);
    data_columns_.push_back(static_cast<std::size_t>(found - data_.columns.begin()));
    check_degrees(c, scene);
    if (c == 0) check_instants(scene);
  }
  scene_.emplace(with_outputs(plain_.text(), study_.scene, outputs), study_.scene);
}

double FitTrial::value(int coordinate, double u) const {
  const FitUnknown& unknown =
      study_.unknowns[static_cast<std::size_t>(coordinates_[static_cast<std::size_t>(coordinate)].unknown)];
  if (u <= 0) return unknown.lower;
  if (u >= 1) return unknown.upper;
  if (unknown.log) return unknown.lower * std::pow(unknown.upper / unknown.lower, u);
  return unknown.lower + u * (unknown.upper - unknown.lower);
}

std::vector<std::pair<std::string, double>> FitTrial::settings(int experiment, const Eigen::VectorXd& u) const {
  std::vector<std::pair<std::string, double>> all;
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const FitCoordinate& at = coordinates_[k];
    if (at.experiment >= 0 && at.experiment != experiment) continue;
    all.emplace_back(study_.unknowns[static_cast<std::size_t>(at.unknown)].path,
                     value(static_cast<int>(k), u[static_cast<Eigen::Index>(k)]));
  }
  const auto own = study_.experiments.find(data_.motions[static_cast<std::size_t>(experiment)].name);
  if (own != study_.experiments.end()) all.insert(all.end(), own->second.begin(), own->second.end());
  return all;
}

FitRun FitTrial::run(int experiment, const Eigen::VectorXd& u) const {
  ++runs_;
  SceneSource source = source_of(*scene_, settings(experiment, u));
  source.overrides.contact_tolerance = strict_contact_tolerance;  // misfits differ by less than a looser one leaves
  const Scene scene = method_ ? scene_with(source, *method_) : source.scene();
  const MeasuredMotion& motion = data_.motions[static_cast<std::size_t>(experiment)];
  Simulation simulation(scene.model, scene.method, scene.initial);
  simulation.set_controller(scene.controller());
  if (stop_) simulation.set_stop(stop_);
  LiveColumns live(scene);
  Sampler sampler(motion.times, live, outputs_, scene.method.step);
  const double start = simulation.state().time;
  sampler.take(0);
  while (!sampler.done()) {
    if (stop_ && stop_()) throw Stopped();
    const StepReport& report = simulation.step();
    if (!is_finite(simulation.state(), report)) throw Error("a number of the state is no longer finite");
    live.add(simulation.state(), report);
    sampler.see(report, start);
    sampler.take(simulation.state().time - start);
  }
  for (std::size_t c = 0; c < outputs_.size(); ++c) {
    const std::vector<double>& measured = motion.values[data_columns_[c]];
    for (std::size_t i = 0; i < measured.size(); ++i) {
      if (std::isnan(measured[i]) || std::isfinite(sampler.run().values[c][i])) continue;
      throw Error("column " + in_quotes(study_.columns[c].name) + ": " + study_.columns[c].formula +
                  " has no value at an instant that was measured");
    }
  }
  return std::move(sampler.run());
}

std::optional<FitRun> FitTrial::try_run(int experiment, const Eigen::VectorXd& u) const {
  try {
    return run(experiment, u);
  } catch (const Error&) {
    return {};
  }
}

std::string FitTrial::text(int experiment, const Eigen::VectorXd& u) const {
  return plain_.with(settings(experiment, u));
}

}  // namespace carom
