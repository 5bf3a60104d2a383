#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "carom/dynamics/place_body.h"
#include "carom/model/part_numbers.h"
#include "carom/record/hdf5_file.h"
#include "carom/record/record.h"
#include "carom/record/report.h"
#include "carom/record/report_data.h"
#include "carom/record/step_problem.h"
#include "carom/record/summary.h"
#include "carom/record/test/same_record.h"
#include "carom/record/test/test_folder.h"
#include "carom/stepper/simulation.h"

namespace carom::built_model_test {
namespace {

/// A ball and a box over a floor, the box on a hinge with a motor: no line of YAML.
std::shared_ptr<const Model> built() {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  const int rubber = builder.add_material({.name = "rubber", .friction = {0.4, 0.3}, .restitution = 0.6});
  const int ball = builder.add_body("ball", shape_inertia(Sphere{0.1}, 500));
  const Box box{{0.3, 0.05, 0.05}};
  const int arm = builder.add_body("arm", shape_inertia(box, 700));
  Joint hinge;
  hinge.name = "hinge";
  hinge.type = JointType::revolute;
  hinge.X_PF.p = {1, 0, 2};
  builder.add_joint(arm, hinge);
  builder.add_collider({.name = "skin", .body = ball, .shape = Sphere{0.1}, .material = rubber});
  builder.add_collider({.name = "bar", .body = arm, .shape = box, .material = rubber});
  builder.add_collider({.name = "floor", .shape = HalfSpace{}, .material = rubber});
  Drive motor;
  motor.name = "motor";
  motor.body = arm;
  motor.value = TimeFunction::constant(0.1);
  builder.add_drive(motor);
  return std::make_shared<const Model>(builder.build());
}

Scene built_run(double duration) {
  const auto model = built();
  State state = state_at_rest(*model);
  set_pose(*model, 0, {.p = {0, 0, 0.4}}, state);
  set_velocity(*model, 0, {0, 7, 0}, {1, 0, 0}, state);
  Method method;
  method.stepper = StepperKind::semi_explicit;
  method.law = LawKind::plus;
  method.step = 2e-3;
  return built_scene("ball and arm", model, method, state, duration);
}

class BuiltModel : public test::FolderTest {
 protected:
  static void steps(RecordWriter& writer, Simulation& simulation, int count) {
    for (int i = 0; i < count; ++i) {
      const StepReport& report = simulation.step();
      writer.append(simulation.state(), report);
    }
  }
  /// A record of so many steps.
  void run(const std::string& name, const Scene& scene, int count) const {
    Simulation simulation(scene.model, scene.method, scene.initial);
    simulation.set_controller(scene.controller());
    RecordWriter writer = RecordWriter::create(path(name), scene);
    steps(writer, simulation, count);
    writer.finish("done", 0);
  }
  /// Goes on by what the record holds.
  void go_on(const std::string& name, int count) const {
    const Record record = read_record(path(name));
    Simulation simulation(record.scene.model, record.scene.method, record.frames.back().state);
    simulation.set_controller(record.scene.controller());
    RecordWriter writer = RecordWriter::resume(path(name), record.scene);
    steps(writer, simulation, count);
    writer.finish("done", 0);
  }
};

TEST_F(BuiltModel, is_recorded_and_resumed_bit_for_bit) {
  const Scene scene = built_run(0.6);
  run("whole.h5", scene, 300);
  run("parts.h5", scene, 130);
  go_on("parts.h5", 100);
  go_on("parts.h5", 70);
  const Record whole = read_record(path("whole.h5"));
  test::expect_same_record(whole, read_record(path("parts.h5")));
  EXPECT_FALSE(whole.impacts.empty());
  EXPECT_TRUE(whole.scene.text.empty());
  EXPECT_TRUE(identical(whole.scene.initial, scene.initial));
  EXPECT_TRUE(whole.scene.has_restitution);
}

TEST_F(BuiltModel, has_a_page_a_summary_and_files_for_other_programs) {
  const Scene scene = built_run(0.1);
  run("run.h5", scene, 50);
  const Record record = read_record(path("run.h5"));
  const nlohmann::json data = report_data(record);
  EXPECT_EQ(data["title"], "ball and arm");
  EXPECT_EQ(data["scene"], "");
  EXPECT_NE(run_json(record, "").find("\"ball and arm\""), std::string::npos);
  EXPECT_EQ(problem_of_step(record, 40).notes.title, "ball and arm, step 40");
  write_report(record, path("run.html"));
  EXPECT_GT(std::filesystem::file_size(path("run.html")), 10000u);
}

TEST_F(BuiltModel, goes_on_with_its_own_model_and_method_alone) {
  const Scene scene = built_run(0.1);
  run("run.h5", scene, 10);
  Scene other = scene;
  other.method.step = 1e-3;
  try {
    RecordWriter::resume(path("run.h5"), other);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("step 0.002 and not 0.001"), std::string::npos) << error.what();
  }
  ModelBuilder builder;
  builder.add_body("another", shape_inertia(Sphere{0.1}, 1));
  other = scene;
  other.model = std::make_shared<const Model>(builder.build());
  EXPECT_THROW(RecordWriter::resume(path("run.h5"), other), Error);
}

TEST_F(BuiltModel, a_controller_of_a_program_is_asked_for_when_the_run_goes_on) {
  Scene scene = built_run(0.2);
  scene.feedback = []() -> Controller {
    return [](const Model&, const State& state, VectorX& force) { force[6] -= 0.3 * state.v[6]; };
  };
  run("whole.h5", scene, 60);
  run("parts.h5", scene, 20);
  Record record = read_record(path("parts.h5"));
  EXPECT_TRUE(record.scene.lacks_controller);
  EXPECT_THROW(go_on("parts.h5", 1), Error);
  EXPECT_THROW(static_cast<void>(problem_of_step(record, 10)), Error);
  EXPECT_THROW(RecordWriter::resume(path("parts.h5"), record.scene), Error);

  record.scene.feedback = scene.feedback;
  {
    Simulation simulation(record.scene.model, record.scene.method, record.frames.back().state);
    simulation.set_controller(record.scene.controller());
    RecordWriter writer = RecordWriter::resume(path("parts.h5"), record.scene);
    steps(writer, simulation, 40);
    writer.finish("done", 0);
  }
  test::expect_same_record(read_record(path("whole.h5")), read_record(path("parts.h5")));
}

TEST_F(BuiltModel, a_law_of_ones_own_is_asked_for_by_its_name) {
  LawEntry entry = LawKind::plastic.entry();
  entry.name = "sticky";
  Catalogue catalogue = default_catalogue();
  catalogue.laws.emplace_back(entry);
  Scene scene = built_run(0.1);
  scene.method.law = LawKind(entry);
  scene.catalogue = &catalogue;
  run("run.h5", scene, 5);
  EXPECT_TRUE(read_record(path("run.h5"), catalogue).scene.method.law == LawKind(entry));
  try {
    static_cast<void>(read_record(path("run.h5")));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("sticky"), std::string::npos) << error.what();
  }
}

