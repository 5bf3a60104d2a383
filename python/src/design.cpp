#include "carom/study/design.h"
#include "aside.h"
#include "bindings.h"
#include "carom/study/written_scene.h"
#include "study.h"

namespace carom::python {
namespace {

py::dict unknown_of(const DesignedUnknown& unknown) {
  py::dict told;
  told["name"] = unknown.name;
  told["path"] = unknown.path;
  told["before"] = unknown.before;
  told["after"] = unknown.after;
  told["lower"] = unknown.lower;
  told["upper"] = unknown.upper;
  told["at_bound"] = unknown.at_bound;
  told["share"] = unknown.share;
  return told;
}

py::dict condition_of(const DesignedCondition& condition) {
  py::dict told;
  told["told"] = condition.told;
  told["target"] = condition.target;
  told["before"] = condition.before;
  told["after"] = condition.after;
  told["miss"] = condition.miss;
  told["met"] = condition.met;
  return told;
}

py::dict moment_of(const DesignImpact& impact, const DesignVerdict& verdict) {
  py::dict told;
  told["gap"] = impact.gap;
  told["A"] = impact.A;
  told["u"] = impact.u;
  told["kinetic_energy"] = impact.kinetic_energy;
  told["words"] = verdict.sentence;
  told["outcomes"] = verdict.outcomes;
  told["indeterminacy"] = verdict.indeterminacy;
  return told;
}

template <class Item>
py::list listed(const std::vector<Item>& items, py::dict (*told)(const Item&)) {
  py::list list;
  for (const Item& item : items) list.append(told(item));
  return list;
}

py::dict design_of(const std::string& path, const py::object& progress) {
  const DesignResult result = aside(progress, [&](Watch& watch) {
    DesignOptions options;
    options.stop = watch.stop();
    options.progress = [&](const std::string& what) { watch.tell(what, 0); };
    return with_keywords([&] { return design(load_design_study(path), options); });
  });
  py::dict told;
  told["scene"] = result.study.scene;
  told["met"] = result.met;
  told["why"] = result.why;
  told["unknowns"] = listed(result.unknowns, unknown_of);
  told["conditions"] = listed(result.conditions, condition_of);
  told["before"] = moment_of(result.impact_before, result.verdict_before);
  told["after"] = moment_of(result.impact_after, result.verdict_after);
  told["change"] = result.change;
  told["stationarity"] = result.stationarity;
  told["overlaps"] = result.overlaps;
  told["scene_text"] = result.text_after;
  told["text"] = design_text(result);
  return told;
}

}  // namespace

void bind_design(py::module_& module) {
  module.def("_design", &design_of, py::arg("study"), py::arg("progress"));
  module.def(
      "_write_scene",
      [](const std::string& text, const std::string& path, const std::string& scene) {
        with_keywords([&] {
          check_scene_place("path", path, scene);
          write_scene_text("path", path, text);
        });
      },
      py::arg("text"), py::arg("path"), py::arg("scene"));
}

}  // namespace carom::python
