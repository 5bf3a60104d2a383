#include "carom/stepper/contact_step.h"

#include <algorithm>
#include <cmath>

#include "carom/stepper/carried_speed.h"
#include "carom/stepper/mass_operator.h"

namespace carom {
namespace {

/// Impulses of a solve that stopped short are kept up to this residual; those of another problem would be further off.
constexpr double usable_residual = 1e-5;

/// Approaches below this part of the largest velocity are what the solver's tolerance leaves of rest: no impacts.
constexpr double round_off_approach = 1e-7;

/// Slip below this part of the largest velocity is the solver's round-off.
constexpr double round_off_slip = 1e-8;

/// A change of impulses corrects a structure at rest if it changes velocities by less than of_correction of the
/// largest. The next step begins with taken_of_correction of that change.
constexpr double of_correction = 1e-7, taken_of_correction = 1.0 / 16;

bool takes_factors(const Method& method, const MassOperator& mass) {
  return method.form == ContactForm::pure && mass.takes_factors();
}

ContactOptions contact_options(const Method& method, const StopSignal* stop = nullptr) {
  ContactOptions options;
  options.stop = options.polyhedral.lcp.stop = stop;
  options.cone = method.cone;
  options.polyhedral.directions = method.directions;
  options.enough = method.contact_tolerance;
  options.rungs = method.rungs;
  return options;
}

/// True if a step may use its impulses.
bool is_usable(const ContactSolution& solution) {
  const bool stopped_short =
      solution.status == SolveStatus::inaccurate || solution.status == SolveStatus::iteration_limit;
  return solution.status == SolveStatus::solved || (stopped_short && solution.residual <= usable_residual);
}

/// Impulses of the last step that solve this one too are shared already; pivots end at a corner of all answers.
bool has_moved(const ContactSolution& solution) {
  return solution.solver == SolverKind::lemke || solution.solver == SolverKind::pivoting || solution.iterations > 0;
}

}  // namespace

ContactStep::ContactStep(const Model& model, const Method& method)
    : size_(model),
      standing_rows_(model),
      standing_(standing_rows_.count()),
      group_(model.body_count()),
      struck_(model.body_count()),
      speed_(model.body_count()),
      end_(VectorX::Zero(model.velocity_count())) {
  tree_mass_.resize(model.body_count());
  for (int body = 0; body < model.body_count(); ++body)
    tree_mass_[model.root(body)] += model.bodies()[body].inertia.mass;
  multipliers_.reserve(standing_rows_.constraint_count());
  if (method.stepper->joins_constraints) {
    joined_.emplace(model);
    recovery_ = method.step;
  }
  response_.setZero(model.velocity_count());
}

void ContactStep::reserve(const Model& model, const Method& method, std::size_t count, MassOperator& mass) {
  const std::size_t all = count + standing_;
  if (all <= capacity_) return;
  capacity_ = all;
  constraint_rows_.reserve(3 * all);
  blocks_.reserve(all);
  relaxed_.reserve(all);
  joined_slight_.reserve(3 * all);
  for (auto* buffer : {&free_, &start_, &reach_, &impulse_, &velocity_, &scratch_, &warm_start_, &slight_})
    grow(*buffer, 3 * static_cast<Eigen::Index>(all));
  // Small parts of problems in factors are solved as matrices.
  const int blocks = static_cast<int>(takes_factors(method, mass) ? std::min(all, most_dense_rows / 3) : all);
  mass.reserve(model, 3 * blocks);
  certifier_.reserve(blocks);
  sharing_.reserve(count);
  pair_.reserve(count);
  places_.reserve(count);
  weight_.reserve(count);
  turn_.reserve(count);
  memory_.reserve(count);
  solver_.reserve(blocks, contact_options(method));
  if (method.form == ContactForm::mixed) mixed_.reserve(blocks, method.directions);
  if (method.law->in_step == InStep::poisson) poisson_.reserve(blocks, contact_options(method));
}

/// True if the contact of these rows has no slip that friction would be that of sliding for. If static friction is
/// overcome, sliding friction takes over in the next step.
bool ContactStep::rests(const CandidateContact& candidate, int row) const {
  if (!candidate.contact.id.is_surface()) return false;
  if (candidate.turned) return true;
  if (candidate.remembered) return candidate.rolled;
  const double fastest = largest_speed(start_);
  return Eigen::Map<const Vec3>(start_.data() + row).head<2>().norm() <= round_off_slip * fastest;
}

/// Largest velocity of a row, m/s; of a row that is an angle's that of the extent.
double ContactStep::largest_speed(const std::vector<double>& velocity) const {
  double largest = 0;
  for (std::size_t i = 0; i < constraint_rows_.size(); ++i)
    largest = std::max(largest, std::abs(velocity[i]) / in_rows(constraint_rows_[i]));
  return largest;
}

/// Velocity of a row at the speed of 1 m/s, of an angle's row at that of the extent.
double ContactStep::in_rows(const ConstraintRow& row) const { return 1 / size_.as_speed(row); }

/// Mass of the trees that a row moves, kg.
double ContactStep::touching_mass(const Model& model, const ConstraintRow& row) const {
  double sum = 0;
  if (row.coordinate >= 0) {
    const auto root = [&](int coordinate) { return model.root(model.coordinate_body(coordinate)); };
    sum = tree_mass_[root(row.coordinate)];
    for (std::size_t i = 0; i < row.others.size(); ++i) {
      const int own = root(row.others[i].coordinate);
      const bool counted =
          own == root(row.coordinate) ||
          std::ranges::any_of(row.others.first(i), [&](const RowTerm& term) { return root(term.coordinate) == own; });
      if (!counted) sum += tree_mass_[own];
    }
    return sum;
  }
  for (const int body : {row.body_a, row.body_b}) {
    if (body >= 0) sum += tree_mass_[model.root(body)];
  }
  return sum;
}

/// True if an overlap at the step's start is small enough to be made good within the step. The speed that drives it
/// apart, at the row's mobility, then has no more energy than the touching trees get by falling for one step. The
/// linearisation of a step leaves such overlaps, and contacts at rest would creep if they were not made good.
bool ContactStep::is_slight(const Model& model, int row, double mobility, double push_speed, double step) const {
  const double fall = step * model.gravity().norm();
  return push_speed * push_speed <= mobility * touching_mass(model, constraint_rows_[row]) * fall * fall;
}

/// Change of a gap's rate by the row's turning in half a step, 0 if it is round-off of the velocities. At velocity
/// level a turn that asks for separation is left to the next step: two of them may contradict each other.
double ContactStep::turn_of(const Method& method, const CandidateContact& candidate, const Block& block,
                            double fastest) const {
  if (!candidate.start_rate) return 0;
  const double turn = start_[block.normal_row()] - *candidate.start_rate;
  if (std::abs(turn) * size_.as_speed(candidate.contact.id) <= round_off_slip * fastest) return 0;
  return method.stepper == StepperKind::anitescu_potra ? std::max(turn, 0.0) : turn;
}

bool ContactStep::drop_turns() {
  bool any = false;
  for (std::size_t k = 0; k < turn_.size(); ++k) {
    if (turn_[k] == 0) continue;
    any = true;
    Block& block = blocks_[standing_ + k];
    if (!is_thrown_back(block)) {  // by the law, with no turn in it
      block.offset -= turn_[k];
      block.push_speed = std::max(0.0, -block.offset);
    }
    turn_[k] = 0;
  }
  return any;
}

/// Appends the candidates' blocks to the standing ones.
void ContactStep::set_blocks(const Model& model, const Method& method, const std::vector<CandidateContact>& candidates,
                             const std::vector<double>& end_weight, const MassOperator& mass) {
  constexpr double round_off_of_overlap = 1e-9, round_off_of_limits = 1e-14;  // of the least size, of the extent
  // A ratchet lets nothing back, so it is not asked to make good an overlap that is round-off.
  const bool has_ratchet = std::any_of(candidates.begin(), candidates.end(), [](const CandidateContact& candidate) {
    return candidate.contact.id.is_ratchet();
  });
  const double fastest = largest_speed(start_);
  turn_.clear();
  int row = static_cast<int>(standing_);
  for (const CandidateContact& candidate : candidates) {
    const Contact& contact = candidate.contact;
    const bool length = size_.is_length(contact.id);
    const double round_off_overlap = round_off_of_overlap * size_.of(contact.id);
    const double round_off_limit = round_off_of_limits * (length ? size_.extent() : 1);
    Block block;
    block.kind = contact.kind();
    block.row = row;
    block.friction = rests(candidate, row) ? contact.surface.static_friction : contact.surface.friction;
    double start_gap = this->start_gap(candidate, block, method.step);
    if (has_ratchet && start_gap < 0 && start_gap > -round_off_overlap) start_gap = 0;
    // A limit that is met to round-off is not asked to push against what rubs beside it.
    if (!contact.id.is_surface() && std::abs(start_gap) < round_off_limit) start_gap = 0;
    const bool left_open = candidate.crossing || (start_gap > 0 && (candidate.remembered || contact.gap > 0));
    // A ratchet holds wherever it is.
    const bool velocity_level =
        contact.id.is_ratchet() || (method.stepper == StepperKind::anitescu_potra && !left_open);
    // An overlap is made good over a whole step, however short this part of it.
    const double time = start_gap < 0 ? std::max(method.step, recovery_) : method.step;
    const double theta = impact_weight(contact, end_weight);
    if (theta != smooth_weight && start_gap > 0) {
      const double left = start_gap + (1 - theta) * time * start_rate(candidate, block);
      block.offset = velocity_level ? 0 : std::max(0.0, left) / (theta * time);
    } else {
      block.offset = velocity_level ? 0 : start_gap / time;
    }
    if (block.offset < 0 && method.overlap == OverlapRemedy::project && start_gap < -round_off_overlap &&
        !is_slight(model, block.normal_row(), mass.diagonal(block.normal_row()), -block.offset, method.step)) {
      block.offset = 0;  // what overlaps is moved apart after the step
    }
    turn_.push_back(turn_of(method, candidate, block, fastest));
    block.offset += turn_.back();
    block.push_speed = std::max(0.0, -block.offset);
    blocks_.push_back(block);
    row += block.size();
  }
}

void ContactStep::assemble(const Model& model, const Method& method, const std::vector<CandidateContact>& candidates,
                           const Linearisation& at, const VectorX& free_velocity, const VectorX& extra,
                           const std::vector<double>& end_weight, DynamicsWorkspace& workspace, MassOperator& mass) {
  reserve(model, method, candidates.size(), mass);
  standing_rows_.pose(model, method.step, at, workspace, constraint_rows_, blocks_);
  for (const CandidateContact& candidate : candidates) append_rows(candidate.contact, constraint_rows_);
  if (joined_) {
    mass.build_rows(model, constraint_rows_, workspace);
  } else if (constraint_rows_.size() > most_dense_rows && takes_factors(method, mass)) {
    mass.build_factors(model, constraint_rows_, static_cast<int>(standing_), workspace);
  } else {
    mass.build(model, constraint_rows_, workspace);
  }
  Eigen::Map<VectorX> u_free(free_.data(), rows()), u_start(start_.data(), rows());
  Eigen::Map<VectorX> u_reach(reach_.data(), rows());
  mass.apply(free_velocity, u_free);
  mass.apply(at.start, u_start);
  mass.apply(at.reach, u_reach);
  if (at.weights != nullptr) standing_rows_.hold_mean(start_.data(), blocks_);
  set_blocks(model, method, candidates, end_weight, mass);
  still_round_off(model, method, free_velocity, workspace, mass);
  recall(candidates);
  apply_restitution(model, method, candidates);
  weight_.clear();
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const bool touches = candidates[k].crossing || closes(candidates[k], block(k), method.step);
    weight_.push_back(touches ? impact_weight(candidates[k].contact, end_weight) : smooth_weight);
  }
  if (!joined_) return;
  joined_slight_.assign(slight_.begin(), slight_.begin() + rows());
  for (double& speed : joined_slight_) speed *= joining_digits;
  joined_->assemble(model, method.form, {constraint_rows_, blocks_, at.q, free_velocity, extra}, u_free, joined_slight_,
                    workspace);
}

