#include <algorithm>
#include <map>

#include "carom/import/file_sensors.h"
#include "carom/import/mjcf/reader.h"

namespace carom::mjcf {
namespace {

const std::map<std::string, SensorKind> kinds = {{"accelerometer", SensorKind::imu},
                                                 {"gyro", SensorKind::imu},
                                                 {"force", SensorKind::force_torque},
                                                 {"torque", SensorKind::force_torque},
                                                 {"touch", SensorKind::contact}};

}  // namespace

std::vector<FileSensor> read_sensors(XmlNode& root, Reader& reader) {
  std::vector<FileSensor> sensors;
  for (XmlNode& section : root.children) {
    if (section.name != "sensor") continue;
    for (XmlNode& node : section.children) {
      const auto kind = kinds.find(node.name);
      if (kind == kinds.end()) continue;
      section.take();
      node.take();
      const std::string *named = node.attribute("name"), *site_name = node.attribute("site");
      const auto site = reader.site_named.find(site_name ? *site_name : "");
      FileSensor sensor;
      sensor.name = named && !named->empty() ? *named : (site_name ? *site_name + "_" : "") + node.name;
      sensor.kind = kind->second;
      sensor.said = {node.file.empty() ? reader.file : node.file, node.line,
                     "<" + node.name + "> \"" + sensor.name + "\""};
      if (site == reader.site_named.end()) {
        reader.faults.warn(node, "<" + node.name + ">: there is no site \"" + (site_name ? *site_name : "") + "\"");
        continue;
      }
      const FileBody& body = reader.bodies[static_cast<std::size_t>(site->second.body)];
      sensor.link = body.name;
      sensor.X_LS = site->second.X_BF;
      if (sensor.kind == SensorKind::contact) {
        const std::vector<Collider>& colliders = reader.model.colliders;
        for (std::size_t i = 0; i < colliders.size(); ++i) {
          if (colliders[i].body == body.link) sensor.colliders.push_back(static_cast<int>(i));
        }
        reader.note(node, "the zone of <touch>: it reads all shapes of its body");
      }
      sensors.push_back(std::move(sensor));
    }
  }
  return sensors;
}

}  // namespace carom::mjcf
