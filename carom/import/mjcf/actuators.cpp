#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "carom/import/mjcf/reader.h"

// An actuator pulls its joint with
//
//   τ = gear clamp(gain u + b₀ + b₁ l + b₂ l̇),   l = gear q,
//
// with u the control (MuJoCo documentation, "Actuation model"). Nothing sets u, so it is zero, or the value of its
// range nearest to zero. This is a servo about (gain u + b₀) / (−b₁ gear) with stiffness −b₁ gear² and damping −b₂
// gear². Otherwise it is a constant force, or nothing.
//
// A fixed tendon is pulled alike, with its length Σ c q in place of q.
namespace carom::mjcf {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Force of an actuator while its control is u.
struct Law {
  double gain = 0, b0 = 0, b1 = 0, b2 = 0;
  bool has_state = false;  ///< the control goes through a filter or integrator that starts at zero
};

class ActuatorReader {
 public:
  ActuatorReader(XmlNode& node, Reader& reader)
      : node_(node),
        reader_(reader),
        faults_(reader.faults),
        all_(reader.defaults.element(
            node, "",
            {"general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion"},
            faults_)),
        own_(reader.defaults.element(node, "", {node.name.c_str()}, faults_)) {}

  void read() {
    if (!reader_.global.actuation) return idle("actuation is disabled");
    const int group = all_.integer(faults_, "group", 0);
    if (reader_.global.idle_groups.contains(group)) {
      return idle("actuators of group " + std::to_string(group) + " are disabled");
    }
    check_unread_forces();
    check_defaults();
    auto law = read_law();
    if (!law) return;
    double u = read_control(*law);
    if (law->b2 > 0 && law->gain == -law->b1) law->b2 = damping_of_ratio(*law, law->b2);
    if (law->b1 > 0 || law->b2 > 0) {
      return fault("pushes away from where it should go (its biasprm is positive), which no servo here does");
    }
    const double constant = law->gain * u + law->b0;
    if (law->has_state && law->gain * u != 0) return fault("has a state that follows a control other than zero");
    if (constant == 0 && law->b1 == 0 && law->b2 == 0) return idle("it does nothing while its control is zero");
    pull(*law, constant);
  }

 private:
  void fault(const std::string& text) { faults_.add(node_, "<" + node_.name + "> " + text); }
  void idle(const std::string& why) {
    reader_.note(node_, "<" + node_.name + ">: " + why);
    node_.ignore();
  }

  /// Refuses forces that act on the joint at any control and that nobody reads.
  void check_unread_forces() {
    for (const char* key : {"damping", "armature"}) {
      const auto given = all_.numbers(faults_, key, 1, 3);
      if (given && !given->isZero(0)) fault("has " + std::string(key) + " of its own; give it to the joint");
    }
  }

  /// In MuJoCo all actuators of a class share the class's gains, whichever element sets them. Gains set by an element
  /// of another kind mean something else.
  void check_defaults() {
    std::vector<const char*> needed;
    if (node_.name == "position" || node_.name == "intvelocity") needed = {"kp"};
    if (node_.name == "velocity") needed = {"kv"};
    if (node_.name == "cylinder") needed = {"area", "bias"};
    if (node_.name == "general") needed = {"gainprm", "biasprm", "biastype"};
    for (const char* key : {"kp", "kv", "area", "bias", "gainprm", "biasprm", "gaintype", "biastype", "dyntype"}) {
      if (all_.level(key) < 0 || own_.level(key) >= 0) continue;
      for (const char* gain : needed) {
        if (own_.level(gain) == 0) continue;
        fault("would take " + std::string(gain) + " from an actuator of another kind in its class; say " + gain +
              " here");
      }
      return;
    }
  }

  std::optional<Law> read_law() {
    if (node_.name == "motor" || node_.name == "damper" || node_.name == "adhesion") {
      const bool is_motor = node_.name == "motor";
      return Law{is_motor ? 1.0 : 0.0, 0, 0, 0, false};
    }
    if (node_.name == "position" || node_.name == "intvelocity") return position_law();
    if (node_.name == "velocity") {
      const double kv = gain("kv", 1);
      return Law{kv, 0, 0, -kv, false};
    }
    if (node_.name == "general") return general_law();
    if (node_.name == "cylinder") {
      const auto bias = own_.numbers(faults_, "bias", 1, 3);
      if (!bias || bias->isZero(0)) return Law{own_.number(faults_, "area", 1), 0, 0, 0, true};
    }
    fault("is an actuator that Carom does not have, and acts without a control");
    return {};
  }

  double gain(const char* key, double missing) {
    const double value = own_.number(faults_, key, missing);
    if (value < 0) fault("has a negative " + std::string(key));
    return value;
  }

  Law position_law() {
    const double kp = gain("kp", 1), kv = gain("kv", 0);
    const double ratio = gain("dampratio", 0);
    if (ratio != 0 && kv != 0) fault("has both kv and dampratio; its damping can be given once");
    const bool filtered = own_.number(faults_, "timeconst", 0) > 0 || node_.name == "intvelocity";
    return {kp, 0, -kp, ratio > 0 ? ratio : -kv, filtered};
  }

