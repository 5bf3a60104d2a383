#include "carom/validation/toss_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/error.h"
#include "carom/spatial/rotation.h"
#include "carom/stepper/simulation.h"
#include "carom/validation/plane_pose.h"

namespace carom {
namespace {

/// m/s and rad/s. A cube that is slower at the ends of two frames in a row lies still from then on. It cannot be in
/// flight, where gravity would speed it up.
constexpr double rest_speed = 1e-6;

/// Freedom of the scene's only body: all, or that of the xz plane with its mass centre as the coordinates.
enum class Freedom { space, plane };

Freedom freedom_of(const Scene& scene) {
  const Model& model = *scene.model;
  const auto at_origin = [](const Transform& X) { return X.R.isIdentity(0) && X.p.isZero(0); };
  if (model.body_count() == 1) {
    const Joint& joint = model.joints().front();
    if (joint.type == JointType::free && at_origin(joint.X_PF) && at_origin(joint.X_BM)) return Freedom::space;
    if (moves_in_xz_plane(model)) return Freedom::plane;
  }
  throw Error(
      scene.file +
      ": a scene of tosses must have one body, without a joint, or on a joint {type: planar, plane: xz} between "
      "its mass centre and the world");
}

/// Coordinates of the release. A free joint has orientation and position, its velocities in the body's axes; a planar
/// one x, z and the angle about −y.
State thrown(const Scene& scene, const Release& release) {
  State state = scene.initial;
  const Quaternion& q = release.orientation;
  if (freedom_of(scene) == Freedom::space) {
    state.q << q.w(), q.x(), q.y(), q.z(), release.position;
    state.v << q.conjugate() * release.angular_velocity, q.conjugate() * release.velocity;
  } else {
    state.q << release.position.x(), release.position.z(), plane_angle(q);
    state.v << release.velocity.x(), release.velocity.z(), -release.angular_velocity.y();
  }
  return state;
}

Pose pose_of(const State& state, Freedom freedom) {
  const VectorX& q = state.q;
  if (freedom == Freedom::plane) return plane_pose(q.head<3>());
  return {q.tail<3>(), Quaternion(q[0], q[1], q[2], q[3])};
}

}  // namespace

std::vector<Pose> fly_and_freeze(const Release& release, std::size_t frames, const TossProtocol& protocol) {
  std::vector<Pose> poses;
  bool landed = false;
  for (std::size_t k = 0; k < frames; ++k) {
    const double t = static_cast<double>(k) / protocol.frame_rate;
    if (landed) {
      poses.push_back(poses.back());
      continue;
    }
    const Vec3 position =
        release.position + release.velocity * flight_time(t, protocol) - flight_fall(t, protocol) * Vec3::UnitZ();
    poses.push_back({position, exponential(Vec3(release.angular_velocity * t)) * release.orientation});
    landed = clearance(poses.back(), protocol) <= 0;
  }
  return poses;
}

TossProtocol protocol_of(const Scene& scene) {
  TossProtocol protocol;
  protocol.gravity = -scene.model->gravity().z();
  return protocol;
}

Release release_of(const Scene& scene, const Toss& toss, const TossProtocol& protocol) {
  freedom_of(scene);
  return fit_release(toss, protocol, scene.model->bodies().front().inertia.center);
}

Throw throw_cube(const Scene& scene, const Release& release, std::size_t frames, const TossProtocol& protocol) {
  const Freedom freedom = freedom_of(scene);
  Throw result;
  const double frame = 1 / protocol.frame_rate;
  const int steps = std::max(1, static_cast<int>(std::ceil(frame / scene.method.step - 1e-3)));
  Method method = scene.method;
  result.step = method.step = frame / steps;
  Simulation simulation(scene.model, method, thrown(scene, release));
  double start = 0, highest = 0;
  bool first = true;
  result.poses.reserve(frames);
  result.poses.push_back(pose_of(simulation.state(), freedom));
  bool still = false, rests = false;
  for (std::size_t k = 1; k < frames; ++k) {
    if (rests) {
      result.poses.push_back(result.poses.back());
      continue;
    }
    for (int i = 0; i < steps; ++i) {
      const EnergyLedger& energy = simulation.step().energy;
      const double now = energy.kinetic + energy.potential;
      if (first) start = highest = now - energy.kinetic_change - energy.potential_change;
      first = false;
      highest = std::max(highest, now);
    }
    result.poses.push_back(pose_of(simulation.state(), freedom));
    const bool was_still = std::exchange(still, simulation.state().v.cwiseAbs().maxCoeff() < rest_speed);
    rests = was_still && still;
  }
  result.energy_gain = highest - start;
  result.certificate = simulation.certificate();
  return result;
}

TossRun judge_throw(Throw thrown, const Toss& toss, const TossProtocol& protocol) {
  TossRun run;
  run.measured = toss;
  run.step = thrown.step;
  run.simulated = std::move(thrown.poses);
  run.simulated.resize(toss.poses.size());
  run.certificate = thrown.certificate;
  run.energy_gain = thrown.energy_gain;
  run.error = toss_error(run.simulated, toss.poses, protocol);
  run.frozen =
      toss_error(fly_and_freeze(fit_release(toss, protocol), toss.poses.size(), protocol), toss.poses, protocol);
  return run;
}

TossRun run_toss(const Scene& scene, const Toss& toss, const TossProtocol& protocol) {
  const Release release = release_of(scene, toss, protocol);
  TossRun run = judge_throw(throw_cube(scene, release, toss.poses.size(), protocol), toss, protocol);
  run.release = release;
  return run;
}

}  // namespace carom
