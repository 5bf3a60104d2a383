#pragma once

#include <string>
#include <vector>

#include "carom/validation/toss_file.h"

namespace carom {

/// A simulator's predictions of tosses: a pose for every frame, from frame 0 on.
struct TossPredictions {
  std::string name;  ///< of the simulator
  std::vector<Toss> tosses;
};

/// Writes or reads predictions as HDF5. Layout, with F frames of K tosses one after the other:
///
///   dataset   | shape   | meaning
///   /pose     | (F, 7)  | x y z (m), qw qx qy qz of the tracked point in the board's frame
///   /offsets  | (K + 1) | toss k is rows offsets[k] to offsets[k + 1] − 1
///   /toss_id  | (K)     | number of the toss in its source
///
/// and the attribute `simulator` of /pose. With all tosses of a file of measurements in their order and to their last
/// frames, rows are those of its /state. Writing replaces a file of that name. Both throw Error that names the file and
/// what would be right.
void write_predictions(const TossPredictions& predictions, const std::string& path);
TossPredictions read_predictions(const std::string& path);

/// The predicted poses of the measured toss, as many as it has frames. Throws Error if there are none or too few.
std::vector<Pose> predicted_poses(const TossPredictions& predictions, const Toss& measured);

}  // namespace carom
