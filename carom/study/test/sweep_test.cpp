#include "carom/study/sweep.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "carom/error.h"
#include "carom/scene/diagnostics.h"
#include "carom/spatial/transform.h"
#include "carom/stepper/simulation.h"
#include "carom/study/sweep_draws.h"
#include "carom/study/sweep_table.h"

namespace carom::sweep_test {
namespace {

namespace fs = std::filesystem;

TEST(SweepDraws, LatinHasOnePointInEachIntervalOfEachDirection) {
  for (const int count : {1, 7, 100}) {
    const auto points = unit_points(SweepSampling::latin, 3, count, 4);
    for (std::size_t d = 0; d < 4; ++d) {
      std::set<int> taken;
      for (const auto& point : points) taken.insert(static_cast<int>(point[d] * count));
      EXPECT_EQ(std::ssize(taken), count);
    }
  }
}

TEST(SweepDraws, SobolFillsEveryBoxOfItsNet) {
  // The first 2^k points in the first two directions: one in each box of 2^a times 2^(k - a). Boost skips the origin,
  // and so moves one point to another box.
  constexpr int k = 8, count = 1 << k;
  const auto points = unit_points(SweepSampling::sobol, 5, count, 2);
  for (int a = 0; a <= k; ++a) {
    std::set<std::pair<int, int>> boxes;
    for (const auto& point : points) {
      boxes.insert({static_cast<int>(point[0] * (1 << a)), static_cast<int>(point[1] * (1 << (k - a)))});
    }
    EXPECT_GE(std::ssize(boxes), count - 1) << a;
  }
}

TEST(SweepDraws, ArePointsOfTheirOwnNumberAndOfTheSeed) {
  for (const SweepSampling sampling : {SweepSampling::random, SweepSampling::sobol}) {
    const auto few = unit_points(sampling, 9, 50, 3), many = unit_points(sampling, 9, 80, 3);
    EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
    EXPECT_NE(unit_points(sampling, 10, 50, 3), few);
  }
}

TEST(SweepDraws, HaveTheMomentsOfTheirDistributions) {
  constexpr int count = 20000;
  SweepVariable normal{
      .name = "n", .path = "n", .kind = SweepVariable::Kind::normal, .values = {}, .a = 3, .b = 0.5, .place = {}};
  SweepVariable turn{
      .name = "r", .path = "r", .kind = SweepVariable::Kind::rotation, .values = {}, .a = 0, .b = 0, .place = {}};
  double mean = 0, square = 0;
  Mat3 sum = Mat3::Zero();
  double z_square = 0;
  for (const auto& point : unit_points(SweepSampling::random, 1, count, 4)) {
    const double x = drawn(normal, &point[3])[0];
    mean += x / count;
    square += (x - 3) * (x - 3) / count;
    const std::vector<double> q = drawn(turn, point.data());
    ASSERT_NEAR(Eigen::Vector4d(q[0], q[1], q[2], q[3]).norm(), 1, 1e-14);
    const Mat3 R = Quaternion(q[0], q[1], q[2], q[3]).toRotationMatrix();
    sum += R / count;
    z_square += R(2, 2) * R(2, 2) / count;
  }
  EXPECT_NEAR(mean, 3, 5 * 0.5 / std::sqrt(count));
  EXPECT_NEAR(square, 0.25, 0.02);
  EXPECT_LT(sum.cwiseAbs().maxCoeff(), 5 / std::sqrt(3.0 * count));
  EXPECT_NEAR(z_square, 1.0 / 3, 0.02);
}

class Sweep : public ::testing::Test {
 protected:
  Sweep() { fs::create_directories(folder_); }
  ~Sweep() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }

