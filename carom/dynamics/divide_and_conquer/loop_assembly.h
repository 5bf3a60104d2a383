#pragma once

#include <vector>

#include "carom/dynamics/delassus.h"
#include "carom/dynamics/divide_and_conquer/assembly_tree.h"
#include "carom/dynamics/divide_and_conquer/handle_algebra.h"
#include "carom/dynamics/workspace.h"

namespace carom {

/// A row of the problem below, and what it demands.
struct LoopRow {
  ConstraintRow row;   ///< its compliance counts as well
  double target = 0;   ///< J_i x, m/s² or m/s and so on; of a bilateral row
  bool closes = true;  ///< bilateral: joined away. Else a contact, kept as a column to the root
};

/// Mechanisms with loops by divide and conquer:
///
///   (M + diag(extra)) x = b + Jᵀ λ,   J_i x + compliance_i λ_i = target_i for bilateral rows i
///
/// with x accelerations and λ forces, or x changes of velocity and λ impulses. Contacts among the rows keep λ as free
/// parameters, and for them follows what a contact problem needs, the loops being closed:
///
///   J_i x = y_i + Σ_j A_ij λ_j     over contacts i, j           (paper DCA, eq. 30, and section 4.2.2's pure LCP)
///
/// so its size does not depend on the number of bilateral rows. Every row is a column of its assemblies, as in
/// wrench_columns.h, but with outboard handles free (handle_algebra.h). When an assembly contains all that a bilateral
/// row pushes on, its loop is closed. The row is then eliminated, which adds p pᵀ / A_ii to P and subtracts w wᵀ / A_ii
/// from G. Loops that do not enclose one another cost O(n), and so do ladders, whose assemblies have few loops open at
/// a time. A loop that stays open costs a column on its way. Rows between trees are solved as one dense problem at the
/// root.
///
/// Rank. A row is closed in an assembly that responds to it well: A_ii after the other rows is not below 10⁻³ of
/// before. If the assembly neither responds at all nor passes anything on (p, w), the row is redundant, and is named.
/// Otherwise it waits, since the mechanism may respond further on. At the root the remaining rows are eliminated,
/// largest first, while more than 10⁻⁹ is left; the rest is redundant. Redundant rows get λ = 0. Their demand should be
/// met without them, and `inconsistency` is by how much it is not.
///
/// Source: paper DCA section 4; Featherstone, Int. J. Robotics Research 18(9), 1999, part 2 (loops). One thread;
/// allocates.
class LoopAssembly {
 public:
  explicit LoopAssembly(const Model& model, const AssemblyOptions& options = {});

  /// Needs forward_kinematics. Overwrites U and D⁻¹ of the workspace with those of runs by themselves, which serve no
  /// other function. extra: nv entries or none.
  void assemble(const Model& model, const VectorX& extra, const VectorX& b, const std::vector<LoopRow>& rows,
                DynamicsWorkspace& workspace);

  /// Rows kept, by their number in `rows`; A and y in this order.
  const std::vector<int>& contacts() const { return contacts_; }
  const MatrixX& matrix() const { return A_; }
  const VectorX& free_motion() const { return y_; }

  /// Rows that depend on others, in ascending order. The inconsistency is the largest |J_i x − target_i| among them if
  /// λ of the contacts is zero.
  const std::vector<int>& redundant() const { return redundant_; }
  double inconsistency() const { return inconsistency_; }
  /// Most columns that an assembly had, the one of b included.
  int most_columns() const { return most_columns_; }

  /// x and the λ of all rows, from those of the contacts (in the order of contacts(); zero for no entries).
  void disassemble(const Model& model, const VectorX& contact_lambda, DynamicsWorkspace& workspace, VectorX& x,
                   VectorX& lambda);

 private:
  /// The body or coordinate that a row pushes on.
  struct Push {
    int row = 0;
    int body = 0;
    int coordinate = -1;  // −1: the force
    double coefficient = 0;
    Force force;                        // about O of the body; what it needs
    double target = 0, compliance = 0;  // of the row, stored once
  };
  /// A row eliminated: λ = −(A_0 + Σ A_k λ_k − pᵀ a_in + wᵀ f_out) / diagonal over the columns that were left.
  struct Closed {
    int row = 0;
    double diagonal = 1;
    Vec6 p, w;
    std::vector<int> rows;  // of the columns
    VectorX A;              // by column, the first being that of b
  };
  /// Columns of an assembly: first that of b, then one for each open row.
  struct Columns {
    std::vector<int> rows;      // ascending
    std::vector<int> ends;      // by row: pushes inside
    std::vector<double> scale;  // by row: largest A_ii so far
    Eigen::Matrix<double, 6, Eigen::Dynamic> p, w;
    MatrixX A;  // A(0, 0) means nothing
    int count() const { return static_cast<int>(rows.size()) + 1; }
    int find(int row) const;  // the column, or −1
    void start(std::vector<int>& unsorted_rows);
    void meet(int row, int more_ends, double other_scale);
    void widen_scales();
    void drop(int column);
  };
  struct Part {
    Mat6 P, Psi, G, F;
    Mat6 K, N, P_B;  // of a join
    Columns columns;
    std::vector<Closed> closed;
  };

  void list_pushes(const Model& model, const DynamicsWorkspace& workspace);
  void eliminate_run(const Model& model, int assembly, const VectorX& extra, DynamicsWorkspace& workspace);
  void open_run(const Model& model, int assembly, const VectorX& b, DynamicsWorkspace& workspace);
  void load_run(int assembly, int row, double factor, const DynamicsWorkspace& workspace, VectorX& x);
  void pass_column(const Model& model, int assembly, int column, const DynamicsWorkspace& workspace);
  void join(int assembly, const DynamicsWorkspace& workspace);
  void close_rows(const Assembly& assembly, bool at_root, Part& part);
  int next_to_close(const Columns& columns, double least) const;
  bool is_complete(const Columns& columns, int column) const;
  void close_root();
  void eliminate_root();
  void close_last(const Closed& closed, const Vec6& a_in, const Vec6& f_out, VectorX& lambda) const;
  void spread_join(int assembly, const DynamicsWorkspace& workspace, const VectorX& lambda);
  void spread_run(const Model& model, int assembly, const VectorX& lambda, DynamicsWorkspace& workspace, VectorX& x);

  AssemblyTree tree_;
  std::vector<int> roots_;  // assemblies that hang on the world
  std::vector<Part> parts_;
  std::vector<Vec6> a_in_, f_out_;  // by assembly
  Part root_;                       // rows that are left when every tree is assembled
  std::vector<LoopRow> rows_;
  std::vector<int> end_count_;   // by row: its pushes
  std::vector<Push> pushes_;     // by run and row
  std::vector<int> push_start_;  // by assembly, of pushes_
  std::vector<Force> load_;      // by body
  VectorX b_;                    // nv
  VectorX work_;                 // nv zeros, between columns
  MatrixX u_, w_;                // of the run at hand: coordinates × columns
  double largest_scale_ = 0;
  std::vector<int> contacts_, redundant_;
  MatrixX A_;
  VectorX y_;
  double inconsistency_ = 0;
  int most_columns_ = 0;
};

}  // namespace carom
