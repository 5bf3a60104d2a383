#include "carom/import/sdf_source.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "carom/spatial/rotation.h"

namespace carom {
namespace {

constexpr double degree = 3.14159265358979323846 / 180;

/// Roll about x, then pitch about y, then yaw about z, all of axes that stay.
Quaternion from_euler(const Vec3& angles) {
  return exponential(Vec3(0, 0, angles.z())) * exponential(Vec3(0, angles.y(), 0)) *
         exponential(Vec3(angles.x(), 0, 0));
}

}  // namespace

SdfSource::~SdfSource() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

SdfPlace SdfSource::place(const std::string& extract_path, int line) {
  SdfFile* file = &files.front();
  for (SdfFile& other : files) {
    if (!other.extract_path.empty() && other.extract_path == extract_path) file = &other;
  }
  if (line < 1 || line > static_cast<int>(file->by_line.size())) return {file, &file->root};
  return {file, file->by_line[line - 1]};
}

void SdfSource::raise() const {
  std::vector<ImportNote> all;
  std::set<std::tuple<std::string, int, std::string>> told;  // a file that is included twice has its faults once
  for (const SdfFile& file : files) {
    std::vector<ImportNote> faults = file.faults.faults();
    std::stable_sort(faults.begin(), faults.end(),
                     [](const ImportNote& a, const ImportNote& b) { return a.line < b.line; });
    for (ImportNote& fault : faults) {
      if (told.emplace(fault.file, fault.line, fault.text).second) all.push_back(std::move(fault));
    }
  }
  if (!all.empty()) throw ImportError(std::move(all));
}

void SdfSource::list_warnings(std::vector<ImportNote>& notes) const {
  for (const SdfFile& file : files) {
    notes.insert(notes.end(), file.faults.warnings().begin(), file.faults.warnings().end());
  }
}

void SdfSource::list_unused(std::vector<ImportNote>& notes) const {
  notes.insert(notes.end(), this->notes.begin(), this->notes.end());
  std::set<std::string> listed;
  for (const SdfFile& file : files) {
    if (listed.insert(file.path).second) list_unread(file.root, file.path, notes);
  }
}

SdfPlace first(const SdfPlace& place, const std::string& child) {
  if (!place.node) return {place.file, nullptr};
  XmlNode* found = nullptr;
  for (XmlNode& node : place.node->children) {
    if (node.name != child) continue;
    if (found)
      place.file->faults.add(node, "<" + place.node->name + "> has a second <" + child + ">; only one can hold");
    found = found ? found : &node;
  }
  if (found) found->take();
  return {place.file, found};
}

SdfPlace peek(const SdfPlace& place, const std::string& child) {
  if (!place.node) return place;
  for (XmlNode& node : place.node->children) {
    if (node.name == child) return {place.file, &node};
  }
  return {place.file, nullptr};
}

bool read_flag(const SdfPlace& place, const std::string& child, bool otherwise) {
  const SdfPlace flag = first(place, child);
  if (!flag.node) return otherwise;
  const std::string& text = flag.node->text;
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  flag.fault("<" + child + "> must be true or false, but is \"" + text.substr(0, 60) + "\"");
  return otherwise;
}

std::optional<double> read_number(const SdfPlace& place, const std::string& child) {
  const auto values = read_numbers(place, child, 1);
  if (!values) return {};
  return (*values)[0];
}

std::optional<VectorX> read_numbers(const SdfPlace& place, const std::string& child, int count) {
  const SdfPlace at = first(place, child);
  if (!at.node) return {};
  return at.file->faults.parse_numbers(*at.node, "<" + child + ">", at.node->text, count, count);
}

Transform read_pose(const SdfPlace& place) {
  const SdfPlace pose = first(place, "pose");
  if (!pose.node || pose.node->text.empty()) return {};
  const std::string* format = pose.node->attribute("rotation_format");
  const std::string* degrees = pose.node->attribute("degrees");
  const bool quaternion = format && *format == "quat_xyzw";
  if (format && !quaternion && *format != "euler_rpy") {
    pose.fault("rotation_format of <pose> must be euler_rpy or quat_xyzw, but is \"" + *format + "\"");
    return {};
  }
  const int count = quaternion ? 7 : 6;
  const auto values = pose.file->faults.parse_numbers(*pose.node, "<pose>", pose.node->text, count, count);
  if (!values) return {};
  if (quaternion) {
    const Quaternion q((*values)[6], (*values)[3], (*values)[4], (*values)[5]);
    if (q.norm() > 0) return {q.normalized().toRotationMatrix(), values->head<3>()};
    pose.fault("the quaternion of <pose> is zero; a rotation needs one of unit length");
    return {};
  }
  const bool in_degrees = degrees && (*degrees == "true" || *degrees == "1");
  const Vec3 angles = values->segment<3>(3) * (in_degrees ? degree : 1);
  return {from_euler(angles).normalized().toRotationMatrix(), values->head<3>()};
}

}  // namespace carom
