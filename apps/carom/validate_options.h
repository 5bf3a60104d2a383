#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

// The command line of `carom validate`, which the command describes and carom-validate reads.
namespace carom {

struct ValidateOptions {
  std::vector<std::string> names;  ///< empty for all that need no data
  std::string data;                ///< measurements for a validation that is named
  std::string scenes;              ///< folder; empty to look beside the program and in the current folder
  std::string out = "runs";
  bool json = false;
  std::string fits;  ///< planar_impacts, square_drops, cassie_jumps: empty for the scenes' own
  // options of cube_tosses; tosses, laws, fit and evaluations are those of square_drops too, the last three of
  // planar_impacts and cassie_jumps
  bool fit = false;
  int evaluations = 150;  ///< of one fit
  int tosses = 0;         ///< 0 for all
  std::vector<std::string> laws;
  std::vector<std::string> predictions;
};

constexpr const char* validate_line = "Compare with papers and measurements";

/// Adds the options to the command, which fills `options` when it is parsed.
void describe_validate(CLI::App& command, ValidateOptions& options);

}  // namespace carom
