#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "carom/complementarity/contact_solver.h"
#include "carom/dynamics/divide_and_conquer/loop_assembly.h"
#include "carom/stepper/hybrid_dca/handle_problem.h"
#include "carom/stepper/method.h"

namespace carom {

/// The contact problem of a step with every bilateral row joined away by divide and conquer (paper DCA, section 4):
///
///     (M + diag(extra)) (v⁺ − v_f) = Jᵀ p,    u⁺ = u_f + J (v⁺ − v_f) + compliance p
///
/// with u_f = J v_f, and u⁺ + offset = 0 of the bilateral rows b. LoopAssembly joins the bodies, the paper's (28), and
/// closes rows b on the way. The problem that is left for the other rows c (contacts, limits, ropes, dry friction,
/// servos with a limit) is
///
///     u_c⁺ = u + A p_c                                                    the paper's (30), (35)
///
/// It has as many rows as c however many b has, and needs no inverse of a mass matrix (section 4.2.2). Rows of b that
/// say nothing new get p = 0, and are named.
///
/// Forms of the complementarity problem, for Ξ contacts with η friction directions (ContactForm):
///
///     pure            2 Ξ + Ξ η                           the LCP, or the exact cone
///     handles         12 T + 2 Ξ + Ξ η                    (32): with the velocities of the terminal handles
///     contact_bodies  12 T + 6 B_u + 2 Ξ + Ξ η            (33): and of the B_u bodies that contacts push
///
/// T: trees of joints that contacts touch, 1 in the paper. The terminal handles of a tree are those of its main path
/// (AssemblyTree). They are the body that hangs on the world, and the lowest body, each told about the origin of its
/// inboard joint. A contact without friction, a limit and a rope count 1 instead of 2 + η. A row of dry friction or a
/// servo with a limit counts 2. The size of the pure form is that of the largest island.
///
/// O(n + k² log n) for n bodies and k rows that are kept, loops as in loop_assembly.h. LoopAssembly allocates.
class JoinedProblem {
 public:
  explicit JoinedProblem(const Model& model);

  /// The whole problem.
  struct Posed {
    const std::vector<ConstraintRow>& rows;
    const std::vector<Block>& blocks;
    const VectorX& q;       ///< where it is posed
    const VectorX& v_free;  ///< v_f
    const VectorX& extra;   ///< nv
  };
  /// u_free: u_f of all rows. negligible: by row, speeds that are no larger are round-off, and zero (of rigid ones
  /// without_round_off). Needs forward_kinematics at q in `at`, which stays as it is.
  void assemble(const Model& model, ContactForm form, const Posed& posed, const Eigen::Ref<const VectorX>& u_free,
                std::span<const double> negligible, const DynamicsWorkspace& at);

  /// Speed u of a row that is kept, or zero if it is round-off, that is, no larger than its `negligible`. For a
  /// row that loops hold rigid, A_ii = 0, 10⁻⁹ of the largest speed in u_free is round-off, too.
  double without_round_off(Eigen::Index kept_row, double u) const {
    const double negligible = negligible_[static_cast<std::size_t>(kept_row)];
    return std::abs(u) <= (A_(kept_row, kept_row) > 0 ? negligible : std::max(negligible, rigid_round_off_)) ? 0 : u;
  }

  /// The problem of the rows that are kept. Blocks in the order of the whole problem.
  ContactProblem problem() const { return {A_, u_, blocks_}; }
  /// Rows that are kept, by their number in the whole problem, and the number of each of its blocks.
  const std::vector<int>& kept() const { return kept_; }
  const std::vector<int>& kept_blocks() const { return kept_blocks_; }
  /// Rows that depend on others, ascending, and how far what they demand is not met.
  const std::vector<int>& redundant() const { return loops_.redundant(); }
  double inconsistency() const { return loops_.inconsistency(); }

  /// Solves it in a form that is not pure. warm_start: impulses of the rows that are kept, or empty; impulse and
  /// velocity likewise. The pure form is for ContactSolver.
  [[nodiscard]] ContactSolution solve_handles(const PolyhedralOptions& options, std::span<const double> warm_start,
                                              Eigen::Ref<VectorX> impulse, Eigen::Ref<VectorX> velocity) {
    return handles_.solve(blocks_, options, warm_start, impulse, velocity);
  }

  /// Disassembly, of the model last assembled: velocity += v⁺ − v_f, and impulses of all rows, from those of the rows
  /// that are kept.
  void expand(const Eigen::Ref<const VectorX>& impulse, VectorX& velocity, Eigen::Ref<VectorX> impulse_of_all);

 private:
  void take_rows(const Posed& posed, const Eigen::Ref<const VectorX>& u_free);
  void choose_watched(const Model& model, const Posed& posed);
  void watch(const Model& model, const Posed& posed);
  void pose_handles(const Model& model, const Posed& posed);

  const Model* model_ = nullptr;  // of the last assemble()
  LoopAssembly loops_;
  std::vector<int> terminal_;  // by body that hangs on the world: the lowest body of its main path
  DynamicsWorkspace workspace_;
  ContactForm form_ = ContactForm::pure;
  std::vector<LoopRow> rows_;
  std::vector<int> kept_, kept_blocks_;
  std::vector<Block> blocks_;
  std::vector<int> watched_;  // bodies whose velocities are kept: handles, two for each tree, then others
  MatrixX A_;
  VectorX u_;
  std::vector<double> negligible_;  // speed, by row that is kept
  double rigid_round_off_ = 0;      // speed
  VectorX v_watched_;               // of the bodies watched, at v_f
  HandleProblem handles_;
  VectorX change_, lambda_, kept_lambda_, no_force_;
};

}  // namespace carom
