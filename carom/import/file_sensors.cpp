#include "carom/import/file_sensors.h"

#include <algorithm>
#include <set>

namespace carom {
namespace {

std::set<std::string> names_of(const ImportedModel& model) {
  std::set<std::string> names;
  for (const ImportedModel::Link& link : model.links) {
    names.insert(link.name);
    if (link.joint) names.insert(link.joint->name);
  }
  for (const ImportedModel::Frame& frame : model.frames) names.insert(frame.name);
  for (const Constraint& constraint : model.constraints) names.insert(constraint.name);
  return names;
}

/// Puts S on the body that the link has become or belongs to. Returns why that fails; empty if it does not.
std::string put_on_body(const FileSensor& from, const ImportedModel& model, Sensor& sensor) {
  const auto named = [&](const auto& part) { return part.name == from.link; };
  const auto link = std::find_if(model.links.begin(), model.links.end(), named);
  if (link != model.links.end()) {
    sensor.body = static_cast<int>(link - model.links.begin());
    sensor.X_BS = from.X_LS;
    return "";
  }
  // Links that were merged are the last of the frames: a site before them may have the name as well.
  const auto frame = std::find_if(model.frames.rbegin(), model.frames.rend(), named);
  if (frame == model.frames.rend()) return "link \"" + from.link + "\" is no body here";
  if (frame->link < 0) return "link \"" + from.link + "\" does not move";
  sensor.body = frame->link;
  sensor.X_BS = frame->X_BF * from.X_LS;
  return "";
}

/// The same in the joint that the link hangs on.
std::string put_in_joint(const FileSensor& from, const ImportedModel& model, Sensor& sensor) {
  const auto link = std::find_if(model.links.begin(), model.links.end(),
                                 [&](const ImportedModel::Link& each) { return each.name == from.link; });
  if (link == model.links.end()) return "link \"" + from.link + "\" is one body with what it is fixed to";
  if (!link->joint || link->joint->type == JointType::free) return "link \"" + from.link + "\" hangs on no joint";
  if (!from.joint.empty() && link->joint->name != from.joint) {
    return "link \"" + from.link + "\" does not hang on joint \"" + from.joint + "\" here";
  }
  sensor.body = static_cast<int>(link - model.links.begin());
  sensor.X_BS = from.X_LS;
  return "";
}

std::string place(const FileSensor& from, const ImportedModel& model, Sensor& sensor) {
  switch (from.kind) {
    case SensorKind::imu:
      return put_on_body(from, model, sensor);
    case SensorKind::force_torque:
      return put_in_joint(from, model, sensor);
    case SensorKind::contact:
      break;
  }
  sensor.colliders = from.colliders;
  return from.colliders.empty() ? "no shape that it is about collides" : "";
}

}  // namespace

void warn_of_collision(const ImportNote& said, const std::string& collision, std::vector<ImportNote>& warnings) {
  ImportNote warning = said;
  warning.text += ": there is no <collision> \"" + collision + "\" that it could read";
  warnings.push_back(std::move(warning));
}

void place_sensors(const std::vector<FileSensor>& sensors, ImportedModel& model) {
  std::set<std::string> taken = names_of(model);
  for (const FileSensor& from : sensors) {
    Sensor sensor{from.name, from.kind, -1, {}, -1, {}};
    const auto note = [&](const std::string& text) {
      ImportNote said = from.said;
      said.text += ": " + text;
      model.unused.push_back(std::move(said));
    };
    if (const std::string fault = place(from, model, sensor); !fault.empty()) {
      note(fault);
      continue;
    }
    for (const std::string& part : from.unused) note(part);
    while (!taken.insert(sensor.name).second) sensor.name += "_sensor";
    model.sensors.push_back(std::move(sensor));
    model.sensor_lines.push_back(from.said.line);
  }
}

}  // namespace carom
