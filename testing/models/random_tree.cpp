#include "testing/models/random_tree.h"

#include <string>

#include "carom/dynamics/joint_kinematics.h"

namespace carom {

VectorX Random::vector(int count, double size) {
  VectorX values(count);
  for (int i = 0; i < count; ++i) values[i] = uniform(-size, size);
  return values;
}

Mat3 Random::rotation() {
  Eigen::Vector4d q;
  do {
    for (int i = 0; i < 4; ++i) q[i] = uniform(-1, 1);
  } while (q.norm() > 1 || q.norm() < 0.1);
  q.normalize();
  return Quaternion(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

Transform Random::transform(double size) { return {rotation(), vector(size)}; }

SpatialInertia Random::inertia() {
  // Second moments of a solid of any shape, from which the moments of inertia follow.
  const double x = uniform(0.05, 1), y = uniform(0.05, 1), z = uniform(0.05, 1);
  SpatialInertia inertia;
  inertia.mass = uniform(0.3, 3);
  inertia.center = vector(0.6);
  const Mat3 R = rotation();
  inertia.central = R * Vec3(y + z, z + x, x + y).asDiagonal() * R.transpose();
  inertia.central = (0.5 * (inertia.central + inertia.central.transpose())).eval();
  return inertia;
}

Joint random_joint(Random& random, JointType type, const TreeOptions& options) {
  Joint joint;
  joint.type = type;
  joint.X_PF = random.transform(1);
  joint.X_BM = random.transform(0.5);
  if (type == JointType::screw) joint.pitch = random.uniform(0.1, 1);
  if (type == JointType::twists) {
    const int count = 1 + random.index(6), first = random.index(6);
    joint.twists.setZero(6, count);
    for (int k = 0; k < count; ++k) {
      joint.twists.col(k) = Vec6::Unit((first + k) % 6) + 0.3 * random.vector(6, 1);
    }
  }
  const int size = velocity_size(joint);
  const bool scalar = has_scalar_coordinates(type);
  Random beside = random;  // numbers of rotations come beside the others
  Random& draw = scalar ? random : beside;
  if (options.springs > 0) {
    joint.stiffness = draw.vector(size, options.springs).cwiseAbs();
    joint.rest = draw.vector(size, 1);
  }
  if (type != JointType::free) joint.reflected_inertia = draw.vector(size, options.reflected).cwiseAbs();
  if (scalar) return joint;
  // A rotation, and a displacement, has one value for its three coordinates.
  for (VectorX* values : {&joint.stiffness, &joint.reflected_inertia}) {
    for (Eigen::Index i = 0; i < values->size(); i += 3) values->segment<3>(i).setConstant((*values)[i]);
  }
  return joint;
}

Model random_tree(Random& random, const TreeOptions& options) {
  ModelBuilder builder;
  builder.set_gravity(random.vector(10));
  for (int i = 0; i < options.bodies; ++i) {
    builder.add_body("body" + std::to_string(i), random.inertia());
    Joint joint = random_joint(random, options.types[random.index(static_cast<int>(options.types.size()))], options);
    if (i > 0 && random.uniform(0, 1) > options.new_root) joint.parent = random.index(i);
    builder.add_joint(i, joint);
  }
  return builder.build();
}

VectorX random_position(const Model& model, Random& random) {
  VectorX q = random.vector(model.position_count(), 1);
  normalize(model, q);
  return q;
}

VectorX position_rate(const Model& model, const VectorX& q, const VectorX& v) {
  VectorX rate = VectorX::Zero(model.position_count());
  for (const Joint& joint : model.joints()) {
    const int i = joint.q_index, k = joint.v_index;
    if (joint.type != JointType::spherical && joint.type != JointType::free) {
      rate.segment(i, position_size(joint)) = v.segment(k, velocity_size(joint));
      continue;
    }
    // q̇ = ½ q ∘ (0, ω) with ω in the moving axes.
    const Quaternion at(q[i], q[i + 1], q[i + 2], q[i + 3]);
    const Quaternion spin = at * Quaternion(0, v[k], v[k + 1], v[k + 2]);
    rate.segment<4>(i) = 0.5 * Eigen::Vector4d(spin.w(), spin.x(), spin.y(), spin.z());
    if (joint.type == JointType::free) rate.segment<3>(i + 4) = at.toRotationMatrix() * v.segment<3>(k + 3);
  }
  return rate;
}

}  // namespace carom
