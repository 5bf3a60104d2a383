#pragma once

#include "carom/dynamics/point_spring.h"
#include "carom/dynamics/recursions.h"
#include "mujoco_model.h"
#include "testing/models/random_tree.h"

namespace carom::test {

inline double distance(const Transform& a, const Transform& b) { return (a.R - b.R).norm() + (a.p - b.p).norm(); }

/// The largest disagreements over some random states, relative to the size of what is compared.
struct Disagreement {
  double pose = 0, velocity = 0, mass = 0, force = 0, passive = 0;
};

inline double relative(const MatrixX& a, const MatrixX& b) { return (a - b).norm() / (1 + b.norm()); }

inline Disagreement compare(Both& both, Random& random, int states) {
  Disagreement worst;
  const auto grow = [](double& largest, double value) {
    if (!(value <= largest)) largest = value;
  };
  const mjModel* m = both.theirs.m;
  mjData* d = both.theirs.d;
  both.theirs.m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_ACTUATION;
  DynamicsWorkspace workspace(both.model);
  const int nv = both.model.velocity_count();
  EXPECT_EQ(nv, m->nv);
  for (int k = 0; k < states; ++k) {
    const VectorX q = random_position(both.model, random), v = random.vector(nv, 2), vdot = random.vector(nv, 3);
    const MatrixX T = both.velocity_map(q);
    VectorX::Map(d->qpos, m->nq) = both.positions(q);
    VectorX::Map(d->qvel, nv) = T * v;
    VectorX::Map(d->qacc, nv) = T * vdot + both.velocity_map_rate(q, v);
    mj_inverse(m, d);
    forward_kinematics(both.model, q, workspace);
    forward_velocity(both.model, q, v, workspace);
    for (std::size_t i = 0; i < both.imported.links.size(); ++i) {
      const int body = both.theirs.body(both.imported.links[i].name), own = both.order[i];
      grow(worst.pose, distance(workspace.X_WB[own], both.theirs.pose(body)));
      Vec6 V;
      mj_objectVelocity(m, d, mjOBJ_XBODY, body, V.data(), 1);
      grow(worst.velocity, relative(workspace.V[own], V));
    }
    MatrixX M, theirs(nv, nv);
    mass_matrix(both.model, workspace, M);
    mj_fullM(m, theirs.data(), d->qM);
    grow(worst.mass, relative(M, T.transpose() * theirs * T));
    VectorX tau, passive, spring = VectorX::Zero(nv);
    inverse_dynamics(both.model, vdot, workspace, tau);
    const VectorX their_passive = VectorX::Map(d->qfrc_passive, nv);
    grow(worst.force, relative(tau, T.transpose() * (VectorX::Map(d->qfrc_inverse, nv) + their_passive)));
    spring_force(both.model, q, spring);
    passive = spring;
    for (const Joint& joint : both.model.joints()) {
      const int at = joint.v_index, size = velocity_size(joint);
      passive.segment(at, size) -= joint.damping.cwiseProduct(v.segment(at, size));
    }
    add_point_springs(both.model, v, workspace, passive);
    grow(worst.passive, relative(passive, T.transpose() * their_passive));
  }
  return worst;
}

}  // namespace carom::test
