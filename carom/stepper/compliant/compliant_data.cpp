#include "carom/stepper/compliant/compliant_data.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "carom/stepper/method_data.h"

namespace carom {
namespace {

/// A rebound that is given, and that a contact without losses does not have.
bool loses(const PairRestitution& restitution) {
  return restitution.may_bounce() && !(restitution.is_constant() && restitution.at(0) == 1);
}

std::string verb(const std::pair<int, int>& pair) { return pair.first == pair.second ? " has" : " have"; }

void check_pair(const Model& model, const std::pair<int, int>& pair, std::vector<std::string>& faults) {
  const ContactMaterial& together = model.contact_material(pair.first, pair.second);
  if (!(together.modulus > 0)) {
    faults.push_back(material_names(model, pair) + verb(pair) +
                     " no youngs_modulus, and stepper compliant needs one for Hertz's stiffness: give it (Pa), of one "
                     "of two that meet at least");
  }
  if (loses(together.restitution) && !(together.dissipation > 0)) {
    std::ostringstream sentence;
    sentence << material_names(model, pair) << verb(pair);
    if (together.restitution.is_constant()) {
      sentence << " restitution " << together.restitution.at(0);
    } else {
      sentence << " a restitution";
    }
    sentence << " and no dissipation, and a compliant contact rebounds by its dissipation alone: give c of Hunt and "
                "Crossley's force (s/m), about (1 - e)/s for a rebound e at the approach speed s, or leave the "
                "restitution out";
    faults.push_back(sentence.str());
  }
}

/// Faults of a stop with this coefficient of restitution.
void check_stop(const std::string& what, double restitution, const CompliantSettings& settings,
                std::vector<std::string>& faults) {
  if (!(settings.stop_stiffness > 0)) {
    faults.push_back(what +
                     " is held by a spring under stepper compliant: give its stiffness as stop_stiffness under "
                     "compliant of the method, N m/rad or N/m");
  } else if (restitution > 0 && restitution < 1 && !(settings.stop_dissipation > 0)) {
    std::ostringstream sentence;
    sentence << what << " has restitution " << restitution
             << " and a compliant stop rebounds by stop_dissipation alone: give that under compliant of the method, "
                "about (1 - e)/s for a rebound e at the approach speed s, or leave the restitution out";
    faults.push_back(sentence.str());
  }
}

void check_joint(const Joint& joint, const CompliantSettings& settings, std::vector<std::string>& faults) {
  for (int k = 0; k < joint.lower.size(); ++k) {
    if (!std::isfinite(joint.lower[k]) && !std::isfinite(joint.upper[k])) continue;
    check_stop("the limit of joint '" + joint.name + "'", joint.limit_restitution[k], settings, faults);
    break;
  }
  if (std::any_of(joint.ratchet.begin(), joint.ratchet.end(), [](Ratchet r) { return r != Ratchet::none; })) {
    faults.push_back("joint '" + joint.name +
                     "' has a ratchet, which holds a rate and not a position, so that stepper compliant has no spring "
                     "for it: choose another stepper, or take the ratchet away");
  }
}

}  // namespace

std::vector<std::string> compliant_data_faults(const Model& model, const Method& method) {
  std::vector<std::string> faults;
  if (method.stepper != StepperKind::compliant) return faults;
  for (const auto& pair : meeting_materials(model)) check_pair(model, pair, faults);
  for (const Joint& joint : model.joints()) check_joint(joint, method.compliant, faults);
  for (const Constraint& constraint : model.constraints()) {
    if (constraint.kind != ConstraintKind::rope) continue;
    check_stop("rope '" + constraint.name + "'", constraint.restitution, method.compliant, faults);
  }
  return faults;
}

std::vector<std::string> compliant_data_warnings(const Model& model, const Method& method) {
  std::vector<std::string> warnings;
  if (method.stepper != StepperKind::compliant) return warnings;
  for (const auto& pair : meeting_materials(model)) {
    const ContactMaterial& together = model.contact_material(pair.first, pair.second);
    if (loses(together.restitution)) {
      warnings.push_back("stepper compliant does not read the restitution of " + material_names(model, pair) +
                         ": the dissipation stands for it");
    } else if (!together.restitution.may_bounce() && !(together.dissipation > 0)) {
      warnings.push_back("blows of " + material_names(model, pair) +
                         " lose nothing under stepper compliant, for there is no dissipation");
    }
  }
  return warnings;
}

}  // namespace carom
