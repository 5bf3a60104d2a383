#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/stepper/catalogue.h"
#include "carom/study/misfit.h"
#include "carom/version.h"
#include "command_words.h"
#include "commands.h"
#include "commit.h"
#include "help_text.h"
#include "interrupt.h"
#include "memory_end.h"
#include "pages_command.h"
#include "problem_commands.h"
#include "standard_output.h"
#include "told_faults.h"
#include "validate_options.h"
#include "validate_program.h"

namespace {

constexpr const char* run_help =
    R"(Simulates a scene: writes a record (HDF5) and a report (HTML page), prints a summary.

Example
  carom run scenes/stewart2000/four_balls.yaml --step 0.001 --out balls.h5
  carom run scenes/seghete2014/trex.yaml --set front=0.08
  carom run robot.urdf --drop 0.3 --joint knee=-1.2
  carom run --resume balls.h5 --until 2)";

constexpr const char* compare_help =
    R"(Simulates a scene under every stepper and law that makes sense for it, or those named, each with a step short enough,
and tells what agrees, what does not, where they part and which impact did it. Writes a page and a record of each run.

Example
  carom compare scenes/ball_row.yaml
  carom compare robot.urdf --drop 0.3 --methods stewart-trinkle,semi-explicit/plus --tolerance 0.001)";

constexpr const char* converge_help =
    R"(Simulates a scene with steps that are halved, and tells the order at which its motion settles, what the smallest step
is off by, and how far it is from the event-driven motion under the same law.

Example
  carom converge scenes/sliding_box.yaml
  carom converge scenes/tumbling_brick.yaml --methods semi-explicit/plus --steps 0.0005,0.00025,0.000125)";

constexpr const char* impact_help =
    R"(Takes the impact at a scene's start, or the first one of its motion, apart: where every impact law leads, every outcome
that impacts at one contact after another can have, in any order, and whether there is only one. Writes a page with a picture.
Ends with status 1 if nothing strikes.

Example
  carom impact scenes/seghete2014/billiard_break.yaml
  carom impact robot.urdf --drop 0.3 --law plus,stronge --json)";

constexpr const char* design_help =
    R"(Changes numbers of a scene as little as possible so that contacts close and their normals stand at angles for which a
simultaneous impact has one outcome. Tells what each number had to give. Ends with status 1 if the conditions can't be met.

Example
  carom design scenes/studies/trex.yaml --out designed.yaml)";

constexpr const char* sweep_help =
    R"(Runs a scene many times, with other numbers and methods as a study says: grids, lists, tables, random draws. Writes a
table of outputs and certificates, a line for each run. A sweep that was stopped or killed goes on by the same command.

Example
  carom sweep scenes/sweeps/toss.yaml
  carom sweep scenes/sweeps/toss.yaml --threads 2 --out runs/tosses.csv
  carom sweep scenes/sweeps/toss.yaml --engine slurm --chunks 16)";

constexpr const char* fit_help =
    R"(Fits numbers of a scene to measured motions of it (CSV or HDF5): values, intervals of 95 %, correlations, methods
ranked, and which numbers the measurements do not determine.

Example
  carom fit scenes/fits/bouncing_ball.yaml --out runs/fitted_ball.yaml
  carom fit scenes/thrown_ball.yaml scenes/fits/bouncing_ball.csv --column z=ball.position.z --unknown restitution=0.3:0.99)";

constexpr const char* new_help =
    R"(Each scene runs as it is, and its comments say what to change first.

Example
  carom new mechanism lever.yaml
  carom new impact strike.yaml
  carom new robot walker.yaml --model robot.urdf)";

constexpr const char* inspect_help =
    R"(Lists what a model file holds, with lines: links, joints, frames, shapes, friction, keyframes; and everything that
the file says and Carom does not use.

Example
  carom inspect robot.urdf)";

constexpr const char* solve_help =
    R"(Solves a frictional contact problem from a file (FCLib, HDF5, or a text of Siconos), or a linear complementarity
