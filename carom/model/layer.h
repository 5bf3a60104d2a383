#pragma once

#include <limits>
#include <string>
#include <vector>

#include "carom/spatial/types.h"

namespace carom {

/// The ways in which a compliant layer presses at the deflection δ along the normal.
enum class LayerKind {
  kelvin_voigt,   ///< K δ + C δ̇, with all three directions coupled by the matrices K and C
  hertz,          ///< K δ^η
  hunt_crossley,  ///< K δ^η (1 + 3/2 c δ̇)
};

/// The compliant layer that covers the rigid core of what is made of a material. Rows and columns of matrices are the
/// contact frame's x and y (along the surface) and z (the normal). A layer that is not `sideways` gives way along the
/// normal alone: then only the entry zz of K and C counts.
struct Layer {
  LayerKind kind = LayerKind::kelvin_voigt;
  Mat3 stiffness = Mat3::Zero();  ///< K, symmetric, positive definite, N/m; zz of Hertz and Hunt–Crossley: N/m^η, and
                                  ///< along the surface springs of their own, not coupled
  Mat3 damping = Mat3::Zero();  ///< C, symmetric, positive semidefinite, N s/m; zz of kelvin_voigt alone
  double dissipation = 0;       ///< c ≥ 0 of Hunt and Crossley, s/m
  double exponent = 1.5;        ///< η ≥ 1 of Hertz and Hunt–Crossley: 3/2 of round surfaces
  double thickness = std::numeric_limits<double>::infinity();  ///< δ° > 0, the greatest deflection along the normal,
                                                               ///< where the core is reached, m
  bool sideways = false;                                       ///< gives way along the surface too
  double patch_spacing = 0;  ///< > 0: elements over the whole patch of two faces that lie on one another, on average
                             ///< one for each square of this length, m; K and C are then per area, 1/m² beside the
                             ///< units above. 0: K and C of every contact point
};

/// Fault of a layer: the field, as scene files name it, and what is wrong with it. The latter ends a sentence about the
/// field ("must be …").
struct LayerFault {
  std::string field, what;
};
std::vector<LayerFault> layer_faults(const Layer& layer);

/// kelvin-voigt, hertz, hunt-crossley: the names that scene files use, in the order of LayerKind.
const std::vector<std::string>& layer_kind_names();

}  // namespace carom
