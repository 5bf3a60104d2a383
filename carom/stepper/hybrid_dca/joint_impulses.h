#pragma once

#include <vector>

#include "carom/dynamics/delassus.h"
#include "carom/stepper/free_motion.h"

namespace carom {

/// A step's motion, as far as joints have to pass it on.
struct StepMotion {
  const Linearisation& at;
  const VectorX& v_plus;  ///< v⁺ in the coordinates at at.q
  const VectorX&
      v_mean;    ///< velocity of the gyroscopic and centrifugal terms: at.start, or the mean of the free motion
  double h = 0;  ///< s
  const std::vector<ConstraintRow>& rows;
  Eigen::Map<const VectorX> impulse;  ///< of the rows
};

/// Impulses that joints pass on (paper DCA, section 4.3): by body, what the inboard joint of body k gives it,
///
///     I_c^k = M_k (ΔV^k + h bias) + h V × M_k V − h (gravity + wrenches) − contacts and constraints + Σ I_c of
///     children
///
/// It is the moment about the joint's origin, N m s, and the force, N s, in world axes at the linearisation. The change
/// ΔV^k = J_k (v⁺ − v) takes the joint motion map of the linearisation, as in the paper. So the impulses balance the
/// momentum of each body. Along a joint's free modes they are what the joint's own devices give, less what its
/// reflected inertia takes. The devices are springs, dampers, drives, dry friction, limits, and couplers (rows on
/// coordinates). A free joint passes nothing on. This is exact with gyroscopic terms `explicit`. The implicit ones are
/// those of another configuration within the step, and the balance holds to O(h²) of the momentum.
///
/// `workspace` is overwritten. O(n + rows).
void joint_impulses(const Model& model, const StepMotion& step, DynamicsWorkspace& workspace,
                    std::vector<Vec6>& impulses);

}  // namespace carom