problem, mixed or not (a text of Siconos), and says how well. Ends with status 1 if it was not solved: because there is no
solution, shown by a dual vector, or with what residual. A step of implicit-geometry or quasi-rigid that was kept by carom
problem is taken again.

Example
  carom solve stack.hdf5
  carom solve circuit_mlcp.dat
  carom solve stack.hdf5 --cone polyhedral --directions 16 --out solved.hdf5 --json
  carom solve heap-step-57.h5 --iterations 500 --halvings 8)";

constexpr const char* problem_help =
    R"(Writes the contact problem of one step of a recorded run as a problem file (FCLib, HDF5), for other solvers or for
carom solve. Steps of implicit-geometry and quasi-rigid hold their geometry, and are kept as records of one step.

Example
  carom problem balls.h5 --step 120)";

constexpr const char* view_help =
    R"(Makes one page of recorded runs, played in three dimensions over one time line: several are laid over one another.

Example
  carom view balls.h5 --open
  carom view newton.h5 poisson.h5 plus.h5 --out laws.html
  carom view balls.h5 --png balls.png --time 0.5
  carom view balls.h5 --mp4 balls.mp4 --speed 0.25 --rate 60 --size 1920x1080
  carom view robot.h5 --png robot.png --azimuth 30 --elevation 15 --distance 2 --follow trunk)";

constexpr const char* export_help =
    R"(Writes numbers of a recorded run as a table: poses and velocities in the world, joints, mass centres, contact forces,
energies, a line per recorded instant. A column is asked for by its name, with * and ? as wildcards. As glTF the shapes
with their motion, for Blender and other programs that draw.

Example
  carom export balls.h5 --list
  carom export balls.h5 --csv balls.csv
  carom export balls.h5 --csv forces.csv --column '*.force.*' --column '*.position.z'
  carom export balls.h5 --sto balls.sto
  carom export balls.h5 --gltf balls.glb)";

const std::vector<std::string> cones{"polyhedral", "exact"}, smooths{"second-order", "first-order"};

constexpr const char* or_record = ", or a record, whose model and start are taken";

/// The scene of a command, and the options of model files.
void add_scene(CLI::App& command, carom::SceneOptions& options, const std::string& more = "") {
  if (more == or_record) options.wanted = "a scene (YAML), a model (URDF, SDFormat, MJCF) or a record (.h5)";
  command.add_option("scene", options.scene, "scene (YAML) or model (URDF, SDFormat, MJCF)" + more);
  command.add_option("--set", options.settings,
                     "of a scene: another value for a parameter or a number of it, NAME=VALUE; may be repeated");
  command.add_option("--drop", options.drop, "of a model: height of its lowest point above a ground at the start, m");
  command.add_option("--joint", options.joints,
                     "of a model: where a joint starts, NAME=VALUE (rad or m); may be repeated");
  command.add_option("--keyframe", options.keyframe, "of a model: the keyframe at which it starts");
  command.add_option("--friction", options.friction,
                     "of a model: coefficient where the file gives none; 0.8 if left out");
  command.add_option("--search-path", options.search_path, "of a model: folder for package:// and model://");
  command.add_flag("--fixed", options.fixed, "of a model: weld its base to the world");
  command
      .add_option(
          "--meshes", options.meshes,
          "of a model: what stands for colliding meshes that are not convex: their convex hulls, or convex parts")
      ->check(CLI::IsMember({"hulls", "parts"}));
  command.add_option(
      "--decompose-to", options.parts_folder,
      "of a model: folder to keep the convex parts in, which are then made; the user's cache if left out");
  command.add_flag("--relax-inertia", options.relax_inertia,
                   "of a model: take the nearest inertia that a body can have in place of one that none can");
  command
      .add_option("--self-collision", options.self_collision,
                  "of a model: which of its links touch one another: auto (without near links that overlap where the "
                  "file puts them), all or none")
      ->check(CLI::IsMember({"auto", "all", "none"}));
}

