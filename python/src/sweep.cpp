#include "carom/study/sweep.h"

#include <tbb/task_arena.h>

#include <filesystem>

#include "aside.h"
#include "bindings.h"
#include "carom/study/sweep_page.h"
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

/// A result from the arrays of dict_of.
SweepResult result_of(const py::dict& told) {
  SweepResult result;
  result.varied = told["varied"].cast<std::vector<std::string>>();
  result.outputs = told["outputs"].cast<std::vector<std::string>>();
  result.columns = told["columns"].cast<std::vector<std::string>>();
  const auto numbers = told["numbers"].cast<Rows>();
  const auto number = told["case"].cast<std::vector<std::int64_t>>();
  const auto ok = told["ok"].cast<std::vector<bool>>();
  const auto status = told["status"].cast<std::vector<std::string>>();
  const auto reason = told["reason"].cast<std::vector<std::string>>();
  const auto method = told["method"].cast<std::vector<std::string>>();
  for (std::size_t i = 0; i < number.size(); ++i) {
    const double* row = numbers.row(static_cast<Eigen::Index>(i)).data();
    SweepCase& one = result.cases.emplace_back();
    one.number = number[i];
    if (!method[i].empty()) one.method = parse_method_choice(method[i]);
    one.values.assign(row, row + result.varied.size());
    result.rows.push_back({status[i], reason[i], ok[i], {row + result.varied.size(), row + numbers.cols()}});
  }
  result.count = std::ssize(result.rows);
  return result;
}

/// Faults of a study that was made here are told without lines of a text that nobody has seen.
SweepStudy made_study(const std::string& text, const std::string& file) {
  try {
    return parse_sweep_study(text, file);
  } catch (const SceneError& error) {
    throw Error(sentences(error));
  }
}

/// The study of a file, or of a text where there is one.
SweepStudy study_of(const std::string& file, const std::string& text) {
  return with_keywords([&] { return text.empty() ? load_sweep_study(file) : made_study(text, file); });
}

py::dict sweep_study(const std::string& file, const std::string& text, int threads, const std::string& journal,
                     const std::string& records, const py::object& progress) {
  const SweepResult result = aside(progress, [&](Watch& watch) {
    SweepOptions options;
    options.threads = threads;
    options.journal = journal;
    options.records = records;
    options.stop = watch.stop();
    watch.tell(std::filesystem::path(file).stem().string(), 0);
    options.progress = [&](double share) { watch.tell(share); };
    return with_keywords([&] { return sweep(study_of(file, text), options); });
  });
  return dict_of(result);
}

/// Work that python/carom/_cluster.py deals out to other processes.
class Work {
 public:
  Work(const std::string& file, const std::string& text, const std::string& records)
      : work_(study_of(file, text), records) {}

  std::int64_t count() const { return work_.cases().count(); }
  std::vector<std::string> keys(const std::vector<std::int64_t>& cases) const {
    std::vector<std::string> keys;
    for (const std::int64_t number : cases) keys.push_back(work_.key(number));
    return keys;
  }
  /// The journal's line of each case, which are done one after the other on one thread.
  std::vector<std::string> lines(const std::vector<std::int64_t>& cases) const {
    tbb::task_arena arena(1);
    std::vector<std::string> lines;
    arena.execute([&] {
      for (const std::int64_t number : cases)
        lines.push_back(SweepJournal::line(work_.key(number), work_.run(number, {})));
    });
    return lines;
  }
  py::dict gathered(const SweepJournal& journal, std::int64_t earlier) const {
    std::vector<std::string> all;
    for (std::int64_t number = 0; number < count(); ++number) all.push_back(work_.key(number));
    SweepResult result = work_.gathered(journal, all);
    result.earlier = earlier;
    return dict_of(result);
  }

 private:
  SweepWork work_;
};

std::unique_ptr<SweepJournal> journal_at(const std::string& path) {
  return std::make_unique<SweepJournal>(journal_files(path, path));
}

}  // namespace

void bind_sweep(py::module_& module) {
  module.def("_sweep", &sweep_study, py::arg("study"), py::arg("text"), py::arg("threads"), py::arg("journal"),
             py::arg("records"), py::arg("progress"));
  py::class_<SweepJournal>(module, "_SweepJournal")
      .def(py::init(&journal_at), py::arg("path"))
      .def(
          "has", [](const SweepJournal& journal, const std::string& key) { return journal.find(key) != nullptr; },
          py::arg("key"))
      .def("add_line", &SweepJournal::add_line, py::arg("line"))
      .def(
          "add_crashed",
          [](SweepJournal& journal, const std::string& key) {
            journal.add(key, {"crashed", "the program died in this case", false, {}});
          },
          py::arg("key"));
  py::class_<Work>(module, "_SweepWork")
      .def(py::init<const std::string&, const std::string&, const std::string&>(), py::arg("study"), py::arg("text"),
           py::arg("records"))
      .def_property_readonly("count", &Work::count)
      .def("keys", &Work::keys, py::arg("cases"))
      .def("lines", &Work::lines, py::arg("cases"), py::call_guard<py::gil_scoped_release>())
      .def("gathered", &Work::gathered, py::arg("journal"), py::arg("earlier"));
  module.def(
      "_write_sweep_hdf5",
      [](const py::dict& result, const std::string& path) { write_sweep_hdf5(result_of(result), path); },
      py::arg("result"), py::arg("path"));
  module.def(
      "_write_sweep_page",
      [](const std::string& study, const std::string& text, const py::dict& result, const std::string& page) {
        const SweepResult told = result_of(result);
        aside(py::none(), [&](Watch& watch) {
          return with_keywords([&] { write_sweep_page(study_of(study, text), told, page, watch.stop()); });
        });
      },
      py::arg("study"), py::arg("text"), py::arg("result"), py::arg("page"));
}

}  // namespace carom::python
