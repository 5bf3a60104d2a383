#include "carom/record/interval_outputs.h"

#include <limits>

#include "carom/record/record_layout.h"

namespace carom {

IntervalOutputs::IntervalOutputs(const Model& model, const State& initial)
    : observer_(model), loads_(model), joints_(model), sensors_(model) {
  observe(initial);
  begin();
}

void IntervalOutputs::observe(const State& state) {
  motion_ = &observer_.observe(state);
  time_ = state.time;
  joints_.begin_step(observer_.workspace());
  sensors_.begin_step(observer_.workspace());
}

void IntervalOutputs::add(const State& state, const StepReport& report) {
  const double before = time_ - begin_time_, h = state.time - time_;
  loads_.add(report);
  motion_ = &observer_.observe(state);
  time_ = state.time;
  joints_.add(report, observer_.workspace(), before, h);
  sensors_.add(joints_, observer_.workspace(), before, h);
  sensors_.read_contacts(loads_, time_ - begin_time_);
}

void IntervalOutputs::begin() {
  begin_time_ = time_;
  bodies_ = {motion_->bodies.velocity, motion_->bodies.angular_velocity};
  frames_ = {motion_->frames.velocity, motion_->frames.angular_velocity};
  loads_.clear();
  joints_.clear();
  sensors_.clear();
  sensors_.begin_step(observer_.workspace());
}

VectorX IntervalOutputs::mean_rate(const VectorX& now, const VectorX& before) const {
  const double seconds = time_ - begin_time_;
  if (!(seconds > 0)) return VectorX::Constant(now.size(), std::numeric_limits<double>::quiet_NaN());
  return (now - before) / seconds;
}

void IntervalOutputs::push(std::vector<RowBuffer>& buffers) const {
  const auto row = [&](Table table, const VectorX& numbers) {
    buffers[static_cast<std::size_t>(table)].push(Eigen::Ref<const VectorX>(numbers));
  };
  const auto places = [&](Table first, const WorldMotion::Places& now, const Speeds& before) {
    const auto at = [first](int i) { return static_cast<Table>(static_cast<int>(first) + i); };
    row(at(0), now.position);
    row(at(1), now.orientation);
    row(at(2), now.velocity);
    row(at(3), now.angular_velocity);
    row(at(4), mean_rate(now.velocity, before.velocity));
    row(at(5), mean_rate(now.angular_velocity, before.angular_velocity));
  };
  places(Table::body_position, motion_->bodies, bodies_);
  places(Table::frame_position, motion_->frames, frames_);
  row(Table::mechanism_mass_centre, motion_->mass_centre);
  row(Table::mechanism_mass_centre_velocity, motion_->mass_centre_velocity);
  row(Table::mechanism_momentum, motion_->momentum);
  row(Table::mechanism_angular_momentum, motion_->angular_momentum);
  const double seconds = time_ - begin_time_;
  row(Table::collider_force, loads_.mean_force(seconds));
  row(Table::collider_moment, loads_.mean_moment(seconds));
  row(Table::collider_centre_of_pressure, loads_.centre_of_pressure);
  row(Table::collider_impulse, loads_.impulse);
  row(Table::collider_angular_impulse, loads_.angular_impulse);
  row(Table::collider_normal_impulse, loads_.normal_impulse);
  row(Table::joint_torque, joints_.sum());
  row(Table::joint_torque_by_source, joints_.torque);
  row(Table::joint_reaction_force, joints_.joint_force);
  row(Table::joint_reaction_moment, joints_.joint_moment);
  row(Table::constraint_reaction_force, joints_.constraint_force);
  row(Table::constraint_reaction_moment, joints_.constraint_moment);
  row(Table::sensors, sensors_.values);
}

void IntervalOutputs::resume(const State& from, const State& now, const Hdf5File& file, std::int64_t frame) {
  observe(from);
  begin();
  const auto read = [&](Table table, VectorX& numbers) {
    const std::vector<double> row = file.read_reals(static_cast<int>(table), frame, 1);
    numbers = Eigen::Map<const VectorX>(row.data(), static_cast<Eigen::Index>(row.size()));
  };
  read(Table::collider_impulse, loads_.impulse);
  read(Table::collider_angular_impulse, loads_.angular_impulse);
  read(Table::collider_normal_impulse, loads_.normal_impulse);
  read(Table::collider_centre_of_pressure, loads_.centre_of_pressure);
  read(Table::joint_torque_by_source, joints_.torque);
  read(Table::joint_reaction_force, joints_.joint_force);
  read(Table::joint_reaction_moment, joints_.joint_moment);
  read(Table::constraint_reaction_force, joints_.constraint_force);
  read(Table::constraint_reaction_moment, joints_.constraint_moment);
  read(Table::sensors, sensors_.values);
  observe(now);
}

}  // namespace carom
