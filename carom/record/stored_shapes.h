#pragma once

#include "carom/geometry/implicit/implicit_solid.h"
#include "carom/record/stored_json.h"

// Field lists of shapes.
namespace carom::stored {

template <Same<Transform> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [R, p] = part;
  f("R", R);
  f("p", p);
}
template <Same<SpatialInertia> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [mass, center, central] = part;
  f("mass", mass);
  f("center", center);
  f("central", central);
}
template <Same<Sphere> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [radius] = part;
  f("radius", radius);
}
template <Same<Box> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [half_extents] = part;
  f("half_extents", half_extents);
}
template <Same<Capsule> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [radius, half_length] = part;
  f("radius", radius);
  f("half_length", half_length);
}
template <Same<Cylinder> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [radius, half_length] = part;
  f("radius", radius);
  f("half_length", half_length);
}
template <Same<Ellipsoid> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [semi_axes] = part;
  f("semi_axes", semi_axes);
}
template <Same<ConvexMesh> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [polyhedron] = part;
  f("polyhedron", polyhedron);
}
template <Same<HeightField> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [grid] = part;
  f("grid", grid);
}
template <Same<Cone> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [radius, height, tip_radius] = part;
  f("radius", radius);
  f("height", height);
  f("tip_radius", tip_radius);
}
template <Same<Superquadric> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [semi_axes, exponents] = part;
  f("semi_axes", semi_axes);
  f("exponents", exponents);
}
template <Same<RoundedPolytope> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [core, radius] = part;
  f("core", core);
  f("radius", radius);
}
template <Same<ImplicitShape> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [solid] = part;
  f("solid", solid);
}
template <Same<PlaneSurface> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [normal, offset] = part;
  f("normal", normal);
  f("offset", offset);
}
template <Same<SphereSurface> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [radius] = part;
  f("radius", radius);
}
template <Same<EllipsoidSurface> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [semi_axes] = part;
  f("semi_axes", semi_axes);
}
template <Same<CylinderSurface> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [radius] = part;
  f("radius", radius);
}
template <Same<CapsuleSurface> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [radius, half_length] = part;
  f("radius", radius);
  f("half_length", half_length);
}
template <Same<ConeSurface> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [half_angle, height, tip_radius] = part;
  f("half_angle", half_angle);
  f("height", height);
  f("tip_radius", tip_radius);
}
template <Same<SuperquadricSurface> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [semi_axes, exponents] = part;
  f("semi_axes", semi_axes);
  f("exponents", exponents);
}
template <Same<RoundedPolytopeSurface> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [core, radius] = part;
  f("core", core);
  f("radius", radius);
}
template <Same<FormulaSurface> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [formula, scale] = part;
  f("formula", formula);
  f("scale", scale);
}
template <Same<ParametricSurface> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [sheet] = part;
  f("sheet", sheet);
}
template <Same<Polyhedron::Face> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [vertices, normal, offset] = part;
  f("vertices", vertices);
  f("normal", normal);
  f("offset", offset);
}
template <Same<Polyhedron> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [vertices, faces, flats, neighbours, radius, inner_radius] = part;
  f("vertices", vertices);
  f("faces", faces);
  f("flats", flats);
  f("neighbours", neighbours);
  f("radius", radius);
  f("inner_radius", inner_radius);
}
template <Same<SurfaceFormula::Step> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [operation, number] = part;
  f("operation", operation);
  f("number", number);
}
template <Same<SurfaceFormula> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [text, steps] = part;
  f("text", text);
  f("steps", steps);
}
template <Same<ParametricFormulas> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [of, u, v] = part;
  f("of", of);
  f("u", u);
  f("v", v);
}
template <Same<ImplicitBody> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [surfaces, inside] = part;
  f("surfaces", surfaces);
  f("inside", inside);
}
template <Same<ImplicitSolid> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [body, lower, upper, radius, inner_radius, points, ends, hull] = part;
  f("body", body);
  f("lower", lower);
  f("upper", upper);
  f("radius", radius);
  f("inner_radius", inner_radius);
  f("points", points);
  f("ends", ends);
  f("hull", hull);
}
template <Same<HalfSpace> T, class F>
void visit_fields(T&, F&&) {}

/// A HeightGrid as it was told.
struct HeightGridFields {
  int nx = 0, ny = 0;
  Vec2 spacing = Vec2::Zero();
  std::vector<double> heights;
};
template <Same<HeightGridFields> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [nx, ny, spacing, heights] = part;
  f("nx", nx);
  f("ny", ny);
  f("spacing", spacing);
  f("heights", heights);
}

template <>
inline constexpr std::array kinds<Shape>{"sphere", "box",         "capsule", "half-space",   "cylinder", "ellipsoid",
                                         "mesh",   "heightfield", "cone",    "superquadric", "rounded",  "implicit"};
template <>
inline constexpr std::array kinds<ImplicitSurface>{"plane", "sphere",       "ellipsoid", "cylinder", "capsule",
                                                   "cone",  "superquadric", "rounded",   "formula",  "parametric"};
template <>
inline constexpr const char* shared_list<Polyhedron> = "polyhedra";
template <>
inline constexpr const char* shared_list<HeightGrid> = "height_grids";
template <>
inline constexpr const char* shared_list<ImplicitSolid> = "solids";
template <>
inline constexpr const char* shared_list<SurfaceFormula> = "formulas";
template <>
inline constexpr const char* shared_list<ParametricSheet> = "sheets";

// A struct that parts share is kept as it is, so that not a bit changes and nothing is computed again. A class computes
// again from what it was told.
template <>
struct Made<Polyhedron> {
  using Fields = Polyhedron;
  static const Polyhedron& fields(const Polyhedron& polyhedron) { return polyhedron; }
  static std::shared_ptr<const Polyhedron> value(Polyhedron polyhedron, std::string& fault);
};
template <>
struct Made<HeightGrid> {
  using Fields = HeightGridFields;
  static HeightGridFields fields(const HeightGrid& grid) {
    return {grid.nx(), grid.ny(), grid.spacing(), grid.heights()};
  }
  static std::shared_ptr<const HeightGrid> value(HeightGridFields fields, std::string& fault);
};
template <>
struct Made<ImplicitSolid> {
  using Fields = ImplicitSolid;
  static const ImplicitSolid& fields(const ImplicitSolid& solid) { return solid; }
  static std::shared_ptr<const ImplicitSolid> value(ImplicitSolid solid, std::string& fault);
};
template <>
struct Made<SurfaceFormula> {
  using Fields = SurfaceFormula;
  static const SurfaceFormula& fields(const SurfaceFormula& formula) { return formula; }
  static std::shared_ptr<const SurfaceFormula> value(SurfaceFormula formula, std::string& fault);
};
template <>
struct Made<ParametricSheet> {
  using Fields = ParametricFormulas;
  static const ParametricFormulas& fields(const ParametricSheet& sheet) { return sheet.formulas(); }
  static std::shared_ptr<const ParametricSheet> value(ParametricFormulas formulas, std::string& fault);
};

}  // namespace carom::stored
