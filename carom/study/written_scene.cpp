#include "carom/study/written_scene.h"

#include <filesystem>

#include "carom/error.h"
#include "carom/scene/scene.h"
#include "carom/whole_file.h"

namespace carom {

namespace fs = std::filesystem;

void check_scene_place(const std::string& option, const std::string& path, const std::string& scene) {
  const std::string ending = fs::path(path).extension().string();
  if (ending != ".yaml" && ending != ".yml") {
    throw Error(option + " " + path + ": a scene is a YAML file, so its name must end in .yaml or .yml");
  }
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return;
  if (fs::equivalent(path, scene, ignored)) {
    throw Error(option + " " + path + " is the scene that the study begins with; name another");
  }
  try {
    static_cast<void>(load_scene(path));
  } catch (const Error&) {
    throw Error(path + " exists and is no scene; name another with " + option + ", or move it away");
  }
}

void write_scene_text(const std::string& option, const std::string& path, const std::string& text) {
  try {
    static_cast<void>(parse_scene(text, path));
  } catch (const Error& error) {
    throw Error("the scene does not load from there, since it names files by their place beside it; give " + option +
                " a place in the folder of the study's scene\n" + error.what());
  }
  write_whole_file(path, text, "the scene");
}

}  // namespace carom
