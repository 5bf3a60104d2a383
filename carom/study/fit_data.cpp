#include "carom/study/fit_data.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "carom/error.h"
#include "carom/record/array_file.h"
#include "carom/scene/diagnostics.h"
#include "carom/scene/expression.h"
#include "carom/scene/scene_text.h"
#include "carom/study/csv_cells.h"
#include "carom/study/fit_data_hdf5.h"
#include "carom/study/no_number.h"
#include "carom/utf8.h"

namespace carom {
namespace {

using Refuse = std::function<void(const std::string&)>;  ///< throws

MeasuredMotion& motion_of(FitData& data, const std::string& name, const Refuse& refuse) {
  for (MeasuredMotion& motion : data.motions) {
    if (motion.name == name) return motion;
  }
  for (std::size_t i = 0; i < name.size(); i += character_size(name, i)) {
    if (character_size(name, i) == 0) refuse("the name of the experiment is no UTF-8");
  }
  data.motions.push_back({name, {}, std::vector<std::vector<double>>(data.columns.size())});
  return data.motions.back();
}

/// numbers: the time, then those of the columns. experiment: null where all are of one.
void add_instant(FitData& data, const std::string* experiment, const std::vector<double>& numbers,
                 const Refuse& refuse) {
  const double time = numbers.front();
  if (experiment != nullptr && experiment->empty()) refuse("it is not said which experiment this is of");
  if (std::isnan(time)) refuse("the time is missing");
  if (time < 0) refuse("the time is negative; it counts from the scene's start");
  MeasuredMotion& motion = motion_of(data, experiment != nullptr ? *experiment : "", refuse);
  if (!motion.times.empty() && !(time > motion.times.back())) {
    refuse("the time does not grow: " + number_text(time) + " s follows " + number_text(motion.times.back()) + " s" +
           (experiment != nullptr ? " in experiment " + in_quotes(*experiment)
                                  : "; several experiments in one file need a column 'experiment'"));
  }
  motion.times.push_back(time);
  for (std::size_t c = 0; c < data.columns.size(); ++c) motion.values[c].push_back(numbers[c + 1]);
}

class Reader {
 public:
  explicit Reader(const std::string& path) { data_.file = path; }

  FitData read() {
    std::ifstream file(data_.file);
    std::string line;
    while (next(file, line) && names_.empty()) read_names(line);
    if (names_.empty()) {
      throw Error(data_.file +
                  ": no measurements can be read here; they are CSV, its first line 'time' and names of columns, or "
                  "HDF5");
    }
    do {
      if (!line.empty()) read_line(line);
    } while (next(file, line));
    if (data_.motions.empty()) throw Error(data_.file + ": there is no line of measurements below the names");
    return std::move(data_);
  }

 private:
  /// The next line that says something.
  bool next(std::ifstream& file, std::string& line) {
    while (std::getline(file, line)) {
      if (++number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // how some programs begin UTF-8
      const std::size_t first = line.find_first_not_of(" \t\r,");
      if (first != std::string::npos && line[first] != '#') return true;
    }
    line.clear();
    return false;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(data_.file + ":" + std::to_string(number_) + ": " + what);
  }

  void read_names(const std::string& line) {
    names_ = csv_cells(line);
    if (names_.front() != "time") {
      refuse("the first column must be 'time' (s since the scene's start), but is " + in_quotes(names_.front()));
    }
    std::set<std::string> seen;
    for (const std::string& name : names_) {
      if (name.empty()) refuse("a column has no name");
      if (!seen.insert(name).second) refuse("there are two columns " + in_quotes(name));
    }
    const auto found = std::find(names_.begin(), names_.end(), "experiment");
    experiment_ = static_cast<std::size_t>(found - names_.begin());
    for (std::size_t i = 1; i < names_.size(); ++i) {
      if (i != experiment_) data_.columns.push_back(names_[i]);
    }
    if (data_.columns.empty()) refuse("there is no column of measurements beside the time");
    data_.degrees.resize(data_.columns.size());
  }

  void read_line(const std::string& line) {
    const std::vector<std::string> cells = csv_cells(line);
    if (cells.size() != names_.size()) {
      refuse("there are " + std::to_string(cells.size()) + " cells, but " + std::to_string(names_.size()) +
             " columns have names; where nothing was measured a cell is left empty");
    }
    std::vector<double> numbers;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i == experiment_) continue;
      const std::optional<double> number = cells[i].empty() ? none : written_number(cells[i]);
      if (!number) refuse(in_quotes(cells[i]) + " in column " + in_quotes(names_[i]) + " is no number");
      if (cells[i].find("deg") != std::string::npos) see_degrees(cells[i], numbers.size());
      numbers.push_back(*number);
    }
    add_instant(data_, experiment_ < cells.size() ? &cells[experiment_] : nullptr, numbers,
                [this](const std::string& what) { refuse(what); });
  }

  /// place: 0: the time, then columns.
  void see_degrees(const std::string& cell, std::size_t place) {
    if (place == 0) refuse(in_quotes(cell) + " in column 'time' is an angle; write the time in s, without a unit");
    DegreeCell& first = data_.degrees[place - 1];
    if (first.line == 0) first = {number_, cell};
  }

  FitData data_;
  std::vector<std::string> names_;
  std::size_t experiment_ = 0;
  int number_ = 0;
};

}  // namespace

FitData read_fit_data(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) throw Error(path + ": there is no such file");
  return ArrayFile::is_hdf5(path) ? read_fit_hdf5(path) : Reader(path).read();
}

FitData fit_data_of(const std::vector<std::pair<std::string, std::vector<double>>>& columns,
                    const std::vector<std::string>& experiment, const std::string& name) {
  FitData data{.file = name, .columns = {}, .motions = {}};
  if (columns.empty() || columns.front().first != "time") throw Error(name + ": there is no 'time', s");
  const std::size_t count = columns.front().second.size();
  for (const auto& [column, values] : columns) {
    if (values.size() != count) {
      throw Error(name + ": " + in_quotes(column) + " has " + std::to_string(values.size()) + " entries, but 'time' " +
                  std::to_string(count));
    }
    if (column != "time") data.columns.push_back(column);
  }
  if (data.columns.empty()) throw Error(name + ": there are no measurements beside the time");
  if (count == 0) throw Error(name + ": the arrays are empty");
  if (!experiment.empty() && experiment.size() != count) {
    throw Error(name + ": 'experiment' has " + std::to_string(experiment.size()) + " entries, but 'time' " +
                std::to_string(count));
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> numbers;
    for (const auto& [column, values] : columns) {
      if (std::isinf(values[i])) throw Error(name + ", entry " + std::to_string(i) + ": " + column + " is infinite");
      numbers.push_back(values[i]);
    }
    add_instant(data, experiment.empty() ? nullptr : &experiment[i], numbers,
                [&](const std::string& what) { throw Error(name + ", entry " + std::to_string(i) + ": " + what); });
  }
  return data;
}

}  // namespace carom
