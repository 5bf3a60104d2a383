#pragma once

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "carom/complementarity/contact_problem.h"
#include "carom/complementarity/linear/complete_orthogonal.h"

namespace carom {

/// Assumed state of a block's normal.
enum class NormalState {
  active,  ///< A_z p = −(u_z + offset): compressing; also every bilateral row, which may pull
  open,    ///< p = 0, and the block must not approach: compressing, but without need for an impulse
  given,   ///< p_z is known: expanding
  absent,  ///< p = 0, and nothing else is asked: observing
  free,    ///< not decided yet: p_z unknown, nothing asked
};

/// Assumed state of the tangent rows of a cone while its normal is active or given.
enum class TangentState {
  rolling,   ///< A_xy p = −u_xy, p_xy in the friction cone
  sliding,   ///< p_xy = −p_z M s with s the direction of a known slip; that it may turn meanwhile is not judged
  slipping,  ///< the same, but slip begins within the interval: friction must not push at its end, p_xy · u_xy⁺ ≤ 0
  free,      ///< not decided yet: p_xy unknown, nothing asked
};

/// State of one block.
struct BlockLabel {
  NormalState normal = NormalState::active;
  TangentState tangent = TangentState::rolling;  ///< of cones
  Eigen::Vector2d slip = Eigen::Vector2d::Zero();  ///< s = M u / ‖M u‖ of the slip u, M = diag(μ_x, μ_y); ‖s‖ ≤ 1
  double given = 0;                                ///< p_z of a given normal, N s
};

/// The least-norm solution of a labelling.
struct LabelledSolution {
  double norm = 0;      ///< √(Σ p_i² / k_i), k the stiffnesses
  double residual = 0;  ///< of the rows asked for, relative to the terms on their right
  int rank = 0;
};

/// Violation of what a solution's labels ask. Impulses are relative to the largest, velocities to the
/// largest of |u_i + offset_i| before (1 where that is zero).
struct LabelViolation {
  double residual = 0;  ///< of the equations: no impulse satisfies them exactly if above round-off
  double impulse = 0;   ///< pulling normals, and rolling beyond the cone
  double approach = 0;  ///< of open blocks
  double pushing = 0;   ///< friction along the slip at the end, of slipping blocks: (p_xy · u_xy⁺)₊
};

/// The equations of contact for one assumed state of every block, and their solution of least norm. Source: Uchida,
/// Sherman and Delp 2015, table 1 and eqs. 2.10, 2.11 (B π = w).
///
///     minimize Σ p_i² / k_i   subject to the rows that the labels ask for (see NormalState, TangentState)
///
/// u⁺ = u + A p. A: k × k; u: k; k_i > 0: stiffness per row (their ratios matter; all equal: plain norm). Impulses of
/// sliding friction and known normals are eliminated. So the matrix B has a row per velocity that is asked for and a
/// column per free impulse. That of a sliding block is A_z − μ_x s_x A_x − μ_y s_y A_y, weighted by the length of (−M
/// s, 1). The norm minimized is still that of all of p. Rows are scaled by the mean diagonal of their block. That
/// matters only where the equations contradict each other: the least residual is then taken, and the scaling weighs its
/// rows.
///
/// A changed label becomes edits of the factorization if the system is large enough for that to pay. These are at most
/// 3 rows and 4 columns; a new direction of slip is one column. Otherwise B is factored anew. Equal contacts get equal
/// impulses, to round-off. Blocks: bilateral, unilateral and cone; an axis without friction never rolls.
///
/// Cost: O(k²) to bind, O(k³) for the first solve, O(k²) for later ones. Nothing is allocated in problems no larger
/// than one before.
class LabelledSystem {
 public:
  /// Makes room for any problem of so many blocks and rows.
  void reserve(int blocks, int rows);

  /// Copies the problem. stiffness: k or empty. Throws carom::Error for kinds of blocks that it does not know and for
  /// stiffnesses that are not positive. It also throws for a floor, which is a given normal here.
  void bind(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Eigen::VectorXd>& u,
            std::span<const Block> blocks, std::span<const double> stiffness = {});

