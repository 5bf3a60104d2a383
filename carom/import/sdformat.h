#pragma once

#include <string>

#include "carom/import/imported_model.h"

namespace carom {

/// Reads a model or a world of SDFormat 1.4 to 1.9 (older ones as if converted), with the models that it includes.
/// Throws ImportError with all faults of XML and of values. If there are none, it has that of the frames; if there is
/// none, those of the mechanics.
///
/// Links that no joint ties to the world move freely from where the file puts them. Links of a static model are welded
/// to the world. The joints hang links in the order of the file. A joint whose child already hangs is turned round, or,
/// if it closes a loop, becomes a constraint. Links within a model do not collide with each other unless
/// `<self_collide>` says so. Links that hang on the world may collide with it. Names are scoped,
/// "arm::gripper::finger", without the outermost model if there is one only.
///
/// A shape that says nothing of friction or restitution has the material −1. If it says a part, the rest has the
/// format's defaults, 1 and 0. Contact stiffness, cameras and the like, pictures, plugins, and efforts and velocities
/// of limits are listed as unused.
ImportedModel read_sdformat(const std::string& path, const ImportOptions& options = {});
/// The same from text; `file` names it in sentences, and is where relative paths start.
ImportedModel parse_sdformat(const std::string& text, const std::string& file, const ImportOptions& options = {});

}  // namespace carom
