#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

#include "carom/import/mjcf/reader.h"
#include "carom/spatial/exponential_product.h"
#include "carom/spatial/rotation.h"

namespace carom::mjcf {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A <joint> as it stands, in rad and m.
struct Said {
  std::string type, name;
  Vec3 pos = Vec3::Zero(), axis = Vec3::UnitZ();  // in B
  double ref = 0, lower = -infinity, upper = infinity;
  double damping = 0, stiffness = 0, springref = 0, friction = 0, armature = 0;
  double drive_limit = infinity;
  double time_constant = 0, damping_ratio = 0;
  bool is_angle() const { return type == "hinge"; }
};

class JointReader {
 public:
  JointReader(const JointElement& from, Reader& reader)
      : from_(from),
        reader_(reader),
        faults_(reader.faults),
        element_(from.node->name == "freejoint"
                     ? bare(*from.node)
                     : reader.defaults.element(*from.node, from.childclass, {"joint"}, faults_)) {}

  Said read() {
    Said said;
    said.name = element_.name();
    said.type = "free";
    if (from_.node->name == "freejoint") {
      const std::string align = element_.choice(faults_, "align", {"true", "false", "auto"}, "auto");
      reader_.aligned = reader_.aligned || align == "true";
      return said;
    }
    said.type = element_.choice(faults_, "type", {"free", "ball", "slide", "hinge"}, "hinge");
    const Vec3 axis = element_.vector(faults_, "axis", Vec3::UnitZ());
    said.pos = from_.X_BE * element_.vector(faults_, "pos", Vec3::Zero());
    if (axis.norm() > 1e-10) {
      said.axis = from_.X_BE.R * axis.normalized();
    } else if (said.type == "slide" || said.type == "hinge") {
      fault("the axis of <joint> must not be zero");
    }
    read_forces(said);
    read_range(said);
    const bool forced = said.stiffness > 0 || said.friction > 0 || said.time_constant > 0;
    if (said.type == "free" && reader_.compiler.align_free && forced) {
      fault(
          "<joint> of type \"free\" has stiffness or frictionloss, which act at the body's own frame here, but "
          "alignfree moves that; leave alignfree out, or put the body's frame into its centre of mass");
    } else if (said.type == "free" && said.friction > 0) {
      warn(
          "frictionloss of a free joint bounds the force along each axis of the body, where MuJoCo has the world's "
          "axes; <freejoint/> takes none from a class");
    }
    return said;
  }

 private:
  static Element bare(XmlNode& node) {
    node.take();
    return Element(node);
  }

  void fault(const std::string& text) { faults_.add(element_.node(), text); }
  void warn(const std::string& text) { faults_.warn(element_.node(), text); }

  double angle(const Said& said, double value) const { return said.is_angle() ? reader_.compiler.angle(value) : value; }

  double positive(const char* key) {
    const double value = element_.number(faults_, key, 0);
    if (value < 0) fault(std::string(key) + " of <joint> must not be negative");
    return value;
  }

  void read_forces(Said& said) {
    said.ref = angle(said, element_.number(faults_, "ref", 0));
    said.springref = angle(said, element_.number(faults_, "springref", 0));
    said.damping = positive("damping");
    said.stiffness = positive("stiffness");
    said.friction = positive("frictionloss");
    said.armature = positive("armature");
    if (const auto springdamper = element_.numbers(faults_, "springdamper", 2, 2)) {
      if (springdamper->minCoeff() > 0) {
        said.time_constant = (*springdamper)[0];
        said.damping_ratio = (*springdamper)[1];
      }
    }
    if (!reader_.global.springs) said.stiffness = 0;
    if (!reader_.global.dampers) said.damping = 0;
    if (!reader_.global.dry_friction) said.friction = 0;
  }