  std::optional<Law> general_law() {
    const std::string dynamics =
        own_.choice(faults_, "dyntype", {"none", "integrator", "filter", "filterexact", "muscle", "user"}, "none");
    const std::string gain_type = own_.choice(faults_, "gaintype", {"fixed", "affine", "muscle", "user"}, "fixed");
    const std::string bias_type = own_.choice(faults_, "biastype", {"none", "affine", "muscle", "user"}, "none");
    VectorX gains = VectorX::Zero(10), bias = VectorX::Zero(10);
    gains[0] = 1;
    if (const auto given = own_.numbers(faults_, "gainprm", 1, 10)) gains.head(given->size()) = *given;
    if (const auto given = own_.numbers(faults_, "biasprm", 1, 10)) bias.head(given->size()) = *given;
    if (bias_type == "muscle" || bias_type == "user" || gain_type == "muscle" || gain_type == "user") {
      fault("has a bias or gain of type \"muscle\" or \"user\"; Carom reads fixed and affine ones");
      return {};
    }
    Law law;
    law.gain = gains[0];
    law.has_state = dynamics != "none";
    if (bias_type == "affine") {
      law.b0 = bias[0];
      law.b1 = bias[1];
      law.b2 = bias[2];
    }
    if (gain_type == "affine" && (gains[1] != 0 || gains[2] != 0)) affine_gain_ = true;
    return law;
  }

  /// A position servo's range of control as a part of its joint's range, about the same middle.
  std::optional<VectorX> inherited_range() {
    const double part = own_.number(faults_, "inheritrange", 0);
    if (part == 0) return {};
    const FileJoint* joint = all_.has("joint") ? find_joint() : nullptr;
    const auto& of = joint ? reader_.model.links[joint->link].joint : std::nullopt;
    const bool bounded = of && joint->coordinate < of->lower.size() && std::isfinite(of->lower[joint->coordinate]) &&
                         std::isfinite(of->upper[joint->coordinate]);
    if (part < 0 || !bounded || all_.has("ctrlrange")) {
      fault("has inheritrange, which wants a joint with a range and no ctrlrange beside it, and a value above zero");
      return {};
    }
    const double lower = of->lower[joint->coordinate], upper = of->upper[joint->coordinate];
    const double middle = 0.5 * (lower + upper), half = 0.5 * part * (upper - lower);
    return Eigen::Vector2d(middle - half, middle + half);
  }

  double read_control(const Law& law) {
    const auto inherited = inherited_range();
    const auto range = inherited ? inherited : all_.numbers(faults_, "ctrlrange", 2, 2);
    if (!inherited && !is_limited(all_, "ctrllimited", "ctrlrange", reader_.compiler, faults_)) return 0;
    if (!range || !reader_.global.clamps_controls || law.has_state) return 0;
    const double u = std::clamp(0.0, std::min((*range)[0], (*range)[1]), std::max((*range)[0], (*range)[1]));
    if (u != 0 && (affine_gain_ || node_.name == "damper" || node_.name == "adhesion")) {
      fault("has a range of control without zero, so it acts, in a way that no drive here does");
    }
    return u;
  }

  /// Half the width of the range of its force; nothing if it is not the same both ways.
  std::optional<double> force_limit() {
    const auto range = all_.numbers(faults_, "forcerange", 2, 2);
    if (!is_limited(all_, "forcelimited", "forcerange", reader_.compiler, faults_) || !range) return infinity;
    if ((*range)[1] > 0 && (*range)[0] == -(*range)[1]) return (*range)[1];
    return {};
  }

  /// The shares of the tendon that it pulls.
  bool find_tendon() {
    const auto tendon = reader_.fixed_tendons.find(*all_.text("tendon"));
    if (tendon == reader_.fixed_tendons.end()) {
      fault(
          "acts on a tendon that is none of hinges and slides, with its control at zero; only sums of these are driven "
          "here");
      return false;
    }
    if (tendon->second.joint_limit == 0 && tendon->second.shares.size() > 1) {
      fault("acts on a tendon of several joints, one of which has an actuatorfrcrange; give the tendon one");
      return false;
    }
    shares_ = tendon->second.shares;
    pulled_ = {-1, static_cast<int>(std::distance(reader_.fixed_tendons.begin(), tendon))};
    tendon_ = &tendon->second;
    return true;
  }

  /// Finds the shares of its joint or tendon, and the most that this allows to all actuators together.
  bool find_shares() {
    if (all_.has("tendon")) {
      if (!find_tendon()) return false;
      together_ = std::min(tendon_->joint_limit, tendon_->drive_limit);
      return true;
    }
    const FileJoint* joint = find_joint();
    if (!joint) return false;
    shares_ = {{joint->link, joint->coordinate, 1}};
    pulled_ = {joint->link, joint->coordinate};
    together_ = joint->drive_limit;
    return true;
  }

