#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "carom/dynamics/inertia_shift.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

using JointVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

/// The inverse of D on the motions that its joint has: with D = E C E and C of unit diagonal, E⁻¹ C⁺ E⁻¹. Among the
/// accelerations that answer a force it gives the one least in Σ D_kk v̇_k², which does not depend on units.
template <typename Square>
Square pseudo_inverse(const Square& D) {
  constexpr double singular = 1e-12;  // of C's eigenvalues, whose mean is 1: closer to a lock than about 1e-6 rad
  using Vector = Eigen::Matrix<double, Square::RowsAtCompileTime, 1>;
  const Vector e = D.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<Square> C(e.asDiagonal() * D * e.asDiagonal());
  const Vector inverse = C.eigenvalues().unaryExpr([](double value) { return value > singular ? 1 / value : 0; });
  return e.asDiagonal() * C.eigenvectors() * inverse.asDiagonal() * C.eigenvectors().transpose() * e.asDiagonal();
}

/// inverse = (Sᵀ U + diag(extra) + reflected inertia)⁻¹, symmetric to the bit. The sum is positive definite but for
/// `twists` that line up, where it is singular and the pseudo-inverse takes its place.
template <int size>
void invert(const Joint& joint, const DynamicsWorkspace::Subspace& S, const DynamicsWorkspace::Subspace& U,
            const double* extra, DynamicsWorkspace::JointMatrix& inverse) {
  using Square = Eigen::Matrix<double, size, size>;
  Square D = S.leftCols<size>().transpose() * U.leftCols<size>();
  if (extra) D.diagonal() += Eigen::Map<const Eigen::Matrix<double, size, 1>>(extra);
  D.diagonal() += joint.reflected_inertia;
  const Square full =
      joint.type == JointType::twists ? pseudo_inverse(D) : Square(Eigen::LLT<Square>(D).solve(Square::Identity()));
  inverse = 0.5 * (full + full.transpose());
}

void invert_joint_inertia(const Joint& joint, const DynamicsWorkspace::Subspace& S,
                          const DynamicsWorkspace::Subspace& U, const double* extra,
                          DynamicsWorkspace::JointMatrix& inverse) {
  constexpr decltype(&invert<1>) of_size[] = {invert<1>, invert<2>, invert<3>, invert<4>, invert<5>, invert<6>};
  of_size[S.cols() - 1](joint, S, U, extra, inverse);
}

/// Leaves-to-roots step of the solve for one body. On entry scratch_f holds the body's bias force and x the joint's b;
/// on exit x holds u = b − Sᵀ f, and the parent's bias force has grown by the articulated body's.
void gather(const Model& model, int i, DynamicsWorkspace& workspace, VectorX& x) {
  const Joint& joint = model.joints()[i];
  const int size = velocity_size(joint);
  Vec6 f = workspace.scratch_f[i];
  if (size > 0) {
    auto u = x.segment(joint.v_index, size);
    u.noalias() -= workspace.S[i].transpose() * f;
    if (joint.parent < 0) return;
    const JointVector accelerations = workspace.Dinv[i] * u;
    f.noalias() += workspace.U[i] * accelerations;
  }
  if (joint.parent >= 0) workspace.scratch_f[joint.parent] += workspace.X_PB[i].force(f);
}

/// Roots-to-leaves step: x holds u on entry and the joint's acceleration on exit. `carried` is the parent's
/// acceleration seen in B; scratch_a becomes the body's.
void spread(const Model& model, int i, const Vec6& carried, DynamicsWorkspace& workspace, VectorX& x) {
  const Joint& joint = model.joints()[i];
  const int size = velocity_size(joint);
  workspace.scratch_a[i] = carried;
  if (size == 0) return;
  auto entry = x.segment(joint.v_index, size);
  const JointVector u = entry - workspace.U[i].transpose() * carried;
  entry.noalias() = workspace.Dinv[i] * u;
  workspace.scratch_a[i].noalias() += workspace.S[i] * entry;
}

