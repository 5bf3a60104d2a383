#include "carom/stepper/quasi_rigid/quasi_rigid_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/complementarity/worse_of.h"
#include "carom/dynamics/applied_force.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/recursions.h"
#include "carom/stepper/report_parts.h"

namespace carom {
namespace {

constexpr int most_resolves = 30;
constexpr int most_tries = 300;     // in iterations of one; a step that took as many is cut no further
constexpr int largest_dense = 160;  // unknowns; above, sparse factors are faster

}  // namespace

QuasiRigidStepper::QuasiRigidStepper(const Model& model, const Method& method)
    : method_(method),
      size_(model),
      begin_(model),
      middle_(model),
      end_(model),
      scratch_(model),
      mass_(model, method.dynamics),
      free_motion_(model),
      loads_(model),
      projection_(model, mass_),
      overlap_projection_(model, [this, &model](const ContactId& pair) { return layer_depth(model, pair); }),
      finder_(model),
      elements_of_(model, method),
      row_maker_(model),
      problem_(model),
      roots_(moving_roots(model)),
      judge_(model) {
  overlap_projection_.count_rungs(method.rungs);
  start_.masses.resize(roots_.size());
  for (VectorX* q : {&at_.q, &q_scratch_}) q->setZero(model.position_count());
  for (VectorX* v :
       {&at_.start, &at_.reach, &at_.applied, &w_start_, &v_end_, &controlled_, &f_contact_, &f_rows_, &scratch_w_}) {
    v->setZero(model.velocity_count());
  }
  impacts_.struck.assign(static_cast<std::size_t>(model.body_count()), 0);
  impacts_.turning_work.assign(static_cast<std::size_t>(model.body_count()), 0);
}

double QuasiRigidStepper::speed_scale(const Model& model, double h) const {
  double speed = std::max(h * model.gravity().norm(), 1e-10 * size_.least() / h);
  for (int body = 0; body < model.body_count(); ++body) {
    const Vec3 center = begin_.X_WB[body] * model.bodies()[body].inertia.center;
    speed =
        std::max(speed, point_velocity(body, center, begin_).norm() + begin_.V[body].head<3>().norm() * size_.least());
  }
  return speed;
}

void QuasiRigidStepper::linearise(const Model& model, const State& state, double h) {
  method_.step = h;
  at_.end = time_ + h;
  integrate(model, state.q, state.v, h, at_.q);
  at_.reach = state.v;
  if (projection_.has_constraints()) {
    // Off the constraints' manifold the rows of an overconstrained linkage are independent, and would lock it.
    projection_.project_position(model, at_.end, at_.q, middle_, mass_);
    difference(model, state.q, at_.q, at_.reach);
    at_.reach /= h;
  }
  transport_velocity(model, state.q, at_.q, at_.reach, at_.reach);
  transport_velocity(model, state.q, at_.q, state.v, at_.start);
  forward_kinematics(model, at_.q, middle_);
  forward_velocity(model, at_.q, at_.start, middle_);
  mass_.factor(model, free_motion_.augmentation(h), middle_);
  at_.applied = controlled_;
  add_applied_force(model, at_.end - 0.5 * h, middle_, at_.applied);
  const VectorX& free = free_motion_.solve(model, method_, at_, state.q, state.v, impacts_.end_weight, middle_, mass_);
  start_.h = h;
  start_.end = at_.end;
  start_.q = state.q;
  to_carried(model, state.q, state.v, w_start_);
  to_carried(model, at_.q, free, start_.free);
  const VectorX& extra = free_motion_.augmentation(h);
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    carried_mass(model, roots_[i], at_.q, extra, middle_, basis_, start_.masses[i]);
  }
}

