#include "carom/study/sampled_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "carom/stepper/finite_step.h"
#include "carom/stepper/simulation.h"
#include "carom/stop_signal.h"

namespace carom {
namespace {

using Clock = std::chrono::steady_clock;

bool is_on_joints(const ContactId& id) { return id.is_limit() || id.is_tendon(); }

/// The pair of a contact, and +1 if its impulse acts on the pair's second body.
std::pair<BodyPair, double> pair_of(const ContactId& id, int body_a, int body_b) {
  if (is_on_joints(id)) return {{body_a, body_a}, 1};
  return body_a > body_b ? std::pair{BodyPair{body_b, body_a}, 1.0} : std::pair{BodyPair{body_a, body_b}, -1.0};
}

/// Sums of impulses since the start, pair by pair.
class Impulses {
 public:
  void add(const StepReport& report) {
    // Those of impacts are in them.
    for (const ContactReport& contact : report.contacts) {
      if (contact.impulse.isZero(0)) continue;
      const auto [pair, sign] = pair_of(contact.id, contact.body_a, contact.body_b);
      Sum& sum = sums_[pair];
      sum.normal += contact.impulse.z();
      sum.world +=
          is_on_joints(contact.id) ? Vec3(0, 0, contact.impulse.z()) : Vec3(sign * (contact.R_WC * contact.impulse));
    }
  }

  /// Appends what they are now to the run's samples.
  void sample(SampledRun& run) const {
    const std::size_t count = run.times.size();
    for (const auto& [pair, sum] : sums_) {
      PairImpulse& impulse = run.impulses[pair];
      impulse.normal.resize(count - 1, 0);  // of pairs that had not touched before
      impulse.world.resize(count - 1, Vec3::Zero());
      impulse.normal.push_back(sum.normal);
      impulse.world.push_back(sum.world);
    }
  }

 private:
  struct Sum {
    double normal = 0;
    Vec3 world = Vec3::Zero();
  };
  std::map<BodyPair, Sum> sums_;
};

void take_sample(const Model& model, const State& state, double energy, const Impulses& impulses, SampledRun& run) {
  run.times.push_back(state.time);
  run.bodies.push_back(body_motions(model, state));
  run.energy.push_back(energy);
  impulses.sample(run);
}

void take_strikes(const StepReport& report, SampledRun& run) {
  for (const Event& event : report.events) {
    if (event.kind != EventKind::touch && event.kind != EventKind::impact) continue;
    run.strikes.push_back({event.time, pair_of(event.id, event.body_a, event.body_b).first});
  }
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

double contact_impulse(const SampledRun& run, std::size_t sample) {
  double sum = 0;
  for (const auto& [pair, impulse] : run.impulses) sum += pair[0] == pair[1] ? 0 : impulse.normal[sample];
  return sum;
}

SampledRun sample_run(const Scene& scene, const Sampling& sampling) {
  SampledRun run;
  run.method = scene.method;
  Simulation simulation(scene.model, scene.method, scene.initial);
  simulation.set_controller(scene.controller());
  const std::int64_t last = scene.steps();
  Impulses impulses;
  const Clock::time_point start = Clock::now();
  const auto give_up = [&] {
    run.trouble =
        fmt::format("given up after {:g} s of computing, at {:g} s", sampling.budget, simulation.state().time);
  };
  double step_seconds = 0;
  const auto is_stopped = [&] { return sampling.stop && sampling.stop(); };
  // Within steps too, but the budget not in the first, which gives the energy at the start.
  simulation.set_stop([&] { return is_stopped() || (!run.times.empty() && seconds_since(start) > sampling.budget); });
  for (std::int64_t i = 0; i < last; ++i) {
    const Clock::time_point before = Clock::now();
    const StepReport* taken = nullptr;
    if (is_stopped()) throw Stopped();
    try {
      taken = &simulation.step();
    } catch (const Stopped&) {
      if (is_stopped()) throw;
      give_up();
      break;
    }
    const StepReport& report = *taken;
    step_seconds += seconds_since(before);
    const State& state = simulation.state();
    if (i == 0) {
      // The first report has the energy at the start.
      const EnergyLedger& energy = report.energy;
      const double first = energy.kinetic + energy.potential - energy.kinetic_change - energy.potential_change;
      take_sample(*scene.model, scene.initial, first, impulses, run);
    }
    if (!is_finite(state, report)) {
      run.trouble = fmt::format("in step {} a number of the state or the energy was no longer finite", report.step);
      break;
    }
    impulses.add(report);
    take_strikes(report, run);
    if (sampling.record != nullptr) sampling.record->append(state, report);
    if ((i + 1) % sampling.every == 0 || i + 1 == last) {
      take_sample(*scene.model, state, report.energy.kinetic + report.energy.potential, impulses, run);
    }
    if (seconds_since(start) > sampling.budget && i + 1 < last) {
      give_up();
      break;
    }
  }
  run.certificate = simulation.certificate();
  run.seconds = step_seconds;
  return run;
}

}  // namespace carom
