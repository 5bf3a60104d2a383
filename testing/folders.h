#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace carom {

/// The folder of the clone that this program was built from.
std::string source_folder();

/// Paths of all scenes that Carom ships, in the order of their names; studies of scenes are none.
std::vector<std::string> shipped_scenes();

/// The folder of measured data and model files that no clone holds: the environment's CAROM_DATA, or shared/data beside
/// the clone. It may not exist; a test that needs it is then skipped.
std::filesystem::path data_folder();

}  // namespace carom
