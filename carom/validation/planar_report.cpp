#include "carom/validation/planar_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "carom/record/plots_page.h"
#include "carom/study/text_table.h"
#include "carom/validation/planar_value_table.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

std::string told(const Interval& interval) {
  return fmt::format("{:.4f} [{:.4f}, {:.4f}]", interval.mean, interval.lower, interval.upper);
}

const std::vector<std::string> error_columns{"law",           "parameters",    "mean",     "median",
                                             "plain, median", "energy gained", "published"};

std::string published_of(const PlanarLaw& law, const std::string& body) {
  const auto found = law.published.find(body);
  return found == law.published.end() ? "" : fmt::format("{:.3f}", found->second);
}

Rows error_rows(const PlanarBodyReport& body) {
  Rows rows;
  for (const PlanarLawRun& run : body.laws) {
    const PlanarScore& score = run.score;
    rows.push_back({run.law.name, std::to_string(run.law.parameters.size()), told(score.mean), told(score.median),
                    fmt::format("{:.4f}", score.plain_median.mean), fmt::format("{:.1f} %", 100 * score.energy_grown),
                    published_of(run.law, body.impacts.body)});
  }
  return rows;
}

/// Kinetic error of a law less that of the first, impact by impact.
Interval difference(const PlanarBodyReport& body, const PlanarLawRun& run) {
  std::vector<double> values = run.score.kinetic;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= body.laws.front().score.kinetic[i];
  return bootstrap_mean(values);
}

Rows difference_rows(const PlanarBodyReport& body) {
  Rows rows;
  for (std::size_t i = 1; i < body.laws.size(); ++i) {
    const Interval interval = difference(body, body.laws[i]);
    rows.push_back({body.laws[i].law.name, fmt::format("{:+.4f} [{:+.4f}, {:+.4f}]{}", interval.mean, interval.lower,
                                                       interval.upper, interval.excludes_zero() ? " *" : "")});
  }
  return rows;
}

Rows value_rows(const PlanarBodyReport& body) {
  Rows rows;
  for (const PlanarLawRun& run : body.laws) {
    const Rows own = planar_value_rows(run.law, body.impacts.body);
    rows.insert(rows.end(), own.begin(), own.end());
  }
  return rows;
}

std::string arms(const MomentBalance& balance) {
  return fmt::format("{:+.3f} ± {:.3f} and {:+.3f} ± {:.3f}", balance.arms[0], balance.errors[0], balance.arms[1],
                     balance.errors[1]);
}

/// Sentences on what the velocities say before any law.
std::vector<std::string> balance_words(const PlanarBodyReport& body) {
  std::vector<std::string> words{fmt::format(
      "Moment balance of the {} impacts, k² Δω = a r_x Δv_z + b (−r_z) Δv_x: a, b = {} (right-handed data: 1 and 1). "
      "No impulse at the contact explains {:.1f} % of the change, mean; no law of one contact errs less.",
      body.impacts.impacts.size(), arms(body.balance), 100 * body.balance.unexplained)};
  if (!body.printed) return words;
  const bool mirrored = body.printed->arms[0] * body.printed->arms[1] < 0;
  words.push_back(fmt::format(
      "The same of the velocities and contact rows as their source printed them: {}, and {:.1f} %.{}",
      arms(*body.printed), 100 * body.printed->unexplained,
      mirrored ? " The arms have opposite signs: x runs against the angle there. The velocities scored here have x "
                 "turned round."
               : ""));
  return words;
}

Json json_of(const Interval& interval) { return Json::array({interval.mean, interval.lower, interval.upper}); }

Json json_of(const MomentBalance& balance) {
  return {{"arms", balance.arms}, {"standard_errors", balance.errors}, {"unexplained", balance.unexplained}};
}

