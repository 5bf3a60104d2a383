#include "inspect_drives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

/// A drive or a prescribed motion, in the words of scene files.
struct Listed {
  std::string name, type;
  std::vector<CoordinateShare> shares;
  bool is_angle = true;  ///< all that it drives are angles
  double value = 0;      ///< at the start: rad or m, of a force N m or N
  double stiffness = 0, damping = 0, limit = 0;
};

bool is_angle_of(const ImportedModel& model, const CoordinateShare& share) {
  const auto& joint = model.links[static_cast<std::size_t>(share.body)].joint;
  return joint && is_angle(*joint, share.coordinate);
}

std::vector<Listed> listed(const ImportedModel& model) {
  std::vector<Listed> all;
  for (const Drive& drive : model.drives) {
    Listed one{
        drive.name, drive.kind == DriveKind::servo ? "servo" : "force", {{drive.body, drive.coordinate, drive.ratio}}};
    one.shares.insert(one.shares.end(), drive.others.begin(), drive.others.end());
    one.value = drive.value.at(0);
    one.stiffness = drive.stiffness;
    one.damping = drive.damping;
    one.limit = drive.limit;
    all.push_back(std::move(one));
  }
  for (const Constraint& constraint : model.constraints) {
    if (constraint.kind != ConstraintKind::motion) continue;
    Listed one{constraint.name, "motion", {{constraint.body_a, constraint.coordinate_a, 1}}};
    one.value = constraint.target.at(0);
    all.push_back(std::move(one));
  }
  for (Listed& one : all) {
    one.is_angle = std::all_of(one.shares.begin(), one.shares.end(),
                               [&](const CoordinateShare& share) { return is_angle_of(model, share); });
  }
  return all;
}

/// The joint's name; of its second coordinate and the next with their number, as in scene files.
std::string coordinate_name(const ImportedModel& model, const CoordinateShare& share) {
  const auto& joint = model.links[static_cast<std::size_t>(share.body)].joint;
  return (joint ? joint->name : "") + (share.coordinate > 0 ? fmt::format(".{}", share.coordinate + 1) : "");
}

/// "knee", or of several "0.5 knee + 2 hip".
std::string driven_text(const ImportedModel& model, const Listed& one) {
  if (one.shares.size() == 1 && one.shares.front().ratio == 1) return coordinate_name(model, one.shares.front());
  std::string text;
  for (const CoordinateShare& share : one.shares) {
    const bool first = text.empty();
    const double shown = first ? share.ratio : std::abs(share.ratio);
    text += fmt::format("{}{:.4g} {}",
                        first             ? ""
                        : share.ratio < 0 ? " - "
                                          : " + ",
                        shown, coordinate_name(model, share));
  }
  return text;
}

}  // namespace

Json drives_json(const ImportedModel& model) {
  Json drives = Json::array();
  for (const Listed& one : listed(model)) {
    Json joints = Json::array();
    for (const CoordinateShare& share : one.shares) {
      joints.push_back({{"joint", coordinate_name(model, share)}, {"ratio", share.ratio}});
    }
    Json told = {{"name", one.name}, {"type", one.type}, {"joints", joints}};
    told[one.type == "force" ? "force" : "target"] = one.value;
    if (one.type == "servo") {
      told["stiffness"] = one.stiffness;
      told["damping"] = one.damping;
      told["limit"] = std::isfinite(one.limit) ? Json(one.limit) : Json();
    }
    told["unit"] = one.is_angle ? "rad" : "m";
    drives.push_back(std::move(told));
  }
  return drives;
}

std::vector<std::string> drive_lines(const ImportedModel& model) {
  std::vector<std::string> lines;
  for (const Listed& one : listed(model)) {
    const std::string unit = one.is_angle ? "rad" : "m", force = one.is_angle ? "N m" : "N";
    std::string line = fmt::format("{} {} on {}: ", one.type, one.name, driven_text(model, one));
    if (one.type == "force") line += fmt::format("{:.4g} {}", one.value, force);
    if (one.type == "motion") line += fmt::format("at {:.4g} {}", one.value, unit);
    if (one.type == "servo") {
      line += fmt::format("{:.4g} {}/{}, {:.4g} {} s/{}, towards {:.4g} {}", one.stiffness, force, unit, one.damping,
                          force, unit, one.value, unit);
      if (std::isfinite(one.limit)) line += fmt::format(", {:.4g} {} at most", one.limit, force);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace carom