void add_run(CLI::App& app, carom::RunOptions& options) {
  CLI::App* run = app.add_subcommand("run", "Simulate a scene")->footer(run_help);
  add_scene(*run, options.source, "; may be left out with --resume");
  const auto any = [](const auto&) { return true; };
  const carom::Catalogue& catalogue = carom::default_catalogue();
  run->add_option("--stepper", options.stepper, "how time advances")->check(carom::offer(catalogue.steppers_that(any)));
  run->add_option("--law", options.law, "what an impact does")->check(carom::offer(catalogue.laws_that(any)));
  run->add_option("--dynamics", options.dynamics, "who solves for accelerations")
      ->check(carom::offer({"articulated", "divide-and-conquer", "dense"}));
  run->add_option("--cone", options.cone,
                  "friction cone; if left out the scene's, which is exact unless it asks for a polygon")
      ->check(carom::offer(cones));
  run->add_option(
         "--smooth", options.smooth,
         "what happens between impacts, by the time steppers: of second order in the step, or first-order; the "
         "scene's if left out")
      ->check(carom::offer(smooths));
  run->add_option("--step", options.step, "step size, s");
  run->add_option("--accuracy", options.accuracy,
                  "error of a step as a part of the way that bodies go in it, as 1e-3: each step is taken in parts as "
                  "short as that asks for");
  run->add_option("--contact-tolerance", options.contact_tolerance,
                  "residual that is enough of contacts that move in heaps and walls, 1e-9 to 1e-3; the scene's if left "
                  "out");
  run->add_option("--until", options.until, "end of the run, s; the scene's duration if left out");
  run->add_option("--output", options.outputs,
                  "number to record and sum up beside the scene's: NAME=FORMULA over the record's columns, as in "
                  "peak='max(abs(hip.rate))'; may be repeated")
      ->allow_extra_args(false);
  CLI::Option* out = run->add_option(
      "--out", options.out,
      "record to write; if left out runs/NAME.h5, with what the options change in NAME. The report lies beside it");
  run->add_flag("--force", options.force,
                "replace the record of another scene, or a file that is no record, of the same name");
  CLI::Option* resume = run->add_option("--resume", options.resume, "go on with this record");
  run->add_flag("!--no-report", options.write_report, "write no page");
  run->add_flag("!--no-record", options.keep_record, "keep neither record nor page, only what is printed")
      ->excludes(out)
      ->excludes(resume);
  run->add_option("--check-step", options.check_step,
                  "how well the motion is known: auto (the whole again at half the step if that is about a second's "
                  "work, else windows), on (the whole in any case), off, or N windows along the run")
      ->capture_default_str();
  run->add_option("--require-accuracy", options.require_accuracy,
                  "m: the run fails (status 1) if its motion is not known so well; checks the whole run");
  CLI::Option* json = run->add_flag("--json", options.json, "print one JSON object on standard output");
  run->add_flag("--quiet", options.quiet, "print no summary and no progress; warnings and the status stay")
      ->excludes(json);
}

void add_compare(CLI::App& app, carom::CompareOptions& options) {
  CLI::App* compare = app.add_subcommand("compare", "Simulate a scene under every law")->footer(compare_help);
  add_scene(*compare, options.source, or_record);
  compare->get_option("scene")->required();
  compare->add_option("--methods", options.methods, "STEPPER/LAW, …; all that make sense if left out")->delimiter(',');
  compare->add_option("--tolerance", options.tolerance,
                      "each step is halved until the motion changes by less, m; if left out 1/200 of its extent");
  compare->add_option("--cone", options.cone, "friction cone of the time steppers")
      ->check(carom::offer(cones))
      ->capture_default_str();
  compare->add_option("--step", options.step, "step to begin with, s; the scene's if left out");
  compare->add_option("--until", options.until, "end of the runs, s; the scene's duration if left out");
  compare->add_option("--budget", options.budget, "seconds of computing for each method")->capture_default_str();
  compare->add_option(
      "--out", options.out,
      "page to write; if left out runs/NAME-compare.html, with what the options change in NAME. Records "
      "lie in a folder beside it");
  compare->add_flag("--force", options.force, "replace the records of another scene of the same name");
  compare->add_flag("--json", options.json, "print one JSON object on standard output");
}

