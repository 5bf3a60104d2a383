#include <fmt/format.h>

#include "carom/study/design.h"
#include "carom/study/written_scene.h"
#include "commands.h"
#include "output_file.h"

namespace carom {
int design_command(const DesignCommandOptions& options) {
  const DesignStudy study = load_design_study(options.study);
  if (!options.out.empty()) check_scene_place("--out", options.out, study.scene);
  DesignResult result = design(study);
  if (!options.out.empty() && result.met) {
    make_folder_of(options.out);
    write_scene_text("--out", options.out, result.text_after);
    result.written = options.out;
  }
  fmt::print("{}\n", options.json ? design_json(result) : design_text(result));
  return result.met ? 0 : 1;
}

}  // namespace carom
