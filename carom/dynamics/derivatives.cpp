#include "carom/dynamics/derivatives.h"

#include "carom/dynamics/joint_column.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

/// ψ̇, ψ̈ and ψ̇ + Ṡ of every coordinate. Needs the accelerations that inverse_dynamics leaves.
void fill_columns(const Model& model, const VectorX& v, const VectorX& vdot, const DynamicsWorkspace& workspace,
                  std::vector<DerivativeScratch::Column>& columns) {
  const Motion base{Vec3::Zero(), -model.gravity()};
  for (int i = 0; i < model.body_count(); ++i) {
    const TreeNode& node = model.nodes()[i];
    const NodeState& state = workspace.nodes[i];
    Motion V, a = base;
    if (node.parent >= 0) {
      V = workspace.nodes[node.parent].V.moved_by(state.r);
      a = workspace.nodes[node.parent].a.moved_by(state.r);
    }
    for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) {
      const JointColumn& column = workspace.columns[k];
      if (!subspace_fixed_in_body(node)) {
        add_scaled(column, v[k], V);
        add_scaled(column, vdot[k], a);
        a += cross_scaled(V, column, v[k]);
      }
      DerivativeScratch::Column& out = columns[k];
      out.psi_dot = out.psi_dot_plus_S_dot = cross_scaled(V, column, 1);
      out.psi_ddot = cross_scaled(a, column, 1);
      out.psi_ddot += cross(V, out.psi_dot);
      out.psi_dot_plus_S_dot += cross_scaled(subspace_fixed_in_body(node) ? state.V : V, column, 1);
    }
  }
}

/// A coordinate's forces, carried up to each ancestor's O in turn.
struct CoordinateForces {
  Force IS;    ///< Iᶜ S
  Vec3 BS;     ///< moment of 2 Bᶜᵀ S, which has no force and is the same about every point
  Force by_q;  ///< Iᶜ ψ̈ + 2 Bᶜ ψ̇ + S ×* fᶜ
  Force by_v;  ///< Iᶜ (ψ̇ + Ṡ) + 2 Bᶜ S

  void move_back_by(const Vec3& r) {
    IS = IS.moved_back_by(r);
    by_q = by_q.moved_back_by(r);
    by_v = by_v.moved_back_by(r);
  }
};

CoordinateForces coordinate_forces(const Motion& S, const DerivativeScratch::Column& column, const RigidInertia& I,
                                   const CoriolisMap& B, const Force& f) {
  CoordinateForces forces{I * S, B.transposed_moment(S), I * column.psi_ddot, I * column.psi_dot_plus_S_dot};
  forces.by_q += B * column.psi_dot;
  forces.by_q += cross(S, f);
  forces.by_v += B * S;
  return forces;
}

/// ∂τ_k by q_l, v_l and v̇_l for a coordinate l that moves S_k.
void fill_below(int k, int l, const CoordinateForces& forces, const JointColumn& S,
                const DerivativeScratch::Column& column, InverseDynamicsDerivatives& derivatives) {
  derivatives.dtau_dq(k, l) = dot(forces.IS, column.psi_ddot) + forces.BS.dot(column.psi_dot.angular);
  derivatives.dtau_dv(k, l) = dot(forces.IS, column.psi_dot_plus_S_dot) + forces.BS.dot(S.S.angular);
  derivatives.M(k, l) = derivatives.M(l, k) = project(S, forces.IS);
}

/// ∂τ_l by q_k and v_k for a coordinate k beyond l.
void fill_above(int k, int l, const CoordinateForces& forces, const JointColumn& S,
                InverseDynamicsDerivatives& derivatives) {
  derivatives.dtau_dq(l, k) = project(S, forces.by_q);
  derivatives.dtau_dv(l, k) = project(S, forces.by_v);
}

