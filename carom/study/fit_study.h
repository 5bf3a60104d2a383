#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/scene/diagnostics.h"
#include "carom/study/method_choice.h"
#include "carom/study/misfit.h"

namespace carom {

/// A number of the scene that is fitted.
struct FitUnknown {
  std::string name;
  std::string path;             ///< of its number in the scene, see SceneText
  double lower = 0, upper = 1;  ///< bounds
  bool log = false;             ///< its range is even in the logarithm
  bool per_experiment = false;
  Place place;
};

/// A column of the measurements, and what it is in the scene.
struct FitColumn {
  std::string name;     ///< in the file of measurements
  std::string formula;  ///< over the columns of a record
  double noise = 0;     ///< standard deviation, in the column's unit; 0: estimated from the residuals
  Place place;
};

/// The source of an interval of 95 %.
enum class IntervalSource { profile, curvature, none };

/// Which resamples a bootstrap draws.
enum class Resampled { residuals, experiments };

/// Numbers of a scene to be fitted to measured motions of it.
struct FitStudy {
  std::string file, scene, data;  ///< paths, from the current folder
  std::string scene_text = {};    ///< of the scene; empty: read from its file
  std::vector<FitUnknown> unknowns;
  std::vector<FitColumn> columns;
  std::map<std::string, std::vector<std::pair<std::string, double>>> experiments;  ///< path and number that each has
  Place experiments_place;
  std::vector<MethodChoice> methods;  ///< to be ranked; empty: the scene's own
  Loss loss = Loss::squares;
  int folds = 0;                                       ///< parts of the experiments, each held out once; 0: none
  int starts = 4;                                      ///< of the search
  std::int64_t runs = 0;                               ///< budget of each search, simulations; 0: without a bound
  std::optional<bool> smooth = {};                     ///< whether the motion is, by the unknowns; empty: tested
  IntervalSource intervals = IntervalSource::profile;  ///< the best that numbers are to have
  int bootstrap = 0;                                   ///< resamples; 0: none
  Resampled resampled = Resampled::residuals;
  std::uint64_t seed = 0;
};

/// Reads a study (format: docs/manual/fit.md). Throws SceneError with all faults of the file, each with its line, or
/// Error if there is none. Scene and measurements are not examined.
FitStudy load_fit_study(const std::string& path);
/// The same from text; `file` names it, and scene and data are looked for beside it.
FitStudy parse_fit_study(const std::string& text, const std::string& file);

/// An unknown from "PATH=LOW:HIGH" and a column from "NAME=FORMULA", as the command line has them. Throws Error.
FitUnknown parse_fit_unknown(const std::string& text);
FitColumn parse_fit_column(const std::string& text);

}  // namespace carom
