#include "carom/scene/values.h"

#include <charconv>
#include <cmath>
#include <numbers>
#include <sstream>
#include <string_view>

namespace carom {
namespace {

using Kind = YamlNode::Kind;

enum class Scan { number, not_a_number, too_large };

/// The whole of `text` as a decimal number. Independent of the locale.
Scan scan(std::string_view text, double& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range && end == text.data() + text.size()) return Scan::too_large;
  if (error != std::errc() || end != text.data() + text.size()) return Scan::not_a_number;
  return Scan::number;
}

/// .inf and .nan as YAML writes them, and what other programs write for them.
bool is_not_finite(std::string_view text, double& value) {
  std::string word;
  for (const char letter : text) {
    if (letter != '.') word += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  const bool negative = !word.empty() && word[0] == '-';
  if (negative || (!word.empty() && word[0] == '+')) word.erase(0, 1);
  if (word == "inf" || word == "infinity") {
    value = negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    return true;
  }
  if (word != "nan") return false;
  value = std::numeric_limits<double>::quiet_NaN();
  return true;
}

/// "30 deg": takes the unit off and says by what to multiply.
double take_unit(std::string_view& text, Quantity quantity) {
  const char* suffix = quantity.degrees == Quantity::Degrees::angle ? "deg" : "deg/s";
  const std::string_view unit(suffix);
  if (quantity.degrees == Quantity::Degrees::no || !text.ends_with(unit)) return 1;
  std::string_view rest = text.substr(0, text.size() - unit.size());
  while (rest.ends_with(' ')) rest.remove_suffix(1);
  text = rest;
  return std::numbers::pi / 180;
}

std::string right_number(Quantity quantity) {
  const std::string unit = quantity.unit;
  if (quantity.degrees == Quantity::Degrees::angle) return "a number (" + unit + "), or degrees as in '30 deg'";
  if (quantity.degrees == Quantity::Degrees::rate) return "a number (" + unit + "), or degrees as in '30 deg/s'";
  return "a number (" + unit + ")";
}

std::string range_fault(double value, Range range) {
  switch (range) {
    case Range::positive:
      return value > 0 ? "" : "it must be positive";
    case Range::not_negative:
      return value >= 0 ? "" : "it must not be negative";
    case Range::fraction:
      return value >= 0 && value <= 1 ? "" : "it must lie between 0 and 1";
    case Range::any:
    case Range::limit:
      break;
  }
  return {};
}

std::string wrong_kind(const std::string& label, const std::string& right, const YamlNode& node) {
  if (node.kind == Kind::null) return label + " has no value; write " + right;
  return label + " must be " + right + ", but is " + describe(node);
}

Orientation from_quaternion(const Quaternion& q) {
  const Quaternion unit = q.normalized();
  return {unit, unit.toRotationMatrix()};
}

std::optional<Orientation> read_quaternion(const YamlNode& node, const std::string& label, Diagnostics& diagnostics) {
  const auto wxyz = read_numbers(node, label, 4, {quantity::ratio}, Range::any, diagnostics);
  if (!wxyz) return {};
  const double norm = wxyz->norm();
  if (!(std::abs(norm - 1) <= 1e-3)) {
    std::ostringstream sentence;
    sentence << label << " is a quaternion of length " << norm
             << "; a rotation is one of length 1, in the order w, x, y, z";
    diagnostics.add(node.place, sentence.str());
    return {};
  }
  return from_quaternion(Quaternion((*wxyz)[0], (*wxyz)[1], (*wxyz)[2], (*wxyz)[3]));
}

std::optional<Orientation> read_axis_angle(Fields& fields, Diagnostics& diagnostics) {
  const YamlNode* axis_node = fields.require("axis", "the direction to turn about, three numbers");
  const YamlNode* angle_node = fields.require("angle", "how far to turn, rad, or degrees as in '30 deg'");
  std::optional<Vec3> axis;
  std::optional<double> angle;
  if (axis_node) axis = read_direction(*axis_node, "axis", diagnostics);
  if (angle_node) angle = read_number(*angle_node, "angle", quantity::angle, Range::any, diagnostics);
  if (!axis || !angle) return {};
  return from_quaternion(Quaternion(Eigen::AngleAxisd(*angle, *axis)));
}

}  // namespace

Quantity quantity_of(const YamlNode& node, const char* unit) {
  if (node.text.ends_with("deg")) return quantity::angle;
  return node.text.ends_with("deg/s") ? quantity::angular_rate : Quantity{unit};
}

std::optional<double> read_number(const YamlNode& node, const std::string& label, Quantity quantity, Range range,
                                  Diagnostics& diagnostics) {
  if (node.kind != Kind::scalar) {
    diagnostics.add(node.place, wrong_kind(label, right_number(quantity), node));
    return {};
  }
  if (node.quoted) {
    diagnostics.add(node.place, label + " must be " + right_number(quantity) + ", but is the text " +
                                    in_quotes(node.text) + "; write it without quotes");
    return {};
  }
  std::string_view text = node.text;
  const double factor = take_unit(text, quantity);
  double value = 0;
  if (is_not_finite(text, value)) {
    if (range == Range::limit && !std::isnan(value)) return value;
    diagnostics.add(node.place, label + " is " + in_quotes(node.text) + "; it must be finite");
    return {};
  }
  const Scan result = scan(text, value);
  if (result == Scan::not_a_number) {
    diagnostics.add(node.place, wrong_kind(label, right_number(quantity), node));
    return {};
  }
  if (result == Scan::too_large) {
    diagnostics.add(node.place, label + " is " + in_quotes(node.text) +
                                    ", which no double-precision number holds; magnitudes go from 1e-307 to 1e308");
    return {};
  }
  value *= factor;
  if (const std::string fault = range_fault(value, range); !fault.empty()) {
    diagnostics.add(node.place, label + " is " + node.text + "; " + fault);
    return {};
  }
  return value;
}

std::optional<VectorX> read_numbers(const YamlNode& node, const std::string& label, int size,
                                    const std::vector<Quantity>& quantities, Range range, Diagnostics& diagnostics) {
  std::vector<std::string> units;
  units.reserve(quantities.size());
  for (const Quantity& quantity : quantities) units.push_back(quantity.unit);
  const std::string right = "a list of " + std::to_string(size) + " numbers (" + listed(units) + ")";
  if (node.kind != Kind::list) {
    diagnostics.add(node.place, wrong_kind(label, right, node));
    return {};
  }
  if (static_cast<int>(node.items.size()) != size) {
    diagnostics.add(node.place, label + " must be " + right + ", but has " + std::to_string(node.items.size()));
    return {};
  }
  VectorX values(size);
  bool complete = true;
  for (int i = 0; i < size; ++i) {
    const auto index = std::min<std::size_t>(i, quantities.size() - 1);
    const std::string entry = "entry " + std::to_string(i + 1) + " of " + label;
    const auto value = read_number(node.items[i], entry, quantities[index], range, diagnostics);
    if (value) {
      values[i] = *value;
    } else {
      complete = false;
    }
  }
  if (!complete) return {};
  return values;
}

std::optional<Vec3> read_vector(const YamlNode& node, const std::string& label, Quantity quantity, Range range,
                                Diagnostics& diagnostics) {
  const auto values = read_numbers(node, label, 3, {quantity}, range, diagnostics);
  if (!values) return {};
  return Vec3(*values);
}

std::optional<Vec3> read_direction(const YamlNode& node, const std::string& label, Diagnostics& diagnostics) {
  if (node.kind != Kind::list) {
    diagnostics.add(node.place, wrong_kind(label, "a direction, three numbers as in [0, 1, 0]", node));
    return {};
  }
  const auto vector = read_vector(node, label, quantity::ratio, Range::any, diagnostics);
  if (!vector) return {};
  const double length = vector->stableNorm();
  if (!(length > 0)) {
    diagnostics.add(node.place, label + " is zero; a direction needs a vector other than zero");
    return {};
  }
  return Vec3(*vector / length).normalized();
}

std::optional<int> read_integer(const YamlNode& node, const std::string& label, Diagnostics& diagnostics) {
  int value = 0;
  if (node.kind == Kind::scalar && !node.quoted) {
    const char* end = node.text.data() + node.text.size();
    const auto [stop, error] = std::from_chars(node.text.data(), end, value);
    if (error == std::errc() && stop == end) return value;
  }
  diagnostics.add(node.place, wrong_kind(label, "a whole number", node));
  return {};
}

std::optional<bool> read_boolean(const YamlNode& node, const std::string& label, Diagnostics& diagnostics) {
  if (node.kind == Kind::scalar && !node.quoted) {
    if (node.text == "true") return true;
    if (node.text == "false") return false;
  }
  diagnostics.add(node.place, wrong_kind(label, "true or false", node));
  return {};
}

std::optional<std::string> read_text(const YamlNode& node, const std::string& label, Diagnostics& diagnostics) {
  if (node.kind == Kind::scalar) return node.text;
  diagnostics.add(node.place, wrong_kind(label, "a text", node));
  return {};
}

std::optional<std::string> read_name(const YamlNode& node, const std::string& label, Diagnostics& diagnostics) {
  auto text = read_text(node, label, diagnostics);
  if (!text) return {};
  bool fit = !text->empty();
  for (const char byte : *text) fit = fit && byte != '/' && static_cast<unsigned char>(byte) >= 0x20 && byte != 0x7F;
  if (fit) return text;
  diagnostics.add(node.place, label + " is " + in_quotes(*text) + "; it must be a text without '/' and line breaks");
  return {};
}

std::optional<int> read_choice(const YamlNode& node, const std::string& label, const std::vector<std::string>& choices,
                               Diagnostics& diagnostics) {
  if (node.kind != Kind::scalar) {
    diagnostics.add(node.place, wrong_kind(label, "one of " + listed(choices), node));
    return {};
  }
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i] == node.text) return static_cast<int>(i);
  }
  diagnostics.add(node.place,
                  "unknown " + label + " " + in_quotes(node.text) + suggestion(node.text, choices, "there are"));
  return {};
}

