#pragma once

#include <vector>

#include "carom/record/collider_loads.h"
#include "carom/record/hdf5_file.h"
#include "carom/record/joint_loads.h"
#include "carom/record/row_buffer.h"
#include "carom/record/sensor_readings.h"
#include "carom/record/world_motion.h"

namespace carom {

/// The outputs of a record's frames (RowsPer::output). Motion in the world is that of the frame's instant.
/// Accelerations and loads of colliders, joints and constraints are means since the frame before. An interval begins at
/// a frame that stays and ends at the next one.
class IntervalOutputs {
 public:
  /// The model must outlive it. `initial` begins the first interval.
  IntervalOutputs(const Model& model, const State& initial);

  /// The next interval begins at the state last observed.
  void begin();
  /// Adds a step from the state last observed to this one, which is then observed.
  void add(const State& state, const StepReport& report);
  /// The state that the next step starts at.
  void observe(const State& state);
  /// Appends a row to each output table, `buffers` being those of all tables.
  void push(std::vector<RowBuffer>& buffers) const;
  /// Takes up an interval that began at state `from` and has come to `now`, with the loads of the file's row `frame`.
  void resume(const State& from, const State& now, const Hdf5File& file, std::int64_t frame);

 private:
  /// Accelerations since the interval began, NaN where no time passed.
  VectorX mean_rate(const VectorX& now, const VectorX& before) const;

  struct Speeds {
    VectorX velocity, angular_velocity;
  };
  WorldObserver observer_;
  const WorldMotion* motion_ = nullptr;
  double time_ = 0, begin_time_ = 0;
  Speeds bodies_, frames_;  // at the interval's beginning
  ColliderLoads loads_;
  JointLoads joints_;
  SensorReadings sensors_;
};

}  // namespace carom
