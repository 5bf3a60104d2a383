#pragma once

#include <string>

// Scenes that commands write: the scene of a study with other numbers in it.
namespace carom {

/// Refuses a place where the study's own scene, or something that is no scene, would be lost. `option` names it.
void check_scene_place(const std::string& option, const std::string& path, const std::string& scene);

/// Writes the scene. Throws Error if it does not load from there, as one that names files beside it.
void write_scene(const std::string& option, const std::string& path, const std::string& text);

}  // namespace carom
