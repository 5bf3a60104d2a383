#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/stepper/step_report.h"

namespace carom {

/// The numbers of a record, step by step and without a file: sensors, outputs (formulas), poses, loads of colliders and
/// joints, energies. Their names are those of the record's columns (docs/manual/record-format.md, `carom export
/// --list`). The numbers are those of a record with a frame for every step, bit for bit. Means are over the last step.
/// Extremes of outputs and sums of energies are over all steps since the start, which is where the object was made.
///
///   LiveColumns columns(scene);
///   … after each step: columns.add(simulation.state(), report);
///   columns.numbers("imu.angular_velocity"), columns.number("peak")
///
/// A step that is asked about, and any under a formula that looks back, costs as much as a frame of a record, O(bodies
/// + contacts + formulas); other steps cost a copy of state and report. A name costs a search among all; the first
/// one lists them. All members fill in what is behind, so that an object is one thread's.
class LiveColumns {
 public:
  /// From the scene's start, with its outputs. Throws SceneError where one of these is wrong.
  explicit LiveColumns(const Scene& scene);
  /// From `start`, with formulas over columns under names of their own, {name, formula}. Throws Error where one is
  /// wrong.
  LiveColumns(std::shared_ptr<const Model> model, const State& start,
              const std::vector<std::pair<std::string, std::string>>& outputs = {});
  LiveColumns(LiveColumns&&) noexcept;
  LiveColumns& operator=(LiveColumns&&) noexcept;
  ~LiveColumns();

  /// After every step, in order: the state that it led to, and its report.
  void add(const State& state, const StepReport& report);

  /// True if it is the name of one number.
  bool has(std::string_view name) const;
  /// Unit of one number; empty where it has none, as outputs do. Throws as number does.
  std::string unit(std::string_view name) const;
  /// One number: an output, "hip.rate", "imu.angular_velocity.x". NaN where a record has NaN, as means before the first
  /// step. Throws Error for a name that there is not, with the nearest one.
  double number(std::string_view name) const;
  /// The place of a name among names(), and the number there, for those who ask for the same ones step by step. Throws
  /// as number does.
  std::size_t place(std::string_view name) const;
  double number_at(std::size_t place) const;
  /// All outputs, in the order of OutputFormulas::names(); no search.
  VectorX outputs() const;
  /// The numbers that begin with a name, in the record's order: "imu.angular_velocity" has 3, "imu" all of the sensor.
  VectorX numbers(std::string_view name) const;
  /// All names, in the record's order.
  std::vector<std::string> names() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace carom
