#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "carom/scene/diagnostics.h"
#include "carom/study/method_choice.h"

namespace carom {

/// A number of the scene, or an orientation, that differs from case to case.
struct SweepVariable {
  enum class Kind {
    values,    ///< each of a list
    uniform,   ///< drawn between a and b
    normal,    ///< drawn, of mean a and standard deviation b
    rotation,  ///< drawn, uniform over all rotations: the four numbers of the orientation at `path`
  };
  std::string name;  ///< of its column; of a rotation NAME.w, .x, .y, .z
  std::string path;  ///< of its number in the scene, see SceneText
  Kind kind = Kind::values;
  std::vector<double> values;
  double a = 0, b = 0;
  Place place;

  bool is_drawn() const { return kind != Kind::values; }
  int numbers() const { return kind == Kind::rotation ? 4 : 1; }     ///< columns
  int dimensions() const { return kind == Kind::rotation ? 3 : 1; }  ///< of the unit cube that it is drawn from
};

/// Rows of numbers from a CSV file, a case each.
struct SweepTable {
  std::string file;
  std::vector<std::string> paths;  ///< its header
  std::vector<std::vector<double>> rows;
};

/// A way to draw points from the unit cube.
enum class SweepSampling { random, latin, sobol };

/// Runs whose result is kept as a record.
enum class KeptRecords { none, not_ok, all };

/// A study of many runs of one scene. Its cases are all combinations of methods, values of each variable with a list,
/// rows of the table, and draws. The draws change fastest, the methods slowest.
struct SweepStudy {
  std::string file, scene;  ///< paths, the scene's from the current folder
  std::vector<SweepVariable> variables;
  SweepTable table;                                          ///< no rows: none
  std::vector<MethodChoice> methods;                         ///< empty: the scene's own
  std::vector<std::pair<std::string, std::string>> outputs;  ///< beside the scene's: name, formula
  int runs = 1;                                              ///< draws
  std::uint64_t seed = 0;
  SweepSampling sampling = SweepSampling::random;
  KeptRecords keep = KeptRecords::none;
  std::int64_t iterations = 0;  ///< of a case's solvers, together, before it is stopped; 0: no bound

  bool draws() const;
};

/// Reads a study (format: docs/manual/sweep.md). Throws SceneError with all faults of the file, each with its line, or
/// Error if there is none. The scene is not examined.
SweepStudy load_sweep_study(const std::string& path);
/// The same from text; `file` names it, and scene and table are looked for beside it.
SweepStudy parse_sweep_study(const std::string& text, const std::string& file);

}  // namespace carom
