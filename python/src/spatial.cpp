#include "bindings.h"
#include "carom/spatial/inertia.h"
#include "carom/spatial/transform.h"
#include "text.h"

namespace carom::python {

void bind_spatial(py::module_& module) {
  py::class_<Transform>(module, "Transform",
                        "Pose X_AB of frame B in frame A: p_A = R p_B + p.\n\n"
                        "R: (3, 3) rotation R_AB; p: (3,), m.")
      .def(py::init([](const Mat3& R, const Vec3& p) {
             return Transform{R, p};
           }),
           py::arg("R") = Mat3(Mat3::Identity()), py::arg("p") = Vec3(Vec3::Zero()))
      .def_static(
          "of_quaternion",
          [](const Eigen::Vector4d& wxyz, const Vec3& p) {
            return Transform{Quaternion(wxyz[0], wxyz[1], wxyz[2], wxyz[3]).normalized().toRotationMatrix(), p};
          },
          py::arg("wxyz"), py::arg("p") = Vec3(Vec3::Zero()),
          "From a quaternion w, x, y, z, (4,), which is brought to unit length, and a place (3,), m.")
      .def_property(
          "R", [](const Transform& X) { return X.R; }, [](Transform& X, const Mat3& R) { X.R = R; },
          "(3, 3) rotation R_AB; a copy.")
      .def_property(
          "p", [](const Transform& X) { return X.p; }, [](Transform& X, const Vec3& p) { X.p = p; },
          "(3,) origin of B in A, m; a copy.")
      .def_property_readonly(
          "quaternion",
          [](const Transform& X) {
            const Quaternion turn(X.R);
            return Eigen::Vector4d(turn.w(), turn.x(), turn.y(), turn.z());
          },
          "(4,) w, x, y, z of R.")
      .def("inverse", &Transform::inverse, "X_BA.")
      .def(
          "__mul__", [](const Transform& a, const Transform& b) { return a * b; }, py::is_operator(), py::arg("other"))
      .def(
          "__mul__", [](const Transform& X, const Vec3& point) { return Vec3(X * point); }, py::is_operator(),
          py::arg("other"), "X_AB * X_BC, a Transform; or X_AB * p_B, the point (3,) in A, m.")
      .def("__repr__", [](const Transform& X) { return "Transform(p=" + text_of(X.p) + ")"; })
      .def(py::pickle([](const Transform& X) { return py::make_tuple(X.R, X.p); },
                      [](const py::tuple& parts) {
                        return Transform{parts[0].cast<Mat3>(), parts[1].cast<Vec3>()};
                      }));

  py::class_<SpatialInertia>(module, "SpatialInertia",
                             "Inertia of a rigid body in a frame B fixed in it.\n\n"
                             "mass: kg; center: (3,) centre of mass in B, m; central: (3, 3) rotational inertia about "
                             "the centre of mass, axes of B, kg m².")
      .def(py::init([](double mass, const Vec3& center, const Mat3& central) {
             return SpatialInertia{mass, center, central};
           }),
           py::arg("mass") = 0.0, py::arg("center") = Vec3(Vec3::Zero()), py::arg("central") = Mat3(Mat3::Zero()))
      .def_readwrite("mass", &SpatialInertia::mass, "kg")
      .def_property(
          "center", [](const SpatialInertia& I) { return I.center; },
          [](SpatialInertia& I, const Vec3& center) { I.center = center; }, "(3,) m; a copy")
      .def_property(
          "central", [](const SpatialInertia& I) { return I.central; },
          [](SpatialInertia& I, const Mat3& central) { I.central = central; }, "(3, 3) kg m²; a copy")
      .def("matrix", &SpatialInertia::matrix, "(6, 6) about B's origin, angular part first.")
      .def("__add__", &SpatialInertia::operator+, py::is_operator(), py::arg("other"),
           "The sum, of two bodies welded together, both in the same frame.")
      .def("transformed", &SpatialInertia::in, py::arg("X_AB"), "The same inertia in frame A.");
}

}  // namespace carom::python
