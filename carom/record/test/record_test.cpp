#include "carom/record/record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "carom/record/certificate_fields.h"
#include "carom/record/file_lock.h"
#include "carom/record/hdf5_file.h"
#include "carom/record/part_names.h"
#include "carom/record/record_layout.h"
#include "carom/record/test/random_run.h"
#include "carom/record/test/same_record.h"
#include "carom/record/test/test_folder.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"

namespace carom::record_test {
namespace {

using test::expect_same_record;
using test::RandomRun;
using test::scene_text;

class RecordTest : public test::FolderTest {
 protected:
  /// Steps [from, to] of a made-up run.
  static void append(RecordWriter& writer, const Scene& scene, std::uint64_t seed, std::int64_t from, std::int64_t to) {
    State state;
    StepReport report;
    const RandomRun run(*scene.model, seed);
    for (std::int64_t step = from; step <= to; ++step) {
      run.step(step, state, report);
      writer.append(state, report);
    }
  }
};

TEST_F(RecordTest, APassingRecordReadWithItsSceneIsTheSameWithoutAModel) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  for (const bool keep : {true, false}) {
    RecordWriter writer =
        keep ? RecordWriter::create(path("kept.h5"), scene) : RecordWriter::create_passing(path("passing.h5"), scene);
    append(writer, scene, 1, 1, 50);
    writer.finish("done", 1.5);
  }
  const Record kept = read_record(path("kept.h5"));
  expect_same_record(kept, read_record(path("passing.h5"), scene));
  expect_same_record(kept, read_record(path("kept.h5"), scene));
  EXPECT_TRUE(Hdf5File::open_for_reading(path("kept.h5")).has("/model"));
  EXPECT_FALSE(Hdf5File::open_for_reading(path("passing.h5")).has("/model"));
}

TEST_F(RecordTest, KeepsEveryBitOfEveryStep) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  RunCertificate certificate;
  constexpr std::int64_t steps = 3000;  // several chunks of every table
  {
    RecordWriter writer = RecordWriter::create(path("run.h5"), scene);
    append(writer, scene, 1, 1, steps);
    writer.finish("done", 1.5);
    certificate = writer.certificate();
  }
  const Record record = read_record(path("run.h5"));
  ASSERT_EQ(record.frames.size(), steps + 1);
  EXPECT_TRUE(identical(record.frames[0].state, scene.initial));
  RunCertificate sums;
  State state;
  StepReport report;
  std::size_t events = 0;
  for (std::int64_t step = 1; step <= steps; ++step) {
    RandomRun(*scene.model, 1).step(step, state, report);
    sums.add(report);
    const Frame& frame = record.frames[static_cast<std::size_t>(step)];
    ASSERT_TRUE(identical(frame.state, state)) << step;
    ASSERT_TRUE(test::same_bits(frame.contacts, report.contacts)) << step;
    EXPECT_EQ(frame.status, report.status);
    EXPECT_EQ(frame.penetration, report.penetration);
    EXPECT_EQ(frame.momentum_residual, report.momentum_residual);
    EXPECT_EQ(frame.contact.natural_map, report.contact_certificate.natural_map);
    EXPECT_EQ(frame.lcp_size, report.lcp_size);
    EXPECT_EQ(frame.energy.kinetic, report.energy.kinetic);
    EXPECT_EQ(frame.energy.contact_work, sums.energy.contact_work);
    for (const Event& event : report.events) {
      ASSERT_TRUE(test::same_bits(record.events.at(events), event));
      ++events;
    }
  }
  EXPECT_EQ(record.events.size(), events);
  EXPECT_TRUE(test::same_bits(record.certificate, sums));
  EXPECT_TRUE(test::same_bits(certificate, sums));
  EXPECT_EQ(record.end, "done");
  EXPECT_EQ(record.wall_seconds, 1.5);
  EXPECT_EQ(record.scene.text, scene.text);
  EXPECT_EQ(record.scene.file, "two.yaml");
  EXPECT_FALSE(std::filesystem::exists(path("run.h5.part")));
}

