// A motor turns the crank of a four-bar linkage. Does the rocker go where geometry says, and what does the motor work?
#include <carom/carom.h>

#include <cmath>
#include <iostream>
#include <numbers>

namespace {

constexpr double ground = 0.5, crank = 0.2, coupler = 0.5, rocker = 0.4;  // lengths, m

/// The pin between coupler and rocker at a crank's angle: the circles about their other ends meet there.
Eigen::Vector2d meeting_point(double angle) {
  const Eigen::Vector2d knee(crank * std::cos(angle), crank * std::sin(angle)),
      across = Eigen::Vector2d(ground, 0) - knee;
  const double d = across.norm(), along = (d * d + coupler * coupler - rocker * rocker) / (2 * d);
  const Eigen::Vector2d unit = across / d, left(-unit.y(), unit.x());
  return knee + along * unit + std::sqrt(coupler * coupler - along * along) * left;
}
double rocker_angle(double angle) { return std::atan2(meeting_point(angle).y(), meeting_point(angle).x() - ground); }

/// A bar along its x axis that hangs on a hinge whose angle counts from x to z.
int add_bar(carom::ModelBuilder& builder, const std::string& name, double length, int parent, double hinge_x) {
  const double m = 2 * length, I = m * length * length / 12;
  const carom::Mat3 central = carom::Vec3(1e-4, I, I).asDiagonal();
  const int bar = builder.add_body(name, {.mass = m, .center = {length / 2, 0, 0}, .central = central});
  const carom::Mat3 axis = carom::contact_frame({0, -1, 0});
  carom::Joint hinge;
  hinge.name = name + " hinge";
  hinge.type = carom::JointType::revolute;
  hinge.parent = parent;
  hinge.X_PF = {axis, {hinge_x, 0, 0}};
  hinge.X_BM.R = axis;
  builder.add_joint(bar, hinge);
  return bar;
}

}  // namespace

int main() {
  const double start = 0.3, speed = 2 * std::numbers::pi;  // rad, rad/s
  carom::ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  const int a = add_bar(builder, "crank", crank, -1, 0);
  const int b = add_bar(builder, "coupler", coupler, a, crank);
  const int c = add_bar(builder, "rocker", rocker, -1, ground);
  carom::Constraint pin;
  pin.name = "pin";
  pin.kind = carom::ConstraintKind::ball;
  pin.body_a = b;
  pin.body_b = c;
  pin.X_AF.p = {coupler, 0, 0};
  pin.X_BG.p = {rocker, 0, 0};
  builder.add_constraint(pin);
  carom::Drive motor;
  motor.name = "motor";
  motor.kind = carom::DriveKind::servo;
  motor.body = a;
  motor.value.polynomial = {start, speed};
  motor.stiffness = 400;  // N m/rad
  motor.damping = 10;     // N m s/rad
  motor.limit = 60;       // N m
  builder.add_drive(motor);
  const auto model = std::make_shared<const carom::Model>(builder.build());

  carom::State state = carom::state_at_rest(*model);
  carom::joint_position(*model, a, state)[0] = start;  // the other two: somewhere near, for the assembly to mend
  carom::joint_position(*model, b, state)[0] = 0.6;
  carom::joint_position(*model, c, state)[0] = 1.8;
  carom::assemble_constraints(*model, state);

  carom::Method method;
  method.step = 1e-3;
  carom::Simulation simulation(model, method, state);
  double worst = 0, work = 0;
  simulation.run_until(2, [&](const carom::StepReport& report) {
    const double angle = carom::joint_position(*model, a, simulation.state())[0];
    worst = std::max(worst, std::abs(carom::joint_position(*model, c, simulation.state())[0] - rocker_angle(angle)));
    work += report.energy.drive_work;
  });
  const double lag = start + 2 * speed - carom::joint_position(*model, a, simulation.state())[0];
  const carom::RunCertificate& certificate = simulation.certificate();
  std::cout << "rocker off by  " << worst << " rad at most\nmotor lags by  " << lag << " rad and worked " << work
            << " J\ndrift          " << certificate.constraint_drift << " m\nunsolved steps "
            << certificate.unsolved_steps << "\n";
  return worst < 1e-8 && std::abs(lag) < 0.1 && certificate.unsolved_steps == 0 ? 0 : 1;
}
