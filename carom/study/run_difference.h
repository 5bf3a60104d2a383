#pragma once

#include <vector>

#include "carom/study/sampled_run.h"

// Distance of two runs of one mechanism. For a body with mass m, centre of mass c and second moment of mass
// Σ = ½ tr(I) 1 − I about it (I the central inertia, all in the body frame), put at (p₁, R₁) by one run and at (p₂, R₂)
// by the other,
//
//     d² = |c₁ − c₂|² + tr((R₁ − R₂) Σ (R₁ − R₂)ᵀ) / m
//
// is the mean square distance between the two places of its points of mass: metres, whatever turns or shifts, and the
// same in every frame. With the rates of c and R in their place it is a difference of velocities, m/s.
namespace carom {

/// At each of the samples that both runs have.
struct RunDifference {
  std::vector<double> distance;  ///< d of the body for which it is largest, m
  std::vector<double> speed;     ///< the same of velocities, m/s
  std::vector<double> energy;    ///< of the second less that of the first, J
};

/// O(samples × bodies). Both of the model.
RunDifference run_difference(const Model& model, const SampledRun& first, const SampledRun& second);

/// The distance of the body's two places, m. Zero for a body without mass.
double body_distance(const Body& body, const BodyMotion& first, const BodyMotion& second);
/// The difference of its two motions, m/s.
double body_speed_difference(const Body& body, const BodyMotion& first, const BodyMotion& second);

/// Largest of the values, of which there is at least one.
double largest(const std::vector<double>& values);
/// Largest of the values up to each of them.
std::vector<double> running_largest(const std::vector<double>& values);

/// Largest distance of any body from where it started, m.
double extent_of_motion(const Model& model, const SampledRun& run);

}  // namespace carom
