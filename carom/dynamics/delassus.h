#pragma once

#include <span>
#include <utility>
#include <vector>

#include "carom/dynamics/workspace.h"

namespace carom {

/// One scalar constraint. A unit impulse along the row acts as a wrench on body A and its opposite on body B. A
/// coordinate row acts instead as a generalized impulse on velocity coordinates, each one once.
struct ConstraintRow {
  int body_a = -1;  ///< −1 for the world
  int body_b = -1;
  Vec3 point_a = Vec3::Zero();    ///< where it acts on A, world frame, m
  Vec3 point_b = Vec3::Zero();    ///< where it acts on B, world frame, m
  Vec3 direction = Vec3::Zero();  ///< of the force, world frame: positive pushes A along it and B against it
  Vec3 moment = Vec3::Zero();  ///< a torque beside the force, world frame: positive turns A about it and B against it
  int coordinate = -1;         ///< ≥ 0: a row on velocity coordinates; the fields above are then unused
  double coefficient = 1;      ///< of this coordinate in the row
  std::span<const RowTerm> others = {};  ///< further coordinates; they belong to the model
  double sign = 1;                       ///< 1 or −1, of the whole of a coordinate row
  double compliance = 0;  ///< ≥ 0: velocity per impulse that the row's own device yields, 1/kg or 1/(kg m²)

  /// Calls f(coordinate, coefficient) for every term of a coordinate row.
  template <typename F>
  void for_each_term(F&& f) const {
    f(coordinate, sign * coefficient);
    for (const RowTerm& other : others) f(other.coordinate, sign * other.coefficient);
  }
  /// J v of a coordinate row.
  double sum(const VectorX& v) const {
    double sum = 0;
    for_each_term([&](int k, double c) { sum += c * v[k]; });
    return sum;
  }
};

/// The row of a sum of coordinates; needs one at least.
ConstraintRow coordinate_row(std::span<const RowTerm> terms);

/// Rows J (k × nv) of constraints and the operator
///
///   A = J M⁻¹ Jᵀ + diag(compliance)   (k × k, symmetric positive semi-definite),
///
/// through the factored mass matrix, factor_mass's `extra` included. A_ij is the change of row i's velocity J_i v by a
/// unit impulse along row j. Its unit is (m/s)/(N s) for rows of points, and corresponding for coordinate rows. A is
/// singular where rows repeat or depend on each other. A row that pushes nothing but static bodies and the world is
/// zero.
///
/// The articulated-body recursion factors M⁻¹ = Wᵀ D⁻¹ W, where W b = u is its walk from the leaves to the roots.
/// Rodriguez, Jain and Kreutz-Delgado, Int. J. Robotics Research 10(4), 1991, write W = I − H ψ K. A row pushes on two
/// bodies, so its u is zero except on their paths to the roots, and
///
///   A_ij = u_iᵀ D⁻¹ u_j
///
/// needs neither the walk back nor the rest of the tree. It costs O(k d + k² d) with d the coordinates on a path. With
/// many more rows than bodies, A is better left in its factors, A = G Gᵀ with the rows g_i = D^(−1/2) u_i: O(k d).
/// Products run in a fixed order, and the upper triangle is a copy of the lower, so A is symmetric to the bit. Buffers
/// are kept between calls and grow only with the largest k seen.
class Delassus {
 public:
  enum class Form { matrix, product };

  /// Needs forward_kinematics and factor_mass at the same q. Refers to `model` until the next call, but not to
  /// `workspace`. Form::product leaves out A, and its cost of O(k² d), except for the block of the first `leading`
  /// rows.
  void build(const Model& model, const std::vector<ConstraintRow>& rows, const DynamicsWorkspace& workspace,
             Form form = Form::matrix, int leading = 0);

  /// Makes room for so many rows, and for A.
  void reserve(const Model& model, int rows);

  int row_count() const { return count_; }
  /// A as k × k, column-major, symmetric; of Form::product that of the leading rows.
  Eigen::Map<const MatrixX> matrix() const { return {A_.data(), matrix_rows_, matrix_rows_}; }
  double diagonal(int row) const;
  /// Calls add(body, count, values) for every joint on the paths of row i of G to the roots, with its `count` velocity
  /// coordinates. The row's own compliance is not in G.
  template <typename Add>
  void factor_row(int i, Add&& add) const {
    double g[6];
    const double* u = u_.data() + value_start_[i];
    for (int s = stretch_start_[i]; s < stretch_start_[i + 1]; ++s) {
      const Stretch& stretch = stretches_[s];
      scale_by_root(stretch, u, g);
      add(stretch.body, stretch.count, g);
      u += stretch.count;
    }
  }
  double compliance(int row) const { return compliance_[row]; }
  /// J as k × nv, written out.
  MatrixX jacobian() const;
  /// y = J v, y of size k.
  void apply(const VectorX& v, Eigen::Ref<VectorX> y) const;
  /// f += Jᵀ p.
  void add_transposed(const Eigen::Ref<const VectorX>& p, Eigen::Ref<VectorX> f) const;
  /// y = A p without A, both of k entries: O(k d), and one walk over the trees that the rows touch.
  void multiply(const Eigen::Ref<const VectorX>& p, Eigen::Ref<VectorX> y);
  /// v += M⁻¹ Jᵀ p: O(k d), and one walk over the trees that the rows touch.
  void add_response(const Eigen::Ref<const VectorX>& p, VectorX& v);

 private:
  /// Velocity coordinates of a joint on the way of a row to the root.
  struct Stretch {
    int body = 0, first = 0, count = 0;
  };

  void fill_row(const Model& model, const ConstraintRow& row, const DynamicsWorkspace& workspace);
  void gather(const Model& model, int body_a, int body_b, const DynamicsWorkspace& workspace);
  void gather_all(const Model& model, const ConstraintRow& row, const DynamicsWorkspace& workspace);
  int gather_joint(const Model& model, int body, const DynamicsWorkspace& workspace, Force& f);
  void end_row();
  void touch(const Model& model, int body);
  void reserve_product(const Model& model, int rows);
  void build_matrix();
  void keep_factors(const Model& model, const DynamicsWorkspace& workspace);
  void add_to(int i, const std::vector<double>& values, double factor, double* y) const;
  double dot(int i, const std::vector<double>& values, const double* y) const;
  void scale_by_root(const Stretch& stretch, const double* u, double* g) const;

  const Model* model_ = nullptr;
  int count_ = 0;
  int velocities_ = 0;
  int matrix_rows_ = 0;
  std::pair<int, int> longest_path_{0, 0};  // bodies and coordinates, to the root
  std::vector<double> A_;
  std::vector<Stretch> stretches_;
  std::vector<int> stretch_start_, value_start_;  // rows + 1
  std::vector<double> J_, u_, w_;                 // of the stretches of every row in turn; w = D⁻¹ u
  std::vector<double> row_;                       // nv zeros, between rows
  std::vector<std::pair<int, Force>> walks_;      // bodies on the paths of a row to the roots
  std::vector<double> compliance_;
  // Data of the walk back, as they were at `build`; only the trees that rows touch.
  std::vector<int> roots_;
  std::vector<char> touched_;  // by root
  std::vector<JointColumn> columns_;
  std::vector<Mat6> twists_inverse_;
  std::vector<Vec3> r_;
  std::vector<Motion> a_;
  VectorX x_, response_;
};

}  // namespace carom
