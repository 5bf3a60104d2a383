#include "carom/import/massless_links.h"

#include <Eigen/SVD>
#include <algorithm>
#include <string>
#include <vector>

#include "carom/import/merge_links.h"

namespace carom {
namespace {

constexpr int most_coordinates = 6;

bool weighs_nothing(const ImportedModel::Link& link) {
  return link.inertia.mass == 0 && link.inertia.central.isZero(0);
}

bool is_massless(const ImportedModel::Link& link) {
  return weighs_nothing(link) && link.joint && has_scalar_coordinates(link.joint->type);
}

template <class List>
bool any_on(const List& list, int link) {
  return std::any_of(list.begin(), list.end(), [&](const auto& each) { return each.body == link; });
}

bool acts_on(const Constraint& constraint, int link) {
  bool found = false;
  constraint.for_each_body([&](int body) { found = found || body == link; });
  return found;
}

bool is_constrained(const ImportedModel& model, int link) {
  const auto drives = [&](const CoordinateShare& share) { return share.body == link; };
  return any_on(model.drives, link) ||
         std::ranges::any_of(model.drives, [&](const Drive& d) { return std::ranges::any_of(d.others, drives); }) ||
         std::any_of(model.constraints.begin(), model.constraints.end(),
                     [&](const Constraint& c) { return acts_on(c, link); });
}

bool has_frames(const ImportedModel& model, int link) {
  return std::any_of(model.frames.begin(), model.frames.end(),
                     [&](const ImportedModel::Frame& frame) { return frame.link == link; });
}

/// True if a constraint ties the link itself, not a coordinate of its joint.
bool is_tied(const ImportedModel& model, int link) {
  return std::any_of(model.constraints.begin(), model.constraints.end(),
                     [&](const Constraint& c) { return !is_of_coordinates(c.kind) && acts_on(c, link); });
}

std::vector<int> children_of(const ImportedModel& model, int link) {
  std::vector<int> children;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    if (model.links[i].joint && model.links[i].joint->parent == link) children.push_back(static_cast<int>(i));
  }
  return children;
}

VectorX joined(const VectorX& a, int size_a, const VectorX& b, int size_b, double missing) {
  if (a.size() == 0 && b.size() == 0) return {};
  VectorX both(size_a + size_b);
  both << (a.size() > 0 ? a : VectorX::Constant(size_a, missing)),
      (b.size() > 0 ? b : VectorX::Constant(size_b, missing));
  return both;
}

/// Both joints as one between the first's parent and the second's child.
Joint combined(const Joint& first, const Joint& second) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Transform A = first.X_BM.inverse() * second.X_PF;
  const Twists one = coordinate_twists(first), two = coordinate_twists(second);
  const int n = static_cast<int>(one.cols()), m = static_cast<int>(two.cols());
  Joint joint;
  joint.name = first.name + "+" + second.name;
  joint.type = JointType::twists;
  joint.parent = first.parent;
  joint.X_PF = first.X_PF;
  joint.X_BM = second.X_BM * A.inverse();
  joint.twists.resize(6, n + m);
  joint.twists.leftCols(n) = one;
  for (int k = 0; k < m; ++k) joint.twists.col(n + k) = A.motion(two.col(k));
  joint.lower = joined(first.lower, n, second.lower, m, -infinity);
  joint.upper = joined(first.upper, n, second.upper, m, infinity);
  joint.damping = joined(first.damping, n, second.damping, m, 0);
  joint.stiffness = joined(first.stiffness, n, second.stiffness, m, 0);
  joint.rest = joined(first.rest, n, second.rest, m, 0);
  joint.friction = joined(first.friction, n, second.friction, m, 0);
  joint.reflected_inertia = joined(first.reflected_inertia, n, second.reflected_inertia, m, 0);
  joint.effort = joined(first.effort, n, second.effort, m, infinity);
  return joint;
}

bool is_independent(const Joint& joint, const VectorX& q) {
  constexpr double least_share = 1e-6;
  const Twists S = exponential_product(coordinate_twists(joint), q).S;
  const VectorX values = Eigen::JacobiSVD<Eigen::MatrixXd>(Eigen::MatrixXd(S)).singularValues();
  return values[values.size() - 1] > least_share * values[0];
}

VectorX position_of(const ImportedModel::Link& link) {
  return link.position.size() > 0 ? link.position : VectorX::Zero(velocity_size(*link.joint));
}

