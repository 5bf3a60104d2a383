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

std::optional<Restitution> read_table(const YamlNode& node, Diagnostics& diagnostics) {
  const std::string right = "a pair [speed in m/s, coefficient], as in [0.1, 0.9]";
  if (node.kind == Kind::list && node.items.empty()) {
    diagnostics.add(node.place, "table is empty; give at least " + right);
    return {};
  }
  TableRestitution table;
  std::size_t number = 0;
  for (const YamlNode& item : read_list(node, "table", "pairs [speed, coefficient]", diagnostics)) {
    const std::string of_entry = " in entry " + std::to_string(++number) + " of table";
    if (item.kind != Kind::list || item.items.size() != 2) {
      diagnostics.add(item.place,
                      "entry " + std::to_string(number) + " of table must be " + right + ", but is " + describe(item));
      continue;
    }
    const auto speed =
        read_number(item.items[0], "the speed" + of_entry, quantity::speed, Range::not_negative, diagnostics);
    const auto e =
        read_number(item.items[1], "the coefficient" + of_entry, quantity::ratio, Range::fraction, diagnostics);
    if (!speed || !e) continue;
    if (!table.points.empty() && *speed <= table.points.back().first) {
      std::ostringstream sentence;
      sentence << "the speed" << of_entry << " is " << *speed << ", after " << table.points.back().first
               << "; speeds must rise";
      diagnostics.add(item.items[0].place, sentence.str());
    }
    table.points.emplace_back(*speed, *e);
  }
  if (number == 0 || table.points.size() < number) return {};
  return table;
}

}  // namespace

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
