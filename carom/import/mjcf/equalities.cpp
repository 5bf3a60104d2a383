#include <algorithm>
#include <map>

#include "carom/import/mjcf/reader.h"

namespace carom::mjcf {
namespace {

class EqualityReader {
 public:
  EqualityReader(XmlNode& root, Reader& reader) : root_(root), reader_(reader), faults_(reader.faults) {}

  void read(XmlNode& node) {
    Element element = reader_.defaults.element(node, "", {"equality"}, faults_);
    const bool known = node.name == "connect" || node.name == "weld" || node.name == "joint" || node.name == "tendon";
    if (!element.flag(faults_, "active", true) || !reader_.global.equalities) {
      node.ignore();
      reader_.note(node, "<" + node.name + "> in <equality>: it is not active");
      return;
    }
    if (!known) {
      faults_.add(node, "<" + node.name +
                            "> in <equality> is a constraint that Carom does not have; it reads connect, "
                            "weld, joint and tendon, or active=\"false\"");
      return;
    }
    Constraint constraint;
    constraint.name = element.name();
    if (constraint.name.empty()) constraint.name = node.name + std::to_string(reader_.model.constraints.size());
    const bool sound = node.name == "joint"    ? read_joint(element, constraint)
                       : node.name == "tendon" ? read_tendons(element, constraint)
                                               : read_bodies(element, constraint);
    if (sound) reader_.model.constraints.push_back(constraint);
  }

 private:
  /// Both ends of a connect or weld.
  bool read_bodies(Element& element, Constraint& constraint) {
    XmlNode& node = element.node();
    constraint.kind = node.name == "weld" ? ConstraintKind::weld : ConstraintKind::ball;
    if (element.has("site1") || element.has("site2")) return read_sites(element, constraint);
    if (!element.has("body1")) {
      faults_.add(node, "<" + node.name + "> has no body1; it needs one");
      return false;
    }
    const int a = reader_.body_of(element, "body1"), b = reader_.body_of(element, "body2");
    if (a < 0 || b < 0) return false;
    constraint.body_a = reader_.bodies[a].link;
    constraint.body_b = reader_.bodies[b].link;
    const Transform X_BA = reader_.bodies[b].X_WB.inverse() * reader_.bodies[a].X_WB;
    if (node.name == "connect") {
      const auto anchor = element.numbers(faults_, "anchor", 3, 3);
      if (!anchor) {
        if (!element.has("anchor")) faults_.add(node, "<connect> has no anchor; it needs the point, in body1");
        return false;
      }
      constraint.X_AF.p = *anchor;
      constraint.X_BG = X_BA * constraint.X_AF;
      return true;
    }
    element.numbers(faults_, "anchor", 3, 3);  // where MuJoCo measures a violation; of a rigid weld there is none
    const auto pose = element.numbers(faults_, "relpose", 7, 7);
    const bool as_it_starts = !pose || pose->tail<4>().isZero(0);
    constraint.X_AF = X_BA.inverse();
    if (!as_it_starts) constraint.X_AF = {rotation_of_quaternion(node, pose->tail<4>(), faults_), pose->head<3>()};
    return true;
  }

  /// Two sites that meet.
  bool read_sites(Element& element, Constraint& constraint) {
    FileSite sites[2];
    for (int i = 0; i < 2; ++i) {
      const std::string* name = element.text(i == 0 ? "site1" : "site2");
      const auto found = name ? reader_.site_named.find(*name) : reader_.site_named.end();
      if (found == reader_.site_named.end()) {
        faults_.add(element.node(), "<" + element.node().name + "> needs two bodies, or two sites that the file has");
        return false;
      }
      sites[i] = found->second;
    }
    constraint.body_a = reader_.bodies[sites[0].body].link;
    constraint.body_b = reader_.bodies[sites[1].body].link;
    constraint.X_AF = sites[0].X_BF;
    constraint.X_BG = sites[1].X_BF;
    return true;
  }

