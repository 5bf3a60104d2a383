#include "carom/stepper/method_data.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "carom/geometry/contact_points.h"
#include "carom/stepper/impact_handler.h"

namespace carom {
namespace {

/// Bodies that far apart strike nobody at once. Points have no extent to hold it against.
void check_proximity(const Model& model, const Method& method, std::vector<std::string>& faults) {
  if (!has_impacts(method)) return;
  const Collider* smallest = nullptr;
  for (const Collider& collider : model.colliders()) {
    if (model.is_static(collider.body) || bounding_radius(collider.shape) == 0) continue;
    if (smallest == nullptr || bounding_radius(collider.shape) < bounding_radius(smallest->shape)) smallest = &collider;
  }
  if (smallest == nullptr || method.proximity < bounding_radius(smallest->shape)) return;
  std::ostringstream sentence;
  sentence << "proximity is " << method.proximity << " m, and shape '" << smallest->name << "' reaches no further than "
           << bounding_radius(smallest->shape)
           << " m: what is so far apart takes no part in one impact; set it to a small part of the smallest body";
  faults.push_back(sentence.str());
}

/// Stiffness that a law reads and the scene does not give.
void warn_of_stiffness(const Model& model, const Method& method, std::vector<std::string>& warnings) {
  const LawEntry& law = method.law.entry();
  if (!has_impacts(method) || law.reads_stiffness == nullptr || !law.reads_stiffness(law_options(method))) return;
  std::vector<std::pair<int, int>> unknown;
  const auto pairs = meeting_materials(model);
  for (const auto& pair : pairs) {
    if (!(model.contact_material(pair.first, pair.second).modulus > 0)) unknown.push_back(pair);
  }
  if (unknown.empty()) return;
  const std::string option = law.stiffness_option;
  const std::string who = "law " + law_name(method.law) + (option.empty() ? "" : " with " + option);
  if (unknown.size() == pairs.size()) {
    warnings.push_back(who +
                       " reads the stiffness of contacts, and no material has a youngs_modulus: all count as "
                       "equally stiff");
    return;
  }
  std::string names;
  for (const auto& pair : unknown) names += (names.empty() ? "" : "; ") + material_names(model, pair);
  warnings.push_back(who + " reads the stiffness of contacts, and a youngs_modulus is missing where these meet: " +
                     names + ". They count as the geometric mean of the others");
}

bool is_one(const PairRestitution& restitution) { return restitution.is_constant() && restitution.at(1) == 1; }

bool has_friction(const ContactMaterial& surface) {
  return surface.impact_friction.value_or(surface.friction).maxCoeff() > 0;
}

/// Materials, a few by name, of the pairs that `belongs` says are among them.
template <class Belongs>
std::string names_of_pairs(const Model& model, Belongs&& belongs) {
  std::string names;
  int more = 0;
  for (const auto& pair : meeting_materials(model)) {
    if (!belongs(model.contact_material(pair.first, pair.second))) continue;
    if (names.size() > 80) {
      ++more;
    } else {
      names += (names.empty() ? "" : "; ") + material_names(model, pair);
    }
  }
  return more > 0 ? names + "; and " + std::to_string(more) + " more pairs" : names;
}

/// Warns where a law without friction, or an elastic one, reads materials otherwise than they say.
void warn_of_frictionless_laws(const Model& model, const Method& method, std::vector<std::string>& warnings) {
  if (method.law->has_friction) return;
  const std::string law = "law " + law_name(method.law);
  const std::string rough = names_of_pairs(model, has_friction);
  if (!rough.empty()) warnings.push_back(law + " is without friction: its impacts leave out that of " + rough);
  if (method.law->restitution != RestitutionUse::as_1 || impacts_are_elastic(model)) return;
  const std::string soft =
      names_of_pairs(model, [](const ContactMaterial& surface) { return !is_one(surface.restitution); });
  warnings.push_back(law + " is elastic: it takes the restitution of " +
                     (soft.empty() ? "limits, ropes and tendons" : soft) + " as 1");
}

/// Layers that the stepper takes for rigid.
void warn_of_layers(const Model& model, const Method& method, std::vector<std::string>& warnings) {
  if (is_implicit_in_geometry(method)) return;  // one reads them, the other refuses them
  std::set<std::string> soft;
  for (const auto& [a, b] : meeting_materials(model)) {
    for (const int material : {a, b}) {
      if (model.materials()[material].layer) soft.insert(model.materials()[material].name);
    }
  }
  if (soft.empty()) return;
  std::string names;
  for (const std::string& name : soft) names += (names.empty() ? "'" : "', '") + name;
  warnings.push_back("stepper " + stepper_name(method.stepper) + " leaves out the " +
                     (soft.size() > 1 ? "layers of materials " : "layer of material ") + names +
                     "', which stepper quasi-rigid reads");
}

}  // namespace

bool impacts_have_friction(const Model& model) { return !names_of_pairs(model, has_friction).empty(); }

bool impacts_are_elastic(const Model& model) {
  for (const auto& [a, b] : meeting_materials(model)) {
    if (!is_one(model.contact_material(a, b).restitution)) return false;
  }
  for (const Joint& joint : model.joints()) {
    for (Eigen::Index i = 0; i < joint.limit_restitution.size(); ++i) {
      const bool limited = std::isfinite(joint.lower(i)) || std::isfinite(joint.upper(i));
      if (limited && joint.limit_restitution(i) != 1) return false;
    }
  }
  for (const Constraint& constraint : model.constraints()) {
    if (is_unilateral(constraint.kind) && constraint.restitution != 1) return false;
  }
  return true;
}

bool may_rebound(const Model& model) {
  const auto any = [](const auto& list, auto&& rebounds) { return std::any_of(list.begin(), list.end(), rebounds); };
  return any(model.materials(), [](const Material& material) { return may_bounce(material.restitution); }) ||
         any(model.material_pairs(), [](const MaterialPair& pair) { return may_bounce(pair.together.restitution); }) ||
         any(model.joints(), [](const Joint& joint) { return (joint.limit_restitution.array() > 0).any(); }) ||
         any(model.constraints(), [](const Constraint& constraint) { return constraint.restitution > 0; });
}

std::vector<std::string> method_data_faults(const Model& model, const Method& method) {
  std::vector<std::string> faults;
  if (method.stepper->data_faults != nullptr) faults = method.stepper->data_faults(model, method);
  check_proximity(model, method, faults);
  return faults;
}

std::vector<std::string> method_data_warnings(const Model& model, const Method& method) {
  std::vector<std::string> warnings;
  if (method.stepper->data_warnings != nullptr) warnings = method.stepper->data_warnings(model, method);
  warn_of_stiffness(model, method, warnings);
  warn_of_frictionless_laws(model, method, warnings);
  warn_of_layers(model, method, warnings);
  return warnings;
}

std::vector<std::pair<int, int>> meeting_materials(const Model& model) {
  std::set<std::pair<int, int>> pairs;
  const int count = static_cast<int>(model.colliders().size());
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      if (!model.may_collide(a, b) || !can_collide(model.colliders()[a].shape, model.colliders()[b].shape)) continue;
      pairs.insert(std::minmax(model.colliders()[a].material, model.colliders()[b].material));
    }
  }
  return {pairs.begin(), pairs.end()};
}

std::string material_names(const Model& model, const std::pair<int, int>& pair) {
  const auto name = [&](int material) { return "'" + model.materials()[material].name + "'"; };
  if (pair.first == pair.second) return "material " + name(pair.first);
  return "materials " + name(pair.first) + " and " + name(pair.second);
}

}  // namespace carom
