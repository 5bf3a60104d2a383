#include "model_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace carom {
namespace {

bool moves_freely(const ImportedModel::Link& link) { return !link.joint || link.joint->type == JointType::free; }

bool lies_under_it(const Collider& collider) { return collider.body < 0 && is_ground(collider.shape); }

bool rebounds(const Material& material) {
  const auto* constant = std::get_if<ConstantRestitution>(&material.restitution);
  return !constant || constant->e != 0;
}

}  // namespace

std::vector<std::string> advice_for(const ImportedModel& model) {
  std::vector<std::string> advice;
  const auto& colliders = model.colliders;
  const bool floats = std::any_of(model.links.begin(), model.links.end(), moves_freely);
  if (model.links.empty()) advice.emplace_back("Nothing in it moves.");
  if (floats && colliders.empty()) {
    advice.emplace_back("No link has a shape to touch with, so it falls; --fixed welds its base to the world.");
  } else if (floats && std::none_of(colliders.begin(), colliders.end(), lies_under_it)) {
    advice.emplace_back("It has no ground, so it falls; --drop 0.2 puts one under it, --fixed welds its base.");
  }
  const auto silent =
      std::count_if(colliders.begin(), colliders.end(), [](const Collider& c) { return c.material < 0; });
  if (silent > 0) {
    advice.push_back(
        fmt::format("{} of {} shapes have no friction of their own; --friction gives it (0.8 if left out).", silent,
                    colliders.size()));
  }
  std::string at_limits;
  for (const ImportedModel::Link& link : model.links) {
    if (link.asked.size() > 0 && link.joint) at_limits += (at_limits.empty() ? "" : ", ") + link.joint->name;
  }
  if (!at_limits.empty()) {
    advice.push_back("Joints that start at a limit, as the file's start lies beyond it: " + at_limits +
                     "; --joint NAME=VALUE sets another start.");
  }
  if (std::any_of(model.materials.begin(), model.materials.end(), rebounds)) {
    advice.emplace_back("A material rebounds, which asks for a law: --law newton, for example.");
  }
  return advice;
}

}  // namespace carom
