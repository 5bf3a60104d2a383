#include "carom/import/urdf_elements.h"

#include <algorithm>

namespace carom {

std::string quote(const std::string& name) { return "\"" + name + "\""; }

bool same_content(const XmlNode& a, const XmlNode& b) {
  const auto same_attribute = [](const XmlNode::Attribute& x, const XmlNode::Attribute& y) {
    return x.name == y.name && x.value == y.value;
  };
  return a.name == b.name && a.text == b.text &&
         std::equal(a.attributes.begin(), a.attributes.end(), b.attributes.begin(), b.attributes.end(),
                    same_attribute) &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(), same_content);
}

XmlNode* only_child(XmlNode& parent, const std::string& child, XmlFaults& faults) {
  const std::vector<XmlNode*> found = parent.all(child);
  for (std::size_t i = 1; i < found.size(); ++i) {
    if (same_content(*found[0], *found[i])) {
      found[i]->ignore();
      continue;
    }
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
  const auto rpy = faults.numbers(*origin, "rpy", 3), xyzw = faults.numbers(*origin, "quat_xyzw", 4);
  if (origin->attribute("rpy") && origin->attribute("quat_xyzw")) {
    faults.add(*origin, "<origin> has both rpy and quat_xyzw; say the rotation once");
  } else if (xyzw && xyzw->isZero(0)) {
    faults.add(*origin, "quat_xyzw of <origin> is zero; a rotation needs one of unit length");
  } else if (xyzw) {
    const VectorX q = *xyzw / xyzw->cwiseAbs().maxCoeff();
    X.R = Quaternion(q[3], q[0], q[1], q[2]).normalized().toRotationMatrix();
  } else if (rpy) {
    X.R = (Eigen::AngleAxisd((*rpy)[2], Vec3::UnitZ()) * Eigen::AngleAxisd((*rpy)[1], Vec3::UnitY()) *
           Eigen::AngleAxisd((*rpy)[0], Vec3::UnitX()))
              .toRotationMatrix();
  }
  return X;
}

}  // namespace carom
