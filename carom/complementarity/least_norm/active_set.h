#pragma once

#include <Eigen/Core>
#include <string>

#include "carom/complementarity/least_norm/labelled_system.h"

namespace carom {

/// Status in which a labelling ended.
enum class LabelStatus {
  admissible,    ///< all conditions of table 1 hold
  approaching,   ///< all but one: a block that was dropped approaches (in PLUS it is due in the next round)
  pushing,       ///< friction of a slipping block pushes along its slip
  violated,      ///< an impulse pulls or leaves its cone
  inconsistent,  ///< the rows contradict each other (as where a sliding contact jams)
};
std::string label_status_name(LabelStatus status);

/// Tolerances of LabelViolation's numbers.
struct LabelTolerance {
  double residual = 1e-8;
  double impulse = 1e-9;
  double velocity = 1e-8;
};

/// The worst that `violation` shows, in the order of the enumeration.
LabelStatus judge(const LabelViolation& violation, const LabelTolerance& tolerance);

/// Directions of friction where slip begins within the interval. The default keeps the direction that it is given. A
/// law may want friction to oppose the slip at the interval's end (Uchida et al., eq. 2.9). It then derives from this
/// class, turns the directions of slipping blocks by relabel(), which does not factor anew, and solves until they
/// agree.
class SlipRule {
 public:
  virtual ~SlipRule() = default;

  /// s of a rolling block that leaves its cone: opposite its rolling impulse; zero if that is zero.
  virtual Eigen::Vector2d direction(const LabelledSystem& system, int block);

  /// Solves for the present labels; may turn the slip of slipping blocks, and nothing else.
  virtual LabelledSolution solve(LabelledSystem& system) { return system.solve(); }

  /// True if solve() may turn slips: then only the labels of other blocks bound a search.
  virtual bool turns() const { return false; }
};

struct PruneOptions {
  LabelTolerance tolerance;
  double tie = 1e-8;  ///< violations within it of the worst, relative, are pruned together
};

struct PruneResult {
  LabelStatus status = LabelStatus::admissible;
  LabelledSolution solution;
  LabelViolation violation;
  int solves = 0;
};

/// The active set by pruning (Uchida, Sherman and Delp 2015, section 3b and algorithm 1). The first solve is with the
/// system's labels. Then the largest violation, in N s, of a rolling block's cone or of an active normal's sign is
/// removed. A rolling block then begins to slip; any other is opened. This repeats until nothing is violated. The set
/// only shrinks, so there are at most twice as many solves as blocks, and one. Exact ties go together, so that equal
/// contacts stay equal.
///
/// The answer is left in the system: labels, impulse, velocity. It need not be admissible, as velocities of opened
/// blocks are not checked on the way. Nor need it be of least norm among admissible ones: see ActiveSetSearch, and
/// LeastNormBound for larger problems.
[[nodiscard]] PruneResult prune_active_set(LabelledSystem& system, SlipRule& rule, const PruneOptions& options = {});

}  // namespace carom
