#include "carom/complementarity/certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/complementarity/worse_of.h"

namespace carom {

namespace {

using Eigen::Vector3d;

/// Impulse and velocities (before and after) of one block. Friction is x, y, torsion; zero where the block has no such
/// row.
struct BlockState {
  Vector3d p_f = Vector3d::Zero(), u_f = Vector3d::Zero(), u_f_before = Vector3d::Zero();
  Vector3d axes = Vector3d::Zero();   // semi-axes of the friction ellipsoid per unit normal impulse
  Vector3d scale = Vector3d::Zero();  // of the friction rows, which makes it a ball of radius mu p_n
  double mu = 0;
  double p_n = 0, u_n = 0, u_n_before = 0;
  double mean_diagonal = 0;  // trace of the block of A with scaled friction axes, over its size
};

/// Equations, dry friction of joints and drives are no contacts.
bool is_contact_or_limit(const Block& block) {
  return block.kind != BlockKind::bilateral && block.kind != BlockKind::bounded;
}

/// A p and the diagonal of A by loops of their own: nothing is shared with the solvers. A user's product is what it is.
class Response {
 public:
  Response(const ContactProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& p)
      : A_(problem.A), blocks_(problem.blocks), p_(p) {
    contacts_alone_ = std::all_of(blocks_.begin(), blocks_.end(), is_contact_or_limit);
    const ContactOperator& A = problem.A;
    if (A.form() == ContactOperator::Form::dense) return;
    if (!contacts_alone_) {
      Eigen::VectorXd of_contacts = p;
      for (const Block& block : blocks_) {
        if (!is_contact_or_limit(block)) of_contacts(block.row) = 0;
      }
      by_contacts_.resize(p.size());
      A.multiply(of_contacts, by_contacts_);
    }
    if (A.form() == ContactOperator::Form::sparse) return;
    product_.resize(p.size());
    diagonal_.resize(p.size());
    if (A.form() == ContactOperator::Form::factors) {
      multiply_factors(A.factors());
      return;
    }
    A.product().multiply(p, product_);
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(p.size()), column(p.size());
    for (Eigen::Index i = 0; i < p.size(); ++i) {
      unit(i) = 1;
      A.product().multiply(unit, column);
      unit(i) = 0;
      diagonal_(i) = column(i);
    }
  }

  /// (A p)_i; A is symmetric, so down its column.
  double velocity(Eigen::Index i) const {
    double sum = 0;
    switch (A_.form()) {
      case ContactOperator::Form::dense:
        for (Eigen::Index j = 0; j < p_.size(); ++j) sum += A_.dense()(j, i) * p_(j);
        return sum;
      case ContactOperator::Form::sparse:
        for (Eigen::SparseMatrix<double>::InnerIterator it(A_.sparse(), i); it; ++it) sum += it.value() * p_(it.row());
        return sum;
      case ContactOperator::Form::factors:
      case ContactOperator::Form::product:
        return product_(i);
    }
    return sum;
  }
  /// The part of it that contacts and limits make.
  double velocity_by_contacts(Eigen::Index i) const {
    if (contacts_alone_) return velocity(i);
    if (A_.form() != ContactOperator::Form::dense) return by_contacts_(i);
    double sum = 0;
    for (const Block& block : blocks_) {
      if (!is_contact_or_limit(block)) continue;
      for (int j = block.row; j < block.row + block.size(); ++j) sum += A_.dense()(j, i) * p_(j);
    }
    return sum;
  }
  double diagonal(Eigen::Index i) const {
    switch (A_.form()) {
      case ContactOperator::Form::dense:
        return A_.dense()(i, i);
      case ContactOperator::Form::sparse:
        return A_.sparse().coeff(i, i);
      case ContactOperator::Form::factors:
      case ContactOperator::Form::product:
        return diagonal_(i);
    }
    return 0;
  }

