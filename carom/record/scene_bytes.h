#pragma once

#include <memory>
#include <string>

#include "carom/scene/scene.h"

// Models, methods and scenes as bytes, to be sent to another process or kept for a while. The same one comes back, bit
// for bit. Bytes of another version of Carom may be refused, with a sentence; damaged ones are. They are those of the
// machine: one of another byte order refuses them.
namespace carom {

std::string model_bytes(const Model& model);
/// Throws Error, as the next two do, for bytes that are not what they should be.
std::shared_ptr<const Model> model_from_bytes(const std::string& bytes);

/// Throws Error for a method that makes no sense: who reads the bytes would refuse it.
std::string method_bytes(const Method& method);
/// The catalogue must have its stepper and law.
Method method_from_bytes(const std::string& bytes, const Catalogue& catalogue = default_catalogue());

/// All of a scene but its start and its warnings. A program's own controller can't be kept: the scene that comes back
/// says that it lacks one, and wants `feedback`.
std::string scene_bytes(const Scene& scene);
Scene scene_from_bytes(const std::string& bytes, State start, const Catalogue& catalogue = default_catalogue());

}  // namespace carom
