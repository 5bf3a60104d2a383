#pragma once

#include <optional>
#include <string>

namespace carom {

/// The scene that a record was made from.
struct RecordedFile {
  std::string file;  ///< scene or model file as its command named it; empty for a model that a program built
  std::string text;  ///< empty for such a model
};

/// Records of other formats are read, too. None if the path holds no record, or a damaged one.
std::optional<RecordedFile> recorded_file(const std::string& path);

}  // namespace carom
