#include "carom/impact/stronge.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {
namespace {

/// Grows, never shrinks.
Eigen::Map<Eigen::VectorXd> front_of(std::vector<double>& buffer, Eigen::Index size) {
  if (static_cast<Eigen::Index>(buffer.size()) < size) buffer.resize(size);
  return {buffer.data(), size};
}

void add(const ImpactOutcome& part, ImpactOutcome& whole) {
  whole.status = std::max(whole.status, part.status);
  whole.rounds = std::max(whole.rounds, part.rounds);
  whole.intervals += part.intervals;
  whole.jams += part.jams;
}

constexpr int most_halvings = 20;
constexpr double beyond = 1.1;
constexpr int patience = 4, secants = 8;  // expansions that miss no less than one before; differences kept
constexpr double most_change = 0.7;       // of ln κ in one step
constexpr double impulse_round_off = 1e-9;
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
    Vector p = front_of(part_, own.u.size()), after = front_of(part_velocity_, own.u.size());
    add(solve_island({own.A, own.u, own.blocks, surfaces_, problem.stop, problem.rungs}, options, p, after), outcome);
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

/// Sets up the blocks of the second problem and what each is owed, from the first. A debt below round-off of the
/// largest counts as none. False if nothing is owed.
bool StrongeLaw::prepare_expansion(const ImpactProblem& problem) {
  plain_blocks(problem, blocks_);
  owed_.assign(blocks_.size(), 0.0);
  target_.assign(blocks_.size(), 0.0);
  met_.assign(blocks_.size(), 0.0);
  pushed_.assign(blocks_.size(), 0);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (blocks_[b].kind == BlockKind::bilateral) continue;
    const int n = blocks_[b].normal_row();
    const double s = std::max(0.0, -problem.u(n));
    const double e = std::clamp(problem.surfaces[b].restitution.at(s), 0.0, 1.0);
    const double work = 0.5 * (problem.u(n) + middle_[n]) * first_[n];
    if (!(work < 0) || e == 0) continue;
    owed_[b] = e;
    target_[b] = -e * e * work;
  }
  // A contact about which a body turns is pressed without moving: its work is round-off, and so is its rebound.
  const double largest = *std::max_element(target_.begin(), target_.end());
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (target_[b] > impulse_round_off * largest) continue;
    owed_[b] = target_[b] = 0;
  }
  return largest > 0;
}

/// The whole impact with `share` of what is owed. False if its problem was not solved.
bool StrongeLaw::expand(const ImpactProblem& problem, const StrongeOptions& options, double share,
                        Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity,
                        ImpactOutcome& outcome) {
  const Eigen::Index k = problem.u.size();
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    blocks_[b].floor = share * owed_[b] * first_[blocks_[b].normal_row()];
  Vector first = front_of(first_, k), middle = front_of(middle_, k), second = front_of(second_, k);
  Vector after = front_of(after_, k);
  ContactOptions contact = options.phases.contact;
  contact.stop = problem.stop;
  contact.rungs = problem.rungs;
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
    pushed_[b] = second(n) > blocks_[b].floor * (1 + impulse_round_off) && met_[b] >= target_[b];
  }
  return outcome.status == ImpactStatus::resolved;
}

/// Work that was missed by the worst contact, relative to the largest owed.
double StrongeLaw::compare() {
  const double largest = *std::max_element(target_.begin(), target_.end());
  double worst = 0;
  for (std::size_t b = 0; b < target_.size(); ++b) {
    if (target_[b] > 0 && !pushed_[b]) worst = std::max(worst, std::abs(met_[b] - target_[b]) / largest);
  }
  return worst;
}

