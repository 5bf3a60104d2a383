// A pendulum with an inertial sensor: what does it read at each step, and when does the pivot bear most?
#include <carom/carom.h>
#include <carom/record/live_columns.h>

#include <cmath>
#include <iostream>

int main() {
  const double length = 0.5, mass = 2, g = 9.81;
  carom::ModelBuilder builder;
  builder.set_gravity({0, 0, -g});
  const carom::Mat3 central = carom::Vec3::Constant(1e-9).asDiagonal();
  const int rod = builder.add_body("rod", {.mass = mass, .center = {length, 0, 0}, .central = central});
  carom::Joint pivot;
  pivot.name = "pivot";
  pivot.type = carom::JointType::revolute;  // about its own z; here that is y, so that a positive angle swings down
  pivot.X_PF.R = pivot.X_BM.R = carom::contact_frame({0, 1, 0});
  builder.add_joint(rod, pivot);
  carom::Sensor imu;
  imu.name = "imu";
  imu.body = rod;
  imu.X_BS.p = {length, 0, 0};
  builder.add_sensor(imu);
  carom::Sensor load;
  load.name = "load";
  load.kind = carom::SensorKind::force_torque;
  load.body = rod;
  builder.add_sensor(load);
  const auto model = std::make_shared<const carom::Model>(builder.build());

  const carom::State level = carom::state_at_rest(*model);
  carom::Method method;
  method.stepper = carom::StepperKind::variational;
  method.law = carom::LawKind::plastic;  // nothing strikes here, but this stepper wants to know
  method.step = 1e-3;
  carom::Simulation simulation(model, method, level);
  carom::LiveColumns columns(model, level, {{"peak", "max(norm(load.force))"}});
  double worst = 0;
  simulation.run_until(1.5, [&](const carom::StepReport& report) {
    columns.add(simulation.state(), report);
    // From level at rest: ½ m l² ω² = m g l sin φ.
    const double rate = columns.numbers("imu.angular_velocity").norm(), angle = columns.number("pivot");
    worst = std::max(worst, std::abs(0.5 * length * rate * rate - g * std::sin(angle)) / g);
  });
  const double peak = columns.number("peak");
  std::cout << "energy of the motion off by " << worst << "\nthe pivot bore " << peak << " N, of the " << 3 * mass * g
            << " N at the lowest point\n";
  return worst < 1e-3 && std::abs(peak / (3 * mass * g) - 1) < 1e-3 ? 0 : 1;
}