TEST_F(BuiltModel, another_version_is_refused_with_a_sentence) {
  run("run.h5", built_run(0.1), 5);
  for (const char* group : {"/model", "/method", "/run"}) {
    const std::int64_t written = Hdf5File::open_for_writing(path("run.h5")).integer(group, "version");
    Hdf5File::open_for_writing(path("run.h5")).set(group, "version", std::int64_t{77});
    try {
      static_cast<void>(read_record(path("run.h5")));
      FAIL() << group;
    } catch (const Error& error) {
      const std::string sentence = "has version 77; this program reads version " + std::to_string(written);
      EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
    }
    Hdf5File::open_for_writing(path("run.h5")).set(group, "version", written);
  }
  EXPECT_EQ(read_record(path("run.h5")).frames.size(), 6u);
}

TEST_F(BuiltModel, that_makes_no_sense_with_its_method_is_refused_at_once) {
  const Scene scene = built_run(0.1);
  Method none = scene.method;
  none.law = LawKind::none;  // the material rebounds
  EXPECT_THROW(built_scene("x", scene.model, none, scene.initial, 1), Error);
  EXPECT_THROW(built_scene("x", scene.model, scene.method, State(), 1), Error);
  EXPECT_THROW(built_scene("x", nullptr, scene.method, scene.initial, 1), Error);
  EXPECT_THROW(built_scene("x", scene.model, scene.method, scene.initial, -1), Error);
}

}  // namespace
}  // namespace carom::built_model_test
