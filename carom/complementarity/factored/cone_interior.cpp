#include "carom/complementarity/factored/cone_interior.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {

namespace {

using ConeVector = Eigen::Vector3d;

constexpr int interior_stride = GroupedMatrix::stride;
constexpr int interior_patience = 8;
constexpr double interior_back = 0.9;   // of the way to the boundary
constexpr double interior_short = 0.3;  // below which more centring is tried
constexpr double interior_least = 1e-8;
constexpr double cold_size = 0.3;  // of the impulse that stops the fastest approach

// Algebra of the cone, normal last: eigenvalues n ∓ ‖t‖, f ∘ z.
double slip_of(const ConeVector& x) { return std::hypot(x[0], x[1]); }
double cone_determinant(const ConeVector& x) { return (x[2] - slip_of(x)) * (x[2] + slip_of(x)); }
/// √determinant, where round-off has put x on the boundary as if it were just inside.
double inner_size(const ConeVector& x) {
  constexpr double round_off = std::numeric_limits<double>::epsilon();
  return std::max(std::sqrt(std::max(cone_determinant(x), 0.0)), round_off * x[2]);
}
ConeVector cone_product(const ConeVector& x, const ConeVector& y) {
  return {x[2] * y[0] + y[2] * x[0], x[2] * y[1] + y[2] * x[1], x.dot(y)};
}
/// x with λ ∘ x = r.
ConeVector cone_quotient(const ConeVector& r, const ConeVector& lambda) {
  const double along = lambda[0] * r[0] + lambda[1] * r[1];
  const double n = (lambda[2] * r[2] - along) / cone_determinant(lambda);
  return {(r[0] - n * lambda[0]) / lambda[2], (r[1] - n * lambda[1]) / lambda[2], n};
}

/// The largest t with x + t d in the cone, x inside.
double way_out(const ConeVector& x, const ConeVector& d) {
  const double A = cone_determinant(d), C = std::max(cone_determinant(x), 0.0);
  const double B = 2 * (x[2] * d[2] - x[0] * d[0] - x[1] * d[1]), root = B * B - 4 * A * C;
  double t = d[2] < 0 ? -x[2] / d[2] : std::numeric_limits<double>::infinity();
  if (A < 0) {
    t = std::min(t, (-B - std::sqrt(std::max(root, 0.0))) / (2 * A));
  } else if (root > 0 && B < 0) {
    t = std::min(t, 2 * C / (-B + std::sqrt(root)));
  }
  return t;
}

/// Sets f and z on the central path, f ∘ z = a σ² e. The smoothed projection of x is f, and z = a (f − x).
void smoothed_projection(const ConeVector& x, double sigma_squared, double a, ConeVector& f, ConeVector& z) {
  const double t = slip_of(x);
  const double eigenvalue[2] = {x[2] - t, x[2] + t};
  double of_f[2], of_z[2];
  for (int i = 0; i < 2; ++i) {
    const double root = std::sqrt(eigenvalue[i] * eigenvalue[i] + 4 * sigma_squared);
    of_f[i] = eigenvalue[i] > 0 ? 0.5 * (eigenvalue[i] + root) : 2 * sigma_squared / (root - eigenvalue[i]);
    of_z[i] = sigma_squared / of_f[i];
  }
  const double c = t > 0 ? x[0] / t : 1, s = t > 0 ? x[1] / t : 0;
  const auto of_eigenvalues = [&](const double* e) -> ConeVector {
    return {0.5 * (e[1] - e[0]) * c, 0.5 * (e[1] - e[0]) * s, 0.5 * (e[0] + e[1])};
  };
  f = of_eigenvalues(of_f);
  // The larger eigenvalue of z belongs to the smaller of f.
  z = a * of_eigenvalues(of_z);
}

/// The nearest point of the cone.
ConeVector nearest_in_cone(const ConeVector& x) {
  const double t = slip_of(x);
  if (t <= x[2]) return x;
  if (t <= -x[2]) return ConeVector::Zero();
  const double c = 0.5 * (t + x[2]);
  return {c * x[0] / t, c * x[1] / t, c};
}

}  // namespace

bool ConeInterior::knows(const FactoredProblem& problem, int directions) {
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const Block& block = problem.blocks()[b];
    const bool exact = block.kind == BlockKind::cone && directions == 0;
    if (!exact && block.kind != BlockKind::unilateral) return false;
    if (block.floor > 0 || !(problem.mean_diagonal(b) > 0)) return false;
  }
  return true;
}

/// Rows of a block in the units of K; of one row it is the normal's.
ConeInterior::Vec ConeInterior::rows_of(std::size_t b, const std::vector<double>& x) const {
  const Block& block = problem_->blocks()[b];
  if (block.size() == 1) return {0, 0, x[block.row]};
  const double mu = problem_->set(b).mu();
  return {x[block.row], x[block.row + 1], mu > 0 ? x[block.row + 2] / mu : x[block.row + 2]};
}

