#include "carom/import/sdf_couplers.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace carom {
namespace {

constexpr double parallel = 1e-9;

class CouplerReader {
 public:
  CouplerReader(const SdfTree& tree, const SdfHung& hung, std::vector<ImportedModel::Link>& links)
      : tree_(tree), hung_(hung), links_(links) {}

  std::vector<Constraint> read() {
    for (const SdfJoint& joint : tree_.joints) {
      if (const std::string* type = joint.place.node->attribute("type"); type && *type == "gearbox") read_gear(joint);
      int coordinate = 0;
      for (const char* axis : {"axis", "axis2"}) {
        const SdfPlace mimic = first(peek(joint.place, axis), "mimic");
        if (mimic.node) read_mimic(joint, coordinate, mimic);
        ++coordinate;
      }
      if (const SdfPlace mimic = first(joint.place, "drake:mimic"); mimic.node) read_drake(joint, mimic);
    }
    start();
    return std::move(couplers_);
  }

 private:
  void add(const std::string& name, std::pair<int, int> a, std::pair<int, int> b, double ratio, double offset) {
    Constraint coupler;
    coupler.name = name;
    coupler.kind = ConstraintKind::coupler;
    std::tie(coupler.body_a, coupler.coordinate_a) = a;
    coupler.shares = {{b.first, b.second, ratio}};
    coupler.offset = offset;
    couplers_.push_back(coupler);
  }

  /// Link and coordinate of an axis; a fault at `place` if the joint has none of its own.
  std::optional<std::pair<int, int>> coordinate_of(const std::string& joint, int axis, const SdfPlace& place) {
    const auto found = hung_.find(joint);
    if (found != hung_.end() && has_scalar_coordinates(links_[found->second].joint->type) &&
        axis < velocity_size(*links_[found->second].joint)) {
      return std::pair(found->second, axis);
    }
    place.fault("<" + place.node->name + "> needs a coordinate of joint \"" + joint +
                "\", which is not there, is fixed, or closes a loop");
    return {};
  }

  void follow(const SdfJoint& joint, int axis, const std::string& leader, int leader_axis, double multiplier,
              double offset, const SdfPlace& place) {
    const auto a = coordinate_of(joint.name, axis, place),
               b = coordinate_of(scope_of(joint.name) + leader, leader_axis, place);
    if (!a || !b) return;
    if (multiplier == 0 || *a == *b) {
      place.fault("<" + place.node->name + "> ties the joint to " + (*a == *b ? "itself" : "nothing") +
                  "; name another joint, and a multiplier other than 0");
      return;
    }
    add(joint.name, *a, *b, multiplier, offset);
  }

  void read_mimic(const SdfJoint& joint, int axis, const SdfPlace& place) {
    const auto leader = place.file->faults.require(*place.node, "joint");
    const std::string* of = place.node->attribute("axis");
    const double multiplier = read_number(place, "multiplier").value_or(1),
                 offset = read_number(place, "offset").value_or(0);
    const double reference = read_number(place, "reference").value_or(0);
    if (!leader) return;
    follow(joint, axis, *leader, of && *of == "axis2" ? 1 : 0, multiplier, offset - multiplier * reference, place);
  }

  void read_drake(const SdfJoint& joint, const SdfPlace& place) {
    XmlFaults& faults = place.file->faults;
    const auto leader = faults.require(*place.node, "joint");
    const double multiplier = faults.number(*place.node, "multiplier").value_or(1);
    const double offset = faults.number(*place.node, "offset").value_or(0);
    if (leader) follow(joint, 0, *leader, 0, multiplier, offset, place);
  }

  struct Turn {
    int link;  ///< whose joint has the angle
    double sign;
  };

  /// The coordinate that is the angle of a link relative to the reference about a direction in the world.
  std::optional<Turn> turn_of(int link, int reference, const Vec3& direction) const {
    const auto hangs = [&](int child, int parent) {
      return child >= 0 && links_[child].joint && links_[child].joint->parent == parent &&
             links_[child].joint->type == JointType::revolute;
    };
    const bool outward = hangs(link, reference);
    if (!outward && !hangs(reference, link)) return {};
    const int child = outward ? link : reference, parent = outward ? reference : link;
    const Mat3 R_WP = parent < 0 ? Mat3(Mat3::Identity()) : tree_.links[parent].X_WB.R;
    const Vec3 axis = R_WP * links_[child].joint->X_PF.R.col(2);
    if (axis.cross(direction).norm() > parallel) return {};
    return Turn{child, (axis.dot(direction) > 0) == outward ? 1.0 : -1.0};
  }