Vec6 carried_acceleration(const Model& model, int i, const Vec6& base, const DynamicsWorkspace& workspace) {
  const int parent = model.joints()[i].parent;
  return workspace.X_PB[i].inverse_motion(parent < 0 ? base : workspace.scratch_a[parent]);
}

}  // namespace

void factor_mass(const Model& model, const VectorX& extra, DynamicsWorkspace& workspace) {
  for (int i = 0; i < model.body_count(); ++i) workspace.IA[i] = model.bodies()[i].inertia.matrix();
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const Joint& joint = model.joints()[i];
    const int size = velocity_size(joint);
    if (size > 0) {
      workspace.U[i].noalias() = workspace.IA[i] * workspace.S[i];
      const double* own_extra = extra.size() > 0 ? extra.data() + joint.v_index : nullptr;
      invert_joint_inertia(joint, workspace.S[i], workspace.U[i], own_extra, workspace.Dinv[i]);
    }
    if (joint.parent < 0) continue;
    Mat6 felt = workspace.IA[i];  // what the parent feels through the joint
    if (size > 0) {
      const DynamicsWorkspace::Subspace UD = workspace.U[i] * workspace.Dinv[i];
      felt.noalias() -= UD * workspace.U[i].transpose();
    }
    workspace.IA[joint.parent] += shift_inertia(workspace.X_PB[i], felt);
  }
}

void solve_mass(const Model& model, const VectorX& b, DynamicsWorkspace& workspace, VectorX& x) {
  const Vec6 base = Vec6::Zero();
  x = b;
  for (Vec6& f : workspace.scratch_f) f.setZero();
  for (int i = model.body_count() - 1; i >= 0; --i) gather(model, i, workspace, x);
  for (int i = 0; i < model.body_count(); ++i) {
    spread(model, i, carried_acceleration(model, i, base, workspace), workspace, x);
  }
}

void solve_mass_tree(const Model& model, int root, const VectorX& b, DynamicsWorkspace& workspace, VectorX& x) {
  const Vec6 base = Vec6::Zero();
  const Tree& tree = model.tree(root);
  for (const auto& [first, count] : tree.coordinates) x.segment(first, count) = b.segment(first, count);
  for (const int i : tree.bodies) workspace.scratch_f[i].setZero();
  for (auto i = tree.bodies.rbegin(); i != tree.bodies.rend(); ++i) gather(model, *i, workspace, x);
  for (const int i : tree.bodies) spread(model, i, carried_acceleration(model, i, base, workspace), workspace, x);
}

void forward_dynamics(const Model& model, const VectorX& q, const VectorX& v, const VectorX& tau,
                      DynamicsWorkspace& workspace, VectorX& vdot) {
  forward_kinematics(model, q, workspace);
  forward_velocity(model, q, v, workspace);
  factor_mass(model, VectorX(), workspace);
  vdot = tau;
  for (int i = 0; i < model.body_count(); ++i) {
    const Vec6 momentum = model.bodies()[i].inertia * workspace.V[i];
    workspace.scratch_f[i] = cross_force(workspace.V[i], momentum);
  }
  // Table 7.1 with its bias accelerations c as a force IA c, so that both sweeps are those of solve_mass.
  for (int i = model.body_count() - 1; i >= 0; --i) {
    workspace.scratch_f[i].noalias() += workspace.IA[i] * workspace.bias[i];
    gather(model, i, workspace, vdot);
  }
  // A base that accelerates upwards stands for gravity.
  Vec6 base = Vec6::Zero();
  base.tail<3>() = -model.gravity();
  for (int i = 0; i < model.body_count(); ++i) {
    spread(model, i, carried_acceleration(model, i, base, workspace), workspace, vdot);
    workspace.scratch_a[i] += workspace.bias[i];
  }
}

}  // namespace carom
