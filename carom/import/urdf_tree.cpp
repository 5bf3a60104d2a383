#include "carom/import/urdf_tree.h"

#include <algorithm>
#include <map>
#include <set>

namespace carom {
namespace {

constexpr int none = -2;  // where −1 is the world

/// Collects faults, and whether any was found.
class TreeFaults {
 public:
  explicit TreeFaults(XmlFaults& faults) : faults_(faults) {}
  void add(int line, const std::string& text) {
    faults_.add(line, text);
    found_ = true;
  }
  bool found() const { return found_; }

 private:
  XmlFaults& faults_;
  bool found_ = false;
};

/// Numbers of links by their names.
std::map<std::string, int> numbered(const std::vector<UrdfLink>& links, TreeFaults& faults) {
  std::map<std::string, int> numbers{{"world", -1}};
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].name.empty()) continue;  // told where it was read
    if (numbers.emplace(links[i].name, static_cast<int>(i)).second) continue;
    faults.add(links[i].line, "there are two links named " + quoted(links[i].name) + "; give each its own name");
  }
  return numbers;
}

void check_joint_names(const std::vector<UrdfJoint>& joints, TreeFaults& faults) {
  std::set<std::string> names;
  for (const UrdfJoint& joint : joints) {
    const std::string& name = joint.joint.name;
    if (name.empty() || names.insert(name).second) continue;
    faults.add(joint.line, "there are two joints named " + quoted(name) + "; give each its own name");
  }
}

/// The number of the link that a joint names; none, with a fault, if there is no such link.
int find_link(const std::map<std::string, int>& numbers, const std::string& name, const UrdfJoint& joint,
              TreeFaults& faults) {
  const auto found = numbers.find(name);
  if (found != numbers.end()) return found->second;
  if (!name.empty()) {  // a name that is missing was told where it was read
    faults.add(joint.line, "joint " + quoted(joint.joint.name) + " refers to link " + quoted(name) +
                               ", which is not in this file; check its name");
  }
  return none;
}

/// Hangs the child of joint j on it.
void hang(int j, const std::vector<UrdfLink>& links, const std::vector<UrdfJoint>& joints, UrdfTree& tree,
          TreeFaults& faults) {
  const int parent = tree.parent[j], child = tree.child[j];
  const std::string about = "joint " + quoted(joints[j].joint.name);
  if (child == none || parent == none) return;
  if (child == -1) {
    faults.add(joints[j].line, about + " has the world as its child; the world cannot hang on a joint");
  } else if (parent == child) {
    faults.add(joints[j].line,
               about + " ties link " + quoted(links[child].name) + " to itself; parent and child must differ");
  } else if (tree.inboard[child] >= 0) {
    faults.add(joints[j].line, "link " + quoted(links[child].name) + " hangs on joint " +
                                   quoted(joints[tree.inboard[child]].joint.name) +
                                   " already; a link is the child of one joint only");
  } else {
    tree.inboard[child] = j;
  }
}

/// "a → b → a": whom the link hangs on, up to itself.
std::string loop_path(const std::vector<UrdfLink>& links, const UrdfTree& tree, int link) {
  constexpr int most_shown = 12;
  std::string path = links[link].name;
  int at = link;
  for (int shown = 1; at != link || shown == 1; ++shown) {
    at = tree.parent[tree.inboard[at]];
    if (shown < most_shown || at == link) path += " → " + links[at].name;
    if (shown == most_shown && at != link) path += " → …";
  }
  return path;
}

/// Tells of each loop once, at the joint in it that the file has last.
void check_loops(const std::vector<UrdfLink>& links, const std::vector<UrdfJoint>& joints, const UrdfTree& tree,
                 TreeFaults& faults) {
  std::vector<int> walk_of(links.size(), -1);
  for (std::size_t start = 0; start < links.size(); ++start) {
    const int walk = static_cast<int>(start);
    int at = walk;
    while (at >= 0 && walk_of[at] < 0) {
      walk_of[at] = walk;
      at = tree.inboard[at] < 0 ? -1 : tree.parent[tree.inboard[at]];
    }
    if (at < 0 || walk_of[at] != walk) continue;
    int last = tree.inboard[at];
    for (int link = tree.parent[last]; link != at; link = tree.parent[tree.inboard[link]]) {
      last = std::max(last, tree.inboard[link]);
    }
    faults.add(joints[last].line, "joint " + quoted(joints[last].joint.name) +
                                      " closes a loop, where each link hangs on the next: " +
                                      loop_path(links, tree, tree.child[last]) + "; a robot is a tree");
  }
}

void check_root(const std::vector<UrdfLink>& links, const UrdfTree& tree, TreeFaults& faults) {
  std::string root;
  if (std::find(tree.parent.begin(), tree.parent.end(), -1) != tree.parent.end()) root = "world";
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (tree.inboard[i] >= 0) continue;
    if (root.empty()) {
      root = links[i].name;
    } else {
      faults.add(links[i].line, "link " + quoted(links[i].name) + " hangs on no joint, and neither does " +
                                    quoted(root) + "; a robot is one tree, so let one of them hang on a joint");
    }
  }
}

void set_order(UrdfTree& tree) {
  const int count = static_cast<int>(tree.inboard.size());
  tree.place_of.assign(count, -1);
  std::vector<int> chain;
  for (int link = 0; link < count; ++link) {
    chain.clear();
    for (int at = link; at >= 0 && tree.place_of[at] < 0;) {
      chain.push_back(at);
      at = tree.inboard[at] < 0 ? -1 : tree.parent[tree.inboard[at]];
    }
    for (std::size_t i = chain.size(); i-- > 0;) {
      tree.place_of[chain[i]] = static_cast<int>(tree.order.size());
      tree.order.push_back(chain[i]);
    }
  }
}

}  // namespace

std::optional<UrdfTree> urdf_tree(const std::vector<UrdfLink>& links, const std::vector<UrdfJoint>& joints,
                                  XmlFaults& all_faults) {
  TreeFaults faults(all_faults);
  const std::map<std::string, int> numbers = numbered(links, faults);
  check_joint_names(joints, faults);
  UrdfTree tree;
  tree.inboard.assign(links.size(), -1);
  bool whole = true;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    tree.parent.push_back(find_link(numbers, joints[j].parent, joints[j], faults));
    tree.child.push_back(find_link(numbers, joints[j].child, joints[j], faults));
    whole = whole && tree.parent[j] != none && tree.child[j] != none;
    hang(static_cast<int>(j), links, joints, tree, faults);
  }
  // Links whose joint is at fault would be taken for roots.
  if (!whole || faults.found()) return {};
  check_loops(links, joints, tree, faults);
  if (!faults.found()) check_root(links, tree, faults);
  if (faults.found()) return {};
  set_order(tree);
  return tree;
}

}  // namespace carom
