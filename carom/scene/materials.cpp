#include "carom/scene/materials.h"

#include <algorithm>
#include <set>
#include <utility>

namespace carom {
namespace {

using Kind = YamlNode::Kind;

/// A number, [x, y], or {x: …, y: …}.
std::optional<Vec2> read_friction(const YamlNode& node, Diagnostics& diagnostics) {
  if (node.kind == Kind::list) {
    const auto both = read_numbers(node, "friction", 2, {quantity::ratio}, Range::not_negative, diagnostics);
    if (!both) return {};
    return Vec2(*both);
  }
  if (node.kind != Kind::map) {
    const auto value = read_number(node, "friction", quantity::ratio, Range::not_negative, diagnostics);
    if (!value) return {};
    return Vec2(*value, *value);
  }
  Fields fields(node, "friction", {"x", "y"}, diagnostics);
  Vec2 friction = Vec2::Zero();
  int axis = 0;
  for (const char* key : {"x", "y"}) {
    const YamlNode* value = fields.require(key, "the coefficient along the contact frame's " + std::string(key));
    if (value) {
      friction[axis] =
          read_number(*value, std::string("friction ") + key, quantity::ratio, Range::not_negative, diagnostics)
              .value_or(0);
    }
    ++axis;
  }
  return friction;
}

struct Coefficients {
  Vec2 friction = Vec2::Zero();
  double restitution = 0;
};

Coefficients read_coefficients(Fields& fields, const std::string& whose, SceneMaterials& materials,
                               Diagnostics& diagnostics) {
  Coefficients read;
  if (const YamlNode* node = fields.require("friction", "a coefficient of at least 0, or two as [x, y]")) {
    read.friction = read_friction(*node, diagnostics).value_or(Vec2::Zero());
  }
  if (const YamlNode* node = fields.find("restitution")) {
    const auto value = read_number(*node, "restitution", quantity::ratio, Range::fraction, diagnostics);
    read.restitution = value.value_or(0);
    if (read.restitution > 0) materials.bounces.push_back({whose, read.restitution, node->place});
  }
  return read;
}

void read_one_material(const YamlNode& node, SceneMaterials& materials, Diagnostics& diagnostics) {
  Fields fields(node, "a material", {"name", "friction", "restitution"}, diagnostics);
  if (!fields.is_map()) {
    materials.complete = false;
    return;
  }
  std::optional<std::string> name;
  if (const YamlNode* found = fields.require("name", "shapes refer to it")) {
    name = read_name(*found, "name", diagnostics);
  }
  const std::string whose = name ? "material " + in_quotes(*name) : "a material without a name";
  const Coefficients read = read_coefficients(fields, whose, materials, diagnostics);
  if (!name) {
    materials.complete = false;
    return;
  }
  const auto [entry, fresh] = materials.index.emplace(*name, static_cast<int>(materials.materials.size()));
  if (!fresh) {
    diagnostics.add(fields.find("name")->place,
                    "there are two materials named " + in_quotes(*name) + "; give each its own name");
    return;
  }
  materials.materials.push_back({*name, read.friction, read.restitution});
}

Combination read_rule(Fields& fields, const std::string& key, Combination otherwise, Diagnostics& diagnostics) {
  static const std::vector<std::string> names{"minimum", "maximum", "average", "geometric-mean", "product"};
  const YamlNode* node = fields.require(key, "one of " + listed(names));
  if (!node) return otherwise;
  const auto choice = read_choice(*node, "combination of " + key, names, diagnostics);
  return choice ? static_cast<Combination>(*choice) : otherwise;
}

void read_combination(const YamlNode& scene, SceneMaterials& materials, Diagnostics& diagnostics) {
  const YamlNode* node = peek(scene, "combination");
  if (node) {
    Fields fields(*node, "combination", {"friction", "restitution"}, diagnostics);
    materials.friction_rule = read_rule(fields, "friction", materials.friction_rule, diagnostics);
    materials.restitution_rule = read_rule(fields, "restitution", materials.restitution_rule, diagnostics);
  } else if (materials.materials.size() > 1) {
    diagnostics.add(peek(scene, "materials")->place,
                    "there are several materials, but no key 'combination' says what two of them do together; write, "
                    "for example, combination: {friction: geometric-mean, restitution: maximum}");
  }
}

void read_pair(const YamlNode& node, SceneMaterials& materials, std::set<std::pair<int, int>>& seen,
               Diagnostics& diagnostics) {
  Fields fields(node, "a pair", {"materials", "friction", "restitution"}, diagnostics);
  const std::string right = "the names of two materials, as in [rubber, steel]";
  const YamlNode* names = fields.require("materials", right);
  const Coefficients read = read_coefficients(fields, "this pair", materials, diagnostics);
  if (!names) return;
  if (names->kind != Kind::list || names->items.size() != 2) {
    diagnostics.add(names->place, "materials of a pair must be " + right);
    return;
  }
  const auto a = read_material_reference(names->items[0], "material", materials, diagnostics);
  const auto b = read_material_reference(names->items[1], "material", materials, diagnostics);
  if (!a || !b) return;
  if (!seen.insert(std::minmax(*a, *b)).second) {
    diagnostics.add(names->place, "this pair of materials is given already; keep one");
    return;
  }
  materials.pairs.push_back({*a, *b, {read.friction, read.restitution}});
}

}  // namespace

SceneMaterials read_materials(const YamlNode& scene, Diagnostics& diagnostics) {
  SceneMaterials materials;
  if (const YamlNode* list = peek(scene, "materials")) {
    if (list->kind != Kind::list) materials.complete = false;
    for (const YamlNode& node : read_list(*list, "materials", "materials", diagnostics)) {
      read_one_material(node, materials, diagnostics);
    }
  }
  read_combination(scene, materials, diagnostics);
  if (const YamlNode* list = peek(scene, "pairs")) {
    std::set<std::pair<int, int>> seen;
    for (const YamlNode& node : read_list(*list, "pairs", "pairs of materials", diagnostics)) {
      read_pair(node, materials, seen, diagnostics);
    }
  }
  return materials;
}

std::optional<int> read_material_reference(const YamlNode& node, const std::string& label,
                                           const SceneMaterials& materials, Diagnostics& diagnostics) {
  const auto name = read_text(node, label, diagnostics);
  if (!name) return {};
  const auto found = materials.index.find(*name);
  if (found != materials.index.end()) return found->second;
  if (!materials.complete) return {};
  std::vector<std::string> names;
  for (const Material& material : materials.materials) names.push_back(material.name);
  const std::string right =
      names.empty() ? "; list it under the key 'materials'" : suggestion(*name, names, "the materials are");
  diagnostics.add(node.place, "there is no material " + in_quotes(*name) + right);
  return {};
}

}  // namespace carom
