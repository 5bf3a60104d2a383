#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/impact/propagative/normal_impact.h"

namespace carom {

/// Which sequences of resets count as minimal (definition 1 of the paper). In both, every reset is at a contact that is
/// violated at that point, as (7) presupposes.
enum class MinimalReading {
  stops_when_feasible,  ///< no shorter beginning of the sequence is feasible: resets go on only while something is
                        ///< violated. The paper's plots compare these
  no_subsequence,  ///< to the letter: nor does any other proper subsequence, itself of resets at violated contacts,
                   ///< reach a feasible momentum
};

struct OutcomeOptions {
  MinimalReading reading = MinimalReading::stops_when_feasible;
  double feasible_tolerance = 1e-9;   ///< relative to NormalImpact::scale()
  double distinct_tolerance = 1e-10;  ///< momenta whose ⟨p, n_i⟩ all differ by less are one; relative to the same
  int max_momenta = 100000;           ///< distinct momenta visited (stops_when_feasible); of no_subsequence those of
                                      ///< every sequence and its subsequences, which are some fifty times as fast
  double kinetic_energy = 0;          ///< of the whole system before the impact, J; 0: NormalImpact::reachable_energy()
};

/// One momentum after the impact, and the sequences that lead to it.
struct ReachedOutcome : NormalOutcome {
  std::vector<int> sequence;  ///< a shortest one; of these the first in the order of the contacts
  double sequences = 0;       ///< how many lead here; exact below 2⁵³, infinite if there is no end of them
  int shortest = 0;           ///< resets
  double longest = 0;         ///< resets; infinite if there is no end of sequences
};

struct OutcomeSet {
  std::vector<ReachedOutcome> outcomes;  ///< in the order of shortest
  bool cut = false;      ///< the budget ended the search: these are at least outcomes.size(), their counts lower bounds
  bool endless = false;  ///< resets return to an earlier momentum: some orders never end
  double sequences = 0;  ///< over all outcomes
  int shortest = 0;
  double longest = 0;
  int momenta = 0;           ///< visited, as OutcomeOptions::max_momenta counts them
  double diameter = 0;       ///< largest ‖p_a − p_b‖ of two outcomes in the kinetic metric, √J
  double indeterminacy = 0;  ///< diameter / √(2 E), E the kinetic energy before: 0 to 2
};

/// The outcomes of all minimal sequences of elastic resets.
///
/// Sequences that lead to the same momentum have the same future, so `stops_when_feasible` visits every momentum once.
/// Momenta are the nodes of a graph and resets its edges, followed breadth first. With a common opening direction c the
/// graph has no cycle, as ⟨p, c⟩ grows with every reset. Numbers and lengths of the paths to each node are then sums
/// over it, however many the paths are.
///
/// The reading `no_subsequence` depends on the way, so it follows each sequence, with the set of momenta that its
/// proper subsequences reach. It drops the sequence as soon as one of these is feasible or equal to the sequence's own
/// momentum.
///
/// If the budget ends the first reading's search, every way out of the graph so far is followed once, deepest violation
/// first. All these ways share max_momenta resets. The shortest sequence is then that of those followed.
///
/// A momentum that is feasible already is the one outcome, by the empty sequence. No outcome and not cut: there is
/// none. Cost: momenta · k² and the logarithm of momenta; the diameter, outcomes² k.
[[nodiscard]] OutcomeSet outcome_set(const NormalImpact& impact, const OutcomeOptions& options = {});

}  // namespace carom
