// Compiled as C++17 and without NDEBUG, which is how Debian compiled the library: its headers ask for both.
#include <Simbody.h>

#include "benchmarks/dynamics_peer.h"

namespace carom::bench {
namespace {

SimTK::Vec3 to_simbody(const Vec3& v) { return SimTK::Vec3(v.x(), v.y(), v.z()); }
SimTK::Mat33 to_simbody(const Mat3& m) {
  return SimTK::Mat33(m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2));
}
SimTK::Transform to_simbody(const Transform& X) {
  return SimTK::Transform(SimTK::Rotation(to_simbody(X.R), true), to_simbody(X.p));
}

/// Simbody's rates of spherical and free joints are told in the axes of F, Carom's in those of M.
class SimbodyPeer : public DynamicsPeer {
 public:
  explicit SimbodyPeer(const PeerMechanism& mechanism)
      : mechanism_(mechanism), matter_(system_), forces_(system_), drive_(forces_, matter_) {
    SimTK::Force::UniformGravity(forces_, matter_, to_simbody(mechanism.gravity));
    std::vector<SimTK::MobilizedBody> bodies;
    for (const PeerJoint& joint : mechanism.joints) {
      bodies.push_back(add_body(joint, joint.parent < 0 ? matter_.updGround() : bodies[joint.parent]));
    }
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
    for (const SimTK::MobilizedBody& body : bodies) {
      const bool moves = body.getNumU(state_) > 0;
      q_index_.push_back(moves ? int(body.getFirstQIndex(state_)) : 0);
      u_index_.push_back(moves ? int(body.getFirstUIndex(state_)) : 0);
    }
  }

  void set_states(const std::vector<DynamicsState>& states) override {
    from_ = states;
    states_.clear();
    for (const DynamicsState& state : states) {
      State to{SimTK::Vector(state_.getNQ()), SimTK::Vector(state_.getNU()), SimTK::Vector(state_.getNU())};
      for (std::size_t i = 0; i < mechanism_.joints.size(); ++i) convert(i, state, to);
      states_.push_back(to);
    }
  }

  void evaluate(int k) override {
    state_.updQ() = states_[k].q;
    state_.updU() = states_[k].u;
    drive_.setAllMobilityForces(state_, states_[k].f);
    system_.realize(state_, SimTK::Stage::Acceleration);
  }

  VectorX acceleration(int k) override {
    const DynamicsState& from = from_[k];
    const SimTK::Vector& udot = state_.getUDot();
    VectorX vdot(mechanism_.velocity_count);
    for (std::size_t i = 0; i < mechanism_.joints.size(); ++i) {
      const PeerJoint& joint = mechanism_.joints[i];
      const int size = joint.velocity_size();
      for (int j = 0; j < size; ++j) vdot[joint.v_index + j] = udot[u_index_[i] + j];
      if (size == 1 || size == 0) continue;
      const Mat3 R_MF = quaternion_at(from.q, joint.q_index).toRotationMatrix().transpose();
      vdot.segment<3>(joint.v_index) = R_MF * vdot.segment<3>(joint.v_index);
      if (size == 3) continue;
      const Vec3 w = from.v.segment<3>(joint.v_index), v = from.v.segment<3>(joint.v_index + 3);
      vdot.segment<3>(joint.v_index + 3) = R_MF * vdot.segment<3>(joint.v_index + 3) - w.cross(v);
    }
    return vdot;
  }

  void set_points(const std::vector<PeerPoint>& points) override {
    bodies_.clear();
    stations_.clear();
    for (const PeerPoint& point : points) {
      bodies_.push_back(SimTK::MobilizedBodyIndex(point.body + 1));  // body 0 is the ground
      stations_.push_back(to_simbody(point.at));
    }
    A_.resize(3 * int(points.size()), 3 * int(points.size()));
  }

