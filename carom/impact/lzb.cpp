#include "carom/impact/lzb.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "carom/error.h"

namespace carom {
namespace {

constexpr double beginning = 0.01;  // the first step, relative to the shortest collision of one contact alone
constexpr int max_locating = 60;

void check_lzb(const LzbOptions& options) {
  if (!(options.accuracy > 0) || !(options.slip_tolerance > 0) || !(options.rest_tolerance >= 0)) {
    throw Error("The accuracy of an lzb impact is " + std::to_string(options.accuracy) + ", its slip_tolerance " +
                std::to_string(options.slip_tolerance) + ", its rest_tolerance " +
                std::to_string(options.rest_tolerance) + "; the first two must be positive, the last not negative.");
  }
}

}  // namespace

void LzbLaw::begin(const ImpactProblem& problem, const LzbOptions& options) {
  check_lzb(options);
  flow_.begin(problem, options.slip_tolerance);
  const int n = flow_.n(), m = flow_.m();
  rest_ = options.rest_tolerance * flow_.rows().speed();
  next_.resize(flow_.size());
  method_.resize(flow_.size());
  state_.assign(flow_.size(), 0.0);
  weight_.assign(flow_.size(), 0.0);
  first_step_ = 0;
  double impulse = 0;
  for (int i = 0; i < n; ++i) {
    const LzbFlow::Contact& contact = flow_.contacts()[i];
    if (!(contact.depth > 0)) continue;
    weight_[i] = 1 / (options.accuracy * contact.depth);
    for (int t = 0; t < 2 && contact.spring >= 0; ++t) {
      weight_[contact.spring + t] = 1 / (options.accuracy * contact.layer.force(contact.depth));
    }
    impulse = std::max(impulse, flow_.rows().speed() / flow_.rows().matrix()[i * (m + 1)]);
    const double step = beginning * contact.duration;
    first_step_ = first_step_ > 0 ? std::min(first_step_, step) : step;
  }
  for (int i = 0; i < m && impulse > 0; ++i) weight_[n + i] = 1 / (options.accuracy * impulse);
  flow_.settle(state_.data(), method_.rate(0));
  refresh();
}

void LzbLaw::refresh() { flow_.derivative(state_.data(), method_.rate(0)); }

LzbLaw::Progress LzbLaw::progress() const {
  bool moves = false, bears = false, approaches = false;
  double fastest = 0;
  for (int i = 0; i < flow_.n(); ++i) {
    const double v = flow_.velocity()[i];
    if (v < -rest_ && flow_.contacts()[i].depth == 0) return Progress::held;
    approaches = approaches || v < -rest_;
    bears = bears || state_[i] > 0;
  }
  if (!bears && !approaches) return Progress::ended;
  if (!bears) return Progress::on;
  for (int i = 0; i < flow_.m(); ++i) fastest = std::max(fastest, std::abs(flow_.velocity()[i]));
  if (fastest > rest_) return Progress::on;
  // At rest under forces that hold one another, or only turning round?
  const double* F = method_.rate(0) + flow_.n();
  for (int i = 0; i < flow_.m() && !moves; ++i) {
    const double* own = flow_.rows().matrix() + static_cast<std::ptrdiff_t>(i) * flow_.m();
    double sum = 0, size = 0;
    for (int j = 0; j < flow_.m(); ++j) {
      sum += own[j] * F[j];
      size += std::abs(own[j] * F[j]);
    }
    moves = std::abs(sum) > 1e-9 * size;
  }
  return moves ? Progress::on : Progress::ended;
}

/// To the next touch, if no contact bears a force.
void LzbLaw::fly() {
  double soonest = -1;
  int touching = -1;
  for (int i = 0; i < flow_.n(); ++i) {
    const double v = flow_.velocity()[i];
    if (state_[i] > 0 || (state_[i] == 0 && v < -rest_)) return;
    if (!(v < -rest_)) continue;
    const double wait = state_[i] / v;
    if (touching >= 0 && wait >= soonest) continue;
    soonest = wait;
    touching = i;
  }
  if (touching < 0) return;
  for (int i = 0; i < flow_.n(); ++i) state_[i] = std::min(0.0, state_[i] - soonest * flow_.velocity()[i]);
  state_[touching] = 0;
  LzbFlow::Contact& contact = flow_.contacts()[touching];
  flow_.strike(contact, -flow_.velocity()[touching]);
  flow_.settle(state_.data(), method_.rate(0));
  refresh();
}

/// From state_ and its rate to next_ and its rate. Returns the error over what is allowed.
double LzbLaw::try_step(double h) {
  return method_.step(state_.data(), h, weight_.data(), next_.data(),
                      [&](double, int, const double* y, double* rate) { flow_.derivative(y, rate); });
}

/// One accepted step from state_, no longer than to the first event.
bool LzbLaw::advance(double& h, int& tries, int max_tries) {
  flow_.aim(state_.data());
  start_passed_ = flow_.passed(state_.data(), method_.rate(0));
  double error = 2, taken = h;
  while (!(error <= 1)) {
    if (tries++ >= max_tries) return false;
    error = try_step(h);
    taken = h;
    h *= std::isfinite(error) ? DormandPrince::growth(error) : 0.2;
  }
  const double passed = flow_.passed(next_.data(), method_.rate(6));
  if (passed > 1) locate(taken, passed, tries);
  flow_.watch(state_.data(), method_.rate(0), next_.data(), method_.rate(6), taken);
  std::swap(state_, next_);
  method_.pass_on();
  if (flow_.turn(state_.data(), method_.rate(0), passed > 1)) {
    flow_.settle(state_.data(), method_.rate(0));
    refresh();
  }
  return true;
}

/// Shortens a step in which something passed until it only just has, by regula falsi (Illinois). Every eighth try
/// halves the bracket instead, and so does one without a finite value below the target to start from.
double LzbLaw::locate(double h, double passed, int& tries) {
  double low = 0, low_value = start_passed_, high = h, high_value = passed;
  const double target = low_value > 0 ? 0.5 * (std::min(low_value, 0.99) + 1) : 0.5;
  int side = 0;
  for (int i = 0; i < max_locating; ++i) {
    double at = 0.5 * (low + high);
    if (std::isfinite(low_value) && low_value < target && i % 8 != 7) {
      at = low + (high - low) * (target - low_value) / (high_value - low_value);
    }
    try_step(at);
    ++tries;
    const double value = flow_.passed(next_.data(), method_.rate(6));
    if (value <= 1 && value > std::max(start_passed_, 0.0)) return at;
    if (value > target) {
      high = at;
      high_value = value;
      if (side == 1 && std::isfinite(low_value)) low_value = target + 0.5 * (low_value - target);
      side = 1;
    } else {
      low = at;
      low_value = value;
      if (side == -1) high_value = target + 0.5 * (high_value - target);
      side = -1;
    }
  }
  try_step(high);
  return high;
}

ImpactOutcome LzbLaw::solve(const ImpactProblem& problem, const LzbOptions& options,
                            Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
  begin(problem, options);
  ImpactOutcome outcome;
  outcome.rounds = 1;
  double h = first_step_;
  int tries = 0;
  Progress now = progress();
  while (now == Progress::on) {
    ask_to_go_on(problem.stop);
    fly();
    if (!advance(h, tries, options.max_steps)) break;
    ++outcome.intervals;
    now = progress();
  }
  if (now == Progress::on) outcome.status = ImpactStatus::budget;
  if (now == Progress::held) outcome.status = ImpactStatus::inconsistent;
  finish(problem, outcome, impulse, velocity);
  return outcome;
}

/// Takes away what the tolerances added to cones and energy, and ends plastically what was not finished.
void LzbLaw::finish(const ImpactProblem& problem, ImpactOutcome& outcome, Eigen::Ref<Eigen::VectorXd> impulse,
                    Eigen::Ref<Eigen::VectorXd> velocity) {
  const int n = flow_.n();
  double* P = state_.data() + n;
  for (int i = 0; i < n; ++i) P[i] = std::max(P[i], 0.0);  // a weight of the method is negative
  for (const LzbFlow::Contact& contact : flow_.contacts()) {
    if (contact.tangent < 0) continue;
    const double normal = P[&contact - flow_.contacts().data()];
    const double friction = std::hypot(P[contact.tangent], P[contact.tangent + 1]);
    if (!(friction > normal)) continue;
    for (int t = 0; t < 2; ++t) P[contact.tangent + t] *= normal / friction;
  }
  flow_.rows().balance_energy(flow_.conserves() && outcome.status == ImpactStatus::resolved, P);
  flow_.rows().scatter(problem, P, impulse, velocity);
  bool unsolved = false;
  if (outcome.status != ImpactStatus::resolved) {
    more_.resize(impulse.size());
    after_.assign(velocity.data(), velocity.data() + velocity.size());
    Eigen::Map<Eigen::VectorXd> more(more_.data(), impulse.size()), now(after_.data(), velocity.size());
    const ImpactProblem rest{problem.A, now, problem.blocks, problem.surfaces, problem.stop, problem.rungs};
    const ImpactOutcome end = plastic_.solve(rest, {}, more, velocity);
    impulse += more;
    if (end.status == ImpactStatus::inconsistent) {  // impulses of a jam can be too large to go on from: all anew
      unsolved = plastic_.solve(problem, {}, impulse, velocity).status == ImpactStatus::inconsistent;
    }
    problem.A.multiply(impulse, velocity);
    velocity += problem.u;
  }
  measure(problem, impulse, velocity, outcome);
  if (unsolved) outcome.status = ImpactStatus::inconsistent;
}

}  // namespace carom
