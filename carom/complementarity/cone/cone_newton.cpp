#include "carom/complementarity/cone/cone_newton.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr double least_alpha = 1e-11, first_alpha = 1e-8, most_alpha = 1e3;
constexpr double held_alpha = 1e-13;  // of steps in held states
constexpr double slip_noise = 1e-13;  // of the velocities that impulses make
constexpr int most_idle = 4;          // held steps that do not halve the residual
constexpr int memory = 3;             // merits that a step may rise to

/// n − 1 unit vectors across d, n ≤ 3.
void complement(int n, const double* d, double (*t)[3]) {
  if (n == 2) {
    t[0][0] = -d[1];
    t[0][1] = d[0];
  }
  if (n < 3) return;
  int least = 0;
  for (int i = 1; i < 3; ++i) least = std::abs(d[i]) < std::abs(d[least]) ? i : least;
  const int i = (least + 1) % 3, j = (least + 2) % 3;
  const double length = std::hypot(d[i], d[j]);
  t[0][least] = 0;
  t[0][i] = -d[j] / length;
  t[0][j] = d[i] / length;
  t[1][0] = d[1] * t[0][2] - d[2] * t[0][1];
  t[1][1] = d[2] * t[0][0] - d[0] * t[0][2];
  t[1][2] = d[0] * t[0][1] - d[1] * t[0][0];
}

/// Entry of D, diagonal row l: never zero, so that impulses that move nothing stay where they are.
double proximal_weight(const OneContact& contact, int l) { return contact.entry(l, l) + 0.1 * contact.mean_diagonal(); }

}  // namespace

void ConeNewton::reserve(int blocks, int rows) {
  states_.reserve(blocks);
  targets_.reserve(static_cast<std::size_t>(blocks) * OneContact::max_size);
  pieces_.reserve(blocks);
  steps_.reserve(blocks);
  lu_.prepare(rows);
  for (std::vector<double>* v :
       {&rhs_, &work_, &change_, &response_, &trial_, &trial_w_, &best_, &best_w_, &bend_, &bend_w_}) {
    v->reserve(rows);
  }
}

/// Σ ‖(p_i − p_i*) / steps‖² / a_i, with states_ and targets_; of the own equation steps are 1 / a_i.
double ConeNewton::merit(ConeSystem& system, Equation equation, const double* p, const double* w) {
  std::vector<OneContact>& contacts = system.contacts();
  states_.resize(contacts.size());
  targets_.resize(contacts.size() * OneContact::max_size);
  double sum = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    OneContact& contact = contacts[c];
    const double *own = p + contact.row(), *velocity = w + contact.row();
    const double mean = contact.mean_diagonal();
    double* target = targets_.data() + OneContact::max_size * c;
    if (equation == Equation::own) {
      double b[OneContact::max_size], square = 0;
      contact.without_own(own, velocity, b);
      states_[c] = contact.solve(b, target);
      for (int i = 0; i < contact.size(); ++i) square += (target[i] - own[i]) * (target[i] - own[i]);
      sum += square * mean;
      continue;
    }
    const OneContact::Steps& steps = steps_[c];
    states_[c] = contact.project_apart(own, velocity, steps, target);
    if (!(mean > 0)) continue;
    const int n = contact.normal() - contact.row();
    const double normal = (target[n] - own[n]) / steps.normal, mu = contact.largest_axis();
    sum += normal * normal / mean;
    for (int i = 0; i < contact.size(); ++i) {
      if (i == n || target[i] == own[i]) continue;
      const double slip = (target[i] - own[i]) / (steps.friction * mu * mu);
      sum += slip * slip / mean;
    }
  }
  return sum;
}

ConeNewton::Piece ConeNewton::describe(const OneContact& contact, const OneContact::State& state,
                                       const double* target) {
  using Friction = OneContact::State::Friction;
  const int n = contact.normal() - contact.row(), f = contact.friction_axes();
  const double mu = contact.largest_axis();
  Piece piece;
  double direction[3] = {}, length = 0;
  if (state.friction == Friction::slide) {
    for (int i = 0; i < f; ++i) {
      direction[i] = target[contact.axis_row(i)] / contact.axis(i);
      length = std::hypot(length, direction[i]);
    }
    for (int i = 0; i < f && length > 0; ++i) direction[i] /= length;
  }
  double* along = state.normal_free ? piece.column[0] : piece.held;
  const double p_n = state.normal_free ? 1 : target[n];
  along[n] = p_n;
  for (int i = 0; i < f; ++i) along[contact.axis_row(i)] = p_n * contact.axis(i) * direction[i];
  if (state.normal_free) piece.row[piece.count++][n] = 1;
  if (state.friction == Friction::stick) {
    for (int i = 0; i < f; ++i) {
      piece.column[piece.count][contact.axis_row(i)] = contact.axis(i) / mu;
      piece.row[piece.count++][contact.axis_row(i)] = contact.axis(i) / mu;
    }
  } else if (state.friction == Friction::slide && length > 0) {
    double across[2][3] = {};
    complement(f, direction, across);
    piece.tangents = f - 1;
    piece.lambda = state.lambda / (mu * mu);
    for (int t = 0; t < f - 1; ++t) {
      for (int i = 0; i < f; ++i) {
        const double entry = across[t][i] * contact.axis(i) / mu;
        piece.column[piece.count][contact.axis_row(i)] = piece.row[piece.count][contact.axis_row(i)] = entry;
      }
      ++piece.count;
    }
  }
  return piece;
}

