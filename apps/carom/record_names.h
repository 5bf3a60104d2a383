#pragma once

#include <string>
#include <vector>

// Names of the files that commands write unless they are told others.
namespace carom {

/// STEM-PART-PART of a scene's file and of what the options change, so that variations do not overwrite one another.
/// Signs that a name can't have become _, and a long name ends in a number made of all of it.
std::string varied_name(const std::string& scene, const std::vector<std::string>& variation);

/// Throws Error if the file is there, and is no record or that of a run of another scene file than `scene`. A new
/// record would replace it. Where the recorded file is not to be found, the scene is known by its text.
void refuse_record_of_another(const std::string& record, const std::string& scene, const std::string& text);

/// Throws Error unless a file's name ends as HDF5 files' do. `what` is written, `option` names it.
void check_hdf5_name(const std::string& path, const std::string& what);

/// Throws Error where the last part of a path is longer than file systems take.
void check_name_length(const std::string& path);

}  // namespace carom
