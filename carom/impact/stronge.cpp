#include "carom/impact/stronge.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {
namespace {

/// Grows, never shrinks.
Eigen::Map<Eigen::VectorXd> vector_of(std::vector<double>& buffer, Eigen::Index size) {
  if (static_cast<Eigen::Index>(buffer.size()) < size) buffer.resize(size);
  return {buffer.data(), size};
}

void add(const ImpactOutcome& part, ImpactOutcome& whole) {
  whole.status = std::max(whole.status, part.status);
  whole.rounds = std::max(whole.rounds, part.rounds);
  whole.intervals += part.intervals;
  whole.jams += part.jams;
}

constexpr int halvings = 20;
constexpr double beyond = 1.1;
constexpr int patience = 12;  // expansions without half of what was missed before
constexpr double round_off = 1e-9;
constexpr double energy_round_off = 1e-13;

}  // namespace

ImpactOutcome StrongeLaw::solve(const ImpactProblem& problem, const StrongeOptions& options,
                                Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
  check_sizes(problem);
  const ContactProblem whole{problem.A, problem.u, problem.blocks};
  islands_.find(whole);
  if (islands_.count() == 1) {
    ImpactOutcome outcome = solve_island(problem, options, impulse, velocity);
    measure(problem, impulse, velocity, outcome);
    return outcome;
  }
  ImpactOutcome outcome;
  for (int i = 0; i < islands_.count(); ++i) {
    island_.copy(whole, islands_, i);
    surfaces_.clear();
    for (const int block : islands_.blocks(i)) surfaces_.push_back(problem.surfaces[block]);
    const ContactProblem own = island_.problem();
    Vector p = vector_of(part_, own.u.size()), after = vector_of(part_velocity_, own.u.size());
    add(solve_island({own.A, own.u, own.blocks, surfaces_, problem.stop}, options, p, after), outcome);
    const auto rows = islands_.rows(i);
    for (std::size_t r = 0; r < rows.size(); ++r) impulse(rows[r]) = p(static_cast<Eigen::Index>(r));
  }
  problem.A.multiply(impulse, velocity);
  velocity += problem.u;
  measure(problem, impulse, velocity, outcome);
  return outcome;
}

ImpactOutcome StrongeLaw::solve_island(const ImpactProblem& problem, const StrongeOptions& options,
                                       Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
  const auto contacts = std::count_if(problem.blocks.begin(), problem.blocks.end(),
                                      [](const Block& block) { return block.kind != BlockKind::bilateral; });
  return contacts == 1 ? solve_one(problem, options, impulse, velocity)
                       : solve_several(problem, options, impulse, velocity);
}

ImpactOutcome StrongeLaw::solve_one(const ImpactProblem& problem, const StrongeOptions& options,
                                    Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
  rows_.gather(problem);
  const ImpactRows::Contact& contact = rows_.list().front();
  const double s = std::max(0.0, -rows_.velocity()[0]), a = rows_.matrix()[0];
  const double e = std::clamp(problem.surfaces[contact.block].restitution.at(s), 0.0, 1.0);
  ImpactOutcome outcome;
  outcome.rounds = outcome.intervals = 1;
  double P[3] = {0, 0, 0};
  EnergeticFlowEnd end = EnergeticFlowEnd::parted;
  if (s > 0 && !(a > 0)) {
    end = EnergeticFlowEnd::wedged;
  } else if (s > 0 && contact.tangent < 0) {
    P[0] = (1 + e) * s / a;
  } else if (s > 0) {
    end = flow_.solve(rows_.matrix(), rows_.velocity(), e, options.flow, P, outcome.intervals);
    rows_.balance_energy(false, P);
  }
  if (end == EnergeticFlowEnd::parted) {
    rows_.scatter(problem, P, impulse, velocity);
    return outcome;
  }
  const ImpactOutcome plastic = plastic_.solve(problem, options.phases, impulse, velocity);
  outcome.status = std::max(plastic.status, ImpactStatus::budget);
  return outcome;
}

/// Blocks of the second problem and what each is owed, from the first. False if nothing is.
bool StrongeLaw::prepare_expansion(const ImpactProblem& problem) {
  plain_blocks(problem, blocks_);
  owed_.assign(blocks_.size(), 0.0);
  target_.assign(blocks_.size(), 0.0);
  met_.assign(blocks_.size(), 0.0);
  pushed_.assign(blocks_.size(), 0);
  bool any = false;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (blocks_[b].kind == BlockKind::bilateral) continue;
    const int n = blocks_[b].normal_row();
    const double s = std::max(0.0, -problem.u(n));
    const double e = std::clamp(problem.surfaces[b].restitution.at(s), 0.0, 1.0);
    const double work = 0.5 * (problem.u(n) + middle_[n]) * first_[n];
    if (!(work < 0) || e == 0) continue;
    owed_[b] = e;
    target_[b] = -e * e * work;
    any = true;
  }
  return any;
}

