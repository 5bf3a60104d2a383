#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "interrupt.h"

namespace carom {

/// A folder of its own for what is needed for a while, gone when this goes. A signal that ends the program takes it
/// along once it is empty.
class WorkFolder {
 public:
  WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder();
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
  std::optional<GoneOnSignal> on_signal_;
};

}  // namespace carom
