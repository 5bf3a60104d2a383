#include "carom/study/fit_data_hdf5.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "carom/error.h"
#include "carom/record/array_file.h"

namespace carom {
namespace {

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

/// MATLAB keeps the contents of cells and objects in these two groups at the top.
bool is_matlabs_own(const std::string& object) { return object == "/#refs#" || object == "/#subsystem#"; }

constexpr int deepest_group = 8;
constexpr double largest_whole = 9007199254740992;  // 2⁵³: whole numbers below it are doubles

struct Table {
  std::vector<std::pair<std::string, std::vector<double>>> columns;  ///< the first `time`
  std::vector<std::string> experiment;
  std::vector<std::pair<std::string, std::string>> left_aside;  ///< by column: why it is none
};

std::string shape_text(const std::vector<std::size_t>& extents) {
  return extents.empty() ? "is a single number" : fmt::format("has the shape ({})", fmt::join(extents, ", "));
}

class TableReader {
 public:
  /// group: "" for the whole file, or "/name".
  TableReader(const ArrayFile& file, const std::string& group) : file_(&file), group_(group) {}

  Table read() {
    const std::string time = group_ + "/time";
    if (file_->is_group(time)) refuse(time, "is a group; it must be a dataset with one entry for each instant");
    if (!holds_numbers(time)) refuse(time, "must hold numbers");
    count_ = vector_length(time);
    table_.columns.emplace_back("time", file_->reals(time));
    read_group("", 0);
    if (table_.columns.size() == 1) {
      std::string aside;
      for (const auto& [name, why] : table_.left_aside) aside += fmt::format("; {}/{} {}", group_, name, why);
      refuse(time, "has no measurements beside it" + aside);
    }
    return std::move(table_);
  }

 private:
  [[noreturn]] void refuse(const std::string& dataset, const std::string& what) const {
    throw Error(fmt::format("{}: {} {}", file_->path(), dataset, what));
  }

  /// MATLAB stores texts, logical values and empty arrays as integers, and marks them.
  bool holds_numbers(const std::string& dataset) const {
    if (!file_->holds_numbers(dataset) || file_->has_attribute(dataset, "MATLAB_empty")) return false;
    return !file_->has_attribute(dataset, "MATLAB_int_decode") &&
           !file_->has_attribute(dataset, "MATLAB_object_decode");
  }

  /// Entries of a vector; MATLAB writes it as 1 × n or n × 1.
  std::size_t vector_length(const std::string& dataset) const {
    const std::vector<std::size_t> extents = file_->extents(dataset);
    const auto long_axes = std::count_if(extents.begin(), extents.end(), [](std::size_t n) { return n != 1; });
    if (extents.empty() || long_axes > 1) {
      refuse(dataset, shape_text(extents) + "; it must have one entry for each instant");
    }
    return long_axes == 0 ? 1 : *std::find_if(extents.begin(), extents.end(), [](std::size_t n) { return n != 1; });
  }

  /// Columns of a group below the table's own; `within`: "" or "markers/". Links of groups may form a circle.
  void read_group(const std::string& within, int depth) {
    if (depth > deepest_group) {
      refuse(group_ + "/" + within, fmt::format("lies more than {} groups deep", deepest_group));
    }
    for (const std::string& name : file_->names(within.empty() && group_.empty() ? "/" : group_ + "/" + within)) {
      const std::string column = within + name, dataset = group_ + "/" + column;
      if (column == "time" || is_matlabs_own(dataset)) continue;
      if (column == "experiment") {
        read_experiment(dataset);
      } else if (!file_->is_group(dataset)) {
        read_columns(dataset, column);
      } else if (file_->has(dataset + "/time")) {
        refuse(dataset + "/time", fmt::format("is a second time, beside {}/time; either one time stands above all "
                                              "columns, or each group of the file is one experiment with its own",
                                              group_));
      } else {
        read_group(column + "/", depth + 1);
      }
    }
  }