  /// y − y₀ = a₀ + a₁ (x − x₀) for y of joint1 and x of joint2; y₀ and x₀ are their ref. Without joint2, y − y₀ = a₀.
  bool read_joint(Element& element, Constraint& constraint) {
    const int first = reader_.joint_of(element, "joint1");
    const bool has_second = element.has("joint2");
    const int second = has_second ? reader_.joint_of(element, "joint2") : first;
    VectorX a = VectorX::Zero(5);
    a[1] = 1;
    if (const auto given = element.numbers(faults_, "polycoef", 1, 5)) a.head(given->size()) = *given;
    if (first < 0 || second < 0) return false;
    const FileJoint &y = reader_.joints[first], &x = reader_.joints[second];
    if (y.kind != FileJoint::Kind::scalar || x.kind != FileJoint::Kind::scalar) {
      faults_.add(element.node(), "<joint> in <equality> names a ball or free joint; it can tie hinges and slides");
      return false;
    }
    if (has_second && !a.tail<3>().isZero(0)) {
      faults_.add(element.node(), "polycoef has a square or higher term; joints can be tied linearly here");
      return false;
    }
    constraint.body_a = y.link;
    constraint.coordinate_a = y.coordinate;
    if (!has_second || a[1] == 0) {
      constraint.kind = ConstraintKind::motion;
      constraint.target = TimeFunction::constant(y.ref + a[0]);
      return true;
    }
    constraint.kind = ConstraintKind::coupler;
    constraint.shares = {{x.link, x.coordinate, a[1]}};
    constraint.offset = a[0] + y.ref - a[1] * x.ref;
    return true;
  }

  /// The fixed tendon of that name, an element that <tendon> has; null if there is none.
  XmlNode* find_fixed(const std::string& name) {
    for (XmlNode& section : root_.children) {
      for (XmlNode& node : section.children) {
        const std::string* own = section.name == "tendon" && node.name == "fixed" ? node.attribute("name") : nullptr;
        if (own && *own == name) return &node;
      }
    }
    return nullptr;
  }

  /// Adds `factor` times the tendon's length to the sum of coordinates; false with a fault if that cannot be.
  bool add_length(Element& element, const char* key, double factor, std::map<int, double>& sum) {
    const std::string* name = element.text(key);
    XmlNode* tendon = name ? find_fixed(*name) : nullptr;
    if (!tendon) {
      faults_.add(element.node(), "<tendon> in <equality> needs fixed tendons that the file has: " + std::string(key) +
                                      (name ? " is \"" + *name + "\"" : " is missing"));
      return false;
    }
    for (XmlNode& child : tendon->children) {
      Element part(child);
      const int joint = reader_.joint_of(part, "joint");
      if (joint < 0) return false;
      sum[joint] += factor * part.number(faults_, "coef", 0);
    }
    return true;
  }

  /// L₁ − L₁₀ = a₀ + a₁ (L₂ − L₂₀), or L₁ − L₁₀ = a₀ without tendon2. L₁₀ and L₂₀ are the lengths with all joints at
  /// their ref. This is a sum of coordinates Σ cᵢ (qᵢ − refᵢ) = a₀.
  bool read_tendons(Element& element, Constraint& constraint) {
    VectorX a = VectorX::Zero(5);
    a[1] = 1;
    if (const auto given = element.numbers(faults_, "polycoef", 1, 5)) a.head(given->size()) = *given;
    const bool has_second = element.has("tendon2");
    std::map<int, double> sum;
    if (!add_length(element, "tendon1", 1, sum)) return false;
    if (has_second && !add_length(element, "tendon2", -a[1], sum)) return false;
    std::erase_if(sum, [](const auto& part) { return part.second == 0; });
    const bool scalar = std::all_of(sum.begin(), sum.end(), [&](const auto& part) {
      return reader_.joints[part.first].kind == FileJoint::Kind::scalar;
    });
    if (!scalar || sum.empty() || (has_second && !a.tail<3>().isZero(0))) {
      faults_.add(element.node(),
                  "<tendon> in <equality> ties no coordinate, or by a square or higher term; hinges and slides can be "
                  "tied, linearly");
      return false;
    }
    const auto [first, c] = *sum.begin();
    const FileJoint& y = reader_.joints[first];
    constraint.body_a = y.link;
    constraint.coordinate_a = y.coordinate;
    if (sum.size() == 1) {
      constraint.kind = ConstraintKind::motion;
      constraint.target = TimeFunction::constant(y.ref + a[0] / c);
      return true;
    }
    constraint.kind = ConstraintKind::coupler;
    constraint.offset = a[0] / c + y.ref;
    for (const auto& [joint, d] : sum) {
      if (joint == first) continue;
      const FileJoint& x = reader_.joints[joint];
      constraint.shares.push_back({x.link, x.coordinate, -d / c});
      constraint.offset += d / c * x.ref;
    }
    return true;
  }

  XmlNode& root_;
  Reader& reader_;
  XmlFaults& faults_;
};

}  // namespace

void read_equalities(XmlNode& root, Reader& reader) {
  for (XmlNode* section : root.all("equality")) {
    for (XmlNode& node : section->children) EqualityReader(root, reader).read(node);
  }
}

}  // namespace carom::mjcf
