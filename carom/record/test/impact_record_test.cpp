// Impacts in a record, its JSON, its summary and its page.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "carom/record/record.h"
#include "carom/record/record_file.h"
#include "carom/record/record_layout.h"
#include "carom/record/report.h"
#include "carom/record/summary.h"
#include "carom/record/test/random_run.h"
#include "carom/record/test/same_record.h"
#include "carom/record/test/test_folder.h"
#include "carom/stepper/simulation.h"

namespace carom::impact_record_test {
namespace {

using Json = nlohmann::json;
using test::expect_same_record;
using test::RandomRun;
using test::same_bits;

constexpr double g = 9.81, height = 0.5, mass = 2, restitution = 0.5;

/// A ball that falls 0.5 m onto a floor.
std::string ball_text(const std::string& method, const std::string& record = "") {
  return R"(carom: 1
name: ball
gravity: [0, 0, -9.81]
materials:
  - {name: steel, friction: 0.3, restitution: 0.5}
world:
  shapes:
    - {type: half-space, name: floor, material: steel}
bodies:
  - name: ball
    shapes: [{type: sphere, radius: 0.1, material: steel}]
    mass: 2
    position: [0, 0, 0.6]
method: {step: 0.001, )" +
         method + "}\nduration: 0.4\nrecord: {" + record + "}\n";
}

class ImpactRecordTest : public test::FolderTest {
 protected:
  void simulate(const Scene& scene, const std::string& file) {
    RecordWriter writer = RecordWriter::create(path(file), scene);
    Simulation simulation(scene.model, scene.method, scene.initial);
    go_on(simulation, writer, scene.steps());
  }
  static void go_on(Simulation& simulation, RecordWriter& writer, std::int64_t steps) {
    for (std::int64_t i = 0; i < steps; ++i) {
      const StepReport& report = simulation.step();
      writer.append(simulation.state(), report);
    }
    writer.finish("done", 0);
  }
  Record simulate(const std::string& text) {
    simulate(parse_scene(text, "ball.yaml"), "run.h5");
    return read_record(path("run.h5"));
  }
};

TEST_F(ImpactRecordTest, KeepsEveryBitOfEveryImpact) {
  for (const bool traces : {true, false}) {
    Scene scene = parse_scene(test::scene_text(10), "two.yaml");
    scene.record.traces = traces;
    Record expected;
    RecordWriter writer = RecordWriter::create(path("run.h5"), scene);
    State state;
    StepReport report;
    for (std::int64_t step = 1; step <= 2000; ++step) {
      RandomRun(*scene.model, 2).step(step, state, report);
      writer.append(state, report);
      const std::size_t contacts = expected.struck.size(), intervals = expected.intervals.size(),
                        interval_contacts = expected.interval_contacts.size();
      for (ImpactReport impact : report.impacts) {
        impact.first_contact += contacts;
        impact.first_interval = traces ? impact.first_interval + intervals : 0;
        if (!traces) impact.intervals = 0;
        expected.impacts.push_back(impact);
      }
      expected.struck.insert(expected.struck.end(), report.struck.begin(), report.struck.end());
      for (ImpactInterval interval : report.intervals) {
        interval.first_contact += interval_contacts;
        if (traces) expected.intervals.push_back(interval);
      }
      for (IntervalContact contact : report.interval_contacts) {
        contact.contact += contacts;
        if (traces) expected.interval_contacts.push_back(contact);
      }
    }
    writer.finish("done", 0);
    const Record record = read_record(path("run.h5"));
    EXPECT_GT(expected.impacts.size(), 100u);
    test::expect_same_rows(record.impacts, expected.impacts, "impact");
    test::expect_same_rows(record.struck, expected.struck, "struck contact");
    test::expect_same_rows(record.intervals, expected.intervals, "interval");
    test::expect_same_rows(record.interval_contacts, expected.interval_contacts, "contact of an interval");
  }
}

TEST_F(ImpactRecordTest, ASimulationStoppedAndResumedGivesTheSameImpacts) {
  for (const char* stepper : {"semi-explicit", "event-driven"}) {
    for (const std::int64_t stop : {318, 319, 320, 321, 350}) {  // it strikes in step 319 or 320
      const Scene scene =
          parse_scene(ball_text(std::string("law: plus, stepper: ") + stepper, "every: 7, traces: true"), "ball.yaml");
      simulate(scene, "whole.h5");
      {
        RecordWriter writer = RecordWriter::create(path("parts.h5"), scene);
        Simulation simulation(scene.model, scene.method, scene.initial);
        go_on(simulation, writer, stop);
      }
      RecordWriter writer = RecordWriter::resume(path("parts.h5"), scene);
      Simulation simulation(scene.model, scene.method, read_record(path("parts.h5")).frames.back().state);
      go_on(simulation, writer, scene.steps() - stop);
      const Record whole = read_record(path("whole.h5"));
      EXPECT_EQ(whole.impacts.size(), 1u);
      EXPECT_FALSE(whole.intervals.empty());
      expect_same_record(whole, read_record(path("parts.h5")));
    }
  }
}

/// v = √(2 g H); the floor gives (1 + e) m v, first m v in compression, then e m v.
TEST_F(ImpactRecordTest, ADroppedBallIsToldAsMechanicsHasIt) {
  for (const bool event_driven : {true, false}) {
    const std::string method =
        event_driven ? "law: plus, stepper: event-driven" : "law: plus, stepper: semi-explicit, cone: polyhedral";
    const Json run = Json::parse(run_json(simulate(ball_text(method, "traces: true")), ""));
    ASSERT_EQ(run["impacts"].size(), 1u);
    const Json& impact = run["impacts"][0];
    // Semi-explicit steps fall by the velocity of their end, up to g h too fast.
    const double v = std::sqrt(2 * g * height), error = event_driven ? 1e-6 : 2 * g * 0.001;
    EXPECT_NEAR(double{impact["time"]}, v / g, error / g);
    EXPECT_EQ(std::int64_t{impact["step"]}, std::ceil(double{impact["time"]} / 0.001))
        << "the step that holds the instant";
    EXPECT_EQ(impact["status"], "resolved");
    EXPECT_EQ(impact["rounds"], 2);
    EXPECT_EQ(impact["jams"], 0);
    EXPECT_NEAR(double{impact["energy_change"]}, -0.5 * mass * v * v * (1 - restitution * restitution),
                2 * mass * v * error);
    ASSERT_EQ(impact["contacts"].size(), 1u);
    const Json& contact = impact["contacts"][0];
    EXPECT_EQ(contact["bodies"], Json({"ball", "world"}));
    EXPECT_EQ(contact["colliders"][1], "world/floor");
    EXPECT_NEAR(double{contact["before"][2]}, -v, error);
    EXPECT_NEAR(double{contact["after"][2]}, restitution * v, error);
    EXPECT_NEAR(double{contact["impulse"][2]}, (1 + restitution) * mass * v, 2 * mass * error);
    const Json& trace = impact["trace"];
    ASSERT_EQ(trace.size(), 2u);
    for (std::size_t round = 0; round < 2; ++round) {
      EXPECT_EQ(trace[round]["group"], 0);
      EXPECT_EQ(trace[round]["round"], round);
      EXPECT_EQ(trace[round]["alpha"], 1.0);
      EXPECT_EQ(trace[round]["jammed"], false);
      EXPECT_EQ(trace[round]["ending"], false);
      EXPECT_EQ(trace[round]["status"], "admissible");
      ASSERT_EQ(trace[round]["contacts"].size(), 1u);
      const Json& part = trace[round]["contacts"][0];
      EXPECT_EQ(part["contact"], 0);
      EXPECT_EQ(part["role"], round == 0 ? "compressing" : "expanding");
      EXPECT_NEAR(double{part["impulse"][2]}, (round == 0 ? 1 : restitution) * mass * v, 2 * mass * error);
      EXPECT_NEAR(double{part["velocity"][2]}, round == 0 ? 0 : restitution * v, error);
    }
    const Json& certificate = run["certificate"];
    EXPECT_EQ(certificate["impacts"]["count"], 1);
    EXPECT_EQ(certificate["impacts"]["unresolved"], 0);
    for (const char* name :
         {"approach", "pull", "cone_violation", "dissipation_residual", "path_residual", "energy_gain"}) {
      EXPECT_LE(double{certificate["impacts"][name]}, 1e-12) << name;
    }
    EXPECT_EQ(certificate["natural_map"].is_null(), event_driven);
    EXPECT_EQ(certificate["polyhedral_error"].is_null(), event_driven);
    EXPECT_EQ(certificate["reasons"].contains("natural_map"), event_driven);
    EXPECT_EQ(certificate["reasons"].contains("polyhedral_error"), event_driven);
  }
}

/// A number that does not apply to compliant contacts is null, with a reason; a stopped run is the same to the bit.
TEST_F(ImpactRecordTest, CompliantContactsHaveResidualsButOfNoSolverAndNoImpact) {
  const Scene scene = parse_scene(
      "carom: 1\nname: ball\ngravity: [0, 0, -9.81]\n"
      "materials: [{name: rubber, friction: 0.3, youngs_modulus: 1.0e7, dissipation: 0.1}]\n"
      "world: {shapes: [{type: half-space}]}\n"
      "bodies: [{name: ball, mass: 1, position: [0, 0, 0.3], velocity: [1, 0, 0], shapes: [{type: sphere, radius: "
      "0.1}]}]\n"
      "method: {stepper: compliant, step: 0.01}\nduration: 0.5\n",
      "ball.yaml");
  simulate(scene, "whole.h5");
  for (const std::int64_t stop : {1, 20, 21, 33}) {  // it touches in step 21
    {
      RecordWriter writer = RecordWriter::create(path("parts.h5"), scene);
      Simulation simulation(scene.model, scene.method, scene.initial);
      go_on(simulation, writer, stop);
    }
    RecordWriter writer = RecordWriter::resume(path("parts.h5"), scene);
    Simulation simulation(scene.model, scene.method, read_record(path("parts.h5")).frames.back().state);
    go_on(simulation, writer, scene.steps() - stop);
    expect_same_record(read_record(path("whole.h5")), read_record(path("parts.h5")));
  }
  const Record record = read_record(path("whole.h5"));
  const Json run = Json::parse(run_json(record, ""));
  EXPECT_TRUE(run["cone"].is_null());
  EXPECT_TRUE(run["directions"].is_null());
  const Json& certificate = run["certificate"];
  for (const char* name : {"momentum_residual", "kinematic_residual", "normal_complementarity", "cone_violation",
                           "dissipation_residual", "bilateral_residual", "bounded_residual"}) {
    ASSERT_TRUE(certificate[name].is_number()) << name;
    EXPECT_LE(double{certificate[name]}, 1e-9) << name;
  }
  EXPECT_GT(double{certificate["momentum_residual"]}, 0);
  for (const char* name : {"tolerance", "inconsistency", "polyhedral_error", "natural_map", "impacts"}) {
    EXPECT_TRUE(certificate[name].is_null()) << name;
    EXPECT_TRUE(certificate["reasons"].contains(name)) << name;
  }
  EXPECT_EQ(certificate["unsolved_steps"], 0);
  EXPECT_LT(double{certificate["energy"]["contact_work"]}, 0);
  EXPECT_GT(double{certificate["penetration"]}, 0);
}

TEST_F(ImpactRecordTest, WithoutTracesNoneAreToldOrKept) {
  const Record record = simulate(ball_text("law: plus, stepper: semi-explicit"));
  EXPECT_EQ(record.impacts.size(), 1u);
  EXPECT_EQ(record.struck.size(), 1u);
  EXPECT_TRUE(record.intervals.empty());
  EXPECT_TRUE(record.interval_contacts.empty());
  EXPECT_FALSE(Json::parse(run_json(record, ""))["impacts"][0].contains("trace"));
}

TEST_F(ImpactRecordTest, ALawThatTellsNoPathHasReasonsForIt) {
  const Record record = simulate(ball_text("law: newton, stepper: semi-explicit", "traces: true"));
  const Json run = Json::parse(run_json(record, ""));
  EXPECT_EQ(run["impacts"][0]["trace"], Json::array());
  for (const char* name : {"dissipation_residual", "path_residual"}) {
    EXPECT_TRUE(run["certificate"]["impacts"][name].is_null()) << name;
    EXPECT_TRUE(run["certificate"]["reasons"].contains(std::string("impacts.") + name)) << name;
  }
}

TEST_F(ImpactRecordTest, AStepperWhoseLawIsPartOfTheStepHasNone) {
  const Record record = simulate(ball_text("law: newton, stepper: stewart-trinkle", "traces: true"));
  EXPECT_FALSE(record.events.empty());
  EXPECT_TRUE(record.impacts.empty());
  EXPECT_TRUE(record.struck.empty());
  EXPECT_TRUE(record.intervals.empty());
  EXPECT_TRUE(record.interval_contacts.empty());
  const Json run = Json::parse(run_json(record, ""));
  EXPECT_EQ(run["impacts"], Json::array());
  EXPECT_TRUE(run["certificate"]["impacts"].is_null());
  EXPECT_TRUE(run["certificate"]["reasons"].contains("impacts"));
}

TEST_F(ImpactRecordTest, TheSummaryJudgesImpactsAndWhatTimeSteppingMade) {
  const auto named = [](const Record& record, const std::string& name) {
    std::vector<Verdict> found;
    for (const Verdict& verdict : verdicts(record)) {
      if (verdict.name == name) found.push_back(verdict);
    }
    return found;
  };
  Record record = simulate(ball_text("law: plus, stepper: semi-explicit"));
  for (const char* name : {"impacts", "impact_approach", "impact_energy_gain"}) {
    ASSERT_EQ(named(record, name).size(), 1u) << name;
    EXPECT_TRUE(named(record, name)[0].good) << name;
  }
  EXPECT_EQ(named(record, "impacts")[0].value, "0 of 1");
  EXPECT_TRUE(named(record, "push_out").empty());
  record.certificate.unresolved_impacts = 1;
  record.certificate.impact.approach = 1e-3;
  record.certificate.impact.energy_gain = std::numeric_limits<double>::quiet_NaN();
  for (const char* name : {"impacts", "impact_approach", "impact_energy_gain"}) {
    EXPECT_FALSE(named(record, name)[0].good) << name;
  }
  record = simulate(ball_text("law: newton, stepper: stewart-trinkle"));
  EXPECT_TRUE(named(record, "impacts").empty());
  // Energy that time stepping itself makes or loses is judged by the largest energy.
  EnergyLedger& energy = record.certificate.energy;
  const auto is_good = [&](const char* name) {
    const std::vector<Verdict> lines = named(record, name);
    return lines.size() == 1 && lines[0].judged && lines[0].good;
  };
  const double most = record.certificate.largest_energy;
  for (const double part : {0.0099, -0.0099, 0.0101, -0.0101}) {
    energy.push_out = energy.projection = energy.free_motion_error = part * most;
    for (const char* name : {"push_out", "projection", "free_motion_error"}) {
      EXPECT_EQ(is_good(name), std::abs(part) < 0.01) << name << " " << part;
    }
  }
}

TEST_F(ImpactRecordTest, ThePageSaysWhoStrikesWhom) {
  write_report(simulate(ball_text("law: plus, stepper: semi-explicit")), path("run.html"));
  std::ifstream file(path("run.html"));
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_NE(text.str().find("ball strikes world"), std::string::npos);
}

TEST_F(ImpactRecordTest, RowsThatDoNotBelongTogetherAreDamage) {
  const Scene scene = parse_scene(ball_text("law: plus, stepper: semi-explicit", "traces: true"), "ball.yaml");
  const auto with = [&](Table table, std::int64_t value) {
    simulate(scene, "run.h5");
    {
      Hdf5File file = Hdf5File::open_for_writing(path("run.h5"));
      open_record_tables(file, record_tables(*scene.model));
      std::vector<std::int64_t> rows =
          file.read_integers(static_cast<int>(table), 0, file.rows(static_cast<int>(table)));
      rows.at(0) = value;
      file.write_rows(static_cast<int>(table), 0, rows.data(), static_cast<std::int64_t>(rows.size()));
    }
    try {
      read_record(path("run.h5"));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(with(Table::struck_impact, 0), "");
  for (const std::int64_t value : {std::int64_t{-1}, std::int64_t{1}, std::int64_t{1} << 62}) {
    EXPECT_NE(with(Table::struck_impact, value).find("do not belong together"), std::string::npos) << value;
    EXPECT_NE(with(Table::interval_impact, value).find("do not belong together"), std::string::npos) << value;
    EXPECT_NE(with(Table::interval_contact_struck, value).find("do not belong together"), std::string::npos) << value;
  }
  for (const std::int64_t value : {std::int64_t{-1}, std::int64_t{2}}) {
    EXPECT_NE(with(Table::interval_contact_interval, value).find("do not belong together"), std::string::npos) << value;
  }
}

TEST_F(ImpactRecordTest, ARecordOfAnEarlierFormatIsRefusedByItsNumber) {
  simulate(ball_text("law: plus, stepper: semi-explicit"));
  Hdf5File::open_for_writing(path("run.h5")).set("/", "format", std::int64_t{3});
  try {
    read_record(path("run.h5"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("format 3"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace carom::impact_record_test
