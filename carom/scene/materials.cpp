#include "carom/scene/materials.h"

#include <algorithm>
#include <set>
#include <utility>

#include "carom/scene/layers.h"
#include "carom/scene/restitutions.h"

namespace carom {
namespace {

using Kind = YamlNode::Kind;

/// A number, [x, y], or {x: …, y: …}.
std::optional<Vec2> read_friction(const YamlNode& node, const std::string& label, Diagnostics& diagnostics) {
  if (node.kind == Kind::list) {
    const auto both = read_numbers(node, label, 2, {quantity::ratio}, Range::not_negative, diagnostics);
    if (!both) return {};
    return Vec2(*both);
  }
  if (node.kind != Kind::map) {
    const auto value = read_number(node, label, quantity::ratio, Range::not_negative, diagnostics);
    if (!value) return {};
    return Vec2(*value, *value);
  }
  Fields fields(node, label, {"x", "y"}, diagnostics);
  Vec2 friction = Vec2::Zero();
  int axis = 0;
  for (const char* key : {"x", "y"}) {
    const YamlNode* value = fields.require(key, "the coefficient along the contact frame's " + std::string(key));
    if (value) {
      friction[axis] =
          read_number(*value, label + " " + key, quantity::ratio, Range::not_negative, diagnostics).value_or(0);
    }
    ++axis;
  }
  return friction;
}

/// {stiffness, restitution}.
std::optional<TangentialSpring> read_tangential_spring(const YamlNode& node, bool needs_stiffness,
                                                       Diagnostics& diagnostics) {
  Fields fields(node, "a tangential_spring", {"stiffness", "restitution"}, diagnostics);
  if (!fields.is_map()) return {};
  TangentialSpring spring;
  const char* right = "the stiffness along the surface over that of the normal, about 0.8 of one elastic material";
  if (const YamlNode* found = needs_stiffness ? fields.require("stiffness", right) : fields.find("stiffness")) {
    spring.stiffness =
        read_number(*found, "stiffness", quantity::ratio, Range::positive, diagnostics).value_or(spring.stiffness);
  }
  if (const YamlNode* found = fields.find("restitution")) {
    spring.restitution = read_number(*found, "restitution", quantity::ratio, Range::fraction, diagnostics).value_or(1);
  }
  return spring;
}

/// Reads what materials and pairs have in common. has_poisson_ratio: a tangential spring may leave its stiffness to it.
NamedPair read_coefficients(Fields& fields, const std::string& whose, bool has_poisson_ratio, SceneMaterials& materials,
                            Diagnostics& diagnostics) {
  NamedPair read;
  std::optional<Vec2> friction;
  if (const YamlNode* node = fields.require("friction", "a coefficient of at least 0, or two as [x, y]")) {
    friction = read_friction(*node, "friction", diagnostics);
    read.friction = friction.value_or(Vec2::Zero());
  }
  if (const YamlNode* node = fields.find("restitution")) {
    read.restitution = read_restitution(*node, diagnostics).value_or(Restitution());
    if (may_bounce(read.restitution)) materials.bounces.push_back({whose, node->place});
  }
  if (const YamlNode* node = fields.find("static_friction")) {
    read.static_friction = read_friction(*node, "static_friction", diagnostics);
    const bool both = friction && read.static_friction;
    if (both && (read.static_friction->array() < friction->array()).any()) {
      diagnostics.add(node->place,
                      "static_friction is below friction; what sticks must hold at least as much as what "
                      "slides, along both axes");
    } else if (both && *read.static_friction != *friction) {
      materials.frictions.push_back({"static_friction", whose, node->place});
    }
  }
  if (const YamlNode* node = fields.find("impact_friction")) {
    read.impact_friction = read_friction(*node, "impact_friction", diagnostics);
    const bool both = friction && read.impact_friction;
    if (both && *read.impact_friction != *friction) {
      materials.frictions.push_back({"impact_friction", whose, node->place});
    }
  }
  if (const YamlNode* node = fields.find("impact_friction_slope")) {
    const auto value = read_number(*node, "impact_friction_slope", quantity::inverse_speed, Range::any, diagnostics);
    read.impact_friction_slope = value.value_or(0);
    if (read.impact_friction_slope != 0) materials.frictions.push_back({"impact_friction_slope", whose, node->place});
  }
  if (const YamlNode* node = fields.find("tangential_spring")) {
    read.tangential_spring = read_tangential_spring(*node, !has_poisson_ratio, diagnostics);
    materials.frictions.push_back({"tangential_spring", whose, node->place});
  }
  if (const YamlNode* node = fields.find("viscous_friction")) {
    const auto value =
        read_number(*node, "viscous_friction", quantity::inverse_speed, Range::not_negative, diagnostics);
    read.viscous_friction = value.value_or(0);
    if (read.viscous_friction > 0) materials.frictions.push_back({"viscous_friction", whose, node->place});
  }
  if (const YamlNode* node = fields.find("torsional_friction")) {
    const auto value = read_number(*node, "torsional_friction", quantity::length, Range::not_negative, diagnostics);
    read.torsional_friction = value.value_or(0);
    if (read.torsional_friction > 0) materials.frictions.push_back({"torsional_friction", whose, node->place});
  }
  return read;
}

void read_elasticity(const Fields& fields, Material& material, Diagnostics& diagnostics) {
  const auto read = [&](const char* key, Quantity quantity, Range range, double& value) {
    if (const YamlNode* node = fields.find(key)) {
      value = read_number(*node, key, quantity, range, diagnostics).value_or(value);
    }
  };
  read("youngs_modulus", quantity::pressure, Range::positive, material.youngs_modulus);
  read("poisson_ratio", quantity::ratio, Range::any, material.poisson_ratio);
  read("dissipation", quantity::inverse_speed, Range::not_negative, material.dissipation);
  read("contact_radius", quantity::length, Range::positive, material.contact_radius);
  if (!(material.poisson_ratio > -1 && material.poisson_ratio < 0.5)) {
    const YamlNode& node = *fields.find("poisson_ratio");
    diagnostics.add(node.place, "poisson_ratio is " + node.text + "; it must lie between -1 and 0.5 and be neither");
  }
}

void read_one_material(const YamlNode& node, SceneMaterials& materials, Diagnostics& diagnostics) {
  Fields fields(node, "a material",
                {"name", "friction", "restitution", "static_friction", "impact_friction", "viscous_friction",
                 "torsional_friction", "youngs_modulus", "poisson_ratio", "dissipation", "contact_radius", "layer",
                 "impact_friction_slope", "tangential_spring"},
                diagnostics);
  if (!fields.is_map()) {
    materials.complete = false;
    return;
  }
  std::optional<std::string> name;
  if (const YamlNode* found = fields.require("name", "shapes refer to it")) {
    name = read_name(*found, "name", diagnostics);
  }
  const std::string whose = name ? "material " + in_quotes(*name) : "a material without a name";
  const NamedPair own = read_coefficients(fields, whose, true, materials, diagnostics);
  Material material;
  material.friction = own.friction;
  material.restitution = own.restitution;
  material.static_friction = own.static_friction;
  material.impact_friction = own.impact_friction;
  material.viscous_friction = own.viscous_friction;
  material.torsional_friction = own.torsional_friction;
  material.impact_friction_slope = own.impact_friction_slope;
  material.tangential_spring = own.tangential_spring;
  read_elasticity(fields, material, diagnostics);
  const YamlNode* spring = fields.find("tangential_spring");
  if (material.tangential_spring && peek(*spring, "stiffness") == nullptr) {
    const double nu = material.poisson_ratio;
    material.tangential_spring->stiffness = 2 * (1 - nu) / (2 - nu);  // Mindlin
  }
  if (const YamlNode* layer = fields.find("layer")) material.layer = read_layer(*layer, diagnostics);
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
  material.name = *name;
  if (fields.find("youngs_modulus") && !fields.find("poisson_ratio")) materials.default_poisson_ratio.push_back(*name);
  materials.places[*name] = fields.find("layer") ? fields.place("layer") : node.place;
  materials.materials.push_back(std::move(material));
}

/// `needed`: the rule has something to combine.
Combination read_rule(Fields& fields, const std::string& key, bool needed, Combination otherwise,
                      Diagnostics& diagnostics) {
  static const std::vector<std::string> names{"minimum", "maximum", "average", "geometric-mean", "product"};
  const YamlNode* node = needed ? fields.require(key, "one of " + listed(names)) : fields.find(key);
  if (!node) return otherwise;
  const auto choice = read_choice(*node, "combination of " + key, names, diagnostics);
  return choice ? static_cast<Combination>(*choice) : otherwise;
}

void read_combination(const YamlNode& scene, SceneMaterials& materials, Diagnostics& diagnostics) {
  const YamlNode* node = peek(scene, "combination");
  materials.combination_is_given = node != nullptr;
  if (node) {
    Fields fields(*node, "combination", {"friction", "restitution"}, diagnostics);
    materials.friction_rule = read_rule(fields, "friction", true, materials.friction_rule, diagnostics);
    materials.restitution_rule =
        read_rule(fields, "restitution", !materials.bounces.empty(), materials.restitution_rule, diagnostics);
  } else if (materials.materials.size() > 1) {
    diagnostics.add(peek(scene, "materials")->place,
                    "there are several materials, but no key 'combination' says what two of them do together; write, "
                    "for example, combination: {friction: geometric-mean, restitution: maximum}");
  }
}

void read_pair(const YamlNode& node, SceneMaterials& materials, std::set<std::pair<int, int>>& seen,
               Diagnostics& diagnostics) {
  Fields fields(node, "a pair",
                {"materials", "bodies", "shapes", "friction", "restitution", "static_friction", "impact_friction",
                 "viscous_friction", "torsional_friction", "impact_friction_slope", "tangential_spring"},
                diagnostics);
  const YamlNode *bodies = fields.find("bodies"), *shapes = fields.find("shapes");
  for (const auto& [key, other] : {std::pair("materials", "bodies"), {"materials", "shapes"}, {"bodies", "shapes"}}) {
    fields.exclude(key, other, "a pair is of materials, of bodies or of shapes; keep one");
  }
  const YamlNode* of_owners = bodies != nullptr ? bodies : shapes;
  const std::string of_materials = "the names of two materials, as in [rubber, steel]";
  const YamlNode* names = of_owners != nullptr ? of_owners : fields.require("materials", of_materials);
  NamedPair read = read_coefficients(fields, "this pair", false, materials, diagnostics);
  if (!names) return;
  const std::string kind = bodies != nullptr ? "bodies" : shapes != nullptr ? "shapes" : "materials";
  if (names->kind != Kind::list || names->items.size() != 2) {
    const std::string right = bodies != nullptr ? "two names of bodies (or world), as in [finger, mug]"
                              : shapes != nullptr
                                  ? "two names of shapes with their owners, as in [foot/pad, world/floor]"
                                  : of_materials;
    diagnostics.add(names->place, kind + " of a pair must be " + right);
    return;
  }
  if (of_owners != nullptr) {
    materials.surface_pairs.push_back({of_owners, shapes != nullptr, std::move(read)});
    return;
  }
  const auto a = read_material_reference(names->items[0], "material", materials, diagnostics);
  const auto b = read_material_reference(names->items[1], "material", materials, diagnostics);
  if (!a || !b) return;
  if (!seen.insert(std::minmax(*a, *b)).second) {
    diagnostics.add(names->place, "this pair of materials is given already; keep one");
    return;
  }
  materials.pairs.push_back({*a, *b, std::move(read)});
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
