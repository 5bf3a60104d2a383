#include "carom/study/fit.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "carom/error.h"
#include "carom/study/fit_ranking.h"
#include "carom/study/fit_words.h"
#include "carom/study/method_fit.h"
#include "carom/study/no_number.h"
#include "carom/study/profile.h"
#include "carom/study/quantile.h"
#include "carom/study/thread_count.h"

namespace carom {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_profiles = 12;  // of numbers; where there are more, those that belong to one experiment have none

/// All residuals of the best point, one after the other.
std::vector<double> flat(const std::vector<VectorXd>& residuals) {
  std::vector<double> all;
  for (const VectorXd& some : residuals) all.insert(all.end(), some.data(), some.data() + some.size());
  return all;
}

/// Parts of the work, reported as they begin: a fit of each method, folds, profiles, a bootstrap.
class Parts {
 public:
  Parts(const FitStudy& study, const FitOptions& options)
      : tell_(options.progress),
        count_(static_cast<double>(std::max<std::size_t>(1, study.methods.size())) + (study.folds > 0 ? 1 : 0) +
               (study.intervals != IntervalSource::none ? 1 : 0) + (study.bootstrap > 0 ? 1 : 0)) {}

  void tell(const std::string& what) const {
    if (tell_) tell_(what, done_ / count_);
  }
  void done() { ++done_; }

 private:
  const std::function<void(const std::string&, double)>& tell_;
  double count_, done_ = 0;
};

/// Questions that the fit of one method answers.
class Report {
 public:
  Report(const FitStudy& study, const FitData& data, MethodFit& fit, Parts& parts)
      : study_(study), data_(data), fit_(fit), parts_(parts) {}

  void fill(FitResult& result) {
    const bool intervals = study_.intervals != IntervalSource::none;
    if (intervals) {
      profile_all(result);
    } else {
      result.rise = none;
      for (int k = 0; k < fit_.misfit().unknowns(); ++k) result.numbers.push_back(plain_number(k));
    }
    result.smooth = fit_.smooth();
    result.difference = fit_.search().smoothness.worst;
    result.starts = fit_.search().starts;
    result.agreeing = fit_.search().agreeing;
    result.cut = fit_.cut();
    result.measurements = fit_.measurements();
    if (intervals) fill_curvature(result);
    fill_columns(result);
    fill_motions(result);
    if (study_.bootstrap > 0) fill_bootstrap(result);
    result.text = fit_.trial().text(0, fit_.best().u);
    result.biases = biases_of(result);
    result.serial = serial_correlation(result);
    if (!result.smooth && !study_.smooth.has_value()) result.why_not_smooth = why_not_smooth();
  }

 private:
  int degrees_left() const { return fit_.measurements() - fit_.misfit().unknowns(); }
  const FitCoordinate& coordinate(int k) const { return fit_.trial().coordinates()[static_cast<std::size_t>(k)]; }
  bool has_profile(int k) const {
    if (study_.intervals != IntervalSource::profile) return false;
    return fit_.misfit().unknowns() <= most_profiles || coordinate(k).experiment < 0;
  }

  /// The weighted Jacobian at the best point.
  MatrixXd slopes() const {
    const Misfit& misfit = fit_.misfit();
    const std::vector<VectorXd>& here = fit_.residuals();
    return jacobian(misfit, fit_.best().u, here, all_but(misfit.unknowns()),
                    fit_.smooth() ? smooth_difference : wide_difference);
  }

