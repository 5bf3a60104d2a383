#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/contact_problem.h"
#include "carom/complementarity/polyhedral/lcp_matrix.h"
#include "carom/complementarity/polyhedral/stewart_trinkle_layout.h"

namespace carom {

/// The matrix of Stewart and Trinkle's LCP (2000, eqs. 15–20), never formed: over the z of a StewartTrinkleLayout
///
///         ⎡ PᵀA P    E ⎤        p = p₀ + P z                          A: k × k
///     R = ⎣ μ − Eᵀ   0 ⎦        q = (Pᵀ(u + A p₀) + offset; limits)
///
/// where P takes c to normal impulses and β to tangent ones. E is 1 from each λ to its β, and μ stands between the λ
/// and the c of a contact. A bounded row lower ≤ p ≤ upper is the same with one member, c = p − lower, and no μ:
///
///     0 ≤ w = u⁺ + offset + λ ⊥ c ≥ 0,    0 ≤ (upper − lower) − c ⊥ λ ≥ 0
///
/// Equilibration: impulses of block b are counted in s_b and velocities in 1 / s_b. The square s_b² is near 1 / the
/// largest diagonal entry of A's block. As A is positive semidefinite no entry is then above two, and E and μ do not
/// change.
///
/// A product costs k² (O(non-zeros) for a sparse A), a ninth or less of R's entries. A's view must outlive the solve.
class StewartTrinkleMatrix final : public LcpMatrix {
 public:
  /// A: dense or sparse. The layout must stay as it is until the next build.
  void build(const ContactOperator& A, const Eigen::Ref<const Eigen::VectorXd>& u, std::span<const Block> blocks,
             const StewartTrinkleLayout& layout);

  Eigen::Map<const Eigen::VectorXd> q() const { return {q_.data(), static_cast<Eigen::Index>(q_.size())}; }
  /// u + A p₀.
  const double* velocity_without_unknowns() const { return u_.data(); }
  /// Impulse of a c or β of one, N s per m/s: a power of two near the mean effective mass. So all unknowns of the LCP
  /// are velocities, and its residual means the same in any units of mass.
  double unit() const { return unit_; }

  /// R itself, in the problem's units, where it has no λ: unit · A over the normal rows.
  void copy_normals(Eigen::Ref<Eigen::MatrixXd> R);

  int largest_core() const override { return largest_core_; }
  void add_column(int j, double x, double* w) override;
  void multiply_add(const double* z, double* w) override;
  void multiply_transposed_add(const double* w, double* z) override;
  void row(int i, std::span<const int> columns, double* entries) override;

 private:
  using Part = StewartTrinkleLayout::Part;

  void set_groups();
  void equilibrate();
  void set_constants(std::span<const Block> blocks, const Eigen::Ref<const Eigen::VectorXd>& u);
  void add_impulse_column(int j, double x, double* y) const;
  double entry(int j, const double* y) const;
  void add_operator_column(int column, double x, double* y) const;
  void add_rows(const double* y, double* w) const;
  void add_operator_product(const double* z, double* w);

  const StewartTrinkleLayout* layout_ = nullptr;
  const double* dense_ = nullptr;  // A, or
  const Eigen::SparseMatrix<double>* sparse_ = nullptr;
  Eigen::Index stride_ = 0;
  int k_ = 0, largest_core_ = 0;
  double unit_ = 1;
  std::vector<double> scale_;  // s_b
  std::vector<double> q_, u_, p_, y_;
};

}  // namespace carom
