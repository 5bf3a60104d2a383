#pragma once

#include <string>

#include "carom/import/imported_model.h"

namespace carom {

/// Reads a URDF file (the ROS wiki's specification of `<robot>`, `<link>` and `<joint>`), strictly.
///
/// - A root link hangs on nothing and moves freely, unless it is called "world": that is the world itself, declared or
///   not. There is one root, and below it a tree.
/// - revolute and prismatic joints without limits, or with a `<limit>` that has neither `lower` nor `upper`, move
///   freely, with a warning. If one bound alone is left out, it is 0, as the specification says.
/// - `ball` and `spherical` are a ball joint. A sphere of radius 0 is a point; other lengths of zero are a micrometre,
/// with a warning.
/// - Links without mass and shapes are left out where the motion is well defined (massless_links.h). An inertia that no
///   body can have is refused, and the fault names the nearest that one can. With relax_inertia the nearest is taken
///   (relaxed_inertia.h).
/// - An axis becomes the z axis of F and M. Their x is the parent's x axis projected on the plane across it
///   (contact_frame). A planar joint's first coordinate runs along x.
/// - `<mimic>` becomes a coupler. Friction of `<dynamics>` is dry friction. Joints start at 0.
/// - `<capsule radius length>`, which the specification lacks, is read as SDFormat has it: `length` without the caps.
/// - A mesh for collision stands for its convex hull.
/// - `<visual>` is drawn, in the colour of its material. Its mesh is not opened here. None of its faults refuses the
///   file: they are listed as unused.
/// - mu1 and mu2 in `<gazebo reference="LINK">` become the material of that link's shapes. Other links have the
///   material −1.
/// - Links on fixed joints are merged (merge_fixed_links). Every merged link must have an inertia that a body can have.
///
/// Effort and velocity limits, textures, `<transmission>`, `<safety_controller>` and the like are listed as unused.
/// Throws ImportError with every fault.
ImportedModel read_urdf(const std::string& path, const ImportOptions& options = {});

/// The same from text; `file` names it in sentences, and meshes are looked for beside it.
ImportedModel parse_urdf(const std::string& text, const std::string& file, const ImportOptions& options = {});

}  // namespace carom
