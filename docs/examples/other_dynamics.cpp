// Carom's contact solver under another program's dynamics. This one knows its own masses and Jacobians: a plank slides
// down a slope, in the plane, by steps of its own; Carom is asked for the impulses at the plank's two ends.
#include <carom/complementarity/certificate.h>
#include <carom/complementarity/contact_solver.h>

#include <array>
#include <cmath>
#include <iostream>

int main() {
  constexpr double g = 9.81, slope = 0.5, friction = 0.3, step = 1e-3;  // rad
  constexpr double mass = 4, half_length = 0.5, half_height = 0.02;     // kg, m
  const Eigen::Vector3d M_inverse(1 / mass, 1 / mass, 3 / (mass * half_length * half_length));
  const Eigen::Vector3d force =
      mass * g * Eigen::Vector3d(std::sin(slope), -std::cos(slope), 0);  // along, across, turn
  Eigen::Vector3d q(0, half_height, 0), v(0, 0, 0);

  carom::ContactSolver solver;  // keeps its memory from step to step
  carom::ContactOptions options;
  options.cone = carom::FrictionCone::exact;
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(6), velocity(6);
  double worst = 0;
  for (int i = 0; i < 1000; ++i) {
    v += step * M_inverse.cwiseProduct(force);  // as if nothing touched

    // Rows of each end: along the slope, out of the plane (where nothing moves), normal. Ends below the slope may not
    // sink further; those above may come down to it within the step: that is the block's offset.
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, 3);
    std::array<carom::Block, 2> blocks;
    for (int end = 0; end < 2; ++end) {
      const double side = end == 0 ? -1 : 1, c = std::cos(q[2]), s = std::sin(q[2]);
      const Eigen::Vector2d arm(side * half_length * c + half_height * s, side * half_length * s - half_height * c);
      J.row(3 * end) << 1, 0, -arm.y();
      J.row(3 * end + 2) << 0, 1, arm.x();
      blocks[end] = {.kind = carom::BlockKind::cone, .row = 3 * end, .friction = Eigen::Vector2d(friction, friction)};
      blocks[end].offset = std::max(0.0, q[1] + arm.y()) / step;
    }
    const Eigen::MatrixXd A = J * M_inverse.asDiagonal() * J.transpose();
    const Eigen::VectorXd u = J * v;
    const carom::ContactProblem problem{A, u, blocks};
    const Eigen::VectorXd guess = impulse;  // the last step's
    const carom::ContactSolution solution = solver.solve(problem, options, {guess.data(), 6}, impulse, velocity);
    if (solution.status != carom::SolveStatus::solved) return 1;
    worst = std::max(worst, carom::certify(problem, impulse, 0).natural_map);

    v += M_inverse.asDiagonal() * J.transpose() * impulse;
    q += step * v;
  }
  const double expected = g * (std::sin(slope) - friction * std::cos(slope));
  std::cout << "speed after 1 s " << v[0] << " m/s, g (sin - mu cos) " << expected << " m/s\nworst residual  " << worst
            << "\n";
  return std::abs(v[0] - expected) < 1e-6 && std::abs(q[2]) < 1e-6 && worst < 1e-8 ? 0 : 1;
}
