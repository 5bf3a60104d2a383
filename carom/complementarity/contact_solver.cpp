#include "carom/complementarity/contact_solver.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/infeasibility.h"
#include "carom/complementarity/worse_of.h"
#include "carom/error.h"

namespace carom {

namespace {

constexpr double least_saving = 100e-6;  // s, estimated: below this other threads cost more than they spare
constexpr double least_chunk = 20e-6;    // s, estimated
constexpr int most_chunks = 64;
constexpr double borne_out = 1e-8;        // residual of a certificate, after more than solving
constexpr double most_matrix_work = 2e7;  // entries, iterations times: where the multipliers did not arrive

/// Rough time to solve an island, s. From sizes alone, so that the same problem is always cut the same way.
double estimated_cost(const ContactProblem& problem, const ContactOptions& options, std::span<const int> blocks) {
  double size = 0;
  for (const int b : blocks) {
    const Block& block = problem.blocks[b];
    const bool generators = options.cone == FrictionCone::polyhedral && block.friction.maxCoeff() > 0;
    size += block.size() + (generators ? options.polyhedral.directions : 0);
  }
  return 1e-6 + 1e-10 * size * size * size;
}

int severity(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved:
      return 0;
    case SolveStatus::inaccurate:
      return 1;
    case SolveStatus::iteration_limit:
      return 2;
    case SolveStatus::secondary_ray:
      return 3;
    case SolveStatus::infeasible:
      return 4;
  }
  return 5;
}

bool is_zero(std::span<const double> impulses) {
  return std::all_of(impulses.begin(), impulses.end(), [](double impulse) { return impulse == 0; });
}

/// True if no impulse at all is a solution. Even the smallest leftover of an old one then counts as large, and is no
/// good start.
bool rests_without_impulse(const ContactProblem& problem) {
  return std::all_of(problem.blocks.begin(), problem.blocks.end(), [&](const Block& block) {
    const double w = problem.u(block.normal_row()) + block.offset;
    if (block.kind == BlockKind::bilateral) return w == 0;
    if (block.kind == BlockKind::bounded) return w == 0 && block.lower <= 0 && block.upper >= 0;
    return w >= 0 && block.floor == 0;
  });
}

double most_friction(const Block& block) {
  return block.is_contact() ? std::max(block.friction.maxCoeff(), block.torsion) : 0.0;
}

/// Normal impulse for which the friction of a contact would be on its limit; infinite where friction has an axis less.
double used_friction(const Block& block, const Eigen::Ref<const Eigen::VectorXd>& impulse) {
  const double axes[3] = {block.friction.x(), block.friction.y(), block.torsion};
  double square = 0;
  for (int axis = 0; axis + 1 < block.size(); ++axis) {
    const double p = impulse(block.row + (axis < 2 ? axis : 3));
    if (p != 0) square += (p / axes[axis]) * (p / axes[axis]);
  }
  return std::sqrt(square);
}

/// True if friction has something left, so that the contact does not slide. `directions`: of the polygon, or 0.
bool is_within_friction(const Block& block, const Eigen::Ref<const Eigen::VectorXd>& impulse, int directions) {
  constexpr double nearly = 0.99;
  const double part = directions > 0 ? nearly * std::cos(std::numbers::pi / directions) : nearly;
  return used_friction(block, impulse) <= part * std::max(0.0, impulse(block.normal_row()));
}

/// Scales the normal impulse of a contact that slides with the friction of `from`. Its friction is then on the limit of
/// `to`, whose friction is larger along some axis. Along the others it bears as much as before.
void slide_with(const Block& from, const Block& to, Eigen::Ref<Eigen::VectorXd> impulse) {
  double& p_n = impulse(from.normal_row());
  const double used = used_friction(from, impulse);
  if (used > 0.5 * p_n) p_n *= used_friction(to, impulse) / used;
}

void cap_friction(double cap, Block& block) {
  block.friction = block.friction.cwiseMin(cap);
  block.torsion = std::min(block.torsion, cap);
}

void check_sizes(const ContactProblem& problem, Eigen::Index warm_start, Eigen::Index impulse, Eigen::Index velocity) {
  Eigen::Index covered = 0;
  for (const Block& block : problem.blocks) covered += block.size();
  const Eigen::Index rows = problem.u.size();
  if (covered != rows || impulse != rows || velocity != rows || problem.A.rows() != rows || problem.A.cols() != rows) {
    throw Error("The contact problem has " + std::to_string(rows) + " rows, its matrix " +
                std::to_string(problem.A.rows()) + " x " + std::to_string(problem.A.cols()) + ", its blocks cover " +
                std::to_string(covered) + ", and impulse and velocity have " + std::to_string(impulse) + " and " +
                std::to_string(velocity) + "; all must be equal.");
  }
  if (warm_start != 0 && warm_start != rows) {
    throw Error("The warm start has " + std::to_string(warm_start) + " impulses; it must have " + std::to_string(rows) +
                ", as the problem has rows, or none.");
  }
}

}  // namespace

