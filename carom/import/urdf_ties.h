#pragma once

#include <vector>

#include "carom/import/urdf_elements.h"
#include "carom/import/urdf_tree.h"

namespace carom {

/// Adds Drake's loops: `<loop_joint>`, a hinge between frames of two links, and `<drake:ball_constraint>`, two points
/// that meet; and its springs between points, `<drake:linear_spring_damper>` and `<force_element>` with a
/// `<linear_spring_damper>`. Refuses its other elements that are forces. Links of the model are those of the tree, not
/// yet merged.
void add_ties(XmlNode& root, const std::vector<UrdfLink>& links, const UrdfTree& tree, ImportedModel& model,
              XmlFaults& faults);

/// Reads rotors of motors behind gears: `<drake:rotor_inertia>` and `<drake:gear_ratio>` of the `<actuator>` of a
/// `<transmission>`. The joint's reflected inertia is n² times the rotor's inertia.
void read_rotors(XmlNode& root, std::vector<UrdfJoint>& joints, XmlFaults& faults);

/// Reads springs of joints: `<force_element>` with a `<torsional_spring>`, stiffness N m/rad (N/m of a slide) and rest
/// angle, rad (m).
void read_joint_springs(XmlNode& root, std::vector<UrdfJoint>& joints, XmlFaults& faults);

}  // namespace carom
