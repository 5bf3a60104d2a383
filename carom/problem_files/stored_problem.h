#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/complementarity/contact_problem.h"

namespace carom {

/// Notes on a contact problem beside its data. Impulses and velocities have k entries, in its rows' order.
struct ProblemNotes {
  std::string title, description, math_info;
  Eigen::VectorXd impulse;               ///< of a solution; empty: none
  Eigen::VectorXd velocity;              ///< of that solution, u⁺; empty: none
  std::vector<Eigen::VectorXd> guesses;  ///< impulses to start from
  std::optional<int> directions;         ///< generators of the friction cone that it was posed with, 0 the exact cone;
                                         ///< no value: not said
  std::vector<std::string> passed_over;  ///< of reading: what a file holds of guesses and a solution but not whole, a
                                         ///< sentence without its full stop each
  std::vector<std::string> remarks;  ///< of reading: what was changed or passed over of the problem itself, likewise
};

/// A contact problem that owns its data.
///
/// Programs that linearise gyroscopic forces implicitly write operators W that are not quite symmetric. Such a W is
/// split into A = (W + Wᵀ) / 2 and N = (W − Wᵀ) / 2. Then u⁺ = u + (A + N) p, and N does no work. See solve_stored.h.
struct StoredProblem {
  ContactOperator::Form form = ContactOperator::Form::dense;  ///< which of the three is A
  Eigen::MatrixXd dense;
  Eigen::SparseMatrix<double> sparse;
  std::shared_ptr<const ContactProduct> product;
  Eigen::SparseMatrix<double> skew;  ///< N, k × k; of no size where the operator is symmetric
  Eigen::VectorXd u;
  std::vector<Block> blocks;
  ProblemNotes notes;

  Eigen::Index rows() const { return u.size(); }
  bool is_symmetric() const { return skew.size() == 0; }
  ContactOperator A() const;
  /// A view of this object; N is not in it.
  ContactProblem problem() const { return {A(), u, blocks}; }

  /// Takes W as A and N, dense or sparse, whichever costs less. Throws Error, with the name `file`, if W is too far
  /// from symmetric to be the operator of a contact problem.
  void set_operator(const Eigen::SparseMatrix<double>& W, const std::string& file);
};

}  // namespace carom
