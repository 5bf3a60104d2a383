#pragma once

#include <string>
#include <vector>

#include "carom/impact/compliant_impact.h"
#include "carom/impact/plus.h"
#include "carom/scene/scene.h"
#include "carom/study/compliant_motion.h"
#include "carom/study/mechanism_blow.h"
#include "carom/study/validation.h"

/// The examples of paper PLUS, each into `validation`.
namespace carom::uchida2015 {

inline constexpr const char* source = "uchida2015";

// Electronic supplement, table A1, and section 4.
inline constexpr double modulus = 10e9;               ///< Pa
inline constexpr double sphere_radius = 0.1;          ///< of examples 1 and 2, m
inline constexpr double plus_transition = 0.1;        ///< m/s
inline constexpr double compliant_transition = 0.01;  ///< m/s
inline constexpr double compliant_accuracy = 1e-5;
/// Spheres and plane touch where the scenes place them, to round-off.
inline constexpr double touching = 1e-9;  ///< m

void validate_one_sphere(const ValidationOptions& options, Validation& validation);  // figures 8 to 10
void validate_keller(const ValidationOptions& options, Validation& validation);      // of the same blow
void validate_brick(const ValidationOptions& options, Validation& validation);       // figures 12 and 13
void validate_balls(const ValidationOptions& options, Validation& validation);       // figure 14, table 2
void validate_pendulum(const ValidationOptions& options, Validation& validation);    // figure 15

/// A blow with what the laws made of it.
struct Struck {
  ImpactOutcome outcome;
  VectorX impulse, velocity;
};
struct PlusStruck : Struck {
  PlusTrace trace;
};
struct CompliantStruck : Struck {
  int evaluations = 0;
  double time = 0;  ///< s
  CompliantTrace trace;
};
/// The blow of a scene's start.
MechanismBlow blow_of(const Scene& scene);
/// Throw Error if the blow is not resolved.
PlusStruck strike(const MechanismBlow& blow, const PlusOptions& options);
CompliantStruck strike(const MechanismBlow& blow, const CompliantOptions& options);

/// The paper's restitution curve with its minimum, and Hertz' stiffness for spheres of the relative radius (m).
ImpactSurface paper_surface(double restitution, double radius);
ImpactSurface elastic_surface(double radius, double modulus);
/// The paper's compliant model with a dissipation, s/m.
CompliantOptions paper_compliant(double dissipation);

/// The same blow with the bodies moving meanwhile, as the paper has it.
CompliantMotion move(const Scene& scene, double friction, double dissipation, double modulus);

/// An entry for a number that the paper chose by a rule, or from data, that it does not tell.
ValidationEntry untold(ValidationEntry entry, const std::string& what);

/// A table as a file of comma-separated values.
class CurveFile {
 public:
  explicit CurveFile(std::string head) : text_(std::move(head) + "\n") {}
  void add(const std::string& line) { text_ += line + "\n"; }
  /// Into the folder of the options, and its name into the validation; nothing if no folder is named. Throws Error if
  /// it cannot be written.
  void write(const ValidationOptions& options, const std::string& name, Validation& validation) const;

 private:
  std::string text_;
};

}  // namespace carom::uchida2015