Json json_of(const PlanarBodyReport& body) {
  Json object;
  object["impacts"] = body.impacts.impacts.size();
  object["unseen_by_folds"] = body.unseen_by_folds;
  object["moment_balance"] = json_of(body.balance);
  if (body.printed) object["printed_moment_balance"] = json_of(*body.printed);
  object["laws"] = Json::array();
  for (const PlanarLawRun& run : body.laws) {
    Json law;
    law["name"] = run.law.name;
    law["title"] = run.law.title;
    law["stepper"] = stepper_name(run.law.method.stepper);
    law["law"] = law_name(run.law.method.law);
    const PlanarBodyFit& fit = run.law.fits.at(body.impacts.body);
    law["values"] = Json::object();
    for (std::size_t i = 0; i < run.law.parameters.size(); ++i) {
      law["values"][run.law.parameters[i].name] = fit.all.values[i];
    }
    law["kinetic"] = {{"mean", json_of(run.score.mean)}, {"median", json_of(run.score.median)}};
    law["plain"] = {{"median", json_of(run.score.plain_median)}};
    law["energy_grown"] = run.score.energy_grown;
    law["less_first"] = json_of(difference(body, run));
    const auto published = run.law.published.find(body.impacts.body);
    if (published != run.law.published.end()) law["published"] = published->second;
    object["laws"].push_back(law);
  }
  return object;
}

/// The share of the impacts whose error is at most as large as x.
Plot error_plot(const PlanarBodyReport& body) {
  Plot plot;
  plot.title = "impacts with at most this error";
  plot.unit = "%";
  plot.x_title = "kinetic error";
  constexpr int points = 200;
  constexpr double most = 0.3;
  for (int i = 0; i <= points; ++i) plot.times.push_back(most * i / points);
  for (const PlanarLawRun& run : body.laws) {
    std::vector<double> sorted = run.score.kinetic, share;
    std::sort(sorted.begin(), sorted.end());
    for (const double x : plot.times) {
      const auto below = std::upper_bound(sorted.begin(), sorted.end(), x) - sorted.begin();
      share.push_back(100.0 * static_cast<double>(below) / static_cast<double>(sorted.size()));
    }
    plot.curves.emplace_back(run.law.name, share);
  }
  return plot;
}

}  // namespace

std::string planar_report(const std::vector<PlanarBodyReport>& bodies) {
  std::string text;
  for (const PlanarBodyReport& body : bodies) {
    text +=
        fmt::format("  {}: kinetic error of {} impacts, {}; means and medians with 95 % intervals\n", body.impacts.body,
                    body.impacts.impacts.size(),
                    body.unseen_by_folds ? "each by values fitted to the other folds" : "by values fitted to others");
    text += padded(error_columns, error_rows(body)) + "\n";
    text += fmt::format("  less {}, impact by impact; * zero lies outside\n", body.laws.front().law.name);
    text += padded({"law", "mean"}, difference_rows(body)) + "\n";
    text += padded(planar_value_columns(), value_rows(body)) + "\n";
    for (const std::string& words : balance_words(body)) text += wrapped("  " + words) + "\n";
    text += "\n";
  }
  return text;
}

std::string planar_report_json(const std::vector<PlanarBodyReport>& bodies) {
  Json object = Json::object();
  for (const PlanarBodyReport& body : bodies) object[body.impacts.body] = json_of(body);
  return object.dump(2) + "\n";
}

void write_planar_page(const std::vector<PlanarBodyReport>& bodies, const std::string& path) {
  PlotsPage page;
  page.title = "Measured planar impacts beside every law";
  page.lead =
      "Measurements: N. Fazeli, S. Zapolsky, E. Drumwright and A. Rodriguez, ICRA 2017; data of "
      "DAIRLab/ImpactModeling.";
  for (const PlanarBodyReport& body : bodies) {
    page.facts.emplace_back(body.impacts.body, fmt::format("{} impacts", body.impacts.impacts.size()));
    PlotSection section;
    section.title = fmt::format("The {}", body.impacts.body);
    section.note =
        "Kinetic error ‖v⁺ − v⁺ measured‖ / ‖v⁺ measured − v‖, means and medians with 95 % intervals. Published: the "
        "mean that those found who put the data together, with code of their own.";
    section.paragraphs = balance_words(body);
    section.columns = error_columns;
    section.rows = error_rows(body);
    section.plots = {error_plot(body)};
    page.sections.push_back(section);
    PlotSection differences;
    differences.title = fmt::format("The {}: less {}, impact by impact", body.impacts.body, body.laws.front().law.name);
    differences.note = "Kinetic errors, means with 95 % intervals; * zero lies outside.";
    differences.columns = {"law", "mean"};
    differences.rows = difference_rows(body);
    page.sections.push_back(differences);
    PlotSection values;
    values.title = fmt::format("The {}: fitted values", body.impacts.body);
    values.columns = planar_value_columns();
    values.rows = value_rows(body);
    page.sections.push_back(values);
  }
  write_plots_page(page, path);
}

}  // namespace carom
