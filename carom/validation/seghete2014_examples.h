#pragma once

#include <vector>

#include "carom/validation/validation.h"

/// The examples of paper PROP, each into `validation`.
namespace carom::seghete2014 {

inline constexpr const char* source = "seghete2014";

void validate_cradles(const ValidationOptions& options, Validation& validation);   // example 1, (22)
void validate_billiard(const ValidationOptions& options, Validation& validation);  // figure 5
void validate_spheres(const ValidationOptions& options, Validation& validation);   // figure 2

/// Bullet's energy of three equal spheres in a row: kinetic energy after over that before. The first comes at `speed`
/// (m/s), the others touch and rest. The rate is in steps per second.
double bullet_energy_ratio(double speed, double restitution, double rate);

}  // namespace carom::seghete2014