  /// A column at a time: a unit force at a point, to forces of the joints, by M⁻¹, to velocities of all points.
  void evaluate_delassus() override {
    const int count = int(stations_.size());
    SimTK::Vector_<SimTK::Vec3> forces(count), velocities;
    SimTK::Vector f, response;
    for (int column = 0; column < 3 * count; ++column) {
      forces = SimTK::Vec3(0);
      forces[column / 3][column % 3] = 1;
      matter_.multiplyByStationJacobianTranspose(state_, bodies_, stations_, forces, f);
      matter_.multiplyByMInv(state_, f, response);
      matter_.multiplyByStationJacobian(state_, bodies_, stations_, response, velocities);
      for (int row = 0; row < 3 * count; ++row) A_(row, column) = velocities[row / 3][row % 3];
    }
  }

  const MatrixX& delassus() const override { return A_; }

 private:
  struct State {
    SimTK::Vector q, u, f;
  };

  SimTK::MobilizedBody add_body(const PeerJoint& joint, SimTK::MobilizedBody& parent) {
    const Mat3 about_origin = joint.central + joint.mass * (joint.center.squaredNorm() * Mat3::Identity() -
                                                            joint.center * joint.center.transpose());
    const SimTK::SymMat33 inertia(about_origin(0, 0), about_origin(1, 0), about_origin(1, 1), about_origin(2, 0),
                                  about_origin(2, 1), about_origin(2, 2));
    const SimTK::Body::Rigid body(SimTK::MassProperties(joint.mass, to_simbody(joint.center), SimTK::Inertia(inertia)));
    const SimTK::Transform X_PF = to_simbody(joint.X_PF), X_BM = to_simbody(joint.X_BM);
    switch (joint.kind) {
      case PeerJoint::Kind::revolute:
        return SimTK::MobilizedBody::Pin(parent, X_PF, body, X_BM);
      case PeerJoint::Kind::prismatic: {
        // Simbody's slides along x.
        const SimTK::Rotation x_to_z(-SimTK::Pi / 2, SimTK::YAxis);
        return SimTK::MobilizedBody::Slider(parent, X_PF * SimTK::Transform(x_to_z), body,
                                            X_BM * SimTK::Transform(x_to_z));
      }
      case PeerJoint::Kind::spherical:
        return SimTK::MobilizedBody::Ball(parent, X_PF, body, X_BM);
      case PeerJoint::Kind::free:
        return SimTK::MobilizedBody::Free(parent, X_PF, body, X_BM);
      default:
        return SimTK::MobilizedBody::Weld(parent, X_PF, body, X_BM);
    }
  }

  void convert(std::size_t i, const DynamicsState& from, State& to) const {
    const PeerJoint& joint = mechanism_.joints[i];
    for (int j = 0; j < joint.position_size(); ++j) to.q[q_index_[i] + j] = from.q[joint.q_index + j];
    const int size = joint.velocity_size();
    if (size <= 1) {
      for (int j = 0; j < size; ++j) {
        to.u[u_index_[i] + j] = from.v[joint.v_index + j];
        to.f[u_index_[i] + j] = from.tau[joint.v_index + j];
      }
      return;
    }
    const Mat3 R_FM = quaternion_at(from.q, joint.q_index).toRotationMatrix();
    for (int part = 0; part < size; part += 3) {
      const Vec3 u = R_FM * from.v.segment<3>(joint.v_index + part);
      const Vec3 f = R_FM * from.tau.segment<3>(joint.v_index + part);
      for (int j = 0; j < 3; ++j) {
        to.u[u_index_[i] + part + j] = u[j];
        to.f[u_index_[i] + part + j] = f[j];
      }
    }
  }

  PeerMechanism mechanism_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::Force::DiscreteForces drive_;
  SimTK::State state_;
  std::vector<int> q_index_, u_index_;
  std::vector<DynamicsState> from_;
  std::vector<State> states_;
  SimTK::Array_<SimTK::MobilizedBodyIndex> bodies_;
  SimTK::Array_<SimTK::Vec3> stations_;
  MatrixX A_;
};

}  // namespace

std::unique_ptr<DynamicsPeer> make_simbody_peer(const PeerMechanism& mechanism) {
  return std::make_unique<SimbodyPeer>(mechanism);
}

}  // namespace carom::bench
