#include "carom/record/output_formulas.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "carom/error.h"
#include "carom/record/record.h"
#include "carom/record/record_columns.h"
#include "carom/record/summary.h"
#include "carom/record/test/test_folder.h"
#include "carom/stepper/simulation.h"

namespace carom::output_formulas_test {
namespace {

constexpr double g = 9.81;

class OutputFormulasTest : public test::FolderTest {
 protected:
  /// Runs a scene up to a step, from its start or from where the record ends.
  void simulate(const Scene& scene, const std::string& file, std::int64_t until, bool resume = false) {
    State state = scene.initial;
    if (resume) state = read_record(path(file)).frames.back().state;
    RecordWriter writer = resume ? RecordWriter::resume(path(file), scene) : RecordWriter::create(path(file), scene);
    Simulation simulation(scene.model, scene.method, state);
    simulation.set_controller(scene.controller());
    while (simulation.state().step < until) {
      const StepReport& report = simulation.step();
      writer.append(simulation.state(), report);
    }
    writer.finish("done", 0);
  }
  std::vector<double> column(const std::string& file, const std::string& name) {
    return read_record_columns(path(file), {name}).back().values;
  }
};

/// A pendulum of a point mass m on a rod of length l, turning about y.
std::string pendulum_text(const std::string& outputs, int every = 1, const std::string& columns = "all") {
  return R"(carom: 1
parameters: {m: 2, l: 0.7}
gravity: [0, 0, -9.81]
bodies:
  - {name: bob, inertia: {mass: =m, moments: [1e-9, 1e-9, 1e-9]}}
joints:
  - {name: pivot, type: revolute, parent: world, child: bob, axis: [0, 1, 0], on_child: {position: [0, 0, =l]}, position: 1}
method: {stepper: event-driven, law: plastic, step: 0.01}
duration: 0.5
record: {every: )" +
         std::to_string(every) + ", columns: " + columns + "}\noutputs:\n" + outputs;
}

TEST_F(OutputFormulasTest, EnergyOfAPendulumIsWhatItsFormulaSays) {
  const Scene scene = parse_scene(pendulum_text("  energy: m*l^2*pivot.rate^2/2 - m*9.81*l*cos(pivot)\n"
                                                "  speed: norm(bob.velocity)\n"
                                                "  turned: abs(pivot.rate)*l\n"
                                                "  late: \"t > 0.25 ? 1 : 0\"\n"),
                                  "pendulum.yaml");
  simulate(scene, "run.h5", scene.steps());
  const std::vector<double> energy = column("run.h5", "energy"), speed = column("run.h5", "speed"),
                            turned = column("run.h5", "turned"), late = column("run.h5", "late"),
                            time = column("run.h5", "time");
  ASSERT_EQ(energy.size(), 51U);
  for (std::size_t i = 0; i < energy.size(); ++i) {
    EXPECT_NEAR(energy[i], -2 * g * 0.7 * std::cos(1.0), 1e-6) << i;
    EXPECT_NEAR(speed[i], turned[i], 1e-9) << i;
    EXPECT_EQ(late[i], time[i] > 0.25 ? 1 : 0);
  }
  EXPECT_GT(speed.back(), 1);
}

TEST_F(OutputFormulasTest, ABallBouncesToTheSquareOfItsRestitution) {
  // From height H at rest the first rebound rises to e² H; the greatest so far after the impact shows it.
  const Scene scene = parse_scene(R"scene(carom: 1
gravity: [0, 0, -9.81]
materials: [{name: rubber, friction: 0, restitution: 0.6}]
world: {shapes: [{type: half-space, material: rubber, name: floor}]}
bodies:
  - {name: ball, density: 1000, shapes: [{type: sphere, radius: 0.1, material: rubber}], position: [0, 0, 0.3]}
method: {stepper: event-driven, law: newton, step: 0.002}
duration: 0.44
outputs:
  height: ball.position.z - 0.1
  rebound: "max(ball.velocity.z > 0 ? height : 0)"
  place: ball.position
)scene",
                                  "ball.yaml");
  simulate(scene, "run.h5", scene.steps());
  const Record record = read_record(path("run.h5"));
  ASSERT_EQ(record.outputs.size(), 5U);
  EXPECT_EQ(record.outputs[0].name, "height");
  EXPECT_NEAR(record.outputs[0].greatest, 0.2, 1e-12);
  EXPECT_NEAR(record.outputs[1].last, 0.36 * 0.2, 2e-5);  // half a step beside the top
  EXPECT_EQ(record.outputs[4].name, "place.z");
  EXPECT_EQ(record.outputs[4].formula, "ball.position");
  const std::vector<double> z = column("run.h5", "place.z"), height = column("run.h5", "height");
  for (std::size_t i = 0; i < z.size(); ++i) EXPECT_EQ(z[i] - 0.1, height[i]);
  const std::vector<double> rebound = column("run.h5", "rebound");
  for (std::size_t i = 1; i < rebound.size(); ++i) EXPECT_GE(rebound[i], rebound[i - 1]);
  EXPECT_NE(run_text(record, "").find("rebound"), std::string::npos);
  EXPECT_NE(run_json(record, "").find("\"formula\": \"ball.position\""), std::string::npos);
}

TEST_F(OutputFormulasTest, ARunThatGoesOnRemembersExtremes) {
  {
    constexpr int every = 4;
    const Scene scene = parse_scene(
        pendulum_text("  fastest: max(abs(pivot.rate)) - min(pivot)\n  twice: 2*fastest\n", every), "pendulum.yaml");
    simulate(scene, "whole.h5", 50);
    simulate(scene, "parts.h5", 22);  // between frames of every 4
    simulate(scene, "parts.h5", 37, true);
    simulate(scene, "parts.h5", 50, true);
    for (const char* name : {"fastest", "twice"}) {
      const std::vector<double> whole = column("whole.h5", name), parts = column("parts.h5", name);
      EXPECT_EQ(whole, parts) << name << " every " << every;
      const double last = whole.back();
      EXPECT_GT(last, 0);
    }
    // Independently, from the columns.
    const std::vector<double> rate = column("whole.h5", "pivot.rate"), q = column("whole.h5", "pivot"),
                              fastest = column("whole.h5", "fastest");
    double most = 0, least = q[0];
    for (std::size_t i = 0; i < rate.size(); ++i) {
      most = std::max(most, std::abs(rate[i]));
      least = std::min(least, q[i]);
      EXPECT_EQ(fastest[i], most - least);
    }
  }
}

TEST_F(OutputFormulasTest, FeedbackGoesOnWithARunBitForBit) {
  std::string text = pendulum_text("  pull: 3*pivot\n");
  text.insert(text.find("method:"),
              "drives:\n  - {name: hold, type: feedback, joint: pivot, force: \"=-9*(pivot - t) - m*l*pivot.rate\"}\n");
  const Scene scene = parse_scene(text, "pendulum.yaml");
  simulate(scene, "whole.h5", 20);
  simulate(scene, "parts.h5", 13);
  simulate(scene, "parts.h5", 20, true);
  EXPECT_EQ(column("whole.h5", "pivot"), column("parts.h5", "pivot"));
  EXPECT_EQ(column("whole.h5", "energy.drive_work"), column("parts.h5", "energy.drive_work"));
  EXPECT_NE(column("whole.h5", "energy.drive_work").back(), 0);
}

TEST_F(OutputFormulasTest, WhatIsNoNumberCountsNowhere) {
  // Accelerations are not known in the first frame.
  const Scene scene = parse_scene(
      pendulum_text("  a: bob.acceleration.x\n  most: max(abs(bob.acceleration.x))\n  root: sqrt(-1)\n"), "p.yaml");
  simulate(scene, "run.h5", 5);
  const std::vector<double> a = column("run.h5", "a"), most = column("run.h5", "most");
  EXPECT_TRUE(std::isnan(a[0]) && std::isnan(most[0]));
  EXPECT_EQ(most[1], std::abs(a[1]));
  const Record record = read_record(path("run.h5"));
  EXPECT_TRUE(std::isfinite(record.outputs[0].least) && std::isfinite(record.outputs[0].greatest));
  EXPECT_TRUE(std::isnan(record.outputs[2].greatest));
}

std::string fault_of(const std::string& outputs, const std::string& columns = "all") {
  try {
    const Scene scene = parse_scene(pendulum_text(outputs, 1, columns), "p.yaml");
    static_cast<void>(OutputFormulas(scene));
  } catch (const SceneError& error) {
    return error.what();
  }
  return "";
}

TEST(OutputFormulaFaults, AreOneSentenceEach) {
  const std::string unused = "  use: m + l\n";
  const auto has = [&](const std::string& outputs, const std::string& words, const std::string& columns = "all") {
    const std::string fault = fault_of(outputs + unused, columns);
    EXPECT_NE(fault.find(words), std::string::npos) << outputs << fault;
    EXPECT_EQ(fault.find('\n'), std::string::npos) << fault;
  };
  has("  x: pivto.rate\n",
      "p.yaml:12:6: output 'x': there is no 'pivto.rate' for the formula 'pivto.rate'; the nearest name is "
      "'pivot.rate'");
  has("  x: 2*wrold/pivot\n", "there is no 'wrold");
  has("  x: bob.velocity\n  y: bob.velocity + 1\n", "write bob.velocity.x, or norm(bob.velocity)");
  has("  x: 2 +\n", "can't be read");
  has("  x: \"2, 3\"\n", "has 2 values");
  has("  x: 3)\n", "opens 0 brackets and closes 1");
  has("  x: max(\n", "opens a bracket that nothing closes");
  has("  pivot: 3\n", "has this name");
  has("  t: 3\n", "is the time");
  has("  max: 3\n", "already");
  has("  a/b: 3\n", "is no name for an output");
  has("  x: [1, 2]\n", "must be a formula");
  has("  x: norm(bob.position)\n", "leaves the world's columns out", "least");
  EXPECT_NE(fault_of("  x: y\n  y: x + 1\n" + unused).find("depends on itself"), std::string::npos);
  EXPECT_EQ(fault_of(unused), "");
  EXPECT_EQ(fault_of("  x: =pivot/2\n  y: x/2 - 1.5e-3*2\n  z: -(pivot)^2\n" + unused), "");
  EXPECT_EQ(fault_of("  x: pivot.rate\n" + unused, "least"), "");
}

TEST_F(OutputFormulasTest, AnotherReaderFindsTheSameNumbers) {
  if (std::system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0) GTEST_SKIP() << "h5py is not installed";
  const Scene scene =
      parse_scene(pendulum_text("  work: l*m*bob.velocity.x*bob.position.z\n  most: max(bob.position.z)\n"), "p.yaml");
  simulate(scene, "run.h5", 20);
  const std::string script =
      "import h5py, numpy as n, sys\n"
      "f = h5py.File(sys.argv[1])\n"
      "names = list(f['outputs'].attrs['columns'])\n"
      "work, most = f['outputs'][:, names.index('work')], f['outputs'][:, names.index('most')]\n"
      "z, x = f['bodies/position'][:, 0, 2], f['bodies/velocity'][:, 0, 0]\n"
      "assert abs(work).max() > 0.1\n"
      "assert n.allclose(work, 0.7*2*x*z, rtol=1e-14, atol=0)\n"
      "assert (most == n.maximum.accumulate(z)).all()\n";
  std::ofstream(path("check.py")) << script;
  EXPECT_EQ(std::system(("/usr/bin/python3 " + path("check.py") + " " + path("run.h5")).c_str()), 0);
}

}  // namespace
}  // namespace carom::output_formulas_test