 private:
  /// G (Gᵀ p), entry by entry.
  void multiply_factors(const ContactFactors& G) {
    Eigen::VectorXd common = Eigen::VectorXd::Zero(G.columns());
    const auto each_entry = [&G](Eigen::Index row, auto&& use) {
      int at = G.value_start[row];
      for (int g = G.row_start[row]; g < G.row_start[row + 1]; ++g) {
        const int first = G.group_start[G.group[g]], last = G.group_start[G.group[g] + 1];
        for (int column = first; column < last; ++column) use(column, G.value[at++]);
      }
    };
    for (Eigen::Index i = 0; i < p_.size(); ++i) {
      each_entry(i, [&](int column, double entry) { common(column) += entry * p_(i); });
    }
    for (Eigen::Index i = 0; i < p_.size(); ++i) {
      product_(i) = diagonal_(i) = 0;
      each_entry(i, [&](int column, double entry) {
        product_(i) += entry * common(column);
        diagonal_(i) += entry * entry;
      });
    }
  }

  const ContactOperator& A_;
  const std::span<const Block> blocks_;
  const Eigen::Ref<const Eigen::VectorXd> p_;
  bool contacts_alone_ = true;
  Eigen::VectorXd product_, diagonal_;  // empty where there is a matrix
  Eigen::VectorXd by_contacts_;         // empty where it is dense, or contacts are all there is
};

/// From what is measured: velocities before contacts are unknown, and zero.
BlockState block_state(const Block& block, const BlockMotion& motion) {
  BlockState state;
  const int n = block.normal_row() - block.row;
  state.p_n = motion.impulse(n);
  state.u_n = motion.velocity(n);
  state.mean_diagonal = motion.mobility(n);
  if (!block.is_contact()) return state;
  state.axes << block.friction, block.torsion;
  state.mu = block.friction.maxCoeff() > 0 ? block.friction.maxCoeff() : block.torsion > 0 ? 1.0 : 0.0;
  if (state.mu > 0) state.scale = state.axes / state.mu;
  for (int axis = 0; axis < block.size() - 1; ++axis) {
    const int row = axis < 2 ? axis : 3;
    state.p_f(axis) = motion.impulse(row);
    state.u_f(axis) = motion.velocity(row);
    state.mean_diagonal += state.scale(axis) * state.scale(axis) * motion.mobility(row);
  }
  state.mean_diagonal /= block.size();
  return state;
}

BlockState block_state(const ContactProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& impulse,
                       const Response& response, const Block& block) {
  BlockState state;
  const Eigen::Index n = block.normal_row();
  state.p_n = impulse(n);
  state.u_n = problem.u(n) + response.velocity(n);
  const auto before = [&](Eigen::Index row, double end) { return end - response.velocity_by_contacts(row); };
  state.u_n_before = before(n, state.u_n);
  state.mean_diagonal = response.diagonal(n);
  if (!block.is_contact()) return state;
  state.axes << block.friction, block.torsion;
  state.mu = block.friction.maxCoeff() > 0 ? block.friction.maxCoeff() : block.torsion > 0 ? 1.0 : 0.0;
  if (state.mu > 0) state.scale = state.axes / state.mu;
  for (int axis = 0; axis < block.size() - 1; ++axis) {
    const Eigen::Index row = block.row + (axis < 2 ? axis : 3);
    state.p_f(axis) = impulse(row);
    state.u_f(axis) = problem.u(row) + response.velocity(row);
    state.u_f_before(axis) = before(row, state.u_f(axis));
    state.mean_diagonal += state.scale(axis) * state.scale(axis) * response.diagonal(row);
  }
  state.mean_diagonal /= block.size();
  return state;
}

/// ‖p_f‖ in units of the ellipsoid, above p_n; on an axis without friction the impulse itself, which should be zero.
double cone_excess(const BlockState& s) {
  Vector3d inside = Vector3d::Zero();
  double outside = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (s.scale(axis) > 0) {
      inside(axis) = s.p_f(axis) / s.scale(axis);
    } else {
      outside = std::max(outside, std::abs(s.p_f(axis)));
    }
  }
  // ‖inside‖ ≤ μ p_n; divided by μ only where that enlarges no round-off of a nearly frictionless contact.
  const double excess = inside.norm() - s.mu * std::max(0.0, s.p_n);
  return std::max({0.0, outside, excess / std::max(1.0, s.mu)});
}

/// Most power that friction can take: over the ellipsoid, and over the polygon of `directions` generators in it.
struct Dissipation {
  double exact = 0, polyhedral = 0;
};

Dissipation most_dissipation(const BlockState& s, int directions) {
  const double p_n = std::max(0.0, s.p_n);
  const Vector3d slip = s.axes.cwiseProduct(s.u_f);
  Dissipation most;
  most.exact = most.polyhedral = p_n * slip.norm();
  if (directions == 0) return most;
  most.polyhedral = 0;
  for (int j = 0; j < directions; ++j) {
    const double angle = 2 * std::numbers::pi * j / directions;
    most.polyhedral = std::max(most.polyhedral, -p_n * (std::cos(angle) * slip.x() + std::sin(angle) * slip.y()));
  }
  return most;
}

/// The friction that the natural map is drawn with. A contact that uses less than half of its friction has to stick.
/// That holds for any coefficient of which it uses less than half. With a large coefficient, the map would count
/// round-off of the slip, times the coefficient, as an error. It would also take almost any impulse for one on the
/// cone.
double judged_friction(double mu, double p_f, double p_n) {
  if (p_f == 0) return std::min(mu, 1.0);
  return p_n > 0 ? std::min(mu, std::max(1.0, 2 * p_f / p_n)) : mu;
}

/// Distance of p to the projection of p − (u + μ‖u_f‖ z) / a on the cone, friction axes scaled to make it circular.
double contact_map(const Block& block, const BlockState& s) {
  Vector3d p_f = Vector3d::Zero();
  for (int axis = 0; axis < 3; ++axis) p_f(axis) = s.scale(axis) > 0 ? s.p_f(axis) / s.scale(axis) : 0;
  const double mu = judged_friction(s.mu, p_f.norm(), s.p_n), a = s.mean_diagonal;
  const Vector3d u_f = s.scale.cwiseProduct(s.u_f);
  const double c = s.p_n - block.floor, u_n = s.u_n + block.offset;
  if (mu == 0) return std::abs(c - std::max(0.0, c - u_n / a));
  if (block.floor > 0) {  // not one cone's condition: the normal row's and the ball's apart
    const Vector3d target = p_f - u_f / a;
    const double radius = mu * std::max(0.0, s.p_n);
    const Vector3d nearest = target.norm() > radius ? Vector3d(target * (radius / target.norm())) : target;
    return std::hypot(c - std::max(0.0, c - u_n / a), (p_f - nearest).norm());
  }
  const Vector3d x_f = p_f - u_f / a;
  const double x_n = c - (u_n + mu * u_f.norm()) / a, length = x_f.norm();
  // The normal impulse of a contact that slides at high friction is small beside it, and with it what opens it.
  const double opened = s.mu > 1 ? std::abs(std::min(std::max(c, p_f.norm()), u_n / a)) : 0;
  if (length <= mu * x_n) return std::max(opened, std::hypot((p_f - x_f).norm(), c - x_n));
  if (mu * length <= -x_n) return std::max(opened, std::hypot(p_f.norm(), c));
  const double y_n = (mu * length + x_n) / (1 + mu * mu);
  const Vector3d y_f = x_f * (mu * y_n / length);
  return std::max(opened, std::hypot((p_f - y_f).norm(), c - y_n));
}

/// The velocity by which a row of an equation, servo or dry friction is judged: U, or what the energy P U gives the row
/// if that is more. Such rows may turn, and rad/s of a light joint are no m/s.
double row_speed(const BlockState& s, double P, double U) { return std::max(U, std::sqrt(s.mean_diagonal * P * U)); }

double bounded_residual(const Block& block, const BlockState& s, double P, double U) {
  const double nearest = std::clamp(s.p_n / P - (s.u_n + block.offset) / U, block.lower / P, block.upper / P);
  return std::abs(s.p_n / P - nearest);
}

double normal_residual(const Block& block, const BlockState& s, double P, double U) {
  return std::abs(std::min((s.p_n - block.floor) / P, (s.u_n + block.offset) / U));
}

/// Relative to P. If nothing moves a block (a = 0), this is the residual of its condition, since no impulse changes its
/// velocities.
double natural_map(const Block& block, const BlockState& s, double P, double U) {
  const double w = s.u_n + block.offset, a = s.mean_diagonal;
  switch (block.kind) {
    case BlockKind::bilateral:
      return a > 0 ? std::abs(w / a) / P : std::abs(w) / U;
    case BlockKind::bounded:
      if (!(a > 0)) return bounded_residual(block, s, P, U);
      return std::abs(s.p_n - std::clamp(s.p_n - w / a, block.lower, block.upper)) / P;
    case BlockKind::unilateral:
    case BlockKind::cone:
    case BlockKind::ellipsoid:
      break;
  }
  return a > 0 ? contact_map(block, s) / P : normal_residual(block, s, P, U);
}

/// Sizes that the problem sets: the largest impulse and the largest velocity of a block. If all impulses are zero,
/// their size is that which the velocities ask for. With a fixed size, say 1 N s, bodies of a milligram could have any
/// impulse.
BlockSizes sizes_of(const ContactProblem& problem, const Response& response,
                    const Eigen::Ref<const Eigen::VectorXd>& impulse) {
  BlockSizes sizes{0, 0};
  double asked = 0;
  for (const Block& block : problem.blocks) {
    // Torsion counts by the tangent impulse that it stands for.
    const bool torsion = block.kind == BlockKind::ellipsoid;
    const int rows = torsion ? 3 : block.size();
    sizes.impulse = std::max(sizes.impulse, impulse.segment(block.row, rows).stableNorm());
    const double demand =
        block.kind == BlockKind::bilateral || block.kind == BlockKind::bounded ? std::abs(block.offset) : -block.offset;
    const double owed = block.floor > 0 ? block.floor * response.diagonal(block.normal_row()) : 0.0;
    const double velocity = std::max({problem.u.segment(block.row, rows).stableNorm(), demand, owed});
    sizes.velocity = std::max(sizes.velocity, velocity);
    const double mobility = response.diagonal(block.normal_row());
    if (mobility > 0) asked = std::max(asked, velocity / mobility);
  }
  if (sizes.impulse == 0) sizes.impulse = asked > 0 ? asked : 1;
  if (sizes.velocity == 0) sizes.velocity = 1;
  return sizes;
}

void judge_conditions(const Block& block, const BlockState& s, const BlockSizes& sizes, int directions,
                      SolveCertificate& result) {
  const double P = sizes.impulse, U = sizes.velocity, w = s.u_n + block.offset;
  if (block.kind == BlockKind::bilateral) {
    result.bilateral_residual = worse_of(result.bilateral_residual, std::abs(w) / row_speed(s, P, U));
    return;
  }
  if (block.kind == BlockKind::bounded) {
    result.bounded_residual = worse_of(result.bounded_residual, bounded_residual(block, s, P, row_speed(s, P, U)));
    return;
  }
  result.normal_complementarity = worse_of(result.normal_complementarity, normal_residual(block, s, P, U));
  if (!block.is_contact()) return;
  result.cone_violation = worse_of(result.cone_violation, cone_excess(s) / P);
  const Dissipation most = most_dissipation(s, directions);
  const double missing = most.polyhedral + s.p_f.dot(s.u_f);
  const double friction = std::max(P, s.mu * s.p_n);
  result.dissipation_residual = worse_of(result.dissipation_residual, std::abs(missing) / (friction * U));
  result.polyhedral_error = worse_of(result.polyhedral_error, (most.exact - most.polyhedral) / (friction * U));
}

}  // namespace

