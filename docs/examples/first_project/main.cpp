// A ball falls onto a floor and rebounds by Newton's law: how high does it come?
#include <carom/carom.h>

#include <iostream>

int main() {
  carom::ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  const int rubber = builder.add_material({.name = "rubber", .friction = {0.5, 0.5}, .restitution = 0.8});
  const carom::Shape sphere = carom::Sphere{.radius = 0.1};
  const int ball = builder.add_body("ball", carom::shape_inertia(sphere, 1000));
  builder.add_collider({.name = "ball", .body = ball, .shape = sphere, .X_BS = {}, .material = rubber});
  builder.add_collider({.name = "floor", .body = -1, .shape = carom::HalfSpace{}, .X_BS = {}, .material = rubber});
  const auto model = std::make_shared<const carom::Model>(builder.build());

  carom::State state = carom::state_at_rest(*model);
  carom::set_pose(*model, ball, {.p = {0, 0, 1.1}}, state);  // its lowest point 1 m above the floor

  carom::Method method;
  method.law = carom::LawKind::newton;
  method.step = 1e-4;
  carom::Simulation simulation(model, method, state);
  carom::MotionObserver motion(*model);
  double highest = 0;
  bool has_touched = false;
  simulation.run_until(1.0, [&](const carom::StepReport& report) {
    motion.observe(simulation.state());
    for (const auto& contact : carom::contacts_of(*model, report, ball)) has_touched |= contact.normal_impulse > 0;
    if (has_touched) highest = std::max(highest, motion.pose(ball).p.z() - 0.1);
  });
  std::cout << "it rose to " << highest << " m of the 0.64 m that restitution 0.8 leaves of 1 m\n"
            << "unsolved steps: " << simulation.certificate().unsolved_steps << "\n";
  return std::abs(highest - 0.64) < 1e-3 ? 0 : 1;
}