Orientation turn_z_to(const Vec3& direction) {
  const double cosine = direction.z();
  if (cosine < -1 + 1e-12) return {Quaternion(0, 1, 0, 0), Vec3(1, -1, -1).asDiagonal()};
  const Vec3 v(-direction.y(), direction.x(), 0);  // z × direction: its length is the sine
  const Mat3 K = skew(v);
  return {Quaternion(1 + cosine, v.x(), v.y(), 0).normalized(), Mat3::Identity() + K + K * K / (1 + cosine)};
}

std::optional<Orientation> read_orientation(const YamlNode& node, const std::string& label, Diagnostics& diagnostics) {
  if (node.kind == Kind::list) return read_quaternion(node, label, diagnostics);
  if (node.kind != Kind::map) {
    const std::string right = "a quaternion [w, x, y, z] or a map with axis and angle, roll_pitch_yaw, or z_axis";
    diagnostics.add(node.place, wrong_kind(label, right, node));
    return {};
  }
  Fields fields(node, "an orientation", {"axis", "angle", "roll_pitch_yaw", "z_axis"}, diagnostics);
  const YamlNode* angles = fields.find("roll_pitch_yaw");
  const YamlNode* z_axis = fields.find("z_axis");
  const bool turn = fields.find("axis") || fields.find("angle");
  if ((angles ? 1 : 0) + (z_axis ? 1 : 0) + (turn ? 1 : 0) > 1) {
    diagnostics.add(node.place, label + " is given in two ways; keep one of axis and angle, roll_pitch_yaw, or z_axis");
    return {};
  }
  if (angles) {
    const auto rpy = read_vector(*angles, "roll_pitch_yaw", quantity::angle, Range::any, diagnostics);
    if (!rpy) return {};
    return from_quaternion(Eigen::AngleAxisd(rpy->z(), Vec3::UnitZ()) * Eigen::AngleAxisd(rpy->y(), Vec3::UnitY()) *
                           Eigen::AngleAxisd(rpy->x(), Vec3::UnitX()));
  }
  if (z_axis) {
    const auto direction = read_direction(*z_axis, "z_axis", diagnostics);
    if (!direction) return {};
    return turn_z_to(*direction);
  }
  if (!turn && !node.keys.empty()) return {};  // all keys are unknown, and told as such
  return read_axis_angle(fields, diagnostics);
}

