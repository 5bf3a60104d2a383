#include "carom/stepper/compliant/compliant_data.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "carom/counted.h"
#include "carom/stepper/method_data.h"

namespace carom {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

/// A rebound that is given, and that a contact without losses does not have.
bool loses(const PairRestitution& restitution) {
  return restitution.may_bounce() && !(restitution.is_constant() && restitution.at(0) == 1);
}

/// Pairs of materials that may meet and of which it is true.
template <class Is>
Pairs pairs_that(const Model& model, Is&& is) {
  Pairs result;
  for (const auto& pair : meeting_materials(model)) {
    if (is(model.contact_material(pair.first, pair.second))) result.push_back(pair);
  }
  return result;
}

/// "material 'rubber'", "materials 'rubber' and 'steel'", with how many other pairs there are.
std::string first_of(const Model& model, const Pairs& pairs) {
  const std::string others =
      pairs.size() > 1 ? " (and " + counted(static_cast<int>(pairs.size()) - 1, "other pair", "other pairs") + ")" : "";
  return material_names(model, pairs.front()) + others;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

void check_modulus(const Model& model, std::vector<std::string>& faults) {
  std::set<std::string> names;
  for (const auto& [a, b] : pairs_that(model, [](const ContactMaterial& m) { return !(m.modulus > 0); })) {
    names.insert({model.materials()[a].name, model.materials()[b].name});
  }
  if (names.empty()) return;
  faults.push_back(
      "stepper compliant needs a youngs_modulus (Pa) of one of any two materials that meet, for Hertz's "
      "stiffness; there is none of " +
      std::string(names.size() > 1 ? "materials " : "material ") + listed({names.begin(), names.end()}));
}

void check_restitution(const Model& model, std::vector<std::string>& faults) {
  const Pairs pairs =
      pairs_that(model, [](const ContactMaterial& m) { return loses(m.restitution) && !(m.dissipation > 0); });
  if (pairs.empty()) return;
  faults.push_back("the restitution of " + first_of(model, pairs) +
                   " says nothing to stepper compliant, whose contacts rebound by their dissipation: give c of Hunt "
                   "and Crossley's force (s/m), about (1 - e)/s for a rebound e at the approach speed s, or leave the "
                   "restitution out");
}

bool has_limit(const Joint& joint) {
  for (int k = 0; k < joint.lower.size(); ++k) {
    if (std::isfinite(joint.lower[k]) || std::isfinite(joint.upper[k])) return true;
  }
  return false;
}

/// Joints with limits, ropes and tendons, as a list; rebound: only those whose restitution loses something.
std::string stops(const Model& model, bool rebound) {
  const auto counts = [&](double e) { return !rebound || (e > 0 && e < 1); };
  std::vector<std::string> names;
  for (const Joint& joint : model.joints()) {
    if (!has_limit(joint)) continue;
    const auto& e = joint.limit_restitution;
    if (std::any_of(e.begin(), e.end(), counts)) names.push_back(joint.name);
  }
  for (const Constraint& constraint : model.constraints()) {
    if (is_unilateral(constraint.kind) && counts(constraint.restitution)) names.push_back(constraint.name);
  }
  return listed(names);
}

void check_stops(const Model& model, const CompliantSettings& settings, std::vector<std::string>& faults) {
  const std::string all = stops(model, false), rebounding = stops(model, true);
  if (!all.empty() && !(settings.limit_stiffness > 0)) {
    faults.push_back(
        "limits of joints, ropes and tendons are springs to stepper compliant: give their stiffness as limit_stiffness "
        "under "
        "the method's key compliant (N m/rad or N/m); there are " +
        all);
  }
  if (!rebounding.empty() && !(settings.limit_dissipation > 0)) {
    faults.push_back(
        "the restitution of the stop of " + rebounding +
        " says nothing to stepper compliant: give limit_dissipation under the method's key compliant (s/rad "
        "or s/m), about (1 - e)/s for a rebound e at the approach speed s, or leave the restitution out");
  }
  for (const Joint& joint : model.joints()) {
    const auto& ratchets = joint.ratchet;
    if (std::all_of(ratchets.begin(), ratchets.end(), [](Ratchet r) { return r == Ratchet::none; })) continue;
    faults.push_back("joint '" + joint.name +
                     "' has a ratchet, which holds a rate and not a position, so that stepper compliant has no spring "
                     "for it: choose another stepper, or take the ratchet away");
  }
}

/// Limits and ropes lose by limit_dissipation alone, whatever their restitution says.
void warn_of_stops(const Model& model, const CompliantSettings& settings, std::vector<std::string>& warnings) {
  const std::string all = stops(model, false), rebounding = stops(model, true);
  if (!rebounding.empty() && settings.limit_dissipation > 0) {
    warnings.push_back("stepper compliant does not read the restitution of the stop of " + rebounding +
                       ": limit_dissipation stands for it");
  }
  if (!all.empty() && !(settings.limit_dissipation > 0)) {
    warnings.push_back("impacts at the stop of " + all +
                       " lose nothing under stepper compliant, for there is no limit_dissipation");
  }
}

}  // namespace

std::vector<std::string> compliant_data_faults(const Model& model, const Method& method) {
  std::vector<std::string> faults;
  check_modulus(model, faults);
  check_restitution(model, faults);
  check_stops(model, method.compliant, faults);
  return faults;
}

std::vector<std::string> compliant_data_warnings(const Model& model, const Method& method) {
  std::vector<std::string> warnings;
  const Pairs unread = pairs_that(model, [](const ContactMaterial& m) { return loses(m.restitution); });
  if (!unread.empty()) {
    warnings.push_back("stepper compliant does not read the restitution of " + first_of(model, unread) +
                       ": the dissipation stands for it");
  }
  const Pairs lossless =
      pairs_that(model, [](const ContactMaterial& m) { return !m.restitution.may_bounce() && !(m.dissipation > 0); });
  if (!lossless.empty()) {
    warnings.push_back("impacts of " + first_of(model, lossless) +
                       " lose nothing under stepper compliant, for there is no dissipation");
  }
  warn_of_stops(model, method.compliant, warnings);
  return warnings;
}

}  // namespace carom
