#include "carom/study/sweep.h"

#include <filesystem>

#include "aside.h"
#include "bindings.h"
#include "carom/study/sweep_table.h"
#include "sentences.h"
#include "study.h"

namespace carom::python {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// (cases, columns) what is varied, then the row's numbers.
Rows numbers_of(const SweepResult& result) {
  Rows rows(static_cast<Eigen::Index>(result.rows.size()),
            static_cast<Eigen::Index>(result.varied.size() + result.columns.size()));
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    double* row = rows.row(static_cast<Eigen::Index>(i)).data();
    row = std::copy(result.cases[i].values.begin(), result.cases[i].values.end(), row);
    std::copy(result.rows[i].numbers.begin(), result.rows[i].numbers.end(), row);
  }
  return rows;
}

py::dict dict_of(const SweepResult& result) {
  py::dict told;
  py::list status, reason, method;
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    status.append(result.rows[i].status);
    reason.append(result.rows[i].reason);
    method.append(result.cases[i].method ? result.cases[i].method->name() : std::string());
  }
  told["varied"] = result.varied;
  told["outputs"] = result.outputs;
  told["columns"] = result.columns;
  told["numbers"] = numbers_of(result);
  told["case"] = column(result.cases, [](const SweepCase& each) { return each.number; });
  told["ok"] = column(result.rows, [](const SweepRow& row) { return row.ok; });
  told["status"] = status;
  told["reason"] = reason;
  told["method"] = method;
  told["earlier"] = result.earlier;
  told["csv"] = sweep_csv(result);
  told["text"] = sweep_text(result, {});
  return told;
}

/// Faults of a study that was made here are told without lines of a text that nobody has seen.
SweepStudy made_study(const std::string& text, const std::string& file) {
  try {
    return parse_sweep_study(text, file);
  } catch (const SceneError& error) {
    throw Error(sentences(error));
  }
}

py::dict sweep_study(const std::string& study, const std::string& text, int threads, const std::string& journal,
                     const std::string& records, const py::object& progress) {
  const SweepResult result = aside(progress, [&](Watch& watch) {
    SweepOptions options;
    options.threads = threads;
    options.journal = journal;
    options.records = records;
    options.stop = watch.stop();
    watch.tell(std::filesystem::path(study).stem().string(), 0);
    options.progress = [&](double share) { watch.tell(share); };
    return with_keywords(
        [&] { return sweep(text.empty() ? load_sweep_study(study) : made_study(text, study), options); });
  });
  return dict_of(result);
}

}  // namespace

void bind_sweep(py::module_& module) {
  module.def("_sweep", &sweep_study, py::arg("study"), py::arg("text"), py::arg("threads"), py::arg("journal"),
             py::arg("records"), py::arg("progress"));
}

}  // namespace carom::python