void add_converge(CLI::App& app, carom::ConvergeOptions& options) {
  CLI::App* converge = app.add_subcommand("converge", "Refine the step of a scene")->footer(converge_help);
  add_scene(*converge, options.source, or_record);
  converge->get_option("scene")->required();
  converge->add_option("--methods", options.methods, "STEPPER/LAW, …; the scene's own if left out")->delimiter(',');
  converge->add_option("--steps", options.steps, "steps, s; the scene's, halved six times, if left out")
      ->delimiter(',');
  CLI::Option* accuracies = converge->add_option("--accuracies", options.accuracies,
                                                 "accuracies that the method chooses its steps by, beside the steps");
  accuracies->delimiter(',')->capture_default_str();
  converge->add_flag("--fixed-steps", options.fixed_steps, "run none by an accuracy")->excludes(accuracies);
  converge->add_option("--cone", options.cone, "friction cone; the scene's if left out")->check(carom::offer(cones));
  converge->add_option("--smooth", options.smooth, "what happens between impacts; the scene's if left out")
      ->check(carom::offer(smooths));
  converge->add_option("--until", options.until, "end of the runs, s; the scene's duration if left out");
  converge->add_option("--budget", options.budget, "seconds of computing for each method")->capture_default_str();
  converge->add_option("--out", options.out, "page; runs/NAME-converge.html if left out");
  converge->add_flag("--json", options.json, "print one JSON object on standard output");
}

void add_impact(CLI::App& app, carom::ImpactOptions& options) {
  CLI::App* impact = app.add_subcommand("impact", "Tell an impact under every law, and all its outcomes");
  impact->footer(impact_help);
  add_scene(*impact, options.source, or_record);
  impact->get_option("scene")->required();
  impact
      ->add_option("--at", options.at,
                   "which impact: first (that of the start, or the first of the motion), start, or the first after a "
                   "time, s")
      ->capture_default_str();
  impact->add_option("--law,--laws", options.laws, "laws to apply, A,B,…; all if left out")->delimiter(',');
  impact->add_option("--until", options.until,
                     "where the search for an impact ends, s; the scene's duration if left out");
  impact->add_option("--patience", options.patience, "computing time that the search for the impact may take, s")
      ->capture_default_str();
  impact->add_option("--budget", options.budget, "most momenta that each enumeration of outcomes visits")
      ->capture_default_str();
  impact->add_option("--blend", options.blend,
                     "restitution of outcomes between plastic and elastic; that of the contacts if left out");
  impact->add_option("--out", options.out,
                     "page to write; if left out runs/NAME-impact.html, with what the options change in NAME");
  impact->add_flag("--json", options.json, "print one JSON object on standard output");
}

void add_design(CLI::App& app, carom::DesignCommandOptions& options) {
  CLI::App* design = app.add_subcommand("design", "Make a mechanism's impacts predictable")->footer(design_help);
  design->add_option("study", options.study, "study (YAML): scene, unknowns, contacts, conditions")->required();
  design->add_option("--out", options.out, "scene to write: the study's with the designed numbers");
  design->add_flag("--json", options.json, "print one JSON object on standard output");
}

void add_sweep(CLI::App& app, carom::SweepCommandOptions& options) {
  CLI::App* sweep =
      app.add_subcommand("sweep", "Run a scene many times, on all cores or a cluster")->footer(sweep_help);
  sweep->add_option("study", options.study, "study (YAML): scene, vary, table, methods, outputs, runs")->required();
  sweep->add_option("--out", options.out,
                    "table to write (CSV), with the same as HDF5 and the journal beside it; if left "
                    "out runs/STUDY.csv");
  sweep->add_option("--threads", options.threads, "runs at a time; 0: as many as there are cores")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  sweep->add_option("--part", options.part,
                    "one part of the cases alone, I/N; without --part the parts are put together");
  sweep->add_option("--engine", options.engine, "local, or slurm: a job array that this command waits for")
      ->check(CLI::IsMember({"local", "slurm"}))
      ->capture_default_str();
  sweep->add_option("--chunks", options.chunks, "parts of a job array")->capture_default_str();
  sweep->add_option("--sbatch", options.sbatch, "option of the job, as in --sbatch=--partition=long; may be repeated")
      ->allow_extra_args(false);
  sweep->add_option("--page", options.page, "page to write; if left out TABLE.html");
  sweep->add_flag("!--no-page", options.write_page, "write no page");
  sweep->add_flag("--force", options.force,
                  "forget what an earlier sweep of this name has done, and replace files that are no sweep's");
  sweep->add_flag("--quiet", options.quiet, "print no summary and no progress");
  sweep->add_flag("--json", options.json, "print one JSON object on standard output");
}

