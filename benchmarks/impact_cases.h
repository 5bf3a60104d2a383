#pragma once

#include <string>
#include <vector>

#include "carom/validation/mechanism_impact.h"

namespace carom::bench {

/// A mechanism at the instant of an impact.
struct ImpactCase {
  std::string name;
  std::shared_ptr<const Model> model;
  VectorX q, v;
  MechanismImpact impact;
  ImpactSurface surface;   ///< of all contacts
  double dissipation = 0;  ///< of the compliant impact, s/m; of the other laws it is the surface's restitution
};

/// The cases of paper PLUS: the triple pendulum of figure 15 as its ball strikes the ground, and the four-point brick
/// of figure 11. Rows of 2, 5 and 10 balls are as in figure 14. Argument `scenes`: folder of the scene files.
std::vector<ImpactCase> impact_cases(const std::string& scenes);

}  // namespace carom::bench
