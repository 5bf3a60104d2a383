#pragma once

#include <string>

namespace carom {

/// Refuses a place for a designed scene where the study's own scene, or something that is no scene, would be lost.
void check_designed_place(const std::string& out, const std::string& scene);

/// Writes the text of a designed scene, in a folder that is there. Throws Error if it does not load from there, as it
/// names files by their place beside it, or can't be written.
void write_designed_scene(const std::string& text, const std::string& out);

}  // namespace carom