/// One call of solve, as its workers see it. They write disjoint rows.
struct ContactSolver::Call {
  const ContactProblem& problem;
  const ContactOptions& options;
  std::span<const double> warm_start;
  Eigen::Ref<Eigen::VectorXd>& impulse;
  Eigen::Ref<Eigen::VectorXd>& velocity;
};

void ContactSolver::Worker::keep(const Call& call) {
  factored_impulse = call.impulse;
  factored_velocity = call.velocity;
}

void ContactSolver::reserve(int blocks, const ContactOptions& options) {
  const int rows = 4 * blocks;
  islands_.reserve(blocks);
  solutions_.reserve(blocks);
  chunk_start_.reserve(most_chunks + 1);
  chunk_cost_.reserve(most_chunks);
  infeasibility_.reserve(rows);
  suspected_.reserve(rows);
  if (workers_.empty()) workers_.resize(1);
  Worker& worker = workers_.front();
  worker.island.reserve(rows, blocks);
  worker.enough.reserve(blocks);
  for (auto* buffer : {&worker.warm_start, &worker.impulse, &worker.velocity, &worker.dual}) buffer->reserve(rows);
  if (options.cone == FrictionCone::exact) {
    worker.exact.reserve(blocks);
  } else {
    worker.polyhedral.reserve(blocks, options.polyhedral.directions);
  }
}

/// Solves in factors if the method knows the blocks: from the warm start, then from where that ended. If this fails,
/// solves as a matrix unless that is too large.
ContactSolution ContactSolver::solve_factored(const Call& call, Worker& worker) {
  const int directions = generators(call.options);
  const bool exact = call.options.cone == FrictionCone::exact;
  const auto known = [&](const Block& block) { return FactoredProblem::knows(block, directions); };
  const Eigen::Index k = call.problem.u.size();
  ContactSolution solution;
  if (std::all_of(call.problem.blocks.begin(), call.problem.blocks.end(), known)) {
    FactoredOptions options;
    options.directions = directions;
    options.stop = call.options.stop;
    options.tolerance = exact ? call.options.exact.tolerance : call.options.polyhedral.lcp.residual_tolerance;
    options.enough = std::max(options.tolerance, call.options.enough);
    solution = worker.factored.solve(call.problem, options, call.warm_start, call.impulse, call.velocity);
    if (solution.status != SolveStatus::solved) {
      // Its rounds begin anew, far from where they went astray.
      worker.keep(call);
      const std::span<const double> best(worker.factored_impulse.data(), static_cast<std::size_t>(k));
      const ContactSolution other = worker.factored.solve(call.problem, options, best, call.impulse, call.velocity);
      take_better(SolverRung::factors_again, other, call, worker, solution);
    }
    if (solution.status == SolveStatus::solved || k > most_matrix_rows) return solution;
  }
  worker.matrix.resize(k, k);
  call.problem.A.copy_to(worker.matrix);
  const ContactProblem problem{worker.matrix, call.problem.u, call.problem.blocks};
  if (solution.solver == SolverKind::none)
    return solve_whole({problem, call.options, call.warm_start, call.impulse, call.velocity}, worker);
  // From where the multipliers ended, and theirs if it ends no better.
  worker.keep(call);
  const std::span<const double> near(worker.factored_impulse.data(), static_cast<std::size_t>(k));
  ContactOptions bounded = call.options;
  const int most = static_cast<int>(most_matrix_work / static_cast<double>(k * k));
  bounded.exact.max_iterations = std::min(bounded.exact.max_iterations, most);
  int& pivots = bounded.polyhedral.lcp.max_pivots;
  pivots = pivots > 0 ? std::min(pivots, most + static_cast<int>(k)) : most + static_cast<int>(k);
  const ContactSolution other = solve_whole({problem, bounded, near, call.impulse, call.velocity}, worker);
  take_better(SolverRung::factors_as_matrix, other, call, worker, solution);
  return solution;
}

