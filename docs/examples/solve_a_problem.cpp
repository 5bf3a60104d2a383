// A ladder leans against a wall. Does friction hold it, and with which impulses, over a step of 0.01 s?
#include <Eigen/Dense>
#include <cmath>
#include <iostream>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/contact_solver.h"

int main() {
  const double mass = 12, length = 5, angle = 1.1, step = 0.01;  // kg, m, rad from the floor, s
  const Eigen::Vector3d along(std::cos(angle), 0, std::sin(angle)), top = 0.5 * length * along, foot = -top;

  // Masses of velocity and angular velocity of a rod; contact frames, whose columns are two tangents and the normal.
  Eigen::Matrix<double, 6, 6> M = mass * Eigen::Matrix<double, 6, 6>::Identity(), J;
  M.bottomRightCorner<3, 3>() *= length * length / 12 * (Eigen::Matrix3d::Identity() - along * along.transpose()) +
                                 1e-3 * along * along.transpose();
  const Eigen::Matrix3d floor = Eigen::Matrix3d::Identity();
  const Eigen::Matrix3d wall = (Eigen::Matrix3d() << 0, 0, -1, 0, 1, 0, 1, 0, 0).finished();
  J << floor.transpose(), -floor.colwise().cross(foot).transpose(),  // velocity of the foot, Rᵀ (v + ω × r)
      wall.transpose(), -wall.colwise().cross(top).transpose();      // and of the top

  const Eigen::MatrixXd A = J * M.inverse() * J.transpose();  // what unit impulses do to them
  const Eigen::VectorXd u = -9.81 * step * J.col(2);          // what they are without impulses: the ladder falls
  carom::Block blocks[2];
  for (int i = 0; i < 2; ++i) {
    blocks[i] = {.kind = carom::BlockKind::cone, .row = 3 * i, .friction = Eigen::Vector2d(0.4, 0.4)};
  }
  carom::ContactOptions options;
  options.cone = carom::FrictionCone::exact;
  carom::ContactSolver solver;
  const carom::ContactProblem problem{A, u, blocks};
  Eigen::VectorXd impulse(6), velocity(6);
  const carom::ContactSolution solution = solver.solve(problem, options, {}, impulse, velocity);
  const carom::SolveCertificate certificate = carom::certify(problem, impulse, 0);

  std::cout << "status       " << carom::status_name(solution.status) << "\nnatural map  " << certificate.natural_map
            << "\nat the foot  " << impulse.head(3).transpose() << " N s\nat the top   " << impulse.tail(3).transpose()
            << " N s\nfastest slip " << velocity.cwiseAbs().maxCoeff() << " m/s\n";
  return certificate.natural_map < 1e-8 ? 0 : 1;
}
