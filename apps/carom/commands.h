#pragma once

#include <optional>
#include <string>
#include <vector>

// The commands behind `carom`. Each returns the program's exit status: 0 done, 1 the run failed, 2 the input is wrong.
namespace carom {

/// carom run
struct RunOptions {
  std::string scene;  ///< or model file; may be empty when resuming: the record carries its scene
  std::optional<std::string> stepper, law, dynamics, cone;
  std::optional<double> step, until;
  std::string out;     ///< record; empty for runs/NAME.h5
  std::string resume;  ///< record to go on with; empty for a new run
  bool json = false;
  // Of a model file alone:
  std::optional<double> drop, friction;
  bool fixed = false;
  std::string keyframe;
  std::vector<std::string> joints;  ///< NAME=VALUE
  std::vector<std::string> search_path;
};
int run_command(const RunOptions& options);

/// carom inspect
struct InspectOptions {
  std::string model;
  std::vector<std::string> search_path;
  bool fixed = false;
  bool json = false;
};
int inspect_command(const InspectOptions& options);

/// carom validate
struct ValidateOptions {
  std::vector<std::string> names;  ///< empty for all that need no data
  std::string data;
  std::string scenes;  ///< folder; empty to look beside the program and in the current folder
  std::string out = "runs";
  bool json = false;
  // of cube_tosses
  bool fit = false;
  int evaluations = 150;  ///< of one fit
  int tosses = 0;         ///< 0 for all
  std::vector<std::string> laws;
  std::vector<std::string> predictions;
};
int validate_command(const ValidateOptions& options);

}  // namespace carom
