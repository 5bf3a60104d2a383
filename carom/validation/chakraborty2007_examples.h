#pragma once

#include <string>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/validation/validation.h"

/// The examples of paper QR, each into `validation`.
namespace carom::chakraborty2007 {

inline constexpr const char* source = "chakraborty2007";

void validate_disc(const ValidationOptions& options, Validation& validation);       // figures 4 and 5
void validate_ellipsoid(const ValidationOptions& options, Validation& validation);  // figure 6
void validate_tilted(const ValidationOptions& options, Validation& validation);     // figure 7
void validate_counts(const ValidationOptions& options, Validation& validation);  // section "compliant contact modeling"

/// One step of a run of one body on one layer.
struct Sample {
  double time = 0;
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();  ///< world
  Mat3 R = Mat3::Identity();
  double impulse = 0;        ///< p_n, N s
  double deflection = 0;     ///< δ_n of the layer, m
  double energy = 0;         ///< kinetic, gravity's and the layer's, J
  Vec3 slip = Vec3::Zero();  ///< along the surface, and spin about the normal, m/s and rad/s; where it touches
  bool touches = false;
};

/// The numbers of a scene with one body and one layer.
struct Setting {
  double mass = 0, stiffness = 0, damping = 0, thickness = 0;  ///< of the normal
  double gravity = 0;                                          ///< m/s²; the paper's is not printed
  double friction = 0, torsion = 0;                            ///< μ, and μ e_r, m
  Vec3 semi_axes = Vec3::Zero();                               ///< of the body, m
  double start = 0, spin = 0;  ///< height of its centre, m, and angular velocity about the vertical, rad/s, at first
};
Setting setting_of(const Scene& scene);

/// The whole run, sample 0 at the start, by steps of h. Throws Error if a step is not solved.
std::vector<Sample> run(const Scene& scene, double h, double duration);

/// A body that falls upright onto a layer: the steps of eqs. (14), (15) solved by hand. Each of three cases has its
/// formula: in flight, on the layer, on the core.
struct FallByHand {
  double h = 0;
  Setting setting;
  double lowest = 0;           ///< from the centre down to the lowest point, m
  double y = 0, v = 0;         ///< of the centre
  double deflection = 0;       ///< of the layer, m
  double layer = 0, core = 0;  ///< p_ns and p_nr of the last step, N s
  // Spin about the normal, braked by the moment torsion · p_n at most.
  double spin = 0, moment_of_inertia = 1;

  void step();
};

/// A scene of the paper. reading: which of K's three printed numbers is the normal's, 1 or 3, of those that ask.
Scene scene_of(const ValidationOptions& options, const std::string& name, int reading = 1);

}  // namespace carom::chakraborty2007
