#include "carom/dynamics/joint_kinematics.h"

#include <cmath>

#include "carom/dynamics/joint_column.h"
#include "carom/error.h"

namespace carom {
namespace {

void write_quaternion(const Quaternion& value, Eigen::Index i, VectorX& q) {
  q[i] = value.w();
  q[i + 1] = value.x();
  q[i + 2] = value.y();
  q[i + 3] = value.z();
}

/// q exp(r), of unit length. A rotation of exactly zero leaves q's bits alone, so a body at rest does not creep.
Quaternion turned(const Quaternion& q, const Vec3& r) {
  if (r.isZero(0)) return q;
  return (q * exponential(r)).normalized();
}

void integrate_free(const Vec3& c_M, const Joint& joint, const VectorX& q, const VectorX& v, double h, VectorX& q_out) {
  const Quaternion from = read_quaternion(q, joint.q_index);
  const Vec3 w = v.segment<3>(joint.v_index), v_o = v.segment<3>(joint.v_index + 3);
  const Quaternion to = turned(from, h * w);
  // Adds the centre's displacement to the origin's position, instead of going to the centre and back. A body that does
  // not turn then moves by h v to the last bit.
  const Vec3 swing = (from.toRotationMatrix() - to.toRotationMatrix()) * c_M;
  const Vec3 step = h * (from * Vec3(v_o + w.cross(c_M)));
  const Vec3 p = q.segment<3>(joint.q_index + 4);
  write_quaternion(to, joint.q_index, q_out);
  q_out.segment<3>(joint.q_index + 4) = p + step + swing;
}

void difference_free(const Vec3& c_M, const Joint& joint, const VectorX& q_from, const VectorX& q_to, VectorX& v) {
  const Quaternion from = read_quaternion(q_from, joint.q_index), to = read_quaternion(q_to, joint.q_index);
  const Vec3 w = logarithm(from.conjugate() * to);
  const Vec3 swing = (to.toRotationMatrix() - from.toRotationMatrix()) * c_M;
  const Vec3 path = q_to.segment<3>(joint.q_index + 4) - q_from.segment<3>(joint.q_index + 4) + swing;
  v.segment<3>(joint.v_index) = w;
  v.segment<3>(joint.v_index + 3) = from.conjugate() * path - w.cross(c_M);
}

}  // namespace

JointMotion joint_motion(const Joint& joint, Eigen::Ref<const VectorX> q, Eigen::Ref<const VectorX> v) {
  JointMotion motion;
  motion.S.setZero(6, velocity_size(joint));
  switch (joint.type) {
    case JointType::fixed:
      break;
    case JointType::revolute: {
      const double c = std::cos(q[0]), s = std::sin(q[0]);
      motion.X_FM.R << c, -s, 0, s, c, 0, 0, 0, 1;
      motion.S(2, 0) = 1;
      break;
    }
    case JointType::prismatic:
      motion.X_FM.p.z() = q[0];
      motion.S(5, 0) = 1;
      break;
    case JointType::screw:
    case JointType::cylindrical:
    case JointType::universal:
    case JointType::slot:
    case JointType::planar:
    case JointType::twists: {
      const ExponentialProduct product = exponential_product(coordinate_twists(joint), q);
      motion = {product.X, product.S, exponential_product_bias(product.S, v)};
      break;
    }
    case JointType::spherical:
      motion.X_FM.R = Quaternion(q[0], q[1], q[2], q[3]).toRotationMatrix();
      motion.S.topRows<3>().setIdentity();
      break;
    case JointType::free:
      motion.X_FM.R = Quaternion(q[0], q[1], q[2], q[3]).toRotationMatrix();
      motion.X_FM.p = q.segment<3>(4);
      motion.S.setIdentity();
      break;
  }
  return motion;
}

void integrate(const Model& model, const VectorX& q, const VectorX& v, double h, VectorX& q_out) {
  q_out.resize(model.position_count());
  for (int i = 0; i < model.body_count(); ++i) {
    const Joint& joint = model.joints()[i];
    if (joint.type == JointType::free) {
      integrate_free(center_in_M(model, i), joint, q, v, h, q_out);
    } else if (joint.type == JointType::spherical) {
      const Vec3 turn = h * v.segment<3>(joint.v_index);
      write_quaternion(turned(read_quaternion(q, joint.q_index), turn), joint.q_index, q_out);
    } else {
      for (int k = 0; k < velocity_size(joint); ++k) {
        q_out[joint.q_index + k] = q[joint.q_index + k] + h * v[joint.v_index + k];
      }
    }
  }
}

void position_rate(const Model& model, const VectorX& q, const VectorX& v, VectorX& rate) {
  rate.resize(model.position_count());
  for (int i = 0; i < model.body_count(); ++i) {
    const Joint& joint = model.joints()[i];
    if (joint.type != JointType::free && joint.type != JointType::spherical) {
      rate.segment(joint.q_index, velocity_size(joint)) = v.segment(joint.v_index, velocity_size(joint));
      continue;
    }
    // q̇ = ½ q ω with ω in the body's axes.
    const Quaternion turn = read_quaternion(q, joint.q_index);
    const Vec3 half = 0.5 * v.segment<3>(joint.v_index);
    write_quaternion(turn * Quaternion(0, half.x(), half.y(), half.z()), joint.q_index, rate);
    if (joint.type != JointType::free) continue;
    rate.segment<3>(joint.q_index + 4) = turn.normalized() * Vec3(v.segment<3>(joint.v_index + 3));
  }
}

void normalize_quaternions(const Model& model, VectorX& q) {
  for (const Joint& joint : model.joints()) {
    if (joint.type != JointType::free && joint.type != JointType::spherical) continue;
    write_quaternion(read_quaternion(q, joint.q_index).normalized(), joint.q_index, q);
  }
}

void difference(const Model& model, const VectorX& q_from, const VectorX& q_to, VectorX& v) {
  v.resize(model.velocity_count());
  for (int i = 0; i < model.body_count(); ++i) {
    const Joint& joint = model.joints()[i];
    if (joint.type == JointType::free) {
      difference_free(center_in_M(model, i), joint, q_from, q_to, v);
    } else if (joint.type == JointType::spherical) {
      const Quaternion from = read_quaternion(q_from, joint.q_index), to = read_quaternion(q_to, joint.q_index);
      v.segment<3>(joint.v_index) = logarithm(from.conjugate() * to);
    } else {
      for (int k = 0; k < velocity_size(joint); ++k) {
        v[joint.v_index + k] = q_to[joint.q_index + k] - q_from[joint.q_index + k];
      }
    }
  }
}

void transport_velocity(const Model& model, const VectorX& q_from, const VectorX& q_to, const VectorX& v_from,
                        VectorX& v_to) {
  v_to.resize(model.velocity_count());
  for (int i = 0; i < model.body_count(); ++i) {
    const Joint& joint = model.joints()[i];
    const int k = joint.v_index;
    if (joint.type != JointType::free && joint.type != JointType::spherical) {
      for (int j = 0; j < velocity_size(joint); ++j) v_to[k + j] = v_from[k + j];
      continue;
    }
    const Quaternion from = read_quaternion(q_from, joint.q_index), to = read_quaternion(q_to, joint.q_index);
    const Quaternion turn = to.conjugate() * from;
    const Vec3 w_from = v_from.segment<3>(k);
    const Vec3 w_to = turn * w_from;
    if (joint.type == JointType::free) {
      const Vec3 c_M = center_in_M(model, i);
      const Vec3 v_center = v_from.segment<3>(k + 3) + w_from.cross(c_M);
      v_to.segment<3>(k + 3) = turn * v_center - w_to.cross(c_M);
    }
    v_to.segment<3>(k) = w_to;
  }
}

void normalize(const Model& model, VectorX& q) {
  for (int i = 0; i < model.body_count(); ++i) {
    const Joint& joint = model.joints()[i];
    if (joint.type != JointType::free && joint.type != JointType::spherical) continue;
    const Quaternion value = read_quaternion(q, joint.q_index);
    const double length = value.norm();
    if (!std::isfinite(length) || length == 0) {
      const std::string& body = model.bodies()[i].name;
      const std::string which = joint.name.empty() ? "The " + joint_name(joint.type) + " joint of body \"" + body + "\""
                                                   : "Joint \"" + joint.name + "\"";
      throw Error(which + " has a quaternion that stands for no rotation; it needs four finite numbers, not all zero.");
    }
    write_quaternion(Quaternion(value.coeffs() / length), joint.q_index, q);
  }
}

}  // namespace carom
