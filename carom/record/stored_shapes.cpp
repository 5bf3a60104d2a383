#include "carom/record/stored_shapes.h"

#include <algorithm>
#include <cmath>

namespace carom::stored {
namespace {

bool are_places(const std::vector<int>& numbers, std::size_t count) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [&](int number) { return number >= 0 && static_cast<std::size_t>(number) < count; });
}

bool are_faces(const std::vector<Polyhedron::Face>& faces, std::size_t vertices) {
  return std::all_of(faces.begin(), faces.end(), [&](const Polyhedron::Face& face) {
    return face.vertices.size() >= 3 && are_places(face.vertices, vertices) && face.normal.allFinite() &&
           std::isfinite(face.offset);
  });
}

bool are_finite(const std::vector<Vec3>& points) {
  return std::all_of(points.begin(), points.end(), [](const Vec3& point) { return point.allFinite(); });
}

/// Places on the stack that the formula's value needs; 0 if an operation lacks an operand, or more than one value is
/// left.
int depth_of(const SurfaceFormula& formula) {
  using Operation = SurfaceFormula::Operation;
  int on_stack = 0, deepest = 0;
  for (const SurfaceFormula::Step& step : formula.steps) {
    const bool puts = step.operation <= Operation::z,
               of_two = step.operation >= Operation::add && step.operation <= Operation::power;
    if (on_stack < (puts ? 0 : of_two ? 2 : 1)) return 0;
    on_stack += puts ? 1 : of_two ? -1 : 0;
    deepest = std::max(deepest, on_stack);
  }
  return on_stack == 1 ? deepest : 0;
}

}  // namespace

std::shared_ptr<const Polyhedron> Made<Polyhedron>::value(Polyhedron polyhedron, std::string& fault) {
  const std::size_t count = polyhedron.vertices.size();
  const auto& neighbours = polyhedron.neighbours;
  const bool joined = neighbours.size() == count &&
                      std::all_of(neighbours.begin(), neighbours.end(),
                                  [&](const std::vector<int>& of_one) { return are_places(of_one, count); });
  const bool sound = count >= 4 && are_finite(polyhedron.vertices) && joined && polyhedron.faces.size() >= 4 &&
                     !polyhedron.flats.empty() && are_faces(polyhedron.faces, count) &&
                     are_faces(polyhedron.flats, count) && std::isfinite(polyhedron.radius) &&
                     std::isfinite(polyhedron.inner_radius);
  if (!sound) fault = "this is no polyhedron: its corners and faces do not fit together";
  return std::make_shared<const Polyhedron>(std::move(polyhedron));
}

std::shared_ptr<const HeightGrid> Made<HeightGrid>::value(HeightGridFields fields, std::string&) {
  return std::make_shared<const HeightGrid>(fields.nx, fields.ny, fields.spacing, std::move(fields.heights));
}

std::shared_ptr<const ImplicitSolid> Made<ImplicitSolid>::value(ImplicitSolid solid, std::string& fault) {
  check(solid.body);
  const bool sound = solid.hull && !solid.points.empty() && solid.points.size() == solid.ends.size() &&
                     are_finite(solid.points) && are_places(solid.ends, solid.body.surfaces.size()) &&
                     (solid.upper.array() > solid.lower.array()).all() && std::isfinite(solid.radius) &&
                     solid.radius > 0 && std::isfinite(solid.inner_radius);
  if (!sound) fault = "this is no solid: its numbers do not fit together";
  return std::make_shared<const ImplicitSolid>(std::move(solid));
}

std::shared_ptr<const SurfaceFormula> Made<SurfaceFormula>::value(SurfaceFormula formula, std::string& fault) {
  const int depth = depth_of(formula);
  if (depth < 1 || depth > SurfaceFormula::deepest) fault = "this is no formula: its operations do not fit together";
  return std::make_shared<const SurfaceFormula>(std::move(formula));
}

std::shared_ptr<const ParametricSheet> Made<ParametricSheet>::value(ParametricFormulas formulas, std::string& fault) {
  const bool whole =
      std::all_of(formulas.of.begin(), formulas.of.end(), [](const auto& one) { return one != nullptr; });
  if (whole) return std::make_shared<const ParametricSheet>(formulas);
  fault = "a formula is missing";
  return nullptr;
}

}  // namespace carom::stored