  void read_range(Said& said) {
    const auto range = element_.numbers(faults_, "range", 2, 2);
    const bool limited = is_limited(element_, "limited", "range", reader_.compiler, faults_);
    const bool scalar = said.type == "slide" || said.type == "hinge";
    if (limited && reader_.global.limits && said.type != "free") {
      const double lower = range ? (*range)[0] : 0, upper = range ? (*range)[1] : 0;
      if (!scalar) {
        // The range of a ball bounds its whole turn, which is never more than half of one.
        if (reader_.compiler.angle(std::max(lower, upper)) < std::numbers::pi * (1 - 1e-12)) {
          fault(
              "<joint> of type \"ball\" is limited to less than half a turn, but only hinges and slides can have "
              "limits here; leave its range out, or hang the body on hinges that have ranges");
        }
      } else if (lower < upper) {
        said.lower = angle(said, lower);
        said.upper = angle(said, upper);
      } else {
        fault("range of a limited <joint> must be two numbers in ascending order");
      }
    }
    const auto force = element_.numbers(faults_, "actuatorfrcrange", 2, 2);
    if (!force || !is_limited(element_, "actuatorfrclimited", "actuatorfrcrange", reader_.compiler, faults_)) return;
    said.drive_limit = (*force)[0] == -(*force)[1] && (*force)[1] > 0 ? (*force)[1] : 0;
  }

  const JointElement& from_;
  Reader& reader_;
  XmlFaults& faults_;
  Element element_;
};

Vec6 twist_of(const Said& said) {
  Vec6 twist = Vec6::Zero();
  if (said.is_angle()) {
    twist << said.axis, said.pos.cross(said.axis);
  } else {
    twist.tail<3>() = said.axis;
  }
  return twist;
}

/// One hinge or slide: F stands at the joint with its z along the axis, M is turned or moved back by ref.
void place_one(const Said& said, const Transform& X_PB, Joint& joint) {
  const Transform X_BA{rotation_of_z(said.axis), said.is_angle() ? said.pos : Vec3::Zero()};
  Vec6 back = Vec6::Zero();
  back[said.is_angle() ? 2 : 5] = said.ref;
  joint.type = said.is_angle() ? JointType::revolute : JointType::prismatic;
  joint.X_PF = X_PB * X_BA;
  joint.X_BM = X_BA * exponential_of_twist(back);
}

/// exp(ξ₁ (q₁ − r₁)) exp(ξ₂ (q₂ − r₂)) … with the constants moved to the right. With C_k = exp(−ξ₁ r₁) … exp(−ξ_k r_k),
/// the twist of q_k becomes Ad(C_k−1) ξ_k. C_n remains between M and B.
void place_several(const std::vector<Said>& all, const Transform& X_PB, Joint& joint) {
  joint.type = JointType::twists;
  joint.X_PF = X_PB;
  joint.twists.resize(6, static_cast<int>(all.size()));
  Transform C;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Vec6 twist = twist_of(all[k]);
    joint.twists.col(static_cast<int>(k)) = C.motion(twist);
    C = C * exponential_of_twist(-all[k].ref * twist);
  }
  joint.X_BM = C.inverse();
}

void fill_scalars(const std::vector<Said>& all, Joint& joint, VectorX& start) {
  const int n = static_cast<int>(all.size());
  for (VectorX* values : {&joint.lower, &joint.upper, &joint.damping, &joint.stiffness, &joint.rest, &joint.friction,
                          &joint.reflected_inertia, &joint.effort, &start}) {
    values->resize(n);
  }
  for (int k = 0; k < n; ++k) {
    const Said& said = all[k];
    joint.lower[k] = said.lower;
    joint.upper[k] = said.upper;
    joint.damping[k] = said.damping;
    joint.stiffness[k] = said.stiffness;
    joint.rest[k] = said.springref;
    joint.friction[k] = said.friction;
    joint.reflected_inertia[k] = said.armature;
    joint.effort[k] = said.drive_limit > 0 ? said.drive_limit : infinity;  // 0: not the same both ways
    start[k] = said.ref;
  }
}

/// Why the joints of one body cannot be one joint, as a sentence; empty if they can.
std::string fault_of(const std::vector<Said>& all, const std::string& body, bool in_world) {
  int scalars = 0;
  for (const Said& said : all) scalars += said.type == "hinge" || said.type == "slide" ? 1 : 0;
  const int others = static_cast<int>(all.size()) - scalars;
  const std::string the_body = "body \"" + body + "\"";
  if (others > 0 && all.size() > 1) {
    return "the joints of " + the_body +
           " are a ball or free joint and others; put the others into a body of its own, with "
           "a mass, between it and its parent";
  }
  if (scalars > 6) return the_body + " has " + std::to_string(scalars) + " joints; six are all the ways it can move";
  if (!in_world && !all.empty() && all.front().type == "free") {
    return the_body + " has a free joint, but hangs on another body; only bodies of the world itself can move freely";
  }
  return {};
}