void add_fit(CLI::App& app, carom::FitCommandOptions& options) {
  CLI::App* fit = app.add_subcommand("fit", "Fit numbers of a scene to measured motions")->footer(fit_help);
  fit->add_option("study", options.study, "study (YAML): scene, data, columns, unknowns; or a scene, with its data")
      ->required();
  fit->add_option("data", options.data, "measurements (CSV or HDF5) of the scene that stands before them");
  fit->add_option("--unknown", options.unknowns, "NAME=LOW:HIGH, a number of the scene to fit; may be repeated")
      ->allow_extra_args(false);
  fit->add_option("--column", options.columns,
                  "NAME=FORMULA, what a column of the data is, as z=ball.position.z; may be repeated")
      ->allow_extra_args(false);
  fit->add_option("--loss", options.loss, "of residuals: squares, or soft_l1 or huber where some lie far out")
      ->check(CLI::IsMember(carom::loss_names()));
  fit->add_option("--out", options.out, "scene to write, with the fitted numbers");
  fit->add_option("--page", options.page, "page to write; if left out runs/STUDY-fit.html");
  fit->add_option("--threads", options.threads, "runs at a time; 0: as many as there are cores")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  fit->add_flag("--quiet", options.quiet, "print nothing");
  fit->add_flag("--json", options.json, "print one JSON object on standard output");
}

void add_new(CLI::App& app, carom::NewOptions& options) {
  CLI::App* made = app.add_subcommand("new", "Write a scene to begin with")->footer(new_help);
  made->add_option("kind", options.kind, "a robot from a model file, a mechanism with play and a stop, or one impact")
      ->required()
      ->check(carom::offer(carom::new_kinds()));
  made->add_option("file", options.file, "scene to write, NAME.yaml; a file that is there stays")->required();
  made->add_option("--model", options.model, "of a robot: its URDF, SDFormat or MJCF file");
}

void add_inspect(CLI::App& app, carom::InspectOptions& options) {
  CLI::App* inspect = app.add_subcommand("inspect", "Tell what a model file holds")->footer(inspect_help);
  inspect->add_option("model", options.model, "URDF, SDFormat or MJCF file")->required();
  inspect->add_option("--search-path", options.search_path, "folder for package:// and model://; may be repeated");
  inspect->add_flag("--relax-inertia", options.relax_inertia,
                    "take the nearest inertia that a body can have in place of one that none can");
  inspect->add_flag("--fixed", options.fixed, "weld its base to the world");
  inspect
      ->add_option("--meshes", options.meshes, "hulls, or convex parts in place of meshes that are not convex: parts")
      ->check(CLI::IsMember({"hulls", "parts"}));
  inspect->add_option("--decompose-to", options.parts_folder, "folder to keep the convex parts in");
  inspect->add_flag("--json", options.json, "print one JSON object on standard output");
}

