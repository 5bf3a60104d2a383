#include <cmath>
#include <set>
#include <utility>

#include "carom/model/model_faults.h"

namespace carom {
namespace {

/// One constraint, given a label for sentences.
class ConstraintCheck {
 public:
  ConstraintCheck(const Constraint& constraint, std::vector<std::string>& faults)
      : constraint_(constraint), label_(constraint_label(constraint)), faults_(faults) {}

  void frames() const {
    for (const Transform* X : {&constraint_.X_AF, &constraint_.X_BG}) {
      if (is_rigid_motion(*X)) continue;
      add(" has a frame that is not a rotation and a finite point; its matrix must be orthogonal with determinant 1.");
      return;
    }
  }

  void sizes() const {
    const bool has_length = constraint_.kind == ConstraintKind::rod || constraint_.kind == ConstraintKind::rope;
    if (has_length) positive(constraint_.length, "length");
    if (constraint_.kind == ConstraintKind::spring) spring();
    if (constraint_.kind == ConstraintKind::rolling) positive(constraint_.radius, "radius");
    restitution();
    if (constraint_.restitution > 0 && constraint_.kind != ConstraintKind::rope) {
      add(" has a restitution, which a ", constraint_name(constraint_.kind),
          " has no use for; only ropes and tendons strike.");
    }
  }

  void path() const {
    if (!constraint_.path.moves) return;
    if (!follows_path(constraint_.kind)) {
      add(" has a path for its frame on B, which a ", constraint_name(constraint_.kind),
          " has no use for; leave it out.");
    }
    for (const TimeFunction* f : {&constraint_.path.position[0], &constraint_.path.position[1],
                                  &constraint_.path.position[2], &constraint_.path.angle}) {
      function(*f);
    }
    if (!(std::abs(constraint_.path.axis.norm() - 1) < 1e-9)) {
      add(" has a path that turns about an axis of length ", constraint_.path.axis.norm(), "; give a unit vector.");
    }
  }

  void motion(const std::vector<Body>& bodies, const std::vector<Joint>& joints) const {
    coordinate(bodies, joints, constraint_.body_a, constraint_.coordinate_a, " moves ");
    function(constraint_.target);
  }

  /// Bodies welded together by fixed joints are one: between them nothing is left to constrain.
  void sides(const std::vector<Body>& bodies, const TreeOrder& tree) const {
    const auto link = [&](int body) { return body < 0 ? -1 : tree.link[body]; };
    const int a = constraint_.body_a, b = constraint_.body_b;
    if (a == b) {
      add(" ties ", body_label(bodies, a), " to itself; it needs two different bodies.");
    } else if (link(a) == link(b)) {
      add(" ties ", body_label(bodies, a), " to ", body_label(bodies, b),
          ", but fixed joints make them one rigid thing; it needs bodies that can move against each other.");
    }
  }

  void no_shares() const {
    const ConstraintKind kind = constraint_.kind;
    if (kind == ConstraintKind::coupler || kind == ConstraintKind::tendon || constraint_.shares.empty()) return;
    add(" has shares of coordinates, which a ", constraint_name(kind), " has no use for.");
  }

  void coupler(const std::vector<Body>& bodies, const std::vector<Joint>& joints) const {
    std::vector<CoordinateShare> all = constraint_.shares;
    all.insert(all.begin(), {constraint_.body_a, constraint_.coordinate_a, 1});
    check_shares(bodies, joints, all, label_, "couples", faults_);
    if (all.size() == 1) add(" couples a coordinate to none; give it shares of others.");
    if (!std::isfinite(constraint_.offset)) add(" has offset ", constraint_.offset, "; it must be finite.");
  }

  void tendon(const std::vector<Body>& bodies, const std::vector<Joint>& joints) const {
    check_shares(bodies, joints, constraint_.shares, label_, "adds up", faults_);
    if (constraint_.shares.empty()) add(" is a sum of nothing; give it shares of coordinates.");
    const double lower = constraint_.lower, upper = constraint_.upper;
    if (lower == upper) {
      add(" has a range of one value, ", lower, "; a coupler holds a sum at one.");
    } else if (!(lower < upper)) {
      add(" has the range ", lower, " to ", upper, "; its ends must be in ascending order.");
    }
    if (lower < upper && !std::isfinite(lower) && !std::isfinite(upper)) {
      add(" has a range without ends, so it does nothing; give it a lower or an upper one.");
    }
    restitution();
  }

 private:
  template <typename... Parts>
  void add(const Parts&... parts) const {
    faults_.push_back(sentence(label_, parts...));
  }

