#include "carom/import/urdf_mimic.h"

#include <map>
#include <string>

namespace carom {
namespace {

std::string named(const UrdfJoint& joint) { return "joint " + quote(joint.joint.name); }

/// By joint, the number of the one that it follows; −1 if none, or if it cannot, with a fault.
std::vector<int> followed_joints(const std::vector<UrdfJoint>& joints, XmlFaults& faults) {
  std::map<std::string, int> numbers;
  for (std::size_t j = 0; j < joints.size(); ++j) numbers[joints[j].joint.name] = static_cast<int>(j);
  std::vector<int> followed;
  for (const UrdfJoint& joint : joints) {
    followed.push_back(-1);
    if (joint.mimicked.empty()) continue;
    const auto found = numbers.find(joint.mimicked);
    if (found == numbers.end()) {
      faults.add(joint.mimic_line, named(joint) + " mimics joint " + quote(joint.mimicked) +
                                       ", which is not in this file; check its name");
      continue;
    }
    const UrdfJoint& other = joints[found->second];
    if (other.joint.type == JointType::revolute || other.joint.type == JointType::prismatic) {
      followed.back() = found->second;
    } else if (other.type_known) {
      faults.add(joint.mimic_line, named(joint) + " mimics joint " + quote(joint.mimicked) +
                                       ", which is neither revolute, continuous nor prismatic");
    }
  }
  return followed;
}

/// Joints that follow one, each after the one that it follows. A fault for joints that follow one another.
std::vector<int> followers_in_order(const std::vector<UrdfJoint>& joints, const std::vector<int>& followed,
                                    XmlFaults& faults) {
  enum class State { unseen, on_the_way, done };
  std::vector<State> state(joints.size(), State::unseen);
  std::vector<int> order, chain;
  for (std::size_t start = 0; start < joints.size(); ++start) {
    chain.clear();
    int at = static_cast<int>(start);
    for (; at >= 0 && state[at] == State::unseen; at = followed[at]) {
      state[at] = State::on_the_way;
      chain.push_back(at);
    }
    if (at >= 0 && state[at] == State::on_the_way) {
      const UrdfJoint& last = joints[chain.back()];
      faults.add(last.mimic_line, named(last) + " mimics joint " + quote(joints[at].joint.name) +
                                      ", which in the end follows it; let one of them mimic none");
    }
    for (std::size_t i = chain.size(); i-- > 0;) {
      state[chain[i]] = State::done;
      if (followed[chain[i]] >= 0) order.push_back(chain[i]);
    }
  }
  return order;
}

}  // namespace

void couple_mimics(const std::vector<UrdfJoint>& joints, const UrdfTree& tree, ImportedModel& model,
                   XmlFaults& faults) {
  const std::vector<int> followed = followed_joints(joints, faults);
  const auto link_of = [&](int joint) { return tree.place_of[tree.child[joint]]; };
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (followed[j] < 0) continue;
    Constraint coupler;
    coupler.name = joints[j].joint.name;
    coupler.kind = ConstraintKind::coupler;
    coupler.body_a = link_of(static_cast<int>(j));
    coupler.shares = {{link_of(followed[j]), 0, joints[j].multiplier}};
    coupler.offset = joints[j].offset;
    model.constraints.push_back(coupler);
  }
  for (const int j : followers_in_order(joints, followed, faults)) {
    const double start = model.links[link_of(followed[j])].position[0];
    ImportedModel::Link& follower = model.links[link_of(j)];
    follower.position[0] = joints[j].multiplier * start + joints[j].offset;
    follower.asked.resize(0);
  }
}

}  // namespace carom
