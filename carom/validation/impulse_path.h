#pragma once

#include <utility>
#include <vector>

#include "carom/impact/compliant_impact.h"
#include "carom/impact/plus.h"

namespace carom {

/// Velocity and impulse of one contact during an impact, over its normal impulse, which never falls. Methods with and
/// without time have this in common. Linear between the points. Rows x, y, normal.
struct ImpulsePath {
  std::vector<double> normal;  ///< ascending, N s
  std::vector<Eigen::Vector3d> velocity, impulse;
  double rolls_at = -1;  ///< normal impulse from which the contact rolls; −1 if it never does, N s

  void add(const Eigen::Vector3d& v, const Eigen::Vector3d& p);
  /// Velocity and impulse at a normal impulse, those of the ends beyond them.
  std::pair<Eigen::Vector3d, Eigen::Vector3d> at(double normal_impulse) const;
  /// The normal impulse at which the normal velocity first reaches zero, N s.
  double compression() const;
  /// 0: it never rolls; 1: from some point of compression on; 2: of expansion.
  int rolling_phase() const;
};

/// The largest differences of the tangential velocities (m/s) and impulses (N s) at equal normal impulses, as far as
/// both paths go.
struct PathDistance {
  double velocity = 0, impulse = 0;
};
PathDistance distance(const ImpulsePath& a, const ImpulsePath& b);

/// Path of the contact whose rows begin at `row`. PLUS: it rolls where its interval says so. Compliant: where its slip
/// is below `rest`, m/s.
ImpulsePath path_of(const PlusTrace& trace, const Eigen::VectorXd& u, int block, int row);
ImpulsePath path_of(const CompliantTrace& trace, int row, double rest);

/// The path of one contact by the equations of Darboux and Keller (Keller 1986),
///
///     du/dp_z = A (−μ û_xy, 1),
///
/// up to u_z = 0 and on to 1 + e times the normal impulse. Runge and Kutta's rule of fourth order takes steps of
/// `fineness` times the slip that is left, until the slip has ended. From there on the contact sticks, A_tt dp_t =
/// −A_tz dp_z. A: 3 × 3, u before the impact. Independent of the impact laws. Throws Error where a slip that has ended
/// would begin again, which has to be told apart by hand.
ImpulsePath keller_path(const Eigen::Matrix3d& A, const Eigen::Vector3d& u, double friction, double restitution,
                        double fineness);

}  // namespace carom
