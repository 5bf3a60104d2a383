#pragma once

#include <string>
#include <vector>

#include "carom/model/model.h"
#include "carom/stepper/step_report.h"

// Contacts of a step as one of their bodies has them. A report has each contact once, for its body A; here
// the signs are those of the body asked for. Impulses are of the whole step, impacts in it included: divided by the
// step's length they are mean forces. Limits of joints and ropes are left out; the report has them. Bodies are numbers
// as of part_numbers.h, −1 the world.
namespace carom {

/// One point of contact between a body and another, world axes.
struct BodyContact {
  std::string name;  ///< contact_name: "ball – floor"
  ContactId id;
  int body = -1, other = -1;
  ContactMode mode = ContactMode::separating;
  Vec3 position = Vec3::Zero();          ///< m
  Vec3 normal = Vec3::Zero();            ///< of unit length, from the other towards the body
  double gap = 0;                        ///< at the configuration where the step was linearised, m
  double normal_impulse = 0;             ///< ≥ 0 where it presses, N s
  Vec3 friction_impulse = Vec3::Zero();  ///< on the body, in the tangent plane, N s
  Vec3 slip = Vec3::Zero();              ///< of the body relative to the other at the step's end, tangential, m/s

  Vec3 impulse() const { return normal_impulse * normal + friction_impulse; }  ///< on the body, N s
};

/// All contacts of the body's surfaces, in the report's order. O(contacts).
std::vector<BodyContact> contacts_of(const Model& model, const StepReport& report, int body);
/// Those with one other body.
std::vector<BodyContact> contacts_between(const Model& model, const StepReport& report, int body, int other);

/// Sum of the impulses that contacts gave the body, N s, world axes; of one other body, where it is told.
Vec3 contact_impulse(const StepReport& report, int body);
Vec3 contact_impulse(const StepReport& report, int body, int other);

}  // namespace carom
