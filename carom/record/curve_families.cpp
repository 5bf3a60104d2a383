#include "carom/record/curve_families.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "carom/record/curve_json.h"
#include "carom/record/output_formulas.h"
#include "carom/record/record_columns.h"
#include "carom/record/record_file.h"
#include "carom/record/record_layout.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;
using Values = std::vector<double>;

constexpr std::size_t largest_curves = 24;      // of a plot
constexpr std::size_t largest_points = 300000;  // of all families
constexpr std::size_t least_points = 500;       // of a curve
constexpr double negligible = 1e-9;

/// The plots that the numbers of a table are shared out among.
enum class Plots {
  axes,     ///< three numbers a thing: a plot for each axis
  lengths,  ///< three numbers a thing: one plot of the vectors' lengths
  units     ///< one number a thing: a plot for each unit
};

struct CurveFamily {
  const char* section;
  Table table;
  const char* title;
  Plots plots;
};

/// The curves that pages plot of the output tables. Families of one section follow one another.
constexpr CurveFamily families[] = {
    {"Torques of joints", Table::joint_torque, "torque, all sources", Plots::units},
    {"Torques of joints", Table::joint_torque_by_source, "torque by source", Plots::units},
    {"Contact forces", Table::collider_force, "force", Plots::axes},
    {"Contact forces", Table::collider_centre_of_pressure, "centre of pressure", Plots::axes},
    {"Contact forces", Table::collider_moment, "moment about the centre of pressure", Plots::lengths},
    {"Loads of joints", Table::joint_reaction_force, "size of the reaction force", Plots::lengths},
    {"Loads of joints", Table::joint_reaction_moment, "size of the reaction moment", Plots::lengths},
    {"Loads of constraints", Table::constraint_reaction_force, "size of the force", Plots::lengths},
    {"Loads of constraints", Table::constraint_reaction_moment, "size of the moment", Plots::lengths},
    {"Sensors", Table::sensors, "readings", Plots::units},
    {"Mass centre and momentum", Table::mechanism_mass_centre, "mass centre", Plots::axes},
    {"Mass centre and momentum", Table::mechanism_momentum, "momentum", Plots::axes},
    {"Mass centre and momentum", Table::mechanism_angular_momentum, "angular momentum", Plots::axes},
};

constexpr std::pair<const char*, const char*> section_notes[] = {
    {"Torques of joints",
     "Means between recorded instants. A source is a servo, a force, a prescribed motion, a limit, "
     "a spring, a damper, dry friction or a controller."},
    {"Contact forces",
     "On each collider, means between recorded instants, world axes; the centre of pressure is where "
     "they act, and has a gap where nothing pressed. On the ground acts the opposite of the ground "
     "reaction."},
    {"Loads of joints",
     "Of what the parent passes on to the child, means between recorded instants; the moment about "
     "the joint. The record has the vectors."},
    {"Loads of constraints",
     "On body a of the constraint, means between recorded instants. The record has the vectors."},
    {"Sensors",
     "Means between recorded instants but angular velocities, in each sensor's axes; of contact sensors in the "
     "world's."},
    {"Mass centre and momentum", "Of each tree of joints, world axes; angular momentum about the mass centre."},
};

struct Curve {
  std::string name;
  std::size_t thing;  ///< among the names of the table
  Values values;
};
struct FamilyPlot {
  const char* section;
  std::vector<std::string> names;  ///< of the table
  std::string title, unit;
  std::vector<Curve> curves;
  std::size_t left_out = 0;
};

double largest(const Values& values) {
  double size = 0;
  for (double value : values) {
    if (std::isfinite(value)) size = std::max(size, std::abs(value));
  }
  return size;
}

/// One number of every row of a table.
template <class Number>
Values column(std::size_t rows, Number&& number) {
  Values values(rows);
  for (std::size_t row = 0; row < rows; ++row) values[row] = number(row);
  return values;
}

/// The plots of one family, with their curves that are not zero.
class FamilyReader {
 public:
  FamilyReader(const CurveFamily& family, const TableShape& shape, const Model& model, const Values& numbers)
      : family_(family), names_(shape.columns), width_(static_cast<std::size_t>(shape.width())), numbers_(numbers) {
    rows_ = width_ ? numbers.size() / width_ : 0;
    units_ = entry_units(shape, model, names_.size());
  }

