#pragma once

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "carom/counted.h"
#include "carom/model/model.h"
#include "carom/model/tree_order.h"

// Faults of a mechanism, each a whole sentence appended to `faults`. Bodies, materials and colliders are named by their
// position in the lists given. Checks go on after the first fault and expect no other check to pass.
namespace carom {

/// `body "name"`, `the world`, or `body 3` if it has no name.
std::string body_label(const std::vector<Body>& bodies, int body);
/// `collider "name" of body "name"`.
std::string collider_label(const std::vector<Body>& bodies, const Collider& collider);
/// The sentence with its first letter in upper case.
std::string capitalized(std::string sentence);

/// `constraint "name"`, or `the rod constraint` if it has no name.
std::string constraint_label(const Constraint& constraint);
/// The parts one after another, with the first letter in upper case.
template <typename... Parts>
std::string sentence(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return capitalized(text.str());
}
/// A rotation matrix within 1e-9 and a finite point.
bool is_rigid_motion(const Transform& X);

void check_loops(const std::vector<Body>& bodies, const TreeOrder& tree, std::vector<std::string>& faults);
void check_inertias(const std::vector<Body>& bodies, const TreeOrder& tree, std::vector<std::string>& faults);
/// Sizes, signs and frames. `joints[i]` is the inboard joint of body i.
void check_joints(const std::vector<Body>& bodies, const std::vector<Joint>& joints, std::vector<std::string>& faults);
/// Bodies must exist. `joints[i]` is the inboard joint of body i.
void check_constraints(const std::vector<Body>& bodies, const std::vector<Joint>& joints, const TreeOrder& tree,
                       const std::vector<Constraint>& constraints, std::vector<std::string>& faults);
/// Fault of a coordinate that something couples or drives, as the end of a sentence that says so. Empty if it is an
/// angle or a displacement of the joint of `body`.
std::string scalar_coordinate_fault(const std::vector<Body>& bodies, const std::vector<Joint>& joints, int body,
                                    int number);
/// Faults of a weighted sum of coordinates: as above, each named once, and no ratio that is 0 or not finite. `verb` is
/// what `label` does to them.
void check_shares(const std::vector<Body>& bodies, const std::vector<Joint>& joints,
                  const std::vector<CoordinateShare>& shares, const std::string& label, const std::string& verb,
                  std::vector<std::string>& faults);
/// `drive "name"`, `wrench "name"`.
std::string drive_label(const Drive& drive);
std::string wrench_label(const AppliedWrench& wrench);
/// Bodies must exist. `joints[i]` is the inboard joint of body i.
void check_drives(const std::vector<Body>& bodies, const std::vector<Joint>& joints, const std::vector<Drive>& drives,
                  std::vector<std::string>& faults);
void check_wrenches(const std::vector<AppliedWrench>& wrenches, std::vector<std::string>& faults);
void check_materials(const std::vector<Material>& materials, const std::vector<MaterialPair>& pairs,
                     std::vector<std::string>& faults);
void check_collider_pairs(const std::vector<Collider>& colliders, const std::vector<ColliderPair>& pairs,
                          std::vector<std::string>& faults);
/// `joints[i]` is the inboard joint of body i.
void check_sensors(const std::vector<Body>& bodies, const std::vector<Joint>& joints,
                   const std::vector<Constraint>& constraints, std::size_t colliders,
                   const std::vector<Sensor>& sensors, std::vector<std::string>& faults);
void check_colliders(const std::vector<Body>& bodies, const TreeOrder& tree, const std::vector<Material>& materials,
                     const std::vector<Collider>& colliders, std::vector<std::string>& faults);
}  // namespace carom