/// κ ← κ √(owed work / work), with a weight on its logarithm, by the secants of the steps before.
void StrongeLaw::rescale(double weight) {
  bool rests = false;
  for (std::size_t b = 0; b < target_.size(); ++b) {
    const auto i = static_cast<Eigen::Index>(b);
    const bool owes = target_[b] > 0 && !pushed_[b];
    log_share_[i] = owed_[b] > 0 ? std::log(owed_[b]) : 0;
    ratio_[i] = owes && met_[b] > 0 ? 0.5 * std::clamp(std::log(met_[b] / target_[b]), -most_change, most_change) : 0;
    if (owes && met_[b] > target_[b]) too_much_[b] = owed_[b];
    if (!owes || met_[b] > 0) continue;
    // The push of the others keeps it at rest: it rebounds only beyond that, and nothing before tells how much.
    const int n = blocks_[b].normal_row();
    const double least = std::max(owed_[b], second_[n] / first_[n]);
    const double next = too_much_[b] > least ? std::sqrt(least * too_much_[b]) : beyond * least;
    ratio_[i] = log_share_[i] - std::log(next);
    rests = true;
  }
  after_log_ = log_share_;
  if (rests) {  // no residual tells of a contact at rest, so this step is no secant's
    secant_->begin();
    after_log_ -= ratio_;
  } else {
    scaled_ = weight * ratio_;
    secant_->step(scaled_, scaled_, after_log_);
  }
  for (std::size_t b = 0; b < target_.size(); ++b) {
    if (!(target_[b] > 0) || pushed_[b]) continue;
    const auto i = static_cast<Eigen::Index>(b);
    const double most = met_[b] > 0 ? most_change : std::numeric_limits<double>::infinity();
    owed_[b] = std::exp(log_share_[i] + std::clamp(after_log_[i] - log_share_[i], -most, most));
  }
}

/// Looks for the κ of (2), from those in owed_, until the whole gains no energy either. False if it finds none.
bool StrongeLaw::meet_owed_work(const ImpactProblem& problem, const StrongeOptions& options, double scale,
                                Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity,
                                ImpactOutcome& outcome) {
  // Entries beyond the blocks of this impact stay zero, and zeros change no secant.
  if (const auto blocks = static_cast<Eigen::Index>(blocks_.size()); blocks > ratio_.size()) {
    secant_.emplace(static_cast<int>(blocks), secants);
    ratio_.resize(blocks);
    log_share_.resize(blocks);
  }
  ratio_.setZero();
  log_share_.setZero();
  too_much_.assign(blocks_.size(), 0.0);
  secant_->begin();
  const double explained =
      static_cast<double>(blocks_.size()) * *std::max_element(target_.begin(), target_.end());  // gain of works missed
  double best = std::numeric_limits<double>::infinity(), weight = 1;
  int worse = 0;
  for (int i = 0; i < options.max_expansions; ++i) {
    if (!expand(problem, options, 1, impulse, velocity, outcome)) return false;
    const double missed = compare();
    if (missed <= options.work && outcome.energy_change <= scale) return true;
    // (2) is met, and what is missed cannot explain the gain.
    if (missed <= options.work && outcome.energy_change > scale + explained * missed) break;
    worse = missed < 0.9 * best ? 0 : worse + 1;
    if (missed < best) {
      best = missed;
      best_ = owed_;
    }
    if (worse > patience) {
      owed_ = best_;  // once more, with shorter steps
      weight *= 0.3;
      worse = 0;
      secant_->begin();
    } else {
      rescale(weight);
    }
  }
  return false;
}

ImpactOutcome StrongeLaw::solve_several(const ImpactProblem& problem, const StrongeOptions& options,
                                        Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
  const Eigen::Index k = problem.u.size();
  Vector first = front_of(first_, k), middle = front_of(middle_, k);
  front_of(second_, k);
  front_of(after_, k);
  ImpactOutcome outcome = plastic_.solve(problem, options.phases, first, middle);
  impulse = first;
  velocity = middle;
  if (outcome.status != ImpactStatus::resolved || !prepare_expansion(problem)) return outcome;
  outcome.rounds = 2;
  const double scale = energy_round_off * 0.5 * (problem.u.cwiseAbs() + middle.cwiseAbs()).dot(first.cwiseAbs());
  if (meet_owed_work(problem, options, scale, impulse, velocity, outcome)) return outcome;

  // The largest share of what is owed that gains nothing; none of it gains nothing for sure. κ = e to begin with.
  prepare_expansion(problem);
  double low = 0, high = 1;
  bool solved = expand(problem, options, 1, impulse, velocity, outcome);
  if (!solved || outcome.energy_change > scale) {
    for (int i = 0; i < most_halvings; ++i) {
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
