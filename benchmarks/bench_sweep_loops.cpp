#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "benchmarks/guarded_calls.h"
#include "carom/error.h"
#include "carom/scene/scene.h"
#include "carom/scene/scene_text.h"
#include "carom/stepper/simulation.h"
#include "carom/study/sweep_cases.h"
#ifdef CAROM_HAS_MUJOCO
#include "testing/peers/mujoco.h"
#endif

// The simulations of a sweep without the sweep, for bench_sweep.py. A line of input asks for some cases of a study. The
// answer is the seconds of processor time in all threads. Scenes are read before the clock starts.
//
//     own STUDY COUNT THREADS      Carom's simulations of the first so many cases, made and stepped to their end
//     mujoco STUDY COUNT THREADS   the same throws of a cube in MuJoCo; no number where it was not found
namespace carom::bench {
namespace {

constexpr std::int64_t at_a_time = 200;  // scenes in memory

template <class Take>
void in_parallel(std::size_t count, int threads, const Take& take) {
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(
        std::size_t{0}, count, [&](std::size_t i) { tbb::this_task_arena::isolate([&] { take(i); }); },
        tbb::simple_partitioner());
  });
}

void simulate(const Scene& scene) {
  Simulation simulation(scene.model, scene.method, scene.initial);
  simulation.set_controller(scene.controller());
  while (simulation.state().step < scene.steps()) simulation.step();
}

/// The time that take(scenes) needs for all cases, a few at a time.
template <class Take>
double seconds_of(const std::string& file, std::int64_t count, const Take& take) {
  const SweepStudy study = load_sweep_study(file);
  const SweepCases cases(study, read_scene_text(study.scene));
  if (count > cases.count()) throw Error(file + " has " + std::to_string(cases.count()) + " cases only");
  double seconds = 0;
  for (std::int64_t begin = 0; begin < count; begin += at_a_time) {
    std::vector<Scene> scenes;
    for (std::int64_t i = begin; i < std::min(count, begin + at_a_time); ++i) {
      scenes.push_back(cases.source(cases.at(i)).scene());
    }
    const double start = processor_seconds();
    take(scenes);
    seconds += processor_seconds() - start;
  }
  return seconds;
}

double take_own(const std::string& study, std::int64_t count, int threads) {
  return seconds_of(study, count, [&](const std::vector<Scene>& scenes) {
    in_parallel(scenes.size(), threads, [&](std::size_t i) { simulate(scenes[i]); });
  });
}

#ifdef CAROM_HAS_MUJOCO
/// The cube of scenes/cube_toss.yaml on a plane.
std::string cube_of_mujoco(double step) {
  std::ostringstream text;
  text << "<mujoco><option timestep=\"" << step << "\" gravity=\"0 0 -9.81\"/><default><geom friction=\"0.18 0 0\"/>"
       << "</default><worldbody><geom type=\"plane\" size=\"0 0 1\"/><body><freejoint/><inertial pos=\"0 0 0\" "
          "mass=\"0.37\" "
       << "diaginertia=\"0.00081 0.00081 0.00081\"/><geom type=\"box\" size=\"0.0524 0.0524 "
          "0.0524\"/></body></worldbody>"
       << "</mujoco>";
  return text.str();
}

/// A scene's free cube as MuJoCo has it: place before quaternion, linear velocity (world axes) before angular (its
/// own).
void put(const State& state, const mjModel* m, mjData* d) {
  mj_resetData(m, d);
  const Eigen::Quaterniond turn(state.q[0], state.q[1], state.q[2], state.q[3]);
  Eigen::Map<VectorX> q(d->qpos, 7), v(d->qvel, 6);
  q << state.q.tail<3>(), state.q.head<4>();
  v << turn * state.v.tail<3>(), state.v.head<3>();
}

double take_mujoco(const std::string& study, std::int64_t count, int threads) {
  std::unique_ptr<test::Mujoco> mujoco;
  using Data = std::unique_ptr<mjData, decltype(&mj_deleteData)>;
  std::unique_ptr<tbb::enumerable_thread_specific<Data>> data;
  return seconds_of(study, count, [&](const std::vector<Scene>& scenes) {
    if (!mujoco) {
      mujoco = std::make_unique<test::Mujoco>(cube_of_mujoco(scenes.front().method.step));
      data = std::make_unique<tbb::enumerable_thread_specific<Data>>(
          [&] { return Data(mj_makeData(mujoco->m), &mj_deleteData); });
    }
    in_parallel(scenes.size(), threads, [&](std::size_t i) {
      mjData* d = data->local().get();
      put(scenes[i].initial, mujoco->m, d);
      for (std::int64_t k = 0; k < scenes[i].steps(); ++k) mj_step(mujoco->m, d);
    });
  });
}
#endif

double answer(const std::string& line) {
  std::istringstream words(line);
  std::string kind, study;
  std::int64_t count = 0;
  int threads = 0;
  words >> kind >> study >> count >> threads;
  if (kind == "own") return take_own(study, count, threads);
#ifdef CAROM_HAS_MUJOCO
  if (kind == "mujoco") return take_mujoco(study, count, threads);
#endif
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace
}  // namespace carom::bench

int main() {
  std::cout.precision(17);
  for (std::string line; std::getline(std::cin, line);) std::cout << carom::bench::answer(line) << std::endl;
}
