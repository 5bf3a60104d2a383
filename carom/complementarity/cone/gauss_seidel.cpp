#include "carom/complementarity/cone/gauss_seidel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace carom {

namespace {

constexpr double divergence = 1e6;  // of the residual, over the first
constexpr int first_sweeps = 6;     // before the rate is asked for

void relax(const ConeSystem& system, OneContact& contact, double* p, double* w) {
  double b[OneContact::max_size], next[OneContact::max_size], change[OneContact::max_size];
  double* own = p + contact.row();
  contact.without_own(own, w + contact.row(), b);
  contact.solve(b, next);
  bool changed = false;
  for (int i = 0; i < contact.size(); ++i) {
    change[i] = next[i] - own[i];
    changed = changed || change[i] != 0;
    own[i] = next[i];
  }
  if (changed) system.add_response(contact, change, w);
}

void relax_all(ConeSystem& system, bool forward, double* p, double* w) {
  std::vector<OneContact>& contacts = system.contacts();
  if (forward) {
    for (OneContact& contact : contacts) relax(system, contact, p, w);
  } else {
    for (std::size_t c = contacts.size(); c-- > 0;) relax(system, contacts[c], p, w);
  }
}

/// Sweeps that cost as much as Newton's method, which takes some three factorizations of most rows with an impulse.
int worthwhile(const ConeSystem& system, const double* p) {
  double active = 0;
  for (const OneContact& contact : system.contacts()) active += p[contact.normal()] != 0 ? contact.size() : 0;
  const double each = 150.0 * static_cast<double>(system.contacts().size());  // to solve one block
  const double sweep = 2 * system.entries() * active / system.rows() + each;
  return static_cast<int>(std::min(1000.0, active * active * active / sweep));
}

}  // namespace

void GaussSeidel::reserve(int rows) {
  start_.reserve(rows);
  start_w_.reserve(rows);
}

ConeProgress GaussSeidel::sweep(ConeSystem& system, double tolerance, int max_sweeps, bool persistent, double* p,
                                double* w) {
  ConeProgress result;
  const double first = system.residual(p, w);
  result.residual = first;
  start_.assign(p, p + system.rows());
  start_w_.assign(w, w + system.rows());
  double last = first;
  int most = max_sweeps;
  while (result.residual > tolerance && result.steps < most) {
    system.ask();
    relax_all(system, result.steps % 2 == 0, p, w);
    ++result.steps;
    const double before_last = last;
    last = result.residual;
    result.residual = system.residual(p, w);
    if (!(result.residual <= divergence * first)) break;
    if (persistent || result.steps < first_sweeps) continue;
    if (result.steps == first_sweeps) most = std::max(max_sweeps, worthwhile(system, p));
    // Forward and backward sweeps alternate, so the rate is that of two.
    const double rate = std::sqrt(result.residual / before_last);
    const double needed = rate < 1 ? std::log(tolerance / result.residual) / std::log(rate) : 1e9;
    if (result.steps + needed > most && result.steps >= max_sweeps) break;
  }
  if (!(result.residual <= 1.5 * first)) {
    result.residual = first;
    std::copy(start_.begin(), start_.end(), p);
    std::copy(start_w_.begin(), start_w_.end(), w);
  }
  return result;
}

}  // namespace carom