/// Sets velocities and offsets that are round-off to zero, since they would decide about groups of rows at rest, or in
/// flight together. Round-off is relative to the other velocities and to those whose difference a velocity is
/// (carried_speed). It is relative, too, to what gravity makes in a step, and to what the bounds of a row can make.
void ContactStep::still_round_off(const Model& model, const Method& method, const VectorX& free_velocity,
                                  const DynamicsWorkspace& workspace, const MassOperator& mass) {
  constexpr double recursion_digits = 10;              // lost on the way along a tree
  constexpr double round_off = 1e-14, least = 1e-100;  // m/s or rad/s: below, velocities run out of digits
  double scale = std::max(method.step * model.gravity().norm(), least / round_off);
  scale = std::max({scale, largest_speed(free_), largest_speed(start_)});
  least_approach_ = round_off_approach * scale;  // of velocities alone: what bounds could make says nothing of impacts
  for (const ConstraintRow& row : constraint_rows_)
    scale = std::max(scale, carried_speed(row, free_velocity, workspace) / in_rows(row));
  for (std::size_t i = 0; i < standing_; ++i) {
    if (!std::isfinite(blocks_[i].upper)) continue;
    scale = std::max(scale, mass.diagonal(static_cast<int>(i)) * blocks_[i].upper / in_rows(constraint_rows_[i]));
  }
  // The bound |J v| ≤ √(J M⁻¹ Jᵀ) √(vᵀ M v) gives what round-off of the mechanism's motion makes of a row. It matters
  // above all for joints of small inertia that are carried along.
  double speed = method.step * model.gravity().norm();
  speed = std::max(speed, size_.fastest(free_velocity));
  for (int i = 0; i < static_cast<int>(rows()); ++i) {
    const ConstraintRow& row = constraint_rows_[i];
    const double carried = std::sqrt(mass.diagonal(i) * touching_mass(model, row)) * speed;
    const double of_row = size_.is_length(row) ? scale : scale / size_.least();
    slight_[i] = round_off * std::max(of_row, recursion_digits * carried);
    if (std::abs(free_[i]) <= slight_[i]) free_[i] = 0;
  }
  for (Block& block : blocks_) {
    if (std::abs(block.offset) <= slight_[block.normal_row()]) block.offset = block.push_speed = 0;
  }
}

