#include "carom/scene/smooth_shapes.h"

#include "carom/error.h"
#include "carom/geometry/implicit/parametric_solid.h"
#include "carom/scene/expression.h"
#include "carom/scene/surface_formula.h"

namespace carom {

std::optional<Shape> read_cone(Fields& fields, Diagnostics& diagnostics) {
  const auto length = [&](const char* key, const char* what) -> std::optional<double> {
    const YamlNode* node = fields.require(key, what);
    if (!node) return {};
    return read_number(*node, key, quantity::length, Range::positive, diagnostics);
  };
  const auto radius = length("radius", "of the base, m");
  const auto height = length("height", "from the base to the tip, m");
  const auto tip = length("tip_radius", "the radius of curvature of the blunt tip, m");
  if (!radius || !height || !tip) return {};
  return Cone{*radius, *height, *tip};
}

std::optional<Shape> read_superquadric(Fields& fields, Diagnostics& diagnostics) {
  const YamlNode* axes_node = fields.require("semi_axes", "half the widths along x, y and z, m");
  const YamlNode* exponents_node = fields.require("exponents", "of |x|, |y| and |z|, or one for all");
  if (!axes_node || !exponents_node) return {};
  const auto axes = read_vector(*axes_node, "semi_axes", quantity::length, Range::positive, diagnostics);
  std::optional<Vec3> exponents;
  if (exponents_node->kind == YamlNode::Kind::list) {
    exponents = read_vector(*exponents_node, "exponents", quantity::ratio, Range::positive, diagnostics);
  } else if (const auto all =
                 read_number(*exponents_node, "exponents", quantity::ratio, Range::positive, diagnostics)) {
    exponents = Vec3::Constant(*all);
  }
  if (!axes || !exponents) return {};
  return Superquadric{*axes, *exponents};
}

std::optional<Shape> read_implicit(Fields& fields, Diagnostics& diagnostics) {
  const YamlNode* list = fields.require("inequalities", "formulas in x, y and z (m) that are negative inside the body");
  if (!list) return {};
  Vec3 inside = Vec3::Zero();
  if (const YamlNode* node = fields.find("inside")) {
    const auto point = read_vector(*node, "inside", quantity::length, Range::any, diagnostics);
    if (!point) return {};
    inside = *point;
  }
  std::vector<ImplicitSurface> surfaces;
  bool complete = list->kind == YamlNode::Kind::list;  // what is none read_list tells of
  for (const YamlNode& node : read_list(*list, "inequalities", "formulas in x, y and z", diagnostics)) {
    const auto text = read_text(node, "inequality", diagnostics);
    complete = complete && text;
    if (!text) continue;
    try {
      surfaces.emplace_back(FormulaSurface{std::make_shared<const SurfaceFormula>(surface_formula(*text))});
    } catch (const ExpressionFault& fault) {
      diagnostics.add(node.place, fault.message);
      complete = false;
    }
  }
  if (!complete) return {};
  if (surfaces.empty()) {
    diagnostics.add(list->place, "an implicit shape needs at least one inequality; without any it is all space");
    return {};
  }
  try {
    return ImplicitShape{std::make_shared<const ImplicitSolid>(implicit_solid(std::move(surfaces), inside))};
  } catch (const Error& error) {
    diagnostics.add(list->place, error.what());
    return {};
  }
}

std::optional<Shape> read_parametric(Fields& fields, Diagnostics& diagnostics) {
  ParametricFormulas formulas;
  bool complete = true;
  std::size_t axis = 0;
  for (const char* key : {"x", "y", "z"}) {
    const YamlNode* node = fields.require(key, "a formula in u and v, m");
    const auto text = node ? read_text(*node, key, diagnostics) : std::optional<std::string>();
    complete = complete && text;
    if (text) {
      try {
        formulas.of[axis] = std::make_shared<const SurfaceFormula>(surface_formula(*text, {"u", "v"}));
      } catch (const ExpressionFault& fault) {
        diagnostics.add(node->place, fault.message);
        complete = false;
      }
    }
    ++axis;
  }
  for (const auto& [key, range] : {std::pair{"u", &formulas.u}, std::pair{"v", &formulas.v}}) {
    const YamlNode* node = fields.require(key, "its range as [from, to]");
    std::optional<VectorX> both;
    if (node) both = read_numbers(*node, key, 2, {quantity::ratio}, Range::any, diagnostics);
    complete = complete && both;
    if (both) *range = {(*both)[0], (*both)[1]};
  }
  if (!complete) return {};
  try {
    return ImplicitShape{std::make_shared<const ImplicitSolid>(parametric_solid(formulas))};
  } catch (const Error& error) {
    diagnostics.add(fields.place("x"), error.what());
    return {};
  }
}

}  // namespace carom
