#include "carom/record/record_columns.h"

#include <fnmatch.h>

#include <algorithm>
#include <limits>

#include "carom/edit_distance.h"
#include "carom/error.h"
#include "carom/nearest_word.h"
#include "carom/record/output_formulas.h"
#include "carom/record/part_names.h"
#include "carom/record/record_file.h"
#include "carom/record/record_layout.h"

namespace carom {
namespace {

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// Names of the entries of a row of a table other than /q and /v.
std::vector<std::string> entry_names(const TableShape& shape) {
  const std::string quantity = last_part(shape.path);
  if (shape.row.empty()) return {quantity};
  std::vector<std::string> names;
  if (shape.path == "/outputs" || shape.path == "/sensors") return shape.columns;
  if (shape.path == "/energy") {
    for (const std::string& line : shape.columns) names.push_back("energy." + line);
    return names;
  }
  if (shape.path == "/joints/torque_by_source") {
    for (const std::string& name : shape.columns) {
      const std::size_t dot = name.rfind('.');
      names.push_back(name.substr(0, dot) + ".torque" + name.substr(dot));
    }
    return names;
  }
  const int numbers = shape.row.size() > 1 ? shape.row[1] : 1;
  const std::string axes = numbers == 4 ? "wxyz" : "xyz";
  for (const std::string& thing : shape.columns) {
    for (int k = 0; k < numbers; ++k) {
      names.push_back(thing + "." + quantity + (numbers > 1 ? "." + axes.substr(static_cast<std::size_t>(k), 1) : ""));
    }
  }
  return names;
}

std::vector<std::string> sensor_units(const Model& model) {
  std::vector<std::string> units;
  for (const Sensor& sensor : model.sensors()) {
    for (const auto& [name, unit] : sensor_columns(sensor)) units.push_back(unit);
  }
  return units;
}

}  // namespace

std::vector<std::string> entry_units(const TableShape& shape, const Model& model, std::size_t entries) {
  if (shape.path == "/q") return position_units(model);
  if (shape.path == "/v") return velocity_units(model);
  if (shape.path == "/joints/torque") return torque_units(model);
  if (shape.path == "/joints/torque_by_source") return torque_source_units(model);
  if (shape.path == "/sensors") return sensor_units(model);
  return std::vector<std::string>(entries, shape.unit);
}

namespace {

struct OpenRecord {
  Hdf5File file;
  std::int64_t frames;
  std::vector<ColumnSource> sources;
  std::vector<TableShape> shapes;
};

OpenRecord open_record(const std::string& path, const Catalogue& catalogue) {
  Hdf5File file = Hdf5File::open_for_reading(path);
  check_format(file);
  const Scene scene = read_scene(file, catalogue);
  std::vector<TableShape> shapes = record_tables(*scene.model, OutputFormulas(scene).names());
  const std::int64_t frames = open_record_tables(file, shapes);
  const bool world = file.rows(static_cast<int>(Table::body_position)) > 0;
  std::vector<ColumnSource> all = column_sources(shapes, *scene.model, world);
  return {std::move(file), frames, std::move(all), std::move(shapes)};
}

[[noreturn]] void fail_unmatched(const std::string& path, const std::string& pattern,
                                 const std::vector<ColumnSource>& all) {
  const auto nearest = std::min_element(all.begin(), all.end(), [&](const ColumnSource& a, const ColumnSource& b) {
    return edit_distance(pattern, a.column.name) < edit_distance(pattern, b.column.name);
  });
  const std::string& name = nearest->column.name;
  throw Error(path + ": no column matches '" + pattern + "'" +
              (is_near(pattern, name) ? "; the nearest name is '" + name + "'" : "") +
              " (carom export --list shows all)");
}

/// The sources that a pattern chooses, each once, in the record's order; time first.
std::vector<ColumnSource> chosen(const std::string& path, const std::vector<ColumnSource>& all,
                                 const std::vector<std::string>& patterns) {
  const auto matches = [](const ColumnSource& source, const std::string& pattern) {
    return ::fnmatch(pattern.c_str(), source.column.name.c_str(), 0) == 0;
  };
  for (const std::string& pattern : patterns) {
    const bool any =
        std::any_of(all.begin(), all.end(), [&](const ColumnSource& source) { return matches(source, pattern); });
    if (!any) fail_unmatched(path, pattern, all);
  }
  std::vector<ColumnSource> some;
  for (const ColumnSource& source : all) {
    const bool wanted = patterns.empty() || source.column.name == "time" ||
                        std::any_of(patterns.begin(), patterns.end(),
                                    [&](const std::string& pattern) { return matches(source, pattern); });
    if (wanted) some.push_back(source);
  }
  return some;
}

}  // namespace

std::vector<ColumnSource> column_sources(const std::vector<TableShape>& tables, const Model& model, bool world) {
  std::vector<ColumnSource> all;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const TableShape& shape = tables[t];
    const RowsPer rows = rows_per(static_cast<Table>(t));
    const bool by_frame = rows == RowsPer::frame || (rows == RowsPer::output && world);
    if (!by_frame || shape.scalar != Scalar::real) continue;
    const bool q = shape.path == "/q", v = shape.path == "/v";
    const std::vector<std::string> names = q ? position_names(model) : v ? velocity_names(model) : entry_names(shape);
    const std::vector<std::string> units = entry_units(shape, model, names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      all.push_back({{names[i], units[i], shape.meaning, {}}, static_cast<int>(t), static_cast<int>(i)});
    }
  }
  return all;
}

std::vector<RecordColumn> read_record_columns(const std::string& path, const std::vector<std::string>& patterns,
                                              const Catalogue& catalogue) {
  const OpenRecord record = open_record(path, catalogue);
  std::vector<RecordColumn> columns;
  int read = -1;
  std::vector<double> rows;
  for (ColumnSource& source : chosen(path, record.sources, patterns)) {
    const auto width = static_cast<std::size_t>(record.shapes[static_cast<std::size_t>(source.table)].width());
    if (source.table != read) rows = record.file.read_reals(source.table, 0, record.frames);
    read = source.table;
    source.column.values.resize(static_cast<std::size_t>(record.frames));
    for (std::size_t frame = 0; frame < source.column.values.size(); ++frame) {
      source.column.values[frame] = rows[frame * width + static_cast<std::size_t>(source.entry)];
    }
    columns.push_back(std::move(source.column));
  }
  return columns;
}

std::vector<RecordColumn> list_record_columns(const std::string& path, const Catalogue& catalogue) {
  std::vector<RecordColumn> columns;
  for (ColumnSource& source : open_record(path, catalogue).sources) columns.push_back(std::move(source.column));
  return columns;
}

}  // namespace carom