void ConeNewton::linearise(const ConeSystem& system) {
  const std::vector<OneContact>& contacts = system.contacts();
  pieces_.resize(contacts.size());
  size_ = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    pieces_[c] = describe(contacts[c], states_[c], targets_.data() + OneContact::max_size * c);
    pieces_[c].first = size_;
    size_ += pieces_[c].count;
  }
}

/// The matrix of the step.
void ConeNewton::assemble(const ConeSystem& system, double alpha) {
  const std::vector<OneContact>& contacts = system.contacts();
  const std::size_t m = size_;
  double* matrix = lu_.prepare(size_);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const OneContact& contact = contacts[c];
    const Piece& mine = pieces_[c];
    system.ask();
    for (int j = 0; j < mine.count; ++j) {
      std::fill(work_.begin(), work_.end(), 0.0);
      system.add_response(contact, mine.column[j], work_.data());
      double* out = matrix + (mine.first + j) * m;
      for (std::size_t d = 0; d < contacts.size(); ++d) {
        const Piece& other = pieces_[d];
        const double* velocity = work_.data() + contacts[d].row();
        for (int i = 0; i < other.count; ++i) {
          double sum = 0;
          for (int l = 0; l < contacts[d].size(); ++l) sum += other.row[i][l] * velocity[l];
          out[other.first + i] = sum;
        }
      }
      for (int i = 0; i < mine.count; ++i) {
        for (int l = 0; l < contact.size(); ++l) {
          out[mine.first + i] += mine.row[i][l] * alpha * proximal_weight(contact, l) * mine.column[j][l];
        }
      }
      if (j >= mine.count - mine.tangents) out[mine.first + j] += mine.lambda;
    }
  }
}

/// change_ and response_ = A change_ of the full step. False if it does not exist.
bool ConeNewton::step(const ConeSystem& system, double alpha, const double* p, const double* w) {
  const std::vector<OneContact>& contacts = system.contacts();
  rhs_.resize(size_);
  work_.resize(system.rows());
  assemble(system, alpha);
  if (!lu_.factor()) return false;
  // With z = 0 the impulses are those in `held`, and response_ is the velocity that they give.
  std::copy_n(w, system.rows(), response_.data());
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const OneContact& contact = contacts[c];
    double* change = change_.data() + contact.row();
    for (int l = 0; l < contact.size(); ++l) change[l] = pieces_[c].held[l] - p[contact.row() + l];
    system.add_response(contact, change, response_.data());
  }
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const OneContact& contact = contacts[c];
    const Piece& mine = pieces_[c];
    for (int i = 0; i < mine.count; ++i) {
      double sum = mine.row[i][contact.normal() - contact.row()] == 1 ? contact.offset() : 0;
      for (int l = 0; l < contact.size(); ++l) {
        const int row = contact.row() + l;
        sum += mine.row[i][l] * (response_[row] + alpha * proximal_weight(contact, l) * change_[row]);
      }
      rhs_[mine.first + i] = -sum;
    }
  }
  lu_.solve(rhs_.data());
  std::fill(response_.begin(), response_.end(), 0.0);
  bool finite = true;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Piece& mine = pieces_[c];
    double* change = change_.data() + contacts[c].row();
    for (int l = 0; l < contacts[c].size(); ++l) {
      for (int j = 0; j < mine.count; ++j) change[l] += mine.column[j][l] * rhs_[mine.first + j];
      finite = finite && std::isfinite(change[l]);
    }
    system.add_response(contacts[c], change, response_.data());
  }
  return finite;
}

/// Sliding impulses move across their cone in the full step, and so leave it, to second order in the step. This raises
/// their normal impulse onto it, which in a wide cone changes little else. False if there is nothing to raise.
bool ConeNewton::bend(const ConeSystem& system, const double* p) {
  bool any = false;
  for (std::size_t c = 0; c < pieces_.size(); ++c) {
    const OneContact& contact = system.contacts()[c];
    if (pieces_[c].tangents == 0 || !contact.is_wide() || contact.floor() > 0) continue;
    double length = 0;
    for (int i = 0; i < contact.friction_axes(); ++i) {
      const int row = contact.row() + contact.axis_row(i);
      length = std::hypot(length, (p[row] + change_[row]) / contact.axis(i));
    }
    const double more = length - (p[contact.normal()] + change_[contact.normal()]);
    if (!(more > 0)) continue;
    if (!any) {
      bend_.assign(system.rows(), 0);
      bend_w_.assign(system.rows(), 0);
      any = true;
    }
    bend_[contact.normal()] = more;
    system.add_response(contact, bend_.data() + contact.row(), bend_w_.data());
  }
  return any;
}

