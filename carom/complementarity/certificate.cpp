#include "carom/complementarity/certificate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom {

namespace {

/// Impulse and velocities (before and after) of one block. Tangents are zero for a block of one row.
struct BlockState {
  Eigen::Vector2d p_t = Eigen::Vector2d::Zero();
  Eigen::Vector2d u_t = Eigen::Vector2d::Zero();
  Eigen::Vector2d u_t_before = Eigen::Vector2d::Zero();
  double p_n = 0, u_n = 0, u_n_before = 0;
  double mean_diagonal = 0;  // trace of the block of A with tangent axes scaled as in natural_map, over its size
};

double product(const Eigen::Ref<const Eigen::MatrixXd>& A, Eigen::Index row,
               const Eigen::Ref<const Eigen::VectorXd>& p) {
  double sum = 0;
  for (Eigen::Index j = 0; j < p.size(); ++j) sum += A(j, row) * p(j);  // A is symmetric: down its columns
  return sum;
}

/// Tangent axes scaled so that the friction ellipse is a disc of radius max(μ_x, μ_y) p_n.
Eigen::Vector2d ellipse_scale(const Block& block) {
  const double largest = block.friction.maxCoeff();
  return largest > 0 ? Eigen::Vector2d(block.friction / largest) : Eigen::Vector2d::Zero();
}

BlockState block_state(const ContactProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& impulse,
                       const Block& block) {
  BlockState state;
  const Eigen::Index n = block.normal_row();
  state.p_n = impulse(n);
  state.u_n_before = problem.u(n);
  state.u_n = problem.u(n) + product(problem.A, n, impulse);
  state.mean_diagonal = problem.A(n, n);
  if (block.kind == BlockKind::unilateral) return state;
  const Eigen::Vector2d scale = ellipse_scale(block);
  for (int axis = 0; axis < 2; ++axis) {
    const Eigen::Index row = block.row + axis;
    state.p_t(axis) = impulse(row);
    state.u_t_before(axis) = problem.u(row);
    state.u_t(axis) = problem.u(row) + product(problem.A, row, impulse);
    state.mean_diagonal += scale(axis) * scale(axis) * problem.A(row, row);
  }
  state.mean_diagonal /= 3;
  return state;
}

/// ‖p_t‖ in units of the ellipse, above p_n; on an axis without friction the impulse itself, which should be zero.
double cone_excess(const Block& block, const BlockState& s) {
  const double largest = block.friction.maxCoeff();
  const Eigen::Vector2d scale = ellipse_scale(block);
  Eigen::Vector2d inside = Eigen::Vector2d::Zero();
  double outside = 0;
  for (int axis = 0; axis < 2; ++axis) {
    if (scale(axis) > 0) {
      inside(axis) = s.p_t(axis) / scale(axis);
    } else {
      outside = std::max(outside, std::abs(s.p_t(axis)));
    }
  }
  // ‖inside‖ ≤ μ p_n; divided by μ only where that enlarges no round-off of a nearly frictionless contact.
  const double excess = inside.norm() - largest * std::max(0.0, s.p_n);
  return std::max({0.0, outside, excess / std::max(1.0, largest)});
}

/// Most power that friction can take: over the ellipse, and over the polygon of `directions` generators in it.
struct Dissipation {
  double exact = 0, polyhedral = 0;
};

Dissipation most_dissipation(const Block& block, const BlockState& s, int directions) {
  const double p_n = std::max(0.0, s.p_n);
  const Eigen::Vector2d slip = block.friction.cwiseProduct(s.u_t);
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

/// Distance of p to the projection of p − (u + μ‖u_t‖ z) / a on the cone, tangent axes scaled to make it circular.
double natural_map(const Block& block, const BlockState& s) {
  if (!(s.mean_diagonal > 0)) return std::max(0.0, -s.p_n);
  const double mu = block.friction.maxCoeff(), a = s.mean_diagonal;
  const Eigen::Vector2d scale = ellipse_scale(block);
  Eigen::Vector2d p_t = Eigen::Vector2d::Zero();
  for (int axis = 0; axis < 2; ++axis) p_t(axis) = scale(axis) > 0 ? s.p_t(axis) / scale(axis) : 0;
  const Eigen::Vector2d u_t = scale.cwiseProduct(s.u_t);
  const double c = s.p_n - block.floor, u_n = s.u_n + block.offset;
  if (mu == 0) return std::abs(c - std::max(0.0, c - u_n / a));
  if (block.floor > 0) {  // not one cone's condition: the normal row's and the disc's apart
    const Eigen::Vector2d target = p_t - u_t / a;
    const double radius = mu * std::max(0.0, s.p_n);
    const Eigen::Vector2d nearest =
        target.norm() > radius ? Eigen::Vector2d(target * (radius / target.norm())) : target;
    return std::hypot(c - std::max(0.0, c - u_n / a), (p_t - nearest).norm());
  }
  const Eigen::Vector2d x_t = p_t - u_t / a;
  const double x_n = c - (u_n + mu * u_t.norm()) / a, length = x_t.norm();
  if (length <= mu * x_n) return std::hypot((p_t - x_t).norm(), c - x_n);
  if (mu * length <= -x_n) return std::hypot(p_t.norm(), c);
  const double y_n = (mu * length + x_n) / (1 + mu * mu);
  const Eigen::Vector2d y_t = x_t * (mu * y_n / length);
  return std::hypot((p_t - y_t).norm(), c - y_n);
}

}  // namespace

SolveCertificate certify(const ContactProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& impulse,
                         int directions) {
  SolveCertificate result;
  double impulse_size = 0, velocity_size = 0;
  for (const Block& block : problem.blocks) {
    impulse_size = std::max(impulse_size, impulse.segment(block.row, block.size()).stableNorm());
    velocity_size = std::max({velocity_size, problem.u.segment(block.row, block.size()).stableNorm(), -block.offset});
  }
  if (impulse_size == 0) impulse_size = 1;
  if (velocity_size == 0) velocity_size = 1;

  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const Block& block = problem.blocks[b];
    const BlockState s = block_state(problem, impulse, block);
    const double normal = std::min((s.p_n - block.floor) / impulse_size, (s.u_n + block.offset) / velocity_size);
    result.normal_complementarity = std::max(result.normal_complementarity, std::abs(normal));
    if (block.kind == BlockKind::cone) {
      result.cone_violation = std::max(result.cone_violation, cone_excess(block, s) / impulse_size);
      const Dissipation most = most_dissipation(block, s, directions);
      const double power = impulse_size * velocity_size;
      const double missing = most.polyhedral + s.p_t.dot(s.u_t);
      result.dissipation_residual = std::max(result.dissipation_residual, std::abs(missing) / power);
      result.polyhedral_error = std::max(result.polyhedral_error, (most.exact - most.polyhedral) / power);
    }
    result.natural_map = std::max(result.natural_map, natural_map(block, s) / impulse_size);

    const double push_out = std::max(0.0, std::min(s.u_n, block.push_speed)) * s.p_n;
    const double end_work = s.u_n * s.p_n + s.u_t.dot(s.p_t) - push_out;
    const double start_work = s.u_n_before * s.p_n + s.u_t_before.dot(s.p_t);
    result.push_out += push_out;
    result.contact_work += 0.5 * (s.u_n * s.p_n + s.u_t.dot(s.p_t) + start_work) - push_out;
    if (end_work > result.worst_work) {
      result.worst_work = end_work;
      result.worst_block = static_cast<int>(b);
    }
  }
  return result;
}

void keep_worst(const SolveCertificate& solve, SolveCertificate& whole) {
  whole.normal_complementarity = std::max(whole.normal_complementarity, solve.normal_complementarity);
  whole.cone_violation = std::max(whole.cone_violation, solve.cone_violation);
  whole.dissipation_residual = std::max(whole.dissipation_residual, solve.dissipation_residual);
  whole.polyhedral_error = std::max(whole.polyhedral_error, solve.polyhedral_error);
  whole.natural_map = std::max(whole.natural_map, solve.natural_map);
  whole.contact_work += solve.contact_work;
  whole.push_out += solve.push_out;
  if (solve.worst_work > whole.worst_work) {
    whole.worst_work = solve.worst_work;
    whole.worst_block = solve.worst_block;
  }
}

}  // namespace carom
