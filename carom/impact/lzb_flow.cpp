#include "carom/impact/lzb_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {
namespace {

constexpr double stop_width = 1e-9;   // of speeds at the end of a compression, relative to the largest
constexpr double part_width = 1e-7;   // of compressions at the end of a contact, relative to the depth
constexpr double break_width = 1e-6;  // of friction forces at the end of sticking, relative to the normal force
constexpr double least_e = 1e-3;      // below it the stored energy is lost at once
constexpr double relaxation = 0.05;   // time in which a left slip dies out, of a collision of the contact alone
constexpr double creep = 1e-7;        // of the regularisation that shares sticking forces, relative

}  // namespace

void LzbFlow::begin(const ImpactProblem& problem, double slip_tolerance) {
  rows_.gather(problem);
  n_ = rows_.contacts();
  m_ = rows_.rows();
  speed_ = rows_.speed();
  velocity_.assign(rows_.velocity(), rows_.velocity() + m_);
  force_.resize(m_);
  contacts_.resize(n_);
  frictional_.clear();
  sprung_.clear();
  sticking_.clear();
  has_events_ = false;
  for (int i = 0; i < n_; ++i) {
    const ImpactRows::Contact& given = rows_.list()[i];
    const ImpactSurface& surface = problem.surfaces[given.block];
    Contact& contact = contacts_[i];
    contact = Contact();
    contact.layer = {surface.stiffness, surface.exponent};
    contact.law = &surface.restitution;
    contact.speed_matters = !surface.restitution.is_constant();
    contact.tangent = given.tangent;
    const double a = column(i)[i];
    contact.depth = a > 0 ? contact.layer.depth(a, speed_) : 0;
    contact.duration = contact.depth / speed_;
    update_restitution(contact, std::max(0.0, -velocity_[i]));
    if (velocity_[i] < 0) contact.phase = Phase::compressing;
    has_events_ = has_events_ || contact.speed_matters || contact.e < 1;
    if (contact.tangent < 0) continue;
    has_events_ = true;
    if (surface.tangential_spring) {
      contact.spring = n_ + m_ + 2 * static_cast<int>(sprung_.size());
      contact.sprung = SprungSlip(*surface.tangential_spring, given.friction[0], given.friction[1]);
      sprung_.push_back(i);
      continue;
    }
    frictional_.push_back(i);
    contact.slip = Slip::sliding;
    contact.zero = slip_tolerance * speed_ * std::max(given.friction[0], given.friction[1]);
  }
}

double LzbFlow::slip_size(const Contact& contact) const {
  return std::hypot(velocity_[contact.tangent], velocity_[contact.tangent + 1]);
}

void LzbFlow::update_restitution(Contact& contact, double speed) {
  contact.fastest = speed;
  contact.e = std::clamp(contact.law->at(speed), 0.0, 1.0);
}

void LzbFlow::derivative(const double* state, double* rate) {
  double* v = velocity_.data();
  const double* w = rows_.velocity();
  for (int i = 0; i < m_; ++i) v[i] = w[i];
  const double* P = state + n_;
  const double* own = rows_.matrix();
  for (int j = 0; j < m_; ++j, own += m_) {
    const double p = P[j];
    if (p == 0) continue;
    for (int i = 0; i < m_; ++i) v[i] += p * own[i];
  }
  double* F = rate + n_;
  for (int i = 0; i < n_; ++i) {
    const Contact& contact = contacts_[i];
    rate[i] = contact.phase == Phase::expanding ? -v[i] * contact.release : -v[i];
    F[i] = contact.layer.force(state[i]);
  }
  add_sprung(state, rate);
  for (const int i : frictional_) {
    const Contact& contact = contacts_[i];
    if (contact.slip == Slip::sticking) continue;
    const int t = contact.tangent;
    double x = v[t], y = v[t + 1];
    // Beyond a reversal the old direction holds, so that the event can be found on a smooth path.
    const bool slips =
        contact.slip == Slip::sliding && x * contact.direction[0] + y * contact.direction[1] > contact.zero;
    if (!slips) {
      x = contact.direction[0];
      y = contact.direction[1];
    }
    const double length = std::sqrt(x * x + y * y);
    const double share = length > 0 ? F[i] / length : 0;
    F[t] = -share * x;
    F[t + 1] = -share * y;
  }
  if (!sticking_.empty()) add_sticking(F);
}

