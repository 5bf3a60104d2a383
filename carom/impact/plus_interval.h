#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/least_norm/active_set_search.h"
#include "carom/complementarity/least_norm/least_norm_bound.h"
#include "carom/impact/impact_problem.h"
#include "carom/impact/impending_slip.h"
#include "carom/impact/path_slip.h"
#include "carom/impact/plus_options.h"

namespace carom {

/// One interval of the PLUS law (Uchida, Sherman and Delp 2015, algorithm 1). It finds which contacts push, roll, begin
/// to slip or slide. It finds the impulse of least norm that carries all of them to the end of the round if nothing
/// changes on the way. The interval ends after the part α of this impulse, where something does change.
class PlusInterval {
 public:
  /// Bilateral rows keep their offset; other offsets and floors belong to laws of other kinds and are dropped. The
  /// `speed` is that of the impact, the largest of a block.
  void bind(const ImpactProblem& problem, const PlusOptions& options, double speed);
  void reserve(int blocks, int rows);

  /// Nothing is taken over from the intervals before.
  void begin_round() { turn_ = options_->largest_turn; }

  /// From velocities u (k). roles and owed (impulse of expanding contacts, N s): one per block. impulse_scale: norm of
  /// the impulse so far, N s.
  void take(std::span<const PlusRole> roles, std::span<const double> owed, const Eigen::Ref<const Eigen::VectorXd>& u,
            double impulse_scale);

  // Results of the last interval.
  double alpha() const { return alpha_; }
  bool jammed() const { return jammed_; }
  int stopped() const { return stopped_; }  ///< contacts whose slip a tangential impact brought to rest
  LabelStatus status() const { return status_; }
  Optimality optimality() const { return gap_.optimality; }
  double excess() const { return gap_.excess; }
  /// To the end of the round; the interval's is α times this.
  Eigen::Map<const Eigen::VectorXd> impulse() const { return system_.impulse(); }
  PlusMotion motion(int block) const;

  Eigen::Map<const Eigen::MatrixXd> A() const { return system_.A(); }

 private:
  void label(std::span<const PlusRole> roles, std::span<const double> owed);
  void choose_active_set();
  void judge_optimality();
  bool jam(std::span<const PlusRole> roles);
  double stopping_impulse(int block, const BlockLabel& pushed);
  void run_second_order(double impulse_scale);
  void average_slip(double impulse_scale);
  void oppose_start();
  double reach() const;
  double step_length(double largest_turn, double least) const;
  bool acts(int block) const;
  bool slides(int block) const { return acts(block) && system_.labels()[block].tangent == TangentState::sliding; }
  Eigen::Vector2d slip(int block, const double* u) const;

  const PlusOptions* options_ = nullptr;
  double speed_ = 0;
  double transition_ = 0;      // slip below it may roll
  double impact_impulse_ = 0;  // the largest that would stop one contact by itself
  double turn_ = 0;            // allowed to the next interval of the round
  double alpha_ = 1;
  bool jammed_ = false;
  int stopped_ = 0;
  LabelStatus status_ = LabelStatus::admissible;
  OptimalityGap gap_;
  LabelledSystem system_;
  ImpendingSlip rule_;
  PathSlip path_;
  ActiveSetSearch search_;
  LeastNormBound bound_;
  NormDual dual_;
  std::vector<std::vector<BlockLabel>> choices_;
  std::vector<Block> blocks_;
  std::vector<BlockLabel> start_, found_;
  std::vector<int> jamming_, sliding_;
  std::vector<double> matrix_, stiffness_, previous_, push_;
};

}  // namespace carom
