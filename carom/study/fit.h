#pragma once

#include <Eigen/Dense>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "carom/study/fit_data.h"
#include "carom/study/fit_study.h"
#include "carom/study/method_choice.h"

// Numbers of a scene fitted to measured motions, and how well the measurements determine them.
//
// The misfit is that of misfit.h. A residual is the measured less the simulated value, over the noise of its column.
// The simulation is interpolated between the ends of steps. Minimisation is described in least_misfit.h, intervals in
// profile.h, and open combinations in fit_statistics.h. The same study gives the same bits on any number of threads.
namespace carom {

struct FitOptions {
  int threads = 0;             ///< 0: as many as there are cores
  std::function<bool()> stop;  ///< polled; may be empty
  /// Told what is being done, and the share of the parts of the work that are done; may be empty.
  std::function<void(const std::string&, double share)> progress;
};

/// One number that was fitted.
struct FittedNumber {
  std::string name;        ///< that of the unknown
  std::string experiment;  ///< that it belongs to; empty: to all
  std::string path;
  double value = 0;
  double lower = 0, upper = 0;               ///< bounds
  double low = 0, high = 0;                  ///< interval of 95 %; NaN: not asked for
  bool open_low = false, open_high = false;  ///< its end is the bound: values down or up to it fit as well
  IntervalSource source = IntervalSource::profile;
  double deviation = 0;                            ///< by the curvature; NaN: not determined
  double bootstrap_low = 0, bootstrap_high = 0;    ///< NaN: no bootstrap
  std::vector<std::pair<double, double>> profile;  ///< value, rise of the misfit
  bool determined() const { return source != IntervalSource::none && !open_low && !open_high; }
};

struct FittedColumn {
  std::string name, formula;
  double noise = 0;  ///< in the column's unit
  bool estimated = false;
  int count = 0;      ///< measurements
  double misfit = 0;  ///< root of the mean square of the residuals, in the column's unit
};

/// A combination of numbers that is not determined.
struct FittedDirection {
  std::vector<std::pair<std::string, double>> parts;  ///< name, and its change along the direction, parts of the range
  double singular = 0;
};

/// Mean of one column's residuals over one phase of all experiments.
struct FitBias {
  std::string column, phase;
  int count = 0;
  double mean = 0, error = 0;  ///< measured less simulated, in the column's unit; error: deviation of the mean
  bool significant() const;
};

/// A method beside others.
struct RankedMethod {
  std::string name;
  double misfit = 0;         ///< root of the mean loss of all, in units of the noise; NaN: left out
  double held_out = 0;       ///< the same of experiments that were held out; NaN without folds
  double low = 0, high = 0;  ///< of the difference of mean squares to the first, 95 %; NaN likewise
  std::string left_out;      ///< why; empty: it was fitted
};

/// One experiment as the fit has it.
struct FittedMotion {
  std::string name;
  std::vector<double> times;
  std::vector<std::vector<double>> measured, fitted;  ///< by column, by instant
  double first_impact = 0;                            ///< s; infinite: none
};

struct FitResult {
  FitStudy study;
  std::string method;  ///< that the numbers are of
  std::vector<FittedNumber> numbers;
  std::vector<FittedColumn> columns;
  std::vector<FittedMotion> motions;
  Eigen::MatrixXd correlations;  ///< of the numbers; NaN where one is not determined
  std::vector<FittedDirection> directions;
  std::vector<FitBias> biases;
  std::vector<RankedMethod> ranking;  ///< best first; one entry if the study names no methods
  bool smooth = true;
  std::string why_not_smooth;  ///< where differences by two steps part, a phrase; empty: the study says it
  double difference = 0;       ///< greatest of those differences, relative
  int starts = 0, agreeing = 0;
  bool cut = false;                    ///< a search ended with its budget of runs
  int measurements = 0;                ///< residuals
  double misfit = 0;                   ///< root of the mean square of residuals over their noise
  double rise = 0;                     ///< of the misfit, that ends an interval
  double serial = 0;                   ///< correlation of neighbouring residuals
  std::int64_t runs = 0;               ///< simulations of one experiment
  std::string text;                    ///< the scene with the numbers in it, of the first experiment
  std::vector<std::string> sentences;  ///< what is to be said of it
};

/// Throws SceneError or Error if study, scene and data do not fit each other, or the start can't be simulated; Stopped
/// when asked to stop.
FitResult fit(const FitStudy& study, const FitData& data, const FitOptions& options = {});

/// Tables and sentences for a terminal.
std::string fit_text(const FitResult& result);
/// One JSON object (docs/manual/json.md). `page`, `scene`: files that were written; empty: none.
std::string fit_json(const FitResult& result, const std::string& page, const std::string& scene);
/// A page: data and fit, residuals, profiles, tables.
void write_fit_page(const FitResult& result, const std::string& path);

}  // namespace carom
