#include "carom/stepper/variational/tree_groups.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace carom {

TreeGroups::TreeGroups(const Model& model)
    : model_(model), parent_(model.body_count()), number_(model.body_count()), group_of_(model.velocity_count()) {
  tie({});
  most_ = number();
}

int TreeGroups::find(int root) {
  while (parent_[root] != root) root = parent_[root] = parent_[parent_[root]];
  return root;
}

/// The world ties nothing: what two trees do to it, neither feels.
void TreeGroups::join(int body_a, int body_b) {
  if (model_.is_static(body_a) || model_.is_static(body_b)) return;
  const int a = find(model_.root(body_a)), b = find(model_.root(body_b));
  parent_[std::max(a, b)] = std::min(a, b);
}

void TreeGroups::tie(const std::vector<Contact>& contacts) {
  std::iota(parent_.begin(), parent_.end(), 0);
  for (const Constraint& constraint : model_.constraints()) {
    int first = -1;
    constraint.for_each_body([&](int body) {
      join(first, body);
      first = body;
    });
  }
  for (const Drive& drive : model_.drives()) {
    for (const CoordinateShare& other : drive.others) join(drive.body, other.body);
  }
  for (const Contact& contact : contacts) join(contact.body_a, contact.body_b);
  number();
}

int TreeGroups::number() {
  int count = 0;
  std::fill(number_.begin(), number_.end(), -1);
  for (int coordinate = 0; coordinate < model_.velocity_count(); ++coordinate) {
    const int representative = find(model_.root(model_.coordinate_body(coordinate)));
    if (number_[representative] < 0) number_[representative] = count++;
    group_of_[coordinate] = number_[representative];
  }
  return count;
}

void TreeGroups::norms(const VectorX& p, const VectorX& v, VectorX& norms) const {
  norms.setZero(most_);
  for (int i = 0; i < static_cast<int>(group_of_.size()); ++i) norms[group_of_[i]] += p[i] * v[i];
  norms = norms.cwiseMax(0).cwiseSqrt();
}

}  // namespace carom