/// f as what the problem's rows are multiplied by, which is p.
void ConeInterior::to_rows(std::size_t b, const Vec& f, std::vector<double>& x) const {
  const Block& block = problem_->blocks()[b];
  const double mu = problem_->set(b).mu();
  if (block.size() == 3) x[block.row] = f[0], x[block.row + 1] = f[1];
  x[block.normal_row()] = mu > 0 ? f[2] / mu : f[2];
}

/// w of every contact from y_.
void ConeInterior::read_velocities() {
  problem_->move(y_, rows_);
  for (int i = 0; i < static_cast<int>(rows_.size()); ++i) rows_[i] += problem_->u(i);
  for (std::size_t b = 0; b < contacts_.size(); ++b) contacts_[b].w = rows_of(b, rows_);
}

void ConeInterior::start(const std::vector<double>& p, double distance) {
  const std::vector<Block>& blocks = problem_->blocks();
  contacts_.resize(blocks.size());
  problem_->push(p, y_);
  read_velocities();
  double size = 0, approach = 0, mean = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    Contact& contact = contacts_[b];
    const double mu = problem_->set(b).mu() > 0 ? problem_->set(b).mu() : 1;
    const Block& block = blocks[b];
    double trace = 0;
    for (int i = 0; i < block.size(); ++i) {
      const int row = block.row + i;
      trace += problem_->G().squared_norm(row) / (row == block.normal_row() ? mu * mu : 1);
    }
    contact.a = trace / block.size();
    mean += contact.a / static_cast<double>(blocks.size());
    contact.f =
        block.size() == 1 ? Vec(0, 0, p[block.row]) : Vec(p[block.row], p[block.row + 1], mu * p[block.row + 2]);
    size = std::max(size, contact.f.norm());
    approach = std::max(approach, -contact.w[2] / contact.a);
  }
  if (size == 0) size = cold_size * approach;
  const double gap = distance * distance * size * size * mean;
  for (Contact& contact : contacts_) {
    Vec z = contact.w;
    z[2] += slip_of(z);
    const Vec x = contact.f - z / contact.a;
    smoothed_projection(x, gap / contact.a, contact.a, contact.f, contact.z);
  }
}

double ConeInterior::gap() const {
  double sum = 0;
  for (const Contact& contact : contacts_) sum += contact.f.dot(contact.z);
  return sum;
}

/// The residual of f, or of the nearest point of f − z / a if that is less; `best` is the one.
double ConeInterior::measure(std::vector<double>& best) {
  for (std::size_t b = 0; b < contacts_.size(); ++b) {
    const Contact& contact = contacts_[b];
    to_rows(b, contact.f, best);
    to_rows(b, nearest_in_cone(contact.f - contact.z / contact.a), projected_);
  }
  problem_->respond(projected_, right_, w_);
  const double of_nearest = problem_->measure(projected_, w_);
  problem_->respond(best, from_f_, w_);
  const double of_f = problem_->measure(best, w_);
  if (of_f < of_nearest) return of_f;
  best.swap(projected_);
  return of_nearest;
}

/// W, λ and what the equation of z lacks, from f, z and w.
void ConeInterior::scale() {
  for (Contact& contact : contacts_) {
    const Vec &f = contact.f, &z = contact.z, &w = contact.w;
    const double of_f = inner_size(f), of_z = inner_size(z);
    const Vec unit_f = f / of_f, unit_z = z / of_z;
    const double gamma = std::sqrt(0.5 * (1 + unit_f.dot(unit_z))), eta = std::sqrt(of_f / of_z);
    const Vec v = (unit_f + Vec(-unit_z[0], -unit_z[1], unit_z[2])) / (2 * gamma);
    const double q = 1 / (1 + v[2]);
    Mat& W = contact.W;
    W << 1 + q * v[0] * v[0], q * v[0] * v[1], v[0], q * v[0] * v[1], 1 + q * v[1] * v[1], v[1], v[0], v[1], v[2];
    contact.W_inverse = W / eta;
    for (int i = 0; i < 2; ++i) contact.W_inverse(i, 2) = contact.W_inverse(2, i) = -v[i] / eta;
    W *= eta;
    contact.lambda = W * z;
    const double slip = slip_of(w);
    contact.E.setIdentity();
    if (slip > 0) contact.E(2, 0) = w[0] / slip, contact.E(2, 1) = w[1] / slip;
    contact.r2 = z - w;
    contact.r2[2] -= slip;
  }
}