  const FileJoint* find_joint() {
    const char* key = all_.has("jointinparent") ? "jointinparent" : "joint";
    if (!all_.has(key)) {
      fault("acts on something other than a joint, with its control at zero; only hinges and slides are driven here");
      return nullptr;
    }
    const int number = reader_.joint_of(all_, key);
    if (number < 0) return nullptr;
    const FileJoint& joint = reader_.joints[number];
    if (joint.kind == FileJoint::Kind::scalar) return &joint;
    fault("acts on a ball or free joint, with its control at zero; only hinges and slides are driven here");
    return nullptr;
  }

  double gear() {
    const auto given = all_.numbers(faults_, "gear", 1, 6);
    return given ? (*given)[0] : 1;
  }

  /// b₂ of a servo that is given by its damping ratio ζ: −2 ζ √(k m). The mass is m = M_jj/gear² at the layout, with
  /// all else at rest (MuJoCo's mj_setConst, dof_M0). If b₁ is −gain, a positive b₂ is ζ.
  double damping_of_ratio(const Law& law, double ratio) {
    if (all_.has("tendon")) fault("has a dampratio, which is that of a joint's inertia; give kv for a tendon");
    if (!all_.has("joint") && !all_.has("jointinparent")) return 0;  // told by pull
    const FileJoint* joint = find_joint();
    const double gear = this->gear();
    if (!joint || gear == 0 || !faults_.empty()) return 0;
    const StartInertia start = start_inertia(reader_);
    const int at = start.first[joint->link] + joint->coordinate;
    return -2 * ratio * std::sqrt(-law.b1 * start.matrix(at, at)) / std::abs(gear);
  }

  void pull(const Law& law, double constant) {
    const bool found = find_shares();
    const double gear = this->gear();
    const auto limit = force_limit();
    if (!found) return;
    if (gear == 0 || shares_.empty())
      return idle(gear == 0 ? "its gear is zero" : "the length of its tendon never changes");
    if (!limit) return fault("has a forcerange that is not the same both ways; give -F F");
    const CoordinateShare& first = shares_.front();
    const bool alone = reader_.actuated.insert(pulled_).second;
    if (together_ == 0 || (together_ < infinity && !alone)) {
      return fault(
          "acts on a joint or tendon whose actuatorfrcrange is not the same both ways, or holds for several "
          "actuators");
    }
    const double most = std::min(*limit * std::abs(gear), together_);
    if (tendon_) tendon_->is_idle = false;
    Drive drive;
    drive.name = own_.name();
    if (drive.name.empty()) drive.name = node_.name + std::to_string(reader_.model.drives.size());
    drive.body = first.body;
    drive.coordinate = first.coordinate;
    drive.ratio = first.ratio;
    drive.others.assign(shares_.begin() + 1, shares_.end());
    drive.limit = most;
    add_drives(law, constant, gear, drive);
  }

  void add_drives(const Law& law, double constant, double gear, Drive drive) {
    const double most = drive.limit;
    if (law.b1 == 0 && constant != 0) {
      if (law.b2 != 0 && most < infinity) {
        return fault("is a constant force with damping and a range of their sum, which no drive here has");
      }
      Drive force = drive;
      force.kind = DriveKind::force;
      force.limit = infinity;
      force.value = TimeFunction::constant(std::clamp(gear * constant, -most, most));
      reader_.model.drives.push_back(force);
      if (law.b2 == 0) return;
      drive.name += " (damping)";
    }
    drive.kind = DriveKind::servo;
    drive.stiffness = -law.b1 * gear * gear;
    drive.damping = -law.b2 * gear * gear;
    drive.value = TimeFunction::constant(law.b1 == 0 ? 0 : -constant / (law.b1 * gear));
    reader_.model.drives.push_back(drive);
  }

  XmlNode& node_;
  Reader& reader_;
  XmlFaults& faults_;
  Element all_, own_;  // with the defaults of all actuators of the class, and of those of the same kind
  std::vector<CoordinateShare> shares_;  // of what it pulls
  std::pair<int, int> pulled_;           // what it pulls, in Reader::actuated
  double together_ = infinity;           // most force on it that its range allows to all actuators
  FixedTendon* tendon_ = nullptr;
  bool affine_gain_ = false;
};

}  // namespace

void read_actuators(XmlNode& root, Reader& reader) {
  constexpr std::array known = {"general", "motor",    "position", "velocity", "intvelocity",
                                "damper",  "cylinder", "muscle",   "adhesion"};
  for (XmlNode* section : root.all("actuator")) {
    for (XmlNode& node : section->children) {
      if (std::find(known.begin(), known.end(), node.name) != known.end()) {
        ActuatorReader(node, reader).read();
      } else {
        node.take();
        reader.faults.add(node, "<" + node.name + "> in <actuator> is no actuator that Carom knows");
      }
    }
  }
  for (const auto& [name, tendon] : reader.fixed_tendons) {
    if (!tendon.is_idle) continue;
    reader.note(*tendon.node, "<fixed>: by itself a tendon without spring and limit moves nothing");
  }
}

}  // namespace carom::mjcf
