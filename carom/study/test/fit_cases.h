#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "carom/error.h"
#include "carom/study/fit.h"

// Motions are made by closed forms, in which Carom takes no part, with errors drawn from seeds.
namespace carom::fit_test {

namespace fs = std::filesystem;

inline constexpr double gravity = 9.81;

inline const char* const oscillator = R"(carom: 1
gravity: [0, 0, 0]
parameters: {mass: 2, stiffness: 30, damping: 0.5, at: 0.3, rate: 0}
bodies:
  - {name: cart, inertia: {mass: =mass, center: [0, 0, 0], moments: [1, 1, 1]}}
joints:
  - name: rail
    type: prismatic
    axis: [1, 0, 0]
    parent: world
    child: cart
    position: =at
    velocity: =rate
    spring: {stiffness: =stiffness, rest: 0}
    damping: =damping
method: {stepper: event-driven, law: plastic, step: 0.05}
duration: 3
)";

/// x of a damped oscillator from rest at 0.3 m.
inline double oscillation(double mass, double stiffness, double damping, double t) {
  const double decay = damping / (2 * mass), rate = std::sqrt(stiffness / mass - decay * decay);
  return 0.3 * std::exp(-decay * t) * (std::cos(rate * t) + decay / rate * std::sin(rate * t));
}

inline const char* const ball = R"(carom: 1
gravity: [0, 0, -9.81]
parameters: {restitution: 0.6, friction: 0.5, height: 0.8, speed: 2, spin: 0}
materials: [{name: m, friction: =friction, restitution: =restitution}]
world: {shapes: [{type: half-space, material: m}]}
bodies:
  - name: ball
    shapes: [{type: sphere, radius: 0.03, material: m}]
    density: 1000
    position: [0, 0, =height]
    velocity: [=speed, 0, 0]
    angular_velocity: [0, =spin, 0]
method: {stepper: event-driven, law: newton, step: 0.02, tolerance: 1.0e-8}
duration: 1
)";

struct Throw {
  double restitution = 0.75, friction = 0.35, height = 0.9, speed = 2, spin = 0;
};
struct Flown {
  double x, z;
};

/// A solid ball of radius 0.03: parabolas, Newton's restitution, Coulomb's friction at instants of impact.
inline Flown flown(const Throw& from, double time) {
  constexpr double radius = 0.03;
  double x = 0, z = from.height, speed = from.speed, rise = 0, spin = from.spin, t = 0;
  for (;;) {
    const double flight = (rise + std::sqrt(rise * rise + 2 * gravity * (z - radius))) / gravity;
    if (t + flight > time) break;
    x += speed * flight;
    z = radius;
    t += flight;
    const double fall = gravity * flight - rise, slip = speed - spin * radius;
    const double p =
        std::copysign(std::min(std::abs(slip) * 2 / 7, from.friction * (1 + from.restitution) * fall), slip);
    speed -= p;
    spin += 2.5 * p / radius;
    rise = from.restitution * fall;
  }
  const double since = time - t;
  return {x + speed * since, z + rise * since - 0.5 * gravity * since * since};
}

class Fit : public ::testing::Test {
 protected:
  Fit() { fs::create_directories(folder_); }
  ~Fit() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }

  FitStudy study(const std::string& text) const { return parse_fit_study(text, path("study.yaml")); }
  /// Runs the study with the data that lie there.
  FitResult run(const std::string& text, int threads = 0) const {
    const FitStudy asked = study(text);
    FitOptions options;
    options.threads = threads;
    return fit(asked, read_fit_data(asked.data), options);
  }
  /// The faults that a fit reports.
  std::string faults(const std::string& text) const {
    try {
      run(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  std::normal_distribution<double> unit_;

 private:
  fs::path folder_ = fs::temp_directory_path() / ("carom_fit_" + std::to_string(::getpid()));
};

inline const FittedNumber& number(const FitResult& result, const std::string& name) {
  return *std::find_if(result.numbers.begin(), result.numbers.end(),
                       [&](const FittedNumber& one) { return one.name == name; });
}

inline bool covers(const FittedNumber& one, double truth) { return one.low <= truth && truth <= one.high; }

/// Within twice the interval: four deviations, which one draw of noise does not leave; the last test counts the rest.
inline bool is_near(const FitResult& result, const std::string& name, double truth) {
  const FittedNumber& one = number(result, name);
  return one.value - 2 * (one.value - one.low) <= truth && truth <= one.value + 2 * (one.high - one.value);
}

inline std::string all_sentences(const FitResult& result) {
  std::string all;
  for (const std::string& sentence : result.sentences) all += sentence + "\n";
  return all;
}

/// A motion at even instants, which are ends of steps, with noise.
inline FitData made(const std::vector<std::function<double(double)>>& columns, const std::vector<std::string>& names,
                    double until, int count, double noise, std::uint64_t seed, const std::string& experiment = "") {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> unit;
  FitData data{"made.csv", names, {{experiment, {}, std::vector<std::vector<double>>(names.size())}}};
  MeasuredMotion& motion = data.motions.front();
  for (int i = 0; i < count; ++i) {
    const double t = until * (i + 1) / count;
    motion.times.push_back(t);
    for (std::size_t c = 0; c < columns.size(); ++c) motion.values[c].push_back(columns[c](t) + noise * unit(random));
  }
  return data;
}

inline const char* const oscillator_study = R"(scene: scene.yaml
data: none.csv
columns: {x: rail}
unknowns:
  stiffness: {bounds: [5, 200], scale: log}
  damping: {bounds: [0, 3]}
)";

inline FitData oscillations(std::uint64_t seed, double noise = 0.01) {
  return made({[](double t) { return oscillation(2, 41, 0.7, t); }}, {"x"}, 3, 60, noise, seed);
}

}  // namespace carom::fit_test
