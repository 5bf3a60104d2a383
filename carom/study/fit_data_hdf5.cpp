#include "carom/study/fit_data_hdf5.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "carom/error.h"
#include "carom/record/array_file.h"

namespace carom {
namespace {

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

struct Table {
  std::vector<std::pair<std::string, std::vector<double>>> columns;  ///< the first `time`
  std::vector<std::string> experiment;
};

class TableReader {
 public:
  /// group: "" for the whole file, or "/name".
  TableReader(const ArrayFile& file, const std::string& group) : file_(&file), group_(group) {}

  Table read() {
    const std::string time = group_ + "/time";
    std::vector<double> instants = numbers(time);
    count_ = vector_length(time);
    table_.columns.emplace_back("time", std::move(instants));
    read_group("");
    return std::move(table_);
  }

 private:
  [[noreturn]] void refuse(const std::string& dataset, const std::string& what) const {
    throw Error(fmt::format("{}: {} {}", file_->path(), dataset, what));
  }

  std::vector<double> numbers(const std::string& dataset) const {
    if (file_->is_group(dataset)) refuse(dataset, "is a group; it must be a dataset with one entry for each instant");
    if (!file_->holds_numbers(dataset)) refuse(dataset, "must hold numbers");
    return file_->reals(dataset);
  }

  /// Entries of a vector; MATLAB writes it as 1 × n or n × 1.
  std::size_t vector_length(const std::string& dataset) const {
    const std::vector<std::size_t> extents = file_->extents(dataset);
    const auto long_axes = std::count_if(extents.begin(), extents.end(), [](std::size_t n) { return n != 1; });
    if (extents.empty() || long_axes > 1) {
      refuse(dataset,
             fmt::format("has the shape ({}); it must have one entry for each instant", fmt::join(extents, ", ")));
    }
    return std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>());
  }

  /// Columns of a group below the table's own; `within`: "" or "markers/".
  void read_group(const std::string& within) {
    for (const std::string& name : file_->names(within.empty() && group_.empty() ? "/" : group_ + "/" + within)) {
      const std::string column = within + name, dataset = group_ + "/" + column;
      if (column == "time" || name.starts_with("#")) continue;  // MATLAB keeps cells in #refs#
      if (column == "experiment") {
        read_experiment(dataset);
      } else if (file_->is_group(dataset)) {
        if (file_->has(dataset + "/time")) {
          refuse(dataset + "/time", fmt::format("is a second time, beside {}/time; either one time stands above all "
                                                "columns, or each group of the file is one experiment with its own",
                                                group_));
        }
        read_group(column + "/");
      } else if (file_->holds_numbers(dataset)) {
        read_columns(dataset, column);
      }
    }
  }

  void read_columns(const std::string& dataset, const std::string& column) {
    std::vector<std::size_t> extents = file_->extents(dataset);
    const std::size_t all = std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>());
    if (all == 1 && count_ != 1) return;  // a note, as the rate of frames
    if (all == count_ && std::count(extents.begin(), extents.end(), count_) > 0) extents = {count_};
    if (extents.empty() && count_ == 1) extents = {1};
    const bool by_row = !extents.empty() && extents.front() == count_;
    if (extents.empty() || extents.size() > 2 || (!by_row && extents.back() != count_)) {
      refuse(dataset,
             fmt::format("has the shape ({}), but there are {} instants; a column has ({}), a table of columns "
                         "({}, columns)",
                         fmt::join(extents, ", "), count_, count_, count_));
    }
    const std::vector<double> values = numbers(dataset);
    if (extents.size() == 1) {
      table_.columns.emplace_back(column, values);
      return;
    }
    const std::size_t width = by_row ? extents[1] : extents[0];
    for (std::size_t c = 0; c < width; ++c) {
      std::vector<double> own(count_);
      for (std::size_t i = 0; i < count_; ++i) own[i] = by_row ? values[i * width + c] : values[c * count_ + i];
      table_.columns.emplace_back(fmt::format("{}/{}", column, c), std::move(own));
    }
  }

  void read_experiment(const std::string& dataset) {
    if (vector_length(dataset) != count_) {
      refuse(dataset, fmt::format("has {} entries, but there are {} instants", vector_length(dataset), count_));
    }
    if (!file_->holds_numbers(dataset)) {
      table_.experiment = file_->texts(dataset);
      return;
    }
    if (!file_->holds_integers(dataset)) refuse(dataset, "must hold texts or integers");
    for (const std::int64_t number : file_->integers(dataset)) table_.experiment.push_back(std::to_string(number));
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
  if (file.has("/scene") && file.has("/bodies")) {
    throw Error(path +
                ": this is a record of a run, and no table of measurements; carom export makes one of it: carom "
                "export " +
                path + " --csv measured.csv");
  }
  if (file.has("/time")) {
    const Table table = TableReader(file, "").read();
    return fit_data_of(table.columns, table.experiment, path);
  }
  FitData all{path, {}, {}, {}};
  for (const std::string& name : file.names("/")) {
    const std::string group = "/" + name;
    if (name.starts_with("#") || !file.is_group(group)) continue;
    if (!file.has(group + "/time")) {
      throw Error(fmt::format("{}: group {} has no dataset 'time', s; a group is an experiment", path, group));
    }
    const Table table = TableReader(file, group).read();
    if (!table.experiment.empty()) {
      throw Error(fmt::format("{}: {}/experiment is one name too many; the group is the experiment", path, group));
    }
    add_experiment(all, fit_data_of(table.columns, {}, path + ", " + group), name);
  }
  if (all.motions.empty()) {
    throw Error(path + ": there is no dataset 'time' (s since the scene's start), neither at the top nor in groups");
  }
  return all;
}

}  // namespace carom
