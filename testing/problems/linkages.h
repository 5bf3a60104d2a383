#pragma once

#include "testing/problems/contact_mechanics.h"

namespace carom::families {

/// Chains and closed loops of bodies joined by pins, by balls or rigidly, with limits and dry friction about the pins.
/// A pin is two points of one axis: six rows of rank five. In a closed loop of parallel pins three more are redundant.
/// Contacts are at random places; cones have two different coefficients, or are ellipsoids. The rest is at rest with
/// the world: all bilateral rows can be met together with every contact. Appends as many contacts as asked, and the
/// rows of the joints beside.
void add_linkage(Assembly& assembly, int contacts, bool torsion, Random& random);

}  // namespace carom::families
