#include "carom/scene/height_field.h"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "carom/import/mesh_file.h"

namespace carom {
namespace {

constexpr std::uintmax_t largest_file = 64u << 20;
constexpr std::string_view between = " \t\r,;";

/// Heights row by row, nx in each.
struct Rows {
  int nx = 0, ny = 0;
  std::vector<double> heights;
};

/// The numbers of a line, appended; throws Error with the end of a sentence.
void append_line(std::string_view line, const std::string& place, std::vector<double>& heights) {
  line = line.substr(0, line.find('#'));
  for (std::size_t from = line.find_first_not_of(between); from != std::string_view::npos;) {
    const std::size_t to = std::min(line.find_first_of(between, from), line.size());
    double z = 0;
    const auto [end, error] = std::from_chars(line.data() + from, line.data() + to, z);
    if (error != std::errc() || end != line.data() + to || !std::isfinite(z)) {
      throw Error(place + " holds " + in_quotes(line.substr(from, to - from)) + ", which is no finite number");
    }
    heights.push_back(z);
    from = line.find_first_not_of(between, to);
  }
}

Rows rows_of_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw Error("is no file");
  if (std::filesystem::file_size(path, error) > largest_file || error) throw Error("is larger than 64 MiB");
  std::ifstream stream(path);
  if (!stream) throw Error("cannot be opened");
  Rows rows;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    const std::string place = "line " + std::to_string(++number);
    const std::size_t before = rows.heights.size();
    append_line(line, place, rows.heights);
    const int count = static_cast<int>(rows.heights.size() - before);
    if (count == 0) continue;
    if (rows.ny > 0 && count != rows.nx) {
      throw Error(place + " has " + std::to_string(count) + " numbers, where those before have " +
                  std::to_string(rows.nx));
    }
    rows.nx = count;
    ++rows.ny;
  }
  return rows;
}

std::optional<Rows> rows_of_list(const YamlNode& list, Diagnostics& diagnostics) {
  Rows rows;
  for (const YamlNode& node : read_list(list, "heights", "rows of heights, m", diagnostics)) {
    const std::string label = "row " + std::to_string(rows.ny + 1) + " of heights";
    const auto& items = read_list(node, label, "numbers, m", diagnostics);
    if (items.empty()) return {};
    if (rows.ny > 0 && std::ssize(items) != rows.nx) {
      diagnostics.add(node.place, label + " has " + std::to_string(items.size()) +
                                      " numbers, where those before have " + std::to_string(rows.nx));
      return {};
    }
    for (const YamlNode& item : items) {
      const auto z = read_number(item, "height", quantity::length, Range::any, diagnostics);
      if (!z) return {};
      rows.heights.push_back(*z);
    }
    rows.nx = static_cast<int>(items.size());
    ++rows.ny;
  }
  return rows;
}

std::optional<Rows> read_rows(Fields& fields, Diagnostics& diagnostics) {
  fields.exclude("file", "heights", "keep one");
  if (const YamlNode* list = fields.find("heights")) return rows_of_list(*list, diagnostics);
  const YamlNode* node = fields.find("file");
  if (!node) fields.require("heights", "a list of rows of numbers, m (or 'file', a text of such rows)");
  const auto file = node ? read_text(*node, "file", diagnostics) : std::nullopt;
  if (!file) return {};
  try {
    return rows_of_file(resolve_path(*file, diagnostics.file(node->place), {}));
  } catch (const Error& error) {
    diagnostics.add(node->place, in_quotes(*file) + ": " + error.what());
    return {};
  }
}

}  // namespace

std::optional<Shape> read_height_field(Fields& fields, Diagnostics& diagnostics) {
  std::optional<VectorX> spacing;
  if (const YamlNode* node = fields.require("spacing", "the distances of samples along x and y, m, as in [0.1, 0.1]")) {
    spacing = read_numbers(*node, "spacing", 2, {quantity::length}, Range::positive, diagnostics);
  }
  auto rows = read_rows(fields, diagnostics);
  if (!spacing || !rows) return {};
  try {
    return HeightField{
        std::make_shared<const HeightGrid>(rows->nx, rows->ny, Vec2(*spacing), std::move(rows->heights))};
  } catch (const Error& error) {
    diagnostics.add(fields.place(fields.find("heights") ? "heights" : "file"), error.what());
    return {};
  }
}

}  // namespace carom