void note_joints(const std::vector<JointElement>& elements, const std::vector<Said>& all, Reader& reader) {
  for (std::size_t k = 0; k < all.size(); ++k) {
    FileJoint joint;
    joint.kind = all[k].type == "free"   ? FileJoint::Kind::free
                 : all[k].type == "ball" ? FileJoint::Kind::ball
                                         : FileJoint::Kind::scalar;
    joint.name = all[k].name;
    joint.node = elements[k].node;
    joint.link = static_cast<int>(reader.model.links.size());
    joint.coordinate = static_cast<int>(k);
    joint.ref = all[k].ref;
    joint.springref = all[k].springref;
    joint.drive_limit = all[k].drive_limit;
    joint.time_constant = all[k].time_constant;
    joint.damping_ratio = all[k].damping_ratio;
    const int number = static_cast<int>(reader.joints.size());
    if (!joint.name.empty() && !reader.joint_named.emplace(joint.name, number).second) {
      reader.faults.add(*joint.node,
                        "there are two joints called \"" + joint.name + "\"; each needs a name of its own");
    }
    reader.joints.push_back(std::move(joint));
  }
}

/// The armature of a free joint is a part of the body (add_armatures).
void note_armature(const Said& said, XmlNode& node, const FileBody& body, Reader& reader) {
  reader.armatures.push_back({body.link, said.armature});
  reader.faults.warn(node, "the armature of body \"" + body.name +
                               "\" is inertia without weight: its mass and its moments about its own axes are as much "
                               "larger, and gravity does not pull at that");
}

/// The spring is slack where the file puts the body: `rest`, as Joint::rest.
void fill_forces(const Said& said, const VectorX& rest, Joint& joint) {
  const int n = velocity_size(joint);
  joint.damping = VectorX::Constant(n, said.damping);
  joint.stiffness = VectorX::Constant(n, said.stiffness);
  joint.friction = VectorX::Constant(n, said.friction);
  joint.rest = rest;
}

/// A joint that moves with the file's numbers at the start; none if nothing acts in it.
std::optional<Joint> free_joint(const Said& said, const Transform& X_PB, Joint joint, VectorX& start) {
  if (said.damping == 0 && said.stiffness == 0 && said.friction == 0 && said.time_constant == 0) return {};
  joint.type = JointType::free;
  joint.X_PF = Transform::identity();
  const Quaternion q(X_PB.R);
  start.resize(7);
  start << q.w(), q.vec(), X_PB.p;
  VectorX rest(6);
  rest << logarithm(q), X_PB.p;
  fill_forces(said, rest, joint);
  return joint;
}

void ball_joint(const Said& said, const Transform& X_PB, Joint& joint) {
  joint.type = JointType::spherical;
  joint.X_BM.p = said.pos;
  joint.X_PF = X_PB * joint.X_BM;
  joint.reflected_inertia = VectorX::Constant(3, said.armature);
  fill_forces(said, VectorX::Zero(3), joint);
}

}  // namespace

std::optional<Joint> read_joints(const std::vector<JointElement>& elements, const FileBody& body, int parent,
                                 const Transform& X_PB, VectorX& start, Reader& reader) {
  std::vector<Said> all;
  all.reserve(elements.size());
  for (const JointElement& element : elements) all.push_back(JointReader(element, reader).read());
  Joint joint;
  joint.name = body.name;
  joint.type = JointType::fixed;
  joint.parent = parent;
  joint.X_PF = X_PB;
  const std::string fault = fault_of(all, body.name, parent < 0);
  if (!fault.empty()) reader.faults.add(*elements.back().node, fault);
  if (!fault.empty() || all.empty()) return joint;
  note_joints(elements, all, reader);
  std::string names;
  for (const Said& said : all) names += (names.empty() || said.name.empty() ? "" : "+") + said.name;
  if (!names.empty()) joint.name = names;
  const Said& first = all.front();
  if (first.type == "free") {
    if (first.armature > 0) note_armature(first, *elements.front().node, body, reader);
    return free_joint(first, X_PB, std::move(joint), start);
  }
  if (first.type == "ball") {
    ball_joint(first, X_PB, joint);
  } else {
    if (all.size() == 1) {
      place_one(first, X_PB, joint);
    } else {
      place_several(all, X_PB, joint);
    }
    fill_scalars(all, joint, start);
  }
  return joint;
}

}  // namespace carom::mjcf
