#include "carom/study/designed_scene.h"

#include <filesystem>

#include "carom/error.h"
#include "carom/scene/scene.h"
#include "carom/whole_file.h"

namespace carom {

namespace fs = std::filesystem;

void check_designed_place(const std::string& out, const std::string& scene) {
  const std::string ending = fs::path(out).extension().string();
  if (ending != ".yaml" && ending != ".yml") {
    throw Error("--out " + out + ": a designed scene is a YAML file, so its name must end in .yaml or .yml");
  }
  std::error_code ignored;
  if (!fs::exists(out, ignored)) return;
  if (fs::equivalent(out, scene, ignored)) {
    throw Error("--out " + out + " is the scene that the study begins with; name another");
  }
  try {
    static_cast<void>(load_scene(out));
  } catch (const Error&) {
    throw Error(out + " exists and is no scene; name another with --out, or move it away");
  }
}

void write_designed_scene(const std::string& text, const std::string& out) {
  try {
    static_cast<void>(parse_scene(text, out));
  } catch (const Error& error) {
    throw Error(
        std::string("the designed scene does not load from there, since it names files by their place beside it; give "
                    "--out a place in the folder of the study's scene\n") +
        error.what());
  }
  write_whole_file(out, text, "the scene");
}

}  // namespace carom
