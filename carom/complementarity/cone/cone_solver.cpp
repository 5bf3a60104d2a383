#include "carom/complementarity/cone/cone_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "carom/complementarity/infeasibility.h"
#include "carom/complementarity/worse_of.h"
#include "carom/error.h"

namespace carom {

namespace {

constexpr int warm_steps = 3, sweeps_first = 10, newton_first = 10, newton_steps = 50, smoothing_first = 30,
              smoothing_steps = 60;
constexpr int first_burst = 5, next_burst = 3, burst_newton = 4, polish_steps = 20;
constexpr int proximal_rounds = 100, proximal_patience = 20, proximal_steps = 25;
constexpr double most_polyhedral = 1e5;  // friction given to Lemke's method
constexpr double proximal_first = 1e-2, proximal_least = 1e-10, proximal_most = 1e2;

}  // namespace

void ConeSolver::prepare(const ContactProblem& problem, std::span<const double> warm_start) {
  const bool writable =
      problem.A.form() == ContactOperator::Form::dense || problem.A.rows() <= ConeSystem::largest_stored;
  reduced_ = writable && elimination_.eliminate(problem);
  if (reduced_) {
    system_.prepare_reduced(elimination_.problem(), problem, elimination_.block_indices(), elimination_.matrix(),
                            elimination_.stride());
  } else {
    system_.prepare(problem);
  }
  p_.assign(system_.rows(), 0);
  w_.resize(system_.rows());
  warm_ = false;
  for (int i = 0; i < system_.rows() && !warm_start.empty(); ++i) {
    p_[i] = warm_start[reduced_ ? elimination_.rows()[i] : i];
    warm_ = warm_ || p_[i] != 0;
  }
  refresh();
  best_residual_ = std::numeric_limits<double>::infinity();
  best_solver_ = SolverKind::none;
  rung_ = SolverRung::start;
  rungs_.entered = rungs_.won = RungSet(rung_);
  whole_.reset();
  detours_ = {};
  best_.assign(p_.begin(), p_.end());
  iterations_ = 0;
  infeasible_ = false;
}

/// Notes p_ if it is the best so far.
bool ConeSolver::keep(SolverKind solver) {
  if (!(residual_ < best_residual_)) return false;
  best_residual_ = residual_;
  best_solver_ = solver;
  rungs_.won = detours_;
  rungs_.won.add(rung_);
  best_.assign(p_.begin(), p_.end());
  return true;
}

void ConeSolver::refresh() {
  system_.velocity(p_.data(), w_.data());
  residual_ = system_.residual(p_.data(), w_.data());
}

void ConeSolver::return_to_best() {
  p_.assign(best_.begin(), best_.end());
  refresh();
}

void ConeSolver::enter(SolverRung rung) {
  rung_ = whole_.value_or(rung);
  rungs_.entered.add(rung_);
}

/// Lets a method work on p_ and w_ for so many steps; returns how many it took.
template <typename Method>
int ConeSolver::attempt(SolverRung rung, double tolerance, int steps, Method&& method) {
  if (below(tolerance) || iterations_ >= budget_) return 0;
  enter(rung);
  const ConeProgress done = method(std::min(steps, budget_ - iterations_));
  iterations_ += done.steps;
  residual_ = done.residual;
  return done.steps;
}

void ConeSolver::sweep(SolverRung rung, double tolerance, int sweeps, bool persistent) {
  attempt(rung, tolerance, sweeps,
          [&](int most) { return gauss_seidel_.sweep(system_, tolerance, most, persistent, p_.data(), w_.data()); });
}

void ConeSolver::newton(SolverRung rung, ConeNewton::Equation equation, double tolerance, int steps) {
  attempt(rung, tolerance, steps,
          [&](int most) { return newton_.improve(system_, equation, tolerance, most, p_.data(), w_.data()); });
}

void ConeSolver::polish(SolverRung rung, double tolerance) {
  attempt(rung, tolerance, polish_steps,
          [&](int most) { return newton_.polish(system_, tolerance, most, p_.data(), w_.data()); });
  keep(SolverKind::newton);
}

int ConeSolver::follow_path(SolverRung rung, double tolerance, int steps) {
  return attempt(rung, tolerance, steps,
                 [&](int most) { return smoothing_.follow(system_, tolerance, most, p_.data(), w_.data()); });
}

void ConeSolver::smooth(SolverRung rung, double tolerance, int steps) {
  if (below(tolerance)) return;
  smoothing_.start(system_, p_.data(), w_.data());
  follow_path(rung, tolerance, steps);
}

void ConeSolver::first_order(double tolerance, int steps) {
  attempt(SolverRung::first_order, tolerance, steps,
          [&](int most) { return first_order_.descend(system_, tolerance, most, p_.data(), w_.data()); });
}

/// A few Newton steps; then a smooth path, with some more Newton steps from its points now and then. Near the solution
/// these are worth more than the path; far from it, the path costs less than many of them. If this fails, p_ is as
/// before, and only the best point is kept.
void ConeSolver::hurry(double tolerance) {
  if (below(tolerance)) return;
  centre_.assign(p_.begin(), p_.end());
  newton(SolverRung::newton, ConeNewton::Equation::own, tolerance, newton_first);
  keep(SolverKind::newton);
  smoothing_.start(system_, p_.data(), w_.data());
  for (int burst = first_burst, left = smoothing_first; left > 0; burst = next_burst) {
    if (below(tolerance)) return;
    const double before = residual_;
    const int steps = follow_path(SolverRung::smooth_path, tolerance, burst);
    if (steps == 0) break;
    if (residual_ < before) newton(SolverRung::smooth_path, ConeNewton::Equation::own, tolerance, burst_newton);
    keep(SolverKind::newton);
    left -= steps;
  }
  if (below(tolerance)) return;
  p_.assign(centre_.begin(), centre_.end());
  refresh();
}

/// Newton's method with both equations, and once more from a smooth path.
void ConeSolver::escalate(double tolerance) {
  using Equation = ConeNewton::Equation;
  newton(SolverRung::long_newton, Equation::own, tolerance, newton_steps);
  newton(SolverRung::projected_newton, Equation::projected, tolerance, newton_steps);
  keep(SolverKind::newton);
  if (below(tolerance)) return;
  smooth(SolverRung::long_path, tolerance, smoothing_steps);
  newton(SolverRung::long_path, Equation::projected, tolerance, newton_steps);
  newton(SolverRung::long_path, Equation::own, tolerance, newton_steps);
  keep(SolverKind::newton);
}

/// Solves the problem with a proximal term around p_, to a hundredth of the residual it begins with or a tenth of the
/// tolerance. Afterwards p_ is that solution, and residual_ is that of the problem itself. False if it was not reached.
bool ConeSolver::solve_around(double alpha, double tolerance) {
  centre_.assign(p_.begin(), p_.end());
  system_.set_proximal(alpha, centre_.data());
  refresh();
  const double goal = std::max(0.1 * tolerance, 0.01 * residual_);
  constexpr SolverRung rung = SolverRung::proximal_points;
  sweep(rung, goal, sweeps_first, false);
  newton(rung, ConeNewton::Equation::own, goal, proximal_steps);
  newton(rung, ConeNewton::Equation::projected, goal, proximal_steps);
  smooth(rung, goal, proximal_steps);
  const bool solved = below(goal);
  system_.set_proximal(0, centre_.data());
  refresh();
  return solved;
}

void ConeSolver::proximal_points(double tolerance) {
  double alpha = proximal_first, shrink = 0.1, least = std::numeric_limits<double>::infinity();
  for (int round = 0, idle = 0; round < proximal_rounds && idle < proximal_patience; ++round) {
    if (iterations_ >= budget_) return;
    const bool solved = solve_around(alpha, tolerance);
    idle = residual_ < 0.9 * least ? 0 : idle + 1;
    if (idle == 0) least = residual_;
    keep(SolverKind::newton);
    if (below(tolerance)) return;
    if (solved) {
      alpha = std::max(proximal_least, shrink * alpha);
    } else {  // wider, and on from there by less
      alpha = std::min(proximal_most, 3 / shrink * alpha);
      shrink = std::min(0.7, std::sqrt(shrink));
    }
    if (!solved && residual_ > 10 * best_residual_) return_to_best();
  }
}

/// The same without torsion, whose rows get no impulse, and with no more friction than Lemke's pivots bear.
ContactProblem ConeSolver::without_torsion(const ContactProblem& problem) {
  blocks_.assign(problem.blocks.begin(), problem.blocks.end());
  for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
    blocks_[i].friction = blocks_[i].friction.cwiseMin(most_polyhedral);
    if (blocks_[i].kind != BlockKind::ellipsoid) continue;
    blocks_[i].kind = BlockKind::cone;
    blocks_[i].torsion = 0;
    Block held;
    held.kind = BlockKind::bounded;
    held.row = blocks_[i].row + 3;
    blocks_.push_back(held);
  }
  return {problem.A, problem.u, blocks_};
}

