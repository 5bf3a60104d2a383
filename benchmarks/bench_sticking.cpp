// Things that friction must hold still, beside Debian's Bullet, ODE, MuJoCo and DART in one run: how fast do they
// creep?
//
//     bench_sticking [SECONDS]      simulated time of each scene, 60 by default
//
// A brick and a stack of five are on a ramp of slope 0.25 with friction 0.5. A capsule hangs between two pads that
// press with 54 times its weight in friction (scenes/stick/pinched_capsule.xml, the same file in Carom and in MuJoCo).
// Steps are 1 ms; settings are each program's defaults (contact_peer.h). Creep is the largest distance between a body's
// places after the first tenth of the time and at the end, over the time between. Friction that is a smooth function of
// the slip creeps under any load. If it fades out below a slip of ε, the creep is u = W ε / (μ N).

#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/contact_peer.h"
#include "carom/dynamics/recursions.h"
#include "carom/scene/model_scene.h"
#include "carom/scene/scene.h"
#include "carom/scene/scene_text.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"
#ifdef CAROM_HAS_MUJOCO
#include "testing/peers/mujoco.h"
#endif

namespace {

using carom::Vec3;

double farthest(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  double largest = 0;
  for (std::size_t i = 0; i < from.size(); ++i) largest = std::max(largest, (to[i] - from[i]).norm());
  return largest;
}

struct Creep {
  double speed = 0;    ///< m/s
  double settled = 0;  ///< way in the first tenth, m
};

/// The largest of any of the places, of a motion by `step` in steps of `length`.
Creep creep(double seconds, double length, const std::function<void()>& step,
            const std::function<std::vector<Vec3>()>& places) {
  const int steps = static_cast<int>(std::lround(seconds / length)), first = steps / 10;
  const std::vector<Vec3> start = places();
  for (int i = 0; i < first; ++i) step();
  const std::vector<Vec3> before = places();
  for (int i = first; i < steps; ++i) step();
  return {farthest(before, places()) / ((steps - first) * length), farthest(start, before)};
}

void print(const std::string& program, const Creep& of) {
  std::printf("  %-28s %10.2g um/s %10.2g mm\n", program.c_str(), 1e6 * of.speed, 1e3 * of.settled);
}

void print_peers(carom::bench::ContactScene scene, double seconds) {
  std::printf("\n%s\n", scene.name.c_str());
  for (const carom::bench::ContactPeerKind& kind : carom::bench::contact_peers()) {
    const auto peer = kind.make(scene);
    const auto places = [&] {
      std::vector<Vec3> all;
      for (std::size_t i = 0; i < scene.bodies.size(); ++i) all.push_back(peer->pose(static_cast<int>(i)).p);
      return all;
    };
    print(kind.name, creep(
                         seconds, scene.step, [&] { peer->step(); }, places));
  }
}

void print_pinched_capsule(double seconds) {
  std::printf("\npinched capsule\n");
  const std::string path = carom::source_folder() + "/scenes/stick/pinched_capsule.xml";
  for (const char* cone : {"exact", "polyhedral"}) {
    carom::SceneOverrides overrides;
    overrides.cone = carom::parse_cone(cone);
    carom::ModelPlacement placement;
    placement.keyframe = "pressed";
    placement.ground = false;
    const carom::Scene scene =
        carom::parse_scene(carom::scene_of_model(path, carom::placed_as_file_says(path, placement)), path, overrides);
    carom::Simulation simulation(scene.model, scene.method, scene.initial);
    const auto places = [&] {
      const auto& q = simulation.state().q;
      return std::vector<Vec3>{q.tail<3>()};
    };
    print(std::string("Carom, ") + cone, creep(
                                             seconds, scene.method.step, [&] { simulation.step(); }, places));
  }
#ifdef CAROM_HAS_MUJOCO
  for (const double ratio : {10.0, 1.0}) {
    carom::test::Mujoco mujoco(carom::read_scene_text(path));
    mujoco.m->opt.impratio = ratio;
    mj_resetDataKeyframe(mujoco.m, mujoco.d, 0);
    const auto places = [&] {
      const mjtNum* q = mujoco.d->qpos + mujoco.m->nq - 7;
      return std::vector<Vec3>{Vec3(q[0], q[1], q[2])};
    };
    print("MuJoCo elliptic, impratio " + std::to_string(static_cast<int>(ratio)),
          creep(
              seconds, mujoco.m->opt.timestep, [&] { mj_step(mujoco.m, mujoco.d); }, places));
  }
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
  if (!(seconds > 0)) {
    std::fprintf(stderr, "bench_sticking [SECONDS]: seconds must be a number above 0\n");
    return 2;
  }
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  std::printf("creep over %g s, steps of 1 ms\n", seconds);
  print_peers(carom::bench::held_stack(1), seconds);
  print_peers(carom::bench::held_stack(5), seconds);
  print_pinched_capsule(seconds);
  return 0;
}