/// Halves the step until its merit is below `bound`; trial_, trial_w_ and states there. The merit met last.
double ConeNewton::search(ConeSystem& system, Equation equation, double bound, const double* p, const double* w) {
  double value = 0;
  const bool bent = bend(system, p);
  for (double t = 1; t > 2e-3; t *= 0.5) {
    for (int i = 0; i < system.rows(); ++i) {
      trial_[i] = p[i] + t * change_[i];
      trial_w_[i] = w[i] + t * response_[i];
    }
    for (int i = 0; i < system.rows() && bent; ++i) {
      trial_[i] += t * t * bend_[i];
      trial_w_[i] += t * t * bend_w_[i];
    }
    value = merit(system, equation, trial_.data(), trial_w_.data());
    if (value < bound * (1 - 1e-4 * t)) break;
  }
  return value;
}

/// Buffers, steps of the projections and the best point, which is the first.
void ConeNewton::begin(const ConeSystem& system, const double* p, const double* w) {
  const int k = system.rows();
  for (std::vector<double>* v : {&change_, &response_, &trial_, &trial_w_}) v->resize(k);
  best_.assign(p, p + k);
  best_w_.assign(w, w + k);
  steps_.resize(system.contacts().size());
  for (std::size_t c = 0; c < steps_.size(); ++c) {
    const OneContact& contact = system.contacts()[c];
    steps_[c] = contact.steps_from(p + contact.row(), system.velocity_size());
  }
}

ConeProgress ConeNewton::improve(ConeSystem& system, Equation equation, double tolerance, int max_steps, double* p,
                                 double* w) {
  const int k = system.rows();
  begin(system, p, w);
  ConeProgress result;
  result.residual = system.residual(p, w);
  double alpha = first_alpha, merits[memory] = {};
  merits[0] = merit(system, equation, p, w);
  for (int accepted = 0; result.residual > tolerance && result.steps < max_steps && alpha < most_alpha;) {
    ++result.steps;
    system.ask();
    linearise(system);
    const double bound = *std::max_element(merits, merits + memory);
    const double value = step(system, alpha, p, w) ? search(system, equation, bound, p, w) : bound;
    if (!(value < bound)) {
      merit(system, equation, p, w);
      alpha *= 100;
      continue;
    }
    std::copy_n(trial_.data(), k, p);
    std::copy_n(trial_w_.data(), k, w);
    merits[++accepted % memory] = value;
    alpha = std::max(least_alpha, 0.1 * alpha);
    const double residual = system.residual(p, w);
    if (residual < result.residual) {
      result.residual = residual;
      std::copy_n(p, k, best_.data());
      std::copy_n(w, k, best_w_.data());
    }
  }
  std::copy_n(best_.data(), k, p);
  std::copy_n(best_w_.data(), k, w);
  return result;
}

ConeProgress ConeNewton::polish(ConeSystem& system, double tolerance, int max_steps, double* p, double* w) {
  const int k = system.rows();
  begin(system, p, w);
  const std::vector<OneContact>& contacts = system.contacts();
  states_.resize(contacts.size());
  targets_.resize(contacts.size() * OneContact::max_size);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const int row = contacts[c].row();
    const double noise = slip_noise * (system.velocity_size() + contacts[c].mean_diagonal() * system.impulse_size(p));
    states_[c] = contacts[c].nearest_state(p + row, w + row, steps_[c], noise);
  }
  ConeProgress result;
  result.residual = system.residual(p, w);
  for (int idle = 0; result.residual > tolerance && result.steps < max_steps && idle < most_idle;) {
    ++result.steps;
    system.ask();
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const int row = contacts[c].row();
      contacts[c].aim(p + row, w + row, states_[c], targets_.data() + OneContact::max_size * c);
    }
    linearise(system);
    if (!step(system, held_alpha, p, w)) break;
    const bool bent = bend(system, p);
    for (int i = 0; i < k; ++i) {
      p[i] += change_[i] + (bent ? bend_[i] : 0);
      w[i] += response_[i] + (bent ? bend_w_[i] : 0);
    }
    const double residual = system.residual(p, w);
    ++idle;
    if (!(residual < result.residual)) continue;
    if (residual < 0.5 * result.residual) idle = 0;
    result.residual = residual;
    std::copy_n(p, k, best_.data());
    std::copy_n(w, k, best_w_.data());
  }
  std::copy_n(best_.data(), k, p);
  std::copy_n(best_w_.data(), k, w);
  return result;
}

}  // namespace carom
