// A law of impacts of one's own: whatever strikes leaves at half its speed. It is registered in a catalogue, named by a
// method, and used where a body strikes.
#include <carom/carom.h>
#include <carom/impact/impact_solver.h>

#include <cmath>
#include <iostream>

namespace {

/// Contacts one after another until none approaches: each gets the impulse along its normal that turns its approach u
/// into u⁺ = −u/2. Rows of a contact are its two tangents and its normal.
class Halving : public carom::ImpactSolver {
 public:
  carom::ImpactOutcome solve(const carom::ImpactProblem& problem, Eigen::Ref<Eigen::VectorXd> impulse,
                             Eigen::Ref<Eigen::VectorXd> velocity, carom::PlusTrace* /*trace*/) override {
    carom::ImpactOutcome outcome;
    impulse.setZero();
    velocity = problem.u;
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(velocity.size()), response(velocity.size());
    for (bool approaches = true; approaches && outcome.rounds < 1000; ++outcome.rounds) {
      approaches = false;
      for (const carom::Block& block : problem.blocks) {
        const int row = block.normal_row();
        if (velocity[row] >= -1e-12) continue;
        approaches = true;
        unit[row] = 1;
        problem.A.multiply(unit, response);  // what a unit impulse does to all contacts
        unit[row] = 0;
        const double push = -1.5 * velocity[row] / response[row];
        impulse[row] += push;
        velocity += push * response;
      }
    }
    outcome.energy_change = 0.5 * (velocity + problem.u).dot(impulse);
    return outcome;
  }
};

constinit const carom::LawEntry halving{
    .name = "halving",
    .assumption = "whatever strikes leaves at half its speed, whatever it is made of",
    .has_friction = false,
    .make = [](const carom::ImpactLawOptions&) -> std::unique_ptr<carom::ImpactSolver> {
      return std::make_unique<Halving>();
    },
};

}  // namespace

int main() {
  carom::ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  const int material = builder.add_material({.name = "any"});
  const carom::Shape sphere = carom::Sphere{.radius = 0.1};
  const int ball = builder.add_body("ball", carom::shape_inertia(sphere, 1000));
  builder.add_collider({.name = "ball", .body = ball, .shape = sphere, .material = material});
  builder.add_collider({.name = "floor", .body = -1, .shape = carom::HalfSpace{}, .material = material});
  const auto model = std::make_shared<const carom::Model>(builder.build());
  carom::State state = carom::state_at_rest(*model);
  carom::set_pose(*model, ball, {.p = {0, 0, 1.1}}, state);

  carom::Catalogue catalogue = carom::default_catalogue();
  catalogue.laws.push_back(halving);
  carom::Method method;
  method.stepper = carom::StepperKind::event_driven;
  method.law = catalogue.law("halving");
  method.step = 0.01;
  carom::Simulation simulation(model, method, state, catalogue);

  // Falls of 1, 1/4, 1/16 m: each impact takes three quarters of the energy.
  const double energy = 9.81 * carom::shape_inertia(sphere, 1000).mass;  // J, above where it touches
  double lost = 0;
  std::int64_t impacts = 0;
  simulation.run_until(1.05, [&](const carom::StepReport& report) {
    for (const carom::ImpactReport& impact : report.impacts) {
      std::cout << "impact at " << impact.time << " s: " << impact.outcome.energy_change << " J\n";
      lost -= impact.outcome.energy_change;
      ++impacts;
    }
  });
  const double expected = energy * (1 - std::pow(0.25, impacts));
  std::cout << impacts << " impacts took " << lost << " J of " << energy << " J; expected " << expected << " J\n";
  return impacts == 2 && std::abs(lost - expected) < 1e-6 * energy ? 0 : 1;
}