  void read_columns(const std::string& dataset, const std::string& column) {
    if (!holds_numbers(dataset)) {
      table_.left_aside.emplace_back(column, "holds no numbers");
      return;
    }
    const bool turned = file_->has_attribute(dataset, "MATLAB_class");
    std::vector<std::size_t> extents = file_->extents(dataset);
    if (turned) std::reverse(extents.begin(), extents.end());
    const std::string shape = shape_text(extents);
    if (extents.empty()) extents = {1};  // with one instant a single number is a column
    if (extents.size() == 2 && extents[0] == 1 && count_ != 1) extents.erase(extents.begin());  // a row of n numbers
    if (extents.size() == 2 && extents[1] == 1) extents.pop_back();
    if (extents.size() > 2 || extents[0] != count_) {
      table_.left_aside.emplace_back(
          column, fmt::format("{}, but there are {} instants: it must be ({}) or ({}, columns)", shape, count_, count_,
                              count_));
      return;
    }
    if (extents.size() == 2 && extents[1] == 0) {
      table_.left_aside.emplace_back(column, "has no columns");
      return;
    }
    std::vector<double> values = file_->reals(dataset);
    if (extents.size() == 1) {
      table_.columns.emplace_back(column, std::move(values));
      return;
    }
    const std::size_t width = extents[1];
    for (std::size_t c = 0; c < width; ++c) {
      std::vector<double> own(count_);
      for (std::size_t i = 0; i < count_; ++i) own[i] = turned ? values[c * count_ + i] : values[i * width + c];
      table_.columns.emplace_back(fmt::format("{}/{}", column, c), std::move(own));
    }
  }

  void read_experiment(const std::string& dataset) {
    if (file_->is_group(dataset)) refuse(dataset, "is a group; it must be a dataset with one entry for each instant");
    const bool numbers = holds_numbers(dataset);
    if (!numbers && !file_->holds_texts(dataset)) {
      refuse(dataset, "must hold whole numbers or texts (those of HDF5; MATLAB's own are not read)");
    }
    const std::size_t length = vector_length(dataset);
    if (length != count_) {
      refuse(dataset, fmt::format("{}, but there are {} instants", shape_text(file_->extents(dataset)), count_));
    }
    if (!numbers) {
      table_.experiment = file_->texts(dataset);
      return;
    }
    for (const double number : file_->reals(dataset)) {
      if (!(std::abs(number) < largest_whole) || number != std::floor(number)) {
        refuse(dataset, fmt::format("must hold whole numbers or texts, but holds {}", number));
      }
      table_.experiment.push_back(fmt::format("{:.0f}", number + 0.0));  // −0 is 0
    }
  }

  const ArrayFile* file_;
  std::string group_;
  std::size_t count_ = 0;  ///< instants
  Table table_;
};

/// Adds one experiment. Columns that are new were not measured before, and those that it lacks not in it.
void add_experiment(FitData& all, const FitData& one, const std::string& name) {
  for (const std::string& column : one.columns) {
    if (std::find(all.columns.begin(), all.columns.end(), column) != all.columns.end()) continue;
    all.columns.push_back(column);
    for (MeasuredMotion& motion : all.motions) motion.values.emplace_back(motion.times.size(), not_measured);
  }
  const MeasuredMotion& measured = one.motions.front();
  MeasuredMotion motion{name, measured.times, {}};
  for (const std::string& column : all.columns) {
    const auto found = std::find(one.columns.begin(), one.columns.end(), column);
    if (found == one.columns.end()) {
      motion.values.emplace_back(motion.times.size(), not_measured);
    } else {
      motion.values.push_back(measured.values[static_cast<std::size_t>(found - one.columns.begin())]);
    }
  }
  all.motions.push_back(std::move(motion));
}

}  // namespace

FitData read_fit_hdf5(const std::string& path) {
  const ArrayFile file = ArrayFile::open(path);
  if (file.has("/time")) {
    if (file.has("/scene") && file.has("/bodies")) {
      throw Error(path + ": this is a record of a run, and no table of measurements; carom export makes one of it: " +
                  "carom export " + path + " --csv measured.csv");
    }
    const Table table = TableReader(file, "").read();
    FitData data = fit_data_of(table.columns, table.experiment, path);
    data.left_aside = table.left_aside;
    return data;
  }
  FitData all{.file = path, .columns = {}, .motions = {}};
  std::string found;
  for (const std::string& name : file.names("/")) {
    const std::string group = "/" + name;
    if (is_matlabs_own(group)) continue;
    found += (found.empty() ? "" : ", ") + name;
    if (!file.is_group(group)) continue;
    if (!file.has(group + "/time")) {
      throw Error(fmt::format("{}: group {} has no dataset 'time', s; a group is an experiment", path, group));
    }
    const Table table = TableReader(file, group).read();
    if (!table.experiment.empty()) {
      throw Error(fmt::format("{}: {}/experiment is one name too many; the group is the experiment", path, group));
    }
    const std::vector<std::string> experiment(table.columns.front().second.size(), name);
    add_experiment(all, fit_data_of(table.columns, experiment, path + ", " + group), name);
    all.left_aside.insert(all.left_aside.end(), table.left_aside.begin(), table.left_aside.end());
  }
  if (all.motions.empty()) {
    throw Error(
        fmt::format("{}: there is no dataset 'time' (s since the scene's start), neither at the top nor in "
                    "groups; there are {}",
                    path, found.empty() ? "no datasets" : found));
  }
  return all;
}

}  // namespace carom
