#pragma once

#include <string>
#include <utility>
#include <vector>

#include "carom/impact/compliant_impact.h"
#include "carom/impact/plus.h"
#include "carom/scene/scene.h"
#include "carom/stepper/method.h"
#include "carom/validation/compliant_motion.h"
#include "carom/validation/mechanism_impact.h"
#include "carom/validation/validation.h"

/// The examples of paper PLUS, each into `validation`.
namespace carom::uchida2015 {

inline constexpr const char* source = "uchida2015";

// The paper's numbers on its compliant integration; the transition speed of its friction it does not tell.
inline constexpr double compliant_transition = CompliantSettings{}.transition_speed;  ///< m/s
inline constexpr double compliant_accuracy = 1e-5;
/// Spheres and plane touch where the scenes place them, to round-off.
inline constexpr double touching = 1e-9;  ///< m

void validate_one_sphere(const ValidationOptions& options, Validation& validation);  // figures 8 to 10
void validate_keller(const ValidationOptions& options, Validation& validation);      // of the same impact
void validate_brick(const ValidationOptions& options, Validation& validation);       // figures 12 and 13
void validate_balls(const ValidationOptions& options, Validation& validation);       // figure 14, table 2
void validate_pendulum(const ValidationOptions& options, Validation& validation);    // figure 15

/// An impact with what the laws made of it.
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
/// The impact of a scene's start.
MechanismImpact impact_of(const Scene& scene);
/// Throw Error if the impact is not resolved.
PlusStruck strike(const MechanismImpact& impact, const PlusOptions& options);
CompliantStruck strike(const MechanismImpact& impact, const CompliantOptions& options);

/// A scene of the paper, with other numbers at some of its paths.
Scene scene_of(const ValidationOptions& options, const std::string& name,
               const std::vector<std::pair<std::string, double>>& values = {});
/// The paper's compliant model with the dissipation of the impact's contacts.
CompliantOptions paper_compliant(const MechanismImpact& impact);

/// The same impact with the bodies moving meanwhile, as the paper has it.
CompliantMotion move(const Scene& scene);

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
