#include "carom/validation/cassie_file.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/error.h"
#include "carom/validation/measured_file.h"

namespace carom {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr std::size_t joint_count = cassie_joints.size(), motor_count = cassie_motors.size();
constexpr std::size_t position_columns = 7 + joint_count, velocity_columns = 6 + joint_count;
constexpr std::size_t state_columns = position_columns + velocity_columns;

void check(const CassieLanding& landing, const std::string& path) {
  for (std::size_t i = 1; i < landing.times.size(); ++i) {
    if (landing.times[i] > landing.times[i - 1]) continue;
    throw Error(
        fmt::format("{}: /time of landing {} does not ascend at sample {}; every sample is later than the one before",
                    path, landing.number, i));
  }
  if (std::abs(landing.positions.row(0).head(4).norm() - 1) > 1e-6) {
    throw Error(fmt::format("{}: /state of landing {} does not begin with a unit quaternion", path, landing.number));
  }
}

}  // namespace

std::vector<CassieLanding> read_cassie_landings(const std::string& path) {
  const MeasuredFile file(path, "landings: /time, /state, /torque and /jump");
  const std::vector<std::int64_t> numbers = file.integers({"/jump", {0}, "the number of each landing"});
  const std::size_t count = numbers.size();
  if (count == 0) throw Error(path + ": /jump has no landing");
  const std::vector<double> times = file.finite_reals({"/time", {count, 0}, "the samples' times, s"});
  const std::size_t samples = times.size() / count;
  if (samples < 2) throw Error(path + ": /time has " + std::to_string(samples) + " samples; there must be two or more");
  const std::vector<double> states = file.finite_reals(
      {"/state", {count, samples, state_columns}, "pose of the pelvis, joint angles, and their rates, by sample"});
  const std::vector<double> torques =
      file.finite_reals({"/torque", {count, samples, motor_count}, "torques at the joints, N m, by sample"});
  std::vector<CassieLanding> landings;
  const auto rows = static_cast<Eigen::Index>(samples);
  for (std::size_t k = 0; k < count; ++k) {
    const Eigen::Map<const RowMajor> state(states.data() + k * samples * state_columns, rows, state_columns);
    CassieLanding landing;
    landing.number = numbers[k];
    const auto first = times.begin() + static_cast<std::ptrdiff_t>(k * samples);
    landing.times.assign(first, first + rows);
    for (double& time : landing.times) time -= *first;
    landing.positions = state.leftCols(position_columns);
    landing.velocities = state.rightCols(velocity_columns);
    landing.torques = Eigen::Map<const RowMajor>(torques.data() + k * samples * motor_count, rows, motor_count);
    check(landing, path);
    landings.push_back(std::move(landing));
  }
  return landings;
}

}  // namespace carom
