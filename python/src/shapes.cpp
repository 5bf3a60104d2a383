#include <vector>

#include "bindings.h"
#include "carom/geometry/shape.h"

namespace carom::python {
namespace {

/// Rows of an array as points.
std::vector<Vec3> points_of(const Eigen::Ref<const Eigen::Matrix<double, Eigen::Dynamic, 3>>& rows) {
  std::vector<Vec3> points;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) points.emplace_back(rows.row(i));
  return points;
}

Eigen::Matrix<double, Eigen::Dynamic, 3> vertices_of(const Polyhedron& polyhedron) {
  Eigen::Matrix<double, Eigen::Dynamic, 3> rows(std::ssize(polyhedron.vertices), 3);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) rows.row(i) = polyhedron.vertices[static_cast<std::size_t>(i)];
  return rows;
}

using Points = Eigen::Ref<const Eigen::Matrix<double, Eigen::Dynamic, 3>>;

void bind_round(py::module_& module) {
  py::class_<Sphere>(module, "Sphere", "Ball about the origin of its frame; radius: m, 0 is a point.")
      .def(py::init([](double radius) { return Sphere{radius}; }), py::arg("radius"))
      .def_readwrite("radius", &Sphere::radius, "m");
  py::class_<Capsule>(module, "Capsule", "All within `radius`, m, of a segment of the z axis, |z| ≤ half_length, m.")
      .def(py::init([](double radius, double half_length) {
             return Capsule{radius, half_length};
           }),
           py::arg("radius"), py::arg("half_length"))
      .def_readwrite("radius", &Capsule::radius, "m")
      .def_readwrite("half_length", &Capsule::half_length, "m");
  py::class_<Cylinder>(module, "Cylinder", "All within `radius`, m, of the z axis with |z| ≤ half_length, m.")
      .def(py::init([](double radius, double half_length) {
             return Cylinder{radius, half_length};
           }),
           py::arg("radius"), py::arg("half_length"))
      .def_readwrite("radius", &Cylinder::radius, "m")
      .def_readwrite("half_length", &Cylinder::half_length, "m");
  py::class_<Ellipsoid>(module, "Ellipsoid", "semi_axes: (3,), m.")
      .def(py::init([](const Vec3& semi_axes) { return Ellipsoid{semi_axes}; }), py::arg("semi_axes"))
      .def_property_readonly(
          "semi_axes", [](const Ellipsoid& shape) { return shape.semi_axes; }, "(3,) m");
  py::class_<Cone>(module, "Cone", "On the disc of `radius` in z = 0, blunt tip at z = height; all in m.")
      .def(py::init([](double radius, double height, double tip_radius) {
             return Cone{radius, height, tip_radius};
           }),
           py::arg("radius"), py::arg("height"), py::arg("tip_radius"))
      .def_readwrite("radius", &Cone::radius, "m")
      .def_readwrite("height", &Cone::height, "m")
      .def_readwrite("tip_radius", &Cone::tip_radius, "m");
  py::class_<Superquadric>(module, "Superquadric",
                           "Σ |xᵢ/semi_axesᵢ|^exponentsᵢ ≤ 1; semi_axes: (3,), m; exponents: (3,), 2 to 10.")
      .def(py::init([](const Vec3& semi_axes, const Vec3& exponents) {
             return Superquadric{semi_axes, exponents};
           }),
           py::arg("semi_axes"), py::arg("exponents") = Vec3(Vec3::Constant(2.0)))
      .def_property_readonly(
          "semi_axes", [](const Superquadric& shape) { return shape.semi_axes; }, "(3,) m")
      .def_property_readonly(
          "exponents", [](const Superquadric& shape) { return shape.exponents; }, "(3,)");
}

void bind_flat(py::module_& module) {
  py::class_<Box>(module, "Box", "About the origin, edges along the axes; half_extents: (3,), m.")
      .def(py::init([](const Vec3& half_extents) { return Box{half_extents}; }), py::arg("half_extents"))
      .def_property_readonly(
          "half_extents", [](const Box& shape) { return shape.half_extents; }, "(3,) m");
  py::class_<HalfSpace>(module, "HalfSpace", "All points with z ≤ 0; only for what does not move.").def(py::init<>());
  py::class_<ConvexMesh>(module, "ConvexMesh", "Convex hull of points: (n, 3), n ≥ 4, not in one plane, m.")
      .def(py::init([](const Points& points) {
             return ConvexMesh{std::make_shared<const Polyhedron>(convex_hull(points_of(points)))};
           }),
           py::arg("points"))
      .def_property_readonly(
          "vertices", [](const ConvexMesh& shape) { return vertices_of(*shape.polyhedron); },
          "(corners, 3), m; a copy");
  py::class_<RoundedPolytope>(module, "RoundedPolytope", "All within `radius`, m, of the hull of points: (n, 3), m.")
      .def(py::init([](const Points& points, double radius) {
             return RoundedPolytope{std::make_shared<const Polyhedron>(convex_hull(points_of(points))), radius};
           }),
           py::arg("points"), py::arg("radius"))
      .def_property_readonly(
          "vertices", [](const RoundedPolytope& shape) { return vertices_of(*shape.core); },
          "(corners, 3) of the core, m; a copy")
      .def_readonly("radius", &RoundedPolytope::radius, "m");
  py::class_<HeightField>(module, "HeightField",
                          "Everything below a surface of triangles over a grid in the middle of the x-y plane.\n\n"
                          "heights: (ny, nx), m, row j at one y, ascending; spacing: (2,) along x and y, m.")
      .def(py::init([](const Eigen::Ref<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>&
                           heights,
                       const Vec2& spacing) {
             std::vector<double> samples;
             samples.reserve(static_cast<std::size_t>(heights.size()));
             for (Eigen::Index j = 0; j < heights.rows(); ++j) {
               for (Eigen::Index i = 0; i < heights.cols(); ++i) samples.push_back(heights(j, i));
             }
             return HeightField{std::make_shared<const HeightGrid>(
                 static_cast<int>(heights.cols()), static_cast<int>(heights.rows()), spacing, std::move(samples))};
           }),
           py::arg("heights"), py::arg("spacing"))
      .def_property_readonly(
          "heights",
          [](const HeightField& shape) {
            using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
            return Rows(Eigen::Map<const Rows>(shape.grid->heights().data(), shape.grid->ny(), shape.grid->nx()));
          },
          "(ny, nx), m; a copy");
  py::class_<ImplicitShape>(module, "ImplicitShape",
                            "A convex body by smooth inequalities, as scene files write them.");
}

}  // namespace

void bind_shapes(py::module_& module) {
  bind_round(module);
  bind_flat(module);
  module.def("shape_inertia", &shape_inertia, py::arg("shape"), py::arg("density"),
             "SpatialInertia of the solid shape in its own frame; density: kg/m³. Error for a half-space and a height "
             "field.");
  module.def("shape_name", &shape_name, py::arg("shape"), "\"sphere\", \"box\", …: as scene files have it.");
  module.def("bounding_radius", &bounding_radius, py::arg("shape"),
             "Radius of the smallest ball about the shape's origin that holds it, m; infinity for a half-space.");
}

}  // namespace carom::python
