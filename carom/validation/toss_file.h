#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carom/spatial/types.h"

namespace carom {

/// Pose of a tracked body in one frame.
struct Pose {
  Vec3 position = Vec3::Zero();                       ///< of its centre, board frame (z up), m
  Quaternion orientation = Quaternion(1.0, 0, 0, 0);  ///< body to board, unit length
};

/// One throw as it was tracked: a pose per frame.
struct Toss {
  std::int64_t number = 0;  ///< of the source's file
  std::vector<Pose> poses;
  int flight = 0;  ///< leading frames that are known to be in flight; 0: as the protocol decides
};

/// Reads measured tosses from HDF5. Layout, with F frames of K tosses one after the other:
///
///   dataset   | shape   | meaning
///   /state    | (F, 13) | x y z (m), qw qx qy qz, and six velocities, which are not used; F ≥ 1
///   /offsets  | (K + 1) | toss k is rows offsets[k] to offsets[k + 1] − 1; ascending from 0 to F
///   /toss_id  | (K)     | number of the toss in its source
///
/// /state is of any floating-point type, the others of any integer type. Other datasets and attributes are left alone.
/// Quaternions must have length 1 within 1e-6 and are then made exact. Throws Error that names the file, the dataset
/// and what would be right. Faults: the file is no HDF5, a dataset is missing or has another shape or type, a value is
/// not finite, offsets are unordered.
std::vector<Toss> read_tosses(const std::string& path);

}  // namespace carom