bool ConeSolver::has_wide_cones() const {
  const auto& contacts = system_.contacts();
  return std::any_of(contacts.begin(), contacts.end(), [](const OneContact& c) { return c.is_wide(); });
}

/// Lemke's solution of a problem like this one into p_, with its w_ and residual. False where it finds none.
bool ConeSolver::solve_polyhedral(const ContactProblem& start, int directions, const ConeOptions& cone) {
  const auto k = static_cast<Eigen::Index>(p_.size());
  Eigen::Map<Eigen::VectorXd> p(p_.data(), k), w(w_.data(), k);
  PolyhedralOptions options;
  options.directions = directions;
  options.lcp.stop = cone.stop;
  options.lcp.max_pivots = std::min(100 + 4 * static_cast<int>(k), budget_ - iterations_);
  const ContactSolution solution = polyhedral_.solve(start, options, {}, p, w);
  iterations_ += solution.iterations;
  rungs_.entered.add(solution.rungs.entered);
  detours_.add(solution.rungs.won);
  return solution.status == SolveStatus::solved;
}

/// Normal impulses of contacts that slide with the most friction that Lemke's method got become those with all of it.
void ConeSolver::slide_with_all_friction() {
  for (const OneContact& contact : system_.contacts()) {
    if (!(contact.largest_axis() > most_polyhedral) || contact.floor() != 0) continue;
    double used = 0, used_of_all = 0;
    for (int i = 0; i < contact.friction_axes(); ++i) {
      const double p = p_[contact.row() + contact.axis_row(i)];
      used = std::hypot(used, p / std::min(contact.axis(i), most_polyhedral));
      used_of_all = std::hypot(used_of_all, p / contact.axis(i));
    }
    double& p_n = p_[contact.normal()];
    if (2 * used > p_n && used > 0) p_n *= used_of_all / used;
  }
  refresh();
}