TEST_F(RecordTest, TheInitialFrameHasTheEnergyOfTheInitialState) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  RecordWriter::create(path("run.h5"), scene).finish("done", 0);
  const Record record = read_record(path("run.h5"));
  ASSERT_EQ(record.frames.size(), 1u);
  EXPECT_EQ(record.frames[0].energy.kinetic, 0);
  // At rest: weights times heights, from densities and sizes.
  const double ball = 500 * 4.0 / 3.0 * M_PI * 1e-3, arm = 700 * 0.6 * 0.1 * 0.1;
  EXPECT_NEAR(record.frames[0].energy.potential, 9.81 * (ball * 1 + arm * 2), 1e-12 * 9.81 * (ball + arm));
}

TEST_F(RecordTest, StoppedAndResumedEqualsUninterrupted) {
  for (int every : {1, 3, 10}) {
    const Scene scene = parse_scene(scene_text(every), "two.yaml");
    RecordWriter whole = RecordWriter::create(path("whole.h5"), scene);
    append(whole, scene, 7, 1, 100);
    whole.finish("done", 1);
    // Interruptions on and off the grid of recorded steps, twice at one place, and a flush in between.
    RecordWriter first = RecordWriter::create(path("parts.h5"), scene);
    append(first, scene, 7, 1, 37);
    first.finish("interrupted", 1);
    EXPECT_EQ(read_record(path("parts.h5")).end, "interrupted");
    std::int64_t done = 37;
    for (std::int64_t next : {37, 38, 60, 71, 100}) {
      const Record so_far = read_record(path("parts.h5"));
      State state;
      StepReport report;
      RandomRun(*scene.model, 7).step(done, state, report);
      EXPECT_TRUE(identical(so_far.frames.back().state, state)) << "the last step is there, on the grid or not";
      RecordWriter writer = RecordWriter::resume(path("parts.h5"), scene);
      append(writer, scene, 7, done + 1, (done + next) / 2);
      writer.flush();
      append(writer, scene, 7, (done + next) / 2 + 1, next);
      writer.finish("interrupted", 1);
      done = next;
    }
    const Record a = read_record(path("whole.h5")), b = read_record(path("parts.h5"));
    expect_same_record(a, b);
    EXPECT_EQ(b.wall_seconds, 6) << "the parts' sum";
    EXPECT_EQ(a.frames.size(), static_cast<std::size_t>(1 + 100 / every + (100 % every != 0)));
  }
}

TEST_F(RecordTest, AWriterThatGoesOutOfScopeLeavesAll) {
  const Scene scene = parse_scene(scene_text(4), "two.yaml");
  {
    RecordWriter writer = RecordWriter::create(path("run.h5"), scene);
    append(writer, scene, 3, 1, 10);
  }
  const Record record = read_record(path("run.h5"));
  EXPECT_EQ(record.frames.back().state.step, 10);
  EXPECT_EQ(record.end, "running");
  EXPECT_FALSE(std::filesystem::exists(path("run.h5.part")));
}

TEST_F(RecordTest, CanBeReadWhileItIsWritten) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  RecordWriter writer = RecordWriter::create(path("run.h5"), scene);
  for (std::int64_t step = 1; step <= 40; ++step) {
    append(writer, scene, 3, step, step);
    writer.flush();
    EXPECT_EQ(read_record(path("run.h5")).frames.size(), static_cast<std::size_t>(step + 1));
  }
}

TEST_F(RecordTest, TwoWritersAreKeptApart) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  RecordWriter writer = RecordWriter::create(path("run.h5"), scene);
  append(writer, scene, 3, 1, 5);
  EXPECT_THROW(RecordWriter::create(path("run.h5"), scene), Error);
  EXPECT_THROW(RecordWriter::resume(path("run.h5"), scene), Error);
  writer.flush();
  EXPECT_THROW(RecordWriter::resume(path("run.h5"), scene), Error);
  append(writer, scene, 3, 6, 10);
  writer.finish("done", 0);
  EXPECT_EQ(read_record(path("run.h5")).frames.size(), 11u);
}