SolveCertificate certify(const ContactProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& impulse,
                         int directions) {
  SolveCertificate result;
  if (!impulse.allFinite()) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    result.normal_complementarity = result.cone_violation = result.dissipation_residual = result.polyhedral_error =
        result.bilateral_residual = result.bounded_residual = result.natural_map = infinity;
    return result;
  }
  const Response response(problem, impulse);
  const BlockSizes sizes = sizes_of(problem, response, impulse);
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const Block& block = problem.blocks[b];
    const BlockState s = block_state(problem, impulse, response, block);
    judge_conditions(block, s, sizes, directions, result);
    result.natural_map = worse_of(result.natural_map, natural_map(block, s, sizes.impulse, sizes.velocity));

    const double push_out = std::max(0.0, std::min(s.u_n, block.push_speed)) * s.p_n;
    const double end_work = s.u_n * s.p_n + s.u_f.dot(s.p_f) - push_out;
    if (is_contact_or_limit(block)) {
      const double start_work = s.u_n_before * s.p_n + s.u_f_before.dot(s.p_f);
      result.push_out += push_out;
      result.contact_work += 0.5 * (s.u_n * s.p_n + s.u_f.dot(s.p_f) + start_work) - push_out;
    }
    // A bilateral row, or a bounded one with an offset, is driven: what it works is not friction's or an impact's.
    const bool driven = block.kind == BlockKind::bilateral || (block.kind == BlockKind::bounded && block.offset != 0);
    if (end_work > result.worst_work && !driven) {
      result.worst_work = end_work;
      result.worst_block = static_cast<int>(b);
    }
  }
  return result;
}

