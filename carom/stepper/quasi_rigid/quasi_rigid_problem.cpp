#include "carom/stepper/quasi_rigid/quasi_rigid_problem.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "carom/error.h"
#include "carom/spatial/rotation.h"

namespace carom {
namespace {

using System = ClosestPointSystem;

/// δθ = left_jacobian(φ) δφ: how the rotation exp(φ) turns, in the outer frame, as φ changes.
Mat3 left_jacobian(const Vec3& phi) {
  const double angle = phi.norm();
  const Mat3 cross = skew(phi);
  // Series where differences of cosines would lose digits: the next terms are angle⁴/720 and angle⁴/5040.
  const bool small = angle < 1e-3;
  const double square = angle * angle;
  const double first = small ? 0.5 - square / 24 : (1 - std::cos(angle)) / square;
  const double second = small ? 1.0 / 6 - square / 120 : (angle - std::sin(angle)) / (square * angle);
  return Mat3::Identity() + first * cross + second * cross * cross;
}

Mat3 world_inertia(const QuasiRigidBody& body, const QuasiRigidMotion& motion) {
  return motion.X_WC.R * body.inertia * motion.X_WC.R.transpose();
}

void check_pair(const QuasiRigidPair& pair, int bodies, const std::string& name) {
  if (pair.a < 0 || pair.a >= bodies || pair.b < 0 || pair.b >= bodies || pair.a == pair.b) {
    throw Error(name + ": a and b must name two different bodies, numbered from 0 to " + std::to_string(bodies - 1));
  }
  if (!pair.compliant) return;
  if (!(pair.layer.stiffness > 0)) throw Error(name + ": a layer's stiffness must be above 0");
  if (!(pair.layer.damping >= 0)) throw Error(name + ": a layer's damping must not be below 0");
  if (!(pair.layer.thickness > 0))
    throw Error(name + ": a layer's thickness must be above 0; without one, it is rigid");
}

}  // namespace

QuasiRigidProblem::QuasiRigidProblem(const std::vector<QuasiRigidBody>& bodies, std::vector<QuasiRigidPair> pairs,
                                     const Vec3& gravity)
    : bodies_(&bodies), pairs_(std::move(pairs)), gravity_(gravity) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const QuasiRigidBody& body = bodies[i];
    check(body.surface);
    if (body.moves && !(body.mass > 0)) throw Error("body " + std::to_string(i) + ": its mass must be above 0");
    if (body.moves &&
        (!body.inertia.isApprox(body.inertia.transpose(), 1e-12) || body.inertia.llt().info() != Eigen::Success)) {
      throw Error("body " + std::to_string(i) + ": its inertia must be symmetric and positive definite");
    }
    body_index_.push_back(body.moves ? size_ : -1);
    if (body.moves) size_ += 6;
  }
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const QuasiRigidPair& pair = pairs_[i];
    check_pair(pair, static_cast<int>(bodies.size()), "pair " + std::to_string(i));
    systems_.emplace_back(bodies[pair.a].surface, bodies[pair.b].surface);
    pair_index_.push_back(size_);
    size_ += systems_.back().size();
    impulse_index_.push_back(size_);
    size_ += pair.compliant ? 3 : 1;
  }
}

VectorX QuasiRigidProblem::lower() const {
  VectorX lower = VectorX::Constant(size_, -std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    lower.segment(pair_index_[i] + System::multipliers_a, systems_[i].size() - System::multipliers_a).setZero();
    if (pairs_[i].compliant) {
      lower.segment<2>(impulse_index_[i] + 1).setZero();
    } else {
      lower[impulse_index_[i]] = 0;
    }
  }
  return lower;
}

double QuasiRigidProblem::normal_impulse(int pair, const Input& z) const {
  const int at = impulse_index_[pair];
  return pairs_[pair].compliant ? z[at + 1] + z[at + 2] : z[at];
}

void QuasiRigidProblem::end(const std::vector<QuasiRigidMotion>& start, double h, const Input& z,
                            std::vector<QuasiRigidMotion>& motions) const {
  motions = start;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const int at = body_index_[i];
    if (at < 0) continue;
    QuasiRigidMotion& motion = motions[i];
    motion.velocity = z.segment<3>(at);
    motion.angular_velocity = z.segment<3>(at + 3);
    motion.X_WC.p += h * motion.velocity;
    motion.X_WC.R = exponential(h * motion.angular_velocity).toRotationMatrix() * start[i].X_WC.R;
  }
}