  void profile_all(FitResult& result) {
    result.rise = rise_at_95(fit_.noise_is_given(), degrees_left());
    const int n = fit_.misfit().unknowns();
    for (int round = 0; round < 4; ++round) {
      means_ = loss_means(study_.loss, flat(fit_.residuals()));
      curvature_ = curvature_of(slopes(), means_, result.rise);
      profiles_.assign(static_cast<std::size_t>(n), {});
      parts_.tell(study_.intervals == IntervalSource::profile ? "profiles" : "curvature");
      tbb::parallel_for(0, n, [&](int k) {
        if (!has_profile(k)) return;
        ProfileOptions how{result.rise, means_.scale, std::sqrt(result.rise * curvature_.covariance(k, k)),
                           fit_.smooth()};
        profiles_[static_cast<std::size_t>(k)] = profile_of(fit_.misfit(), fit_.best(), k, how);
      });
      const MisfitPoint* better = nullptr;
      for (const Profile& profile : profiles_) {
        if (profile.better && (better == nullptr || profile.better->cost < better->cost)) better = &*profile.better;
      }
      // By less than that an interval's end does not move.
      if (better == nullptr || fit_.best().cost - better->cost < 0.01) break;
      parts_.tell("a better fit, met by a profile");
      fit_.go_on(better->u);
    }
    parts_.done();
    for (int k = 0; k < n; ++k) result.numbers.push_back(number_of(k, result.rise));
  }

  /// Without what is said on how well it is known.
  FittedNumber plain_number(int k) const {
    const FitUnknown& unknown = study_.unknowns[static_cast<std::size_t>(coordinate(k).unknown)];
    FittedNumber number;
    number.name = unknown.name;
    number.path = unknown.path;
    if (coordinate(k).experiment >= 0) {
      number.experiment = data_.motions[static_cast<std::size_t>(coordinate(k).experiment)].name;
    }
    number.value = fit_.trial().value(k, fit_.best().u[k]);
    number.lower = unknown.lower;
    number.upper = unknown.upper;
    number.low = number.high = number.deviation = number.bootstrap_low = number.bootstrap_high = none;
    number.source = IntervalSource::none;
    return number;
  }

  FittedNumber number_of(int k, double rise) const {
    const FitUnknown& unknown = study_.unknowns[static_cast<std::size_t>(coordinate(k).unknown)];
    const auto value = [&](double u) { return fit_.trial().value(k, u); };
    const double u = fit_.best().u[k];
    FittedNumber number = plain_number(k);
    number.source = has_profile(k) ? IntervalSource::profile : IntervalSource::curvature;
    const double deviation = std::sqrt(curvature_.covariance(k, k));
    const bool open = is_open(k);
    const double slope =
        unknown.log ? number.value * std::log(unknown.upper / unknown.lower) : unknown.upper - unknown.lower;
    number.deviation = open ? none : deviation * slope;
    if (has_profile(k)) {
      const Profile& profile = profiles_[static_cast<std::size_t>(k)];
      number.low = value(profile.low);
      number.high = value(profile.high);
      number.open_low = profile.open_low;
      number.open_high = profile.open_high;
      for (const ProfilePoint& point : profile.points) number.profile.emplace_back(value(point.u[k]), point.rise);
    } else {
      const double half = open ? 1 : std::sqrt(rise) * deviation;
      number.low = value(u - half);
      number.high = value(u + half);
      number.open_low = !(u - half > 0);
      number.open_high = !(u + half < 1);
    }
    return number;
  }

  /// It takes part in a combination that no residual determines.
  bool is_open(int k) const {
    for (const OpenDirection& direction : curvature_.open) {
      for (const auto& [unknown, share] : direction.parts) {
        if (unknown == k) return true;
      }
    }
    return false;
  }

