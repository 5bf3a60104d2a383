#include "carom/study/fit.h"

#include "aside.h"
#include "bindings.h"
#include "carom/record/report.h"
#include "carom/study/fit_words.h"
#include "carom/study/written_scene.h"
#include "sentences.h"
#include "study.h"

namespace carom::python {
namespace {

using Columns = std::vector<std::pair<std::string, std::vector<double>>>;

/// The study as it is asked for.
struct FitQuestion {
  std::string study;                    ///< path of a file that says it all; else of the scene
  std::string text;                     ///< what the file would say; empty: it is there
  std::string data;                     ///< path in place of the study's own; empty: none
  Columns columns;                      ///< data in memory; none: in a file
  std::vector<std::string> experiment;  ///< of each entry of them; none: all are one
};

FitStudy study_of(const FitQuestion& question) {
  FitStudy study;
  try {
    study = question.text.empty() ? load_fit_study(question.study) : parse_fit_study(question.text, question.study);
  } catch (const SceneError& error) {
    if (question.text.empty()) throw;
    throw Error(sentences(error));  // of a text that nobody has seen
  }
  if (!question.text.empty()) study.file.clear();
  if (!question.data.empty()) study.data = question.data;
  return study;
}

py::dict number_of(const FittedNumber& number) {
  py::dict told;
  std::vector<double> values, rises;
  for (const auto& [value, rise] : number.profile) {
    values.push_back(value);
    rises.push_back(rise);
  }
  told["name"] = number.name;
  told["experiment"] = number.experiment;
  told["path"] = number.path;
  told["value"] = number.value;
  told["interval"] = py::make_tuple(number.low, number.high);
  told["open_low"] = number.open_low;
  told["open_high"] = number.open_high;
  told["source"] = source_name(number.source);
  told["deviation"] = number.deviation;
  told["bootstrap"] = py::make_tuple(number.bootstrap_low, number.bootstrap_high);
  told["bounds"] = py::make_tuple(number.lower, number.upper);
  told["profile_values"] = array_of(values);
  told["profile_rises"] = array_of(rises);
  return told;
}

py::dict column_of(const FittedColumn& column) {
  py::dict told;
  told["name"] = column.name;
  told["formula"] = column.formula;
  told["noise"] = column.noise;
  told["estimated"] = column.estimated;
  told["count"] = column.count;
  told["misfit"] = column.misfit;
  return told;
}

py::dict bias_of(const FitBias& bias) {
  py::dict told;
  told["column"] = bias.column;
  told["phase"] = bias.phase;
  told["count"] = bias.count;
  told["mean"] = bias.mean;
  told["error"] = bias.error;
  told["significant"] = bias.significant();
  return told;
}

py::dict method_of(const RankedMethod& method) {
  py::dict told;
  told["method"] = method.name;
  told["misfit"] = method.misfit;
  told["held_out"] = method.held_out;
  told["difference"] = py::make_tuple(method.low, method.high);
  told["left_out"] = method.left_out;
  return told;
}

py::dict motion_of(const FitResult& result, const FittedMotion& motion) {
  py::dict told, measured, fitted;
  for (std::size_t c = 0; c < result.columns.size(); ++c) {
    measured[py::str(result.columns[c].name)] = array_of(motion.measured[c]);
    fitted[py::str(result.columns[c].name)] = array_of(motion.fitted[c]);
  }
  told["name"] = motion.name;
  told["time"] = array_of(motion.times);
  told["measured"] = measured;
  told["fitted"] = fitted;
  told["first_impact"] = motion.first_impact;
  return told;
}

template <class Item, class Told>
py::list listed(const std::vector<Item>& items, Told&& told) {
  py::list list;
  for (const Item& item : items) list.append(told(item));
  return list;
}

py::dict dict_of(const FitResult& result) {
  py::dict told;
  told["scene"] = result.study.scene;
  told["data"] = result.study.data;
  told["method"] = result.method;
  told["numbers"] = listed(result.numbers, number_of);
  told["names"] = listed(result.numbers, full_name);
  told["columns"] = listed(result.columns, column_of);
  told["motions"] = listed(result.motions, [&](const FittedMotion& motion) { return motion_of(result, motion); });
  told["correlations"] = result.correlations;
  told["directions"] = listed(result.directions, [](const FittedDirection& direction) {
    py::dict parts;
    for (const auto& [name, share] : direction.parts) parts[py::str(name)] = share;
    return parts;
  });
  told["biases"] = listed(result.biases, bias_of);
  told["ranking"] = listed(result.ranking, method_of);
  told["smooth"] = result.smooth;
  told["way"] = way_of(result);
  told["starts"] = result.starts;
  told["agreeing"] = result.agreeing;
  told["cut"] = result.cut;
  told["measurements"] = result.measurements;
  told["misfit"] = result.misfit;
  told["rise_at_95"] = result.rise;
  told["serial_correlation"] = result.serial;
  told["runs"] = result.runs;
  told["sentences"] = result.sentences;
  told["words"] = paragraphs(conclusions(result));
  told["scene_text"] = result.text;
  told["text"] = fit_text(result);
  return told;
}

py::dict fit_of(const std::string& study, const std::string& text, const std::string& data, const Columns& columns,
                const std::vector<std::string>& experiment, int threads, const std::string& page,
                const py::object& progress) {
  const FitQuestion question{study, text, data, columns, experiment};
  const FitResult result = aside(progress, [&](Watch& watch) {
    return with_keywords([&] {
      const FitStudy asked = study_of(question);
      FitOptions options;
      options.threads = threads;
      options.stop = watch.stop();
      options.progress = [&](const std::string& what, double share) { watch.tell(what, share); };
      const FitData measured = question.columns.empty()
                                   ? read_fit_data(asked.data)
                                   : fit_data_of(question.columns, question.experiment, asked.data);
      FitResult made = fit(asked, measured, options);
      if (has_player()) write_fit_page(made, page);
      return made;
    });
  });
  return dict_of(result);
}

}  // namespace

void bind_fit(py::module_& module) {
  module.def("_fit", &fit_of, py::arg("study"), py::arg("text"), py::arg("data"), py::arg("columns"),
             py::arg("experiment"), py::arg("threads"), py::arg("page"), py::arg("progress"));
}

}  // namespace carom::python