  void read_gear(const SdfJoint& joint) {
    const SdfPlace at = first(joint.place, "gearbox_reference_body");
    for (const char* axis : {"axis", "axis2"}) first(first(joint.place, axis), "xyz");
    const double ratio = read_number(joint.place, "gearbox_ratio").value_or(1);
    if (!at.node || ratio == 0) {
      joint.place.fault("a gearbox joint needs a <gearbox_reference_body>, and a <gearbox_ratio> other than 0");
      return;
    }
    const std::string name = scope_of(joint.name) + at.node->text;
    const auto link =
        std::find_if(tree_.links.begin(), tree_.links.end(), [&](const SdfLink& each) { return each.name == name; });
    if (link == tree_.links.end() && at.node->text != "world") {
      at.fault("\"" + at.node->text + "\" is no link of this model; a gearbox needs one that both its gears turn on");
      return;
    }
    const int reference = link == tree_.links.end() ? -1 : static_cast<int>(link - tree_.links.begin());
    const auto first_gear = turn_of(joint.parent, reference, joint.X_WJ.R * joint.axis[0]);
    const auto second_gear = turn_of(joint.child, reference, joint.X_WJ.R * joint.axis[1]);
    if (!first_gear || !second_gear) {
      joint.place.fault(
          "a gearbox joint couples two revolute joints between its links and the gearbox_reference_body, about <axis> "
          "and <axis2>; here there are no such two");
      return;
    }
    add(joint.name, {second_gear->link, 0}, {first_gear->link, 0}, -ratio * first_gear->sign * second_gear->sign, 0);
  }

  /// As many rounds as joints follow one another; in a circle nothing settles, and the first step ties them.
  void start() {
    for (std::size_t round = 0; round < couplers_.size(); ++round) {
      for (const Constraint& coupler : couplers_) {
        const CoordinateShare& share = coupler.shares.front();
        ImportedModel::Link &a = links_[coupler.body_a], &b = links_[share.body];
        const double leader = b.position.size() > 0 ? b.position[share.coordinate] : 0;
        const double follower = share.ratio * leader + coupler.offset;
        if (a.position.size() == 0 && follower == 0) continue;
        if (a.position.size() == 0) a.position = VectorX::Zero(velocity_size(*a.joint));
        a.position[coupler.coordinate_a] = follower;
      }
    }
  }

  const SdfTree& tree_;
  const SdfHung& hung_;
  std::vector<ImportedModel::Link>& links_;
  std::vector<Constraint> couplers_;
};

/// Number of the link that a model calls so.
std::optional<int> link_within(const SdfTree& tree, const SdfModel& model, const std::string& name) {
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const SdfLink& link = tree.links[i];
    const bool inside = (tree.models[link.model].name + "::").starts_with(model.name + "::");
    if (inside && (link.name == name || link.name.ends_with("::" + name))) return static_cast<int>(i);
  }
  if (name == "world") return -1;
  return {};
}

/// Both points of an element of Drake's; false if one is missing.
bool read_ends(const SdfTree& tree, const SdfModel& model, const SdfPlace& place, Constraint& tie) {
  const std::string& start = place.node->name;
  bool whole = true;
  for (const bool is_a : {true, false}) {
    const SdfPlace body = first(place, start + (is_a ? "_body_A" : "_body_B"));
    const auto point = read_numbers(place, start + (is_a ? "_p_AP" : "_p_BQ"), 3);
    const auto link = body.node ? link_within(tree, model, body.node->text) : std::nullopt;
    whole = whole && point && link;
    if (!whole) continue;
    (is_a ? tie.body_a : tie.body_b) = *link;
    (is_a ? tie.X_AF : tie.X_BG).p = *point;
  }
  return whole;
}

/// Length, stiffness and damping; false if one is missing.
bool read_spring(const SdfPlace& place, Constraint& spring) {
  bool whole = true;
  for (const auto& [part, value] :
       {std::pair{"_free_length", &spring.length}, std::pair{"_stiffness", &spring.stiffness},
        std::pair{"_damping", &spring.damping}}) {
    const auto number = read_numbers(place, place.node->name + part, 1);
    whole = whole && number && (*number)[0] >= 0;
    if (number) *value = (*number)[0];
  }
  return whole;
}

}  // namespace

std::vector<Constraint> read_couplers(const SdfTree& tree, const SdfHung& hung,
                                      std::vector<ImportedModel::Link>& links) {
  return CouplerReader(tree, hung, links).read();
}

std::vector<Constraint> read_drake_ties(const SdfTree& tree) {
  const std::string ball = "drake:ball_constraint", spring = "drake:linear_spring_damper";
  std::vector<Constraint> ties;
  for (const SdfModel& model : tree.models) {
    for (XmlNode& node : model.place.node->children) {
      if (node.name != ball && node.name != spring) continue;
      node.take();
      const SdfPlace place{model.place.file, &node};
      Constraint tie;
      tie.kind = node.name == ball ? ConstraintKind::ball : ConstraintKind::spring;
      tie.name = constraint_name(tie.kind) + std::to_string(ties.size());
      const bool whole = read_ends(tree, model, place, tie) && (node.name == ball || read_spring(place, tie));
      const std::string spring_too =
          node.name == ball ? "" : ", _free_length, _stiffness, _damping, which are not negative";
      if (whole) {
        ties.push_back(tie);
      } else {
        place.fault("<" + node.name + "> needs two links of its model and a point in each: " + node.name +
                    "_body_A, _p_AP, " + "_body_B, _p_BQ" + spring_too);
      }
    }
  }
  return ties;
}

}  // namespace carom
