#include "carom/validation/sphere_curve_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "carom/error.h"
#include "carom/scene/scene_text.h"
#include "carom/study/csv_cells.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

constexpr double parallel = 90;  // degrees
constexpr const char* layout = "quantity,curve,incidence_deg,value or quantity,curve,slip_before,value";

SphereSweep sweep_of(const std::vector<std::string>& names, const std::string& path) {
  const std::vector<std::string> incidence{"quantity", "curve", "incidence_deg", "value"};
  const std::vector<std::string> slip{"quantity", "curve", "slip_before", "value"};
  if (names == incidence) return SphereSweep::incidence;
  if (names == slip) return SphereSweep::slip;
  throw Error(fmt::format("{}:1: the columns are {}; they must be {}", path, fmt::join(names, ","), layout));
}

class CurveReader {
 public:
  CurveReader(const std::string& path, std::vector<SphereCurve>& curves) : path_(path), curves_(curves) {}

  void read() {
    std::ifstream file(path_);
    std::string line;
    if (!file || !std::getline(file, line)) {
      throw Error(fmt::format("{}: no curves can be read here; they are CSV with the columns {}", path_, layout));
    }
    sweep_ = sweep_of(csv_cells(line), path_);
    const std::size_t before = curves_.size();
    while (std::getline(file, line)) {
      ++number_;
      if (line.find_first_not_of(" \t\r") != std::string::npos) read_point(csv_cells(line));
    }
    if (curves_.size() == before) throw Error(path_ + ": there is no point below the names of the columns");
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(fmt::format("{}:{}: {}", path_, number_, what));
  }

  double number_of(const std::string& cell) const {
    // A cell has its column's unit, and none of its own.
    const std::optional<double> number =
        cell.ends_with("deg") || cell.ends_with("deg/s") ? std::nullopt : written_number(cell);
    if (!number) refuse(fmt::format("'{}' is no number; write it without a unit", cell));
    return *number;
  }

  void read_point(const std::vector<std::string>& cells) {
    if (cells.size() != 4) refuse(fmt::format("there are {} cells; a point has 4", cells.size()));
    if (cells[1].empty()) {
      refuse("the curve has no name; write experiment, finite_elements or that of a scene in scenes/sphere_impacts");
    }
    const auto& known = sphere_quantities(sweep_);
    if (std::find(known.begin(), known.end(), cells[0]) == known.end()) {
      refuse(fmt::format("there is no quantity '{}'; there are: {}", cells[0], fmt::join(known, ", ")));
    }
    const double x = number_of(cells[2]), value = number_of(cells[3]);
    if (!(x > 0) || (sweep_ == SphereSweep::incidence && !(x < parallel))) {
      refuse(sweep_ == SphereSweep::incidence ? "the incidence must lie between 0 and 90 degrees"
                                              : "the slip must be above 0");
    }
    auto found = std::find_if(curves_.begin(), curves_.end(), [&](const SphereCurve& curve) {
      return curve.sweep == sweep_ && curve.quantity == cells[0] && curve.name == cells[1];
    });
    if (found == curves_.end()) found = curves_.insert(curves_.end(), {sweep_, cells[0], cells[1], {}, {}});
    found->x.push_back(x);
    found->values.push_back(value);
  }

  std::string path_;
  std::vector<SphereCurve>& curves_;
  SphereSweep sweep_ = SphereSweep::incidence;
  int number_ = 1;
};

}  // namespace

const std::vector<std::string>& sphere_quantities(SphereSweep sweep) {
  static const std::vector<std::string> incidence{"contact_rebound_angle", "spin", "tangential_ratio"};
  static const std::vector<std::string> slip{"contact_slip", "spin"};
  return sweep == SphereSweep::incidence ? incidence : slip;
}

std::vector<SphereCurve> read_sphere_curves(const std::string& path) {
  std::vector<std::string> files;
  if (fs::is_directory(path)) {
    for (const char* name : {"alumina_sphere.csv", "elastic_sphere.csv"}) {
      if (fs::exists(fs::path(path) / name)) files.push_back((fs::path(path) / name).string());
    }
    if (files.empty())
      throw Error(path + ": there is neither alumina_sphere.csv nor elastic_sphere.csv in this folder");
  } else if (fs::exists(path)) {
    files = {path};
  } else {
    throw Error(path + ": there is no such file or folder");
  }
  std::vector<SphereCurve> curves;
  for (const std::string& file : files) CurveReader(file, curves).read();
  return curves;
}

}  // namespace carom