/// The whole impact with `share` of what is owed. False if its problem was not solved.
bool StrongeLaw::expand(const ImpactProblem& problem, const StrongeOptions& options, double share,
                        Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity,
                        ImpactOutcome& outcome) {
  const Eigen::Index k = problem.u.size();
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    blocks_[b].floor = share * owed_[b] * first_[blocks_[b].normal_row()];
  Vector first = vector_of(first_, k), middle = vector_of(middle_, k), second = vector_of(second_, k);
  Vector after = vector_of(after_, k);
  ContactOptions contact = options.phases.contact;
  contact.stop = problem.stop;
  const ContactSolution solution = solver_.solve({problem.A, middle, blocks_}, contact, {}, second, after);
  ++outcome.intervals;
  impulse = first + second;
  problem.A.multiply(impulse, velocity);
  velocity += problem.u;
  measure(problem, impulse, velocity, outcome);
  outcome.status = status_of(solution, outcome);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const int n = blocks_[b].normal_row();
    met_[b] = 0.5 * (middle(n) + velocity(n)) * second(n);
    // Pushed by others beyond what it is owed: it may give back more than its share.
    pushed_[b] = second(n) > blocks_[b].floor * (1 + round_off) && met_[b] >= target_[b];
  }
  return outcome.status == ImpactStatus::resolved;
}

/// κ ← κ √(owed work / work): how far off the worst was, relative to the largest owed work; 0 if within tolerance.
double StrongeLaw::rescale(double tolerance) {
  const double largest = *std::max_element(target_.begin(), target_.end());
  double worst = 0;
  for (std::size_t b = 0; b < target_.size(); ++b) {
    if (target_[b] > 0 && !pushed_[b]) worst = std::max(worst, std::abs(met_[b] - target_[b]) / largest);
  }
  if (worst <= tolerance) return 0;
  for (std::size_t b = 0; b < target_.size(); ++b) {
    if (!(target_[b] > 0) || pushed_[b]) continue;
    if (met_[b] > 0) {
      owed_[b] *= std::clamp(std::sqrt(target_[b] / met_[b]), 0.5, 2.0);
    } else {  // held at rest by what the others push: it rebounds only beyond that
      const int n = blocks_[b].normal_row();
      owed_[b] = beyond * std::max(owed_[b], second_[n] / first_[n]);
    }
  }
  return worst;
}

ImpactOutcome StrongeLaw::solve_several(const ImpactProblem& problem, const StrongeOptions& options,
                                        Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
  const Eigen::Index k = problem.u.size();
  Vector first = vector_of(first_, k), middle = vector_of(middle_, k);
  vector_of(second_, k);
  vector_of(after_, k);
  ImpactOutcome outcome = plastic_.solve(problem, options.phases, first, middle);
  impulse = first;
  velocity = middle;
  if (outcome.status != ImpactStatus::resolved || !prepare_expansion(problem)) return outcome;
  outcome.rounds = 2;
  const double scale = energy_round_off * 0.5 * (problem.u.cwiseAbs() + middle.cwiseAbs()).dot(first.cwiseAbs());
  bool met = false;
  double best = std::numeric_limits<double>::infinity();
  int stalled = 0;
  for (int i = 0; i < options.max_expansions && !met && stalled < patience; ++i) {
    if (!expand(problem, options, 1, impulse, velocity, outcome)) break;
    const double missed = rescale(options.work);
    met = missed == 0;
    stalled = missed < 0.5 * best ? 0 : stalled + 1;
    best = std::min(best, missed);
  }
  if (met && outcome.energy_change <= scale) return outcome;

  // The largest share of what is owed that gains nothing; none of it gains nothing for sure. κ = e to begin with.
  prepare_expansion(problem);
  double low = 0, high = 1;
  bool solved = expand(problem, options, 1, impulse, velocity, outcome);
  if (!solved || outcome.energy_change > scale) {
    for (int i = 0; i < halvings; ++i) {
      const double share = 0.5 * (low + high);
      solved = expand(problem, options, share, impulse, velocity, outcome);
      (solved && outcome.energy_change <= scale ? low : high) = share;
    }
    if (!expand(problem, options, low, impulse, velocity, outcome)) return outcome;
  }
  outcome.status = ImpactStatus::budget;
  return outcome;
}

}  // namespace carom
