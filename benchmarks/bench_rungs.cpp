// The rungs of the ladder of contact solvers (carom/complementarity/solver_rung.h): how many solves enter each, and how
// many it wins. Prints the table of docs/notes/solver-ladder.md.
//
//     bench_rungs [--problems N] [--seconds S]
//
// Solves are counted by islands, over four groups: N random problems of the families (testing/problems) and what
// follows from them, the problem files in CAROM_DATA/friction_problems, walls and heaps, and all scenes below scenes/.
// A scene or heap is run for S seconds of the clock with either cone. So the counts depend on the machine, the table's
// shares hardly.

#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "benchmarks/carom_contacts.h"
#include "carom/complementarity/rung_counts.h"
#include "carom/error.h"
#include "carom/problem_files/siconos_file.h"
#include "carom/problem_files/solve_stored.h"
#include "carom/record/fclib.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"
#include "testing/problems/ladder_solves.h"

namespace {

namespace fs = std::filesystem;
using carom::FrictionCone;
using carom::RungCounts;

constexpr FrictionCone cones[] = {FrictionCone::exact, FrictionCone::polyhedral};
constexpr double loose = 1e-5;  // residual that is enough of contacts that move

struct Group {
  std::string name;
  RungCounts counts;
};

/// Steps until the scene's end or the time is up. False if the scene cannot be run so.
bool run(const carom::Scene& scene, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  const auto late = [end] { return Clock::now() > end; };
  try {
    carom::Simulation simulation(scene.model, scene.method, scene.initial);
    simulation.set_controller(scene.controller());
    simulation.set_stop(late);
    for (std::int64_t step = 0; step < scene.steps() && !late(); ++step) simulation.step();
  } catch (const carom::Stopped&) {  // the time was up within a step
  } catch (const carom::Error& error) {
    std::fprintf(stderr, "%s: %s\n", scene.name.c_str(), error.what());
    return false;
  }
  return true;
}

/// Mostly small problems, whose solves are quick and whose states are as odd as those of large ones. Of wedged and
/// jammed ones fewer, since those without a solution go up the whole ladder.
RungCounts families(int problems) {
  using carom::families::Family;
  carom::families::LadderSolves solves(24);
  carom::families::Random random(25);
  std::vector<Family> all(std::begin(carom::families::solvable), std::end(carom::families::solvable));
  for (int i = 0; i < problems; ++i) {
    const bool hard = i % 20 == 0;
    const Family family = hard ? carom::families::hard[i / 20 % 2] : all[static_cast<std::size_t>(i) % all.size()];
    const int most = hard ? 8 : i % 20 == 1 ? 40 : 10;
    solves.solve(family, random.integer(1, most));
  }
  solves.solve_product(401);
  return solves.counts();
}

std::vector<fs::path> sorted_files(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// A file's contact problem with either cone and with two tolerances; nothing of files that have none.
void solve_file(const fs::path& path, RungCounts& counts) {
  try {
    carom::StoredProblem stored;
    if (carom::is_problem_file(path)) {
      stored = carom::read_problem(path);
    } else {
      const carom::TextProblem problem = carom::read_siconos(path);
      if (!std::holds_alternative<carom::StoredProblem>(problem)) return;
      stored = std::get<carom::StoredProblem>(problem);
    }
    for (const FrictionCone cone : cones) {
      for (const double enough : {0.0, loose}) {
        carom::ContactOptions options;
        options.cone = cone;
        options.enough = enough;
        options.rungs = &counts;
        const carom::StoredSolution cold = solve_stored(stored, options, {});
        static_cast<void>(solve_stored(stored, options, cold.impulse));
      }
    }
  } catch (const carom::Error& error) {
    std::fprintf(stderr, "%s: %s\n", path.filename().c_str(), error.what());
  }
}

RungCounts files(const fs::path& folder) {
  RungCounts counts;
  for (const fs::path& path : sorted_files(folder)) {
    const std::string end = path.extension();
    if (end == ".hdf5" || end == ".dat") solve_file(path, counts);
  }
  return counts;
}

RungCounts heaps(double seconds) {
  using carom::bench::ContactScene;
  RungCounts counts;
  for (const ContactScene& from : {carom::bench::wall(5, 5), carom::bench::wall(10, 10), carom::bench::heap(20),
                                   carom::bench::heap(100), carom::bench::heap(300), carom::bench::held_stack(5)}) {
    for (const FrictionCone cone : cones) {
      for (const double enough : {carom::strict_contact_tolerance, loose}) {
        carom::Scene scene;
        scene.name = from.name;
        scene.model = carom::bench::carom_model(from);
        scene.initial = carom::bench::carom_start(from);
        scene.duration = from.duration;
        scene.method.step = from.step;
        scene.method.cone = cone;
        scene.method.contact_tolerance = enough;
        scene.method.rungs = &counts;
        run(scene, seconds);
      }
    }
  }
  return counts;
}

RungCounts scenes(double seconds) {
  RungCounts counts;
  int taken = 0;
  for (const std::string& path : carom::shipped_scenes()) {
    for (const FrictionCone cone : cones) {
      try {
        carom::SceneOverrides overrides;
        overrides.cone = cone;
        carom::Scene scene = carom::load_scene(path, overrides);
        scene.method.rungs = &counts;
        taken += run(scene, seconds) ? 1 : 0;
      } catch (const carom::Error& error) {  // a stepper without a choice of cones
        std::fprintf(stderr, "%s: %s\n", path.c_str(), error.what());
      }
    }
  }
  std::fprintf(stderr, "%d runs of scenes\n", taken);
  return counts;
}

void print(const std::vector<Group>& groups) {
  RungCounts sum;
  for (const Group& group : groups) sum.add(group.counts);
  std::printf("| rung | what it does | entered | won | share |");
  for (const Group& group : groups) std::printf(" %s |", group.name.c_str());
  std::printf("\n| --- | --- | --- | --- | --- |");
  for (std::size_t i = 0; i < groups.size(); ++i) std::printf(" --- |");
  std::printf("\n");
  for (const carom::SolverRungEntry& entry : carom::solver_rungs()) {
    const auto won = sum.won_by(entry.rung);
    std::printf("| %s | %s | %lld | %lld | %.1e |", entry.name.data(), entry.sentence.data(),
                static_cast<long long>(sum.entered_by(entry.rung)), static_cast<long long>(won),
                static_cast<double>(won) / static_cast<double>(sum.solves));
    for (const Group& group : groups) std::printf(" %lld |", static_cast<long long>(group.counts.won_by(entry.rung)));
    std::printf("\n");
  }
  for (const bool answered : {false, true}) {
    const auto number = [answered](const RungCounts& of) {
      return static_cast<long long>(answered ? of.answered : of.solves);
    };
    std::printf("| %s | | | %lld | |", answered ? "*answered*" : "*all solves*", number(sum));
    for (const Group& group : groups) std::printf(" %lld |", number(group.counts));
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  int problems = 40000;
  double seconds = 2;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--problems" && i + 1 < argc) {
      problems = std::atoi(argv[++i]);
    } else if (word == "--seconds" && i + 1 < argc) {
      seconds = std::atof(argv[++i]);
    } else {
      std::fprintf(stderr, "bench_rungs [--problems N] [--seconds S]\n");
      return 2;
    }
  }
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  std::vector<Group> groups = {{"families", families(problems)}};
  groups.push_back({"files", files(carom::data_folder() / "friction_problems")});
  groups.push_back({"heaps", heaps(seconds)});
  groups.push_back({"scenes", scenes(seconds)});
  print(groups);
  return 0;
}