void ContactStep::begin(const State& state) {
  memory_.reserve(state.contacts.capacity());
  memory_.assign(state.contacts.begin(), state.contacts.end());
  const auto count = static_cast<std::size_t>(standing_rows_.count());
  standing_memory_.assign(count, 0.0);
  if (static_cast<std::size_t>(state.standing.size()) == count && state.standing.allFinite()) {
    std::copy_n(state.standing.data(), count, standing_memory_.begin());
  }
}

/// The impulses of memory_ in the candidates' frames. Both are sorted by id.
void ContactStep::recall(const std::vector<CandidateContact>& candidates) {
  places_.clear();
  std::copy_n(standing_memory_.begin(), standing_, warm_start_.begin());
  auto known = memory_.begin();
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const Contact& contact = candidates[k].contact;
    const Block& block = this->block(k);
    places_.push_back({contact.id, contact.R_WC});
    std::fill_n(warm_start_.begin() + block.row, block.size(), 0.0);
    while (known != memory_.end() && known->id < contact.id) ++known;
    if (known == memory_.end() || known->id != contact.id || !known->impulse.allFinite()) continue;
    if (!contact.id.is_surface()) {
      warm_start_[block.row] = known->impulse.z();
    } else {
      Eigen::Map<Vec3>(warm_start_.data() + block.row) = contact.R_WC.transpose() * known->impulse;
    }
  }
}

