// Impact laws beside the compliant impact that they stand in for, on the mechanisms of paper PLUS.
//
//     bench_impacts        or with options of Google Benchmark
//
// An impact is timed from A and u to impulse and velocity. The preceding kinematics, contacts, factors and A are timed
// apart as `assembly`. The compliant impact gets the coarsest sufficient accuracy, which is searched for before any
// timing. With it and all finer accuracies for a decade, velocities after the impact are within 1 % or 1e-5 of a fine
// run's. The error is relative to the largest velocity before. Its stiffness is that of 10 GPa. The run fails if 0.01
// or 100 GPa take other numbers of evaluations, since stiffness only scales time.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/impact_cases.h"
#include "benchmarks/impact_peer.h"
#include "benchmarks/median_reporter.h"
#include "carom/contact/contact_finder.h"
#include "carom/dynamics/recursions.h"
#include "carom/impact/compliant_impact.h"
#include "carom/impact/lzb.h"
#include "carom/impact/newton_impact.h"
#include "carom/impact/plastic.h"
#include "carom/impact/plus.h"
#include "carom/impact/poisson_impact.h"
#include "carom/impact/stronge.h"
#include "testing/folders.h"

namespace {

using carom::CompliantImpact;
using carom::CompliantIntegrator;
using carom::CompliantOptions;
using carom::CompliantOutcome;
using carom::VectorX;
using carom::bench::ImpactCase;

struct Integrator {
  const char* name;
  CompliantIntegrator rule;
  bool extrapolate;
};
constexpr Integrator integrators[] = {
    {"runge_kutta_merson", CompliantIntegrator::runge_kutta_merson, false},
    {"semi_explicit_euler", CompliantIntegrator::semi_explicit_euler, true},
    {"implicit_euler", CompliantIntegrator::implicit_euler, true},
    {"semi_explicit_euler, first order", CompliantIntegrator::semi_explicit_euler, false},
    {"implicit_euler, first order", CompliantIntegrator::implicit_euler, false},
};
constexpr double targets[] = {1e-2, 1e-5};

/// Rules of first order would take 10⁵ steps and more for 1e-5.
bool is_timed(const Integrator& integrator, double target) {
  return target > 1e-3 || integrator.extrapolate || integrator.rule == CompliantIntegrator::runge_kutta_merson;
}

CompliantOptions options_of(const ImpactCase& one, const Integrator& integrator, double accuracy) {
  CompliantOptions options;
  options.dissipation = one.dissipation;
  options.integrator = integrator.rule;
  options.extrapolate = integrator.extrapolate;
  options.accuracy = accuracy;
  return options;
}

struct Blown {
  CompliantOutcome outcome;
  VectorX velocity;
};

Blown impact_through(const ImpactCase& one, const CompliantOptions& options) {
  CompliantImpact law;
  VectorX impulse(one.impact.u().size());
  Blown blown{{}, VectorX(one.impact.u().size())};
  blown.outcome = law.solve(one.impact.problem(), options, impulse, blown.velocity);
  return blown;
}

/// The coarsest accuracy 10^(−k/8) that meets the target, as do all finer ones for a decade.
double accuracy_for(const ImpactCase& one, const Integrator& integrator, double target) {
  const VectorX exact = impact_through(one, options_of(one, integrators[0], 1e-11)).velocity;
  const double size = one.impact.u().cwiseAbs().maxCoeff();
  int good = 0;
  for (int k = 0;; ++k) {
    const double accuracy = std::pow(10, -k / 8.0);
    const VectorX velocity = impact_through(one, options_of(one, integrator, accuracy)).velocity;
    good = (velocity - exact).cwiseAbs().maxCoeff() <= target * size ? good + 1 : 0;
    if (good == 8) return std::pow(10, -(k - 7) / 8.0);
  }
}

/// True if stiffness changes the number of evaluations by more than 2 %.
bool stiffness_matters(ImpactCase& one) {
  bool matters = false;
  const double stiffness = one.surface.stiffness;
  for (const Integrator& integrator : integrators) {
    const CompliantOptions options = options_of(one, integrator, 1e-3);
    const int evaluations = impact_through(one, options).outcome.evaluations;
    for (const double factor : {1e-3, 10.0}) {  // 0.01 and 100 GPa
      carom::ImpactSurface surface = one.surface;
      surface.stiffness = factor * stiffness;
      one.impact.set_surface(surface);
      const int others = impact_through(one, options).outcome.evaluations;
      // Round-off of the steps' lengths may add or save a step.
      if (std::abs(others - evaluations) > 0.02 * evaluations) {
        std::printf("%s, %s: %d evaluations, %d at %g times the stiffness\n", one.name.c_str(), integrator.name,
                    evaluations, others, factor);
        matters = true;
      }
    }
    one.impact.set_surface(one.surface);
  }
  return matters;
}

template <typename Law, typename Options>
void time_law(benchmark::State& state, const ImpactCase& one, const Options& options) {
  Law law;
  VectorX impulse(one.impact.u().size()), velocity(one.impact.u().size());
  const carom::ImpactProblem problem = one.impact.problem();
  carom::ImpactOutcome outcome;
  for (auto _ : state) {
    outcome = law.solve(problem, options, impulse, velocity);
    benchmark::DoNotOptimize(velocity.data());
  }
  state.counters["steps"] = outcome.intervals;
  state.counters["resolved"] = outcome.status == carom::ImpactStatus::resolved ? 1 : 0;
}

void time_assembly(benchmark::State& state, const ImpactCase& one) {
  carom::MechanismImpact impact(one.model);
  for (auto _ : state) {
    impact.find(one.q, one.v, 1e-9);
    benchmark::DoNotOptimize(impact.A().data());
  }
}

/// From the state of the mechanism to its velocity after the impact.
void time_whole(benchmark::State& state, const ImpactCase& one) {
  carom::MechanismImpact impact(one.model);
  carom::PlusLaw law;
  VectorX impulse, velocity, v;
  for (auto _ : state) {
    impact.find(one.q, one.v, 1e-9);
    impact.set_surface(one.surface);
    impulse.resize(impact.u().size());
    velocity.resize(impact.u().size());
    const carom::ImpactOutcome outcome = law.solve(impact.problem(), {}, impulse, velocity);
    benchmark::DoNotOptimize(outcome.status);
    v = one.v;
    impact.add_response(impulse, v);
    benchmark::DoNotOptimize(v.data());
  }
}

void time_evaluation(benchmark::State& state, const ImpactCase& one) {
  carom::DynamicsWorkspace workspace(*one.model);
  carom::ContactFinder finder(*one.model);
  const VectorX forces = VectorX::Zero(one.v.size());
  VectorX vdot;
  for (auto _ : state) {
    forward_kinematics(*one.model, one.q, workspace);
    benchmark::DoNotOptimize(finder.find(*one.model, one.q, workspace.X_WB, 1e-9).data());
    forward_dynamics(*one.model, one.q, one.v, forces, workspace, vdot);
    benchmark::DoNotOptimize(vdot.data());
  }
}

benchmark::internal::Benchmark* repeat(benchmark::internal::Benchmark* timed) {
  return timed->Unit(benchmark::kMicrosecond)->MinTime(0.01)->Repetitions(11)->ReportAggregatesOnly();
}

template <typename Timed>
void add(const ImpactCase& one, const std::string& name, Timed timed) {
  repeat(benchmark::RegisterBenchmark((one.name + "/" + name).c_str(), timed));
}

std::string compliant_name(const Integrator& integrator, double target) {
  return std::string(integrator.name) + (target > 1e-3 ? " to 1 %" : " to 1e-5");
}

/// Evaluations of the compliant impacts, by the names that they are timed under.
using Evaluations = std::map<std::string, int>;

void register_laws(const ImpactCase& one, Evaluations& evaluations) {
  const auto law = [&]<typename Law>(const char* name, const auto& options) {
    add(one, name, [&one, options](benchmark::State& state) { time_law<Law>(state, one, options); });
  };
  add(one, "assembly", [&one](benchmark::State& state) { time_assembly(state, one); });
  add(one, "an evaluation with motion", [&one](benchmark::State& state) { time_evaluation(state, one); });
  add(one, "assembly, plus and response", [&one](benchmark::State& state) { time_whole(state, one); });
  law.template operator()<carom::PlusLaw>("plus", carom::PlusOptions{});
  law.template operator()<carom::PlusLaw>("plus, the paper's rule", carom::PlusOptions::paper());
  law.template operator()<carom::LzbLaw>("lzb", carom::LzbOptions{});
  law.template operator()<carom::StrongeLaw>("stronge", carom::StrongeOptions{});
  law.template operator()<carom::NewtonImpactLaw>("newton", carom::EndLawOptions{});
  law.template operator()<carom::PoissonImpactLaw>("poisson", carom::EndLawOptions{});
  law.template operator()<carom::PlasticLaw>("plastic", carom::EndLawOptions{});
  for (const double target : targets) {
    for (const Integrator& integrator : integrators) {
      if (!is_timed(integrator, target)) continue;
      const CompliantOptions options = options_of(one, integrator, accuracy_for(one, integrator, target));
      const CompliantOutcome outcome = impact_through(one, options).outcome;
      std::printf("%-10s %-42s accuracy %.1e, %5d steps, %6d evaluations\n", one.name.c_str(),
                  compliant_name(integrator, target).c_str(), options.accuracy, outcome.intervals, outcome.evaluations);
      evaluations[one.name + "/" + compliant_name(integrator, target)] = outcome.evaluations;
      law.template operator()<CompliantImpact>(compliant_name(integrator, target).c_str(), options);
    }
  }
}

#ifdef CAROM_HAS_SIMBODY
constexpr struct {
  const char* name;
  carom::bench::PeerIntegrator rule;
} peer_rules[] = {{"runge_kutta_merson", carom::bench::PeerIntegrator::runge_kutta_merson},
                  {"semi_explicit_euler", carom::bench::PeerIntegrator::semi_explicit_euler}};

/// Simbody's pendulum with the coarsest accuracy 10^(−k/4) that, as the next three, is within 1 % of a fine one.
void register_peer(const ImpactCase& pendulum, double gigapascals) {
  using carom::bench::CompliantPeer;
  using carom::bench::PeerImpact;
  const carom::bench::TouchingPendulum at{{pendulum.q[0], pendulum.q[1], pendulum.q[2]},
                                          {pendulum.v[0], pendulum.v[1], pendulum.v[2]}};
  const std::shared_ptr<CompliantPeer> peer =
      make_simbody_pendulum(at, pendulum.impact.block(0).friction.x(), gigapascals * 1e9);
  const PeerImpact exact = peer->run(peer_rules[0].rule, 1e-7);
  const double size = pendulum.impact.u().cwiseAbs().maxCoeff();
  for (const auto& peer_rule : peer_rules) {
    const carom::bench::PeerIntegrator rule = peer_rule.rule;
    int good = 0, k = 1;  // Simbody takes accuracies below 1
    for (; good < 4; ++k) {
      const PeerImpact impact = peer->run(rule, std::pow(10, -k / 4.0));
      const double error =
          std::max(std::abs(impact.horizontal - exact.horizontal), std::abs(impact.vertical - exact.vertical));
      good = error <= 0.01 * size ? good + 1 : 0;
    }
    const double accuracy = std::pow(10, -(k - 4) / 4.0);
    const std::string title =
        "Simbody's pendulum, " + std::string(peer_rule.name) + " to 1 %, GPa: " + std::to_string(gigapascals);
    benchmark::RegisterBenchmark(title.c_str(),
                                 [peer, rule, accuracy](benchmark::State& state) {
                                   int steps = 0;
                                   for (auto _ : state) {
                                     const PeerImpact impact = peer->run(rule, accuracy);
                                     state.SetIterationTime(impact.seconds);
                                     steps = impact.steps;
                                   }
                                   state.counters["steps"] = steps;
                                   state.counters["accuracy"] = accuracy;
                                 })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond)
        ->MinTime(0.01)
        ->Repetitions(11)
        ->ReportAggregatesOnly();
  }
}
#endif