bool ConeInterior::factor() {
  D_.assign(contacts_.size() * interior_stride * interior_stride, 0.0);
  const std::vector<Block>& blocks = problem_->blocks();
  for (std::size_t b = 0; b < contacts_.size(); ++b) {
    Mat D = contacts_[b].W * contacts_[b].W * contacts_[b].E;
    const double mu = problem_->set(b).mu() > 0 ? problem_->set(b).mu() : 1;
    D.row(2) /= mu;
    D.col(2) /= mu;
    double* own = D_.data() + b * interior_stride * interior_stride;
    if (blocks[b].size() == 1) own[0] = D(2, 2);
    for (int i = 0; i < 3 && blocks[b].size() == 3; ++i) {
      for (int j = 0; j < 3; ++j) own[i * interior_stride + j] = D(i, j);
    }
  }
  return problem_->matrix().factor(GroupedMatrix::Kind::general, problem_->G(), blocks, D_, stop_);
}

/// dy_, df and dz with W⁻¹ df + W dz = rc, from_f_ = Gᵀ f.
void ConeInterior::solve() {
  for (std::size_t b = 0; b < contacts_.size(); ++b) {
    const Contact& contact = contacts_[b];
    to_rows(b, contact.W * (contact.W * contact.r2 + contact.rc), projected_);
  }
  problem_->push(projected_, right_);
  right_ += from_f_ - y_;
  problem_->matrix().solve(right_, dy_);
  problem_->move(dy_, change_);
  for (std::size_t b = 0; b < contacts_.size(); ++b) {
    Contact& contact = contacts_[b];
    contact.dz = contact.E * rows_of(b, change_) - contact.r2;
    contact.df = contact.W * (contact.rc - contact.W * contact.dz);
  }
}

/// The longest step of f and z together that stays in the cones, or `back` of it, 1 at most.
double ConeInterior::longest(double back) const {
  double t = std::numeric_limits<double>::infinity();
  for (const Contact& contact : contacts_) {
    t = std::min({t, way_out(contact.f, contact.df), way_out(contact.z, contact.dz)});
  }
  return std::min(1.0, back * t);
}

/// rc towards f ∘ z = target, with so much of the last direction's second-order term.
void ConeInterior::centre(double target, double second_order) {
  for (Contact& contact : contacts_) {
    Vec r = -cone_product(contact.lambda, contact.lambda);
    if (second_order > 0) r -= second_order * cone_product(contact.W_inverse * contact.df, contact.W * contact.dz);
    r[2] += target;
    contact.rc = cone_quotient(r, contact.lambda);
  }
}

/// A direction in dy_, df and dz, and length_. False where there is none.
bool ConeInterior::find_step() {
  if (!factor()) return false;
  const double gap = this->gap(), mu = 0.5 * gap / static_cast<double>(contacts_.size());
  for (Contact& contact : contacts_) contact.rc = -contact.lambda;
  solve();
  if (!dy_.allFinite()) return false;
  const double affine = longest(1);
  double left = 0;
  for (const Contact& c : contacts_) left += (c.f + affine * c.df).dot(c.z + affine * c.dz);
  const double sigma = std::pow(std::clamp(left / gap, 0.0, 1.0), 3);
  centre(sigma * mu, affine);
  solve();
  if (!dy_.allFinite()) return false;
  length_ = longest(interior_back);
  for (const double more : {0.3, 1.0}) {
    if (length_ >= interior_short) break;
    best_dy_ = dy_;
    best_df_.clear();
    best_dz_.clear();
    for (const Contact& contact : contacts_) best_df_.push_back(contact.df), best_dz_.push_back(contact.dz);
    centre(std::max(more, sigma) * mu, 0);
    solve();
    const double length = longest(interior_back);
    if (length > 2 * length_) {
      length_ = length;
      continue;
    }
    dy_ = best_dy_;
    for (std::size_t b = 0; b < contacts_.size(); ++b) contacts_[b].df = best_df_[b], contacts_[b].dz = best_dz_[b];
  }
  return dy_.allFinite() && length_ >= interior_least;
}

FactoredResult ConeInterior::run(FactoredProblem& problem, const ConeInteriorOptions& options, std::vector<double>& p) {
  problem_ = &problem;
  stop_ = options.stop;
  for (auto* buffer : {&p_, &projected_}) buffer->assign(problem.rows(), 0.0);
  rows_.resize(problem.rows());
  start(p, options.start);
  FactoredResult best{std::numeric_limits<double>::infinity(), 0};
  double mark = best.residual;
  int since = 0;
  for (;; ++best.iterations) {
    ask_to_go_on(stop_);
    const double residual = measure(p_);
    if (residual < best.residual) {
      best.residual = residual;
      p = p_;
    }
    if (best.residual <= 0.5 * mark) mark = best.residual, since = 0;
    if (!std::isfinite(residual) || best.residual <= options.tolerance || since++ == interior_patience) return best;
    if (best.iterations == options.max_iterations) return best;
    scale();
    if (!find_step()) return best;
    for (Contact& contact : contacts_) {
      contact.f += length_ * contact.df;
      contact.z += length_ * contact.dz;
    }
    y_ += length_ * dy_;
    read_velocities();
  }
}

}  // namespace carom
