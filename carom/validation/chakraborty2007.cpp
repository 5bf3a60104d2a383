#include "carom/validation/chakraborty2007.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/error.h"
#include "carom/scene/scene_text.h"
#include "carom/stepper/simulation.h"
#include "carom/validation/chakraborty2007_examples.h"

namespace carom {
namespace chakraborty2007 {
namespace {

/// World motion of the scene's one body from the coordinates of its free joint.
Sample sample_of(const State& state) {
  Sample sample;
  sample.time = state.time;
  sample.R = Quaternion(state.q[0], state.q[1], state.q[2], state.q[3]).normalized().toRotationMatrix();
  sample.position = state.q.segment<3>(4);
  sample.angular_velocity = sample.R * state.v.head<3>();
  sample.velocity = sample.R * state.v.tail<3>();
  for (const ContactMemory& contact : state.contacts) {
    for (const Vec3& side : contact.deflection) sample.deflection += side.z();
  }
  return sample;
}

double energy_of(const Sample& sample, const Setting& setting, const Mat3& inertia) {
  const Vec3 w = sample.R.transpose() * sample.angular_velocity;
  return 0.5 * setting.mass * sample.velocity.squaredNorm() + 0.5 * w.dot(inertia * w) +
         setting.mass * setting.gravity * sample.position.z() +
         0.5 * setting.stiffness * sample.deflection * sample.deflection;
}

}  // namespace

Scene scene_of(const ValidationOptions& options, const std::string& name, int reading) {
  const std::string path = options.scenes + "/chakraborty2007/" + name + ".yaml";
  const SceneText text(read_scene_text(path), path);
  if (reading == 1) return parse_scene(text.text(), path);
  return parse_scene(text.with({{"reading", reading}}), path);
}

Setting setting_of(const Scene& scene) {
  Setting setting;
  setting.mass = scene.model->bodies()[0].inertia.mass;
  setting.gravity = -scene.model->gravity().z();
  setting.friction = scene.model->materials()[0].friction.x();
  setting.torsion = scene.model->materials()[0].torsional_friction;
  setting.start = scene.initial.q[6];
  setting.spin = scene.initial.v[2];
  const SceneText text(scene.text, scene.file);
  const std::string shape = "bodies/0/shapes/0/";
  for (int i = 0; i < 3; ++i) {
    setting.semi_axes[i] = scene.name.rfind("disc", 0) != 0 ? text.number(shape + "semi_axes/" + std::to_string(i))
                                                            : text.number(shape + "radius");
  }
  for (const Material& material : scene.model->materials()) {
    if (!material.layer) continue;
    setting.stiffness = material.layer->stiffness(2, 2);
    setting.damping = material.layer->damping(2, 2);
    setting.thickness = material.layer->thickness;
  }
  return setting;
}

std::vector<Sample> run(const Scene& scene, double h, double duration) {
  Method method = scene.method;
  method.step = h;
  Simulation simulation(scene.model, method, scene.initial);
  const Setting setting = setting_of(scene);
  const Mat3& inertia = scene.model->bodies()[0].inertia.central;
  std::vector<Sample> samples = {sample_of(scene.initial)};
  samples.back().energy = energy_of(samples.back(), setting, inertia);
  const auto steps = static_cast<int>(std::lround(duration / h));
  for (int k = 0; k < steps; ++k) {
    const StepReport& report = simulation.step();
    if (report.status != SolveStatus::solved) {
      throw Error(fmt::format("{}: step {} was not solved", scene.file, k + 1));
    }
    Sample sample = sample_of(simulation.state());
    for (const ContactReport& contact : report.contacts) {
      sample.impulse += contact.impulse.z();
      if (!(contact.impulse.z() > 0)) continue;
      sample.touches = true;
      const Vec3 spin = contact.R_WC.transpose() * sample.angular_velocity;
      sample.slip = Vec3(contact.velocity.x(), contact.velocity.y(), spin.z());
    }
    sample.energy = energy_of(sample, setting, inertia);
    samples.push_back(sample);
  }
  return samples;
}

void FallByHand::step() {
  const double m = setting.mass, k = setting.stiffness, c = setting.damping;
  const double falling = v - h * setting.gravity;
  // On the layer m (v⁺ − falling) = h k δ⁺ + c (δ⁺ − δ). The surfaces meet: δ⁺ = lowest − y − h v⁺.
  double pressed = (m * (lowest - y - h * falling) + h * c * deflection) / (m + h * (h * k + c));
  layer = h * k * pressed + c * (pressed - deflection);
  core = 0;
  if (layer < 0) {  // in flight the layer comes back by itself
    layer = 0;
    pressed = c > 0 ? c * deflection / (h * k + c) : 0;
  }
  double after = falling + layer / m;
  if (pressed > setting.thickness) {  // δ⁺ = δ°
    pressed = setting.thickness;
    layer = h * k * pressed + c * (pressed - deflection);
    after = (lowest - pressed - y) / h;
    core = m * (after - falling) - layer;
  }
  deflection = pressed;
  v = after;
  y += h * v;
  const double most = setting.torsion * (layer + core) / moment_of_inertia;
  spin = std::abs(spin) <= most ? 0 : spin - std::copysign(most, spin);
}

}  // namespace chakraborty2007

Validation validate_chakraborty2007(const ValidationOptions& options) {
  Validation validation;
  validation.name = chakraborty2007::source;
  for (const auto part : {chakraborty2007::validate_disc, chakraborty2007::validate_ellipsoid,
                          chakraborty2007::validate_tilted, chakraborty2007::validate_counts}) {
    part(options, validation);
  }
  return validation;
}

}  // namespace carom
