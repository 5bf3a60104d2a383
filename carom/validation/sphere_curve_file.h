#pragma once

#include <string>
#include <vector>

namespace carom {

/// Numbers that tell the impacts of a curve apart.
enum class SphereSweep {
  incidence,  ///< angle between velocity and normal, degrees; the speed stays
  slip,       ///< v_t / (μ v_n); the normal speed v_n stays
};

/// Points of a curve, measured or published: impacts of a sphere without spin on a wall.
struct SphereCurve {
  SphereSweep sweep = SphereSweep::incidence;
  std::string quantity;  ///< one of sphere_quantities(sweep)
  std::string name;      ///< of the curve: "experiment", "alumina", …
  std::vector<double> x, values;
};

/// Names of the quantities that files give of a sweep's impacts. With incidence: tangential_ratio (velocity of the
/// centre along the wall, after over before), spin (rad/s, negative backwards), contact_rebound_angle. The last is atan
/// of the contact point's slip over the normal velocity, degrees. With slip: contact_slip and spin, R ω, over μ v_n.
const std::vector<std::string>& sphere_quantities(SphereSweep sweep);

/// Reads curves from CSV with the columns quantity, curve, incidence_deg or slip_before, value; of a folder those of
/// alumina_sphere.csv and elastic_sphere.csv that are there. Curves are in the order of the file. Throws Error that
/// names the file, the line and what would be right.
std::vector<SphereCurve> read_sphere_curves(const std::string& path);

}  // namespace carom