TEST_F(RecordTest, ResumeRefusesAnotherSceneOrMethodAndSaysWhatDiffers) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  RecordWriter::create(path("run.h5"), scene).finish("done", 0);
  const auto sentence = [&](const Scene& other) {
    try {
      RecordWriter::resume(path("run.h5"), other);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string text = sentence(parse_scene(scene_text(1, "# one more line\n"), "two.yaml"));
  EXPECT_NE(text.find("another scene"), std::string::npos) << text;
  const auto lines = std::count(scene.text.begin(), scene.text.end(), '\n');
  EXPECT_NE(text.find("line " + std::to_string(lines + 1)), std::string::npos) << text;
  Scene other = scene;
  other.method.step = 0.005;
  other.method.dynamics = DynamicsKind::dense;
  const std::string method = sentence(other);
  EXPECT_NE(method.find("step 0.01"), std::string::npos) << method;
  EXPECT_NE(method.find("dynamics articulated and not dense"), std::string::npos) << method;
  EXPECT_EQ(method.find("law"), std::string::npos) << method;
  Scene longer = scene;
  longer.duration = 20;
  RecordWriter::resume(path("run.h5"), longer).finish("done", 0);
  EXPECT_EQ(read_record(path("run.h5")).scene.duration, 20);
}

TEST_F(RecordTest, ASimulationStoppedAndResumedGivesTheSameBits) {
  const Scene scene = parse_scene(scene_text(4), "two.yaml");
  const auto simulate = [&](RecordWriter& writer, const State& from, int steps) {
    Simulation simulation(scene.model, scene.method, from);
    for (int i = 0; i < steps; ++i) {
      const StepReport& report = simulation.step();
      writer.append(simulation.state(), report);
    }
  };
  RecordWriter whole = RecordWriter::create(path("whole.h5"), scene);
  simulate(whole, scene.initial, 150);  // the ball touches the floor at step 43
  whole.finish("done", 0);
  RecordWriter first = RecordWriter::create(path("parts.h5"), scene);
  simulate(first, scene.initial, 75);
  first.finish("interrupted", 0);
  RecordWriter second = RecordWriter::resume(path("parts.h5"), scene);
  simulate(second, read_record(path("parts.h5")).frames.back().state, 75);
  second.finish("done", 0);
  const Record a = read_record(path("whole.h5"));
  expect_same_record(a, read_record(path("parts.h5")));
  EXPECT_GT(a.events.size(), 0u);
  EXPECT_FALSE(a.frames.back().contacts.empty());
}

TEST_F(RecordTest, AReaderKeepsWhatItOpened) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  RecordWriter writer = RecordWriter::create(path("run.h5"), scene);
  append(writer, scene, 3, 1, 10);
  writer.flush();
  // Another name for the file that a reader has under its lock now, to look at it later.
  std::filesystem::create_hard_link(path("run.h5"), path("opened.h5"));
  FileLock reader;
  ASSERT_TRUE(reader.take(path("run.h5"), FileLock::Kind::shared));
  for (std::int64_t step = 11; step <= 20; ++step) {
    append(writer, scene, 3, step, step);
    writer.flush();
  }
  EXPECT_EQ(read_record(path("opened.h5")).frames.size(), 11u);
  EXPECT_EQ(read_record(path("run.h5")).frames.size(), 21u);
  writer.finish("done", 0);
  EXPECT_EQ(read_record(path("run.h5")).frames.size(), 21u);
}