using Medians = std::map<std::string, double>;

/// A line of times and of their ratios to those of `base`; `of` gives a case's time by its name, or a negative one.
template <typename Of>
void print_line(const std::vector<ImpactCase>& cases, const Medians& medians, const std::string& name,
                const std::string& base, Of of) {
  std::printf("%-52s", name.c_str());
  for (const ImpactCase& one : cases) {
    const auto plus = medians.find(one.name + "/" + base);
    const double own = of(one.name);
    if (own < 0 || plus == medians.end()) {
      std::printf(" | %8s %7s", "-", "-");
    } else {
      std::printf(" | %8.3g %7.3g", own, own / plus->second);
    }
  }
  std::printf("\n");
}

void print_table(const std::vector<ImpactCase>& cases, const Medians& medians, const Evaluations& evaluations) {
  const auto median = [&](const std::string& name) {
    const auto found = medians.find(name);
    return found == medians.end() ? -1 : found->second;
  };
  std::printf("\nmedians, us, and over those of plus (with motion: of `assembly, plus and response`)\n%-52s", "");
  for (const ImpactCase& one : cases) std::printf(" | %-16s", one.name.c_str());
  std::printf("\n");
  std::vector<std::string> names{"assembly",
                                 "an evaluation with motion",
                                 "assembly, plus and response",
                                 "plus",
                                 "plus, the paper's rule",
                                 "lzb",
                                 "stronge",
                                 "newton",
                                 "poisson",
                                 "plastic"};
  std::vector<std::string> compliant;
  for (const double target : targets) {
    for (const Integrator& integrator : integrators) {
      if (is_timed(integrator, target)) compliant.push_back(compliant_name(integrator, target));
    }
  }
  names.insert(names.end(), compliant.begin(), compliant.end());
  for (const std::string& name : names) {
    print_line(cases, medians, name, "plus", [&](const std::string& of) { return median(of + "/" + name); });
  }
  for (const std::string& name : compliant) {
    print_line(cases, medians, name + ", with motion", "assembly, plus and response", [&](const std::string& of) {
      return evaluations.at(of + "/" + name) * median(of + "/an evaluation with motion");
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<ImpactCase> cases = carom::bench::impact_cases(carom::source_folder() + "/scenes");
  bool matters = false;
  for (ImpactCase& one : cases) matters = stiffness_matters(one) || matters;
  if (matters) return 1;
  Evaluations evaluations;
  for (const ImpactCase& one : cases) register_laws(one, evaluations);
#ifdef CAROM_HAS_SIMBODY
  for (const double gigapascals : {0.01, 1.0, 10.0, 100.0}) register_peer(cases.front(), gigapascals);
#endif
  std::vector<char*> arguments(argv, argv + argc);
  std::string interleave = "--benchmark_enable_random_interleaving=true";
  arguments.insert(arguments.begin() + 1, interleave.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 1;
  carom::bench::MedianReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  print_table(cases, reporter.medians, evaluations);
  return 0;
}
