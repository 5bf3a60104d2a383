#include "carom/study/fit_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/counted.h"

namespace carom {
namespace {

/// Largest mean of so many numbers of unit deviation that chance has once in a thousand phases.
constexpr double significant = 3.3;

std::string text_of(double number) { return fmt::format("{:.4g}", number); }

/// Values of another number at both ends of an interval that is open.
std::string followers(const FitResult& result, const FittedNumber& number) {
  std::string words;
  for (const FittedDirection& direction : result.directions) {
    const auto is = [&](const auto& part) { return part.first == full_name(number); };
    if (std::none_of(direction.parts.begin(), direction.parts.end(), is)) continue;
    for (const auto& [name, share] : direction.parts) {
      if (name == full_name(number)) continue;
      words += (words.empty() ? ", if " : " and ") + name;
    }
    if (!words.empty()) return words + (words.find(" and ") == std::string::npos ? " follows" : " follow");
  }
  return words;
}

/// A sentence on a number whose interval ends at a bound; empty for others.
std::string openness(const FitResult& result, const FittedNumber& number) {
  if (number.determined() || number.source == IntervalSource::none) return "";
  const std::string name = full_name(number), with = followers(result, number);
  const double share = (number.high - number.low) / (number.upper - number.lower);
  const std::string more = "measurements in which it matters more would tell";
  if (number.open_low && number.open_high) {
    return fmt::format("{} is not determined: every value from {} to {}, its bounds, fits as well{}; {}.", name,
                       text_of(number.lower), text_of(number.upper), with, more);
  }
  // A number near its bound, as a friction of nearly zero, is known all the same.
  if (share < 0.25) {
    return fmt::format("{} is known from one side: {} {} (95 %), down or up to its bound {}.", name,
                       number.open_low ? "below" : "above", text_of(number.open_low ? number.high : number.low),
                       text_of(number.open_low ? number.lower : number.upper));
  }
  return fmt::format("{} is not determined: every value from {} to {} fits as well{} ({} is its {} bound); {}.", name,
                     text_of(number.low), text_of(number.high), with,
                     text_of(number.open_low ? number.lower : number.upper), number.open_low ? "lower" : "upper", more);
}

/// The change of a number along a direction, in per cent of its value where it has one.
std::string change_of(const FitResult& result, const std::string& name, double share) {
  for (const FittedNumber& number : result.numbers) {
    if (full_name(number) != name) continue;
    const FitUnknown* unknown = nullptr;
    for (const FitUnknown& each : result.study.unknowns) {
      if (each.name == number.name) unknown = &each;
    }
    const bool log = unknown != nullptr && unknown->log;
    const double relative =
        log ? share * std::log(number.upper / number.lower) : share * (number.upper - number.lower) / number.value;
    if (std::isfinite(relative)) return fmt::format("{} by {:+.3g} %", name, 100 * relative);
    return fmt::format("{} by {:+.3g}", name, share * (number.upper - number.lower));
  }
  return name;
}

std::string apart(const FitResult& result, const FittedDirection& direction) {
  if (direction.parts.size() < 2) return "";  // said of the number itself
  std::string names, changes;
  // A hundredth of the range of the one that moves most.
  for (std::size_t i = 0; i < direction.parts.size(); ++i) {
    const auto& [name, share] = direction.parts[i];
    const std::string between = i == 0 ? "" : i + 1 == direction.parts.size() ? " and " : ", ";
    names += between + name;
    changes += between + change_of(result, name, 0.01 * share);
  }
  return fmt::format(
      "{} can't be told apart: only a combination of them is determined. To change {} leaves the fit as it is.", names,
      changes);
}

}  // namespace

bool FitBias::significant() const { return count >= 3 && error > 0 && std::abs(mean) > carom::significant * error; }

std::string source_name(IntervalSource source) {
  return std::array{"profile", "curvature", "none"}[static_cast<std::size_t>(source)];
}

std::string full_name(const FittedNumber& number) {
  return number.experiment.empty() ? number.name : number.name + " of " + number.experiment;
}

std::vector<FitBias> biases_of(const FitResult& result) {
  struct Sum {
    int count = 0;
    double sum = 0, square = 0;
  };
  const std::array<const char*, 4> phases{"before the first impact", "at the first impact", "after the first impact",
                                          "without an impact"};
  std::vector<FitBias> biases;
  for (std::size_t c = 0; c < result.columns.size(); ++c) {
    std::array<Sum, 4> sums;
    for (const FittedMotion& motion : result.motions) {
      std::vector<double> spacing;
      for (std::size_t i = 1; i < motion.times.size(); ++i) spacing.push_back(motion.times[i] - motion.times[i - 1]);
      std::sort(spacing.begin(), spacing.end());
      const double window = spacing.empty() ? 0 : 1.5 * spacing[spacing.size() / 2];
      for (std::size_t i = 0; i < motion.times.size(); ++i) {
        const double difference = motion.measured[c][i] - motion.fitted[c][i];
        if (std::isnan(difference)) continue;
        const double after = motion.times[i] - motion.first_impact;
        const std::size_t phase = !std::isfinite(motion.first_impact) ? 3
                                  : std::abs(after) <= window         ? 1
                                  : after < 0                         ? 0
                                                                      : 2;
        Sum& sum = sums[phase];
        ++sum.count;
        sum.sum += difference;
        sum.square += difference * difference;
      }
    }
    for (std::size_t p = 0; p < sums.size(); ++p) {
      if (sums[p].count == 0) continue;
      const double n = sums[p].count, mean = sums[p].sum / n;
      // Few values say little by their own spread: that of the column counts where it is larger.
      const double own = std::sqrt(std::max(0.0, sums[p].square / n - mean * mean));
      const double spread = std::max(own, result.columns[c].noise);
      biases.push_back({result.columns[c].name, phases[p], sums[p].count, mean, spread / std::sqrt(n)});
    }
  }
  return biases;
}

double serial_correlation(const FitResult& result) {
  double product = 0, square = 0;
  for (std::size_t c = 0; c < result.columns.size(); ++c) {
    for (const FittedMotion& motion : result.motions) {
      double before = std::nan("");
      for (std::size_t i = 0; i < motion.times.size(); ++i) {
        const double r = (motion.measured[c][i] - motion.fitted[c][i]) / result.columns[c].noise;
        if (std::isnan(r)) continue;
        if (!std::isnan(before)) product += r * before;
        square += r * r;
        before = r;
      }
    }
  }
  return square > 0 ? product / square : 0;
}

namespace {

/// A sentence on values of a column that lie farther off than noise can reach; empty if there are none.
std::string outliers_of(const FitResult& result, std::size_t column) {
  constexpr double far = 8;  // deviations, of which 1.4826 medians of the size are a robust measure
  std::vector<double> sizes, times;
  for (const FittedMotion& motion : result.motions) {
    for (std::size_t i = 0; i < motion.times.size(); ++i) {
      const double size = std::abs(motion.measured[column][i] - motion.fitted[column][i]);
      if (std::isnan(size)) continue;
      sizes.push_back(size);
      times.push_back(motion.times[i]);
    }
  }
  if (sizes.size() < 10) return "";
  std::vector<double> sorted = sizes;
  std::nth_element(sorted.begin(), sorted.begin() + std::ssize(sorted) / 2, sorted.end());
  const double deviation = 1.4826 * sorted[sorted.size() / 2];
  const auto outside = std::count_if(sizes.begin(), sizes.end(), [&](double size) { return size > far * deviation; });
  if (outside == 0) return "";
  const auto farthest = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
  return fmt::format(
      "{} of {} values of {} lie farther off than noise does, the farthest by {:.3g} at {:.4g} s: look at {}{}.",
      outside, sizes.size(), result.columns[column].name, sizes[static_cast<std::size_t>(farthest)],
      times[static_cast<std::size_t>(farthest)], outside == 1 ? "it" : "them",
      result.study.loss == Loss::squares ? ", or take loss: soft_l1, which bears such values" : "");
}

/// Methods that the measurements can't distinguish from the first.
std::string alike_methods(const FitResult& result) {
  std::string names;
  for (std::size_t i = 1; i < result.ranking.size(); ++i) {
    const RankedMethod& method = result.ranking[i];
    if (!(method.low <= 0 && method.high >= 0)) continue;
    names += (names.empty() ? "" : ", ") + method.name;
  }
  if (names.empty()) return "";
  return fmt::format("The measurements can't tell {} from {}.", names, result.ranking.front().name);
}

}  // namespace

std::vector<std::string> sentences_of(const FitResult& result) {
  std::vector<std::string> sentences;
  const auto add = [&](std::string sentence) {
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  };
  for (const FittedDirection& direction : result.directions) add(apart(result, direction));
  const bool has_intervals = result.study.intervals != IntervalSource::none || result.study.bootstrap > 0;
  const bool by_curvature = result.study.intervals == IntervalSource::curvature;
  for (const FittedNumber& number : result.numbers) {
    if (number.source == IntervalSource::profile || by_curvature) add(openness(result, number));
  }
  for (const FitBias& bias : result.biases) {
    if (!bias.significant()) continue;
    add(fmt::format("{} is {:.3g} {} than the fit on average {} ({} standard errors): the scene lacks something there.",
                    bias.column, std::abs(bias.mean), bias.mean > 0 ? "more" : "less", bias.phase,
                    fmt::format("{:.1f}", std::abs(bias.mean) / bias.error)));
  }
  for (std::size_t c = 0; c < result.columns.size(); ++c) add(outliers_of(result, c));
  add(alike_methods(result));
  const double root = std::sqrt(static_cast<double>(std::max(1, result.measurements)));
  const bool given = std::none_of(result.columns.begin(), result.columns.end(),
                                  [](const FittedColumn& column) { return column.estimated; });
  const bool squares = result.study.loss == Loss::squares;
  if (given && squares && result.misfit > 1 + significant / (std::sqrt(2.0) * root)) {
    add(
        fmt::format("Residuals are {:.3g} times the noise that the study gives: the scene lacks something, or the "
                    "noise is larger{}.",
                    result.misfit, has_intervals ? "; then the intervals are too narrow" : ""));
  }
  if (result.serial > std::max(0.2, significant / root)) {
    add(fmt::format(
        "Neighbouring residuals are alike (correlation {:.2f}), as noise is not: the scene lacks something{}.",
        result.serial, has_intervals ? ", and the intervals are too narrow" : ""));
  }
  const auto curved = std::count_if(result.numbers.begin(), result.numbers.end(), [](const FittedNumber& number) {
    return number.source == IntervalSource::curvature;
  });
  if (by_curvature) {
    add("Intervals are by the curvature of the misfit, as the study asks; intervals: profile follows it.");
  } else if (result.study.intervals == IntervalSource::none) {
    add(result.study.bootstrap > 0 ? "No intervals but those of the bootstrap were asked for."
                                   : "No intervals were asked for, so nothing is said on how well the numbers are "
                                     "determined.");
  } else if (curved > 0) {
    add(fmt::format(
        "Intervals of {} that belong to one experiment are by the curvature of the misfit, not by profiles.",
        counted(curved, "number")));
  }
  if (result.cut) {
    add(fmt::format("The search ended with its budget of {}: a longer one may lower the misfit.",
                    counted(result.study.runs, "run")));
  }
  return sentences;
}

std::vector<std::string> conclusions(const FitResult& result) {
  if (!result.sentences.empty()) return result.sentences;
  return {"Every number is determined, and residuals look like noise."};
}

std::string way_of(const FitResult& result) {
  const std::string starts =
      fmt::format("{} of {} ended at the same misfit", result.agreeing, counted(result.starts, "start"));
  const bool tested = !result.study.smooth.has_value();
  if (result.smooth) {
    return fmt::format(
        "Gauss-Newton by differences: {}; {}",
        tested ? fmt::format("derivatives by two steps agree within {:.1g}", std::max(result.difference, 1e-12))
               : "the motion is smooth by the unknowns, as the study says",
        starts);
  }
  return fmt::format(
      "without derivatives (NLopt's BOBYQA and SBPLX, after Gauss-Newton steps by wide differences{}): {}; {}",
      result.study.runs > 0 ? " where the budget has room for them" : "",
      tested ? fmt::format("derivatives by two steps differ by {:.0f} %, most of {}", 100 * result.difference,
                           result.why_not_smooth)
             : "the motion is not smooth by the unknowns, as the study says",
      starts);
}

}  // namespace carom