Transform read_frame(const Fields& fields, const std::string& key, Diagnostics& diagnostics) {
  const YamlNode* node = fields.find(key);
  if (!node) return {};
  Fields frame(*node, key, {"position", "orientation"}, diagnostics);
  return read_pose(frame, diagnostics);
}

std::optional<Mat3> read_common_axis(const Fields& fields, const char* const (&sides)[2], const std::string& whose,
                                     Diagnostics& diagnostics) {
  const YamlNode* node = fields.find("axis");
  if (!node) return {};
  for (const char* side : sides) {
    const YamlNode* frame = fields.find(side);
    if (!frame || !peek(*frame, "orientation")) continue;
    diagnostics.add(fields.place("axis"), std::string("the axis and the orientation of ") + side + " both turn " +
                                              whose + " frame; keep one of them");
    return {};
  }
  const auto axis = read_direction(*node, "axis", diagnostics);
  if (!axis) return {};
  return turn_z_to(*axis).R;
}

std::string read_unique_name(Fields& fields, const std::string& what, std::set<std::string>& names,
                             Diagnostics& diagnostics) {
  const YamlNode* node = fields.require("name", "messages refer to it");
  if (!node) return "";
  std::string name = read_name(*node, "name", diagnostics).value_or("");
  if (!name.empty() && !names.insert(name).second) {
    diagnostics.add(node->place, "there are two " + what + " named " + in_quotes(name) + "; give each its own name");
  }
  return name;
}

}  // namespace carom