void QuasiRigidProblem::residual(const std::vector<QuasiRigidMotion>& start, double h, const Input& z,
                                 std::vector<QuasiRigidMotion>& motions, Eigen::Ref<VectorX> F) const {
  end(start, h, z, motions);
  for (std::size_t i = 0; i < start.size(); ++i) {
    const int at = body_index_[i];
    if (at < 0) continue;
    const QuasiRigidBody& body = (*bodies_)[i];
    const Mat3 inertia = world_inertia(body, start[i]);
    const Vec3& w = start[i].angular_velocity;
    F.segment<3>(at) = body.mass * (motions[i].velocity - start[i].velocity - h * gravity_);
    F.segment<3>(at + 3) = inertia * (motions[i].angular_velocity - w) + h * w.cross(inertia * w);
  }
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const QuasiRigidPair& pair = pairs_[i];
    const int first = pair_index_[i], law = impulse_index_[i], n = systems_[i].size();
    systems_[i].residual(motions[pair.a].X_WC, motions[pair.b].X_WC, z.segment(first, n), F.segment(first, n));
    const Vec3 push = normal_impulse(static_cast<int>(i), z) * z.segment<3>(first + System::normal);
    const auto add_push = [&](int body, int point, double sign) {
      const int at = body_index_[body];
      if (at < 0) return;
      F.segment<3>(at) -= sign * push;
      F.segment<3>(at + 3) -= sign * (z.segment<3>(first + point) - motions[body].X_WC.p).cross(push);
    };
    add_push(pair.a, System::point_a, 1);
    add_push(pair.b, System::point_b, -1);
    const double gap = z[first + System::gap];
    if (!pair.compliant) {
      F[law] = gap;
      continue;
    }
    const double deflection = z[law];
    F[law] = z[law + 1] - h * pair.layer.stiffness * deflection - pair.layer.damping * (deflection - pair.deflection);
    F[law + 1] = gap + deflection;
    // Without a core any positive number will do: p_r = 0.
    F[law + 2] = std::isfinite(pair.layer.thickness) ? pair.layer.thickness - deflection : 1.0;
  }
}

void QuasiRigidProblem::jacobian(const std::vector<QuasiRigidMotion>& start, double h, const Input& z,
                                 std::vector<QuasiRigidMotion>& motions, Eigen::Ref<MatrixX> J) const {
  end(start, h, z, motions);
  for (std::size_t i = 0; i < start.size(); ++i) {
    const int at = body_index_[i];
    if (at < 0) continue;
    const QuasiRigidBody& body = (*bodies_)[i];
    J.block<3, 3>(at, at) = body.mass * Mat3::Identity();
    J.block<3, 3>(at + 3, at + 3) = world_inertia(body, start[i]);
  }
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    add_pair_jacobian(static_cast<int>(i), h, z, motions, J);
    add_law_jacobian(static_cast<int>(i), h, J);
  }
}

void QuasiRigidProblem::add_pair_jacobian(int pair, double h, const Input& z,
                                          const std::vector<QuasiRigidMotion>& motions, Eigen::Ref<MatrixX> J) const {
  const QuasiRigidPair& bodies = pairs_[pair];
  const int first = pair_index_[pair], law = impulse_index_[pair], n = systems_[pair].size();
  const Transform &X_WA = motions[bodies.a].X_WC, &X_WB = motions[bodies.b].X_WC;
  systems_[pair].jacobian(X_WA, X_WB, z.segment(first, n), J.block(first, first, n, n));
  MatrixX by_pose = MatrixX::Zero(n, 12);
  systems_[pair].pose_jacobian(X_WA, X_WB, z.segment(first, n), by_pose);
  const Vec3 normal = z.segment<3>(first + System::normal);
  const double p = normal_impulse(pair, z);
  const int impulse = bodies.compliant ? law + 1 : law, impulses = bodies.compliant ? 2 : 1;
  const auto add_body = [&](int body, int point, int pose, double sign) {
    const int at = body_index_[body];
    if (at < 0) return;
    const Vec3 arm = z.segment<3>(first + point) - motions[body].X_WC.p;
    J.block(first, at, n, 3) += h * by_pose.middleCols<3>(pose + 3);
    J.block(first, at + 3, n, 3) += h * by_pose.middleCols<3>(pose) * left_jacobian(h * motions[body].angular_velocity);
    J.block<3, 3>(at, first + System::normal) -= sign * p * Mat3::Identity();
    J.block<3, 3>(at + 3, first + System::normal) -= sign * p * skew(arm);
    J.block<3, 3>(at + 3, first + point) += sign * p * skew(normal);
    J.block<3, 3>(at + 3, at) -= sign * h * p * skew(normal);
    for (int k = 0; k < impulses; ++k) {
      J.block<3, 1>(at, impulse + k) -= sign * normal;
      J.block<3, 1>(at + 3, impulse + k) -= sign * arm.cross(normal);
    }
  };
  add_body(bodies.a, System::point_a, 0, 1);
  add_body(bodies.b, System::point_b, 6, -1);
}

void QuasiRigidProblem::add_law_jacobian(int pair, double h, Eigen::Ref<MatrixX> J) const {
  const QuasiRigidPair& bodies = pairs_[pair];
  const int gap = pair_index_[pair] + System::gap, law = impulse_index_[pair];
  if (!bodies.compliant) {
    J(law, gap) = 1;
    return;
  }
  J(law, law + 1) = 1;
  J(law, law) = -h * bodies.layer.stiffness - bodies.layer.damping;
  J(law + 1, gap) = 1;
  J(law + 1, law) = 1;
  if (std::isfinite(bodies.layer.thickness)) J(law + 2, law) = -1;
}

}  // namespace carom