  /// A ball that is thrown and falls onto a floor.
  void write_scene() const {
    write("ball.yaml", R"(carom: 1
gravity: [0, 0, -9.81]
parameters: {grip: 0.3}
materials: [{name: m, friction: =grip, restitution: 0.5}]
world: {shapes: [{type: half-space, material: m}]}
outputs: {height: max(ball.position.z)}
bodies:
  - name: ball
    mass: 1
    position: [0, 0, 0.3]
    orientation: [1, 0, 0, 0]
    velocity: [1, 0, 0.5]
    shapes: [{type: box, half_extents: [0.1, 0.08, 0.06], material: m}]
method: {stepper: stewart-trinkle, law: poisson, step: 0.005}
duration: 0.4
)");
  }
  SweepStudy study(const std::string& text) const { return parse_sweep_study(text, path("study.yaml")); }
  SweepOptions options(const std::string& journal) const {
    SweepOptions how;
    how.journal = path(journal);
    how.records = path("records");
    return how;
  }
  std::string faults(const std::string& text) const {
    try {
      parse_sweep_study(text, "study.yaml");
    } catch (const SceneError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("carom_sweep" + std::to_string(::getpid()));
};

const char* const everything = R"(scene: ball.yaml
runs: 3
seed: 4
vary:
  grip: [0.1, 0.5]
  up: {at: bodies/ball/velocity/2, from: 0, to: 2, count: 3}
  along: {at: bodies/ball/velocity/0, uniform: [0.5, 1.5]}
  turn: {at: bodies/ball/orientation, rotation: uniform}
methods: [stewart-trinkle/poisson, semi-explicit/plus]
outputs: {end: ball.position}
)";

TEST_F(Sweep, RunsEveryCombination) {
  write_scene();
  const SweepStudy all = study(everything);
  const SweepResult result = sweep(all, options("a.journal"));
  ASSERT_EQ(result.count, 2 * 2 * 3 * 3);
  ASSERT_TRUE(result.whole());
  EXPECT_EQ(result.varied, (std::vector<std::string>{"grip", "up", "along", "turn.w", "turn.x", "turn.y", "turn.z"}));
  EXPECT_EQ(result.outputs, (std::vector<std::string>{"end.x", "end.y", "end.z", "height"}));
  std::set<std::vector<double>> draws;
  std::set<std::string> methods;
  for (const SweepCase& sweep_case : result.cases) {
    methods.insert(sweep_case.method->name());
    draws.insert(std::vector<double>(sweep_case.values.begin() + 2, sweep_case.values.end()));
  }
  EXPECT_EQ(draws.size(), 3u);  // the same for every combination, so that these can be compared in pairs
  EXPECT_EQ(methods.size(), 2u);
}

TEST_F(Sweep, GivesTheBitsOfEachRunByItself) {
  write_scene();
  const SweepStudy all = study(everything);
  const SweepResult result = sweep(all, options("a.journal"));
  const SweepCases cases(all, read_scene_text(all.scene));
  for (const std::size_t i : {0u, 7u, 20u, 35u}) {
    const Scene scene = cases.source(result.cases[i]).scene();
    Simulation simulation(scene.model, scene.method, scene.initial);
    double height = scene.initial.q[6];
    for (std::int64_t step = 0; step < scene.steps(); ++step) {
      simulation.step();
      height = std::max(height, simulation.state().q[6]);
    }
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(result.rows[i].numbers[axis], simulation.state().q[4 + axis]) << i;
    EXPECT_EQ(result.rows[i].numbers[3], height);
    EXPECT_EQ(result.rows[i].status, "done");
  }
}

TEST_F(Sweep, GivesOneTableOnAnyThreadsInAnyPartsAndHoweverOftenItWasStopped) {
  write_scene();
  const SweepStudy all = study(everything);
  SweepOptions how = options("one.journal");
  how.threads = 1;
  const std::string table = sweep_csv(sweep(all, how));
  how = options("two.journal");
  how.threads = 2;
  EXPECT_EQ(sweep_csv(sweep(all, how)), table);

  how = options("parts.journal");
  how.parts = 3;
  for (how.part = 0; how.part < 3; ++how.part) sweep(all, how);
  how = options("parts.journal");
  how.stop = [] { return true; };
  const SweepResult gathered = sweep(all, how);
  EXPECT_EQ(gathered.earlier, gathered.count);
  EXPECT_EQ(sweep_csv(gathered), table);

  how = options("stopped.journal");
  for (int left = 100; left > 0; --left) {
    std::atomic<int> asked = 0;
    how.stop = [&] { return ++asked > 300; };
    if (sweep(all, how).whole()) break;
  }
  how.stop = {};
  EXPECT_EQ(sweep_csv(sweep(all, how)), table);
}

TEST_F(Sweep, GoesOnFromAJournalThatWasCutAnywhere) {
  write_scene();
  const SweepStudy all = study(everything);
  const std::string table = sweep_csv(sweep(all, options("whole.journal")));
  std::ifstream stream(path("whole.journal"));
  const std::string journal((std::istreambuf_iterator<char>(stream)), {});
  std::mt19937 random(1);
  for (int trial = 0; trial < 5; ++trial) {
    const std::size_t left = random() % journal.size();
    write("cut.journal", journal.substr(0, left));
    const SweepResult result = sweep(all, options("cut.journal"));
    EXPECT_EQ(sweep_csv(result), table) << left;
    EXPECT_EQ(result.earlier, std::count(journal.begin(), journal.begin() + static_cast<std::ptrdiff_t>(left), '\n'));
  }
}

TEST_F(Sweep, KeepsWhatIsDoneWhenTheStudyGrows) {
  write_scene();
  const SweepResult few = sweep(study("scene: ball.yaml\nvary: {grip: [0.1, 0.2]}\n"), options("g.journal"));
  const SweepResult more = sweep(study("scene: ball.yaml\nvary: {grip: [0.3, 0.2, 0.1]}\n"), options("g.journal"));
  EXPECT_EQ(more.earlier, 2);
  EXPECT_EQ(more.rows[2].numbers, few.rows[0].numbers);
  // Another scene under the same name is another result.
  std::ifstream stream(path("ball.yaml"));
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  write("ball.yaml", text.replace(text.find("-9.81"), 5, "-1.62"));
  EXPECT_EQ(sweep(study("scene: ball.yaml\nvary: {grip: [0.3, 0.2, 0.1]}\n"), options("g.journal")).earlier, 0);
}

TEST_F(Sweep, TellsEachCaseThatCameToNothing) {
  write_scene();
  const std::string text =
      "scene: ball.yaml\nmethods: [stewart-trinkle/poisson]\nvary:\n"
      "  mass: {at: bodies/ball/mass, values: [1, -1]}\n  cone: {at: method/directions, values: [4, 16]}\n";
  const SweepResult free = sweep(study(text), options("free.journal"));
  ASSERT_TRUE(free.whole());
  for (const std::size_t i : {2u, 3u}) {
    EXPECT_EQ(free.rows[i].status, "refused");
    EXPECT_NE(free.rows[i].reason.find("mass"), std::string::npos);
    EXPECT_TRUE(std::isnan(free.rows[i].numbers[0]));
  }
  const auto column = static_cast<std::size_t>(std::find(free.columns.begin(), free.columns.end(), "iterations") -
                                               free.columns.begin());
  const double needed = free.rows[1].numbers[column];
  ASSERT_GT(needed, 1);
  const std::string bound = std::to_string(static_cast<int>(needed) - 1);
  const SweepResult bounded = sweep(study(text + "iterations: " + bound + "\n"), options("bounded.journal"));
  EXPECT_EQ(bounded.rows[1].status, "stopped");
  EXPECT_EQ(bounded.rows[1].reason, "more than " + bound + " iterations");
  EXPECT_FALSE(bounded.rows[1].ok);
}

/// Faults end this process by their signal, also under a sanitizer, whose own handler would exit instead.
void die_of_faults() { ::signal(SIGSEGV, SIG_DFL); }

TEST_F(Sweep, PassesOverACaseInWhichTheProgramDies) {
  const std::string journal = path("dead.journal");
  const auto work = [&] {
    SweepJournal keeping({journal});
    const SweepJournal::FaultWatch watch;
    for (const char* key : {"a", "b", "c", "d"}) {
      if (keeping.find(key) != nullptr) continue;
      const SweepJournal::OnItsWay on_its_way(keeping, key);
      if (std::string(key) == "c") ::raise(SIGSEGV);
      keeping.add(key, {"done", "", true, {1.5, NAN}});
    }
    return 7;
  };
  std::uintmax_t seen = 0;
  // In a process of its own, since the child that does the work returns from here as well.
  const pid_t pid = ::fork();
  if (pid == 0) {
    die_of_faults();
    std::_Exit(supervised(work, [&] {
      const std::uintmax_t size = fs::file_size(journal);
      const bool grew = size > seen;
      seen = size;
      return grew;
    }));
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  const SweepJournal journal_now({journal});
  EXPECT_EQ(journal_now.find("c")->status, "crashed");
  for (const char* key : {"a", "b", "d"}) {
    ASSERT_NE(journal_now.find(key), nullptr);
    EXPECT_EQ(journal_now.find(key)->numbers[0], 1.5);
    EXPECT_TRUE(std::isnan(journal_now.find(key)->numbers[1]));
  }
}

/// A program in which a thread that has no case of its own dies while others are at these.
void die_in_a_helper(const std::string& journal, const std::vector<std::string>& keys) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    die_of_faults();
    SweepJournal keeping({journal});
    const SweepJournal::FaultWatch watch;
    std::atomic<std::size_t> at_work = 0;
    std::vector<std::thread> threads;
    threads.reserve(keys.size());
    for (const std::string& key : keys) {
      threads.emplace_back([&keeping, &at_work, key] {
        const SweepJournal::OnItsWay on_its_way(keeping, key);
        ++at_work;
        for (;;) std::this_thread::yield();
      });
    }
    while (at_work < keys.size()) std::this_thread::yield();
    std::thread([] { ::raise(SIGSEGV); }).join();
    std::_Exit(0);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGSEGV);
}

TEST_F(Sweep, AFaultOfAThreadThatHelpsIsPutDownToItsCase) {
  const std::string journal = path("helped.journal");
  die_in_a_helper(journal, {"a", "b"});
  {
    const SweepJournal both({journal});
    EXPECT_EQ(both.find("a"), nullptr);
    EXPECT_EQ(both.find("b"), nullptr);
    EXPECT_TRUE(both.is_suspect("a"));
    EXPECT_TRUE(both.is_suspect("b"));
  }
  // The next program runs suspects alone: one comes to its end, the other does it again.
  SweepJournal({journal}).add("a", {"done", "", true, {1}});
  die_in_a_helper(journal, {"b"});
  const SweepJournal now({journal});
  ASSERT_NE(now.find("b"), nullptr);
  EXPECT_EQ(now.find("b")->status, "crashed");
  EXPECT_EQ(now.find("a")->status, "done");
  EXPECT_FALSE(now.is_suspect("a"));
  EXPECT_FALSE(now.is_suspect("b"));
}

TEST_F(Sweep, GivesSignalsBackToWhoeverHandledThemBefore) {
  const auto handler = [] {
    struct sigaction now {};
    ::sigaction(SIGSEGV, nullptr, &now);
    return now.sa_handler;
  };
  const auto before = handler();
  {
    const SweepJournal::FaultWatch outer;
    EXPECT_NE(handler(), before);
    { const SweepJournal::FaultWatch inner; }
    EXPECT_NE(handler(), before);
  }
  EXPECT_EQ(handler(), before);
}

TEST_F(Sweep, TakesLinesThatAnotherProgramMade) {
  const SweepRow row{"done", "", true, {0.1, NAN}};
  {
    SweepJournal there({path("there.journal")});
    there.add_line(SweepJournal::line("k", row));
    EXPECT_THROW(there.add_line("{\"key\":\"k\""), Error);
  }
  SweepJournal here({path("here.journal")});
  here.add("k", row);
  const auto text = [&](const char* name) {
    std::ifstream file(path(name));
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(text("there.journal"), text("here.journal"));
}

TEST_F(Sweep, AJournalIsForOneProgramAtATime) {
  const std::string journal = path("locked.journal");
  {
    SweepJournal first({journal});
    first.add("a", {"done", "", true, {1}});
    EXPECT_THROW(SweepJournal({journal}), Error);
  }
  EXPECT_NE(SweepJournal({journal}).find("a"), nullptr) << "free again, and nothing is lost";
}

TEST_F(Sweep, ReadsRowsOfATable) {
  write_scene();
  write("rows.csv", "grip, bodies/ball/velocity/0\n0.1, 0.5\n\n0.4, 2\n");
  const SweepResult result = sweep(study("scene: ball.yaml\ntable: rows.csv\n"), options("t.journal"));
  ASSERT_EQ(result.count, 2);
  EXPECT_EQ(result.cases[1].values, (std::vector<double>{0.4, 2}));
  const std::string csv = sweep_csv(result);
  EXPECT_EQ(csv.substr(0, csv.find(",status")), "case,method,grip,bodies/ball/velocity/0");
  write("rows.csv", "grip, up\n0.1\n");
  EXPECT_THROW(study("scene: ball.yaml\ntable: rows.csv\n"), SceneError);
}

TEST_F(Sweep, RefusesWhatSaysNothing) {
  EXPECT_EQ(faults("scene: a.yaml\nvary: {x: {uniform: [0, 1]}}\n"),
            "study.yaml:1:1: something is drawn, so the study needs 'runs': how many draws");
  EXPECT_EQ(faults("scene: a.yaml\nvary: {x: {uniform: [2, 1]}}\nruns: 3\n"),
            "study.yaml:2:21: the first number of uniform must be below the second");
  EXPECT_EQ(faults("scene: a.yaml\nvary: {x: [1]}\nruns: 3\n"),
            "study.yaml:3:1: runs is for numbers that are drawn, and none is; remove it");
  EXPECT_NE(faults("scene: a.yaml\nvary: {x: {from: 1, to: 2}}\n").find("count"), std::string::npos);
  EXPECT_NE(faults("scene: a.yaml\nvary: {x: {values: [1], normal: [0, 1]}}\n").find("both values and normal"),
            std::string::npos);
  EXPECT_NE(faults("scene: a.yaml\n").find("needs something that differs"), std::string::npos);
  EXPECT_NE(faults("scene: a.yaml\nmethods: [semi-explicit/plas]\n").find("did you mean 'plus'?"), std::string::npos);
  write_scene();
  EXPECT_THROW(sweep(study("scene: ball.yaml\nvary: {gripp: [1]}\n"), options("x.journal")), Error);
}

}  // namespace
}  // namespace carom::sweep_test
