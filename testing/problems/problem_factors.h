#pragma once

#include "testing/problems/contact_mechanics.h"

namespace carom::families {

/// G of A = G Gᵀ from M = L Lᵀ, a group of columns for every body.
ContactFactors factors_of(const Mechanics& m);

}  // namespace carom::families
