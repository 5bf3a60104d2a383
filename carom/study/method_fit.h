#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "carom/study/fit_statistics.h"
#include "carom/study/fit_trial.h"
#include "carom/study/least_misfit.h"

namespace carom {

/// The options of a search over starts that a study names.
StartsOptions starts_options(const FitStudy& study);

/// The fit of one method: the least misfit, with the noise of columns that is to be estimated.
class MethodFit {
 public:
  /// Searches. Throws as FitTrial does, and Error where the start can't be simulated. The arguments must outlive it.
  MethodFit(const FitStudy& study, const FitData& data, const std::optional<MethodChoice>& method,
            const std::function<bool()>& stop);

  const FitTrial& trial() const { return *trial_; }
  const Misfit& misfit() const { return misfit_; }
  const MisfitPoint& best() const { return best_; }
  const StartsResult& search() const { return search_; }
  const std::vector<double>& noise() const { return noise_; }  ///< by column, in its unit
  bool smooth() const { return search_.smoothness.smooth; }
  bool cut() const { return cut_; }  ///< a search for the best point ended with its budget
  /// True if all noise is given.
  bool noise_is_given() const;
  /// Free numbers over measurements: the part of them that the fit takes up.
  double part_fitted() const;
  int measurements() const;

  /// Goes on from a point of lower misfit, met elsewhere.
  void go_on(const Eigen::VectorXd& from);
  /// The same misfit in units of other noise, as methods are compared in one.
  Misfit misfit_in(const std::vector<double>& noise) const;
  /// The column of each residual of an experiment, and the instant's number.
  struct Row {
    int column, instant;
  };
  std::vector<Row> rows(int experiment) const;
  /// Residuals of the best point, by experiment.
  const std::vector<Eigen::VectorXd>& residuals() const { return residuals_; }

 private:
  void set_best(MisfitPoint best);
  void settle();
  bool estimate();

  const FitStudy& study_;
  const FitData& data_;
  std::unique_ptr<FitTrial> trial_;
  std::vector<double> noise_, spread_;  ///< by column; spread: of what was measured
  Misfit misfit_;
  StartsResult search_;
  MisfitPoint best_;
  std::vector<Eigen::VectorXd> residuals_;
  bool cut_ = false;
};

}  // namespace carom
