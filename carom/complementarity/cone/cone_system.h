#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/complementarity/cone/one_contact.h"
#include "carom/complementarity/contact_problem.h"
#include "carom/stop_signal.h"

namespace carom {

/// Change that a method made to the impulses that it was given.
struct ConeProgress {
  int steps = 0;
  double residual = 0;  ///< of the impulses returned, from velocities that were kept up along with them
};

/// A contact problem made ready for the methods of the exact cone: its blocks prepared, and products with A that know
/// its form. A product of at most `largest_stored` rows is written out as a matrix (k products); of a larger one only
/// the diagonal blocks are kept. Views the problem, which must outlive it. Vectors are k long, rows as in the problem.
class ConeSystem {
 public:
  static constexpr int largest_stored = 1200;

  /// O(blocks) for matrices, k products else.
  void prepare(const ContactProblem& problem);
  /// The same with sizes (mean diagonals, velocities) of the whole problem that `problem` is a reduction of, and its A.
  void prepare_reduced(const ContactProblem& problem, const ContactProblem& whole,
                       const std::vector<int>& block_indices, const double* A, std::ptrdiff_t stride);
  void reserve(int blocks);

  /// From here on the problem is that of A + diag(weight) and u − diag(weight) centre. Here weight_j = α (A_jj + a
  /// small part of its block's mean). This proximal term vanishes at `centre`; with α = 0 it is the problem itself.
  void set_proximal(double alpha, const double* centre);

  /// Every pass of a method asks this signal; null: none.
  void set_stop(const StopSignal* stop) { stop_ = stop; }
  void ask() const { ask_to_go_on(stop_); }

  int rows() const { return rows_; }
  std::vector<OneContact>& contacts() { return contacts_; }
  const std::vector<OneContact>& contacts() const { return contacts_; }

  /// False for a large product, whose columns are too dear to ask for one by one.
  bool has_columns() const { return has_columns_; }
  /// Columns of A where they lie in memory; null for the sparse form and for large products.
  const double* dense_column(int j) const { return dense_ ? dense_ + j * stride_ : nullptr; }
  const Eigen::SparseMatrix<double>* sparse() const { return sparse_; }

  /// Entries of A that are stored.
  double entries() const { return entries_; }

  /// w = u + A p (with the proximal term, as all below).
  void velocity(const double* p, double* w) const;
  /// w += A(:, rows of the contact) Δp. Only with has_columns().
  void add_response(const OneContact& contact, const double* change, double* w) const;
  /// The largest natural map of a block over impulse_size(p), or the largest row_residual (one_contact.h) if that is
  /// more. Both are from p and w = u + A p.
  double residual(const double* p, const double* w) const;
  /// U of certify.
  double velocity_size() const { return velocity_size_; }
  /// The largest ‖p_i‖ without torsion; if all are zero, the largest that the velocities u ask for, as of certify.
  double impulse_size(const double* p) const;

 private:
  void product_velocity(const double* p, double* w) const;
  void measure(const ContactProblem& problem);
  void prepare_product(const ContactProblem& problem);

  int rows_ = 0;
  bool has_columns_ = true;
  double entries_ = 0;
  const double* u_ = nullptr;
  const double* dense_ = nullptr;
  std::ptrdiff_t stride_ = 0;
  const Eigen::SparseMatrix<double>* sparse_ = nullptr;
  const ContactProduct* product_ = nullptr;
  std::vector<OneContact> contacts_;
  double velocity_size_ = 1;
  const StopSignal* stop_ = nullptr;
  bool proximal_ = false;
  std::vector<double> weight_, centre_;
  std::vector<double> store_, unit_, column_;
};

}  // namespace carom
