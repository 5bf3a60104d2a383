// Contacts of LzbFlow with a tangential spring.
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/impact/lzb_flow.h"

namespace carom {
namespace {

constexpr double width = 1e-6;   // of friction beyond the cone, and of rates, where sticking and sliding change
constexpr double little = 1e-3;  // share of the largest force below which the width no longer shrinks
constexpr double turning = 100;  // most rate at which sliding friction turns, times the duration of a collision alone

Eigen::Vector2d pair_at(const double* numbers) { return {numbers[0], numbers[1]}; }

}  // namespace

LzbFlow::SprungRate LzbFlow::sprung_rate(const Contact& contact, const double* g, double z, double z_rate,
                                         double force) const {
  SprungRate rate;
  const Eigen::Vector2d own = pair_at(g), v = pair_at(velocity_.data() + contact.tangent);
  const double slope = contact.layer.slope(z), size = own.norm();
  const double stiffening = z > 0 ? (contact.layer.exponent - 1) * z_rate / z : 0;
  rate.direction = size > 0 ? Eigen::Vector2d(own / size) : contact.sprung.direction;
  rate.free = contact.sprung.free_rate(contact.sprung.sliding ? Eigen::Vector2d(force * rate.direction) : own, v, slope,
                                       stiffening);
  rate.along = rate.free.dot(rate.direction);
  if (contact.sprung.sliding && force > 0) {
    // Friction turns towards the slip at once where the slip is fast or the force small, which no step could follow.
    const Eigen::Vector2d across = rate.free - rate.along * rate.direction;
    const double quickest = turning / contact.duration, quick = contact.sprung.winding(v, slope) / force;
    rate.free -= (1 - quickest / std::max(quick, quickest)) * across;
  }
  rate.cone = slope * z_rate;
  return rate;
}

/// Friction of these contacts into the rates of P, and the rates of g.
void LzbFlow::add_sprung(const double* state, double* rate) {
  double* F = rate + n_;
  for (const int i : sprung_) {
    const Contact& contact = contacts_[i];
    const double *g = state + contact.spring, z = state[i];
    double *friction = F + contact.tangent, *g_rate = rate + contact.spring;
    friction[0] = friction[1] = g_rate[0] = g_rate[1] = 0;
    if (!(z > 0 || (z == 0 && rate[i] > 0))) continue;
    const SprungRate own = sprung_rate(contact, g, z, rate[i], F[i]);
    const Eigen::Vector2d kept =
        contact.sprung.sliding ? Eigen::Vector2d(own.free + (own.cone - own.along) * own.direction) : own.free;
    for (int t = 0; t < 2; ++t) {
      friction[t] = contact.sprung.sliding ? F[i] * own.direction[t] : g[t];
      g_rate[t] = kept[t];
    }
  }
}

double LzbFlow::passed_in_spring(int i, const double* state, const double* rate) const {
  const Contact& contact = contacts_[i];
  const double force = rate[n_ + i], most = contact.layer.force(contact.depth);
  if (!(force > 0)) return never;
  const double* g = state + contact.spring;
  if (!contact.sprung.sliding) return (std::hypot(g[0], g[1]) - force) / (width * (force + little * most));
  const SprungRate own = sprung_rate(contact, g, state[i], rate[i], force);
  const double scale = std::abs(own.cone) + own.free.norm() + little * most / contact.duration;
  return (own.cone - own.along) / (width * scale);
}

/// Keeps friction of sliding contacts on the cone. True if the contact begins to slide or to stick.
bool LzbFlow::turn_spring(int i, double* state, const double* rate) {
  Contact& contact = contacts_[i];
  double* g = state + contact.spring;
  const double force = rate[n_ + i], size = std::hypot(g[0], g[1]);
  if (!(force > 0)) return false;
  const bool turns = passed_in_spring(i, state, rate) > 0;
  if (turns || contact.sprung.sliding) {
    for (int t = 0; t < 2 && size > 0; ++t) g[t] *= force / size;
  }
  if (turns) contact.sprung.sliding = !contact.sprung.sliding;
  return turns;
}

/// Contacts that bear no force yet: none is stored, and their slip decides how they begin.
void LzbFlow::begin_springs(double* state) {
  for (const int i : sprung_) {
    if (state[i] > 0) continue;
    Contact& contact = contacts_[i];
    state[contact.spring] = state[contact.spring + 1] = 0;
    contact.sprung.begin(pair_at(velocity_.data() + contact.tangent),
                         std::max(0.0, -velocity_[i]) / contact.layer.exponent);
  }
}

}  // namespace carom
