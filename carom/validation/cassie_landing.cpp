#include "carom/validation/cassie_landing.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "carom/dynamics/body_motion.h"
#include "carom/error.h"
#include "carom/stepper/simulation.h"

namespace carom {
namespace {

/// A point of a body that moves so, and how fast it is.
struct MovingPoint {
  Vec3 position, velocity;
};

MovingPoint point_of(const std::vector<BodyMotion>& motions, int body, const Vec3& p) {
  if (body < 0) return {p, Vec3::Zero()};
  const BodyMotion& motion = motions[static_cast<std::size_t>(body)];
  const Vec3 arm = motion.orientation * p;
  return {motion.position + arm, motion.velocity + motion.angular_velocity.cross(arm)};
}

bool is_ankle_spring(std::string_view joint) { return joint.substr(0, 12) == "ankle_spring"; }

}  // namespace

CassieRobot::CassieRobot(Scene given) : scene_(std::move(given)) {
  const auto& joints = scene_.model->joints();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (joints[i].type != JointType::free) continue;
    if (pelvis_ >= 0) throw Error(scene_.file + ": two bodies move freely; the robot alone may");
    pelvis_ = static_cast<int>(i);
  }
  if (pelvis_ < 0) throw Error(scene_.file + ": no body moves freely; the robot's pelvis must");
  const auto joint_of = [&](const char* name) -> const Joint& {
    const auto found =
        std::find_if(joints.begin(), joints.end(), [&](const Joint& joint) { return joint.name == name; });
    if (found == joints.end() || found->type != JointType::revolute) {
      throw Error(scene_.file + ": the robot needs a hinge '" + name + "'");
    }
    return *found;
  };
  for (const char* name : cassie_joints) {
    q_.push_back(joint_of(name).q_index);
    v_.push_back(joint_of(name).v_index);
  }
  for (const char* name : cassie_motors) motors_.push_back(joint_of(name).v_index);
  const auto& constraints = scene_.model->constraints();
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (constraints[i].kind == ConstraintKind::rod) rods_.push_back(static_cast<int>(i));
  }
  if (rods_.size() != 2) throw Error(scene_.file + ": the robot needs two rods, one for each leg");
}

Eigen::VectorXd CassieRobot::measured(const State& state) const {
  const BodyMotion pelvis = body_motions(*scene_.model, state)[static_cast<std::size_t>(pelvis_)];
  Eigen::VectorXd velocities(6 + static_cast<Eigen::Index>(v_.size()));
  velocities << pelvis.angular_velocity, pelvis.velocity, state.v(v_);
  return velocities;
}

Eigen::VectorXd CassieRobot::rod_rates(const State& state) const {
  const std::vector<BodyMotion> motions = body_motions(*scene_.model, state);
  Eigen::VectorXd rates(static_cast<Eigen::Index>(rods_.size()));
  for (std::size_t i = 0; i < rods_.size(); ++i) {
    const Constraint& rod = scene_.model->constraints()[static_cast<std::size_t>(rods_[i])];
    const MovingPoint a = point_of(motions, rod.body_a, rod.X_AF.p), b = point_of(motions, rod.body_b, rod.X_BG.p);
    rates[static_cast<Eigen::Index>(i)] = (a.position - b.position).normalized().dot(a.velocity - b.velocity);
  }
  return rates;
}

double CassieRobot::rod_error(const State& state) const {
  const std::vector<BodyMotion> motions = body_motions(*scene_.model, state);
  double error = 0;
  for (const int number : rods_) {
    const Constraint& rod = scene_.model->constraints()[static_cast<std::size_t>(number)];
    const Vec3 a = point_of(motions, rod.body_a, rod.X_AF.p).position,
               b = point_of(motions, rod.body_b, rod.X_BG.p).position;
    error = std::max(error, std::abs((a - b).norm() - rod.length));
  }
  return error;
}

State CassieRobot::start(const CassieLanding& landing) const {
  State state = scene_.initial;
  const auto position = landing.positions.row(0), velocity = landing.velocities.row(0);
  const Joint& base = scene_.model->joints()[static_cast<std::size_t>(pelvis_)];
  const Quaternion turn = Quaternion(position[0], position[1], position[2], position[3]).normalized();
  state.q.segment<7>(base.q_index) << turn.w(), turn.x(), turn.y(), turn.z(), position.segment<3>(4).transpose();
  const Quaternion back = turn.conjugate();
  state.v.segment<6>(base.v_index) << back * Vec3(velocity.head<3>()), back * Vec3(velocity.segment<3>(3));
  std::vector<int> springs;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    state.q[q_[i]] = position[7 + static_cast<Eigen::Index>(i)];
    state.v[v_[i]] = velocity[6 + static_cast<Eigen::Index>(i)];
    if (is_ankle_spring(cassie_joints[i])) springs.push_back(v_[i]);
  }
  // The rods' rates are linear in those of the springs.
  for (const int spring : springs) state.v[spring] = 0;
  const Eigen::VectorXd without = rod_rates(state);
  Eigen::Matrix2d rate;
  for (int k = 0; k < 2; ++k) {
    state.v[springs[static_cast<std::size_t>(k)]] = 1;
    rate.col(k) = rod_rates(state) - without;
    state.v[springs[static_cast<std::size_t>(k)]] = 0;
  }
  if (!(std::abs(rate.determinant()) > 0)) {
    throw Error(scene_.file + ": the rods do not give the rates of the ankle springs of landing " +
                std::to_string(landing.number));
  }
  state.v(springs) = -rate.inverse() * without;
  return state;
}

CassieMotion CassieRobot::land(const CassieLanding& landing) const {
  Simulation simulation(scene_.model, scene_.method, start(landing));
  const double began = simulation.state().time;
  simulation.set_controller([&](const Model&, const State& state, VectorX& force) {
    constexpr double round_off = 1e-9;  // s, of a sample that begins with a step
    const auto next = std::upper_bound(landing.times.begin(), landing.times.end(), state.time - began + round_off) - 1;
    const auto sample = std::max<std::ptrdiff_t>(next - landing.times.begin(), 0);
    for (std::size_t i = 0; i < motors_.size(); ++i) {
      force[motors_[i]] += landing.torques(sample, static_cast<Eigen::Index>(i));
    }
  });
  CassieMotion motion;
  motion.velocities.resize(landing.velocities.rows(), landing.velocities.cols());
  Eigen::VectorXd last = measured(simulation.state());
  motion.velocities.row(0) = last.transpose();
  std::size_t sample = 1;
  while (sample < landing.times.size()) {
    const double before = simulation.state().time - began;
    simulation.step();
    const double now = simulation.state().time - began;
    const Eigen::VectorXd velocities = measured(simulation.state());
    for (; sample < landing.times.size() && landing.times[sample] <= now; ++sample) {
      const double part = (landing.times[sample] - before) / (now - before);
      motion.velocities.row(static_cast<Eigen::Index>(sample)) = ((1 - part) * last + part * velocities).transpose();
    }
    last = velocities;
    motion.rod_error = std::max(motion.rod_error, rod_error(simulation.state()));
  }
  motion.steps = simulation.certificate().steps;
  motion.unsolved = simulation.certificate().unsolved_steps;
  return motion;
}

}  // namespace carom