/// Friction that keeps the slip of sticking contacts, given the other forces in F. If it is not unique, it has the
/// least Σ ‖g_j‖² / λ_j, as vanishing creep in proportion to force over normal force would choose. With g = W^½ y, W =
/// the normal forces, it is (W^½ B W^½ + ε) y = −W^½ b for ε → 0.
void LzbFlow::add_sticking(double* F) {
  const int count = static_cast<int>(sticking_.size()), size = 2 * count;
  for (const int i : sticking_) F[contacts_[i].tangent] = F[contacts_[i].tangent + 1] = 0;
  right_.assign(2 * size, 0.0);
  double* root = right_.data() + size;
  factor_.resize(static_cast<std::size_t>(size) * size);
  const auto row_of = [&](int a) { return contacts_[sticking_[a / 2]].tangent + a % 2; };
  double largest = 0;
  for (int a = 0; a < size; ++a) {
    const int row = row_of(a);
    const double* own = column(row);
    double b = 0;
    for (int i = 0; i < m_; ++i) b += own[i] * F[i];
    root[a] = std::sqrt(F[sticking_[a / 2]]);
    // Slip left over from the event that made the contact stick dies out meanwhile.
    const Contact& contact = contacts_[sticking_[a / 2]];
    right_[a] = -root[a] * (b + velocity_[row] / (relaxation * contact.duration));
    for (int c = 0; c <= a; ++c) factor_[a + static_cast<std::size_t>(c) * size] = root[a] * root[c] * own[row_of(c)];
    largest = std::max(largest, factor_[a + static_cast<std::size_t>(a) * size]);
  }
  if (!(largest > 0)) return;
  for (int k = 0; k < size; ++k) {  // Cholesky
    double* pivot = factor_.data() + static_cast<std::ptrdiff_t>(k) * size;
    const double root_of = std::sqrt(std::max(pivot[k] + creep * largest, creep * largest));
    for (int i = k + 1; i < size; ++i) pivot[i] /= root_of;
    pivot[k] = root_of;
    for (int j = k + 1; j < size; ++j) {
      double* other = factor_.data() + static_cast<std::ptrdiff_t>(j) * size;
      for (int i = j; i < size; ++i) other[i] -= pivot[i] * pivot[j];
    }
  }
  for (int k = 0; k < size; ++k) {
    const double* pivot = factor_.data() + static_cast<std::ptrdiff_t>(k) * size;
    right_[k] /= pivot[k];
    for (int i = k + 1; i < size; ++i) right_[i] -= pivot[i] * right_[k];
  }
  for (int k = size - 1; k >= 0; --k) {
    const double* pivot = factor_.data() + static_cast<std::ptrdiff_t>(k) * size;
    for (int i = k + 1; i < size; ++i) right_[k] -= pivot[i] * right_[i];
    right_[k] /= pivot[k];
  }
  for (int a = 0; a < size; ++a) F[row_of(a)] = root[a] * right_[a];
}

double LzbFlow::passed_in_normal(int i, double z) const {
  const Contact& contact = contacts_[i];
  const double v = velocity_[i] / (stop_width * speed_);
  switch (contact.phase) {
    case Phase::open:
      return contact.speed_matters && contact.apart ? z / (part_width * contact.depth) : never;
    case Phase::compressing:
      return contact.e < 1 ? v : never;
    case Phase::expanding:
      return contact.e < 1 ? std::max(-v, -z / (part_width * contact.depth)) : never;
  }
  return never;
}

double LzbFlow::passed_in_slip(int i, const double* rate) const {
  const Contact& contact = contacts_[i];
  const double* F = rate + n_;
  if (!(F[i] > 0)) return never;
  const int t = contact.tangent;
  if (contact.slip == Slip::sticking) {
    return (std::hypot(F[t], F[t + 1]) - F[i]) / (break_width * F[i]);
  }
  const double along = velocity_[t] * contact.direction[0] + velocity_[t + 1] * contact.direction[1];
  if (contact.direction[0] == 0 && contact.direction[1] == 0) return never;
  if (contact.slip == Slip::sliding) return (contact.zero - along) / (0.5 * contact.zero);
  return std::max((-contact.zero - along) / (0.5 * contact.zero),
                  (slip_size(contact) - 2 * contact.zero) / contact.zero);
}

double LzbFlow::passed(const double* state, const double* rate) const {
  if (!has_events_) return never;
  double most = never;
  for (int i = 0; i < n_; ++i) most = std::max(most, passed_in_normal(i, state[i]));
  for (const int i : frictional_) most = std::max(most, passed_in_slip(i, rate));
  for (const int i : sprung_) most = std::max(most, passed_in_spring(i, state, rate));
  return most;
}

void LzbFlow::strike(Contact& contact, double speed) {
  contact.phase = Phase::compressing;
  update_restitution(contact, speed);
}

