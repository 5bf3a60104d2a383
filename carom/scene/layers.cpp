#include "carom/scene/layers.h"

#include <string>

namespace carom {
namespace {

using Kind = YamlNode::Kind;

/// A matrix of springs or dampers, and whether it says anything of directions along the surface.
struct Spring {
  Mat3 matrix = Mat3::Zero();
  bool sideways = false;
};

/// A number for the normal alone, three as [x, y, normal], or three rows of three.
std::optional<Spring> read_spring(const YamlNode& node, const std::string& label, Quantity quantity, bool coupled,
                                  Diagnostics& diagnostics) {
  Spring spring;
  if (node.kind != Kind::list) {
    const auto value = read_number(node, label, quantity, Range::not_negative, diagnostics);
    if (!value) return {};
    spring.matrix(2, 2) = *value;
    return spring;
  }
  spring.sideways = true;
  const bool is_matrix = coupled && node.items.size() == 3 && node.items[0].kind == Kind::list;
  if (!is_matrix) {
    const auto diagonal = read_numbers(node, label, 3, {quantity}, Range::not_negative, diagnostics);
    if (!diagonal) return {};
    spring.matrix = Vec3(*diagonal).asDiagonal();
    return spring;
  }
  int row = 0;
  for (const YamlNode& item : node.items) {
    const auto entries =
        read_numbers(item, "row " + std::to_string(row + 1) + " of " + label, 3, {quantity}, Range::any, diagnostics);
    if (!entries) return {};
    spring.matrix.row(row++) = entries->transpose();
  }
  return spring;
}

/// Keys that another kind of layer has.
bool belongs(const Fields& fields, const char* key, bool own, const std::string& to, Diagnostics& diagnostics) {
  if (own || !fields.find(key)) return own;
  diagnostics.add(fields.place(key),
                  std::string(key) + " belongs to layers of kind " + to + "; set kind, or remove it");
  return false;
}

void read_power_law(Fields& fields, Layer& layer, Diagnostics& diagnostics) {
  const bool linear = layer.kind == LayerKind::kelvin_voigt, damped = layer.kind == LayerKind::hunt_crossley;
  if (belongs(fields, "exponent", !linear, "hertz and hunt-crossley", diagnostics)) {
    if (const YamlNode* node = fields.find("exponent")) {
      layer.exponent =
          read_number(*node, "exponent", quantity::ratio, Range::positive, diagnostics).value_or(layer.exponent);
    }
  }
  if (!belongs(fields, "dissipation", damped, "hunt-crossley", diagnostics)) return;
  if (const YamlNode* node = fields.require("dissipation", "c of the force K d^1.5 (1 + 3/2 c d'), s/m")) {
    layer.dissipation =
        read_number(*node, "dissipation", quantity::inverse_speed, Range::not_negative, diagnostics).value_or(0);
  }
}

/// Its spacing; 0 if there is none to be read.
double read_patch(const YamlNode& node, Diagnostics& diagnostics) {
  Fields fields(node, "a patch", {"spacing"}, diagnostics);
  if (!fields.is_map()) return 0;
  const YamlNode* spacing = fields.require("spacing", "the side of the square that one element stands for, m");
  if (!spacing) return 0;
  return read_number(*spacing, "spacing", quantity::length, Range::positive, diagnostics).value_or(0);
}

}  // namespace

std::optional<Layer> read_layer(const YamlNode& node, Diagnostics& diagnostics) {
  Fields fields(node, "a layer", {"kind", "stiffness", "damping", "dissipation", "exponent", "thickness", "patch"},
                diagnostics);
  if (!fields.is_map()) return {};
  Layer layer;
  if (const YamlNode* kind = fields.find("kind")) {
    const auto choice = read_choice(*kind, "kind", layer_kind_names(), diagnostics);
    if (!choice) return {};
    layer.kind = static_cast<LayerKind>(*choice);
  }
  if (const YamlNode* patch = fields.find("patch")) layer.patch_spacing = read_patch(*patch, diagnostics);
  const Quantity of_springs = {layer.patch_spacing > 0 ? "N/m^3" : "N/m"};
  const Quantity of_dampers = {layer.patch_spacing > 0 ? "N s/m^3" : "N s/m"};
  const bool linear = layer.kind == LayerKind::kelvin_voigt;
  std::optional<Spring> stiffness;
  if (const YamlNode* found = fields.require(
          "stiffness", "a number for the normal alone, three as [x, y, normal], or a matrix of three rows, N/m")) {
    stiffness = read_spring(*found, "stiffness", of_springs, linear, diagnostics);
  }
  read_power_law(fields, layer, diagnostics);
  std::optional<Spring> damping = Spring{};
  if (belongs(fields, "damping", linear, "kelvin-voigt", diagnostics)) {
    if (const YamlNode* found = fields.find("damping")) {
      damping = read_spring(*found, "damping", of_dampers, true, diagnostics);
    }
  }
  if (const YamlNode* found = fields.find("thickness")) {
    layer.thickness =
        read_number(*found, "thickness", quantity::length, Range::positive, diagnostics).value_or(layer.thickness);
  }
  if (!stiffness || !damping) return {};
  if (damping->sideways && !stiffness->sideways) {
    diagnostics.add(fields.place("damping"),
                    "damping along the surface needs a stiffness there; write stiffness as [x, y, normal]");
    return {};
  }
  layer.stiffness = stiffness->matrix;
  layer.damping = damping->matrix;
  layer.sideways = stiffness->sideways;
  const std::vector<LayerFault> faults = layer_faults(layer);
  for (const LayerFault& fault : faults) {
    diagnostics.add(fields.place(fault.field), fault.field + " of a layer " + fault.what);
  }
  if (!faults.empty()) return {};
  return layer;
}

}  // namespace carom
