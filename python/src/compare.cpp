#include <filesystem>

#include "aside.h"
#include "bindings.h"
#include "carom/record/report.h"
#include "carom/study/comparison.h"
#include "carom/study/comparison_page.h"
#include "carom/study/comparison_text.h"
#include "carom/study/comparison_verdict.h"
#include "certificate.h"
#include "settings_of.h"
#include "study.h"

namespace carom::python {
namespace {

/// (samples, bodies, 3) m, world axes.
py::array_t<double> positions(const SampledRun& run) {
  const auto samples = static_cast<py::ssize_t>(run.bodies.size());
  const auto bodies = static_cast<py::ssize_t>(run.bodies.empty() ? 0 : run.bodies.front().size());
  py::array_t<double> array({samples, bodies, py::ssize_t{3}});
  double* to = array.mutable_data();
  for (const std::vector<BodyMotion>& sample : run.bodies) {
    for (const BodyMotion& body : sample) to = std::copy_n(body.position.data(), 3, to);
  }
  return array;
}

py::dict run_of(const Comparison& comparison, std::size_t i) {
  const RefinedRun& refined = comparison.runs[i];
  const SampledRun& run = refined.run;
  py::dict told;
  told["method"] = run_name(comparison, i);
  told["step"] = run.method.step;
  told["steps"] = run.certificate.steps;
  told["settled"] = refined.settled;
  told["error"] = array_of(refined.error);
  told["trouble"] = run.trouble;
  told["warnings"] = refined.warnings;
  told["times"] = array_of(run.times);
  told["position"] = positions(run);
  told["energy"] = array_of(run.energy);
  told["certificate"] = Certificate{run.certificate, run.method.cone == FrictionCone::exact};
  told["record"] = refined.record;
  return told;
}

/// (runs, runs, samples) m: how far two runs are apart at each sample; NaN where one of them has ended.
py::array_t<double> distances(const Comparison& comparison) {
  const std::size_t count = comparison.runs.size();
  std::size_t samples = 0;
  for (const RefinedRun& refined : comparison.runs) samples = std::max(samples, refined.run.times.size());
  py::array_t<double> array({count, count, samples});
  std::fill_n(array.mutable_data(), array.size(), std::numeric_limits<double>::quiet_NaN());
  const auto row = [&](std::size_t i, std::size_t j) { return array.mutable_data() + (i * count + j) * samples; };
  for (std::size_t i = 0; i < count; ++i) {
    std::fill_n(row(i, i), comparison.runs[i].run.times.size(), 0.0);
    for (std::size_t j = i + 1; j < count; ++j) {
      const RunDifference apart =
          run_difference(*comparison.scene.model, comparison.runs[i].run, comparison.runs[j].run);
      std::copy(apart.distance.begin(), apart.distance.end(), row(i, j));
      std::copy(apart.distance.begin(), apart.distance.end(), row(j, i));
    }
  }
  return array;
}

py::dict parting_of(const Comparison& comparison, const Parting& parting) {
  py::dict told;
  told["first"] = run_name(comparison, parting.first);
  told["second"] = run_name(comparison, parting.second);
  told["time"] = parting.time;
  told["largest"] = parting.largest;
  told["cause"] = parting.has_cause ? pair_name(*comparison.scene.model, parting.pair) : std::string();
  return told;
}

py::dict dict_of(const Comparison& comparison) {
  py::list runs, partings, groups;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) runs.append(run_of(comparison, i));
  for (const Parting& parting : comparison.partings) {
    if (parting.parted()) partings.append(parting_of(comparison, parting));
  }
  for (const std::vector<std::size_t>& group : comparison.groups) {
    py::list names;
    for (const std::size_t run : group) names.append(run_name(comparison, run));
    groups.append(names);
  }
  py::dict left_out, told;
  for (const LeftOut& left : comparison.left_out) left_out[py::str(left.choice.name())] = left.reason;
  told["scene"] = comparison.scene.name;
  told["duration"] = comparison.scene.duration;
  told["tolerance"] = comparison.tolerance;
  told["extent"] = comparison.extent;
  told["reference"] = run_name(comparison, comparison.reference);
  told["verdict"] = paragraphs(verdict_of(comparison).words);
  told["words"] = paragraphs(comparison_words(comparison));
  told["runs"] = runs;
  told["distance"] = distances(comparison);
  told["groups"] = groups;
  told["partings"] = partings;
  told["left_out"] = left_out;
  told["text"] = comparison_text(comparison);
  return told;
}

py::dict compare_scene(const SceneOrPath& scene, const py::dict& settings, const std::vector<std::string>& methods,
                       double tolerance, double budget, const std::string& records, const std::string& page,
                       const py::object& progress) {
  const SceneSettings asked = settings_of(settings);
  ComparisonOptions options;
  options.methods = method_choices(methods);
  options.tolerance = tolerance;
  options.budget = budget;
  options.records = records;
  const Comparison comparison = aside(progress, [&](Watch& watch) {
    options.stop = watch.stop();
    options.progress = [&](const std::string& what, double share) { watch.tell(what, share); };
    return with_keywords([&] {
      Comparison made = compare(study_source(scene, asked), options);
      if (has_player()) write_comparison_page(made, page);
      return made;
    });
  });
  return dict_of(comparison);
}

}  // namespace

void bind_compare(py::module_& module) {
  module.def("_compare", &compare_scene, py::arg("scene"), py::arg("settings"), py::arg("methods"),
             py::arg("tolerance"), py::arg("budget"), py::arg("records"), py::arg("page"), py::arg("progress"));
}

}  // namespace carom::python
