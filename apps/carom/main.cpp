#include <CLI/CLI.hpp>
#include <iostream>

#include "carom/error.h"
#include "commands.h"

namespace {

constexpr const char* run_help =
    R"(Simulates a scene: writes a record (HDF5) and a report (HTML page), prints a summary.

Example
  carom run scenes/stewart2000/four_balls.yaml --step 0.001 --out balls.h5
  carom run --resume balls.h5 --until 2)";

constexpr const char* validate_help =
    R"(Repeats a paper's figures and tables, or measurements: theirs beside ours. Ends with status 1 if an entry leaves its
tolerance.

Example
  carom validate stewart2000
  carom validate cube_tosses --data tosses.h5)";

void add_run(CLI::App& app, carom::RunOptions& options) {
  CLI::App* run = app.add_subcommand("run", "Simulate a scene")->description(run_help);
  run->add_option("scene", options.scene, "scene file (YAML); may be left out with --resume");
  run->add_option("--stepper", options.stepper, "stewart-trinkle, anitescu-potra or stewart-trinkle-nonlinear");
  run->add_option("--law", options.law, "none, newton or poisson");
  run->add_option("--dynamics", options.dynamics, "articulated or dense");
  run->add_option("--step", options.step, "step size, s");
  run->add_option("--until", options.until, "end of the run, s; the scene's duration if left out");
  run->add_option("--out", options.out, "record to write; runs/NAME.h5 if left out. The report lies beside it");
  run->add_option("--resume", options.resume, "go on with this record");
  run->add_flag("--json", options.json, "print one JSON object on standard output");
}

void add_validate(CLI::App& app, carom::ValidateOptions& options) {
  CLI::App* validate =
      app.add_subcommand("validate", "Compare with papers and measurements")->description(validate_help);
  validate->add_option("names", options.names, "what to validate: stewart2000, cube_tosses; all if left out");
  validate->add_option("--data", options.data, "file of measurements, for cube_tosses");
  validate->add_option("--scenes", options.scenes, "folder of the scene files; found by itself if left out");
  validate->add_option("--out", options.out, "folder for pages with plots")->capture_default_str();
  validate->add_flag("--json", options.json, "print one JSON object on standard output");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Carom simulates mechanisms whose parts touch, slide, stick and strike one another.", "carom");
  app.set_version_flag("--version", CAROM_VERSION);
  app.require_subcommand(1);
  carom::RunOptions run;
  carom::ValidateOptions validate;
  add_run(app, run);
  add_validate(app, validate);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 exits with 100 and more for wrong words; help and version end with 0.
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return app.got_subcommand("run") ? carom::run_command(run) : carom::validate_command(validate);
  } catch (const carom::Error& error) {
    std::cerr << "carom: " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "carom: the run failed: " << error.what() << "\n";
    return 1;
  }
}