void ContactStep::remember() {
  std::copy_n(impulse_.begin(), standing_, standing_memory_.begin());
  memory_.clear();
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const Block& block = this->block(k);
    if (!(impulse_[block.normal_row()] > 0)) continue;
    const Vec3 impulse = places_[k].id.is_surface()
                             ? Vec3(places_[k].R_WC * Eigen::Map<const Vec3>(impulse_.data() + block.row))
                             : Vec3(0, 0, impulse_[block.row]);
    memory_.push_back({places_[k].id, impulse, false});
  }
}

/// Constraints that contradicted one another in the last problem are likely to do so in this one.
void ContactStep::suspect_contradiction() {
  if (contradiction_.empty()) return;
  std::fill_n(scratch_.begin(), rows(), 0.0);
  for (const Contradiction& of : contradiction_) {
    if (of.standing < standing_) scratch_[of.standing] = of.part;
    for (std::size_t k = 0; of.standing >= standing_ && k < places_.size(); ++k) {
      if (places_[k].id == of.id) scratch_[block(k).normal_row()] = of.part;
    }
  }
  solver_.suspect({scratch_.data(), static_cast<std::size_t>(rows())});
}

void ContactStep::remember_contradiction() {
  contradiction_.clear();
  if (solution_.status != SolveStatus::infeasible) return;
  const std::span<const double> dual = solver_.infeasibility();
  for (std::size_t i = 0; i < standing_; ++i) {
    if (dual[i] != 0) contradiction_.push_back({i, {}, dual[i]});
  }
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const double part = dual[block(k).normal_row()];
    if (part != 0) contradiction_.push_back({standing_, places_[k].id, part});
  }
}

