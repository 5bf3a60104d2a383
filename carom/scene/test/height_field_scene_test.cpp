// Height fields in scenes, from grids of numbers in the scene and in files. Flat ones are a half-space to every shape
// that slides and rolls over them. Rough ones carry what falls on them.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"

namespace carom::height_field_scene_test {
namespace {

namespace fs = std::filesystem;

std::string grid(int nx, int ny, double spacing, const std::function<double(double, double)>& height) {
  std::ostringstream text;
  text.precision(17);
  text << "spacing: [" << spacing << ", " << spacing << "], heights: [";
  for (int j = 0; j < ny; ++j) {
    text << (j ? ", [" : "[");
    for (int i = 0; i < nx; ++i) {
      text << (i ? ", " : "") << height((i - 0.5 * (nx - 1)) * spacing, (j - 0.5 * (ny - 1)) * spacing);
    }
    text << "]";
  }
  return text.str() + "]";
}

std::string scene_text(const std::string& ground, const std::string& bodies, double duration) {
  return "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: wood, friction: 0.3}]\nworld: {shapes: [{" + ground +
         "}]}\nbodies:\n" + bodies + "method: {step: 0.002}\nduration: " + std::to_string(duration) + "\n";
}

/// The largest difference of any coordinate or velocity at any step.
double largest_difference(const std::string& one, const std::string& other) {
  const Scene a = parse_scene(one, "a.yaml"), b = parse_scene(other, "b.yaml");
  Simulation run_a(a.model, a.method, a.initial), run_b(b.model, b.method, b.initial);
  double largest = 0;
  for (std::int64_t i = 0; i < a.steps(); ++i) {
    const StepReport& report = run_a.step();
    EXPECT_EQ(report.status, SolveStatus::solved);
    run_b.step();
    largest = std::max(largest, (run_a.state().q - run_b.state().q).cwiseAbs().maxCoeff());
    largest = std::max(largest, (run_a.state().v - run_b.state().v).cwiseAbs().maxCoeff());
  }
  return largest;
}

TEST(HeightFieldScene, ABoxSlidesOverFlatCellsAsOverAHalfSpace) {
  const std::string box =
      "  - {name: box, density: 500, shapes: [{type: box, size: [0.3, 0.2, 0.1]}], position: [-0.9, 0.1, 0.05],"
      " velocity: [2.5, -0.2, 0], angular_velocity: [0, 0, 2]}\n";
  const std::string flat = "type: heightfield, " + grid(41, 31, 0.07, [](double, double) { return 0.0; });
  EXPECT_LT(largest_difference(scene_text(flat, box, 1), scene_text("type: half-space", box, 1)), 1e-9);
}

TEST(HeightFieldScene, ShapesFallAndRollOnFlatCellsAsOnAHalfSpace) {
  for (const char* shape : {"{type: sphere, radius: 0.1}", "{type: capsule, radius: 0.06, length: 0.3}",
                            "{type: box, size: [0.2, 0.15, 0.1]}", "{type: cylinder, radius: 0.1, length: 0.2}",
                            "{type: ellipsoid, semi_axes: [0.15, 0.1, 0.07]}",
                            "{type: mesh, vertices: [[0.1, 0, 0], [0, 0.1, 0], [-0.1, -0.1, 0], [0, 0, 0.15]]}"}) {
    const std::string body = std::string("  - {name: b, density: 500, shapes: [") + shape +
                             "], position: [-0.4, 0.1, 0.25], orientation: {axis: [1, 2, 0.5], angle: 0.4},"
                             " velocity: [1, -0.2, 0], angular_velocity: [0.3, 2, 1]}\n";
    const std::string flat = "type: heightfield, " + grid(41, 31, 0.1, [](double, double) { return 0.0; });
    EXPECT_LT(largest_difference(scene_text(flat, body, 0.6), scene_text("type: half-space", body, 0.6)), 1e-9)
        << shape;
  }
}

/// Coulomb on a slope of 1 : 2, which is steeper than the friction holds: g (sin − μ cos) along it.
TEST(HeightFieldScene, ABoxSlidesDownASlopeOfCells) {
  const double angle = std::atan(0.5);
  std::ostringstream box;
  box.precision(17);
  box << "  - {name: box, density: 500, shapes: [{type: box, size: [0.2, 0.2, 0.1]}], position: ["
      << 0.05 * std::sin(angle) << ", 0, " << 0.05 * std::cos(angle)
      << "], orientation: {axis: [0, 1, 0], angle: " << angle << "}}\n";
  const std::string slope = "type: heightfield, " + grid(41, 31, 0.1, [](double x, double) { return -0.5 * x; });
  const Scene scene = parse_scene(scene_text(slope, box.str(), 0.5), "slope.yaml");
  Simulation simulation(scene.model, scene.method, scene.initial);
  for (std::int64_t i = 0; i < scene.steps(); ++i) simulation.step();
  const double speed = 9.81 * (std::sin(angle) - 0.3 * std::cos(angle)) * 0.5;
  EXPECT_NEAR(simulation.state().v.tail<3>().norm(), speed, 1e-6 * speed);
}

/// Energy at the end, and the most of any step; both of the bodies that fall without restitution.
struct Energies {
  double start = 0, most = 0, end_kinetic = 0;
};

Energies fall(const std::string& text) {
  const Scene scene = parse_scene(text, "fall.yaml");
  Simulation simulation(scene.model, scene.method, scene.initial);
  Energies energies;
  for (std::int64_t i = 0; i < scene.steps(); ++i) {
    const EnergyLedger& energy = simulation.step().energy;
    const double whole = energy.kinetic + energy.potential;
    if (i == 0) energies.start = whole - energy.kinetic_change - energy.potential_change;
    energies.most = std::max(energies.most, whole);
    energies.end_kinetic = energy.kinetic;
  }
  return energies;
}

TEST(HeightFieldScene, WhatFallsOnAPeakStaysOnIt) {
  const std::string peak =
      "type: heightfield, spacing: [0.2, 0.2], heights: [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0],"
      " [0, 0, 0.1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]";
  for (const char* shape : {"{type: box, size: [0.6, 0.6, 0.02]}", "{type: box, size: [0.6, 0.6, 0.3]}",
                            "{type: cylinder, radius: 0.4, length: 0.1}", "{type: sphere, radius: 0.4}",
                            "{type: ellipsoid, semi_axes: [0.4, 0.3, 0.2]}"}) {
    SCOPED_TRACE(shape);
    const std::string body = std::string("  - {name: b, mass: 1, shapes: [") + shape + "], position: [0, 0, 0.6]}\n";
    const Energies energies = fall(scene_text(peak, body, 0.8));
    EXPECT_LE(energies.most, energies.start + 1e-6);
    EXPECT_LE(energies.end_kinetic, 1e-6);
  }
}

TEST(HeightFieldScene, AFieldOnABodyPassesTheFloorThatItsOtherShapesStandOn) {
  // A tray of ground on a block, with a ball in its hollow.
  const std::string tray = "{type: heightfield, " + grid(5, 5, 0.1, [](double x, double y) { return x * x + y * y; }) +
                           ", position: [0, 0, 0.05]}";
  const std::string bodies =
      "  - {name: tray, inertia: {mass: 2, moments: [0.1, 0.1, 0.1]}, shapes: [{type: box, size: [0.4, 0.4, 0.1]}, " +
      tray +
      "], position: [0, 0, 0.05]}\n  - {name: ball, mass: 0.1, shapes: [{type: sphere, radius: 0.03}],"
      " position: [0, 0, 0.14]}\n";
  const Scene scene = parse_scene(scene_text("type: half-space", bodies, 0.5), "tray.yaml");
  Simulation simulation(scene.model, scene.method, scene.initial);
  for (std::int64_t i = 0; i < scene.steps(); ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
  EXPECT_NEAR(simulation.state().q[6], 0.05, 1e-9);
  // It touches the steeper halves of the cells, z = 0.1 (|x| + |y|).
  EXPECT_NEAR(simulation.state().q[13], 0.1 + 0.03 * std::sqrt(1.02), 1e-9);
}

TEST(HeightFieldScene, NothingGainsEnergyOnHills) {
  const std::string hills = "type: heightfield, " + grid(41, 41, 0.1, [](double x, double y) {
                              return 0.05 * std::sin(13 * x) * std::cos(11 * y);
                            });
  for (const char* shape : {"{type: box, size: [0.6, 0.6, 0.1]}", "{type: box, size: [0.5, 0.3, 0.2]}",
                            "{type: box, size: [0.3, 0.3, 0.1]}", "{type: sphere, radius: 0.3}",
                            "{type: capsule, radius: 0.1, length: 0.5}"}) {
    SCOPED_TRACE(shape);
    const std::string body = std::string("  - {name: b, mass: 1, shapes: [") + shape +
                             "], position: [0.03, 0.05, 0.6], velocity: [0.5, 0.2, 0],"
                             " orientation: {axis: [1, 2, 0.5], angle: 0.2}}\n";
    const Energies energies = fall(scene_text(hills, body, 1));
    EXPECT_LE(energies.most, energies.start * (1 + 1e-3));  // free motion errs by its own line of the ledger
  }
}

/// Any shape on ground of steep random cells, where spikes and clefts are narrower than it.
TEST(HeightFieldScene, NothingGainsEnergyOnRoughGround) {
  const char* shapes[] = {"{type: box, size: [0.6, 0.6, 0.1]}",
                          "{type: box, size: [0.6, 0.4, 0.02]}",
                          "{type: sphere, radius: 0.3}",
                          "{type: capsule, radius: 0.1, length: 0.5}",
                          "{type: cylinder, radius: 0.2, length: 0.03}",
                          "{type: ellipsoid, semi_axes: [0.3, 0.2, 0.03]}",
                          "{type: ellipsoid, semi_axes: [0.3, 0.04, 0.03]}",
                          "{type: cone, radius: 0.1, height: 0.3, tip_radius: 0.005}",
                          "{type: mesh, vertices: [[0.2, 0, 0], [0, 0.2, 0], [-0.2, -0.1, 0], [0, 0, 0.1]]}",
                          "{type: superquadric, semi_axes: [0.2, 0.1, 0.05], exponents: [4, 3, 5]}"};
  for (unsigned seed = 0; seed < (std::getenv("CAROM_LONG") ? 300u : 10u); ++seed) {
    std::mt19937 engine(seed);
    const auto between = [&](double low, double high) { return low + (high - low) * std::ldexp(engine(), -32); };
    const double bumps = between(0.02, 0.3), spacing = between(0.08, 0.3);
    const std::string rough =
        "type: heightfield, " + grid(21, 21, spacing, [&](double, double) { return between(-bumps, bumps); });
    std::ostringstream body;
    body << "  - {name: b, mass: 1, shapes: [" << shapes[seed % 10] << "], position: [" << between(-0.2, 0.2)
         << ", 0.1, " << bumps + 0.5 << "], velocity: [0.5, 0.2, 0], orientation: {axis: [1, " << between(-1, 1)
         << ", 0.5], angle: " << between(0, 3) << "}}\n";
    SCOPED_TRACE(shapes[seed % 10] + (" on ground " + std::to_string(seed)));
    const Energies energies = fall(scene_text(rough, body.str(), 0.6));
    EXPECT_LE(energies.most, energies.start * (1 + 1e-3));
  }
}

TEST(HeightFieldScene, RoughGroundHoldsWhatFallsOnIt) {
  std::string bodies;
  const char* shapes[] = {"{type: sphere, radius: 0.1}", "{type: box, size: [0.3, 0.2, 0.15]}",
                          "{type: capsule, radius: 0.06, length: 0.3}", "{type: cylinder, radius: 0.1, length: 0.2}"};
  for (int i = 0; i < 4; ++i) {
    bodies += "  - {name: b" + std::to_string(i) + ", density: 500, shapes: [" + shapes[i] + "], position: [" +
              std::to_string(-0.9 + 0.6 * i) + ", 0.1, 0.5], orientation: {axis: [1, 2, 0.5], angle: 0.4}}\n";
  }
  const std::string rough = "type: heightfield, " + grid(31, 31, 0.15, [](double x, double y) {
                              return 0.08 * std::sin(4 * x + 1) * std::cos(5 * y) + 0.05 * (x * x + y * y);
                            });
  const Scene scene = parse_scene(scene_text(rough, bodies, 1.5), "rough.yaml");
  Simulation simulation(scene.model, scene.method, scene.initial);
  double deepest = 0;
  for (std::int64_t i = 0; i < scene.steps(); ++i) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved);
    if (i > 10) deepest = std::max(deepest, report.penetration);
  }
  EXPECT_LT(deepest, 5e-3);  // of impacts at 3 m/s with steps of 2 ms
  for (int body = 0; body < 4; ++body) EXPECT_GT(simulation.state().q[7 * body + 6], -0.1);
}

TEST(HeightFieldScene, FilesHoldARowPerLine) {
  const fs::path folder = fs::path(::testing::TempDir()) / ("carom_heights_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const auto write = [&](const std::string& text) { std::ofstream(folder / "heights.csv") << text; };
  const auto read = [&] {
    const std::string ground = "type: heightfield, spacing: [0.5, 0.25], file: heights.csv";
    const std::string ball = "  - {name: b, mass: 1, shapes: [{type: sphere, radius: 0.1}], position: [0, 0, 9]}\n";
    return parse_scene(scene_text(ground, ball, 1), (folder / "scene.yaml").string());
  };
  const auto fault = [&](const std::string& text) -> std::string {
    write(text);
    try {
      read();
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  write("# by growing y\n1, 2,3\n4 5\t6  # the last\n\n");
  const Scene scene = read();
  const HeightGrid& heights = *std::get<HeightField>(scene.model->colliders()[0].shape).grid;
  EXPECT_EQ(heights.nx(), 3);
  EXPECT_EQ(heights.ny(), 2);
  EXPECT_EQ(heights.heights(), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(heights.point(5), Vec3(0.5, 0.125, 6));
  EXPECT_NE(fault("1, 2\n3\n").find("'heights.csv': line 2 has 1 numbers, where those before have 2"),
            std::string::npos);
  EXPECT_NE(fault("1, x\n").find("line 1 holds 'x', which is no finite number"), std::string::npos);
  EXPECT_NE(fault("1, nan\n").find("line 1 holds 'nan'"), std::string::npos);
  EXPECT_NE(fault("").find("a grid of heights needs at least 2 x 2 samples"), std::string::npos);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace carom::height_field_scene_test
