#include "carom/validation/toss_file.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/error.h"
#include "carom/validation/measured_file.h"

namespace carom {
namespace {

constexpr std::size_t columns = 13;
constexpr double unit_tolerance = 1e-6;

void check_offsets(const std::string& path, const std::vector<std::int64_t>& offsets, std::int64_t frames) {
  if (offsets.size() < 2) throw Error(path + ": dataset /offsets holds no toss; it must hold at least two numbers");
  if (offsets.front() != 0 || offsets.back() != frames) {
    throw Error(
        fmt::format("{}: dataset /offsets runs from {} to {}; it must run from 0 to {}, the number of rows of /state",
                    path, offsets.front(), offsets.back(), frames));
  }
  for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
    if (offsets[k] >= offsets[k + 1]) {
      throw Error(
          fmt::format("{}: dataset /offsets holds {} and then {} at index {}; its numbers must ascend, so that "
                      "every toss has a frame",
                      path, offsets[k], offsets[k + 1], k + 1));
    }
  }
}

Pose read_pose(const std::string& path, std::size_t row, const double* state) {
  for (std::size_t column = 0; column < 7; ++column) {
    if (std::isfinite(state[column])) continue;
    throw Error(fmt::format("{}: dataset /state, row {}, column {} is {}; it must be a finite number", path, row,
                            column, state[column]));
  }
  Pose pose{Vec3(state[0], state[1], state[2]), Quaternion(state[3], state[4], state[5], state[6])};
  const double norm = pose.orientation.norm();
  if (std::abs(norm - 1) > unit_tolerance) {
    throw Error(
        fmt::format("{}: dataset /state, row {}: the quaternion in columns 3 to 6 has length {:.9g}; it must be 1",
                    path, row, norm));
  }
  pose.orientation.coeffs() /= norm;
  return pose;
}

}  // namespace

std::vector<Toss> read_tosses(const std::string& path) {
  const MeasuredFile file(path, "/state, /offsets and /toss_id");
  const std::vector<double> state = file.reals({"/state", {0, columns}, "real numbers in the shape (frames, 13)"});
  const auto offsets = file.integers({"/offsets", {0}, "integers in the shape (tosses + 1)"});
  check_offsets(path, offsets, static_cast<std::int64_t>(state.size() / columns));
  const std::size_t count = offsets.size() - 1;
  const auto numbers =
      file.integers({"/toss_id", {count}, fmt::format("an integer for each of the {} tosses of /offsets", count)});
  std::vector<Toss> tosses(count);
  for (std::size_t k = 0; k < count; ++k) {
    tosses[k].number = numbers[k];
    for (auto row = static_cast<std::size_t>(offsets[k]); row < static_cast<std::size_t>(offsets[k + 1]); ++row) {
      tosses[k].poses.push_back(read_pose(path, row, &state[row * columns]));
    }
  }
  return tosses;
}

}  // namespace carom