  /// Other velocities u (k) with everything else as bound, labels and factors included. The scale of velocities
  /// (LabelViolation) stays that of bind(): towards its end an impact must not be judged by its round-off.
  void set_velocity(const Eigen::Ref<const Eigen::VectorXd>& u);

  /// Labels of all blocks.
  void set_labels(std::span<const BlockLabel> labels);
  void relabel(int block, const BlockLabel& label);
  std::span<const BlockLabel> labels() const { return labels_; }

  LabelledSolution solve();

  /// Result of the last solve: p and u + A p, k each.
  Eigen::Map<const Eigen::VectorXd> impulse() const { return {impulse_.data(), size_}; }
  Eigen::Map<const Eigen::VectorXd> velocity() const { return {velocity_.data(), size_}; }

  /// Derivatives of impulse and velocity (k each) of the last solve as the slip s of an acting sliding or slipping
  /// block moves along `change`. The rank is assumed to stay. With x = B⁺ w, x' = B⁺ (w' − B' x) + (I − B⁺ B) B'ᵀ (B⁺)ᵀ
  /// x (Golub and Pereyra, SIAM J. Numer. Anal. 10, 1973). O(k²).
  void turn(int block, const Eigen::Vector2d& change, Eigen::Ref<Eigen::VectorXd> impulse_rate,
            Eigen::Ref<Eigen::VectorXd> velocity_rate);

  LabelViolation violation() const;
  /// In N s: −p_z of an active normal, or ‖M⁻¹ p_xy‖ μ − μ p_z of a rolling cone, with μ the larger semi-axis. If both
  /// apply, the larger counts. It is 0 or less where nothing is violated, and 0 for other blocks.
  double impulse_violation(int block) const;

  std::span<const Block> blocks() const { return blocks_; }
  Eigen::Map<const Eigen::MatrixXd> A() const { return {A_.data(), size_, size_}; }
  Eigen::Map<const Eigen::VectorXd> u() const { return {u_.data(), size_}; }
  std::span<const double> stiffness() const { return stiffness_; }

  /// Rows of B from which on edits are used instead of a new factorization. The default is where they begin to be
  /// faster.
  void set_update_from(int rows) { update_from_ = rows; }
  int refactorizations() const { return factors_.refactorizations(); }

 private:
  /// Layout of one block: rows that are asked for, and columns that are unknown, by component (x, y, z, or 0).
  struct Layout {
    std::array<bool, 3> row{}, column{};
    bool combined = false;  // the last column carries friction along
  };
  struct Unknown {
    int block = 0, component = 0;
    double scale = 1;  // impulse per entry of the scaled unknown
  };

  Layout layout(int block, const BlockLabel& label) const;
  bool rubs(int block, int axis) const { return blocks_[block].friction[axis] > 0; }
  const double* a(int column) const { return A_.data() + static_cast<std::ptrdiff_t>(column) * size_; }
  void fill_column(const Unknown& unknown);
  void fill_row(int row);
  double entry(int row, const Unknown& unknown) const;
  Unknown unknown(int block, int component) const;
  void factorize();
  void edit(int block, const Layout& before, const Layout& after, bool turned);
  void turn_column(int column, double compliance_rate, Eigen::Ref<Eigen::VectorXd> impulse_rate);

  int size_ = 0;
  int update_from_ = 22;
  bool factored_ = false;
  double speed_ = 1;     // largest |u_i + offset_i|
  double residual_ = 0;  // of the last solve
  std::vector<Block> blocks_;
  std::vector<double> A_, u_, offset_, stiffness_, row_scale_, impulse_, velocity_, right_, unknown_, buffer_, rate_,
      multipliers_;
  std::vector<BlockLabel> labels_;
  std::vector<int> rows_;
  std::vector<Unknown> columns_;
  Eigen::MatrixXd B_;
  CompleteOrthogonal factors_;
};

}  // namespace carom