  std::vector<FamilyPlot> plots() const {
    std::vector<FamilyPlot> plots;
    if (names_.empty()) return plots;
    if (family_.plots == Plots::axes) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        add(plots, fmt::format("{} {}", family_.title, "xyz"[axis]), units_.front(),
            [&](std::size_t thing, std::size_t row) { return numbers_[row * width_ + 3 * thing + axis]; });
      }
    } else if (family_.plots == Plots::lengths) {
      add(plots, family_.title, units_.front(), [&](std::size_t thing, std::size_t row) {
        const double* v = &numbers_[row * width_ + 3 * thing];
        return std::hypot(v[0], v[1], v[2]);
      });
    } else {
      std::vector<std::string> units;
      for (const std::string& unit : units_) {
        if (std::find(units.begin(), units.end(), unit) == units.end()) units.push_back(unit);
      }
      for (const std::string& unit : units) {
        add(plots, family_.title, unit,
            [&](std::size_t thing, std::size_t row) { return numbers_[row * width_ + thing]; });
      }
    }
    return plots;
  }

 private:
  template <class Number>
  void add(std::vector<FamilyPlot>& plots, const std::string& title, const std::string& unit, Number&& number) const {
    FamilyPlot plot{family_.section, names_, title, unit, {}};
    const double threshold = negligible * largest_of(unit);
    for (std::size_t thing = 0; thing < names_.size(); ++thing) {
      if (units_[thing] != unit) continue;
      Values values = column(rows_, [&](std::size_t row) { return number(thing, row); });
      if (largest(values) <= threshold) continue;
      if (plot.curves.size() < largest_curves) {
        plot.curves.push_back({names_[thing], thing, std::move(values)});
      } else {
        ++plot.left_out;
      }
    }
    if (!plot.curves.empty()) plots.push_back(std::move(plot));
  }

  /// The largest number of the family in one unit: N m are no measure of N.
  double largest_of(const std::string& unit) const {
    const std::size_t entries = names_.empty() ? 0 : width_ / names_.size();
    double size = 0;
    for (std::size_t i = 0; i < rows_ * width_; ++i) {
      if (units_[i % width_ / entries] == unit && std::isfinite(numbers_[i]))
        size = std::max(size, std::abs(numbers_[i]));
    }
    return size;
  }

  const CurveFamily& family_;
  const std::vector<std::string>& names_;
  std::vector<std::string> units_;
  std::size_t width_, rows_ = 0;
  const Values& numbers_;
};

std::vector<FamilyPlot> read_plots(const Record& record) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(record.path, ignored)) return {};
  Hdf5File file = Hdf5File::open_for_reading(record.path);
  check_format(file);
  const Model& model = *record.scene.model;
  const std::vector<TableShape> shapes = record_tables(model, OutputFormulas(record.scene).names());
  const std::int64_t rows = open_record_tables(file, shapes), wanted = std::ssize(record.frames);
  std::vector<FamilyPlot> plots;
  for (const CurveFamily& family : families) {
    const int table = static_cast<int>(family.table);
    // A run that still goes on may have a shorter record by now, or a longer one.
    if (file.rows(table) == 0 || rows < wanted) continue;
    const Values numbers = file.read_reals(table, 0, wanted);
    for (FamilyPlot& plot : FamilyReader(family, shapes[static_cast<std::size_t>(table)], model, numbers).plots()) {
      plots.push_back(std::move(plot));
    }
  }
  return plots;
}

/// Looks of curves by table's names and thing: what is in several plots looks the same in all.
using Looks = std::map<std::vector<std::string>, std::map<std::size_t, std::size_t>>;

Json chart(const FamilyPlot& plot, std::size_t points, Looks& looks) {
  Json series = Json::array();
  for (const Curve& curve : plot.curves) {
    std::map<std::size_t, std::size_t>& numbers = looks[plot.names];
    const std::size_t number = numbers.try_emplace(curve.thing, numbers.size()).first->second;
    series.push_back(curve_json(curve.name, number, curve.values, points));
  }
  std::string title = plot.title;
  if (plot.left_out > 0) {
    title += fmt::format(", the first {} of {}", plot.curves.size(), plot.curves.size() + plot.left_out);
  }
  return {{"title", title}, {"unit", plot.unit}, {"series", std::move(series)}};
}

std::string note_of(const std::string& section) {
  for (const auto& [title, note] : section_notes) {
    if (section == title) return std::string(note) + " What is zero throughout is not drawn.";
  }
  return "";
}

}  // namespace

Json curve_family_sections(const Record& record) {
  const std::vector<FamilyPlot> plots = read_plots(record);
  std::size_t curves = 0;
  for (const FamilyPlot& plot : plots) curves += plot.curves.size();
  const std::size_t points =
      curves ? std::clamp(largest_points / curves / 2 * 2, least_points, largest_curve) : largest_curve;
  Values times;
  for (const Frame& frame : record.frames) times.push_back(frame.state.time);
  const std::string shared_times = base64(thin_times(times, points));
  Json sections = Json::array();
  Looks looks;
  for (const FamilyPlot& plot : plots) {
    if (sections.empty() || sections.back()["title"] != plot.section) {
      sections.push_back({{"title", plot.section},
                          {"note", note_of(plot.section)},
                          {"three", true},
                          {"times", shared_times},
                          {"charts", Json::array()}});
    }
    sections.back()["charts"].push_back(chart(plot, points, looks));
  }
  return sections;
}

}  // namespace carom
