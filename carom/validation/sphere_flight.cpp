#include "carom/validation/sphere_flight.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "carom/error.h"
#include "carom/stepper/simulation.h"

namespace carom {
namespace {

constexpr double away = 1e-3;      // of the radius
constexpr int most_steps = 10000;  // of the scene's method

struct Flight {
  Vec3 after;
  double energy_error = 0;
};

Flight fly(const SphereScene& sphere, const Vec3& before) {
  State state = sphere.scene.initial;
  state.q = Vec3(0, (1 + away) * sphere.radius, 0);
  state.v = before;
  Simulation simulation(sphere.scene.model, sphere.scene.method, state);
  for (int i = 0; i < most_steps; ++i) {
    if (simulation.step().status != SolveStatus::solved) break;
    const State& now = simulation.state();
    if (!(now.v[1] > 0 && now.q[1] > sphere.radius)) continue;
    const RunCertificate& certificate = simulation.certificate();
    const double error = std::max(std::abs(certificate.energy.free_motion_error), certificate.contact_work_gain);
    return {now.v, error / certificate.largest_energy};
  }
  throw Error(fmt::format("{}: the sphere did not leave its wall", sphere.scene.file));
}

}  // namespace

SphereFlights fly_all(const SphereScene& sphere, const std::vector<PlanarImpact>& impacts) {
  std::vector<Flight> flights(impacts.size());
  tbb::parallel_for(std::size_t{0}, impacts.size(),
                    [&](std::size_t i) { flights[i] = fly(sphere, impacts[i].before); });
  SphereFlights all;
  for (const Flight& flight : flights) {
    all.after.push_back(flight.after);
    all.energy_error = std::max(all.energy_error, flight.energy_error);
  }
  return all;
}

}  // namespace carom