void ConeSolver::start_from_polyhedral(const ContactProblem& problem, const ConeOptions& cone) {
  const ContactProblem start = without_torsion(reduced_ ? elimination_.problem() : problem);
  const RungSet detours = detours_;
  for (const int directions : {8, 32}) {
    if (iterations_ >= budget_) break;
    whole_ = directions == 8 ? SolverRung::polyhedral_8 : SolverRung::polyhedral_32;
    enter(*whole_);
    const bool solved = solve_polyhedral(start, directions, cone);
    slide_with_all_friction();  // also where the path ended badly: its last point may be near
    if (solved) polish(*whole_, cone.tolerance);
    escalate(cone.tolerance);
    detours_ = detours;
    if (below(cone.tolerance) || !solved) break;
  }
  whole_.reset();
}

/// A few steps from the warm start, for a problem that little has changed of. True if they were enough.
bool ConeSolver::from_warm_start(const ConeOptions& options) {
  const double tolerance = options.tolerance;
  const SolverKind method = options.method;
  // Velocities are kept up by what changes, and have the round-off of the first impulses, however small they are now.
  const int before = iterations_;
  if (has_wide_cones()) polish(SolverRung::warm_states, tolerance);
  if (method == SolverKind::none) {
    newton(SolverRung::warm_newton, ConeNewton::Equation::own, tolerance, warm_steps);
  }
  refresh();
  keep(iterations_ > before ? SolverKind::newton : SolverKind::gauss_seidel);
  if (below(tolerance)) return true;
  if (method != SolverKind::newton) sweep(SolverRung::warm_sweep, tolerance, 1, true);
  refresh();
  keep(SolverKind::gauss_seidel);
  return below(tolerance);
}

void ConeSolver::run(const ContactProblem& problem, const ConeOptions& options) {
  const double tolerance = options.tolerance;
  const SolverKind method = options.method;
  keep(SolverKind::gauss_seidel);
  if (method == SolverKind::proximal || !system_.has_columns()) {
    first_order(tolerance, budget_);
    keep(SolverKind::proximal);
    return;
  }
  if (warm_ && from_warm_start(options)) return;
  if (method != SolverKind::newton) {
    const bool alone = method == SolverKind::gauss_seidel;
    sweep(SolverRung::sweeps, tolerance, alone ? budget_ : sweeps_first, alone);
    keep(SolverKind::gauss_seidel);
    if (alone || below(tolerance)) return;
  }
  hurry(tolerance);
  if (best_residual_ <= tolerance) return;
  escalate(tolerance);
  if (best_residual_ <= tolerance) return;
  if (warm_) {  // it may have led astray
    warm_ = false;
    p_.assign(p_.size(), 0.0);
    refresh();
    rung_ = SolverRung::start;
    rungs_.entered.add(SolverRung::without_start);
    detours_.add(SolverRung::without_start);
    run(problem, options);
    return;
  }
  rungs_.entered.add(SolverRung::contradiction);
  work_.resize(problem.u.size());
  infeasible_ = find_infeasibility(problem, Eigen::Map<Eigen::VectorXd>(work_.data(), problem.u.size()), options.stop);
  if (infeasible_) return;
  const bool choose_first = has_wide_cones();
  if (choose_first) start_from_polyhedral(problem, options);
  if (best_residual_ <= tolerance) return;
  if (choose_first) return_to_best();
  proximal_points(tolerance);
  if (best_residual_ <= tolerance) return;
  if (!choose_first) start_from_polyhedral(problem, options);
}

