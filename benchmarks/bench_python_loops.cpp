#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "benchmarks/guarded_calls.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"
#ifdef CAROM_HAS_MUJOCO
#include "testing/peers/mujoco.h"
#endif

// The loops of bench_python.py in C++. A line of input asks for one of them. The answer is its seconds of processor
// time in all threads, which a busy machine disturbs least. Both languages take turns, so any disturbance is the same
// for both.
//
//     box STEPS                       steps of a box at rest
//     humanoids STATES STEPS THREADS  a humanoid falls from so many starts
//     mujoco STEPS                    one of them in MuJoCo; no number where it was not found
namespace carom::bench {
namespace {

Scene scene_of(const std::string& file) { return load_scene(source_folder() + "/scenes/" + file); }

/// The starts differ in how fast joints turn; bench_python.py has the same formula.
State start_of(const Scene& scene, std::size_t number) {
  State state = scene.initial;
  for (Eigen::Index i = 6; i < state.v.size(); ++i) {
    state.v[i] = 0.1 * static_cast<double>((31 * number + 17 * static_cast<std::size_t>(i)) % 7);
  }
  return state;
}

class Box {
 public:
  Box() : scene_(scene_of("sliding_box.yaml")), simulation_(scene_.model, scene_.method, scene_.initial) {
    simulation_.run_until(scene_.duration);
  }
  double take(int steps) {
    const double start = processor_seconds();
    for (int i = 0; i < steps; ++i) simulation_.step();
    return processor_seconds() - start;
  }

 private:
  Scene scene_;
  Simulation simulation_;
};

double take_humanoids(std::size_t states, std::size_t steps, int threads) {
  static const Scene scene = scene_of("robots/humanoid_fall.yaml");
  const Eigen::Index nq = scene.model->position_count(), nv = scene.model->velocity_count();
  std::vector<State> starts;
  for (std::size_t i = 0; i < states; ++i) starts.push_back(start_of(scene, i));
  const double start = processor_seconds();
  const auto rows = static_cast<Eigen::Index>(states * steps);
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> q(rows, nq), v(rows, nv);
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, states, 1),
        [&](const auto& range) {
          for (std::size_t i = range.begin(); i < range.end(); ++i) {
            tbb::this_task_arena::isolate([&] {
              Simulation simulation(scene.model, scene.method, starts[i]);
              for (std::size_t k = 0; k < steps; ++k) {
                simulation.step();
                q.row(static_cast<Eigen::Index>(i * steps + k)) = simulation.state().q;
                v.row(static_cast<Eigen::Index>(i * steps + k)) = simulation.state().v;
              }
            });
          }
        },
        tbb::simple_partitioner());
  });
  return processor_seconds() - start;
}

#ifdef CAROM_HAS_MUJOCO
/// The scene's robot on a floor, from the keyframe that the scene starts with, by MuJoCo's own choice of solver.
double take_mujoco(int steps) {
  std::ifstream file(source_folder() + "/scenes/robots/humanoid.xml");
  std::string text(std::istreambuf_iterator<char>(file), {});
  // MuJoCo 2.2 does not take the limits of a file of today without being told to.
  text.insert(text.find("<compiler") + 9, " autolimits=\"true\"");
  text.insert(text.find("<worldbody>") + 11, "<geom type=\"plane\" size=\"0 0 1\"/>");
  const test::Mujoco mujoco(text);
  mujoco.m->opt.timestep = 1e-3;
  mj_resetDataKeyframe(mujoco.m, mujoco.d, 0);
  const double start = processor_seconds();
  for (int i = 0; i < steps; ++i) mj_step(mujoco.m, mujoco.d);
  return processor_seconds() - start;
}
#endif

void answer(const std::string& line) {
  static Box box;
  std::istringstream words(line);
  std::string kind;
  words >> kind;
  double seconds = std::numeric_limits<double>::quiet_NaN();
  if (kind == "box") {
    int steps = 0;
    words >> steps;
    seconds = box.take(steps);
  } else if (kind == "humanoids") {
    std::size_t states = 0, steps = 0;
    int threads = 0;
    words >> states >> steps >> threads;
    seconds = take_humanoids(states, steps, threads);
  } else if (kind == "mujoco") {
#ifdef CAROM_HAS_MUJOCO
    int steps = 0;
    words >> steps;
    seconds = take_mujoco(steps);
#endif
  }
  std::cout << seconds << std::endl;
}

}  // namespace
}  // namespace carom::bench

int main() {
  std::cout.precision(17);
  for (std::string line; std::getline(std::cin, line);) carom::bench::answer(line);
}
