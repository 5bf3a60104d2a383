#pragma once

#include <filesystem>
#include <string>

namespace carom {

/// The folder of the clone that this program was built from.
std::string source_folder();

/// The folder of measured data and model files that no clone holds: the environment's CAROM_DATA, or shared/data beside
/// the clone. It may not exist; a test that needs it is then skipped.
std::filesystem::path data_folder();

}  // namespace carom
