#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene_options.h"

// The commands behind `carom`. Each returns the program's exit status: 0 done, 1 the run failed, 2 the input is wrong.
namespace carom {

/// carom run
struct RunOptions {
  SceneOptions source;  ///< its scene may be empty when resuming: the record carries its own
  std::optional<std::string> stepper, law, dynamics, cone, smooth;
  std::optional<double> step, accuracy, until, contact_tolerance;
  std::vector<std::string> outputs;              ///< NAME=FORMULA, beside those of the scene
  std::string out;                               ///< record; empty for runs/NAME.h5
  bool force = false;                            ///< whether the record of another scene may be replaced
  std::string resume;                            ///< record to go on with; empty for a new run
  bool keep_record = true, write_report = true;  ///< no report without a record
  std::string check_step = "auto";               ///< auto, off, on, or a number of windows
  std::optional<double> require_accuracy;        ///< m; the run fails where its motion is not known so well
  bool json = false;
  bool quiet = false;  ///< nothing on standard output, and no progress
};
int run_command(const RunOptions& options);

/// carom compare
struct CompareOptions {
  SceneOptions source;
  std::vector<std::string> methods;  ///< STEPPER/LAW; empty for all that make sense
  std::string cone = "exact";
  std::optional<double> step, until, tolerance;
  double budget = 10;
  std::string out;     ///< page; empty for runs/NAME-compare.html
  bool force = false;  ///< whether records of another scene may be replaced
  bool json = false;
};
int compare_command(const CompareOptions& options);

/// carom converge
struct ConvergeOptions {
  SceneOptions source;
  std::vector<std::string> methods;                  ///< STEPPER/LAW; empty for the scene's own
  std::vector<double> steps;                         ///< s; empty for the scene's, halved six times
  std::vector<double> accuracies{1e-2, 1e-3, 1e-4};  ///< that runs choose their steps by
  bool fixed_steps = false;                          ///< none of those
  std::optional<std::string> cone, smooth;
  std::optional<double> until;
  double budget = 10;
  std::string out;  ///< page; empty for runs/NAME-converge.html
  bool json = false;
};
int converge_command(const ConvergeOptions& options);

/// carom impact
struct ImpactOptions {
  SceneOptions source;
  std::string at = "first";       ///< first, start, or a time, s
  std::vector<std::string> laws;  ///< empty for all
  std::optional<double> until;    ///< end of the search, s
  std::optional<double> blend;    ///< restitution of the blends
  int budget = 20000;             ///< momenta of each enumeration
  double patience = 30;           ///< computing time of the search, s
  std::string out;                ///< page; empty for runs/NAME-impact.html
  bool json = false;
};
int impact_command(const ImpactOptions& options);

/// carom design
struct DesignCommandOptions {
  std::string study;
  std::string out;  ///< scene to write; empty for none
  bool json = false;
};
int design_command(const DesignCommandOptions& options);

/// carom sweep
struct SweepCommandOptions {
  std::string study;
  std::string out;                  ///< table (CSV); empty for runs/STUDY.csv
  int threads = 0;                  ///< 0 for all cores
  std::string part;                 ///< "I/N"; empty for all cases
  std::string engine = "local";     ///< or slurm
  int chunks = 8;                   ///< of a Slurm job array
  std::vector<std::string> sbatch;  ///< further options of the job
  std::string page;                 ///< empty for the table's name with .html
  bool write_page = true;
  bool force = false, quiet = false, json = false;
};
int sweep_command(const SweepCommandOptions& options);

/// carom fit
struct FitCommandOptions {
  std::string study, data;                     ///< data: of the short form, where `study` is a scene; empty for a study
  std::vector<std::string> unknowns, columns;  ///< of the short form: NAME=LOW:HIGH, NAME=FORMULA
  std::string loss;                            ///< likewise; empty for squares
  std::string out;                             ///< scene to write; empty for none
  std::string page;                            ///< empty for runs/NAME-fit.html
  int threads = 0;                             ///< 0 for all cores
  bool quiet = false, json = false;
};
int fit_command(const FitCommandOptions& options);

/// carom new
struct NewOptions {
  std::string kind;   ///< one of new_kinds()
  std::string file;   ///< scene to write; one that is there stays
  std::string model;  ///< of a robot: its URDF, SDFormat or MJCF file
};
const std::vector<std::string>& new_kinds();
int new_command(const NewOptions& options);

/// carom inspect
struct InspectOptions {
  std::string model;
  std::vector<std::string> search_path;
  bool fixed = false, relax_inertia = false;
  std::string meshes, parts_folder;  ///< as in SceneOptions
  bool json = false;
};
int inspect_command(const InspectOptions& options);

/// carom view
struct ViewOptions {
  std::vector<std::string> records;
  std::string out;  ///< page; empty for one beside the first record
  bool open = false;
  std::string png, mp4;
  std::optional<double> time;   ///< of the picture, s
  std::optional<double> speed;  ///< of the film
  std::optional<int> rate;      ///< of the film, pictures a second
  // For both: "WxH" in pixels, a body of the first run, places in m, angles in degrees.
  std::string size, follow;
  std::vector<double> camera, target;
  std::optional<double> azimuth, elevation, distance;
};
int view_command(const ViewOptions& options);

/// carom export
struct ExportOptions {
  std::string record;
  std::string csv, sto, gltf;        ///< files to write; empty for none
  std::vector<std::string> columns;  ///< patterns of names; empty for all
  bool list = false;
  bool json = false;
};
int export_command(const ExportOptions& options);

}  // namespace carom
