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

std::string table_of(const std::vector<TossScore>& scores, Interval (*interval)(const TossScore&, std::size_t)) {
  std::string text = head("") + "  right face\n";
  for (const TossScore& score : scores) {
    text += fmt::format("  {:<30}", score.name);
    for (std::size_t figure = 0; figure < toss_figures.size(); ++figure) text += cell(interval(score, figure), false);
    text += fmt::format("  {} of {}\n", right_faces(score), score.errors.size());
  }
  return text;
}

}  // namespace

std::array<double, 4> figures_of(const TossError& error) {
  return {100 * error.mean.position, 100 * error.end.position, error.mean.rotation, error.end.rotation};
}

Interval score_interval(const TossScore& score, std::size_t figure) { return bootstrap_mean(each(score, figure)); }

Interval score_median(const TossScore& score, std::size_t figure) { return bootstrap_median(each(score, figure)); }

int right_faces(const TossScore& score) {
  return static_cast<int>(
      std::count_if(score.errors.begin(), score.errors.end(), [](const TossError& error) { return error.right_face; }));
}

Interval paired_interval(const TossScore& score, const TossScore& other, std::size_t figure) {
  std::vector<double> values = each(score, figure);
  const std::vector<double> others = each(other, figure);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= others[i];
  return bootstrap_mean(values);
}

std::string score_table(const std::vector<TossScore>& scores) { return table_of(scores, score_interval); }

std::string median_table(const std::vector<TossScore>& scores) { return table_of(scores, score_median); }

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
