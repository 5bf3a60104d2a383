#include "carom/scene/self_collision.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "carom/geometry/contact_points.h"
#include "carom/import/imported_model.h"
#include "carom/import/keep_apart.h"

namespace carom {
namespace {

constexpr int most_joints_apart = 3;
constexpr double least_overlap = 1e-6;  // m

using LinkPair = std::pair<int, int>;

/// Neighbours by link; the world comes last.
std::vector<std::vector<int>> neighbours(const ImportedModel& model) {
  const int world = static_cast<int>(model.links.size());
  std::vector<std::vector<int>> of(model.links.size() + 1);
  const auto tie = [&](int a, int b) {
    const int i = a < 0 ? world : a, j = b < 0 ? world : b;
    of[i].push_back(j);
    of[j].push_back(i);
  };
  for (int i = 0; i < world; ++i) {
    const auto& joint = model.links[i].joint;
    if (joint && joint->type != JointType::free) tie(i, joint->parent);
  }
  for (const Constraint& constraint : model.constraints) {
    const bool of_bodies = constraint.kind == ConstraintKind::ball || constraint.kind == ConstraintKind::weld ||
                           constraint.kind == ConstraintKind::hinge || constraint.kind == ConstraintKind::rod;
    if (of_bodies) tie(constraint.body_a, constraint.body_b);
  }
  return of;
}

/// Pairs of links, −1 the world, the lower number first, that at most so many ties part.
std::set<LinkPair> near_pairs(const ImportedModel& model) {
  const int world = static_cast<int>(model.links.size());
  const std::vector<std::vector<int>> ties = neighbours(model);
  std::set<LinkPair> near;
  for (int start = 0; start <= world; ++start) {
    std::set<int> reached{start}, edge{start};
    for (int away = 0; away < most_joints_apart; ++away) {
      std::set<int> next;
      for (const int at : edge) {
        for (const int to : ties[at]) {
          if (reached.insert(to).second) next.insert(to);
        }
      }
      edge = std::move(next);
    }
    for (const int end : reached) {
      if (end > start) near.insert(end == world ? LinkPair{-1, start} : LinkPair{start, end});
    }
  }
  return near;
}

/// True if the model would test the pair at all: its own rules, which Model::may_collide has.
bool is_tested(const ImportedModel& model, const Collider& a, const Collider& b) {
  const auto hangs_on = [&](int child, int parent) {
    return child >= 0 && model.links[child].joint && model.links[child].joint->type != JointType::free &&
           model.links[child].joint->parent == parent && !model.links[child].collides_with_parent;
  };
  if (a.body == b.body || hangs_on(a.body, b.body) || hangs_on(b.body, a.body)) return false;
  if ((a.groups & b.collides_with) == 0 && (b.groups & a.collides_with) == 0) return false;
  return std::none_of(model.excluded.begin(), model.excluded.end(), [&](const LinkPair& pair) {
    return pair == LinkPair{a.body, b.body} || pair == LinkPair{b.body, a.body};
  });
}

double overlap(const Collider& a, const Collider& b, const std::vector<Transform>& X_WB) {
  const auto pose = [&](const Collider& c) { return c.body < 0 ? c.X_BS : X_WB[c.body] * c.X_BS; };
  const Transform X_WA = pose(a), X_WS = pose(b);
  std::vector<ContactPoint> points;
  contact_points(a.shape, X_WA, b.shape, X_WS, 0, points);
  double depth = 0;
  for (const ContactPoint& point : points) depth = std::max(depth, -point.gap);
  return depth;
}

/// Every two links, but not the world, with those that there are excluded.
void exclude_all(ImportedModel& model) {
  const int count = static_cast<int>(model.links.size());
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) model.excluded.emplace_back(a, b);
  }
}

}  // namespace

std::vector<LeftOut> choose_self_collision(SelfCollision choice, const std::vector<Transform>& X_WB,
                                           ImportedModel& model) {
  if (choice == SelfCollision::none) exclude_all(model);
  if (choice != SelfCollision::automatic) return {};
  const std::set<LinkPair> near = near_pairs(model);
  std::map<LinkPair, double> depths;
  std::set<std::pair<int, int>> with_world;  // colliders
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    for (std::size_t j = i + 1; j < model.colliders.size(); ++j) {
      const Collider &a = model.colliders[i], &b = model.colliders[j];
      const LinkPair links = std::minmax(a.body, b.body);
      if (!near.contains(links) || is_ground(a.shape) || is_ground(b.shape) || !can_collide(a.shape, b.shape)) continue;
      if (!is_tested(model, a, b)) continue;
      const double depth = overlap(a, b, X_WB);
      if (depth <= least_overlap) continue;
      depths[links] = std::max(depths[links], depth);
      if (links.first < 0) with_world.emplace(static_cast<int>(i), static_cast<int>(j));
    }
  }
  std::vector<LeftOut> left_out;
  for (const auto& [links, depth] : depths) {
    // To exclude the world would let the link through the scene's ground.
    if (links.first >= 0) model.excluded.push_back(links);
    left_out.push_back(
        {links.first < 0 ? "the world" : model.links[links.first].name, model.links[links.second].name, depth});
  }
  if (!with_world.empty()) keep_apart(with_world, model.colliders);
  return left_out;
}

}  // namespace carom
