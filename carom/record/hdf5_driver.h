#pragma once

#include <string>

#include "carom/record/hdf5_handles.h"

// The way on which HDF5 files that are written reach the disk.
namespace carom::hdf5 {

/// The first write that the system refused.
struct WriteFault {
  int error = 0;  ///< errno; 0 while all has been written
};

/// Gives files that are opened with `access` a driver of their own, which keeps what the disk no longer takes.
///
/// HDF5 1.10 can neither close nor give up a file that it can't write. The file stays open, and the library crashes at
/// the program's end. With this driver no write fails for the library. The first write that the system refuses is noted
/// in `fault`. This one and all later ones stay in memory until the file is closed, and are read back from there. The
/// writer must ask `fault`, and discard the file. `fault` must outlive the file.
void keep_unwritten(const Id& access, WriteFault& fault);

/// Throws OutputError if a write was refused.
void check_written(const std::string& path, const WriteFault& fault);

}  // namespace carom::hdf5
