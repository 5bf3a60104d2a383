#pragma once

#include <vector>

#include "carom/contact/contact.h"
#include "carom/model/model.h"

namespace carom {

/// Trees that constraints or contacts tie together, directly or through others, make one group. Groups do not feel one
/// another, so each needs a convergence test of its own. In a norm of the whole motion, a heavy or fast group would
/// hide the error of a light one.
class TreeGroups {
 public:
  /// Groups by the model's constraints alone. The model must outlive it.
  explicit TreeGroups(const Model& model);
  /// Groups anew, by constraints and these contacts. O(trees + contacts).
  void tie(const std::vector<Contact>& contacts);

  /// √(pᵀ v) of each group, for momenta p = M v; as many numbers as there are groups without contacts, the rest zero.
  void norms(const VectorX& p, const VectorX& v, VectorX& norms) const;

 private:
  void join(int body_a, int body_b);
  int find(int root);
  int number();

  const Model& model_;
  std::vector<int> parent_;    // per body: of roots, towards the representative of their group
  std::vector<int> number_;    // per body: of a representative's group
  std::vector<int> group_of_;  // per velocity coordinate
  int most_ = 0;
};

}  // namespace carom
