#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "carom/complementarity/islands.h"
#include "carom/complementarity/linear/secant_steps.h"
#include "carom/impact/energetic_flow.h"
#include "carom/impact/impact_rows.h"
#include "carom/impact/plastic.h"

namespace carom {

/// Options of solving an energetic impact.
struct StrongeOptions {
  EndLawOptions phases;       ///< the complementarity problems of several contacts
  EnergeticFlowOptions flow;  ///< of one contact with friction
  int max_expansions = 60;    ///< solved in search of the owed work; then the impact ends with what gains no energy
  double work = 1e-6;         ///< to which the owed work is met, relative to the largest owed
};

/// Energetic restitution (Stronge 1990): the work that the normal impulse of a contact gives back is e² of what it
/// took,
///
///     W_expansion = −e² W_compression,   W = ∫ u_n dp_n                                                        (1)
///
/// e of the surface at the approach speed before the impact.
///
/// One contact in its island (islands.h): bilateral rows are eliminated, and the impact is followed along its impulse
/// (Darboux 1880, Keller 1986). While the contact slides, dp_t = −μ dp_n u_t / ‖u_t‖. The path goes through rest,
/// sticking and reversal of the slip and through jams, until (1) holds. Straight parts are in closed form. Slip that
/// turns is integrated to options.flow.accuracy (energetic_flow.h), so that velocities are right to 1e-10 of the
/// largest. Without friction, p_n = (1 + e) s / A_nn at once. The law is defined for every e and never gains energy.
///
/// Several contacts: (1) alone says nothing of how contacts share an impulse, and the literature has no agreed
/// extension. In Carom's, the plastic complementarity problem compresses all at once, to p₁, u₁. Each is then owed κ_i
/// p₁,n,i in a second problem (as Poisson's, friction within its own cone). The κ_i ≥ 0 are such that over straight
/// paths
///
///     ½ (u₁ + u⁺)_n p₂,n = −e² ½ (u + u₁)_n p₁,n                                                               (2)
///
/// contact by contact. They are found from κ = e by scaling, κ ← κ √(owed / given back), with secant steps on ln κ. A
/// contact that the others push beyond what it is owed may give back more. Without friction and with one e, κ = e
/// exactly and the law is Poisson's. It may be that (2) has no solution within the budget, or that the whole would gain
/// energy. The latter is possible with friction, as straight paths hide reversals. Then all κ are set to e again and
/// reduced by one factor until nothing is gained: status budget, and (2) is not met. A contact that took no work is
/// owed nothing. Contacts are compressed together whatever their stiffness: a row of balls moves off as one body. The
/// law for that case is in lzb.h.
class StrongeLaw {
 public:
  /// impulse and velocity: k, p and u + A p. Throws as check_sizes (impact_rows.h). Keeps its buffers.
  [[nodiscard]] ImpactOutcome solve(const ImpactProblem& problem, const StrongeOptions& options,
                                    Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity);

 private:
  using Vector = Eigen::Map<Eigen::VectorXd>;
  ImpactOutcome solve_island(const ImpactProblem& problem, const StrongeOptions& options,
                             Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity);
  ImpactOutcome solve_one(const ImpactProblem& problem, const StrongeOptions& options,
                          Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity);
  ImpactOutcome solve_several(const ImpactProblem& problem, const StrongeOptions& options,
                              Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity);
  bool prepare_expansion(const ImpactProblem& problem);
  bool expand(const ImpactProblem& problem, const StrongeOptions& options, double share,
              Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity, ImpactOutcome& outcome);
  double compare();
  void rescale(double weight);
  bool meet_owed_work(const ImpactProblem& problem, const StrongeOptions& options, double scale,
                      Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity,
                      ImpactOutcome& outcome);

  Islands islands_;
  IslandProblem island_;
  EnergeticFlow flow_;
  PlasticLaw plastic_;
  ContactSolver solver_;
  ImpactRows rows_;
  std::vector<ImpactSurface> surfaces_;
  std::vector<Block> blocks_;
  std::vector<double> owed_;  // κ per block
  std::vector<char> pushed_;
  std::vector<double> target_, met_;  // e² |W_compression| and W_expansion per block, J
  std::optional<SecantSteps> secant_;
  Eigen::VectorXd ratio_, scaled_;         // per block: ½ ln(W_expansion / owed), and weighted
  Eigen::VectorXd log_share_, after_log_;  // ln κ before and after a step
  std::vector<double> best_, too_much_;    // κ that missed least; the last by which a contact gave too much
  std::vector<double> first_, middle_, second_, after_, part_, part_velocity_;
};

}  // namespace carom
