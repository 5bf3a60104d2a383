#pragma once

#include "carom/model/model.h"
#include "carom/stepper/step_report.h"

namespace carom {

/// Loads of contacts on each collider over several steps, summed; world axes. Numbers lie one after another: entry
/// 3 i + k belongs to collider i of the model.
///
///   impulse = Σ p,   angular_impulse = Σ x × p,   normal_impulse = Σ |p_n|,   centre_of_pressure = Σ |p_n| x / Σ |p_n|
///
/// with p the impulse on the collider and x the contact's point. Joint limits and ropes load no collider.
struct ColliderLoads {
  explicit ColliderLoads(const Model& model) { clear(static_cast<Eigen::Index>(model.colliders().size())); }

  VectorX impulse;             ///< on the collider, N s
  VectorX angular_impulse;     ///< about the world's origin, N m s
  VectorX normal_impulse;      ///< one number a collider, N s
  VectorX centre_of_pressure;  ///< m; NaN where nothing pressed

  void clear() { clear(normal_impulse.size()); }
  /// Adds the contacts of a step. The running mean of centre_of_pressure depends on nothing but the numbers above. So
  /// sums that were stored and read back go on with the same bits.
  void add(const StepReport& report);

  /// Mean forces over the `seconds` that the sums are of, N; 0 where no time passed.
  VectorX mean_force(double seconds) const;
  /// Mean moments about the centres of pressure (about the world's origin where nothing pressed), N m: what a contact
  /// patch twists beside its force.
  VectorX mean_moment(double seconds) const;

 private:
  void clear(Eigen::Index colliders);
  void add(Eigen::Index collider, const Vec3& impulse, double normal, const Vec3& point);
};

}  // namespace carom
