#include "carom/import/imported_model.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

std::string told(const std::vector<ImportNote>& faults) {
  std::string text;
  for (const ImportNote& fault : faults) {
    if (!text.empty()) text += '\n';
    text += fault.file + ":";
    if (fault.line > 0) text += std::to_string(fault.line) + ":";
    text += " " + fault.text;
  }
  return text;
}

}  // namespace

ImportError::ImportError(std::vector<ImportNote> faults) : Error(told(faults)), faults_(std::move(faults)) {}

UnknownBase::UnknownBase(std::string name, std::vector<std::string> roots)
    : Error("there is no link \"" + name + "\" that hangs on nothing, to fix to the world"),
      name_(std::move(name)),
      roots_(std::move(roots)) {}

AppliedWrench wrench_of(const ImportedModel::Lift& lift, const Vec3& gravity) {
  AppliedWrench wrench;
  wrench.name = lift.name;
  wrench.body = lift.link;
  wrench.point = lift.point;
  wrench.force = -lift.mass * gravity;
  return wrench;
}

bool is_model_file(const std::string& path) {
  constexpr std::array endings = {".urdf", ".sdf", ".world", ".xml", ".mjcf"};
  return std::any_of(endings.begin(), endings.end(), [&](const std::string& ending) {
    return path.size() > ending.size() && path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
  });
}

}  // namespace carom
