#include "carom/scene/restitutions.h"

#include <sstream>

namespace carom {
namespace {

using Kind = YamlNode::Kind;

std::optional<Restitution> read_capture(Fields& fields, Diagnostics& diagnostics) {
  const auto read = [&](const char* key, Quantity quantity, Range range, const char* right) -> std::optional<double> {
    const YamlNode* node = fields.require(key, right);
    if (!node) return {};
    return read_number(*node, key, quantity, range, diagnostics);
  };
  const auto capture =
      read("capture", quantity::speed, Range::not_negative, "the speed below which nothing rebounds, m/s");
  const auto plastic =
      read("plastic", quantity::speed, Range::positive, "the speed from which the coefficient no longer falls, m/s");
  const auto minimum = read("minimum", quantity::ratio, Range::fraction, "the coefficient from 'plastic' on");
  if (!capture || !plastic || !minimum) return {};
  if (*plastic < *capture) {
    std::ostringstream sentence;
    sentence << "plastic is " << *plastic << ", below capture, " << *capture << "; it must be at least that";
    diagnostics.add(fields.find("plastic")->place, sentence.str());
    return {};
  }
  return CaptureRestitution{*capture, *plastic, *minimum};
}

/// Words for the two columns of a table.
struct Columns {
  std::string first, of_first, second, of_second, rising;
};

using Points = std::vector<std::pair<double, double>>;

/// A table whose first column rises.
std::optional<Points> read_points(const YamlNode& node, const Columns& columns, Quantity quantity, Range of_first,
                                  Range of_second, Diagnostics& diagnostics) {
  const std::string right = "a pair [" + columns.first + ", " + columns.second + "], as in [0.1, 0.9]";
  if (node.kind == Kind::list && node.items.empty()) {
    diagnostics.add(node.place, "table is empty; give at least " + right);
    return {};
  }
  Points points;
  std::size_t number = 0;
  for (const YamlNode& item :
       read_list(node, "table", "pairs [" + columns.first + ", " + columns.second + "]", diagnostics)) {
    const std::string of_entry = " in entry " + std::to_string(++number) + " of table";
    if (item.kind != Kind::list || item.items.size() != 2) {
      diagnostics.add(item.place,
                      "entry " + std::to_string(number) + " of table must be " + right + ", but is " + describe(item));
      continue;
    }
    const auto x = read_number(item.items[0], columns.of_first + of_entry, quantity, of_first, diagnostics);
    const auto y = read_number(item.items[1], columns.of_second + of_entry, quantity::ratio, of_second, diagnostics);
    if (!x || !y) continue;
    if (!points.empty() && *x <= points.back().first) {
      std::ostringstream sentence;
      sentence << columns.of_first << of_entry << " is " << *x << ", after " << points.back().first << "; "
               << columns.rising << " must rise";
      diagnostics.add(item.items[0].place, sentence.str());
    }
    points.emplace_back(*x, *y);
  }
  if (number == 0 || points.size() < number) return {};
  return points;
}

std::optional<Restitution> read_table(const YamlNode& node, Diagnostics& diagnostics) {
  const auto points = read_points(node, {"speed in m/s", "the speed", "coefficient", "the coefficient", "speeds"},
                                  quantity::speed, Range::not_negative, Range::fraction, diagnostics);
  if (!points) return {};
  return TableRestitution{*points};
}

}  // namespace

std::optional<RestitutionChange> read_restitution_change(const YamlNode& node, Diagnostics& diagnostics) {
  Fields fields(node, "a restitution_change", {"along", "table"}, diagnostics);
  if (!fields.is_map()) return {};
  const YamlNode* along = fields.require("along", "a direction in the shape's frame, as in [1, 0, 0]");
  const YamlNode* points = fields.require("table", "pairs [coordinate in m, change], as in [[0, 0], [1, 0.25]]");
  if (!along || !points) return {};
  RestitutionChange change;
  const auto direction = read_direction(*along, "along", diagnostics);
  if (direction) change.along = direction->normalized();
  const auto table = read_points(*points, {"coordinate in m", "the coordinate", "change", "the change", "coordinates"},
                                 quantity::length, Range::any, Range::any, diagnostics);
  if (!direction || !table) return {};
  change.points = *table;
  return change;
}

std::optional<Restitution> read_restitution(const YamlNode& node, Diagnostics& diagnostics) {
  const std::string forms = "{capture, plastic, minimum}, {slope} or {table}";
  if (node.kind == Kind::list) {
    diagnostics.add(node.place,
                    "restitution must be a number between 0 and 1, " + forms + ", but is " + describe(node));
    return {};
  }
  if (node.kind != Kind::map) {
    const auto e = read_number(node, "restitution", quantity::ratio, Range::fraction, diagnostics);
    if (!e) return {};
    return ConstantRestitution{*e};
  }
  Fields fields(node, "a restitution", {"capture", "plastic", "minimum", "slope", "table"}, diagnostics);
  const YamlNode *slope = fields.find("slope"), *table = fields.find("table");
  const bool capture = fields.find("capture") || fields.find("plastic") || fields.find("minimum");
  const int given = (capture ? 1 : 0) + (slope ? 1 : 0) + (table ? 1 : 0);
  if (given > 1) {
    diagnostics.add(node.place, "restitution is given in several ways; keep one of " + forms);
    return {};
  }
  if (capture) return read_capture(fields, diagnostics);
  if (slope) {
    const auto d = read_number(*slope, "slope", quantity::inverse_speed, Range::not_negative, diagnostics);
    if (!d) return {};
    return LineRestitution{*d};
  }
  if (table) return read_table(*table, diagnostics);
  // A fault of what was written in its place is told already.
  if (node.keys.empty()) diagnostics.add(node.place, "restitution is an empty map; write " + forms + ", or a number");
  return {};
}

}  // namespace carom
