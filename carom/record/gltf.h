#pragma once

#include <string>

#include "carom/record/record.h"

// A scene with the motion of a run as glTF 2.0 (Khronos Group, glTF 2.0 Specification, 2021; ISO/IEC 12113:2022), which
// Blender, game engines and browsers open.
namespace carom {

/// The whole file:
///
///   nodes       A root with the scene's name turns Carom's z up to glTF's y up. Below it is a node for each body, with
///               its name. Its translation (m) and rotation are the body's pose in the world. Below the bodies are the
///               shapes, with the colliders' names, or the visuals drawn in their place. Shapes of the world hang on
///               the root. A half-space is a square about the motion.
///   animation   One, of every body that moves: linear from recorded instant to recorded instant, at the run's times,
///               s.
///   materials   A colour for each body, grey for the world, and those of the visuals.
///
/// Numbers are float32. Instants that a float32 can't tell from the one before are left out, and so are those with a
/// pose that is not finite. O(frames × bodies).
///
/// Text (.gltf), with its numbers as base64.
std::string gltf_text(const Record& record);
/// The binary form (.glb), of about three quarters of the size.
std::string gltf_binary(const Record& record);

}  // namespace carom
