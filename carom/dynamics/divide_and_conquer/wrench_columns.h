#pragma once

#include <vector>

#include "carom/dynamics/delassus.h"
#include "carom/dynamics/divide_and_conquer/divide_and_conquer.h"

namespace carom {

/// A = J M⁻¹ Jᵀ + diag(compliance) of constraint rows, as Delassus, but along the assembly tree instead of the paths of
/// the bodies. It costs O(k² log n) for k rows, once the assemblies are factored in O(n).
///
/// A row is a column of forces: a wrench on its bodies, or a generalized force. Paper DCA's ζ14, ζ15 of (23) are such
/// columns, which are carried along as ξ14, ξ15 of (28). In an assembly a column needs 12 numbers, p at the inboard
/// handle and w at the outboard one (handle_algebra.h). It has them only in the assemblies between its run and the
/// root. If B hangs on A, with p_B expressed about A's handle:
///
///   p = p_A + Ψ_Aᵀ p_B,   w = w_B + Ψ_B z,   z = w_A − G_A p_B,   A_ij −= p_B,i · z_j + w_A,i · p_B,j
///
/// with Ψ and G of the assemblies in the mechanism; in a run A_ij += u_iᵀ D⁻¹ u_j. All of it amounts to the sum of
/// squares u_iᵀ D⁻¹ u_j over the joints between both rows and the root. Delassus adds them one by one, and a response G
/// contains them for a whole assembly, so there is no cancellation.
///
/// The paper joins bodies without contact first, so that columns travel less. In a balanced tree they travel O(log n)
/// joins however the contacts change, and the tree is built once. Symmetric to the bit. Buffers are kept and grow only.
class WrenchColumns {
 public:
  /// Needs dynamics.factor at the same q.
  void build(const Model& model, const std::vector<ConstraintRow>& rows, const DivideAndConquer& dynamics,
             const DynamicsWorkspace& workspace);
  /// Makes room for so many rows.
  void reserve(const Model& model, const AssemblyTree& tree, int rows);

  int row_count() const { return count_; }
  /// A as k × k, column-major.
  Eigen::Map<const MatrixX> matrix() const { return {A_.data(), count_, count_}; }
  /// Joins of two assemblies that a column took part in, of all columns together.
  long joins() const { return joins_; }

 private:
  /// The thing that a row pushes on: a body, or a velocity coordinate of it.
  struct Push {
    int run = 0;
    int column = 0;
    int body = 0;         // its place in the run, counted from the inboard end
    int coordinate = -1;  // −1: the force
    double coefficient = 0;
    Force force;  // about the body's O; what it needs, so against what the row gives
    int sequence = 0;
  };
  /// A column in an assembly.
  struct Entry {
    int column = 0;
    Vec6 force;   // p
    Vec6 motion;  // w
  };
  struct Range {
    int first = 0, last = 0;
  };
  struct Meeting {
    int column = 0;
    Vec6 from_outboard, at_handle, own;  // p_B, z and w_A
  };

  void add_pushes(const Model& model, const ConstraintRow& row, int column, const AssemblyTree& tree,
                  const DynamicsWorkspace& workspace);
  void push(const AssemblyTree& tree, const Push& what);
  void touch(const Model& model, const AssemblyTree& tree, int run);
  void pass_run(const Model& model, int assembly, const AssemblyTree& tree, const DynamicsWorkspace& workspace);
  void eliminate_column(const Model& model, const Assembly& run, Range pushes, const AssemblyTree& tree,
                        const DynamicsWorkspace& workspace, double* u);
  void pass_join(int assembly, const DivideAndConquer& dynamics, const DynamicsWorkspace& workspace);

  int count_ = 0;
  long joins_ = 0;
  std::vector<double> A_;
  std::vector<Push> pushes_, run_pushes_;
  std::vector<Entry> entries_;
  std::vector<Range> ranges_;         // by assembly, of entries_
  std::vector<char> is_touched_;      // by assembly
  std::vector<int> touched_, place_;  // place_: by body, in its run
  std::vector<int> columns_;          // of the run at hand
  std::vector<double> u_, w_;         // by column and coordinate of the run at hand
  std::vector<Meeting> meetings_;
};

}  // namespace carom
