#include "validate_options.h"

namespace carom {
namespace {

constexpr const char* validate_help =
    R"(Repeats a paper's figures and tables, or measurements: theirs beside ours. Ends with status 1 if an entry leaves its
tolerance.

Example
  carom validate stewart2000
  carom validate uchida2015 --out runs
  carom validate cube_tosses --data tosses.h5
  carom validate planar_impacts --data impacts.h5
  carom validate square_drops --data impacts.h5
  carom validate sphere_impacts --data sphere_impacts
  carom validate cassie_jumps --data cassie_jumps
  carom validate cube_tosses --data tosses.h5 --laws semi-explicit_stronge --predictions other.h5)";

}  // namespace

void describe_validate(CLI::App& command, ValidateOptions& options) {
  command.footer(validate_help);
  command.add_option("names", options.names,
                     "what to validate: stewart2000, uchida2015, seghete2014, chakraborty2007, bhalerao2009, "
                     "accuracy, cube_tosses, planar_impacts, square_drops, sphere_impacts, cassie_jumps; all that need "
                     "no data if left out");
  command.add_option(
      "--data", options.data,
      "file of measurements, for cube_tosses, planar_impacts or square_drops; file or folder of curves, for "
      "sphere_impacts; folder of landings and robot, for cassie_jumps");
  command.add_option("--scenes", options.scenes, "folder of the scene files; found by itself if left out");
  command.add_option("--out", options.out, "folder for pages with plots and tables of curves")->capture_default_str();
  command.add_flag("--json", options.json, "print one JSON object on standard output");
  command
      .add_option("--tosses", options.tosses,
                  "cube_tosses, square_drops: judge so many, evenly spaced; all if left out")
      ->check(CLI::Range(1, 1000000));
  command.add_option("--laws", options.laws,
                     "cube_tosses, planar_impacts, square_drops, sphere_impacts, cassie_jumps: laws to run, by their "
                     "names in fits.json or the "
                     "table; all if left out");
  command.add_option("--predictions", options.predictions,
                     "cube_tosses: other simulators' predictions, to judge beside");
  command.add_flag("--fit", options.fit,
                   "cube_tosses (long), planar_impacts, square_drops (long), cassie_jumps: fit the laws to the data "
                   "first; replaces their "
                   "values");
  command.add_option(
      "--fits", options.fits,
      "planar_impacts, square_drops, cassie_jumps: JSON file of the laws and their fitted values, which --fit writes; "
      "that of the scenes if left out");
  command
      .add_option(
          "--evaluations", options.evaluations,
          "cube_tosses, planar_impacts, square_drops, cassie_jumps: budget of one fit, evaluations of its measurements")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
}

}  // namespace carom
