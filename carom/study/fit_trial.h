#pragma once

#include <Eigen/Dense>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "carom/scene/scene_text.h"
#include "carom/study/fit_data.h"
#include "carom/study/fit_study.h"

namespace carom {

/// A simulated experiment at the instants measured.
struct FitRun {
  std::vector<std::vector<double>> values;  ///< by column of the study, by instant
  double first_impact = 0;                  ///< s; infinite if there is none
};

/// One unknown as the fit sees it: those per experiment are there once for each.
struct FitCoordinate {
  int unknown = 0;      ///< of the study
  int experiment = -1;  ///< that it belongs to; −1: all
};

/// The scene of a fit as a function of the unknowns u, each a part of its range.
class FitTrial {
 public:
  /// Throws SceneError or Error if study, scene and data do not fit each other. The argument `method` replaces the
  /// scene's own. Simulations poll `stop` and leave by Stopped when it says so; it may be empty.
  FitTrial(const FitStudy& study, const FitData& data, const std::optional<MethodChoice>& method,
           const std::function<bool()>& stop);

  const std::vector<FitCoordinate>& coordinates() const { return coordinates_; }
  /// The scene's own numbers where they are within the bounds, else the middle.
  const Eigen::VectorXd& start() const { return start_; }
  double value(int coordinate, double u) const;
  /// Measurements of a column of the study.
  const std::vector<double>& measured(int experiment, std::size_t column) const {
    return data_.motions[static_cast<std::size_t>(experiment)].values[data_columns_[column]];
  }

  /// Throws SceneError or Error if the scene makes no sense there, or the run comes to no end.
  FitRun run(int experiment, const Eigen::VectorXd& u) const;
  /// The same; empty in place of Error.
  std::optional<FitRun> try_run(int experiment, const Eigen::VectorXd& u) const;
  /// The scene's text with the unknowns of an experiment in it, and without the columns.
  std::string text(int experiment, const Eigen::VectorXd& u) const;
  std::int64_t runs() const { return runs_; }

 private:
  std::vector<std::pair<std::string, double>> settings(int experiment, const Eigen::VectorXd& u) const;
  void check_columns();
  void check_instants(const Scene& scene) const;
  void check_degrees(std::size_t column, const Scene& scene) const;
  void check_bounds() const;
  void check_experiments() const;
  double start_of(const FitUnknown& unknown) const;

  const FitStudy& study_;
  const FitData& data_;
  std::optional<MethodChoice> method_;
  std::function<bool()> stop_;
  SceneText plain_;
  std::optional<SceneText> scene_;         ///< with an output for each column
  std::vector<std::string> outputs_;       ///< by column of the study
  std::vector<std::size_t> data_columns_;  ///< by column of the study: its column in the data
  std::vector<FitCoordinate> coordinates_;
  Eigen::VectorXd start_;
  mutable std::atomic<std::int64_t> runs_ = 0;
};

}  // namespace carom
