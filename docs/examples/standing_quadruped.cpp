// A quadruped stands on its servos. The program prints what the ground gives each foot, before and while a person leans
// on the robot.
#include <carom/carom.h>

#include <array>
#include <cmath>
#include <iostream>

int main() {
  constexpr double g = 9.81, length = 0.25, radius = 0.02, hip = 0.6, knee = -1.2;  // m, rad
  carom::ModelBuilder builder;
  builder.set_gravity({0, 0, -g});
  const int rubber = builder.add_material({.name = "rubber", .friction = {0.8, 0.8}});
  builder.add_collider({.name = "ground", .body = -1, .shape = carom::HalfSpace{}, .material = rubber});
  const carom::Shape box = carom::Box{.half_extents = {0.3, 0.15, 0.05}}, foot = carom::Sphere{.radius = radius};
  const int trunk = builder.add_body("trunk", carom::shape_inertia(box, 500));

  const carom::Mat3 axis = carom::contact_frame({0, 1, 0});
  const carom::SpatialInertia segment{
      .mass = 0.5, .center = {0, 0, -length / 2}, .central = carom::Vec3(2.6e-3, 2.6e-3, 1e-4).asDiagonal()};
  std::array<int, 4> thighs{}, shanks{};
  const std::array<const char*, 4> names{"front left", "front right", "hind left", "hind right"};
  for (int i = 0; i < 4; ++i) {
    const std::string name = names[i];
    const carom::Vec3 place(i < 2 ? 0.25 : -0.25, i % 2 == 0 ? 0.12 : -0.12, 0);
    thighs[i] = builder.add_body(name + " thigh", segment);
    shanks[i] = builder.add_body(name + " shank", segment);
    builder.add_joint(thighs[i], {.name = name + " hip",
                                  .type = carom::JointType::revolute,
                                  .parent = trunk,
                                  .X_PF = {axis, place},
                                  .X_BM = {.R = axis}});
    builder.add_joint(shanks[i], {.name = name + " knee",
                                  .type = carom::JointType::revolute,
                                  .parent = thighs[i],
                                  .X_PF = {axis, {0, 0, -length}},
                                  .X_BM = {.R = axis}});
    builder.add_collider(
        {.name = name + " foot", .body = shanks[i], .shape = foot, .X_BS = {.p = {0, 0, -length}}, .material = rubber});
    for (const auto& [body, angle] : {std::pair{thighs[i], hip}, std::pair{shanks[i], knee}}) {
      builder.add_drive({.name = "servo",
                         .kind = carom::DriveKind::servo,
                         .body = body,
                         .value = carom::TimeFunction::constant(angle),
                         .stiffness = 300,
                         .damping = 12,
                         .limit = 60});
    }
  }
  const auto model = std::make_shared<const carom::Model>(builder.build());

  carom::State state = carom::state_at_rest(*model);
  carom::set_pose(*model, trunk, {.p = {0, 0, 2 * length * std::cos(hip) + radius}}, state);
  for (int i = 0; i < 4; ++i) {
    carom::joint_position(*model, thighs[i], state)[0] = hip;
    carom::joint_position(*model, shanks[i], state)[0] = knee;
  }

  const double step = 2e-3;
  carom::Simulation simulation(model, {.cone = carom::FrictionCone::exact, .step = step}, state);
  // Sum of the forces on the feet, and where along x they act, at the end of the time.
  const auto ground_reaction = [&](double until) {
    simulation.run_until(until - step);
    const carom::StepReport& report = simulation.step();
    carom::Vec3 sum = carom::Vec3::Zero();
    double moment = 0;
    for (const carom::BodyContact& contact : carom::contacts_of(*model, report, -1)) {
      const carom::Vec3 force = -contact.impulse() / step;
      std::cout << "  " << contact.name << ": " << force.transpose() << " N, " << carom::mode_name(contact.mode)
                << "\n";
      sum += force;
      moment += contact.position.x() * force.z();
    }
    return std::pair{sum, moment / sum.z()};
  };

  std::cout << "standing\n";
  const auto [stands, pressed] = ground_reaction(2);
  const carom::CentroidalState whole = carom::MotionObserver(*model, simulation.state()).whole();
  simulation.push(carom::BodyPush{.body = trunk, .force = {0, 0, -40}, .seconds = 2});
  std::cout << "somebody leans on it with 40 N\n";
  const auto [leaned_on, shifted] = ground_reaction(3.9);

  const double weight = whole.mass * g;
  std::cout << "weight " << weight << " N, borne " << stands.z() << " N and " << leaned_on.z() << " N\n"
            << "centre of mass at x = " << whole.center.x() << " m, of pressure at x = " << pressed << " m and "
            << shifted << " m\nunsolved steps " << simulation.certificate().unsolved_steps << "\n";
  return std::abs(stands.z() - weight) < 1e-3 * weight && std::abs(pressed - whole.center.x()) < 1e-3 &&
                 std::abs(leaned_on.z() - weight - 40) < 1e-3 * weight && simulation.certificate().unsolved_steps == 0
             ? 0
             : 1;
}
