#include "carom/study/method_fit.h"

#include <algorithm>
#include <cmath>

#include "carom/error.h"

namespace carom {
namespace {

using Eigen::VectorXd;

/// Root of the mean square of what was measured of a column about its mean.
double spread_of(const FitTrial& trial, int experiments, std::size_t column) {
  double sum = 0, square = 0, count = 0;
  for (int e = 0; e < experiments; ++e) {
    for (const double value : trial.measured(e, column)) {
      if (std::isnan(value)) continue;
      sum += value;
      count += 1;
    }
  }
  for (int e = 0; e < experiments; ++e) {
    for (const double value : trial.measured(e, column)) {
      if (!std::isnan(value)) square += std::pow(value - sum / count, 2);
    }
  }
  return count > 0 ? std::sqrt(square / count) : 0;
}

}  // namespace

MethodFit::MethodFit(const FitStudy& study, const FitData& data, const std::optional<MethodChoice>& method,
                     const std::function<bool()>& stop)
    : study_(study), data_(data), trial_(std::make_unique<FitTrial>(study, data, method, stop)) {
  const int experiments = static_cast<int>(data.motions.size());
  for (std::size_t c = 0; c < study.columns.size(); ++c) {
    const double spread = spread_of(*trial_, experiments, c);
    spread_.push_back(spread > 0 ? spread : 1);
    noise_.push_back(study.columns[c].noise > 0 ? study.columns[c].noise : spread_.back());
  }
  misfit_ = misfit_in(noise_);
  if (measurements() <= misfit_.unknowns()) {
    throw Error(data.file + ": " + std::to_string(measurements()) + " measurements in the columns of the study can't " +
                "determine " + std::to_string(misfit_.unknowns()) + " unknowns");
  }
  for (int e = 0; e < experiments; ++e) static_cast<void>(trial_->run(e, trial_->start()));  // throws with its reason
  search_ = least_misfit_of_starts(misfit_, trial_->start(), starts_options(study));
  cut_ = search_.cut;
  set_best(search_.best);
  settle();
}

StartsOptions starts_options(const FitStudy& study) {
  return {.starts = study.starts, .seed = study.seed, .smooth = study.smooth, .runs = study.runs};
}

bool MethodFit::noise_is_given() const {
  return std::all_of(study_.columns.begin(), study_.columns.end(), [](const FitColumn& c) { return c.noise > 0; });
}

int MethodFit::measurements() const {
  int count = 0;
  for (int e = 0; e < misfit_.experiments(); ++e) count += static_cast<int>(rows(e).size());
  return count;
}

double MethodFit::part_fitted() const { return static_cast<double>(misfit_.unknowns()) / measurements(); }

std::vector<MethodFit::Row> MethodFit::rows(int experiment) const {
  std::vector<Row> rows;
  for (std::size_t c = 0; c < study_.columns.size(); ++c) {
    const std::vector<double>& measured = trial_->measured(experiment, c);
    for (std::size_t i = 0; i < measured.size(); ++i) {
      if (!std::isnan(measured[i])) rows.push_back({static_cast<int>(c), static_cast<int>(i)});
    }
  }
  return rows;
}

Misfit MethodFit::misfit_in(const std::vector<double>& noise) const {
  Misfit misfit;
  misfit.owner.reserve(trial_->coordinates().size());
  for (const FitCoordinate& at : trial_->coordinates()) misfit.owner.push_back(at.experiment);
  misfit.weight.assign(data_.motions.size(), 1.0);
  misfit.loss = study_.loss;
  std::vector<std::vector<Row>> all;
  all.reserve(data_.motions.size());
  for (int e = 0; e < static_cast<int>(data_.motions.size()); ++e) all.push_back(rows(e));
  misfit.residuals = [trial = trial_.get(), noise, all](int e, const VectorXd& u) -> std::optional<VectorXd> {
    const std::optional<FitRun> run = trial->try_run(e, u);
    if (!run) return {};
    const std::vector<Row>& some = all[static_cast<std::size_t>(e)];
    VectorXd r(std::ssize(some));
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto column = static_cast<std::size_t>(some[i].column), instant = static_cast<std::size_t>(some[i].instant);
      r[static_cast<Eigen::Index>(i)] =
          (run->values[column][instant] - trial->measured(e, column)[instant]) / noise[column];
    }
    return r;
  };
  return misfit;
}

void MethodFit::set_best(MisfitPoint best) {
  best_ = std::move(best);
  cut_ = cut_ || best_.cut;
  residuals_ = all_residuals(misfit_, best_.u).value();
}

void MethodFit::go_on(const VectorXd& from) {
  set_best(least_misfit(misfit_, from, all_but(misfit_.unknowns()), smooth(), {.thorough = true, .runs = study_.runs}));
  settle();
}

/// Noise and least misfit in turns, until the noise stays.
void MethodFit::settle() {
  if (noise_is_given()) return;
  for (int round = 0; round < 6; ++round) {
    const bool moved = estimate();
    if (!moved) break;
    misfit_ = misfit_in(noise_);
    set_best(
        least_misfit(misfit_, best_.u, all_but(misfit_.unknowns()), smooth(), {.thorough = true, .runs = study_.runs}));
  }
}

/// Takes the noise from the residuals; false if it stays within a thousandth.
bool MethodFit::estimate() {
  std::vector<std::vector<double>> by_column(noise_.size());
  for (std::size_t e = 0; e < residuals_.size(); ++e) {
    const std::vector<Row> some = rows(static_cast<int>(e));
    for (std::size_t i = 0; i < some.size(); ++i) {
      by_column[static_cast<std::size_t>(some[i].column)].push_back(residuals_[e][static_cast<Eigen::Index>(i)]);
    }
  }
  bool moved = false;
  for (std::size_t c = 0; c < noise_.size(); ++c) {
    if (study_.columns[c].noise > 0) continue;
    // Without any noise at all nothing would be left to divide by.
    const double noise = std::max(noise_[c] * noise_of(by_column[c], part_fitted(), study_.loss), 1e-9 * spread_[c]);
    moved = moved || std::abs(noise / noise_[c] - 1) > 1e-3;
    noise_[c] = noise;
  }
  return moved;
}

}  // namespace carom
