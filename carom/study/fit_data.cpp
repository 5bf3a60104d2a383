#include "carom/study/fit_data.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>

#include "carom/error.h"
#include "carom/scene/diagnostics.h"
#include "carom/scene/scene_text.h"
#include "carom/study/study_fields.h"

namespace carom {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

class Reader {
 public:
  explicit Reader(const std::string& path) { data_.file = path; }

  FitData read() {
    std::ifstream file(data_.file);
    std::string line;
    while (next(file, line) && names_.empty()) read_names(line);
    if (names_.empty()) {
      throw Error(data_.file +
                  ": no measurements can be read here; they are CSV, its first line 'time' and names of columns");
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
      numbers.push_back(*number);
    }
    const std::string name = experiment_ < cells.size() ? cells[experiment_] : "";
    if (experiment_ < cells.size() && name.empty()) refuse("the line does not say which experiment it is of");
    if (std::isnan(numbers.front())) refuse("the time is missing");
    if (numbers.front() < 0) refuse("the time is negative; it counts from the scene's start");
    MeasuredMotion& motion = motion_of(name);
    if (!motion.times.empty() && !(numbers.front() > motion.times.back())) {
      refuse("the time does not grow: " + cells.front() + " s follows " + std::to_string(motion.times.back()) + " s" +
             (experiment_ < cells.size() ? " in experiment " + in_quotes(name)
                                         : "; several experiments in one file need a column 'experiment'"));
    }
    motion.times.push_back(numbers.front());
    for (std::size_t c = 0; c < data_.columns.size(); ++c) motion.values[c].push_back(numbers[c + 1]);
  }

  MeasuredMotion& motion_of(const std::string& name) {
    for (MeasuredMotion& motion : data_.motions) {
      if (motion.name == name) return motion;
    }
    data_.motions.push_back({name, {}, std::vector<std::vector<double>>(data_.columns.size())});
    return data_.motions.back();
  }

  FitData data_;
  std::vector<std::string> names_;
  std::size_t experiment_ = 0;
  int number_ = 0;
};

}  // namespace

FitData read_fit_data(const std::string& path) { return Reader(path).read(); }

}  // namespace carom