void ContactStep::prepare_start(const MassOperator& mass) {
  taken_ = 1;
  if (joined_ || rows() == 0 || mass.contact_operator().form() != ContactOperator::Form::factors) return;
  Eigen::Map<VectorX> change(scratch_.data(), rows());
  const Eigen::Map<const VectorX> now(impulse_.data(), rows()), before(warm_start_.data(), rows());
  if (before.isZero(0) || now == before) return;
  change_ = now - before;
  mass.contact_operator().multiply(change_, change);
  const double scale = Eigen::Map<const VectorX>(free_.data(), rows()).cwiseAbs().maxCoeff();
  if (change.cwiseAbs().maxCoeff() <= of_correction * scale) taken_ = taken_of_correction;
}

Vec3 ContactStep::next_start(std::size_t candidate) const {
  const Block& block = this->block(candidate);
  Vec3 start = Vec3::Zero();
  for (int i = 0; i < block.size(); ++i) start[block.size() == 1 ? 2 : i] = next_start(block.row + i);
  return start;
}

double ContactStep::next_start(int row) const {
  const double before = warm_start_[row], now = impulse_[row];
  return taken_ == 1 ? now : before + taken_ * (now - before);
}

void ContactStep::next_start(VectorX& standing) const {
  standing.resize(static_cast<Eigen::Index>(standing_));
  for (int row = 0; row < static_cast<int>(standing_); ++row) standing[row] = next_start(row);
}

/// Impulses of the velocity-level problem if there is no solution, so that a run can go on. The first `standing` blocks
/// of the problem are of standing rows.
void ContactStep::fall_back(const ContactOptions& options, const ContactProblem& problem, std::size_t standing,
                            bool by_islands, Eigen::Ref<VectorX> p, Eigen::Ref<VectorX> u_plus) {
  relaxed_.assign(problem.blocks.begin(), problem.blocks.end());
  for (std::size_t k = standing; k < relaxed_.size(); ++k) {
    const bool keep = by_islands && solver_.status(static_cast<int>(k)) == SolveStatus::solved;
    if (!keep) relaxed_[k].offset = std::max(relaxed_[k].offset, 0.0);
  }
  const ContactProblem velocity_level{problem.A, problem.u, relaxed_};
  if (solver_.solve(velocity_level, options, {}, p, u_plus).status == SolveStatus::solved) return;
  for (std::size_t k = 0; k < relaxed_.size(); ++k) {
    if (solver_.status(static_cast<int>(k)) == SolveStatus::solved) continue;
    p.segment(relaxed_[k].row, relaxed_[k].size()).setZero();
  }
}

/// Impulses of least norm among those that move the mechanism alike.
void ContactStep::share_load(const MassOperator& mass) {
  const Eigen::Index n = standing_rows_.constraint_count();
  if (n == 0) return;
  const auto A = mass.delassus().topLeftCorner(n, n);
  if (multipliers_.factor(A) == 0) return;
  Eigen::Map<VectorX> p(impulse_.data(), n), speed(scratch_.data(), n);
  speed.noalias() = A * p;
  multipliers_.solve(speed, p);
}

/// Pairs of shapes one after the other; their contacts are neighbours.
void ContactStep::share_faces(const Method& method) {
  double scale = 0;
  for (Eigen::Index i = 0; i < rows(); ++i) scale = std::max(scale, std::abs(free_[i]));
  for (std::size_t first = 0, end = 0; first < places_.size(); first = end) {
    pair_.clear();
    for (end = first; end < places_.size(); ++end) {
      const ContactId &id = places_[end].id, &of_pair = places_[first].id;
      if (id.a != of_pair.a || id.b != of_pair.b || !id.is_surface()) break;
      const int row = block(end).row;
      pair_.push_back({&block(end), &constraint_rows_[row], velocity_.data() + row, impulse_.data() + row});
    }
    end = std::max(end, first + 1);
    if (pair_.size() > 1)
      sharing_.share(pair_, std::max(round_off_slip, above_tolerance * solution_.tolerance) * scale,
                     method.generators());
  }
}