/// Row and column of coordinate k of body i.
void fill_coordinate(const Model& model, int i, int k, const DynamicsWorkspace& workspace,
                     const DerivativeScratch& scratch, InverseDynamicsDerivatives& derivatives) {
  const TreeNode& node = model.nodes()[i];
  const auto& S = workspace.columns;
  CoordinateForces forces =
      coordinate_forces(S[k].S, scratch.columns[k], workspace.composite[i], scratch.coriolis[i], workspace.nodes[i].f);
  // If S is fixed in the body, each of the joint's coordinates moves every column, the earlier ones too.
  const int end = subspace_fixed_in_body(node) ? node.v_index + node.velocity_size : k + 1;
  for (int l = node.v_index; l < end; ++l) fill_below(k, l, forces, S[l], scratch.columns[l], derivatives);
  if (!subspace_fixed_in_body(node)) {
    for (int l = node.v_index; l < k; ++l) fill_above(k, l, forces, S[l], derivatives);
  }
  derivatives.M(k, k) += S[k].reflected_inertia;
  for (int j = i; model.nodes()[j].parent >= 0;) {
    forces.move_back_by(workspace.nodes[j].r);
    j = model.nodes()[j].parent;
    const TreeNode& ancestor = model.nodes()[j];
    for (int l = ancestor.v_index; l < ancestor.v_index + ancestor.velocity_size; ++l) {
      fill_below(k, l, forces, S[l], scratch.columns[l], derivatives);
      fill_above(k, l, forces, S[l], derivatives);
    }
  }
}

}  // namespace

/// Uses ẋ = u + ω × x, the first moment h and the rotational inertia J. Then Σ m (x·ẋ) = u·h and
/// Σ m ẋ xᵀ = u hᵀ + [ω] Σ m x xᵀ. The second moments Σ m x xᵀ are ½ tr(J) 1 − J.
CoriolisMap::CoriolisMap(const RigidInertia& I, const Motion& V) : momentum((I * V).force) {
  const Sym3& J = I.rotational;
  const double half = 0.5 * (J.xx + J.yy + J.zz);
  const Vec3& w = V.angular;
  turning = -V.linear * I.moment.transpose();
  turning.diagonal().array() += V.linear.dot(I.moment);
  turning.col(0) -= w.cross(Vec3(half - J.xx, -J.xy, -J.xz));
  turning.col(1) -= w.cross(Vec3(-J.xy, half - J.yy, -J.yz));
  turning.col(2) -= w.cross(Vec3(-J.xz, -J.yz, half - J.zz));
}

DerivativeScratch::DerivativeScratch(const Model& model)
    : columns(model.velocity_count()), coriolis(model.body_count()), tau(model.velocity_count()), solve(model) {}

void inverse_dynamics_derivatives(const Model& model, const VectorX& v, const VectorX& vdot,
                                  DynamicsWorkspace& workspace, DerivativeScratch& scratch,
                                  InverseDynamicsDerivatives& derivatives) {
  const int n = model.velocity_count();
  derivatives.dtau_dq.setZero(n, n);
  derivatives.dtau_dv.setZero(n, n);
  derivatives.M.setZero(n, n);
  // Leaves the bodies' accelerations, and in f the forces on each and all that hangs on it.
  inverse_dynamics(model, vdot, workspace, scratch.tau);
  fill_columns(model, v, vdot, workspace, scratch.columns);
  for (int i = 0; i < model.body_count(); ++i) {
    workspace.composite[i] = workspace.nodes[i].inertia;
    scratch.coriolis[i] = CoriolisMap(workspace.nodes[i].inertia, workspace.nodes[i].V);
  }
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const TreeNode& node = model.nodes()[i];
    for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) {
      fill_coordinate(model, i, k, workspace, scratch, derivatives);
    }
    if (node.parent < 0) continue;
    workspace.composite[node.parent].add_shifted(workspace.composite[i], workspace.nodes[i].r);
    scratch.coriolis[node.parent].add_shifted(scratch.coriolis[i], workspace.nodes[i].r);
  }
}

void forward_dynamics_derivatives(const Model& model, const VectorX& q, const VectorX& v, const VectorX& tau,
                                  DynamicsWorkspace& workspace, DerivativeScratch& scratch,
                                  ForwardDynamicsDerivatives& derivatives) {
  const int n = model.velocity_count();
  forward_dynamics(model, q, v, tau, workspace, derivatives.vdot);
  inverse_dynamics_derivatives(model, v, derivatives.vdot, workspace, scratch, scratch.inverse);
  derivatives.dvdot_dq = -scratch.inverse.dtau_dq;
  derivatives.dvdot_dv = -scratch.inverse.dtau_dv;
  derivatives.M_inverse.setIdentity(n, n);
  for (MatrixX* B : {&derivatives.dvdot_dq, &derivatives.dvdot_dv, &derivatives.M_inverse}) {
    solve_mass_columns(model, workspace, scratch.solve, *B);
  }
}

}  // namespace carom
