#pragma once

#include <string>

// Scenes that studies write: the scene of a study with other numbers in it.
namespace carom {

/// Refuses a place where the study's own scene, or something that is no scene, would be lost. `option` names the place
/// in the sentence.
void check_scene_place(const std::string& option, const std::string& path, const std::string& scene);

/// Writes the text of a scene, in a folder that is there. Throws Error if it does not load from there, as one that
/// names files by their place beside it, or can't be written.
void write_scene_text(const std::string& option, const std::string& path, const std::string& text);

}  // namespace carom