ContactSolution ContactStep::solve(const Method& method, MassOperator& mass, VectorX& velocity) {
  solution_ = {};
  if (rows() == 0) return solution_;
  if (joined_) return solve_joined(method, mass, velocity);
  const Eigen::Map<const VectorX> u_free(free_.data(), rows());
  Eigen::Map<VectorX> p(impulse_.data(), rows()), u_plus(velocity_.data(), rows());
  const ContactOptions options = contact_options(method, &stop_);
  const ContactProblem problem{mass.contact_operator(), u_free, blocks_};
  const std::span<const double> warm_start(warm_start_.data(), static_cast<std::size_t>(rows()));
  const bool mixed = method.form == ContactForm::mixed, poisson = method.law->in_step == InStep::poisson;
  if (mixed) {
    solution_ = mixed_.solve_mixed(mass.matrix(), mass.jacobian(), velocity, blocks_, options.polyhedral, p, end_);
    if (method.rungs != nullptr) method.rungs->add(solution_);
  } else if (poisson) {
    solution_ = poisson_.solve(problem, options, warm_start, p, u_plus);
  } else {
    suspect_contradiction();
    solution_ = solver_.solve(problem, options, warm_start, p, u_plus);
    remember_contradiction();
  }
  if (is_usable(solution_)) {
    if (!mixed && !poisson && has_moved(solution_)) share_faces(method);
    remember();
  } else {
    fall_back(options, problem, standing_, !mixed && !poisson, p, u_plus);
  }
  share_load(mass);
  if (mixed && solution_.status == SolveStatus::solved) {
    velocity = end_;
  } else {
    mass.add_response(p, velocity);
  }
  problem.A.multiply(p, u_plus);
  u_plus += u_free;
  return solution_;
}

/// The same with bilateral rows joined away: the problem of the others, and what it means for all.
ContactSolution ContactStep::solve_joined(const Method& method, MassOperator& mass, VectorX& velocity) {
  const ContactProblem problem = joined_->problem();
  const std::vector<int>&kept = joined_->kept(), &kept_blocks = joined_->kept_blocks();
  const auto k = static_cast<Eigen::Index>(kept.size());
  for (auto* buffer : {&kept_impulse_, &kept_velocity_, &kept_start_}) grow(*buffer, k);
  Eigen::Map<VectorX> p(kept_impulse_.data(), k), u_kept(kept_velocity_.data(), k);
  for (Eigen::Index i = 0; i < k; ++i) kept_start_[i] = warm_start_[kept[i]];
  const std::span<const double> warm_start(kept_start_.data(), kept.size());
  const ContactOptions options = contact_options(method, &stop_);
  const bool pure = method.form == ContactForm::pure;
  if (k > 0) {
    solution_ = pure ? solver_.solve(problem, options, warm_start, p, u_kept)
                     : joined_->solve_handles(options.polyhedral, warm_start, p, u_kept);
    if (!pure && method.rungs != nullptr) method.rungs->add(solution_);
  }
  if (!pure && !is_usable(solution_)) {  // round-off decides among redundant contacts: other methods may arrive
    solution_ = solver_.solve(problem, options, warm_start, p, u_kept);
  }
  const bool usable = is_usable(solution_);
  if (!usable) {
    const auto of_contacts = std::lower_bound(kept_blocks.begin(), kept_blocks.end(), static_cast<int>(standing_));
    fall_back(options, problem, static_cast<std::size_t>(of_contacts - kept_blocks.begin()), true, p, u_kept);
  }
  Eigen::Map<VectorX> all(impulse_.data(), rows()), u_plus(velocity_.data(), rows());
  joined_->expand(p, velocity, all);
  mass.apply(velocity, u_plus);
  for (Eigen::Index i = 0; i < rows(); ++i) u_plus[i] += constraint_rows_[i].compliance * all[i];
  if (usable) {
    if (has_moved(solution_)) share_faces(method);
    remember();
  }
  return solution_;
}

}  // namespace carom