/// Takes what the worker kept, or `other`, which a detour came to and call.impulse and velocity hold.
void ContactSolver::take_better(SolverRung detour, const ContactSolution& other, const Call& call, const Worker& worker,
                                ContactSolution& solution) {
  const int spent = solution.iterations + other.iterations;
  RungSet entered = solution.rungs.entered;
  entered.add(other.rungs.entered);
  entered.add(detour);
  if (other.status == SolveStatus::solved || !(solution.residual <= other.residual)) {
    solution = other;
    solution.rungs.won.add(detour);
  } else {
    call.impulse = worker.factored_impulse;
    call.velocity = worker.factored_velocity;
  }
  solution.iterations = spent;
  solution.rungs.entered = entered;
}

ContactSolution ContactSolver::solve_with_enough_friction(const Call& call, Worker& worker) {
  const std::span<const Block> blocks = call.problem.blocks;
  double most = 0;
  for (const Block& block : blocks) most = std::max(most, most_friction(block));
  if (most <= plenty) return solve_whole(call, worker);
  const int directions = generators(call.options);
  const double last = call.options.cone == FrictionCone::exact ? most : std::min(most, utmost);
  std::span<const double> start = call.warm_start;
  int spent = 0;
  RungSet entered;
  for (double cap = plenty;; cap = std::min(last, cap * more)) {
    worker.enough.assign(blocks.begin(), blocks.end());
    for (Block& block : worker.enough) cap_friction(cap, block);
    const ContactProblem problem{call.problem.A, call.problem.u, worker.enough};
    ContactSolution solution = solve_whole({problem, call.options, start, call.impulse, call.velocity}, worker);
    solution.iterations = spent += solution.iterations;
    const SolverRung detour = cap == plenty ? SolverRung::friction_capped : SolverRung::friction_grown;
    entered.add(detour);
    entered.add(solution.rungs.entered);
    solution.rungs.entered = entered;
    solution.rungs.won.add(detour);
    if (solution.status == SolveStatus::infeasible) return solution;  // whatever the friction
    bool holds = solution.status == SolveStatus::solved;
    for (const Block& block : worker.enough) {
      holds = holds && (most_friction(block) < cap || is_within_friction(block, call.impulse, directions));
    }
    if (holds || cap == most) return solution;
    if (cap == last) return with_full_friction(call, worker.enough, cap, solution);
    if (solution.status != SolveStatus::solved) continue;
    worker.less_friction = call.impulse;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (most_friction(blocks[b]) <= cap) continue;
      Block next = blocks[b];
      cap_friction(std::min(last, cap * more), next);
      slide_with(worker.enough[b], next, worker.less_friction);
    }
    start = {worker.less_friction.data(), static_cast<std::size_t>(worker.less_friction.size())};
  }
}

