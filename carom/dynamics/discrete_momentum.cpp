#include "carom/dynamics/discrete_momentum.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "carom/dynamics/joint_column.h"

namespace carom {
namespace {

bool turns_freely(const Joint& joint) { return joint.type == JointType::free || joint.type == JointType::spherical; }

/// (θ/sin θ − 1)/θ² and tan(θ/2)/θ; both are functions of θ², and as series below. No numbers from half a turn on,
/// where the middle of a rotation is no longer the one meant.
struct TurnFactors {
  double spread, lean;
  explicit TurnFactors(double square) {
    if (square < 1e-4) {
      spread = 1.0 / 6 + square * (7.0 / 360 + square * 31.0 / 15120);
      lean = 0.5 + square * (1.0 / 24 + square / 240);
    } else if (!(square < std::numbers::pi * std::numbers::pi)) {
      spread = lean = std::numeric_limits<double>::quiet_NaN();
    } else {
      const double angle = std::sqrt(square);
      spread = (angle / std::sin(angle) - 1) / square;
      lean = std::tan(0.5 * angle) / angle;
    }
  }
};

}  // namespace

void kinetic_slopes(const Model& model, const VectorX& v, DynamicsWorkspace& workspace, VectorX& momentum,
                    VectorX& slope) {
  momentum.resize(model.velocity_count());
  slope.resize(model.velocity_count());
  for (NodeState& state : workspace.nodes) state.f = state.inertia * state.V;
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const TreeNode& node = model.nodes()[i];
    const NodeState& state = workspace.nodes[i];
    Motion carrying;
    if (node.parent >= 0) {
      NodeState& parent = workspace.nodes[node.parent];
      parent.f += state.f.moved_back_by(state.r);
      carrying = parent.V.moved_by(state.r);
    }
    for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) {
      const JointColumn& column = workspace.columns[k];
      momentum[k] = project(column, state.f) + column.reflected_inertia * v[k];
      slope[k] = dot(state.f, cross_scaled(carrying, column, 1));
      if (!subspace_fixed_in_body(node)) add_scaled(column, v[k], carrying);
    }
  }
}

void midpoint_momentum(const Model& model, const VectorX& v, double h, const VectorX& momentum, const VectorX& slope,
                       const VectorX& force, MidpointMomentum& at_middle) {
  VectorX& mean = at_middle.mean;
  VectorX& impulse = at_middle.impulse;
  mean = momentum;
  impulse = h * (slope + force);
  for (int i = 0; i < model.body_count(); ++i) {
    const Joint& joint = model.joints()[i];
    if (!turns_freely(joint)) continue;
    const bool is_free = joint.type == JointType::free;
    const int k = joint.v_index;
    const Vec3 c = center_in_M(model, i), w = v.segment<3>(k), x = 0.5 * h * w;
    Vec3 spin = momentum.segment<3>(k), turning = impulse.segment<3>(k);
    if (is_free) {
      const Vec3 linear = momentum.segment<3>(k + 3), push = impulse.segment<3>(k + 3);
      const Vec3 center_speed = v.segment<3>(k + 3) + w.cross(c);
      const Vec3 turns = h * center_speed.cross(linear);
      impulse.segment<3>(k) -= turns;
      spin -= c.cross(linear);
      turning -= c.cross(push) + turns;
    }
    const TurnFactors factors(x.squaredNorm());
    mean.segment<3>(k) += -factors.spread * x.cross(x.cross(spin)) + 0.5 * factors.lean * x.cross(turning);
  }
}

void transport_momentum(const Model& model, const VectorX& q_from, const VectorX& q_to, const VectorX& p_from,
                        VectorX& p_to) {
  p_to.resize(model.velocity_count());
  for (int i = 0; i < model.body_count(); ++i) {
    const Joint& joint = model.joints()[i];
    const int k = joint.v_index;
    if (!turns_freely(joint)) {
      for (int j = 0; j < velocity_size(joint); ++j) p_to[k + j] = p_from[k + j];
      continue;
    }
    const Quaternion turn = read_quaternion(q_to, joint.q_index).conjugate() * read_quaternion(q_from, joint.q_index);
    Vec3 spin = p_from.segment<3>(k);
    if (joint.type == JointType::free) {
      const Vec3 c = center_in_M(model, i), linear = p_from.segment<3>(k + 3), turned = turn * linear;
      spin = turn * Vec3(spin - c.cross(linear)) + c.cross(turned);
      p_to.segment<3>(k + 3) = turned;
    } else {
      spin = turn * spin;
    }
    p_to.segment<3>(k) = spin;
  }
}

}  // namespace carom