/// The approach speed within the step as a cubic through both ends.
void LzbFlow::watch(const double* start, const double* start_rate, const double* end, const double* end_rate,
                    double h) {
  for (int i = 0; i < n_; ++i) {
    Contact& contact = contacts_[i];
    if (!contact.speed_matters || contact.phase != Phase::compressing) continue;
    double change = 0, first = 0, last = 0;
    const double* own = column(i);
    for (int j = 0; j < m_; ++j) {
      change += own[j] * (end[n_ + j] - start[n_ + j]);
      first += own[j] * start_rate[n_ + j];
      last += own[j] * end_rate[n_ + j];
    }
    if (!(first < 0 && last > 0)) continue;
    // On 0 ≤ x ≤ 1, v(x) = v₀ + b x + c x² + d x³. Since the signs of v′ at the ends differ, v′ = 0 between.
    const double b = h * first, c = 3 * change - 2 * b - h * last, d = b + h * last - 2 * change;
    const double x = -b / (c + std::sqrt(std::max(0.0, c * c - 3 * b * d)));
    const double lowest = velocity_[i] - change + x * (b + x * (c + x * d));
    if (x > 0 && x < 1 && -lowest > contact.fastest) update_restitution(contact, -lowest);
  }
}

bool LzbFlow::turn_normal(int i, double& z, bool located) {
  Contact& contact = contacts_[i];
  const double v = velocity_[i];
  // Contacts within half a width of another event count with it: equal contacts turn together.
  const bool kink = contact.e < 1;
  const double margin = kink && located ? 0.5 * stop_width * speed_ : 0;
  if (contact.phase == Phase::open && z > 0) {
    strike(contact, std::max(0.0, -v));
    return false;
  }
  if (contact.phase == Phase::compressing) {
    if (z <= 0 && v > 0) contact.phase = Phase::open;
    if (contact.speed_matters && -v > contact.fastest) update_restitution(contact, -v);
    if (!(v > -margin && z > 0)) return false;
    contact.phase = Phase::expanding;
    contact.release = kink ? 1 / (contact.e * contact.e) : 1;
    if (!(contact.e < least_e)) return kink;
    contact.phase = Phase::open;
    z = 0;
    return true;
  }
  if (contact.phase == Phase::expanding) {
    if (z <= (kink ? 0.5 * part_width * contact.depth : 0.0) && v > 0) {
      contact.phase = Phase::open;
      if (kink) z = std::min(z, 0.0);
      return kink;
    }
    if (v < 0) {
      contact.phase = Phase::compressing;
      return kink;
    }
  }
  return false;
}

bool LzbFlow::turn_slip(int i, const double* rate) {
  Contact& contact = contacts_[i];
  const double* F = rate + n_;
  if (contacts_[i].phase == Phase::open) return false;
  if (contact.slip == Slip::sliding && contact.direction[0] == 0 && contact.direction[1] == 0) return true;
  return F[i] > 0 && passed_in_slip(i, rate) > -0.5;
}

bool LzbFlow::turn(double* state, const double* rate, bool located) {
  bool jumps = false, slip_ends = false;
  for (const int i : frictional_) slip_ends = turn_slip(i, rate) || slip_ends;
  for (const int i : sprung_) slip_ends = turn_spring(i, state, rate) || slip_ends;
  for (int i = 0; i < n_; ++i) jumps = turn_normal(i, state[i], located) || jumps;
  for (const int i : frictional_) {
    Contact& contact = contacts_[i];
    if (contact.slip == Slip::starting && slip_size(contact) > 2 * contact.zero) contact.slip = Slip::sliding;
    if (contact.slip == Slip::sticking && contact.phase == Phase::open) slip_ends = true;
  }
  return jumps || slip_ends;
}

void LzbFlow::aim(double* state) {
  begin_springs(state);
  for (int i = 0; i < n_; ++i) contacts_[i].apart = state[i] < 0;
  for (const int i : frictional_) {
    Contact& contact = contacts_[i];
    if (contact.slip != Slip::sliding) continue;
    const double size = slip_size(contact);
    if (size > 2 * contact.zero) {
      contact.direction[0] = velocity_[contact.tangent] / size;
      contact.direction[1] = velocity_[contact.tangent + 1] / size;
    }
  }
}

/// Contacts that bear or are about to bear a force and do not slip; those apart slide, with no force.
void LzbFlow::gather_at_rest(const double* state) {
  at_rest_.clear();
  sticking_.clear();
  for (const int i : frictional_) {
    Contact& contact = contacts_[i];
    contact.slip = Slip::sliding;
    if (slip_size(contact) > 2 * contact.zero) continue;
    contact.direction[0] = contact.direction[1] = 0;
    if (state[i] > 0 || (state[i] == 0 && velocity_[i] <= 0)) at_rest_.push_back(i);
  }
}

