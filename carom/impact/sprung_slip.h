#pragma once

#include <Eigen/Core>

#include "carom/tangential_spring.h"

namespace carom {

/// Friction of one contact with a tangential spring behind Coulomb's slider, in the rows of ImpactRows (velocities
/// times μ, forces over μ, so that the cone is ‖g‖ ≤ λ), while its normal force is λ(z), with k = κ dλ/dz the stiffness
/// along the surface:
///
///     free:     g′ = −k D (v + (1/e_t² − 1) (v·g)⁺ D⁻¹ g / (g·D⁻¹ g)) + g min(0, k′/k),   D = diag(1/μ_x², 1/μ_y²)
///     sticking: ‖g‖ < λ, g free
///     sliding:  ‖g‖ = λ; of the free rate the part across g stays, the part along g is λ′; it ends where the free one
///               falls below λ′
///
/// What the spring stores is g·D⁻¹ g / (2 k). Wound up it takes the work −g·v; released it does g·v and loses g·v/e_t².
/// While a Hertz contact opens, k falls and the force with it (Thornton, Cummins and Cleary 2013), so that what is
/// stored falls too; while it closes, the force stays. So it never gives more than it took.
class SprungSlip {
 public:
  SprungSlip() = default;
  SprungSlip(const TangentialSpring& spring, double friction_x, double friction_y);

  /// Without the slider. g, v: friction and slip velocity; slope: dλ/dz; fade: min(0, (d²λ/dz² z′) / (dλ/dz)), 1/s.
  Eigen::Vector2d free_rate(const Eigen::Vector2d& g, const Eigen::Vector2d& v, double slope, double fade) const;

  /// ‖g′‖ of a spring that is wound up by the slip velocity v.
  double winding(const Eigen::Vector2d& v, double slope) const {
    return ratio_ * slope * inverse_.cwiseProduct(v).norm();
  }

  /// A contact begins with the slip velocity v and the approach speed s: sticks or slides, and where to.
  void begin(const Eigen::Vector2d& v, double s);

  bool sliding = false;
  /// Of g, where g is 0 and slides.
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();

 private:
  double ratio_ = 1;                                   // κ
  double loss_ = 0;                                    // 1/e_t² − 1
  Eigen::Vector2d square_ = Eigen::Vector2d::Zero();   // μ²
  Eigen::Vector2d inverse_ = Eigen::Vector2d::Zero();  // 1/μ²; 0 along an axis without friction
};

}  // namespace carom
