#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "carom/error.h"
#include "carom/record/column_text.h"
#include "carom/record/part_names.h"
#include "carom/record/record.h"
#include "carom/record/record_columns.h"
#include "carom/record/record_file.h"
#include "carom/record/record_layout.h"
#include "carom/record/test/random_run.h"
#include "carom/record/test/run_columns.h"
#include "carom/record/test/same_record.h"

namespace carom::outputs_test {
namespace {

constexpr double g = 9.81;

using test::Columns;
class Outputs : public test::RunTest {};

/// A box of 2 kg and 0.4 m × 0.3 m × 0.2 m at rest on a floor. Gravity is tilted by `slope` about y.
std::string box_text(const std::string& method, double slope, int every) {
  std::ostringstream text;
  text.precision(17);
  text << "carom: 1\nname: box\ngravity: [" << g * std::sin(slope) << ", 0, " << -g * std::cos(slope)
       << "]\nmaterials:\n  - {name: wood, friction: 0.8}\nworld:\n  shapes: [{type: half-space, name: floor, "
          "material: wood}]\nbodies:\n"
       << "  - {name: box, mass: 2, position: [0.1, -0.2, 0.1], shapes: [{type: box, size: [0.4, 0.3, 0.2], material: "
          "wood}]}\nmethod: {step: 0.002, "
       << method << "}\nduration: 0.1\nrecord: {every: " << every << "}\n";
  return text.str();
}

class OutputsOfSteppers : public Outputs, public ::testing::WithParamInterface<const char*> {};

TEST_P(OutputsOfSteppers, TheFloorBearsTheWeightAtTheFootOfItsLine) {
  constexpr double slope = 0.3, mass = 2, height = 0.1;
  for (const int every : {1, 7}) {
    simulate(box_text(GetParam(), slope, every), "box.h5");
    const Columns columns(path("box.h5"));
    double time = 0;
    const Vec3 weight = mass * Vec3(g * std::sin(slope), 0, -g * std::cos(slope));
    for (std::size_t frame = 1; frame < columns.frames(); ++frame) {
      const double now = columns.at("time", frame);
      const Vec3 force = columns.vector("world/floor.force", frame);
      EXPECT_NEAR((force - weight).norm(), 0, 1e-7 * weight.norm()) << "every " << every << ", frame " << frame;
      EXPECT_NEAR((columns.vector("world/floor.impulse", frame) - force * (now - time)).norm(), 0, 1e-12);
      // The box neither turns nor moves: the reaction's line goes through its mass centre.
      const Vec3 foot = columns.vector("world/floor.centre_of_pressure", frame);
      EXPECT_NEAR(foot.x(), 0.1 + height * std::tan(slope), 1e-5);
      EXPECT_NEAR(foot.y(), -0.2, 1e-5);
      EXPECT_NEAR(columns.vector("world/floor.moment", frame).norm(), 0, 1e-4);
      time = now;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, OutputsOfSteppers,
                         ::testing::Values("stepper: stewart-trinkle, cone: exact",
                                           "stepper: anitescu-potra, cone: exact",
                                           "stepper: stewart-trinkle-nonlinear, cone: exact",
                                           "stepper: hybrid-dca, cone: exact", "stepper: semi-explicit, law: newton",
                                           "stepper: event-driven, law: newton", "stepper: variational, law: newton",
                                           "stepper: implicit-geometry", "stepper: quasi-rigid"),
                         [](const auto& info) {
                           std::string name = std::string(info.param).substr(9);
                           name = name.substr(0, name.find(','));
                           std::erase(name, '-');
                           return name;
                         });

std::string flying_text(int every, const std::string& columns = "all") {
  return R"(carom: 1
name: flight
gravity: [0, 0, -9.81]
bodies:
  - {name: trunk, inertia: {mass: 3, moments: [0.1, 0.2, 0.25]}, position: [0, 0, 5], velocity: [1, 2, 3], angular_velocity: [1, -2, 0.5]}
  - {name: leg, inertia: {mass: 1, moments: [0.02, 0.03, 0.04]}}
joints:
  - {name: hip, type: revolute, parent: trunk, child: leg, axis: [0, 1, 0], on_parent: {position: [0.2, 0, -0.1]}, on_child: {position: [0, 0, 0.2]}, velocity: 2}
method: {stepper: event-driven, law: plastic, step: 0.01}
duration: 0.3
record: {every: )" +
         std::to_string(every) + ", columns: " + columns + "}\n";
}

TEST_F(Outputs, VelocitiesAreTheRatesOfPositions) {
  simulate(flying_text(1), "flight.h5");
  const Columns columns(path("flight.h5"));
  const double h = 0.01;
  for (std::size_t frame = 2; frame + 2 < columns.frames(); ++frame) {
    for (const std::string body : {"trunk", "leg"}) {
      // Fourth-order difference of recorded positions.
      const auto position = [&](int offset) {
        return columns.vector(body + ".position", static_cast<std::size_t>(static_cast<int>(frame) + offset));
      };
      const Vec3 rate = (8 * (position(1) - position(-1)) - (position(2) - position(-2))) / (12 * h);
      EXPECT_NEAR((rate - columns.vector(body + ".velocity", frame)).norm(), 0, 2e-6) << body << " " << frame;
      const Vec3 change = columns.vector(body + ".velocity", frame) - columns.vector(body + ".velocity", frame - 1);
      EXPECT_NEAR((change / h - columns.vector(body + ".acceleration", frame)).norm(), 0, 1e-9);
    }
  }
  EXPECT_TRUE(std::isnan(columns.at("leg.acceleration.x", 0)));
}

TEST_F(Outputs, AMechanismInFlightKeepsItsMomenta) {
  simulate(flying_text(1), "flight.h5");
  const Columns columns(path("flight.h5"));
  const Vec3 start = columns.vector("trunk.mass_centre", 0), velocity = columns.vector("trunk.mass_centre_velocity", 0),
             spin = columns.vector("trunk.angular_momentum", 0);
  EXPECT_GT(spin.norm(), 0.1);
  for (std::size_t frame = 0; frame < columns.frames(); ++frame) {
    const double t = columns.at("time", frame);
    const Vec3 parabola = start + velocity * t + 0.5 * t * t * Vec3(0, 0, -g);
    EXPECT_NEAR((columns.vector("trunk.mass_centre", frame) - parabola).norm(), 0, 1e-9);
    EXPECT_NEAR((columns.vector("trunk.momentum", frame) - 4 * (velocity + t * Vec3(0, 0, -g))).norm(), 0, 1e-8);
    EXPECT_NEAR((columns.vector("trunk.angular_momentum", frame) - spin).norm(), 0, 1e-8);
  }
}

TEST_F(Outputs, AJointIsFoundByItsOwnName) {
  simulate(flying_text(1), "flight.h5");
  const Columns columns(path("flight.h5"), {"hip*", "trunk.z"});
  EXPECT_TRUE(columns.has("hip") && columns.has("hip.rate") && columns.has("trunk.z") && columns.has("time"));
  EXPECT_FALSE(columns.has("trunk.x"));
  EXPECT_EQ(columns.at("hip.rate", 0), 2);
}

/// The numbers of every output table of a record.
std::vector<std::vector<double>> output_rows(const std::string& path, const Model& model) {
  Hdf5File file = Hdf5File::open_for_reading(path);
  open_record_tables(file, record_tables(model));
  std::vector<std::vector<double>> rows;
  for (int table = 0; table < table_count; ++table) {
    if (rows_per(static_cast<Table>(table)) == RowsPer::output) {
      rows.push_back(file.read_reals(table, 0, file.rows(table)));
    }
  }
  return rows;
}

TEST_F(Outputs, StoppedAndResumedHaveTheSameBits) {
  for (const int every : {1, 4}) {
    const Scene scene = parse_scene(test::scene_text(every), "two.yaml");
    const auto append = [&](RecordWriter& writer, std::int64_t from, std::int64_t to) {
      State state;
      StepReport report;
      for (std::int64_t step = from; step <= to; ++step) {
        test::RandomRun(*scene.model, 11).step(step, state, report);
        writer.append(state, report);
      }
    };
    RecordWriter whole = RecordWriter::create(path("whole.h5"), scene);
    append(whole, 1, 50);
    whole.finish("done", 0);
    RecordWriter first = RecordWriter::create(path("parts.h5"), scene);
    append(first, 1, 10);
    first.finish("interrupted", 0);
    std::int64_t done = 10;
    for (const std::int64_t next : {11, 12, 15, 29, 50}) {
      RecordWriter writer = RecordWriter::resume(path("parts.h5"), scene);
      append(writer, done + 1, next);
      writer.finish("interrupted", 0);
      done = next;
    }
    const auto a = output_rows(path("whole.h5"), *scene.model), b = output_rows(path("parts.h5"), *scene.model);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t table = 0; table < a.size(); ++table) {
      ASSERT_EQ(a[table].size(), b[table].size());
      for (std::size_t i = 0; i < a[table].size(); ++i) {
        const bool both_nan = std::isnan(a[table][i]) && std::isnan(b[table][i]);
        ASSERT_TRUE(both_nan || test::same_bits(a[table][i], b[table][i])) << table << " " << i << ", every " << every;
      }
    }
  }
}

TEST_F(Outputs, TheLeastColumnsLeaveThemOut) {
  simulate(flying_text(1, "least"), "least.h5");
  simulate(flying_text(1), "all.h5");
  const Columns least(path("least.h5")), all(path("all.h5"));
  EXPECT_FALSE(least.has("leg.position.x"));
  EXPECT_EQ(least["hip"], all["hip"]);
  EXPECT_LT(std::filesystem::file_size(path("least.h5")), std::filesystem::file_size(path("all.h5")));
  EXPECT_THROW(parse_scene(flying_text(1, "most"), "most.yaml"), Error);
}

TEST_F(Outputs, AnUnknownColumnIsAnsweredWithTheNearest) {
  simulate(flying_text(1), "flight.h5");
  try {
    read_record_columns(path("flight.h5"), {"leg.positon.x"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("leg.position.x"), std::string::npos) << error.what();
  }
}

TEST_F(Outputs, TextsReadBackBitForBit) {
  simulate(flying_text(1), "flight.h5");
  const std::vector<RecordColumn> columns = read_record_columns(path("flight.h5"), {"leg.*"});
  std::istringstream csv(csv_text(columns));
  std::string line, entry;
  std::getline(csv, line);
  EXPECT_EQ(line.substr(0, 5), "time,");
  for (std::size_t row = 0; std::getline(csv, line); ++row) {
    std::istringstream entries(line + ",");
    for (const RecordColumn& column : columns) {
      std::getline(entries, entry, ',');
      const double value = column.values.at(row);
      EXPECT_TRUE(entry.empty() ? std::isnan(value) : test::same_bits(std::stod(entry), value)) << column.name;
    }
  }
  const std::string sto = sto_text(columns, "flight");
  EXPECT_EQ(sto.find("flight\nversion=1\nnRows=31\nnColumns=" + std::to_string(columns.size()) +
                     "\ninDegrees=no\nendheader\ntime\t"),
            0u);
}

}  // namespace
}  // namespace carom::outputs_test