/// A solution with the utmost of friction as one with all of it.
ContactSolution ContactSolver::with_full_friction(const Call& call, std::span<const Block> capped, double cap,
                                                  ContactSolution solution) {
  for (std::size_t b = 0; b < capped.size(); ++b) {
    if (most_friction(call.problem.blocks[b]) > cap) slide_with(capped[b], call.problem.blocks[b], call.impulse);
  }
  call.problem.A.multiply(call.impulse, call.velocity);
  call.velocity += call.problem.u;
  if (solution.status != SolveStatus::solved) return solution;
  const SolveCertificate certificate = certify(call.problem, call.impulse, generators(call.options));
  solution.residual = worse_of(solution.residual, judged_residual(certificate, call.options.cone));
  if (!(solution.residual <= std::max(borne_out, 10 * solution.tolerance))) solution.status = SolveStatus::inaccurate;
  return solution;
}

ContactSolution ContactSolver::solve_whole(const Call& call, Worker& worker) {
  if (call.problem.A.form() == ContactOperator::Form::factors) return solve_factored(call, worker);
  if (call.options.cone == FrictionCone::exact) {
    return worker.exact.solve(call.problem, call.options.exact, call.warm_start, call.impulse, call.velocity);
  }
  return worker.polyhedral.solve(call.problem, call.options.polyhedral, call.warm_start, call.impulse, call.velocity);
}

void ContactSolver::solve_island(const Call& call, int island, Worker& worker) {
  const std::span<const int> rows = islands_.rows(island);
  // Factors are copied all the same, so that an island is solved alike alone and beside others.
  if (islands_.count() == 1 && call.problem.A.form() != ContactOperator::Form::factors) {
    const bool afresh = is_zero(call.warm_start) || rests_without_impulse(call.problem);
    const std::span<const double> warm_start = afresh ? std::span<const double>() : call.warm_start;
    solutions_[0] =
        solve_or_show_infeasible({call.problem, call.options, warm_start, call.impulse, call.velocity}, rows, worker);
    return;
  }
  worker.island.copy(call.problem, islands_, island);
  const ContactProblem problem = worker.island.problem();
  worker.warm_start.clear();
  if (!call.warm_start.empty()) {
    for (const int row : rows) worker.warm_start.push_back(call.warm_start[row]);
    if (is_zero(worker.warm_start) || rests_without_impulse(problem)) worker.warm_start.clear();
  }
  worker.impulse.resize(rows.size());
  worker.velocity.resize(rows.size());
  const auto size = static_cast<Eigen::Index>(rows.size());
  Eigen::Ref<Eigen::VectorXd> impulse = Eigen::Map<Eigen::VectorXd>(worker.impulse.data(), size);
  Eigen::Ref<Eigen::VectorXd> velocity = Eigen::Map<Eigen::VectorXd>(worker.velocity.data(), size);
  solutions_[island] =
      solve_or_show_infeasible({problem, call.options, worker.warm_start, impulse, velocity}, rows, worker);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    call.impulse(rows[i]) = worker.impulse[i];
    call.velocity(rows[i]) = worker.velocity[i];
  }
}

/// Solves an island, or says that it cannot be solved.
ContactSolution ContactSolver::solve_or_show_infeasible(const Call& island, std::span<const int> rows, Worker& worker) {
  worker.dual.clear();
  if (suspected_.size() == infeasibility_.size()) {
    for (const int row : rows) worker.dual.push_back(suspected_[row]);
  }
  const auto size = static_cast<Eigen::Index>(rows.size());
  ContactSolution solution;
  solution.size = static_cast<int>(size);
  solution.status = SolveStatus::infeasible;
  const bool known = !is_zero(worker.dual) &&
                     proves_infeasible(island.problem, Eigen::Map<const Eigen::VectorXd>(worker.dual.data(), size));
  solution.rungs.entered = solution.rungs.won = RungSet(SolverRung::known_contradiction);
  if (!known) {
    solution = solve_with_enough_friction(island, worker);
    if (solution.status == SolveStatus::solved) return solution;
    const std::span<const double> shown = worker.exact.infeasibility();
    worker.dual.assign(rows.size(), 0.0);
    Eigen::Map<Eigen::VectorXd> y(worker.dual.data(), size);
    if (solution.status == SolveStatus::infeasible && shown.size() == rows.size()) {
      std::copy(shown.begin(), shown.end(), worker.dual.begin());
    } else {
      solution.rungs.entered.add(SolverRung::contradiction);
      if (!find_infeasibility(island.problem, y, island.options.stop)) return solution;
      solution.rungs.won = RungSet(SolverRung::contradiction);
    }
    solution.status = SolveStatus::infeasible;
  }
  // The rows of an island that is the whole problem are in its order.
  for (std::size_t i = 0; i < rows.size(); ++i) infeasibility_[rows[i]] = worker.dual[i];
  island.impulse.setZero();
  island.velocity = island.problem.u;
  return solution;
}

