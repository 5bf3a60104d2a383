#pragma once

#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "carom/dynamics/frame_jacobian.h"
#include "carom/dynamics/recursions.h"
#include "testing/models/random_tree.h"

namespace carom {

/// A mechanism in motion, with what an independent check of its dynamics needs.
struct MovingTree {
  Model model;
  VectorX q, v;
  DynamicsWorkspace workspace;

  MovingTree(Model made, Random& random)
      : model(std::move(made)),
        q(random_position(model, random)),
        v(random.vector(model.velocity_count(), 1)),
        workspace(model) {
    forward_kinematics(model, q, workspace);
    forward_velocity(model, q, v, workspace);
  }
  MovingTree(Random& random, const TreeOptions& options) : MovingTree(random_tree(random, options), random) {}
};

inline VectorX acceleration(const Model& model, const VectorX& q, const VectorX& v, const VectorX& tau) {
  DynamicsWorkspace workspace(model);
  VectorX vdot;
  forward_dynamics(model, q, v, tau, workspace, vdot);
  return vdot;
}

inline VectorX acceleration(const Model& model, const VectorX& q, const VectorX& v) {
  return acceleration(model, q, v, VectorX::Zero(model.velocity_count()));
}

/// Jacobian of a point fixed in a body: the lower half of the frame's Jacobian.
inline MatrixX point_jacobian(const Model& model, int body, const Vec3& point_W, const DynamicsWorkspace& workspace) {
  MatrixX J(6, model.velocity_count());
  frame_jacobian(model, body, point_W, workspace, J);
  return J.cols() > 0 ? MatrixX(J.bottomRows(3)) : MatrixX(3, 0);
}

/// One tree that hangs on the world by a free joint, of joints of all types.
inline Model floating_tree(Random& random, int bodies, const Vec3& gravity = Vec3::Zero()) {
  ModelBuilder builder;
  builder.set_gravity(gravity);
  for (int i = 0; i < bodies; ++i) {
    builder.add_body("", random.inertia());
    Joint joint = random_joint(random, i == 0 ? JointType::free : joint_types[random.index(11)]);
    if (i > 0) joint.parent = random.index(i);
    builder.add_joint(i, joint);
  }
  return builder.build();
}

inline double largest(const MatrixX& x) { return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0; }

/// Trees of every topology and of all joint types together, and trees of one joint type each: 69, or 2300 with
/// CAROM_LONG set.
inline std::vector<MovingTree> trees_of_all_joint_types(std::uint64_t seed) {
  const int trials = std::getenv("CAROM_LONG") != nullptr ? 200 : 6;
  Random random(seed);
  std::vector<MovingTree> trees;
  for (const int bodies : {1, 2, 3, 5, 8, 12}) {
    for (int trial = 0; trial < trials; ++trial) {
      TreeOptions options;
      options.bodies = bodies;
      options.new_root = 0.2 * (trial % 3);
      trees.emplace_back(random, options);
    }
  }
  for (const JointType type : joint_types) {
    for (int trial = 0; trial < trials / 2; ++trial) {
      TreeOptions options;
      options.bodies = 1 + 2 * trial % 6;
      options.new_root = 0;
      options.types = {type};
      trees.emplace_back(random, options);
    }
  }
  return trees;
}

/// The same tree, with all that hangs on the world, and gravity, moved by X.
inline Model in_turned_world(const Model& model, const Transform& X) {
  ModelBuilder builder;
  builder.set_gravity(X.R * model.gravity());
  for (int i = 0; i < model.body_count(); ++i) {
    builder.add_body("", model.bodies()[i].inertia);
    Joint joint = model.joints()[i];
    if (joint.parent < 0) joint.X_PF = X * joint.X_PF;
    builder.add_joint(i, joint);
  }
  return builder.build();
}

}  // namespace carom