/// The residual of the whole problem. Rows that were eliminated count in full, those of contacts as in
/// ConeSystem::residual.
double ConeSolver::residual_of(const ContactProblem& problem, const double* impulse, const double* velocity) const {
  double worst = 0, worst_row = 0, square = 0;
  for (const Block& block : problem.blocks) {
    double own = 0;
    for (int i = 0; i < std::min(3, block.size()); ++i) own += impulse[block.row + i] * impulse[block.row + i];
    square = std::max(square, own);
    if (block.kind != BlockKind::bilateral) continue;
    const double diagonal = elimination_.matrix()[block.row * (elimination_.stride() + 1)];
    const double slip = std::abs(velocity[block.row] + block.offset);
    worst_row = worse_of(worst_row, slip / system_.velocity_size());
    if (diagonal > 0) worst = worse_of(worst, slip / diagonal);
  }
  const double size = square > 0 ? std::sqrt(square) : system_.impulse_size(impulse);
  for (std::size_t c = 0; c < system_.contacts().size(); ++c) {
    const OneContact& contact = system_.contacts()[c];
    const int row = problem.blocks[elimination_.block_indices()[c]].row;
    worst = worse_of(worst, contact.natural_map(impulse + row, velocity + row));
    worst_row = worse_of(worst_row, contact.row_residual(impulse + row, velocity + row, size, system_.velocity_size()));
  }
  return worse_of(worst / size, worst_row);
}

/// Impulse and velocity of the whole problem from the best impulses, and their residual computed afresh.
double ConeSolver::finish(const ContactProblem& problem, double tolerance, double* impulse, double* velocity) {
  if (!reduced_) {
    std::copy(best_.begin(), best_.end(), impulse);
    system_.velocity(impulse, velocity);
    return system_.residual(impulse, velocity);
  }
  const auto k = problem.u.size();
  elimination_.expand(best_.data(), impulse);
  double residual = 0;
  for (int round = 0; round < 3; ++round) {  // round-off of the elimination in the bilateral rows
    if (round > 0) elimination_.correct(velocity, impulse);
    Eigen::Map<Eigen::VectorXd> w(velocity, k);
    problem.A.multiply(Eigen::Map<const Eigen::VectorXd>(impulse, k), w);
    w += problem.u;
    residual = residual_of(problem, impulse, velocity);
    if (residual <= tolerance) break;
  }
  return residual;
}

ContactSolution ConeSolver::solve(const ContactProblem& problem, const ConeOptions& options,
                                  std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                  Eigen::Ref<Eigen::VectorXd> velocity) {
  ContactSolution solution;
  solution.size = static_cast<int>(problem.u.size());
  if (problem.blocks.empty()) return solution;
  if (!warm_start.empty() && static_cast<Eigen::Index>(warm_start.size()) != problem.u.size()) {
    throw Error("The warm start has " + std::to_string(warm_start.size()) + " impulses, but the contact problem has " +
                std::to_string(problem.u.size()) + " rows; give one impulse per row, or none at all.");
  }
  budget_ = options.max_iterations;
  system_.set_stop(options.stop);
  prepare(problem, warm_start);
  run(problem, options);
  solution.tolerance = options.tolerance;
  solution.residual = finish(problem, options.tolerance, impulse.data(), velocity.data());
  solution.solver = best_solver_;
  solution.iterations = iterations_;
  solution.rungs = rungs_;
  solution.status = solution.residual <= options.tolerance ? SolveStatus::solved
                    : infeasible_                          ? SolveStatus::infeasible
                    : iterations_ >= budget_               ? SolveStatus::iteration_limit
                                                           : SolveStatus::inaccurate;
  if (solution.status == SolveStatus::infeasible) solution.rungs.won = RungSet(SolverRung::contradiction);
  return solution;
}

void ConeSolver::reserve(int blocks) {
  const int rows = blocks * OneContact::max_size;
  system_.reserve(blocks);
  gauss_seidel_.reserve(rows);
  newton_.reserve(blocks, rows);
  smoothing_.reserve(blocks, rows);
  first_order_.reserve(rows);
  elimination_.reserve(blocks);
  for (std::vector<double>* v : {&p_, &w_, &best_, &centre_}) v->reserve(rows);
}

}  // namespace carom
