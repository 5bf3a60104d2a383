#include "carom/import/build.h"

#include <algorithm>

namespace carom {
namespace {

void add_surfaces(const ImportedModel& imported, ModelBuilder& builder) {
  for (const Material& material : imported.materials) builder.add_material(material);
  for (const MaterialPair& pair : imported.pairs) builder.set_pair(pair.a, pair.b, pair.together);
  const bool all_said = std::all_of(imported.colliders.begin(), imported.colliders.end(),
                                    [](const Collider& collider) { return collider.material >= 0; });
  const int unsaid = all_said ? -1 : builder.add_material({"unsaid", Vec2::Zero(), 0});
  for (Collider collider : imported.colliders) {
    if (collider.material < 0) collider.material = unsaid;
    builder.add_collider(std::move(collider));
  }
}

}  // namespace

ModelBuilder builder_of(const ImportedModel& imported) {
  ModelBuilder builder;
  if (imported.gravity) builder.set_gravity(*imported.gravity);
  for (const ImportedModel::Link& link : imported.links) builder.add_body(link.name, link.inertia);
  for (std::size_t i = 0; i < imported.links.size(); ++i) {
    const ImportedModel::Link& link = imported.links[i];
    if (link.joint) builder.add_joint(static_cast<int>(i), *link.joint);
    if (link.collides_with_parent) builder.collide_with_parent(static_cast<int>(i));
  }
  add_surfaces(imported, builder);
  for (const Constraint& constraint : imported.constraints) builder.add_constraint(constraint);
  for (const Drive& drive : imported.drives) builder.add_drive(drive);
  for (const ImportedModel::Lift& lift : imported.lifts) {
    builder.add_wrench(wrench_of(lift, imported.gravity.value_or(Vec3::Zero())));
  }
  for (const Sensor& sensor : imported.sensors) builder.add_sensor(sensor);
  for (const auto& [a, b] : imported.excluded) builder.exclude(a, b);
  return builder;
}

}  // namespace carom