  void restitution() const {
    if (constraint_.restitution >= 0 && constraint_.restitution <= 1) return;
    add(" has restitution ", constraint_.restitution, "; it must lie between 0 and 1.");
  }

  void positive(double value, const char* what) const {
    if (!(std::isfinite(value) && value > 0)) add(" has ", what, " ", value, "; it must be finite and positive.");
  }

  void spring() const {
    const auto amount = [&](double value, const char* what) {
      if (!(std::isfinite(value) && value >= 0))
        add(" has ", what, " ", value, "; it must be finite and not negative.");
    };
    amount(constraint_.length, "length");
    amount(constraint_.stiffness, "stiffness");
    amount(constraint_.damping, "damping");
    if (constraint_.stiffness == 0 && constraint_.damping == 0) {
      add(" has neither stiffness nor damping, so it does nothing; give one of them.");
    }
    if (constraint_.side == SpringSide::push && constraint_.length == 0) {
      add(" pushes where it is shorter than its length, which is 0, so it never acts; give it a length.");
    }
    if (constraint_.side != SpringSide::both && constraint_.damping > 0) {
      add(" has damping, but acts on one side alone; give the damping to a second spring, which acts on both.");
    }
  }

  bool coordinate(const std::vector<Body>& bodies, const std::vector<Joint>& joints, int body, int number,
                  const char* verb) const {
    const std::string fault = scalar_coordinate_fault(bodies, joints, body, number);
    if (!fault.empty()) add(verb, fault);
    return fault.empty();
  }

  void function(const TimeFunction& function) const {
    const std::string fault = time_function_fault(function);
    if (!fault.empty()) add(" ", fault, ".");
  }

  static bool follows_path(ConstraintKind kind) {
    return kind != ConstraintKind::rope && kind != ConstraintKind::blade && kind != ConstraintKind::spring;
  }

  const Constraint& constraint_;
  std::string label_;
  std::vector<std::string>& faults_;
};

}  // namespace

std::string scalar_coordinate_fault(const std::vector<Body>& bodies, const std::vector<Joint>& joints, int body,
                                    int number) {
  if (body < 0) return "a coordinate of the world, which has none; name a body that hangs on a joint.";
  const JointType type = joints[body].type;
  const int count = has_scalar_coordinates(type) ? velocity_size(joints[body]) : 0;
  if (number >= 0 && number < count) return "";
  std::ostringstream text;
  text << "coordinate " << number << " of the joint of " << body_label(bodies, body) << ", but a " << joint_name(type)
       << " joint has " << count << " angles and displacements, numbered from 0.";
  return text.str();
}

void check_shares(const std::vector<Body>& bodies, const std::vector<Joint>& joints,
                  const std::vector<CoordinateShare>& shares, const std::string& label, const std::string& verb,
                  std::vector<std::string>& faults) {
  std::set<std::pair<int, int>> named;
  for (const CoordinateShare& share : shares) {
    const std::string fault = scalar_coordinate_fault(bodies, joints, share.body, share.coordinate);
    if (!fault.empty()) {
      faults.push_back(sentence(label, " ", verb, " ", fault));
    } else if (!named.emplace(share.body, share.coordinate).second) {
      faults.push_back(sentence(label, " ", verb, " coordinate ", share.coordinate, " of the joint of ",
                                body_label(bodies, share.body), " twice; name each once, with the sum of its ratios."));
    }
    if (!std::isfinite(share.ratio) || share.ratio == 0) {
      faults.push_back(sentence(label, " has ratio ", share.ratio, " for the joint of ", body_label(bodies, share.body),
                                "; it must be finite and not zero."));
    }
  }
}

std::string constraint_label(const Constraint& constraint) {
  if (!constraint.name.empty()) return "constraint \"" + constraint.name + "\"";
  return "the " + constraint_name(constraint.kind) + " constraint";
}

void check_constraints(const std::vector<Body>& bodies, const std::vector<Joint>& joints, const TreeOrder& tree,
                       const std::vector<Constraint>& constraints, std::vector<std::string>& faults) {
  for (const Constraint& constraint : constraints) {
    const ConstraintCheck check(constraint, faults);
    check.no_shares();
    if (constraint.kind == ConstraintKind::coupler) {
      check.coupler(bodies, joints);
      continue;
    }
    if (constraint.kind == ConstraintKind::tendon) {
      check.tendon(bodies, joints);
      continue;
    }
    if (constraint.kind == ConstraintKind::motion) {
      check.motion(bodies, joints);
      continue;
    }
    check.frames();
    check.sizes();
    check.path();
    check.sides(bodies, tree);
  }
}

}  // namespace carom