TEST_F(RecordTest, TheManualNamesEveryDatasetAndItsExampleRuns) {
  std::ifstream file(source_folder() + "/docs/manual/record-format.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string manual = text.str();
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  for (const TableShape& shape : record_tables(*scene.model)) {
    EXPECT_NE(manual.find("`" + shape.path + "`"), std::string::npos) << shape.path;
  }
  visit_fields(RunCertificate(), [&](const char* name, auto) {
    EXPECT_NE(manual.find(std::string(name) + "`"), std::string::npos) << name;
  });
  if (std::system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0) GTEST_SKIP() << "h5py is not installed";
  RecordWriter writer = RecordWriter::create(path("run.h5"), scene);
  append(writer, scene, 3, 1, 10);
  writer.finish("done", 0);
  // The examples in their order: the frames, the ground reaction of a collider, the impacts.
  const std::string fence = "```python\n";
  std::vector<std::string> outputs;
  for (std::size_t begin = 0; (begin = manual.find(fence, begin)) != std::string::npos;) {
    begin += fence.size();
    std::ofstream(path("example.py")) << manual.substr(begin, manual.find("```", begin) - begin);
    const std::string command =
        "/usr/bin/python3 " + path("example.py") + " " + path("run.h5") + " world/floor >" + path("out.txt");
    ASSERT_EQ(std::system(command.c_str()), 0) << manual.substr(begin, 400);
    std::stringstream output;
    output << std::ifstream(path("out.txt")).rdbuf();
    outputs.push_back(output.str());
  }
  ASSERT_EQ(outputs.size(), 4u);
  EXPECT_EQ(outputs[3].substr(0, outputs[3].find('\n')), "stewart-trinkle with law none, 0.01 s a step");
  EXPECT_EQ(outputs[0].substr(0, outputs[0].find('\n')), "11 frames to 0.1 s; the last:");
  EXPECT_EQ(outputs[1].find("largest vertical force, N:"), 0u);
}

TEST_F(RecordTest, WhatIsNoRecordIsRefusedWithItsName) {
  const auto sentence = [&](const std::string& name) {
    try {
      read_record(path(name));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(sentence("missing.h5").find("missing.h5"), std::string::npos);
  std::ofstream(path("text.h5")) << "not HDF5";
  EXPECT_NE(sentence("text.h5").find("text.h5"), std::string::npos);
  { Hdf5File::create(path("empty.h5")); }
  EXPECT_NE(sentence("empty.h5").find("not a record"), std::string::npos) << sentence("empty.h5");
  EXPECT_THROW(RecordWriter::create(path("no-such-folder/run.h5"), parse_scene(scene_text(1), "two.yaml")), Error);
}

TEST_F(RecordTest, AnOldFileStaysUntilTheNewOneIsThere) {
  std::ofstream(path("run.h5")) << "something old";
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  RecordWriter writer = RecordWriter::create(path("run.h5"), scene);
  writer.flush();
  EXPECT_EQ(read_record(path("run.h5")).frames.size(), 1u);
}

TEST_F(RecordTest, ATruncatedFileIsAnErrorAndNoCrash) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  {
    RecordWriter writer = RecordWriter::create(path("run.h5"), scene);
    append(writer, scene, 5, 1, 300);
    writer.finish("done", 0);
  }
  const auto size = std::filesystem::file_size(path("run.h5"));
  for (int i = 1; i < 20; ++i) {
    std::filesystem::copy_file(path("run.h5"), path("cut.h5"), std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(path("cut.h5"), size * static_cast<std::uintmax_t>(i) / 20);
    EXPECT_THROW(read_record(path("cut.h5")), Error) << i;
  }
}

TEST(RecordLayout, NamesEveryCoordinate) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  const std::vector<std::string> q = position_names(*scene.model), v = velocity_names(*scene.model);
  EXPECT_EQ(q.size(), static_cast<std::size_t>(scene.model->position_count()));
  EXPECT_EQ(v.size(), static_cast<std::size_t>(scene.model->velocity_count()));
  EXPECT_NE(std::find(q.begin(), q.end(), "hinge"), q.end());
  EXPECT_NE(std::find(v.begin(), v.end(), "ball.vz"), v.end());
  EXPECT_EQ(record_tables(*scene.model).size(), static_cast<std::size_t>(table_count));
}

}  // namespace
}  // namespace carom::record_test