void judge_block(const Block& block, const BlockMotion& motion, const BlockSizes& sizes, int directions,
                 SolveCertificate& certificate) {
  const BlockState state = block_state(block, motion);
  judge_conditions(block, state, sizes, directions, certificate);
  certificate.natural_map = worse_of(certificate.natural_map, natural_map(block, state, sizes.impulse, sizes.velocity));
}

double judged_residual(const SolveCertificate& certificate, FrictionCone cone) {
  const double of_rows = worse_of(certificate.bilateral_residual, certificate.bounded_residual);
  if (cone == FrictionCone::exact) return worse_of(certificate.natural_map, of_rows);
  const double of_friction = worse_of(certificate.cone_violation, certificate.dissipation_residual);
  return worse_of(worse_of(certificate.normal_complementarity, of_friction), of_rows);
}

void take_conditions(const SolveCertificate& judged, SolveCertificate& certificate) {
  certificate.normal_complementarity = judged.normal_complementarity;
  certificate.cone_violation = judged.cone_violation;
  certificate.dissipation_residual = judged.dissipation_residual;
  certificate.polyhedral_error = judged.polyhedral_error;
  certificate.bilateral_residual = judged.bilateral_residual;
  certificate.bounded_residual = judged.bounded_residual;
  certificate.natural_map = judged.natural_map;
}

void keep_worst(const SolveCertificate& solve, SolveCertificate& whole) {
  whole.normal_complementarity = worse_of(whole.normal_complementarity, solve.normal_complementarity);
  whole.cone_violation = worse_of(whole.cone_violation, solve.cone_violation);
  whole.dissipation_residual = worse_of(whole.dissipation_residual, solve.dissipation_residual);
  whole.polyhedral_error = worse_of(whole.polyhedral_error, solve.polyhedral_error);
  whole.bilateral_residual = worse_of(whole.bilateral_residual, solve.bilateral_residual);
  whole.bounded_residual = worse_of(whole.bounded_residual, solve.bounded_residual);
  whole.natural_map = worse_of(whole.natural_map, solve.natural_map);
  whole.contact_work += solve.contact_work;
  whole.push_out += solve.push_out;
  if (!(solve.worst_work <= whole.worst_work) && !std::isnan(whole.worst_work)) {
    whole.worst_work = solve.worst_work;
    whole.worst_block = solve.worst_block;
  }
}

}  // namespace carom
