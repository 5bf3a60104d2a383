#include "carom/study/sweep_work.h"

#include <filesystem>
#include <limits>
#include <set>

#include "carom/error.h"
#include "carom/record/output_formulas.h"

namespace carom {
namespace {

/// A table with two columns of one name would be read wrongly.
void check_names(const std::vector<std::string>& varied, const std::vector<std::string>& columns) {
  std::set<std::string> names{"case", "method", "status", "ok", "reason"};
  for (const std::vector<std::string>& some : {varied, columns}) {
    for (const std::string& name : some) {
      if (names.insert(name).second) continue;
      throw Error("the table has a column '" + name + "' already; give what is varied, or the output, another name");
    }
  }
}

}  // namespace

SweepWork::SweepWork(SweepStudy study, std::string records)
    : study_(std::move(study)),
      records_(std::move(records)),
      cases_(study_, read_scene_text(study_.scene)),
      outputs_(OutputFormulas(cases_.first_sound_scene()).names()) {
  check_names(cases_.names(), sweep_columns(outputs_));
}

SweepRow SweepWork::run_into(std::int64_t number, const std::string& path, const std::function<bool()>& stop) const {
  return run_case(cases_, cases_.at(number), study_, outputs_, path, stop);
}

SweepRow SweepWork::run(std::int64_t number, const std::function<bool()>& stop) const {
  namespace fs = std::filesystem;
  if (study_.keep != KeptRecords::none) fs::create_directories(records_);
  const std::string record = (fs::path(records_) / ("case-" + std::to_string(number) + ".h5")).string();
  SweepRow row = run_into(number, study_.keep == KeptRecords::all ? record : "", stop);
  // A run is its scene's alone, so the same run again is the one that needs a look.
  if (study_.keep == KeptRecords::not_ok && !row.ok && row.status != "refused") run_into(number, record, stop);
  return row;
}

SweepResult SweepWork::gathered(const SweepJournal& journal, const std::vector<std::string>& keys) const {
  SweepResult result;
  result.varied = cases_.names();
  result.outputs = outputs_;
  result.columns = sweep_columns(outputs_);
  result.count = cases_.count();
  for (std::int64_t number = 0; number < result.count; ++number) {
    const SweepRow* row = journal.find(keys[static_cast<std::size_t>(number)]);
    if (row == nullptr) continue;
    result.cases.push_back(cases_.at(number));
    result.rows.push_back(*row);
    result.rows.back().numbers.resize(result.columns.size(), std::numeric_limits<double>::quiet_NaN());
  }
  return result;
}

}  // namespace carom