  void fill_curvature(FitResult& result) const {
    const Eigen::Index n = curvature_.covariance.rows();
    result.correlations = MatrixXd::Constant(n, n, none);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        const double product = curvature_.covariance(i, i) * curvature_.covariance(j, j);
        if (is_open(static_cast<int>(i)) || is_open(static_cast<int>(j)) || !(product > 0)) continue;
        result.correlations(i, j) = i == j ? 1 : curvature_.covariance(i, j) / std::sqrt(product);
      }
    }
    for (const OpenDirection& direction : curvature_.open) {
      FittedDirection told{{}, direction.singular};
      bool undetermined = false;
      for (const auto& [k, share] : direction.parts) {
        const FittedNumber& number = result.numbers[static_cast<std::size_t>(k)];
        undetermined = undetermined || !number.determined();
        told.parts.emplace_back(full_name(number), share);
      }
      // The slope at one point is not the last word: profiles follow the curve. One of them ends at its bound; others
      // then end where that bound holds them.
      if (undetermined) result.directions.push_back(std::move(told));
    }
  }

  void fill_columns(FitResult& result) const {
    const std::vector<VectorXd>& residuals = fit_.residuals();
    double square = 0;
    for (std::size_t c = 0; c < study_.columns.size(); ++c) {
      const FitColumn& column = study_.columns[c];
      FittedColumn told{column.name, column.formula, fit_.noise()[c], !(column.noise > 0), 0, 0};
      double sum = 0;
      for (std::size_t e = 0; e < residuals.size(); ++e) {
        const auto rows = fit_.rows(static_cast<int>(e));
        for (std::size_t i = 0; i < rows.size(); ++i) {
          if (rows[i].column != static_cast<int>(c)) continue;
          sum += std::pow(residuals[e][static_cast<Eigen::Index>(i)], 2);
          ++told.count;
        }
      }
      square += sum;
      told.misfit = told.count > 0 ? fit_.noise()[c] * std::sqrt(sum / told.count) : none;
      result.columns.push_back(std::move(told));
    }
    result.misfit = std::sqrt(square / fit_.measurements());
  }

  void fill_motions(FitResult& result) const {
    for (std::size_t e = 0; e < data_.motions.size(); ++e) {
      const FitRun run = fit_.trial().run(static_cast<int>(e), fit_.best().u);
      FittedMotion motion{data_.motions[e].name, data_.motions[e].times, {}, run.values, run.first_impact};
      for (std::size_t c = 0; c < study_.columns.size(); ++c) {
        motion.measured.push_back(fit_.trial().measured(static_cast<int>(e), c));
      }
      result.motions.push_back(std::move(motion));
    }
  }

  std::string why_not_smooth() const {
    const Smoothness& found = fit_.search().smoothness;
    const auto row = fit_.rows(found.experiment)[static_cast<std::size_t>(found.row)];
    const MeasuredMotion& motion = data_.motions[static_cast<std::size_t>(found.experiment)];
    const FitCoordinate& at = coordinate(found.unknown);
    return fmt::format("{} by {} at {:.4g} s{}", study_.columns[static_cast<std::size_t>(row.column)].name,
                       study_.unknowns[static_cast<std::size_t>(at.unknown)].name,
                       motion.times[static_cast<std::size_t>(row.instant)],
                       motion.name.empty() ? "" : " of experiment " + motion.name);
  }

  /// Refits to resampled measurements: residuals of the fit drawn anew, column by column, or experiments.
  void fill_bootstrap(FitResult& result) const {
    const Misfit& misfit = fit_.misfit();
    const std::vector<VectorXd>& here = fit_.residuals();
    std::vector<std::vector<double>> pool(study_.columns.size());
    const double wider = 1 / std::sqrt(1 - fit_.part_fitted());
    for (std::size_t e = 0; e < here.size(); ++e) {
      const auto rows = fit_.rows(static_cast<int>(e));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        pool[static_cast<std::size_t>(rows[i].column)].push_back(wider * here[e][static_cast<Eigen::Index>(i)]);
      }
    }
    std::vector<VectorXd> draws(static_cast<std::size_t>(study_.bootstrap));
    parts_.tell("bootstrap");
    tbb::parallel_for(std::size_t{0}, draws.size(), [&](std::size_t d) {
      std::mt19937_64 random(study_.seed * 1000003u + d + 1);
      const auto one_of = [&](std::size_t n) { return ((random() >> 32) * n) >> 32; };
      Misfit drawn = misfit;
      if (study_.resampled == Resampled::experiments) {
        std::fill(drawn.weight.begin(), drawn.weight.end(), 0.0);
        for (std::size_t e = 0; e < here.size(); ++e) drawn.weight[one_of(here.size())] += 1;
      } else {
        std::vector<VectorXd> moved = here;
        for (std::size_t e = 0; e < here.size(); ++e) {
          const auto rows = fit_.rows(static_cast<int>(e));
          for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::vector<double>& some = pool[static_cast<std::size_t>(rows[i].column)];
            moved[e][static_cast<Eigen::Index>(i)] -= some[one_of(some.size())];
          }
        }
        drawn.residuals = [&misfit, moved](int e, const VectorXd& u) {
          std::optional<VectorXd> r = misfit.residuals(e, u);
          if (r) *r -= moved[static_cast<std::size_t>(e)];
          return r;
        };
      }
      draws[d] = least_misfit(drawn, fit_.best().u, all_but(misfit.unknowns()), fit_.smooth(), {.thorough = false}).u;
    });
    for (std::size_t k = 0; k < result.numbers.size(); ++k) {
      const int number = static_cast<int>(k);
      const bool never_drawn = study_.resampled == Resampled::experiments && coordinate(number).experiment >= 0;
      if (never_drawn) continue;
      std::vector<double> values;
      values.reserve(draws.size());
      for (const VectorXd& u : draws) values.push_back(fit_.trial().value(number, u[static_cast<Eigen::Index>(k)]));
      std::sort(values.begin(), values.end());
      result.numbers[k].bootstrap_low = quantile(values, 0.025);
      result.numbers[k].bootstrap_high = quantile(values, 0.975);
    }
  }

  const FitStudy& study_;
  const FitData& data_;
  MethodFit& fit_;
  Parts& parts_;
  LossMeans means_;
  Curvature curvature_;
  std::vector<Profile> profiles_;
};

