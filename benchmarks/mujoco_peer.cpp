#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cstdio>
#include <string>

#include "benchmarks/dynamics_peers.h"
#include "testing/peers/mujoco.h"

namespace carom::bench {
namespace {

constexpr int deepest = 100;  // bodies on the way to a leaf

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g ", value);
  return text;
}

std::string numbers(const Vec3& v) { return number(v.x()) + number(v.y()) + number(v.z()); }

std::string numbers(const Quaternion& q) { return number(q.w()) + number(q.x()) + number(q.y()) + number(q.z()); }

/// A model in MJCF. Frames of bodies are Carom's; a body's pose there is the one at q = 0.
class Writer {
 public:
  explicit Writer(const Model& model) : model_(model), children_(model.body_count()) {
    for (int i = 0; i < model.body_count(); ++i) {
      const int parent = model.joints()[i].parent;
      if (parent >= 0) children_[parent].push_back(i);
    }
  }

  std::string write() const {
    std::string text = "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/><option gravity=\"" +
                       numbers(model_.gravity()) + "\"/><worldbody>";
    for (int i = 0; i < model_.body_count(); ++i) {
      if (model_.joints()[i].parent < 0) text += body(i);
    }
    return text + "</worldbody></mujoco>";
  }

 private:
  std::string body(int i) const {
    const Joint& joint = model_.joints()[i];
    const SpatialInertia& I = model_.bodies()[i].inertia;
    const Transform X_PB = joint.X_PF * joint.X_BM.inverse();
    std::string text = "<body name=\"b" + std::to_string(i) + "\" pos=\"" + numbers(X_PB.p) + "\" quat=\"" +
                       numbers(Quaternion(X_PB.R)) + "\">";
    // Principal axes, because MuJoCo finds them to some seven digits only.
    const Eigen::SelfAdjointEigenSolver<Mat3> principal(I.central);
    Mat3 axes = principal.eigenvectors();
    if (axes.determinant() < 0) axes.col(0) *= -1;
    text += "<inertial pos=\"" + numbers(I.center) + "\" quat=\"" + numbers(Quaternion(axes)) + "\" mass=\"" +
            number(I.mass) + "\" diaginertia=\"" + numbers(Vec3(principal.eigenvalues())) + "\"/>";
    const Vec3 axis = joint.X_BM.R.col(2);
    if (joint.type == JointType::free) text += "<freejoint/>";
    if (joint.type == JointType::spherical) text += "<joint type=\"ball\" pos=\"" + numbers(joint.X_BM.p) + "\"/>";
    if (velocity_size(joint) == 1) {
      const std::string type = joint.type == JointType::revolute ? "hinge" : "slide";
      text += "<joint type=\"" + type + "\" pos=\"" + numbers(joint.X_BM.p) + "\" axis=\"" + numbers(axis) + "\"/>";
    }
    for (const int child : children_[i]) text += body(child);
    return text + "</body>";
  }

  const Model& model_;
  std::vector<std::vector<int>> children_;
};

/// MuJoCo turns a ball joint from the body's axes at q = 0 and gives its rates in the body's axes. A free joint's
/// position is the body's in the world. Its rates are the velocity of the body's origin in the world's axes and the
/// angular velocity in the body's.
class MujocoPeer : public DynamicsPeer {
 public:
  explicit MujocoPeer(const Model& model) : model_(model), mujoco_(Writer(model).write()) {
    for (int i = 0; i < model.body_count(); ++i) {
      const int body = mujoco_.body("b" + std::to_string(i));
      body_.push_back(body);
      const int joint = mujoco_.m->body_jntadr[body];
      q_index_.push_back(joint < 0 ? 0 : mujoco_.m->jnt_qposadr[joint]);
      v_index_.push_back(joint < 0 ? 0 : mujoco_.m->jnt_dofadr[joint]);
    }
  }

  void set_states(const std::vector<DynamicsState>& states) override {
    from_ = states;
    states_.clear();
    for (const DynamicsState& state : states) {
      DynamicsState to{VectorX(mujoco_.m->nq), VectorX(mujoco_.m->nv), VectorX(mujoco_.m->nv)};
      for (int i = 0; i < model_.body_count(); ++i) convert(i, state, to);
      states_.push_back(to);
    }
  }

  /// Those parts of mj_forward that the acceleration needs: what it does about contacts, tendons, sensors and actuators
  /// is left out.
  void evaluate(int k) override {
    const DynamicsState& state = states_[k];
    mju_copy(mujoco_.d->qpos, state.q.data(), mujoco_.m->nq);
    mju_copy(mujoco_.d->qvel, state.v.data(), mujoco_.m->nv);
    mj_kinematics(mujoco_.m, mujoco_.d);
    mj_comPos(mujoco_.m, mujoco_.d);
    mj_crb(mujoco_.m, mujoco_.d);
    mj_factorM(mujoco_.m, mujoco_.d);
    mj_comVel(mujoco_.m, mujoco_.d);
    mj_rne(mujoco_.m, mujoco_.d, 0, mujoco_.d->qfrc_bias);
    mju_sub(mujoco_.d->qfrc_smooth, state.tau.data(), mujoco_.d->qfrc_bias, mujoco_.m->nv);
    mj_solveM(mujoco_.m, mujoco_.d, mujoco_.d->qacc, mujoco_.d->qfrc_smooth, 1);
  }

