#pragma once

#include <string>
#include <vector>

#include "carom/validation/bhalerao2009_pendulum.h"
#include "carom/validation/trajectory.h"
#include "carom/validation/validation.h"

/// The examples of paper DCA, each into `validation`. No step is below `finest`, s.
namespace carom::bhalerao2009 {

inline constexpr const char* source = "bhalerao2009";

void validate_frictionless(const ValidationOptions& options, double finest, Validation& validation);  // figure 7
void validate_sliding(const ValidationOptions& options, double finest, Validation& validation);       // figure 8
void validate_planar(const ValidationOptions& options, double finest, Validation& validation);        // figure 9
void validate_bouncing(const ValidationOptions& options, double finest, Validation& validation);      // figure 10
void validate_sizes(const ValidationOptions& options, Validation& validation);                        // section 4.2.2

/// 4e-3 s and its halves down to 2.5e-4 s, none below `finest`.
std::vector<double> steps_down_to(double finest);

/// The paper's data, for the reference: they are not read from the scenes, so that a scene that differs fails.
PendulumSetup figure_7();
PendulumSetup figure_8();
PendulumSetup figure_9();
PendulumSetup figure_10();

/// Places of the double pendulum of a scene after every step, the first at its start.
struct PendulumRun {
  double step = 0;
  std::vector<double> times;
  std::vector<Vec3> top, top_velocity;   ///< of P1, m and m/s
  std::vector<Vec3> angles_A, angles_B;  ///< body-fixed 1-2-3, B relative to A, rad, without jumps
  std::vector<Vec3> center;              ///< of mass, m
  Trajectory trajectory;
};
PendulumRun pendulum_run(const ValidationOptions& options, const std::string& scene, double step,
                         const std::function<void(Method&)>& change = {}, double radius = 0);
/// The same by the event-driven stepper, with a report every 0.01 s. It needs a size of what touches, so P1 is a ball
/// of this radius, m. The motion with P1 as a point is extrapolated from two runs.
PendulumRun event_driven_run(const ValidationOptions& options, const std::string& scene, double radius);
inline constexpr double small_radius = 4e-5;

/// R = Rx(a) Ry(b) Rz(c) as (a, b, c), the solution nearest to `near`.
Vec3 angles_123(const Mat3& R, const Vec3& near);
Mat3 turned_123(const Vec3& angles);

}  // namespace carom::bhalerao2009