/// Gathers islands in their order until a chunk is worth a task.
void ContactSolver::cut_into_chunks(const Call& call) {
  double total = 0;
  for (int i = 0; i < islands_.count(); ++i) total += estimated_cost(call.problem, call.options, islands_.blocks(i));
  const double enough = std::max(least_chunk, total / most_chunks);
  chunk_start_.assign(1, 0);
  chunk_cost_.clear();
  double cost = 0;
  for (int i = 0; i < islands_.count(); ++i) {
    cost += estimated_cost(call.problem, call.options, islands_.blocks(i));
    if (cost < enough && i + 1 < islands_.count()) continue;
    chunk_start_.push_back(i + 1);
    chunk_cost_.push_back(cost);
    cost = 0;
  }
}

bool ContactSolver::pays_in_parallel() const {
  double total = 0, longest = 0;
  for (const double cost : chunk_cost_) {
    total += cost;
    longest = std::max(longest, cost);
  }
  return total - longest >= least_saving;
}

ContactSolution ContactSolver::summary(RungCounts* counts) const {
  ContactSolution sum;
  int most = -1;
  for (const ContactSolution& part : solutions_) {
    if (severity(part.status) > severity(sum.status)) sum.status = part.status;
    if (part.iterations > most) {
      most = part.iterations;
      sum.solver = part.solver;
    }
    sum.iterations += part.iterations;
    sum.paths = std::max(sum.paths, part.paths);
    sum.size = std::max(sum.size, part.size);
    sum.residual = worse_of(sum.residual, part.residual);
    sum.tolerance = std::max(sum.tolerance, part.tolerance);
    sum.rungs.add(part.rungs);
    if (counts != nullptr) counts->add(part);
  }
  return sum;
}

ContactSolution ContactSolver::solve(const ContactProblem& problem, const ContactOptions& options,
                                     std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                     Eigen::Ref<Eigen::VectorXd> velocity) {
  check_sizes(problem, static_cast<Eigen::Index>(warm_start.size()), impulse.size(), velocity.size());
  ContactOptions asked = options;
  asked.exact.stop = asked.polyhedral.lcp.stop = options.stop;
  const Call call{problem, asked, warm_start, impulse, velocity};
  islands_.find(problem);
  solutions_.assign(islands_.count(), {});
  infeasibility_.assign(problem.u.size(), 0.0);
  if (workers_.empty()) workers_.resize(1);
  cut_into_chunks(call);
  const auto solve_chunk = [&](int chunk, Worker& worker) {
    for (int i = chunk_start_[chunk]; i < chunk_start_[chunk + 1]; ++i) solve_island(call, i, worker);
  };
  const int chunks = static_cast<int>(chunk_cost_.size());
  if (!pays_in_parallel()) {
    for (int chunk = 0; chunk < chunks; ++chunk) solve_chunk(chunk, workers_.front());
    suspected_.clear();
    return summary(options.rungs);
  }
  if (static_cast<int>(workers_.size()) < chunks) workers_.resize(chunks);
  tbb::parallel_for(0, chunks, [&](int chunk) { solve_chunk(chunk, workers_[chunk]); });
  suspected_.clear();
  return summary(options.rungs);
}

}  // namespace carom
