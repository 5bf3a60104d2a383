#pragma once

#include "carom/import/imported_model.h"

// Mechanisms in MuJoCo's XML format (MuJoCo documentation, "XML Reference" and "Modeling"): the part of it that
// describes rigid bodies, their joints, shapes and constraints.
//
// Kinematics. A body's frame B hangs on its parent's P by the pose X_PB(0) of the file and its joints, the first
// outermost:
//
//   X_PB(q) = X_PB(0) exp(ξ₁ (q₁ − ref₁)) … exp(ξₙ (qₙ − refₙ)),   hinge ξ = (axis; pos × axis),   slide ξ = (0; axis)
//
// with axis and pos in B. The coordinates of the imported model are MuJoCo's qpos and qvel: `ref` goes into the frames
// of the joint. One hinge or slide becomes a revolute or prismatic joint, several a joint of twists, which bears their
// names with a plus between them. A ball joint has MuJoCo's quaternion (w x y z) and rates; a free body's pose and
// velocity are told in Carom's order and axes.
//
// Contact. MuJoCo takes the larger friction coefficient of two geoms, and no friction where both have condim 1. If
// their priorities differ, the geom with the higher one decides. So each combination that occurs is a material, and all
// pairs of materials are named. Parents and children do not collide, except where the parent is the world.
//
// Actuators act as they do while every control is zero (moved to the nearest end of a range without zero).
//
// Departures from the file. Contacts, limits and equalities are rigid, so solref, solimp and margins are unused. Limits
// of fixed tendons are unused, too (listed with a reason), as are torsional and rolling friction. Limits of a joint are
// those of autolimits="true", which MuJoCo assumes since version 2.3. Other things that would change the motion are
// faults.
namespace carom {

/// Reads an MJCF file, the files that it includes and its meshes. Throws ImportError with every fault.
ImportedModel read_mjcf(const std::string& path, const ImportOptions& options = {});

/// The same from text; `file` names it in sentences, and what it includes is looked for in that file's folder.
ImportedModel parse_mjcf(const std::string& text, const std::string& file, const ImportOptions& options = {});

}  // namespace carom
