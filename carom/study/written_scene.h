#pragma once

#include <string>

// Scenes that studies write: the scene of a study with other numbers in it.
namespace carom {

/// Refuses a place where the study's own scene, or something that is no scene, would be lost. `option` names the place
/// in the sentence.
void check_scene_place(const std::string& option, const std::string& path, const std::string& scene);

/// Writes the text of a scene into an existing folder. Throws Error if it can't be written, or does not load from
/// there, for example because it names files by their place beside it.
void write_scene_text(const std::string& option, const std::string& path, const std::string& text);

}  // namespace carom
