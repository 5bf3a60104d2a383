#pragma once

#include <string>
#include <vector>

#include "carom/impact/impact_certificate.h"
#include "carom/validation/sphere_curve_file.h"

namespace carom {

/// A law's impacts of a sphere, at all places of a sweep.
struct SphereLawRun {
  std::string law;
  ImpactCertificate certificate;            ///< the worst of all; of laws of an instant
  double energy_error = 0;                  ///< SphereFlights::energy_error; of runs through time
  double routh_miss = 0;                    ///< largest difference from Routh's closed form, of its speeds
  std::vector<std::vector<double>> values;  ///< by quantity of the sweep, at SphereReport::x
  std::vector<double> errors;               ///< root mean square, by curve, in the curve's unit
  std::vector<double> routh_errors;         ///< the same of Routh's closed form
};

/// A sphere under every law, beside the curves of it.
struct SphereReport {
  std::string material;  ///< name of the scene
  SphereSweep sweep = SphereSweep::incidence;
  std::vector<SphereCurve> curves;
  std::vector<double> x;  ///< ascending; the curves' own places and those between that are drawn
  std::vector<SphereLawRun> laws;
};

/// Root mean square errors of every law, as text.
std::string sphere_report(const std::vector<SphereReport>& spheres);
/// The same with the curves as one JSON object (docs/validation/sphere_impacts.md).
std::string sphere_report_json(const std::vector<SphereReport>& spheres);
/// The same as a page, with every law drawn over the points. Throws Error if the file can't be written.
void write_sphere_page(const std::vector<SphereReport>& spheres, const std::string& path);

}  // namespace carom