void add_solve(CLI::App& app, carom::SolveOptions& options) {
  CLI::App* solve = app.add_subcommand("solve", "Solve a contact problem from a file")->footer(solve_help);
  solve->add_option("problem", options.problem, "problem file (FCLib, or a text of Siconos), or a kept step")
      ->required();
  solve->add_option("--cone", options.choices.cone, "friction cone; if left out what the file says, else exact")
      ->check(carom::offer(cones));
  solve->add_option("--directions", options.choices.directions, "generators of a polyhedral cone; 8 if left out");
  solve
      ->add_option("--method", options.choices.method,
                   "of the exact cone: gauss_seidel or proximal alone, or newton: all but the sweeps")
      ->check(carom::offer({"gauss_seidel", "proximal", "newton"}));
  solve->add_option("--tolerance", options.choices.tolerance, "residual to reach, relative; 1e-9 if left out");
  solve->add_option("--iterations", options.iterations, "of a kept step: Newton iterations of one try");
  solve->add_option("--halvings", options.halvings, "of a kept step: how often it may be cut in two");
  solve->add_option("--out", options.out, "file to write, with the solution");
  solve->add_flag("--warm-start", options.warm_start, "start from the file's first guess");
  solve->add_flag("--json", options.json, "print one JSON object on standard output");
}

void add_problem(CLI::App& app, carom::ProblemOptions& options) {
  CLI::App* problem = app.add_subcommand("problem", "Take a step's contact problem out of a run");
  problem->footer(problem_help);
  problem->add_option("record", options.record, "record of a run (HDF5)")->required();
  problem->add_option("--step", options.step, "number of the step, from 1")->required();
  problem->add_option("--out", options.out, "file to write; RECORD-step-N.hdf5 if left out");
  problem->add_flag("--json", options.json, "print one JSON object on standard output");
}

void add_view(CLI::App& app, carom::ViewOptions& options) {
  CLI::App* view = app.add_subcommand("view", "Make a page that plays recorded runs")->footer(view_help);
  view->add_option("records", options.records, "records of runs (HDF5)")->required();
  view->add_option("--out", options.out,
                   "page to write; beside the first record if left out, none if only --png or --mp4 is asked for");
  view->add_flag("--open", options.open, "show it in the browser");
  view->add_option("--png", options.png, "picture to write of the scene, PNG; needs chromium");
  view->add_option("--time", options.time, "of the picture, s; the start if left out");
  view->add_option("--mp4", options.mp4, "film to write; needs chromium and ffmpeg");
  view->add_option("--speed", options.speed, "of the film; 1, the speed of life, if left out");
  view->add_option("--rate", options.rate, "of the film, pictures a second; 30 if left out");
  view->add_option("--size", options.size, "of picture and film in pixels, WIDTHxHEIGHT; 1280x800 if left out");
  const auto place = [&](const char* name, std::vector<double>& numbers, const char* what) {
    view->add_option(name, numbers, what)->delimiter(',')->expected(3)->type_name("X,Y,Z");
  };
  place("--camera", options.camera, "where the camera stands, m; else it sees everything");
  place("--target", options.target, "what it looks at, m; the middle of the motion, or the body that it follows");
  view->add_option("--azimuth", options.azimuth, "direction of the camera from there about z, from x on, degrees");
  view->add_option("--elevation", options.elevation, "its angle above the horizontal, degrees");
  view->add_option("--distance", options.distance, "how far it is away, m");
  view->add_option("--follow", options.follow, "body of the first run that the camera goes with");
}

void add_export(CLI::App& app, carom::ExportOptions& options) {
  CLI::App* command = app.add_subcommand("export", "Write a recorded run as a table or as glTF");
  command->footer(export_help);
  command->add_option("record", options.record, "record of a run (HDF5)")->required();
  command->add_option("--csv", options.csv, "table to write, comma-separated");
  command->add_option("--sto", options.sto, "table to write in OpenSim's storage format; .sto or .mot");
  command->add_option("--gltf", options.gltf, "shapes and motion to write as glTF 2.0: .gltf is a text, .glb binary");
  command->add_option("--column", options.columns, "columns by name, * and ? stand for anything; all if left out")
      ->allow_extra_args(false);
  command->add_flag("--list", options.list, "print names, units and meanings of the columns");
  command->add_flag("--json", options.json, "print one JSON object on standard output");
}

