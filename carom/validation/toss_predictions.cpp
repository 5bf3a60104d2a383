#include "carom/validation/toss_predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "carom/error.h"
#include "carom/record/hdf5_file.h"

namespace carom {
namespace {

TableShape pose_table() {
  return {.path = "/pose",
          .scalar = Scalar::real,
          .row = {7},
          .unit = "m, 1",
          .meaning = "pose of the tracked point in the board's frame, frame by frame, toss after toss",
          .columns = {"x", "y", "z", "qw", "qx", "qy", "qz"},
          .choices = {}};
}

TableShape integer_table(const std::string& path, const std::string& meaning) {
  TableShape shape;
  shape.path = path;
  shape.scalar = Scalar::integer;
  shape.unit = "1";
  shape.meaning = meaning;
  return shape;
}

TableShape offsets_table() {
  return integer_table("/offsets", "toss k is rows offsets[k] to offsets[k + 1] - 1 of /pose");
}
TableShape number_table() { return integer_table("/toss_id", "number of the toss in its source"); }

Pose read_pose(const std::string& path, std::size_t row, const double* values) {
  for (int column = 0; column < 7; ++column) {
    if (std::isfinite(values[column])) continue;
    throw Error(fmt::format("{}: dataset /pose, row {}, column {} is {}; it must be a finite number", path, row, column,
                            values[column]));
  }
  Pose pose{Vec3(values[0], values[1], values[2]), Quaternion(values[3], values[4], values[5], values[6])};
  const double norm = pose.orientation.norm();
  if (!(std::abs(norm - 1) < 1e-6)) {
    throw Error(
        fmt::format("{}: dataset /pose, row {}: the quaternion in columns 3 to 6 has length {:.9g}; it must be 1", path,
                    row, norm));
  }
  pose.orientation.coeffs() /= norm;
  return pose;
}

}  // namespace

void write_predictions(const TossPredictions& predictions, const std::string& path) {
  std::error_code absent;
  std::filesystem::remove(path, absent);
  Hdf5File file = Hdf5File::create(path);
  std::vector<double> poses;
  std::vector<std::int64_t> offsets{0}, numbers;
  for (const Toss& toss : predictions.tosses) {
    for (const Pose& pose : toss.poses) {
      const Quaternion& q = pose.orientation;
      const Vec3& p = pose.position;
      poses.insert(poses.end(), {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()});
    }
    offsets.push_back(static_cast<std::int64_t>(poses.size() / 7));
    numbers.push_back(toss.number);
  }
  file.write_rows(file.make_table(pose_table()), 0, poses.data(), offsets.back());
  file.write_rows(file.make_table(offsets_table()), 0, offsets.data(), static_cast<std::int64_t>(offsets.size()));
  file.write_rows(file.make_table(number_table()), 0, numbers.data(), static_cast<std::int64_t>(numbers.size()));
  file.set("/pose", "simulator", predictions.name);
}

TossPredictions read_predictions(const std::string& path) {
  if (!std::filesystem::exists(path)) throw Error(path + ": there is no such file");
  Hdf5File file = Hdf5File::open_for_reading(path);
  for (const char* name : {"/pose", "/offsets", "/toss_id"}) {
    if (file.has(name)) continue;
    throw Error(
        fmt::format("{}: there is no dataset {}; predictions of tosses have /pose, /offsets and /toss_id", path, name));
  }
  const int pose = file.open_table(pose_table()), offset = file.open_table(offsets_table()),
            number = file.open_table(number_table());
  const std::int64_t frames = file.rows(pose), count = file.rows(number);
  const std::vector<double> poses = file.read_reals(pose, 0, frames);
  const std::vector<std::int64_t> offsets = file.read_integers(offset, 0, file.rows(offset));
  const std::vector<std::int64_t> numbers = file.read_integers(number, 0, count);
  const bool whole = static_cast<std::int64_t>(offsets.size()) == count + 1 && offsets.front() == 0 &&
                     offsets.back() == frames && std::is_sorted(offsets.begin(), offsets.end());
  if (!whole) {
    throw Error(fmt::format("{}: dataset /offsets must hold {} ascending numbers from 0 to {}, the rows of /pose", path,
                            count + 1, frames));
  }
  TossPredictions predictions;
  predictions.name = file.text("/pose", "simulator");
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    Toss toss{.number = numbers[k], .poses = {}};
    for (auto row = static_cast<std::size_t>(offsets[k]); row < static_cast<std::size_t>(offsets[k + 1]); ++row) {
      toss.poses.push_back(read_pose(path, row, &poses[7 * row]));
    }
    predictions.tosses.push_back(std::move(toss));
  }
  return predictions;
}

std::vector<Pose> predicted_poses(const TossPredictions& predictions, const Toss& measured) {
  const auto found = std::find_if(predictions.tosses.begin(), predictions.tosses.end(),
                                  [&](const Toss& toss) { return toss.number == measured.number; });
  const std::size_t frames = measured.poses.size();
  if (found == predictions.tosses.end() || found->poses.size() < frames) {
    throw Error(fmt::format("the predictions of {} have {} frames of toss {}; it was measured for {}", predictions.name,
                            found == predictions.tosses.end() ? 0 : found->poses.size(), measured.number, frames));
  }
  return {found->poses.begin(), found->poses.begin() + static_cast<std::ptrdiff_t>(frames)};
}

}  // namespace carom
