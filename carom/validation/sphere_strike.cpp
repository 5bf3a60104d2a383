#include "carom/validation/sphere_strike.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <variant>

#include "carom/error.h"

namespace carom {
namespace {

constexpr double degree = std::numbers::pi / 180;

const Collider* ball_of(const Model& model) {
  for (const Collider& collider : model.colliders()) {
    if (collider.body == 0 && std::holds_alternative<Sphere>(collider.shape)) return &collider;
  }
  return nullptr;
}

}  // namespace

SphereScene::SphereScene(Scene given) : scene(std::move(given)) {
  const Model& model = *scene.model;
  const Collider* ball = ball_of(model);
  if (model.body_count() != 1 || model.colliders().size() != 2 || ball == nullptr || scene.initial.v.size() != 3) {
    throw Error(
        scene.file +
        ": a scene of sphere impacts must have one body, a sphere on a joint {type: planar, plane: xz}, and a wall");
  }
  radius = std::get<Sphere>(ball->shape).radius;
  speed = scene.initial.v.head<2>().norm();
  approach = -scene.initial.v[1];
  if (!(approach > 0))
    throw Error(scene.file + ": the sphere must approach the wall; its joint's velocity says how fast");
  const auto surface = model.contact_material(model.colliders().front().material, model.colliders().back().material);
  friction = surface.friction.x();
  restitution = surface.restitution.at(approach);
}

PlanarImpact SphereScene::impact(SphereSweep sweep, double x) const {
  PlanarImpact impact;
  impact.contact = {0, -radius};
  if (sweep == SphereSweep::incidence) {
    impact.before = {speed * std::sin(x * degree), -speed * std::cos(x * degree), 0};
  } else {
    impact.before = {x * friction * approach, -approach, 0};
  }
  return impact;
}

double SphereScene::value(SphereSweep sweep, const std::string& quantity, const Vec3& before, const Vec3& after) const {
  const double slip = after[0] + radius * after[2];
  if (quantity == "tangential_ratio") return after[0] / before[0];
  if (quantity == "contact_rebound_angle") return std::atan2(slip, after[1]) / degree;
  if (quantity == "contact_slip") return slip / (friction * after[1]);
  return sweep == SphereSweep::incidence ? after[2] : radius * after[2] / (friction * -before[1]);
}

Vec3 SphereScene::routh(const Vec3& before) const {
  const double slip = before[0] + radius * before[2];
  const double normal = -(1 + restitution) * before[1];  // impulses over the mass
  const double along = -std::copysign(std::min(friction * normal, std::abs(slip) / 3.5), slip);
  return {before[0] + along, before[1] + normal, before[2] + 2.5 * along / radius};
}

}  // namespace carom