  VectorX acceleration(int k) override {
    const VectorX theirs = Eigen::Map<const VectorX>(mujoco_.d->qacc, mujoco_.m->nv);
    const DynamicsState& from = from_[k];
    VectorX vdot(model_.velocity_count());
    for (int i = 0; i < model_.body_count(); ++i) {
      const Joint& joint = model_.joints()[i];
      const Mat3 R_MB = joint.X_BM.R.transpose();
      const int size = velocity_size(joint), to = joint.v_index, at = v_index_[i];
      if (size == 1) vdot[to] = theirs[at];
      if (size == 3) vdot.segment<3>(to) = R_MB * theirs.segment<3>(at);
      if (size < 6) continue;
      // ẍ_M = ẍ_B + R (ω̇ × r + ω × (ω × r)) with r from B's origin to M's. Then v̇ = R_MW ẍ_M − ω × v in M.
      const Vec3 w = from.v.segment<3>(to), v = from.v.segment<3>(to + 3);
      const Vec3 turn = R_MB * theirs.segment<3>(at + 3), r = R_MB * joint.X_BM.p;
      const Mat3 R_MW = (joint.X_PF.R * quaternion_at(from.q, joint.q_index).toRotationMatrix()).transpose();
      const Vec3 origin = R_MW * theirs.segment<3>(at);
      vdot.segment<3>(to) = turn;
      vdot.segment<3>(to + 3) = origin + turn.cross(r) + w.cross(w.cross(r)) - w.cross(v);
    }
    return vdot;
  }

  void set_points(const std::vector<PeerPoint>& points) override {
    points_ = points;
    const Eigen::Index rows = 3 * static_cast<Eigen::Index>(points.size());
    J_.resize(rows, mujoco_.m->nv);
    Y_.resize(rows, mujoco_.m->nv);
    A_.resize(rows, rows);
  }

  /// As its own constraints do it: rows of J, solves with the factors of M, and the product.
  void evaluate_delassus() override {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const int body = body_[points_[i].body];
      mjtNum at[3];
      mju_rotVecMat(at, points_[i].at.data(), mujoco_.d->xmat + 9 * body);
      mju_addTo3(at, mujoco_.d->xpos + 3 * body);
      mj_jac(mujoco_.m, mujoco_.d, J_.row(3 * static_cast<Eigen::Index>(i)).data(), nullptr, at, body);
    }
    mj_solveM(mujoco_.m, mujoco_.d, Y_.data(), J_.data(), static_cast<int>(J_.rows()));
    A_.noalias() = J_ * Y_.transpose();
  }

  const MatrixX& delassus() const override { return A_; }

 private:
  void convert(int i, const DynamicsState& from, DynamicsState& to) const {
    const Joint& joint = model_.joints()[i];
    const int size = velocity_size(joint), v_at = joint.v_index, to_q = q_index_[i], to_v = v_index_[i];
    if (size == 1) {
      to.q[to_q] = from.q[joint.q_index];
      to.v[to_v] = from.v[v_at];
      to.tau[to_v] = from.tau[v_at];
    }
    if (size < 3) return;
    const Mat3& R_BM = joint.X_BM.R;
    const Quaternion q_FM = quaternion_at(from.q, joint.q_index);
    const Vec3 w = R_BM * from.v.segment<3>(v_at);
    const Vec3 moment = R_BM * from.tau.segment<3>(v_at);
    if (size == 3) {
      const Vec3 axis = R_BM * q_FM.vec();
      to.q.segment<4>(to_q) << q_FM.w(), axis;
      to.v.segment<3>(to_v) = w;
      to.tau.segment<3>(to_v) = moment;
      return;
    }
    const Transform X_FM{q_FM.toRotationMatrix(), from.q.segment<3>(joint.q_index + 4)};
    const Transform X_WB = joint.X_PF * X_FM * joint.X_BM.inverse();
    const Quaternion q_WB(X_WB.R);
    const Vec3 v = R_BM * from.v.segment<3>(v_at + 3), force = R_BM * from.tau.segment<3>(v_at + 3);
    to.q.segment<7>(to_q) << X_WB.p, q_WB.w(), q_WB.vec();
    to.v.segment<6>(to_v) << X_WB.R * (v - w.cross(joint.X_BM.p)), w;
    to.tau.segment<6>(to_v) << X_WB.R * force, moment + joint.X_BM.p.cross(force);
  }

  const Model& model_;
  test::Mujoco mujoco_;
  std::vector<int> q_index_, v_index_, body_;
  std::vector<DynamicsState> from_, states_;
  std::vector<PeerPoint> points_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> J_, Y_;
  MatrixX A_;
};

}  // namespace

std::unique_ptr<DynamicsPeer> make_mujoco_peer(const Model& model) {
  if (!has_common_joints(model)) return nullptr;
  std::vector<int> depth;
  for (const Joint& joint : model.joints()) {
    if (joint.type == JointType::free && joint.parent >= 0) return nullptr;
    depth.push_back(joint.parent < 0 ? 1 : depth[joint.parent] + 1);
    if (depth.back() > deepest) return nullptr;
  }
  return std::make_unique<MujocoPeer>(model);
}

}  // namespace carom::bench
