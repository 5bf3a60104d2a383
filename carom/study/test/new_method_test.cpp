// A stepper and a law that only this file knows. Put into a catalogue, they are read from scenes, run, recorded,
// compared and reported like the product's own.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "carom/contact/contact_finder.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/recursions.h"
#include "carom/error.h"
#include "carom/impact/impact_solver.h"
#include "carom/record/record.h"
#include "carom/record/summary.h"
#include "carom/stepper/impact_handler.h"
#include "carom/stepper/law_faults.h"
#include "carom/stepper/report_parts.h"
#include "carom/stepper/simulation.h"
#include "carom/stepper/stepper.h"
#include "carom/study/comparison.h"
#include "carom/study/comparison_page.h"
#include "carom/study/comparison_text.h"

namespace carom::new_method_test {
namespace {

/// Whatever approaches leaves at half its speed, one contact after another, without friction.
class Halving : public ImpactSolver {
 public:
  ImpactOutcome solve(const ImpactProblem& problem, Eigen::Ref<Eigen::VectorXd> impulse,
                      Eigen::Ref<Eigen::VectorXd> velocity, PlusTrace* /*trace*/) override {
    constexpr int most_rounds = 1000;
    ImpactOutcome outcome;
    impulse.setZero();
    velocity = problem.u;
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(velocity.size()), response(velocity.size());
    for (bool approaches = true; approaches && outcome.rounds < most_rounds; ++outcome.rounds) {
      approaches = false;
      for (const Block& block : problem.blocks) {
        const int row = block.normal_row();
        if (!(velocity[row] < -1e-12)) continue;
        approaches = true;
        unit[row] = 1;
        problem.A.multiply(unit, response);
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

constinit const LawEntry halving{
    .name = "halving",
    .assumption = "whatever strikes leaves at half its speed, whatever it is made of",
    .has_friction = false,
    .make = [](const ImpactLawOptions&) -> std::unique_ptr<ImpactSolver> { return std::make_unique<Halving>(); },
};

/// Free balls that do not turn: they fly by parabolas from step to step, and strike where one begins.
class Hopping : public Stepper {
 public:
  Hopping(const Model& model, const Method& method)
      : handler_(model, method), mass_(model, method.dynamics), finder_(model), workspace_(model) {}

  StepReport& advance(const Model& model, State& state, double length, const StepRequest& request) override {
    request.stop.check();
    if (request.problem != nullptr) *request.problem = {};
    clear(report_, state.step + 1, time_after(state, length));
    look(model, state);
    const double kinetic = report_.energy.kinetic, potential = report_.energy.potential;
    strike(model, state);
    const Vec3 gained = length * model.gravity();
    VectorX mean = state.v;
    for (int body = 0; body < model.body_count(); ++body) {
      const Vec3 change = workspace_.X_WB[static_cast<std::size_t>(body)].R.transpose() * gained;
      mean.segment<3>(6 * body + 3) += 0.5 * change;
      state.v.segment<3>(6 * body + 3) += change;
    }
    q_.resize(state.q.size());
    integrate(model, state.q, mean, length, q_);
    state.q = q_;
    look(model, state);
    close_integrated(kinetic, potential, state.q.allFinite(), report_.time, report_);
    state.time = report_.time;
    state.step = report_.step;
    state.contacts.clear();
    return report_;
  }

 private:
  void look(const Model& model, const State& state) {
    forward_kinematics(model, state.q, workspace_);
    forward_velocity(model, state.q, state.v, workspace_);
    report_.energy.kinetic = kinetic_energy(model, workspace_);
    report_.energy.potential = potential_energy(model, state.q, workspace_);
  }
  void strike(const Model& model, State& state) {
    constexpr double touching = 1e-9;
    const std::vector<Contact>& contacts = finder_.find(model, state.q, workspace_.X_WB, touching);
    std::vector<char> strikes;
    strikes.reserve(contacts.size());
    for (const Contact& contact : contacts) strikes.push_back(gap_rate(contact, state.v, workspace_) < -1e-9);
    if (std::find(strikes.begin(), strikes.end(), 1) == strikes.end()) return;
    const double before = report_.energy.kinetic;
    handler_.strike(model, state.time, state.q, contacts, strikes, 0, workspace_, mass_, state.v, report_);
    look(model, state);
    add_impact(report_.energy.kinetic - before, report_);
  }

  ImpactHandler handler_;
  MassOperator mass_;
  ContactFinder finder_;
  DynamicsWorkspace workspace_;
  StepReport report_;
  VectorX q_;
};

constinit const StepperEntry hopping{
    .name = "hopping",
    .assumption = "balls fly by parabolas from step to step, and strike where one begins",
    .make = [](const Model& model, const Method& method) -> std::unique_ptr<Stepper> {
      return std::make_unique<Hopping>(model, method);
    },
    .takes = takes_laws_of_impacts,
    .law_fault = fault_beside_impacts,
    .has_impacts = [](const Method&) { return true; },
};

Catalogue larger() {
  Catalogue catalogue = default_catalogue();
  catalogue.steppers.push_back(hopping);
  catalogue.laws.push_back(halving);
  return catalogue;
}

/// A ball whose lowest point falls 50 mm in 0.1 s. It strikes at 1 m/s where a step begins, leaves at 0.5 m/s, and so
/// on.
constexpr const char* falling_ball =
    "carom: 1\ngravity: [0, 0, -10]\nmaterials:\n  - {name: chalk, friction: 0, restitution: 0}\n"
    "world:\n  shapes: [{type: half-space, material: chalk}]\nbodies:\n  - {name: ball, mass: 2, position: "
    "[0, 0, 0.15], shapes: [{type: sphere, radius: 0.1, material: chalk}]}\n"
    "method: {stepper: hopping, law: halving, step: 0.01}\nduration: 0.2\n";

class NewMethod : public testing::Test {
 protected:
  NewMethod() {
    overrides_.catalogue = &catalogue_;
    folder_ = std::filesystem::temp_directory_path() / ("carom_new_method_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~NewMethod() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }

  Record simulate(std::int64_t steps) {
    const Scene scene = parse_scene(falling_ball, "ball.yaml", overrides_);
    RecordWriter writer = RecordWriter::create(path("ball.h5"), scene);
    Simulation simulation(scene.model, scene.method, scene.initial, catalogue_);
    for (std::int64_t i = 0; i < steps; ++i) {
      const StepReport& report = simulation.step();
      writer.append(simulation.state(), report);
    }
    writer.finish("done", 0);
    return read_record(path("ball.h5"), catalogue_);
  }

  const Catalogue catalogue_ = larger();
  SceneOverrides overrides_;
  std::filesystem::path folder_;
};

TEST_F(NewMethod, RunsAsItsEquationsSay) {
  const Record record = simulate(15);
  const State& state = record.frames.back().state;
  EXPECT_NEAR(state.time, 0.15, 1e-12);
  EXPECT_NEAR(state.v[5], 0, 1e-9);  // the top of its second flight, (1/2)² of the first one's height
  EXPECT_NEAR(state.q[6], 0.1 + 0.05 / 4, 1e-9);
  ASSERT_EQ(record.impacts.size(), 1u);
  EXPECT_NEAR(record.impacts[0].time, 0.1, 1e-12);
  EXPECT_NEAR(record.impacts[0].contact_work, -0.75 * 2 * 10 * 0.05, 1e-9);
  EXPECT_NEAR(record.certificate.energy.free_motion_error, 0, 1e-9);
  EXPECT_LT(record.certificate.impact.approach, 1e-9);
}

TEST_F(NewMethod, IsReadBackFromARecordAndToldInJson) {
  const Record record = simulate(20);
  EXPECT_TRUE(record.scene.method.stepper == hopping);
  EXPECT_TRUE(record.scene.method.law == halving);
  const auto json = nlohmann::json::parse(run_json(record, ""));
  EXPECT_EQ(json.at("stepper"), "hopping");
  EXPECT_EQ(json.at("law"), "halving");
  try {
    (void)read_record(path("ball.h5"));
    ADD_FAILURE() << "the product's catalogue has no such stepper";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("unknown stepper 'hopping'"), std::string::npos) << error.what();
  }
  RecordWriter again = RecordWriter::resume(path("ball.h5"), record.scene);
  again.finish("done", 0);
}

TEST_F(NewMethod, IsComparedWithOthers) {
  ComparisonOptions options;
  for (const char* name : {"hopping/halving", "event-driven/halving", "hopping/plastic"}) {
    options.methods.push_back(parse_method_choice(name, catalogue_));
  }
  options.tolerance = 1e-4;
  options.budget = 60;
  options.records = folder_.string();
  const Comparison comparison = compare({falling_ball, "ball.yaml", overrides_}, options);
  ASSERT_EQ(comparison.runs.size(), 3u);
  EXPECT_FALSE(comparison.parting(0, 1).parted());  // flights between two instants of impact are exact in both
  EXPECT_LT(comparison.parting(0, 1).largest, 1e-6);
  EXPECT_TRUE(comparison.parting(0, 2).parted());
  EXPECT_NEAR(comparison.parting(0, 2).time, 0.1, 0.02);
  const auto json = nlohmann::json::parse(comparison_json(comparison, ""));
  EXPECT_EQ(json.at("assumptions").at("stepper hopping"), hopping.assumption);
  EXPECT_EQ(json.at("assumptions").at("law halving"), halving.assumption);
  write_comparison_page(comparison, path("page.html"));
  EXPECT_NE(comparison_text(comparison).find("hopping/halving"), std::string::npos);
}

TEST_F(NewMethod, IsNamedWhereOthersAreRefused) {
  const auto faults = [&](const std::string& method) {
    std::string text = falling_ball;
    const std::size_t at = text.find("method:");
    text = text.substr(0, at) + "method: " + method + "\nduration: 0.2\n";
    try {
      (void)parse_scene(text, "ball.yaml", overrides_);
    } catch (const SceneError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string last_law = default_catalogue().laws.back()->name;
  const auto tells = [](const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
  };
  EXPECT_TRUE(tells(faults("{stepper: hoping, law: halving, step: 0.01}"), "did you mean 'hopping'?"));
  EXPECT_TRUE(tells(faults("{stepper: hopping, law: none, step: 0.01}"), last_law + " or halving"));
  EXPECT_TRUE(tells(faults("{stepper: stewart-trinkle, law: halving, step: 0.01}"), "variational or hopping"));
  EXPECT_TRUE(tells(faults("{stepper: hopping, law: halving, step: 0.01, overlap: push}"), "overlap has no effect"));
  const MethodChoices choices = sensible_methods({falling_ball, "ball.yaml", overrides_});
  const auto has = [&](const char* name) {
    return std::any_of(choices.chosen.begin(), choices.chosen.end(), [&](const auto& c) { return c.name() == name; });
  };
  EXPECT_TRUE(has("hopping/halving"));
  EXPECT_TRUE(has("semi-explicit/halving"));
  EXPECT_FALSE(has("stewart-trinkle/halving"));
}

}  // namespace
}  // namespace carom::new_method_test
