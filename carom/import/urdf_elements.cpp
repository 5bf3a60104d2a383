#include "carom/import/urdf_elements.h"

namespace carom {

std::string quoted(const std::string& name) { return "\"" + name + "\""; }

XmlNode* only_child(XmlNode& parent, const std::string& child, XmlFaults& faults) {
  const std::vector<XmlNode*> found = parent.all(child);
  for (std::size_t i = 1; i < found.size(); ++i) {
    faults.add(*found[i], "<" + parent.name + "> has a second <" + child + ">; only one can hold");
  }
  return found.empty() ? nullptr : found[0];
}

std::optional<double> required_number(XmlNode& node, const std::string& attribute, XmlFaults& faults) {
  if (!faults.require(node, attribute)) return {};
  return faults.number(node, attribute);
}

Transform read_origin(XmlNode& parent, XmlFaults& faults) {
  Transform X;
  XmlNode* origin = only_child(parent, "origin", faults);
  if (!origin) return X;
  if (const auto xyz = faults.numbers(*origin, "xyz", 3)) X.p = *xyz;
  if (const auto rpy = faults.numbers(*origin, "rpy", 3)) {
    X.R = (Eigen::AngleAxisd((*rpy)[2], Vec3::UnitZ()) * Eigen::AngleAxisd((*rpy)[1], Vec3::UnitY()) *
           Eigen::AngleAxisd((*rpy)[0], Vec3::UnitX()))
              .toRotationMatrix();
  }
  return X;
}

}  // namespace carom
