#pragma once

#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "carom/complementarity/mixed/mixed_ncp.h"
#include "carom/contact/contact_finder.h"
#include "carom/dynamics/constraint_equations.h"
#include "carom/numerics/cholesky.h"
#include "carom/stepper/quasi_rigid/contact_element.h"
#include "carom/stepper/quasi_rigid/step_rows.h"

namespace carom {

/// The start of a step; velocities and momenta in the coordinates of CarriedMotion.
struct QuasiRigidStart {
  double h = 0, end = 0;  ///< length, and time at the end, s
  VectorX q;
  VectorX free;                 ///< velocity at the end if nothing touched
  std::vector<MatrixX> masses;  ///< of moving_roots(), where the step is linearised, dampers and springs included
};

/// A step of a mechanism with contacts that are implicit in the geometry, as one mixed complementarity problem. Its
/// unknowns are the velocity w at the end and the impulses λ of constraints. Every contact element adds its closest
/// points and the unknowns of its law:
///
///     M (w − w_f) = Σ forceᵀ λ + Σ J(q⁺, x, n)ᵀ p,    q⁺ = q ⊞ h w                (momentum)
///     closest points at q⁺                            ClosestPointSystem          (smooth elements)
///     law at d and u = J(q⁺, x, n) w                  ContactLaw
///     rows of constraints, joints' friction, servos, limits and ropes             StepRow
///
/// M and w_f (FreeMotion) are those of the configuration where the step is linearised; contacts act at its end. Source:
/// Chakraborty, Berard, Akella and Trinkle 2007, eqs. (1) to (15). Generalized velocities replace those of bodies, so
/// that joints cost nothing.
///
/// Unknowns and rows, in the same order: w, λ of the rows, then element by element.
///
/// Derivatives are analytic. Wrenches are differentiated by where bodies end (joints' columns turn with it), by the
/// normal, and by the tangents, which follow it. Cost of one evaluation: linear in elements and rows, times the square
/// of the joints between an element's bodies and the world.
class QuasiRigidProblem {
 public:
  using Input = Eigen::Ref<const VectorX>;

  explicit QuasiRigidProblem(const Model& model);
  ~QuasiRigidProblem();

  /// Takes a step. Elements get their places in the unknowns, rows theirs; both stay the caller's, as does `start`.
  void pose(const QuasiRigidStart& start, const std::vector<StepRow>& rows, std::vector<ContactElement>& elements);

  int size() const { return size_; }
  int row_index(std::size_t row) const { return velocities_ + static_cast<int>(row); }
  void bounds(Eigen::Ref<VectorX> lower, Eigen::Ref<VectorX> upper) const;

  /// F, size(). False if a number is not finite.
  bool residual(const Input& z, Eigen::Ref<VectorX> F);
  /// ∂F/∂z. The dense one must arrive as zero; the sparse one has the same pattern in every call of a step.
  void jacobian(const Input& z, Eigen::Ref<MatrixX> J);
  void jacobian(const Input& z, Eigen::SparseMatrix<double>& J);

  /// Velocity (t, o, n, about n) of A relative to B at z, after residual() or at(), where the coordinates move with w.
  Eigen::Vector4d velocity(const ContactElement& element, const Input& z, const VectorX& w) const;
  /// A law's input at z, after residual() or at(): d, u and the start's deflections.
  ContactInput input(const ContactElement& element, const Input& z) const;
  /// Moves to the end of the step that z says.
  void at(const Input& z);
  const CarriedMotion& motion() const { return motion_; }
  /// f += the generalized impulse of an element.
  void add_impulse(const ContactElement& element, const Input& z, VectorX& f) const;
  static void add_impulse(const StepRow& row, double lambda, VectorX& f);
  /// The row's demand, not divided by h if it is a length: g, gap, or the velocity.
  double measure(const StepRow& row, const Input& z) const;
  /// g of all rows of constraints, including those left out of the step, at the last at(), m or rad.
  const std::vector<double>& constraint_errors() const { return equations_.errors; }
  /// y = M x of the start.
  void multiply_mass(const VectorX& x, Eigen::Ref<VectorX> y) const;
  /// Changes of momentum (sizes) that changes of the velocity make, row by row the largest.
  void momentum_sizes(std::span<const double> changes, std::span<double> sizes) const;
  /// x = M⁻¹ b, tree by tree.
  void solve_mass(const VectorX& b, VectorX& x) const;

 private:
  class Entries;
  struct TreeBlock {
    std::vector<int> coordinates;
    const MatrixX* mass = nullptr;
    Cholesky factors;
    mutable VectorX part, image;  // scratch

    void gather(const VectorX& x) const;
    void scatter(const VectorX& own, Eigen::Ref<VectorX> x) const;
  };
  struct Local;

  void momentum_residual(const Input& z, Eigen::Ref<VectorX> F) const;
  void element_residual(const ContactElement& element, const Input& z, Eigen::Ref<VectorX> F) const;
  void fill(const Input& z, Entries& J);
  void fill_row(std::size_t row, Entries& J);
  void fill_element(const ContactElement& element, const Input& z, Local& local, Entries& J) const;
  void fill_closest_points(const ContactElement& element, const Input& z, Local& local, Entries& J) const;
  void differentiate(const ContactElement& element, const Input& z, Local& local) const;
  void turn_axis(const ContactElement& element, const ElementFrame& frame, const ContactRows& law, const Vec3& slip,
                 Local& local) const;
  void update_constraints();

  const Model* model_;
  CarriedMotion motion_;
  mutable ContactFinder finder_;  // keeps buffers only
  ConstraintEquations equations_;
  const QuasiRigidStart* start_ = nullptr;
  const std::vector<StepRow>* rows_ = nullptr;
  std::vector<ContactElement>* elements_ = nullptr;
  std::vector<TreeBlock> trees_;
  bool has_constraints_ = false;
  int velocities_ = 0, size_ = 0;
  VectorX w_;
  mutable VectorX impulse_, change_;
  std::vector<Local> locals_;  // by element
  // The sparse Jacobian, found in its first call of a step: entries in the order of filling, and the places of their
  // values in J.
  std::vector<Eigen::Triplet<double>> triplets_;
  std::vector<int> slots_;
  Eigen::Index nonzeros_ = 0;
};

}  // namespace carom
