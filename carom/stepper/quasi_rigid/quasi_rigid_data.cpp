#include "carom/stepper/quasi_rigid/quasi_rigid_data.h"

#include <set>

#include "carom/error.h"
#include "carom/geometry/implicit/implicit_body.h"
#include "carom/stepper/quasi_rigid/contact_patches.h"

namespace carom {
namespace {

bool couples_the_normal(const Layer& layer) {
  return layer.sideways &&
         (layer.stiffness.block<2, 1>(0, 2) != Vec2::Zero() || layer.damping.block<2, 1>(0, 2) != Vec2::Zero());
}

/// Pairs of which both have a layer: a level of one of them says nothing of the other.
void add_double_layers(const Model& model, const Method& method, std::vector<std::string>& faults) {
  const auto& colliders = model.colliders();
  const int count = static_cast<int>(colliders.size());
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      const bool both =
          model.materials()[colliders[a].material].layer && model.materials()[colliders[b].material].layer;
      if (!both || !model.may_collide(a, b)) continue;
      faults.push_back("shapes '" + colliders[a].name + "' and '" + colliders[b].name +
                       "' both have a layer, and quasi_rigid.deflection " +
                       deflection_name(method.quasi_rigid.deflection) +
                       " tells how deep one layer is pressed in by a rigid body: choose deflection: distance, or "
                       "give one of them a material without a layer");
      return;
    }
  }
}

}  // namespace

std::vector<std::string> quasi_rigid_data_faults(const Model& model, const Method& method) {
  std::vector<std::string> faults;
  const bool has_layers = method.stepper->layers == LayerUse::of_materials;
  std::set<int> told;  // materials
  for (const Collider& collider : model.colliders()) {
    try {
      (void)implicit_body(collider.shape);
    } catch (const Error& error) {
      faults.push_back("stepper " + stepper_name(method.stepper) + " cannot take shape '" + collider.name +
                       "': " + error.what());
    }
    const Material& material = model.materials()[collider.material];
    if (!told.insert(collider.material).second) continue;
    const bool by_bodies = has_layers && method.quasi_rigid.slip == SlipKinematics::of_bodies;
    if (by_bodies && material.layer && couples_the_normal(*material.layer)) {
      faults.push_back("the layer of material '" + material.name +
                       "' couples the normal with the surface, and with quasi_rigid.slip bodies its springs do no work "
                       "along the surface: a step may then have no solution or give energy; choose slip: layers, or "
                       "leave the coupling out");
    }
    if (!has_layers && material.layer) {
      faults.push_back("stepper " + stepper_name(method.stepper) + " has rigid contacts, and material '" +
                       material.name + "' has a layer: choose stepper quasi-rigid, or leave it out");
    }
  }
  if (has_layers) {
    if (method.quasi_rigid.deflection != DeflectionMeasure::distance) add_double_layers(model, method, faults);
    for (const std::string& fault : contact_patch_faults(model)) faults.push_back(fault);
  }
  return faults;
}

}  // namespace carom