FitResult fit_all(const FitStudy& study, const FitData& data, const FitOptions& options) {
  std::vector<std::optional<MethodChoice>> methods(study.methods.begin(), study.methods.end());
  if (methods.empty()) methods.emplace_back();
  std::vector<TriedMethod> tried;
  std::int64_t runs = 0;
  Parts parts(study, options);
  for (const std::optional<MethodChoice>& method : methods) {
    const std::string name = method ? method->name() : "the scene's own";
    parts.tell("fitting" + (method ? " " + name : ""));
    TriedMethod one{name, nullptr, ""};
    try {
      one.fit = std::make_unique<MethodFit>(study, data, method, options.stop);
    } catch (const Error& error) {
      if (methods.size() == 1) throw;
      one.left_out = error.what();
    }
    tried.push_back(std::move(one));
    parts.done();
  }
  if (std::none_of(tried.begin(), tried.end(), [](const TriedMethod& t) { return t.fit != nullptr; })) {
    throw Error("none of the methods can be fitted; " + tried.front().name + ": " + tried.front().left_out);
  }
  FitResult result;
  result.study = study;
  std::vector<std::size_t> order;
  if (study.folds > 0) parts.tell("folds");
  result.ranking = ranked(tried, study, order);
  if (study.folds > 0) parts.done();
  TriedMethod& best = tried[order.front()];
  result.method = best.name;
  Report(study, data, *best.fit, parts).fill(result);
  for (const TriedMethod& one : tried) runs += one.fit ? one.fit->trial().runs() : 0;
  result.runs = runs;
  result.sentences = sentences_of(result);
  return result;
}

}  // namespace

FitResult fit(const FitStudy& study, const FitData& data, const FitOptions& options) {
  tbb::task_arena arena(thread_count(options.threads));
  FitResult result;
  arena.execute([&] { result = fit_all(study, data, options); });
  return result;
}

}  // namespace carom