void remove_link(int gone, int heir, int shift, ImportedModel& model) {
  const auto moved = [&](int& body, int* coordinate) {
    if (coordinate != nullptr && body == heir) *coordinate += shift;
    if (body == gone) body = heir;
    if (body > gone) --body;
  };
  for (Constraint& constraint : model.constraints) {
    moved(constraint.body_a, &constraint.coordinate_a);
    moved(constraint.body_b, nullptr);
    for (CoordinateShare& share : constraint.shares) moved(share.body, &share.coordinate);
  }
  for (Drive& drive : model.drives) {
    moved(drive.body, &drive.coordinate);
    for (CoordinateShare& share : drive.others) moved(share.body, &share.coordinate);
  }
  for (Collider& collider : model.colliders) moved(collider.body, nullptr);
  if (std::erase_if(model.visuals, [&](const Visual& visual) { return visual.body == gone; }) > 0) {
    const ImportedModel::Link& link = model.links[static_cast<std::size_t>(gone)];
    model.unused.push_back({model.file, link.line, "<visual> of link \"" + link.name + "\", which is left out"});
  }
  for (Visual& visual : model.visuals) moved(visual.body, nullptr);
  for (ImportedModel::Lift& lift : model.lifts) moved(lift.link, nullptr);
  for (ImportedModel::Frame& frame : model.frames) moved(frame.link, nullptr);
  for (auto& [a, b] : model.excluded) {
    moved(a, nullptr);
    moved(b, nullptr);
  }
  model.links.erase(model.links.begin() + gone);
  for (ImportedModel::Link& link : model.links) {
    if (link.joint && link.joint->parent > gone) --link.joint->parent;
  }
}

/// Makes the link a coordinate of its only child's joint; false if that cannot be.
bool make_coordinate(int link, ImportedModel& model) {
  const std::vector<int> children = children_of(model, link);
  if (children.size() != 1 || has_frames(model, link) || is_tied(model, link)) return false;
  const ImportedModel::Link& first = model.links[link];
  ImportedModel::Link& second = model.links[children[0]];
  if (!has_scalar_coordinates(second.joint->type)) return false;
  const int n = velocity_size(*first.joint), m = velocity_size(*second.joint);
  if (n + m > most_coordinates) return false;
  const Joint joint = combined(*first.joint, *second.joint);
  const VectorX q = joined(position_of(first), n, position_of(second), m, 0);
  if (!is_independent(joint, q)) return false;
  const bool moved = first.asked.size() > 0 || second.asked.size() > 0;
  const VectorX asked = joined(first.asked.size() > 0 ? first.asked : position_of(first), n,
                               second.asked.size() > 0 ? second.asked : position_of(second), m, 0);
  second.asked = moved ? asked : VectorX();
  second.position = q;
  second.velocity = joined(first.velocity, n, second.velocity, m, 0);
  second.joint = joint;
  model.warnings.push_back({model.file, first.line,
                            "link \"" + first.name + "\" weighs nothing: it is left out, and its joint \"" +
                                first.joint->name + "\" and that of \"" + second.name + "\" are the joint \"" +
                                joint.name + "\""});
  remove_link(link, children[0], n, model);
  return true;
}

/// Holds a link that nothing hangs on where it starts.
bool hold(int link, ImportedModel& model) {
  if (!children_of(model, link).empty() || is_constrained(model, link)) return false;
  ImportedModel::Link& held = model.links[link];
  Joint& joint = *held.joint;
  const Transform X_FM = exponential_product(coordinate_twists(joint), position_of(held)).X;
  model.warnings.push_back({model.file, held.line,
                            "link \"" + held.name +
                                "\" weighs nothing and carries nothing: it is held on its joint \"" + joint.name +
                                "\" where it starts"});
  Joint fixed;
  fixed.name = joint.name;
  fixed.type = JointType::fixed;
  fixed.parent = joint.parent;
  fixed.X_PF = joint.X_PF * X_FM;
  fixed.X_BM = joint.X_BM;
  held.joint = fixed;
  held.position.resize(0);
  held.asked.resize(0);
  merge_fixed_links(model);
  return true;
}

void fix_roots(ImportedModel& model) {
  for (ImportedModel::Link& link : model.links) {
    // Moments without a mass move nothing; Bullet, too, takes a body of mass 0 for one that stands still.
    if (link.joint || link.inertia.mass != 0) continue;
    model.warnings.push_back({model.file, link.line,
                              "link \"" + link.name +
                                  "\" weighs nothing and hangs on nothing: it is fixed to the world where the file "
                                  "puts it"});
    weld_root(link);
  }
  merge_fixed_links(model);
}

}  // namespace

void absorb_massless_links(ImportedModel& model) {
  fix_roots(model);
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = static_cast<int>(model.links.size()) - 1; i >= 0 && !changed; --i) {
      if (!is_massless(model.links[i]) || any_on(model.colliders, i)) continue;
      changed = hold(i, model) || make_coordinate(i, model);
    }
  }
}

}  // namespace carom