void QuasiRigidStepper::start_unknowns(bool cold) {
  const int n = problem_.size();
  z_.setZero(n);
  sizes_.assign(static_cast<std::size_t>(n), 1.0);
  const auto size = [&](int unknown) -> double& { return sizes_[static_cast<std::size_t>(unknown)]; };
  const bool rests = std::any_of(elements_.begin(), elements_.end(), [](const auto& e) { return e.last[2] > 0; });
  z_.head(w_start_.size()) = rests && !cold ? w_start_ : start_.free;
  problem_.at(z_);
  for (Eigen::Index k = 0; k < w_start_.size(); ++k) {
    const bool angle = problem_.motion().column(static_cast<int>(k)).angular != Vec3::Zero();
    size(static_cast<int>(k)) = angle ? speed_ / size_.least() : speed_;
  }
  // Rows of momentum are measured by the mass that they move: impulses would excuse what great friction multiplies.
  row_sizes_.assign(static_cast<std::size_t>(n), 0.0);
  problem_.momentum_sizes(std::span(sizes_).first(w_start_.size()), std::span(row_sizes_).first(w_start_.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    size(problem_.row_index(i)) = yields_[i] > 0 ? speed_ / yields_[i] : 1;
  }
  for (const ContactElement& element : elements_) {
    const int law = element.law_index(), count = element.law.size(), geometry = element.geometry_size();
    for (int i = 0; i < geometry; ++i) {
      const bool is_length = i < ClosestPointSystem::normal || i == ClosestPointSystem::gap;
      size(element.first + i) = is_length ? size_.least() : 1;
    }
    for (int i = 0; i < count; ++i) size(law + i) = element.law.unknown_size(i);
    // The last row is (1 − c · c) / 2, whatever part of the cone matters.
    if (count > 1) row_sizes_[static_cast<std::size_t>(law + count - 1)] = 1;
    if (geometry > 0) z_.segment(element.first, geometry) = element.guess;
    element.law.unknowns(element.last, problem_.input(element, z_).velocity, z_.segment(law, count));
  }
}

/// Speeds that forces, drives and prescribed motions ask for, beside those that the step begins with.
double QuasiRigidStepper::driven_speed(const Model& model) {
  problem_.at(start_.free);
  double speed = 0;
  const auto note = [&](int coordinate, double rate) {
    const bool angle = problem_.motion().column(coordinate).angular != Vec3::Zero();
    speed = std::max(speed, std::abs(rate) * (angle ? size_.least() : 1));
  };
  for (int k = 0; k < model.velocity_count(); ++k) note(k, start_.free[k]);
  yields_.clear();
  for (const StepRow& row : rows_) {
    f_rows_.setZero();
    QuasiRigidProblem::add_impulse(row, 1, f_rows_);
    problem_.solve_mass(f_rows_, scratch_w_);
    yields_.push_back(f_rows_.dot(scratch_w_) + row.compliance);
    const double asked = std::abs(row.kind == StepRow::Kind::velocity ? row.offset : row.rate);
    const double push = row.force.norm(), strongest = std::max(std::abs(row.lower), std::abs(row.upper));
    // At most the velocity that the greatest impulse gives: a servo with a limit may ask for any.
    if (asked > 0 && push > 0) note(row.coordinates.front(), std::min(asked, strongest * yields_.back()) / push);
  }
  return speed;
}

/// Round-off of rows that divide a length by h, relative to the speeds of the step.
double QuasiRigidStepper::round_off() const {
  const auto is_length = [](const StepRow& row) { return row.kind != StepRow::Kind::velocity; };
  const bool has_rows =
      std::any_of(rows_.begin(), rows_.end(), is_length) ||
      std::any_of(elements_.begin(), elements_.end(), [](const auto& e) { return !e.is_smooth && !e.law.has_layer(); });
  if (!has_rows) return 0;
  double reach = size_.extent();
  for (const Transform& X : middle_.X_WB) reach = std::max(reach, X.p.norm() + size_.extent());
  return 4 * std::numeric_limits<double>::epsilon() * reach / (start_.h * speed_);
}

double QuasiRigidStepper::tolerance() const { return std::max(method_.quasi_rigid.tolerance, round_off()); }

/// Poses the problem of the elements, joint limits, ratchets and ropes at hand, and sets its start.
void QuasiRigidStepper::pose(const Model& model, const State& state, bool cold) {
  share_layers(model, state);
  level_corners();
  row_maker_.make(model, start_.h, at_, middle_, stops_, rows_);
  problem_.pose(start_, rows_, elements_);
  speed_ = std::max(speed_, driven_speed(model));
  start_unknowns(cold);
  lower_.resize(problem_.size());
  upper_.resize(problem_.size());
  problem_.bounds(lower_, upper_);
}

MixedNcp QuasiRigidStepper::problem_of_step() {
  MixedNcp ncp{.lower = lower_,
               .upper = upper_,
               .function =
                   [&](const MixedNcp::Input& z, Eigen::Ref<VectorX> F) {
                     stop_.check();
                     return problem_.residual(z, F);
                   },
               .dense_jacobian = {},
               .sparse_jacobian = {},
               .sizes = sizes_,
               .row_sizes = row_sizes_};
  if (problem_.size() <= largest_dense) {
    ncp.dense_jacobian = [&](const MixedNcp::Input& z, Eigen::Ref<MatrixX> J) {
      problem_.jacobian(z, J);
      return J.allFinite();
    };
  } else {
    ncp.sparse_jacobian = [&](const MixedNcp::Input& z, Eigen::SparseMatrix<double>& J) {
      problem_.jacobian(z, J);
      return true;
    };
  }
  return ncp;
}

/// Solves the posed problem, from z_ on; `thorough`: by all means that the solver has.
bool QuasiRigidStepper::solve(bool thorough) {
  MixedNcpOptions options;
  options.tolerance = tolerance();
  report_.tolerance = std::max(report_.tolerance, options.tolerance);
  options.max_iterations = method_.quasi_rigid.iterations;
  options.fall_back = thorough;
  options.further_starts = thorough ? 3 : 0;
  options.largest_dense = largest_dense;
  options.polish = true;  // rows that are slow beside the bodies, and impulses that are small, keep their digits
  const MixedNcpResult result = solver_.solve(problem_of_step(), options, z_);
  report_.iterations += result.iterations;
  report_.lcp_size = std::max(report_.lcp_size, problem_.size());
  solved_ = result;
  if (result.status != NcpStatus::solved) return false;
  problem_.at(z_);
  return true;
}

/// From z_ to a solution by contacts that creep less and less; as near to it as can be reached. False if not even much
/// creep has a solution that is found.
bool QuasiRigidStepper::solve_by_creep() {
  const auto creep = [&](double part) {
    for (ContactElement& element : elements_) element.law.set_creep(part);
  };
  constexpr double first = 1, last = 1e-10, slowest = 0.2;
  creep(first);
  if (!solve(true)) {
    creep(0);
    return false;
  }
  VectorX reached = z_;
  for (double at = first, factor = 1e-2; at > 0 && factor < slowest;) {
    const double next = at > last ? at * factor : 0;
    creep(next);
    if (solve(next == 0)) {
      reached = z_;
      at = next;
      factor *= factor;
    } else {
      z_ = reached;
      factor = at > last ? std::sqrt(factor) : 1;
    }
  }
  creep(0);
  solved_.residual = mixed_ncp_residual(problem_of_step(), z_);
  if (solved_.residual <= tolerance()) solved_.status = NcpStatus::solved;
  problem_.at(z_);
  return true;
}

/// From a solution without friction, by a part of it that grows, to the greatest that is reached.
void QuasiRigidStepper::solve_by_parts() {
  const auto act = [&](double part) {
    for (ContactElement& element : elements_) element.law.set_acting(part);
  };
  VectorX reached = z_;
  constexpr double first = 0.25, least = 1.0 / 64;
  double acting = 0;
  for (double stage = first; acting < 1 && stage >= least;) {
    const double next = std::min(1.0, acting + stage);
    act(next);
    if (solve(false)) {
      reached = z_;
      acting = next;
      stage *= 2;
    } else {
      z_ = reached;
      stage /= 2;
    }
  }
  act(1);
  solved_.residual = mixed_ncp_residual(problem_of_step(), z_);
  act(acting);
  all_friction_ = acting == 1;
}

/// Solves without friction, and raises friction from there by stages, each from the solution of the one before. This
/// reaches solutions that Newton's method misses from afar. False if there is none even without friction. Else z_ is as
/// near as was reached, and all_friction_ tells whether that is a solution.
bool QuasiRigidStepper::solve_in_stages() {
  const auto act = [&](double part) {
    for (ContactElement& element : elements_) element.law.set_acting(part);
  };
  act(0);
  const bool moves = solve(true);
  act(1);
  if (!moves) return false;
  const VectorX without = z_;
  constexpr double near = 1e-6;  // residual up to which it counts as a motion with friction that creeps
  const bool crept = solve_by_creep();
  all_friction_ = crept && solved_.status == NcpStatus::solved;
  if (!crept || solved_.residual > near) {
    z_ = without;
    solve_by_parts();
  }
  problem_.at(z_);
  return true;
}

/// One try of a step of length h. False if its problem was not solved. After stages it is solved only if
/// all_friction_ is set.
bool QuasiRigidStepper::take(const Model& model, const State& state, double h, Start start) {
  const bool cold = start != Start::warm;
  all_friction_ = true;
  forward_kinematics(model, state.q, begin_);
  forward_velocity(model, state.q, state.v, begin_);
  speed_ = speed_scale(model, h);
  linearise(model, state, h);
  gather(model, state, cold);
  share_layers(model, state);
  // If the detector sees bodies in overlap, they may seem to have come through another face than they did.
  const auto comes_from_behind = [&](const ContactElement& element) {
    return !element.is_smooth &&
           gap_at_start(element) < -element.start.total().z() - element.law.slack() - other_branch * size_.least();
  };
  if (!cold && std::any_of(elements_.begin(), elements_.end(), comes_from_behind)) return false;
  for (int round = 0; round <= most_resolves; ++round) {
    pose(model, state, cold);
    if (start == Start::in_stages ? !solve_in_stages() : !solve(cold)) return false;
    const bool dropped = drop_beside_face(model);
    if (!dropped && !add_missed(model, state)) break;
    if (round == most_resolves) {
      solved_ = {.status = NcpStatus::iteration_limit, .residual = 1};
      return false;
    }
    ++report_.resolves;
  }
  if (!z_.allFinite() || !problem_.motion().q().allFinite()) return false;
  if (std::any_of(crossings_.begin(), crossings_.end(), [](const Crossing& c) { return c.through || c.turned; })) {
    solved_ = {.status = NcpStatus::stalled, .residual = 1};
    return false;
  }
  for (const ContactElement& element : elements_) {
    // An element by levels has but one point.
    if (!element.is_smooth || element.level != ClosestPointSystem::Level::none) continue;
    const double p = element.law.impulse(z_.segment(element.law_index(), element.law.size()))[2];
    const double gap = z_[element.first + ClosestPointSystem::gap];
    if (!(p > 0) && gap > 0) continue;
    const Contact nearest = finder_.nearest(model, element.id.a, element.id.b, problem_.motion().workspace().X_WB);
    const double off = std::abs(nearest.gap - gap) / size_.least();
    if (off <= other_branch) continue;
    solved_ = {.status = NcpStatus::stalled, .residual = off};
    return false;
  }
  return true;
}

void QuasiRigidStepper::note_unsolved() {
  const bool ran_out = solved_.status == NcpStatus::iteration_limit;
  report_.status = ran_out ? SolveStatus::iteration_limit : SolveStatus::inaccurate;
  report_.solve_residual = worse_of(report_.solve_residual, solved_.residual);
}

/// Advances the state by h, in as many parts as it takes. An unsolved part goes on with friction that creeps a little
/// or as much as could be raised, or stays at its start.
void QuasiRigidStepper::advance_by(const Model& model, State& state, double h, int halvings) {
  bool whole = take(model, state, h, Start::warm) || take(model, state, h, Start::cold);
  const bool staged = !whole && take(model, state, h, Start::in_stages);
  whole = whole || (staged && all_friction_);
  if (!whole && halvings > 0 && report_.iterations < most_tries * method_.quasi_rigid.iterations) {
    advance_by(model, state, h / 2, halvings - 1);
    advance_by(model, state, h / 2, halvings - 1);
    return;
  }
  if (!whole) note_unsolved();
  if (whole || staged) {
    finish(model, state, h);
  } else {
    begin_evidence(model, state, h);
    judge(model, state.q, state.v);
    if (begins(state)) keep_starts(state);
  }
  time_ += h;
}

/// Moves overlapping bodies and joints apart, and books the energy that this gives.
void QuasiRigidStepper::move_apart(const Model& model, State& state) {
  constexpr double least = 1e-7;  // of sizes: the step takes less for round-off of the one before
  double deepest = 0;
  for (const Contact& contact : finder_.find(model, state.q, begin_.X_WB, 0)) {
    const double allowed = contact.id.is_surface() ? layer_depth(model, contact.id) : 0;
    if (!contact.id.is_ratchet()) deepest = std::max(deepest, (-contact.gap - allowed) / size_.of(contact.id));
  }
  if (deepest <= least) return;
  VectorX q = state.q;
  if (!overlap_projection_.apply(model, state.time, q, scratch_, mass_, finder_)) return;
  if (projection_.has_constraints()) projection_.project_position(model, state.time, q, scratch_, mass_);
  transport_velocity(model, state.q, q, state.v, state.v);
  state.q = q;
  if (projection_.has_constraints()) projection_.project_velocity(model, state.time, q, state.v, scratch_, mass_);
  forward_velocity(model, q, state.v, scratch_);
  const double kinetic = kinetic_energy(model, scratch_), potential = potential_energy(model, q, scratch_);
  EnergyLedger& energy = report_.energy;
  energy.kinetic_change = kinetic - energy.kinetic;
  energy.potential_change = potential + stored(model, state.contacts) - energy.potential;
  energy.projection = energy.kinetic_change + energy.potential_change;
}

StepReport& QuasiRigidStepper::advance(const Model& model, State& state, double length, const StepRequest& request) {
  const OnLeaving forget([this] {
    stop_ = {};
    told_ = nullptr;
  });
  stop_ = request.stop;
  told_ = request.evidence;
  if (request.problem != nullptr) *request.problem = {};
  controlled_ = request.force;
  clear(report_, state.step + 1, time_after(state, length));
  loads_.clear(report_.loads);
  report_.tolerance = method_.quasi_rigid.tolerance;
  time_ = state.time;
  const std::vector<ContactMemory> before = state.contacts;
  solved_ = {.status = NcpStatus::solved};
  report_.solver = SolverKind::newton;
  forward_kinematics(model, state.q, begin_);
  forward_velocity(model, state.q, state.v, begin_);
  report_.energy.kinetic = kinetic_energy(model, begin_);
  report_.energy.potential = potential_energy(model, state.q, begin_) + stored(model, state.contacts);
  if (method_.overlap == OverlapRemedy::project) move_apart(model, state);
  advance_by(model, state, length, method_.quasi_rigid.halvings);
  report_events(model, before, state.contacts);
  state.time = report_.time;
  state.step = report_.step;
  state.standing.resize(0);
  return report_;
}

}  // namespace carom
