#include "carom/scene/time_functions.h"

namespace carom {
namespace {

std::optional<std::vector<double>> read_sequence(const YamlNode& node, const std::string& label, Quantity quantity,
                                                 Diagnostics& diagnostics) {
  const std::vector<YamlNode>& entries = read_list(node, label, "numbers", diagnostics);
  if (node.kind != YamlNode::Kind::list) return {};
  if (entries.empty()) {
    diagnostics.add(node.place, label + " is empty; give at least one number");
    return {};
  }
  const auto numbers = read_numbers(node, label, static_cast<int>(entries.size()), {quantity}, Range::any, diagnostics);
  if (!numbers) return {};
  return std::vector<double>(numbers->begin(), numbers->end());
}

void read_sinusoid(const YamlNode& node, Quantity quantity, TimeFunction& function, Diagnostics& diagnostics) {
  Fields fields(node, "a sine", {"amplitude", "frequency", "phase"}, diagnostics);
  const auto number = [&](const YamlNode* found, const char* key, Quantity measure) {
    return found ? read_number(*found, key, measure, Range::any, diagnostics).value_or(0) : 0;
  };
  Sinusoid sinusoid;
  sinusoid.amplitude = number(fields.require("amplitude", "how far it swings"), "amplitude", quantity);
  sinusoid.frequency = number(fields.require("frequency", "how often, in Hz"), "frequency", quantity::frequency);
  sinusoid.phase = number(fields.find("phase"), "phase", quantity::angle);
  function.sinusoids.push_back(sinusoid);
}

void read_sinusoids(const YamlNode& node, Quantity quantity, TimeFunction& function, Diagnostics& diagnostics) {
  if (node.kind != YamlNode::Kind::list) {
    read_sinusoid(node, quantity, function, diagnostics);
    return;
  }
  for (const YamlNode& sine : node.items) read_sinusoid(sine, quantity, function, diagnostics);
}

}  // namespace

std::optional<TimeFunction> read_time_function(const YamlNode& node, const std::string& label, Quantity quantity,
                                               Diagnostics& diagnostics) {
  if (node.kind != YamlNode::Kind::map) {
    const auto value = read_number(node, label, quantity, Range::any, diagnostics);
    if (!value) return {};
    return TimeFunction::constant(*value);
  }
  Fields fields(node, label, {"polynomial", "sine", "times", "values"}, diagnostics);
  TimeFunction function;
  bool whole = true;
  const auto sequence = [&](const char* key, Quantity measure, std::vector<double>& numbers) {
    const YamlNode* found = fields.find(key);
    if (!found) return;
    const auto read = read_sequence(*found, key, measure, diagnostics);
    whole = whole && read.has_value();
    if (read) numbers = *read;
  };
  sequence("polynomial", quantity, function.polynomial);
  sequence("times", quantity::time, function.times);
  sequence("values", quantity, function.values);
  if (const YamlNode* sine = fields.find("sine")) read_sinusoids(*sine, quantity, function, diagnostics);
  if (!whole) return {};
  if (node.items.empty()) {
    diagnostics.add(node.place, label + " is empty; give a number, polynomial, sine, or times and values");
    return {};
  }
  const std::string fault = time_function_fault(function);
  if (!fault.empty()) {
    diagnostics.add(node.place, label + " " + fault);
    return {};
  }
  return function;
}

FramePath read_path(const YamlNode& node, Diagnostics& diagnostics) {
  Fields fields(node, "path", {"position", "axis", "angle"}, diagnostics);
  FramePath path;
  path.moves = true;
  if (const YamlNode* position = fields.find("position")) {
    const std::vector<YamlNode>& entries = read_list(*position, "position", "three values over time", diagnostics);
    if (position->kind == YamlNode::Kind::list && entries.size() != 3) {
      diagnostics.add(position->place, "position must be three values over time (m), x, y and z, but has " +
                                           std::to_string(entries.size()));
    } else if (entries.size() == 3) {
      for (int k = 0; k < 3; ++k) {
        path.position[k] =
            read_time_function(entries[k], "position", quantity::length, diagnostics).value_or(TimeFunction());
      }
    }
  }
  if (const YamlNode* axis = fields.find("axis")) {
    path.axis = read_direction(*axis, "axis", diagnostics).value_or(Vec3::UnitZ());
    fields.require("angle", "how far the frame is turned about the axis over time, rad");
  }
  if (const YamlNode* angle = fields.find("angle")) {
    fields.require("axis", "the direction to turn about");
    path.angle = read_time_function(*angle, "angle", quantity::angle, diagnostics).value_or(TimeFunction());
  }
  if (fields.is_map() && node.items.empty())
    diagnostics.add(node.place, "path is empty; give position, or axis and angle");
  return path;
}

}  // namespace carom
