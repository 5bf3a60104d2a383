#include "carom/scene/model_joints.h"

#include <algorithm>
#include <limits>

#include "carom/scene/joint_coordinates.h"

namespace carom {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The entries of these coordinates; none of what the file does not say.
VectorX part_of(const VectorX& all, const NamedCoordinates& named) {
  return all.size() == 0 ? all : VectorX(all.segment(named.first, named.count));
}

void put_part(const VectorX& part, const NamedCoordinates& named, int size, double missing, VectorX& all) {
  if (part.size() == 0) return;
  if (all.size() == 0) all = VectorX::Constant(size, missing);
  all.segment(named.first, named.count) = part;
}

/// The joint of these coordinates alone: the whole, or a hinge or slide.
Joint part_of(const Joint& whole, const std::string& name, const NamedCoordinates& named) {
  if (named.count == velocity_size(whole)) return whole;
  Joint part;
  part.name = name;
  part.type = is_angle(whole, named.first) ? JointType::revolute : JointType::prismatic;
  part.lower = part_of(whole.lower, named);
  part.upper = part_of(whole.upper, named);
  part.limit_restitution = part_of(whole.limit_restitution, named);
  if (!whole.ratchet.empty()) part.ratchet = {whole.ratchet[static_cast<std::size_t>(named.first)]};
  return part;
}

void put_part(const Joint& part, const NamedCoordinates& named, Joint& whole) {
  const int size = velocity_size(whole);
  put_part(part.lower, named, size, -infinity, whole.lower);
  put_part(part.upper, named, size, infinity, whole.upper);
  for (const auto values : {&Joint::limit_restitution, &Joint::damping, &Joint::stiffness, &Joint::rest,
                            &Joint::friction, &Joint::reflected_inertia}) {
    put_part(part.*values, named, size, 0, whole.*values);
  }
  if (part.ratchet.empty()) return;
  whole.ratchet.resize(static_cast<std::size_t>(size), Ratchet::none);
  std::copy(part.ratchet.begin(), part.ratchet.end(), whole.ratchet.begin() + named.first);
}

}  // namespace

void change_joint(const YamlNode& map, const std::string& name, const NamedCoordinates& named, ModelEntry& entry,
                  Diagnostics& diagnostics) {
  Joint& whole = *entry.model.links[static_cast<std::size_t>(named.link)].joint;
  const Fields fields(map, "joint " + in_quotes(name), {std::begin(coordinate_keys), std::end(coordinate_keys)},
                      diagnostics);
  SceneJoint joint;
  joint.place = map.place;
  joint.joint = part_of(whole, name, named);
  VectorX &q = entry.positions[static_cast<std::size_t>(named.link)],
          &v = entry.velocities[static_cast<std::size_t>(named.link)],
          &asked = entry.asked[static_cast<std::size_t>(named.link)];
  const bool scalar = has_scalar_coordinates(joint.joint.type);
  // A start that the file's limits moved is judged anew, by what holds now.
  if (scalar) joint.position = part_of(asked.size() > 0 ? asked : q, named);
  joint.velocity = part_of(v, named);
  replace_coordinates(fields, joint, diagnostics);
  put_part(joint.joint, named, whole);
  put_part(joint.velocity, named, velocity_size(whole), 0, v);
  if (!scalar) {
    const Quaternion& start = joint.orientation.q;
    if (fields.find("position") != nullptr) q = Eigen::Vector4d(start.w(), start.x(), start.y(), start.z());
    return;
  }
  const bool moved = joint.asked.size() > 0;
  if (moved && asked.size() == 0) asked = q;
  q.segment(named.first, named.count) = joint.position;
  if (asked.size() > 0) asked.segment(named.first, named.count) = moved ? joint.asked : joint.position;
}

}  // namespace carom
