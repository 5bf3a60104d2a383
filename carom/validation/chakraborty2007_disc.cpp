// Paper QR, example 1 (figures 4 and 5): a disc falls onto a layer without damping.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/study/fitted_order.h"
#include "carom/validation/chakraborty2007_examples.h"

namespace carom::chakraborty2007 {
namespace {

/// On the layer x″ = g − ω² x with x(0) = 0: the depth at the time t after touching.
struct Dive {
  double omega, speed, gravity;
  double depth(double t) const {
    return gravity / (omega * omega) * (1 - std::cos(omega * t)) + speed / omega * std::sin(omega * t);
  }
  /// When it is reached first, by bisection on the way down.
  double time_of(double depth_wanted) const {
    double early = 0, late = std::atan2(speed, -gravity / omega) / omega;  // x′ = g sin(ω t)/ω + s cos(ω t) = 0
    for (int step = 0; step < 60; ++step) {
      const double middle = 0.5 * (early + late);
      (depth(middle) < depth_wanted ? early : late) = middle;
    }
    return late;
  }
};

/// When the centre passes a height, between two samples by their chord.
double crossing(const std::vector<Sample>& samples, double height) {
  for (std::size_t k = 1; k < samples.size(); ++k) {
    const double before = samples[k - 1].position.z(), after = samples[k].position.z();
    if (after <= height)
      return samples[k - 1].time + (before - height) / (before - after) * (samples[k].time - samples[k - 1].time);
  }
  return 0;
}

FallByHand hand_of(const Scene& scene) {
  FallByHand hand;
  hand.h = scene.method.step;
  hand.setting = setting_of(scene);
  hand.lowest = hand.setting.semi_axes.z();
  hand.y = scene.initial.q[6];
  return hand;
}

/// Largest differences of a run and the steps by hand.
struct Apart {
  double height = 0, speed = 0, impulse = 0, deflection = 0;
  int core_steps = 0, first_cores = 0;  ///< of the run: steps with the core's part; those of the first time it is met
  double core = 0;                      ///< greatest p_nr of the run, N s
};
Apart compare(const Scene& scene, const std::vector<Sample>& samples) {
  FallByHand hand = hand_of(scene);
  Apart apart;
  bool left = false;
  const Setting& s = hand.setting;
  for (std::size_t k = 1; k < samples.size(); ++k) {
    hand.step();
    const Sample& at = samples[k];
    apart.height = std::max(apart.height, std::abs(at.position.z() - hand.y));
    apart.speed = std::max(apart.speed, std::abs(at.velocity.z() - hand.v));
    apart.impulse = std::max(apart.impulse, std::abs(at.impulse - hand.layer - hand.core));
    apart.deflection = std::max(apart.deflection, std::abs(at.deflection - hand.deflection));
    const double spring =
        hand.h * s.stiffness * at.deflection + s.damping * (at.deflection - samples[k - 1].deflection);
    const double core = at.impulse - spring;
    if (at.touches) apart.core = std::max(apart.core, core);
    const bool on_core = at.touches && core > 1e-7;
    apart.core_steps += on_core;
    left = left || (apart.core_steps > 0 && !on_core);
    apart.first_cores += on_core && !left;
  }
  return apart;
}

void add_hand(const std::string& figure, const Apart& apart, Validation& validation) {
  const char* note = "every step beside the same written out by hand";
  auto& entries = validation.entries;
  entries.push_back(absolute_entry(source, figure, "height, largest difference (m)", 0, apart.height, 1e-8, note));
  entries.push_back(absolute_entry(source, figure, "speed, largest difference (m/s)", 0, apart.speed, 1e-6, note));
  entries.push_back(absolute_entry(source, figure, "normal impulse, largest difference (N s)", 0, apart.impulse, 1e-6));
  entries.push_back(absolute_entry(source, figure, "deflection, largest difference (m)", 0, apart.deflection, 1e-8));
}

/// Times of touching and of reaching the core, and their orders in h.
void validate_times(const Scene& scene, Validation& validation) {
  const Setting setting = setting_of(scene);
  const double radius = setting.semi_axes.z(), touch = std::sqrt(2 * (setting.start - radius) / setting.gravity);
  const Dive dive{std::sqrt(setting.stiffness / setting.mass), setting.gravity * touch, setting.gravity};
  const double core = touch + dive.time_of(setting.thickness);
  std::vector<double> steps, early, late;
  for (const double h : {8e-4, 4e-4, 2e-4, 1e-4}) {
    const std::vector<Sample> samples = run(scene, h, 0.34);
    steps.push_back(h);
    const double touched = crossing(samples, radius);
    const double met = crossing(samples, radius - setting.thickness + 1e-9);
    early.push_back(std::abs(touched - touch));
    late.push_back(std::abs(met - core));
    if (h > 1e-4) continue;
    auto& entries = validation.entries;
    entries.push_back(
        absolute_entry(source, "figure 4", "layer touched (s)", touch, touched, 1.5e-4, "sqrt(2 s / g), to a step"));
    entries.push_back(absolute_entry(source, "figure 4", "core reached (s)", core, met, 1.5e-4, "of x'' = g - K x"));
    entries.push_back(from(Origin::printed, absolute_entry(source, "figure 4", "core reached, as its text has it (s)",
                                                           0.34, met, 0.005, "\"approximately 0.34 seconds\"")));
  }
  validation.entries.push_back(
      absolute_entry(source, "figure 4", "order in h of the time of touching", 1, fitted_order(steps, early), 0.05));
  validation.entries.push_back(
      absolute_entry(source, "figure 4", "order in h of the time at the core", 1, fitted_order(steps, late), 0.15));
}

/// Loss of backward Euler in a step in flight or on the layer, exactly; and its size as the paper has it.
void validate_losses(const std::string& figure, const Scene& scene, const std::vector<Sample>& samples,
                     Validation& validation) {
  const Setting setting = setting_of(scene);
  double apart = 0, greatest = 0, sum = 0;
  int count = 0;
  for (std::size_t k = 1; k < samples.size(); ++k) {
    const Sample &at = samples[k], &before = samples[k - 1];
    const double spring = scene.method.step * setting.stiffness * at.deflection;
    if (at.touches && at.impulse - spring > 1e-7) continue;  // the core takes what it takes
    if (at.touches != before.touches) continue;              // the spring acts for a part of the step alone
    const double dv = at.velocity.z() - before.velocity.z(), dd = at.deflection - before.deflection;
    const double expected = 0.5 * setting.mass * dv * dv + 0.5 * setting.stiffness * dd * dd;
    const double lost = before.energy - at.energy;
    apart = std::max(apart, std::abs(lost - expected));
    if (!at.touches) continue;
    greatest = std::max(greatest, lost);
    sum += lost;
    ++count;
  }
  auto& entries = validation.entries;
  entries.push_back(absolute_entry(source, figure, "loss of a step less that of backward Euler (J)", 0, apart, 1e-8,
                                   "m dv^2/2 + K d(delta)^2/2"));
  entries.push_back(from(Origin::printed,
                         absolute_entry(source, figure, "mean loss of a step on the layer, as a power of ten (J)", -5,
                                        std::log10(sum / std::max(count, 1)), 0.8, "\"on the order of 1e-5 J\"")));
  validation.text += fmt::format("  {}: a step on the layer loses {:.2e} J in the mean, {:.2e} J at most\n", figure,
                                 sum / std::max(count, 1), greatest);
}

void add_figure(const std::string& title, const std::vector<Sample>& samples, Validation& validation) {
  PlotSection& section = validation.figures.emplace_back();
  section.title = title;
  const auto plot = [&](const char* name, const char* unit, auto&& value) {
    Plot& added = section.plots.emplace_back();
    added.title = name;
    added.unit = unit;
    std::vector<double>& values = added.curves.emplace_back(name, std::vector<double>()).second;
    for (std::size_t k = 0; k < samples.size(); k += 10) {
      added.times.push_back(samples[k].time);
      values.push_back(value(samples[k]));
    }
  };
  plot("height of the centre", "m", [](const Sample& s) { return s.position.z(); });
  plot("velocity", "m/s", [](const Sample& s) { return s.velocity.z(); });
  plot("normal impulse of a step", "N s", [](const Sample& s) { return s.impulse; });
  plot("energy", "J", [](const Sample& s) { return s.energy; });
}

}  // namespace

void validate_disc(const ValidationOptions& options, Validation& validation) {
  const Scene core = scene_of(options, "disc_core"), layer = scene_of(options, "disc_layer");
  validate_times(core, validation);
  for (const auto& [figure, scene] : {std::pair{"figure 4", &core}, std::pair{"figure 5", &layer}}) {
    const std::vector<Sample> samples = run(*scene, scene->method.step, 1);
    const Apart apart = compare(*scene, samples);
    add_hand(figure, apart, validation);
    validate_losses(figure, *scene, samples, validation);
    add_figure(fmt::format("Disc on a layer: {}", figure), samples, validation);
    if (scene == &core) {
      validation.entries.push_back(absolute_entry(source, figure, "steps of the first meeting with the core", 2,
                                                  apart.first_cores, 0,
                                                  "the first lands on the core, the second stops the disc there"));
    } else {
      validation.entries.push_back(from(
          Origin::printed, absolute_entry(source, figure, "greatest impulse of the core (N s)", 0, apart.core, 1e-9,
                                          "\"no component of the normal force comes from impact with the core\"")));
    }
  }
}

}  // namespace carom::chakraborty2007
