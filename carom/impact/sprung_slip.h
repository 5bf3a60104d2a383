#pragma once

#include <Eigen/Core>

#include "carom/tangential_spring.h"

namespace carom {

/// Friction of one contact with a tangential spring behind Coulomb's slider, in the rows of ImpactRows. There
/// velocities are times μ and forces over μ, so that the cone is ‖g‖ ≤ λ. The normal force is λ(z), and k = κ dλ/dz is
/// the stiffness along the surface:
///
///     free:     g = k D d, d′ = −v − (1/e_t² − 1) (v·g)⁺ D⁻¹ g / (g·D⁻¹ g),   D = diag(1/μ_x², 1/μ_y²)
///     sticking: ‖g‖ < λ, g free
///     sliding:  ‖g‖ = λ
///
/// with the displacement d of the spring. While the contact slides, the part of the free rate g′ across g stays, and
/// the part along g is λ′. Sliding ends where the free rate along g falls below λ′. Wound up, the spring stores the
/// work −g·v. Released, it does the work g·v and loses g·v/e_t².
///
/// The stiffness k of a Hertz contact follows the compression, and the force follows k. This meets the elastic
/// reference of Chung and Ooi (2011) to reading accuracy; Mindlin's incremental form, g′ = k d′ alone, does not. So a
/// contact that is pressed together while it is sheared gains force without slip. LzbLaw takes any gain of energy away
/// at the end.
class SprungSlip {
 public:
  SprungSlip() = default;
  SprungSlip(const TangentialSpring& spring, double friction_x, double friction_y);

  /// Without the slider. g, v: friction and slip velocity; slope: dλ/dz; stiffening: k′/k, 1/s.
  Eigen::Vector2d free_rate(const Eigen::Vector2d& g, const Eigen::Vector2d& v, double slope, double stiffening) const;

  /// ‖g′‖ of a spring that is wound up by the slip velocity v.
  double winding(const Eigen::Vector2d& v, double slope) const {
    return ratio_ * slope * inverse_.cwiseProduct(v).norm();
  }

  /// Begins a contact with the slip velocity v; s is its approach speed times λ/(z dλ/dz). Decides whether it sticks or
  /// slides, and in which direction.
  void begin(const Eigen::Vector2d& v, double s);

  bool sliding = false;
  /// Direction of g where g is 0 and slides.
  Eigen::Vector2d direction = Eigen::Vector2d::Zero();

 private:
  double ratio_ = 1;                                   // κ
  double loss_ = 0;                                    // 1/e_t² − 1
  Eigen::Vector2d square_ = Eigen::Vector2d::Zero();   // μ²
  Eigen::Vector2d inverse_ = Eigen::Vector2d::Zero();  // 1/μ²; 0 along an axis without friction
};

}  // namespace carom
