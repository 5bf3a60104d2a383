#pragma once

#include <span>
#include <vector>

#include "carom/complementarity/least_norm/active_set.h"
#include "carom/complementarity/least_norm/least_norm_bound.h"

namespace carom {

/// Layouts of the intervals of sliding along the impulse.
enum class PlusIntervals {
  direction_change,  ///< Uchida, Sherman and Delp 2015, eqs. 2.13 and 2.14: friction opposes the slip at the interval's
                     ///< start, and the interval ends where the slip has turned by `direction_change`. First order in
                     ///< it
  second_order,      ///< friction is averaged over the slip's way through the interval, of second order and better, and
                     ///< the interval's length is controlled by the error of the impulse
};

struct PlusOptions {
  PlusIntervals intervals = PlusIntervals::second_order;
  double transition_speed = 1e-4;   ///< v_transition: slip below it rolls if friction can hold it, m/s
  double direction_change = 0.01;   ///< θ_max of the paper's rule, rad
  double shortest_interval = 1e-3;  ///< α_min of the paper's rule, as a part of what is left of the round
  double path_tolerance = 1e-4;  ///< second order: error of the impulse in one interval, relative to the largest so far
  double largest_turn = 0.6;     ///< second order: of any slip in one interval, rad
  int interval_limit = 2000;     ///< per round, which then ends as it is; what it still owed goes to the next

  double approach_tolerance = 1e-7;  ///< slower approach counts as none, relative to the largest ‖u‖ of a block
  bool energy_limit = true;  ///< the expansion of a round is scaled to the largest factor up to 1 for which the impact
                             ///< has gained no energy at the round's end
  int round_budget = 0;      ///< rounds before the impact is ended without restitution; 0: 10 k + 20 for k contacts
  bool compress_observers = false;  ///< all contacts that do not expand compress together: row C of the paper's figure
                                    ///< 14, which shows why not to

  bool exhaustive = false;    ///< try all active sets of an interval and take that of least norm (see ActiveSetSearch)
  long search_limit = 20000;  ///< labels tried there per interval; if cut or fruitless, the pruned set stands
  bool weigh_by_stiffness = false;  ///< minimize Σ p² / K (ImpactSurface::stiffness) instead of Σ p²
  bool judge_optimality = false;  ///< ask of every interval whether its active set has the least norm (PlusOptimality)

  /// A relative violation of a cone or a sign below `tolerance.impulse` is none. Violations within `tie` of the worst
  /// are pruned with it. So contacts that differ by less than the data are known stay alike.
  PruneOptions prune{{1e-8, 1e-9, 1e-8}, 1e-6};

  /// The law as its authors ran it (table A1), with nothing added: no energy limit.
  static PlusOptions paper() {
    PlusOptions options;
    options.intervals = PlusIntervals::direction_change;
    options.transition_speed = 0.1;
    options.interval_limit = 100000;
    options.energy_limit = false;
    return options;
  }
};

/// Role of a contact throughout a round.
enum class PlusRole {
  observing,    ///< does not approach and owes nothing: no impulse
  compressing,  ///< is stopped
  expanding,    ///< pays back what it took in compression, times its restitution
  holding,      ///< a bilateral row
};

/// Motion of a contact within an interval.
enum class PlusMotion {
  idle,      ///< no impulse
  pushing,   ///< an impulse without friction, or of a bilateral row
  rolling,   ///< its slip ends
  slipping,  ///< impending slip: friction opposes the slip at the interval's end
  sliding,   ///< friction opposes the slip that there is
};

/// Number of intervals whose active sets were of least norm, as far as bounds or searches told.
struct PlusOptimality {
  int optimal = 0, within = 0, unknown = 0;
  double worst_excess = 0;  ///< of the norm over its proven bound, relative, among `within`
};

/// One interval of an impact.
struct PlusStep {
  int round = 0;                                 ///< from 0
  double alpha = 0;                              ///< length, as a part of what was left of the round
  bool jammed = false;                           ///< a tangential impact: see PlusLaw
  bool ending = false;                           ///< the one that ends an impact whose budget is spent
  LabelStatus status = LabelStatus::admissible;  ///< of its active set
  Optimality optimality = Optimality::unknown;   ///< unknown if not asked for
};

/// All that happened in an impact, interval by interval. Arrays are flat and keep their capacity.
struct PlusTrace {
  int blocks = 0, rows = 0;
  std::vector<PlusStep> steps;
  std::vector<PlusRole> roles;      ///< steps × blocks
  std::vector<PlusMotion> motions;  ///< steps × blocks
  std::vector<double> impulse;      ///< steps × rows: of the interval, N s
  std::vector<double> velocity;     ///< steps × rows: at its end, m/s

  /// Back to its first `count` steps.
  void truncate(std::size_t count) {
    steps.resize(count);
    roles.resize(count * static_cast<std::size_t>(blocks));
    motions.resize(count * static_cast<std::size_t>(blocks));
    impulse.resize(count * static_cast<std::size_t>(rows));
    velocity.resize(count * static_cast<std::size_t>(rows));
  }
  Eigen::Map<const Eigen::VectorXd> impulse_of(std::size_t step) const {
    return {impulse.data() + static_cast<std::ptrdiff_t>(step) * rows, rows};
  }
  Eigen::Map<const Eigen::VectorXd> velocity_after(std::size_t step) const {
    return {velocity.data() + static_cast<std::ptrdiff_t>(step) * rows, rows};
  }
  PlusRole role(std::size_t step, int block) const { return roles[step * static_cast<std::size_t>(blocks) + block]; }
  PlusMotion motion(std::size_t step, int block) const {
    return motions[step * static_cast<std::size_t>(blocks) + block];
  }
};

}  // namespace carom
