#include "carom/validation/planar_impact_file.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "carom/error.h"
#include "carom/record/hdf5_file.h"
#include "carom/validation/measured_file.h"

namespace carom {
namespace {

constexpr double second_corner_up = 1e-3;  // m
constexpr std::array<const char*, 2> bodies{"ellipse", "square"};

/// Datasets of one body, all with the same number of rows.
class BodyData {
 public:
  BodyData(const MeasuredFile& file, std::string body) : file_(file), body_("/" + body) {
    const char* number = file.has(body_ + "/record") ? "/record" : "/trial";
    numbers_ = file.integers({body_ + number, {0}, "the number of the record or drop of every impact, integers"});
  }

  std::size_t count() const { return numbers_.size(); }
  std::int64_t number(std::size_t row) const { return numbers_[row]; }
  bool has(const char* name) const { return file_.has(body_ + name); }
  std::vector<double> reals(const char* name, std::size_t width, const char* what) const {
    std::vector<std::size_t> extents{count()};
    if (width > 1) extents.push_back(width);
    const std::string shape = width > 1 ? fmt::format("({}, {})", count(), width) : fmt::format("({})", count());
    return file_.finite_reals({body_ + name, extents, fmt::format("{}, real numbers in the shape {}", what, shape)});
  }
  std::vector<std::int64_t> flags(const char* name, const char* what) const {
    return file_.integers({body_ + name, {count()}, fmt::format("{}, {} of them", what, count())});
  }
  double attribute(const char* name, const char* what) const { return file_.attribute(body_, name, what); }

 private:
  const MeasuredFile& file_;
  std::string body_;
  std::vector<std::int64_t> numbers_;
};

Vec3 row_of(const std::vector<double>& table, std::size_t row, std::size_t width = 3, std::size_t column = 0) {
  return Eigen::Map<const Vec3>(table.data() + row * width + column);
}

std::vector<std::size_t> scored_rows(const BodyData& data) {
  std::vector<std::int64_t> single(data.count(), 1);
  std::vector<double> corner(data.count(), 1);
  if (data.has("/single")) {
    single = data.flags("/single", "whether one contact alone struck");
    corner = data.reals("/second_corner", 1, "the height of the next corner over the lowest");
  }
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < data.count(); ++row) {
    if (single[row] != 0 && corner[row] > second_corner_up) rows.push_back(row);
  }
  return rows;
}

std::vector<PrintedImpact> read_printed(const BodyData& data, const std::vector<std::size_t>& rows) {
  std::vector<PrintedImpact> printed;
  if (!data.has("/source_states")) return printed;
  const std::vector<double> states = data.reals("/source_states", 12, "poses and velocities as they were printed");
  const std::vector<double> normal = data.reals("/source_n", 3, "normal rows of the contact Jacobian");
  const std::vector<double> tangent = data.reals("/source_d", 3, "tangential rows of the contact Jacobian");
  const double shift = data.attribute("post_shift", "what the printed vertical velocity after an impact lacks, m/s");
  printed.reserve(rows.size());
  for (const std::size_t row : rows) {
    PrintedImpact impact{row_of(states, row, 12, 3), row_of(states, row, 12, 9), normal[3 * row + 2],
                         tangent[3 * row + 2]};
    impact.after[1] += shift;
    printed.push_back(impact);
  }
  return printed;
}

PlanarImpacts read_body(const MeasuredFile& file, const std::string& body) {
  const BodyData data(file, body);
  PlanarImpacts result;
  result.body = body;
  result.gyration_radius = data.attribute("gyration_radius", "the gyration radius about the mass centre, m");
  if (!(result.gyration_radius > 0)) {
    throw Error(fmt::format("{}: attribute gyration_radius of /{} is {}; it must be positive", file.path(), body,
                            result.gyration_radius));
  }
  const std::vector<double> pose = data.reals("/pose", 3, "the pose at every impact");
  const std::vector<double> contact = data.reals("/contact", 2, "contact point less mass centre");
  const std::vector<double> before = data.reals("/v_pre", 3, "velocities before the impacts");
  const std::vector<double> after = data.reals("/v_post", 3, "velocities after the impacts");
  const std::vector<std::size_t> rows = scored_rows(data);
  if (rows.empty()) throw Error(fmt::format("{}: /{} has no impact that is scored", file.path(), body));
  result.impacts.reserve(rows.size());
  for (const std::size_t row : rows) {
    result.impacts.push_back({data.number(row), row_of(pose, row), Vec2(contact[2 * row], contact[2 * row + 1]),
                              row_of(before, row), row_of(after, row)});
  }
  result.printed = read_printed(data, rows);
  return result;
}

}  // namespace

std::vector<PlanarImpacts> read_planar_impacts(const std::string& path) {
  const MeasuredFile file(path, "the groups /ellipse and /square of measured impacts");
  std::vector<PlanarImpacts> all;
  for (const char* body : bodies) {
    if (file.has(std::string("/") + body)) all.push_back(read_body(file, body));
  }
  if (all.empty())
    throw Error(path + ": there is neither /ellipse nor /square; planar impacts are those of one of them");
  return all;
}

void write_planar_predictions(const std::string& law, const std::vector<PlanarPrediction>& predictions,
                              const std::string& path) {
  std::error_code absent;
  std::filesystem::remove(path, absent);
  Hdf5File file = Hdf5File::create(path);
  for (const PlanarPrediction& prediction : predictions) {
    file.make_group("/" + prediction.body);
    TableShape shape;
    shape.path = "/" + prediction.body + "/v_post";
    shape.row = {3};
    shape.unit = "m/s, m/s, rad/s";
    shape.meaning = "velocity of the mass centre and spin after each scored impact, as the law predicts them";
    shape.columns = {"vx", "vz", "spin"};
    const auto count = static_cast<std::int64_t>(prediction.after.size());
    file.write_rows(file.make_table(shape), 0, prediction.after.front().data(), count);
    file.set(shape.path, "law", law);
  }
}

}  // namespace carom
