#include "carom/validation/toss_scores.h"

#include <fmt/format.h>

#include <algorithm>

namespace carom {
namespace {

std::vector<double> each(const TossScore& score, std::size_t figure) {
  std::vector<double> values;
  values.reserve(score.errors.size());
  for (const TossError& error : score.errors) values.push_back(figures_of(error)[figure]);
  return values;
}

std::string head(const char* who) {
  return fmt::format("  {:<30} {:>23} {:>23} {:>23} {:>23}", who, "position, mean (%)", "position, end (%)",
                     "rotation, mean (deg)", "rotation, end (deg)");
}

std::string cell(const Interval& interval, bool signed_value) {
  const std::string values =
      signed_value ? fmt::format("{:+.1f} [{:+.1f}, {:+.1f}]", interval.mean, interval.lower, interval.upper)
                   : fmt::format("{:.1f} [{:.1f}, {:.1f}]", interval.mean, interval.lower, interval.upper);
  return fmt::format(" {:>22}{}", values, signed_value && interval.excludes_zero() ? "*" : " ");
}

}  // namespace

std::array<double, 4> figures_of(const TossError& error) {
  return {100 * error.mean.position, 100 * error.end.position, error.mean.rotation, error.end.rotation};
}

Interval score_interval(const TossScore& score, std::size_t figure) { return bootstrap_mean(each(score, figure)); }

Interval paired_interval(const TossScore& score, const TossScore& other, std::size_t figure) {
  std::vector<double> values = each(score, figure);
  const std::vector<double> others = each(other, figure);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= others[i];
  return bootstrap_mean(values);
}

std::string score_table(const std::vector<TossScore>& scores) {
  std::string text = head("") + "  right face\n";
  for (const TossScore& score : scores) {
    text += fmt::format("  {:<30}", score.name);
    for (std::size_t figure = 0; figure < toss_figures.size(); ++figure) {
      text += cell(score_interval(score, figure), false);
    }
    const auto right = std::count_if(score.errors.begin(), score.errors.end(),
                                     [](const TossError& error) { return error.right_face; });
    text += fmt::format("  {} of {}\n", right, score.errors.size());
  }
  return text;
}

std::string paired_table(const std::vector<TossScore>& scores, const TossScore& reference) {
  std::string text = head(("less " + reference.name).c_str()) + "\n";
  for (const TossScore& score : scores) {
    if (score.name == reference.name) continue;
    text += fmt::format("  {:<30}", score.name);
    for (std::size_t figure = 0; figure < toss_figures.size(); ++figure) {
      text += cell(paired_interval(score, reference, figure), true);
    }
    text += "\n";
  }
  return text;
}

}  // namespace carom