/// Fills in the normal forces and the friction of the sliding contacts. A contact that only begins has the force of a
/// moment later.
void LzbFlow::fill_at_rest(double* F, const double* state) {
  std::fill(F, F + m_, 0.0);
  for (int i = 0; i < n_; ++i) {
    const Contact& contact = contacts_[i];
    const double soon = 1e-3 * contact.duration;
    const double z = state[i] > 0 || velocity_[i] >= 0 ? state[i] : state[i] - soon * velocity_[i];
    F[i] = contact.layer.force(z);
  }
  for (const int i : sprung_) {
    const Contact& contact = contacts_[i];
    for (int t = 0; t < 2; ++t) F[contact.tangent + t] = state[contact.spring + t];
  }
  for (const int i : frictional_) {
    const Contact& contact = contacts_[i];
    const double size = slip_size(contact);
    if (!(size > 2 * contact.zero)) continue;
    for (int t = 0; t < 2; ++t) F[contact.tangent + t] = -F[i] * velocity_[contact.tangent + t] / size;
  }
}

void LzbFlow::settle(double* state, double* rate) {
  begin_springs(state);
  derivative(state, rate);
  gather_at_rest(state);
  if (at_rest_.empty()) return;
  double* F = force_.data();
  fill_at_rest(F, state);
  sticking_ = at_rest_;
  for (const int i : at_rest_) contacts_[i].slip = Slip::sticking;
  if (!is_overloaded(F)) return;
  zero_slip_.resize(static_cast<int>(at_rest_.size()));
  for (std::size_t a = 0; a < 2 * at_rest_.size(); ++a) {
    zero_slip_.start()[a] = F[contacts_[at_rest_[a / 2]].tangent + a % 2];
  }
  fill_at_rest(F, state);
  sticking_.clear();
  decide_at_rest(F);
  break_overloaded(F);
}

/// True if sticking takes more than a cone allows; F then holds the sticking forces.
bool LzbFlow::is_overloaded(double* F) {
  add_sticking(F);
  for (const int i : sticking_) {
    const int t = contacts_[i].tangent;
    if (std::hypot(F[t], F[t + 1]) > F[i] * (1 - 2 * break_width) && F[i] > 0) return true;
  }
  return false;
}

void LzbFlow::decide_at_rest(double* F) {
  const int count = static_cast<int>(at_rest_.size()), size = 2 * count;
  const auto row_of = [&](int a) { return contacts_[at_rest_[a / 2]].tangent + a % 2; };
  for (int a = 0; a < size; ++a) {
    const double* own = column(row_of(a));
    double b = 0;
    for (int i = 0; i < m_; ++i) b += own[i] * F[i];
    zero_slip_.acceleration()[a] = b;
    for (int c = 0; c < size; ++c) zero_slip_.mobility()[c + static_cast<std::ptrdiff_t>(a) * size] = own[row_of(c)];
  }
  for (int j = 0; j < count; ++j) zero_slip_.radius()[j] = F[at_rest_[j]];
  zero_slip_.solve();
  for (int j = 0; j < count; ++j) {
    Contact& contact = contacts_[at_rest_[j]];
    const double* g = zero_slip_.force() + static_cast<std::ptrdiff_t>(2 * j);
    const double length = std::hypot(g[0], g[1]), most = F[at_rest_[j]];
    if (length < most * (1 - 2 * break_width) || !(most > 0)) {
      contact.slip = Slip::sticking;
      sticking_.push_back(at_rest_[j]);
      continue;
    }
    contact.slip = Slip::starting;
    for (int t = 0; t < 2; ++t) {
      contact.direction[t] = -g[t] / length;
      F[contact.tangent + t] = g[t];
    }
  }
}

/// Sticking forces are not unique where contacts are redundant: those that the flow would use must be in their cones.
void LzbFlow::break_overloaded(double* F) {
  while (!sticking_.empty()) {
    add_sticking(F);
    int worst = -1;
    double most = 1 - break_width;
    for (std::size_t j = 0; j < sticking_.size(); ++j) {
      const int i = sticking_[j], t = contacts_[i].tangent;
      if (!(F[i] > 0)) continue;
      const double load = std::hypot(F[t], F[t + 1]) / F[i];
      if (load <= most) continue;
      most = load;
      worst = static_cast<int>(j);
    }
    if (worst < 0) return;
    Contact& contact = contacts_[sticking_[worst]];
    const double normal = F[sticking_[worst]];
    contact.slip = Slip::starting;
    for (int t = 0; t < 2; ++t) {
      contact.direction[t] = -F[contact.tangent + t] / (most * normal);
      F[contact.tangent + t] = -normal * contact.direction[t];
    }
    sticking_.erase(sticking_.begin() + worst);
  }
}

}  // namespace carom
