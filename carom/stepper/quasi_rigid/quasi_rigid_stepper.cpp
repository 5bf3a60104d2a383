#include "carom/stepper/quasi_rigid/quasi_rigid_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/dynamics/applied_force.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/recursions.h"
#include "carom/stepper/report_parts.h"

namespace carom {
namespace {

constexpr double overlap_tolerance = 1e-9;  // m or rad: what a motion may overlap before a constraint counts as missed
constexpr double other_branch = 1e-6;       // of the bodies' size: closest points that are not the nearest
constexpr int most_resolves = 30;
constexpr int largest_dense = 160;  // unknowns; above, sparse factors are faster

/// Least bounding radius of what moves.
double least_size(const Model& model) {
  double least = std::numeric_limits<double>::infinity();
  for (const Collider& collider : model.colliders()) {
    if (!model.is_static(collider.body)) least = std::min(least, bounding_radius(collider.shape));
  }
  return std::isfinite(least) && least > 0 ? least : 0.1;
}

bool same_corner(const CornerOnPlane& a, const CornerOnPlane& b) {
  constexpr double near = 1e-7;
  return a.corner_on_a == b.corner_on_a && (a.corner - b.corner).norm() < near && (a.normal - b.normal).norm() < near;
}

bool same_pair(const ContactId& a, const ContactId& b) { return a.a == b.a && a.b == b.b; }

/// Whether two elements are of the same bodies and materials: of one pair, or of pieces of one body beside each other.
bool same_surfaces(const Model& model, const ContactElement& x, const ContactElement& y) {
  const auto material = [&](int collider) { return model.colliders()[collider].material; };
  return x.body_a == y.body_a && x.body_b == y.body_b && material(x.id.a) == material(y.id.a) &&
         material(x.id.b) == material(y.id.b);
}

/// How far from the world's origin rigid corners are, m: gaps there are round-off to so many parts of it.
double extent(const std::vector<ContactElement>& elements, const std::vector<Transform>& X_WB) {
  double farthest = 0;
  for (const ContactElement& e : elements) {
    if (e.is_smooth || e.law.has_layer()) continue;
    const int body = e.corner.corner_on_a ? e.body_a : e.body_b;
    const Vec3 corner = body < 0 ? e.corner.corner : X_WB[body] * e.corner.corner;
    farthest = std::max(farthest, corner.norm() + e.corner.corner.norm());
  }
  return farthest;
}

/// Normal from B towards A of a corner on a plane, world.
Vec3 normal_of_corner(const ContactElement& element, const std::vector<Transform>& X_WB) {
  const CornerOnPlane& c = element.corner;
  const int flat = c.corner_on_a ? element.body_b : element.body_a;
  const Vec3 normal = flat < 0 ? c.normal : X_WB[flat].R * c.normal;
  return c.corner_on_a ? normal : Vec3(-normal);
}

/// Whether closest points and a corner on a plane, of one pair, say the same.
bool same_touch(const ContactElement& smooth, const ContactElement& corner, const std::vector<Transform>& X_WB) {
  constexpr double agree = 1 - 1e-6;  // cosine of normals
  return smooth.guess.segment<3>(ClosestPointSystem::normal).dot(normal_of_corner(corner, X_WB)) > agree;
}

}  // namespace

QuasiRigidStepper::QuasiRigidStepper(const Model& model, const Method& method)
    : method_(method),
      begin_(model),
      middle_(model),
      end_(model),
      scratch_(model),
      mass_(model, method.dynamics),
      free_motion_(model),
      projection_(model, mass_),
      finder_(model),
      elements_of_(model, method),
      row_maker_(model),
      problem_(model),
      length_(least_size(model)) {
  for (VectorX* q : {&at_.q, &q_scratch_}) q->setZero(model.position_count());
  for (VectorX* v :
       {&at_.start, &at_.reach, &at_.applied, &w_start_, &v_end_, &controlled_, &f_contact_, &f_rows_, &scratch_w_}) {
    v->setZero(model.velocity_count());
  }
  blows_.struck.assign(static_cast<std::size_t>(model.body_count()), 0);
  blows_.turning_work.assign(static_cast<std::size_t>(model.body_count()), 0);
}

double QuasiRigidStepper::speed_scale(const Model& model, double h) const {
  double speed = std::max(h * model.gravity().norm(), 1e-9);
  for (int body = 0; body < model.body_count(); ++body) {
    const Vec3 center = begin_.X_WB[body] * model.bodies()[body].inertia.center;
    speed = std::max(speed, point_velocity(body, center, begin_).norm() + begin_.V[body].head<3>().norm() * length_);
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
  const VectorX& free = free_motion_.solve(model, method_, at_, state.q, state.v, middle_, mass_);
  start_.h = h;
  start_.end = at_.end;
  start_.q = state.q;
  to_carried(model, at_.q, free, start_.free);
  to_carried(model, state.q, state.v, w_start_);
  mass_matrix(model, middle_, start_.mass);
  start_.mass.diagonal() += free_motion_.augmentation(h);
  const MatrixX B = carried_basis(model, at_.q);
  for (int body = 0; body < model.body_count(); ++body) {
    if (model.root(body) != body) continue;
    std::vector<int> tree;
    for (const auto& [first, count] : model.tree(body).coordinates) {
      for (int k = first; k < first + count; ++k) tree.push_back(k);
    }
    const MatrixX basis = B(tree, tree), own = start_.mass(tree, tree);
    start_.mass(tree, tree) = basis.transpose() * own * basis;
  }
}

/// Impulse and deflections of the last step. A contact that comes under a new name, or overlaps from the start, finds
/// its layers pressed in as far as the surfaces have come then. Whether the state knew the name.
bool QuasiRigidStepper::recall(const Model& model, const State& state, const Contact& contact,
                               ContactElement& element) {
  const auto memory = std::find_if(state.contacts.begin(), state.contacts.end(),
                                   [&](const ContactMemory& m) { return m.id == contact.id; });
  const Vec3 n = contact.R_WC.col(2);
  if (memory != state.contacts.end()) {
    // What lies along the surface turns with it: with the mean of both bodies.
    double spin = 0;
    for (const int body : {element.body_a, element.body_b}) {
      if (body >= 0) spin += 0.5 * n.dot(begin_.X_WB[body].R * begin_.V[body].head<3>());
    }
    ElementFinder::recall(*memory, contact.R_WC, start_.h * spin, element);
    return true;
  }
  if (!element.law.has_layer()) return false;
  double depth = element.id.is_patch() ? -gap_at_start(element)
                                       : -finder_.nearest(model, element.id.a, element.id.b, begin_.X_WB).gap;
  if (!element.is_smooth) depth = std::min(depth, -gap_at_start(element));
  if (depth > 0) element.start = element.law.pressed_in(depth);
  return false;
}

bool QuasiRigidStepper::insert(const ContactElement& element) {
  elements_.insert(std::lower_bound(elements_.begin(), elements_.end(), element.id,
                                    [](const ContactElement& e, const ContactId& id) { return e.id < id; }),
                   element);
  return true;
}

/// Whether that changed the elements.
bool QuasiRigidStepper::add_element(const Model& model, const State& state, const Contact& contact, bool shared,
                                    bool cold, bool missed, const std::vector<Transform>& X_WB) {
  const auto place = std::lower_bound(elements_.begin(), elements_.end(), contact.id,
                                      [](const ContactElement& e, const ContactId& id) { return e.id < id; });
  if (place != elements_.end() && place->id == contact.id) return false;
  if (std::find(dropped_.begin(), dropped_.end(), contact.id) != dropped_.end()) return false;
  ContactElement element = elements_of_.make(model, contact, shared, X_WB, speed_);
  const bool known = recall(model, state, contact, element);
  if (cold) element.last.setZero();
  // One pair has closest points, or corners; both only where one was missed beside the other, or edges cross elsewhere.
  if (element.is_smooth) {
    for (const ContactElement& other : elements_) {
      if (!same_pair(other.id, element.id)) continue;
      if (other.is_smooth || (!missed && same_touch(element, other, X_WB))) return false;
    }
    return insert(element);
  }
  if (element.id.is_patch()) return insert(element);
  // Features are counted anew where another face becomes the reference, so one corner may come under two names; and
  // pieces of a body may share one.
  for (ContactElement& other : elements_) {
    if (other.is_smooth || !same_surfaces(model, other, element) || !same_corner(other.corner, element.corner))
      continue;
    const bool other_known = std::any_of(state.contacts.begin(), state.contacts.end(),
                                         [&](const ContactMemory& m) { return m.id == other.id; });
    if (!known || other_known) return false;
    other.start = element.start;
    other.last = element.last;
    return false;
  }
  if (!missed) {
    std::erase_if(elements_, [&](const ContactElement& e) {
      return same_pair(e.id, element.id) && e.is_smooth && same_touch(e, element, X_WB);
    });
  }
  return insert(element);
}

/// Contacts near the linearisation (cold: near the step's start), and those that the state remembers.
void QuasiRigidStepper::gather(const Model& model, const State& state, bool cold) {
  elements_.clear();
  dropped_.clear();
  stops_.clear();
  const std::vector<Transform>& X_WB = cold ? begin_.X_WB : middle_.X_WB;
  const VectorX& q = cold ? state.q : at_.q;
  const double closing = 2 * start_.h * start_.h * model.gravity().norm() + 1e-3 * start_.h * speed_;
  const ContactPatches& patches = elements_of_.patches();
  std::vector<Contact> near = finder_.find(model, q, X_WB, closing);
  patches.replace(model, X_WB, closing, near);
  for (const ContactMemory& memory : state.contacts) {
    const bool listed = std::any_of(near.begin(), near.end(), [&](const Contact& c) { return c.id == memory.id; });
    Contact contact;
    if (!listed && patches.evaluate(model, finder_, memory.id, q, X_WB, contact)) near.push_back(contact);
  }
  std::sort(near.begin(), near.end(), [](const Contact& a, const Contact& b) { return a.id < b.id; });
  for (std::size_t i = 0; i < near.size(); ++i) {
    const Contact& contact = near[i];
    if (!contact.id.is_surface()) {
      // Their rows are told at the linearisation, wherever they were found.
      Contact stop = contact;
      if (!cold || finder_.evaluate(model, contact.id, at_.q, middle_.X_WB, stop)) stops_.push_back(stop);
      continue;
    }
    const bool shared = (i > 0 && same_pair(near[i - 1].id, contact.id)) ||
                        (i + 1 < near.size() && same_pair(near[i + 1].id, contact.id));
    add_element(model, state, contact, shared, cold, false, X_WB);
  }
}

void QuasiRigidStepper::start_unknowns(bool cold) {
  const int n = problem_.size();
  z_.setZero(n);
  sizes_.assign(static_cast<std::size_t>(n), 1.0);
  const bool rests = std::any_of(elements_.begin(), elements_.end(), [](const auto& e) { return e.last[2] > 0; });
  z_.head(w_start_.size()) = rests && !cold ? w_start_ : start_.free;
  problem_.at(z_);
  for (Eigen::Index k = 0; k < w_start_.size(); ++k) {
    const bool angle = problem_.motion().column(static_cast<int>(k)).angular != Vec3::Zero();
    sizes_[static_cast<std::size_t>(k)] = angle ? speed_ / length_ : speed_;
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    f_rows_.setZero();
    QuasiRigidProblem::add_impulse(rows_[i], 1, f_rows_);
    problem_.solve_mass(f_rows_, scratch_w_);
    const double yields = f_rows_.dot(scratch_w_) + rows_[i].compliance;
    sizes_[static_cast<std::size_t>(problem_.row_index(i))] = yields > 0 ? speed_ / yields : 1;
  }
  for (const ContactElement& element : elements_) {
    const int law = element.law_index(), count = element.law.size(), geometry = element.geometry_size();
    for (int i = 0; i < geometry; ++i) {
      const bool is_length = i < ClosestPointSystem::normal || i == ClosestPointSystem::gap;
      sizes_[static_cast<std::size_t>(element.first + i)] = is_length ? length_ : 1;
    }
    for (int i = 0; i < count; ++i) sizes_[static_cast<std::size_t>(law + i)] = element.law.unknown_size(i);
    if (geometry > 0) z_.segment(element.first, geometry) = element.guess;
    element.law.unknowns(element.last, problem_.input(element, z_).velocity, z_.segment(law, count));
  }
}

bool QuasiRigidStepper::solve(const Model& model, bool cold) {
  row_maker_.make(model, start_.h, at_, middle_, stops_, rows_);
  problem_.pose(start_, rows_, elements_);
  start_unknowns(cold);
  lower_.resize(problem_.size());
  upper_.resize(problem_.size());
  problem_.bounds(lower_, upper_);
  MixedNcp ncp{.lower = lower_,
               .upper = upper_,
               .function = [&](const MixedNcp::Input& z, Eigen::Ref<VectorX> F) { return problem_.residual(z, F); },
               .dense_jacobian = {},
               .sparse_jacobian = {},
               .sizes = sizes_};
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
  MixedNcpOptions options;
  // Several corners on one plane cannot all end on it to less than round-off, which a short step magnifies.
  const double round_off = std::numeric_limits<double>::epsilon() * extent(elements_, begin_.X_WB);
  constexpr double most = 1e-9;
  options.tolerance = std::max(method_.quasi_rigid.tolerance, std::min(most, 4 * round_off / (start_.h * speed_)));
  options.max_iterations = method_.quasi_rigid.iterations;
  options.fall_back = cold;
  options.further_starts = cold ? 3 : 0;
  options.largest_dense = largest_dense;
  const MixedNcpResult result = solver_.solve(ncp, options, z_);
  report_.iterations += result.iterations;
  report_.lcp_size = std::max(report_.lcp_size, problem_.size());
  solved_ = result;
  if (result.status != NcpStatus::solved) return false;
  problem_.at(z_);
  return true;
}

/// Whether what the motion found overlaps and took no part in it joined: then it is to be solved again.
bool QuasiRigidStepper::add_missed(const Model& model, const State& state) {
  const CarriedMotion& motion = problem_.motion();
  bool joined = false;
  std::vector<Contact> closed = finder_.find(model, motion.q(), motion.workspace().X_WB, 0);
  elements_of_.patches().replace(model, motion.workspace().X_WB, 0, closed);
  for (std::size_t i = 0; i < closed.size(); ++i) {
    const Contact& contact = closed[i];
    if (contact.gap >= -overlap_tolerance) continue;
    if (!contact.id.is_surface()) {
      const bool held = std::any_of(stops_.begin(), stops_.end(), [&](const Contact& c) { return c.id == contact.id; });
      Contact stop;
      if (!held && finder_.evaluate(model, contact.id, at_.q, middle_.X_WB, stop)) {
        stops_.push_back(stop);
        joined = true;
      }
      continue;
    }
    const bool shared = (i > 0 && same_pair(closed[i - 1].id, contact.id)) ||
                        (i + 1 < closed.size() && same_pair(closed[i + 1].id, contact.id));
    joined |= add_element(model, state, contact, shared, true, true, motion.workspace().X_WB);
  }
  crossings_.clear();
  from_carried(model, state.q, z_.head(w_start_.size()), v_end_);
  forward_velocity(model, state.q, v_end_, begin_);
  find_crossings(model, state.q, v_end_, start_.h, begin_, motion.workspace(), finder_, scratch_, q_scratch_,
                 crossings_);
  for (const Crossing& crossing : crossings_) {
    const bool held = std::any_of(elements_.begin(), elements_.end(),
                                  [&](const ContactElement& e) { return same_pair(e.id, crossing.contact.id); });
    if (held) continue;
    integrate(model, state.q, v_end_, crossing.fraction * start_.h, q_scratch_);
    forward_kinematics(model, q_scratch_, scratch_);
    std::vector<Contact> met{crossing.contact};
    elements_of_.patches().replace(model, scratch_.X_WB, std::numeric_limits<double>::infinity(), met);
    for (const Contact& contact : met) joined |= add_element(model, state, contact, false, true, true, scratch_.X_WB);
  }
  return joined;
}

/// Gap of a corner over its plane when the step begins.
double QuasiRigidStepper::gap_at_start(const ContactElement& element) const {
  const CornerOnPlane& c = element.corner;
  const auto pose = [&](int body) { return body < 0 ? Transform{} : begin_.X_WB[body]; };
  const Transform X_corner = pose(c.corner_on_a ? element.body_a : element.body_b);
  const Transform X_plane = pose(c.corner_on_a ? element.body_b : element.body_a);
  const Vec3 normal = X_plane.R * c.normal;
  const double tilt = normal.dot(X_corner.R * c.axis);
  return normal.dot(X_corner * c.corner - X_plane * c.point) - c.ball -
         c.rim * std::sqrt(std::max(0.0, 1 - tilt * tilt));
}

/// A face's plane goes on beyond its edges: corners that it holds while the bodies are apart leave the step. Whether
/// there were any.
bool QuasiRigidStepper::drop_beside_face(const Model& model) {
  const auto pushes_beside = [&](const ContactElement& element) {
    if (element.is_smooth || !(element.law.impulse(z_.segment(element.law_index(), element.law.size()))[2] > 0)) {
      return false;
    }
    const auto& X_WB = problem_.motion().workspace().X_WB;
    return finder_.nearest(model, element.id.a, element.id.b, X_WB).gap > other_branch * length_;
  };
  const std::size_t before = dropped_.size();
  for (const ContactElement& element : elements_) {
    if (pushes_beside(element)) dropped_.push_back(element.id);
  }
  std::erase_if(elements_, [&](const ContactElement& element) {
    return std::find(dropped_.begin(), dropped_.end(), element.id) != dropped_.end();
  });
  return dropped_.size() > before;
}

/// One try of a step of length h. False if its problem was not solved.
bool QuasiRigidStepper::take(const Model& model, const State& state, double h, bool cold) {
  forward_kinematics(model, state.q, begin_);
  forward_velocity(model, state.q, state.v, begin_);
  speed_ = speed_scale(model, h);
  linearise(model, state, h);
  gather(model, state, cold);
  // Seen where they overlap, bodies may seem to have come through another face than they did.
  const auto comes_from_behind = [&](const ContactElement& element) {
    return !element.is_smooth && gap_at_start(element) < -element.start.total().z() - other_branch * length_;
  };
  if (!cold && std::any_of(elements_.begin(), elements_.end(), comes_from_behind)) return false;
  for (int round = 0; round <= most_resolves; ++round) {
    if (!solve(model, cold)) return false;
    const bool dropped = drop_beside_face(model);
    if (!dropped && !add_missed(model, state)) break;
    if (round == most_resolves) return false;
    ++report_.resolves;
  }
  if (!z_.allFinite() || !problem_.motion().q().allFinite()) return false;
  for (const ContactElement& element : elements_) {
    // Of levels there is but one point.
    if (!element.is_smooth || element.level != ClosestPointSystem::Level::none) continue;
    const double p = element.law.impulse(z_.segment(element.law_index(), element.law.size()))[2];
    const double gap = z_[element.first + ClosestPointSystem::gap];
    if (!(p > 0) && gap > 0) continue;
    const Contact nearest = finder_.nearest(model, element.id.a, element.id.b, problem_.motion().workspace().X_WB);
    if (std::abs(nearest.gap - gap) > other_branch * length_) return false;
  }
  return true;
}

/// Advances the state by h, in as many parts as it takes. False if a part was not solved: the state is then where the
/// parts before it ended.
bool QuasiRigidStepper::advance_by(const Model& model, State& state, double h, int halvings) {
  if (take(model, state, h, false) || take(model, state, h, true)) {
    finish(model, state, h);
    time_ += h;
    return true;
  }
  if (halvings == 0) return false;
  return advance_by(model, state, h / 2, halvings - 1) && advance_by(model, state, h / 2, halvings - 1);
}

const StepReport& QuasiRigidStepper::advance(const Model& model, State& state) {
  const double step = method_.step;
  clear(report_, state.step + 1, time_after(state, step));
  if (kept_ != nullptr) *kept_ = {};
  call_controller(controller_, model, state, controlled_);
  time_ = state.time;
  const std::vector<ContactMemory> before = state.contacts;
  solved_ = {.status = NcpStatus::solved};
  report_.solver = SolverKind::newton;
  forward_kinematics(model, state.q, begin_);
  forward_velocity(model, state.q, state.v, begin_);
  report_.energy.kinetic = kinetic_energy(model, begin_);
  report_.energy.potential = potential_energy(model, state.q, begin_) + stored(model, state.contacts);
  if (!advance_by(model, state, step, method_.quasi_rigid.halvings)) {
    const bool ran_out = solved_.status == NcpStatus::iteration_limit;
    report_.status = ran_out ? SolveStatus::iteration_limit : SolveStatus::inaccurate;
    report_.contact_certificate.natural_map = std::max(report_.contact_certificate.natural_map, solved_.residual);
  }
  method_.step = step;
  report_events(model, before, state.contacts);
  state.time = report_.time;
  state.step = report_.step;
  return report_;
}

}  // namespace carom