/// Reads the words of the command line. The exit status where they end the program: help, a version, or a fault.
std::optional<int> parse(CLI::App& app, const std::vector<std::string>& given) {
  app.failure_message([](const CLI::App* parsed, const CLI::Error& error) {
    const std::vector<CLI::App*> commands = parsed->get_subcommands();
    const std::string command = commands.empty() ? "" : " " + commands.front()->get_name();
    return "carom" + command + ": " + error.what() + "; see carom help" + command + "\n";
  });
  std::vector<std::string> words = carom::asking_for_help(given);
  if (const std::string fault = carom::command_fault(app, words); !fault.empty()) {
    std::cerr << "carom: " << fault << "\n";
    return 2;
  }
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  try {
    app.parse(std::move(words));
  } catch (const CLI::ExtrasError& error) {
    const std::string fault = carom::option_fault(app);
    if (fault.empty()) return app.exit(error) == 0 ? 0 : 2;
    std::cerr << "carom: " << fault << "\n";
    return 2;
  } catch (const CLI::ParseError& error) {
    // CLI11 exits with 100 and more for wrong words; help and version end with 0.
    return app.exit(error) == 0 ? 0 : 2;
  }
  return std::nullopt;
}

/// Does the program's work. Returns its exit status, with sentences of what went wrong on standard error.
int run_program(int argc, char** argv) {
  CLI::App app("Carom simulates mechanisms whose parts touch, slide, stick and strike one another.", "carom");
  app.formatter(carom::help_formatter());
  app.set_version_flag("--version", std::string("carom " CAROM_VERSION " (commit ") + carom::commit + ")");
  app.require_subcommand(1);
  carom::RunOptions run;
  carom::ValidateOptions validate;
  carom::CompareOptions compare;
  carom::ConvergeOptions converge;
  add_run(app, run);
  add_compare(app, compare);
  add_converge(app, converge);
  carom::ImpactOptions impact;
  add_impact(app, impact);
  carom::describe_validate(*app.add_subcommand("validate", carom::validate_line), validate);
  carom::DesignCommandOptions design;
  add_design(app, design);
  carom::SweepCommandOptions sweep;
  add_sweep(app, sweep);
  carom::FitCommandOptions fit;
  add_fit(app, fit);
  carom::SolveOptions solve;
  carom::ProblemOptions problem;
  add_solve(app, solve);
  add_problem(app, problem);
  carom::NewOptions made;
  add_new(app, made);
  carom::InspectOptions inspect;
  add_inspect(app, inspect);
  carom::ViewOptions view;
  add_view(app, view);
  carom::ExportOptions exported;
  add_export(app, exported);
  std::string pages;
  app.add_subcommand("pages", "Write the manual pages")->group("")->add_option("folder", pages)->required();
  if (const std::optional<int> status = parse(app, {argv + 1, argv + argc})) return *status;
  return carom::telling_faults_of([&]() -> int {
    if (app.got_subcommand("run")) return carom::run_command(run);
    if (app.got_subcommand("compare")) return carom::compare_command(compare);
    if (app.got_subcommand("converge")) return carom::converge_command(converge);
    if (app.got_subcommand("impact")) return carom::impact_command(impact);
    if (app.got_subcommand("design")) return carom::design_command(design);
    if (app.got_subcommand("sweep")) return carom::sweep_command(sweep);
    if (app.got_subcommand("fit")) return carom::fit_command(fit);
    if (app.got_subcommand("new")) return carom::new_command(made);
    if (app.got_subcommand("inspect")) return carom::inspect_command(inspect);
    if (app.got_subcommand("solve")) return carom::solve_command(solve);
    if (app.got_subcommand("problem")) return carom::problem_command(problem);
    if (app.got_subcommand("export")) return carom::export_command(exported);
    if (app.got_subcommand("view")) return carom::view_command(view);
    if (app.got_subcommand("pages")) return carom::pages_command(app, pages);
    carom::become_validate({argv + 2, argv + argc});
  });
}

}  // namespace

int main(int argc, char** argv) {
  // A file that may grow no longer is a write that fails, which is told.
  std::signal(SIGXFSZ, SIG_IGN);
  carom::release_interrupts();
  carom::keep_memory_for_the_end();
  const int status = carom::finish_standard_output(run_program(argc, argv));
  if (carom::work_was_left()) std::_Exit(status);
  return status;
}
