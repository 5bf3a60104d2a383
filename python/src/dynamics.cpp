#include "bindings.h"
#include "carom/dynamics/delassus.h"
#include "carom/dynamics/derivatives.h"
#include "carom/dynamics/frame_jacobian.h"
#include "carom/dynamics/recursions.h"
#include "numbers.h"

// Functions of a model and arrays: M(q) v̇ + bias(q, v) = τ. Sizes are checked here, since the rooms take them as right.
namespace carom::python {
namespace {

void check(const char* name, const VectorX& values, int size) {
  if (values.size() != size) {
    throw Error(std::string(name) + " has " + std::to_string(values.size()) + " entries; the model's has " +
                std::to_string(size));
  }
}

DynamicsWorkspace at(const Model& model, const VectorX& q) {
  check("q", q, model.position_count());
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, q, workspace);
  return workspace;
}

DynamicsWorkspace at(const Model& model, const VectorX& q, const VectorX& v) {
  check("v", v, model.velocity_count());
  DynamicsWorkspace workspace = at(model, q);
  forward_velocity(model, q, v, workspace);
  return workspace;
}

MatrixX mass_matrix_of(const Model& model, const VectorX& q) {
  DynamicsWorkspace workspace = at(model, q);
  MatrixX M(model.velocity_count(), model.velocity_count());
  mass_matrix(model, workspace, M);
  return M;
}

VectorX inverse(const Model& model, const VectorX& q, const VectorX& v, const VectorX& vdot) {
  check("vdot", vdot, model.velocity_count());
  DynamicsWorkspace workspace = at(model, q, v);
  VectorX tau(model.velocity_count());
  inverse_dynamics(model, vdot, workspace, tau);
  return tau;
}

VectorX forward(const Model& model, const VectorX& q, const VectorX& v, const VectorX& tau) {
  check("q", q, model.position_count());
  check("v", v, model.velocity_count());
  check("tau", tau, model.velocity_count());
  DynamicsWorkspace workspace(model);
  VectorX vdot(model.velocity_count());
  forward_dynamics(model, q, v, tau, workspace, vdot);
  return vdot;
}

VectorX bias(const Model& model, const VectorX& q, const VectorX& v) {
  return inverse(model, q, v, VectorX::Zero(model.velocity_count()));
}

MatrixX jacobian(const Model& model, const VectorX& q, const Part& body, const Vec3& point) {
  const int number = body_of(model, body);
  const DynamicsWorkspace workspace = at(model, q);
  MatrixX J(6, model.velocity_count());
  const Vec3 point_W = number < 0 ? point : Vec3(workspace.X_WB[static_cast<std::size_t>(number)] * point);
  frame_jacobian(model, number, point_W, workspace, J);
  return J;
}

using Derivatives = std::tuple<MatrixX, MatrixX, MatrixX>;

Derivatives inverse_derivatives(const Model& model, const VectorX& q, const VectorX& v, const VectorX& vdot) {
  InverseDynamicsDerivatives derivatives;
  {
    const py::gil_scoped_release unlocked;
    check("vdot", vdot, model.velocity_count());
    DynamicsWorkspace workspace = at(model, q, v);
    DerivativeScratch scratch(model);
    inverse_dynamics_derivatives(model, v, vdot, workspace, scratch, derivatives);
  }
  return {derivatives.dtau_dq, derivatives.dtau_dv, derivatives.M};
}

Derivatives forward_derivatives(const Model& model, const VectorX& q, const VectorX& v, const VectorX& tau) {
  ForwardDynamicsDerivatives derivatives;
  {
    const py::gil_scoped_release unlocked;
    check("q", q, model.position_count());
    check("v", v, model.velocity_count());
    check("tau", tau, model.velocity_count());
    DynamicsWorkspace workspace(model);
    DerivativeScratch scratch(model);
    forward_dynamics_derivatives(model, q, v, tau, workspace, scratch, derivatives);
  }
  return {derivatives.dvdot_dq, derivatives.dvdot_dv, derivatives.M_inverse};
}

/// A = J M⁻¹ Jᵀ of points on bodies, three rows each along the world's axes.
MatrixX delassus(const Model& model, const VectorX& q, const std::vector<std::pair<Part, Vec3>>& points) {
  DynamicsWorkspace workspace = at(model, q);
  factor_mass(model, VectorX(), workspace);
  std::vector<ConstraintRow> rows;
  for (const auto& [part, point] : points) {
    const int body = body_of(model, part);
    for (int axis = 0; axis < 3; ++axis) {
      ConstraintRow row;
      row.body_a = body;
      row.point_a = body < 0 ? point : Vec3(workspace.X_WB[static_cast<std::size_t>(body)] * point);
      row.point_b = row.point_a;
      row.direction = Vec3::Unit(axis);
      rows.push_back(row);
    }
  }
  Delassus operator_of_rows;
  operator_of_rows.build(model, rows, workspace);
  return operator_of_rows.matrix();
}

}  // namespace

void bind_dynamics(py::module_& module) {
  const auto unlocked = py::call_guard<py::gil_scoped_release>();
  module.def("mass_matrix", &mass_matrix_of, py::arg("model"), py::arg("q"), unlocked,
             "(nv, nv) M(q), kg, kg m, kg m²; q: (nq,) with quaternions of unit length. O(n depth).");
  module.def(
      "inverse_dynamics", &inverse, py::arg("model"), py::arg("q"), py::arg("v"), py::arg("vdot"), unlocked,
      "(nv,) τ = M v̇ + c(q, v) − gravity, N m and N; vdot: (nv,). Springs, damping, contacts are not in it. O(n).");
  module.def("forward_dynamics", &forward, py::arg("model"), py::arg("q"), py::arg("v"), py::arg("tau"), unlocked,
             "(nv,) v̇ of joint forces tau: (nv,), N m and N, by the articulated-body recursion. O(n).");
  module.def("bias", &bias, py::arg("model"), py::arg("q"), py::arg("v"), unlocked,
             "(nv,) c(q, v) − gravity: inverse_dynamics with v̇ = 0. O(n).");
  module.def(
      "jacobian", &jacobian, py::arg("model"), py::arg("q"), py::arg("body"), py::arg("point") = Vec3(Vec3::Zero()),
      unlocked,
      "(6, nv) J with (ω; ẋ) = J v of a body and a point (3,) fixed in it, body frame, m; world axes, angular part "
      "first.");
  module.def("inverse_dynamics_derivatives", &inverse_derivatives, py::arg("model"), py::arg("q"), py::arg("v"),
             py::arg("vdot"), "(∂τ/∂q, ∂τ/∂v, M), each (nv, nv); ∂/∂q along unit velocities. O(n depth).");
  module.def("forward_dynamics_derivatives", &forward_derivatives, py::arg("model"), py::arg("q"), py::arg("v"),
             py::arg("tau"), "(∂v̇/∂q, ∂v̇/∂v, M⁻¹), each (nv, nv). O(n²).");
  module.def(
      "delassus", &delassus, py::arg("model"), py::arg("q"), py::arg("points"), unlocked,
      "(3k, 3k) A = J M⁻¹ Jᵀ, 1/kg, of k points (body, (3,) in its frame, m), three rows each along world axes.");
}

}  // namespace carom::python
