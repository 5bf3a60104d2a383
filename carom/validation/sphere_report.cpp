#include "carom/validation/sphere_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "carom/record/plots_page.h"
#include "carom/study/text_table.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

std::string unit_of(SphereSweep sweep, const std::string& quantity) {
  if (sweep == SphereSweep::slip) return "";
  return quantity == "spin" ? "rad/s" : quantity == "contact_rebound_angle" ? "deg" : "";
}

std::string column_of(const SphereCurve& curve) {
  const std::string unit = unit_of(curve.sweep, curve.quantity);
  return curve.quantity + (unit.empty() ? "" : " (" + unit + ")") + ", " + curve.name;
}

std::vector<std::string> columns_of(const SphereReport& sphere) {
  std::vector<std::string> columns{"law"};
  for (const SphereCurve& curve : sphere.curves) columns.push_back(column_of(curve));
  return columns;
}

std::vector<std::vector<std::string>> rows_of(const SphereReport& sphere) {
  std::vector<std::vector<std::string>> rows;
  for (const SphereLawRun& run : sphere.laws) {
    std::vector<std::string>& row = rows.emplace_back(std::vector<std::string>{run.law});
    for (const double error : run.errors) row.push_back(fmt::format("{:.3g}", error));
  }
  return rows;
}

/// Laws as lines, curves of the source as points with gaps between them.
Plot plot_of(const SphereReport& sphere, std::size_t quantity) {
  const std::string& name = sphere_quantities(sphere.sweep)[quantity];
  Plot plot;
  plot.title = name;
  plot.unit = unit_of(sphere.sweep, name);
  plot.x_title =
      sphere.sweep == SphereSweep::incidence ? "incidence (degrees from the normal)" : "v_t / (mu v_n) before";
  plot.times = sphere.x;
  for (const SphereCurve& curve : sphere.curves) {
    if (curve.quantity != name) continue;
    std::vector<double>& values =
        plot.curves
            .emplace_back(curve.name, std::vector<double>(sphere.x.size(), std::numeric_limits<double>::quiet_NaN()))
            .second;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const auto at = std::lower_bound(sphere.x.begin(), sphere.x.end(), curve.x[i]) - sphere.x.begin();
      values[static_cast<std::size_t>(at)] = curve.values[i];
    }
  }
  for (const SphereLawRun& run : sphere.laws) plot.curves.emplace_back(run.law, run.values[quantity]);
  return plot;
}

Json json_of(const SphereReport& sphere) {
  const auto& quantities = sphere_quantities(sphere.sweep);
  Json object;
  object["sweep"] = sphere.sweep == SphereSweep::incidence ? "incidence_deg" : "slip_before";
  object["curves"] = Json::array();
  for (const SphereCurve& curve : sphere.curves) {
    object["curves"].push_back(
        {{"quantity", curve.quantity}, {"curve", curve.name}, {"x", curve.x}, {"values", curve.values}});
  }
  object["x"] = sphere.x;
  object["laws"] = Json::array();
  for (const SphereLawRun& run : sphere.laws) {
    Json law;
    law["name"] = run.law;
    law["errors"] = Json::array();
    for (std::size_t i = 0; i < sphere.curves.size(); ++i) {
      const SphereCurve& curve = sphere.curves[i];
      law["errors"].push_back({{"quantity", curve.quantity}, {"curve", curve.name}, {"rms", run.errors[i]}});
    }
    for (std::size_t i = 0; i < quantities.size(); ++i) law["values"][quantities[i]] = run.values[i];
    object["laws"].push_back(law);
  }
  return object;
}

}  // namespace

std::string sphere_report(const std::vector<SphereReport>& spheres) {
  std::string text;
  for (const SphereReport& sphere : spheres) {
    text += fmt::format("  {}: root mean square error of each curve, nothing fitted\n", sphere.material);
    text += padded(columns_of(sphere), rows_of(sphere)) + "\n";
  }
  return text;
}

std::string sphere_report_json(const std::vector<SphereReport>& spheres) {
  Json object = Json::object();
  for (const SphereReport& sphere : spheres) object[sphere.material] = json_of(sphere);
  return object.dump(1) + "\n";
}

void write_sphere_page(const std::vector<SphereReport>& spheres, const std::string& path) {
  PlotsPage page;
  page.title = "Oblique impacts of a sphere beside every law";
  page.lead =
      "Reference curves: Y. C. Chung and J. Y. Ooi, Granular Matter 13, 2011. Experiment: A. H. Kharaz, D. A. Gorham "
      "and A. D. Salman, Powder Technology 120, 2001.";
  for (const SphereReport& sphere : spheres) {
    PlotSection section;
    section.title = "Sphere of " + sphere.material;
    section.note =
        "Root mean square error of each curve, in its unit. Material data are those of the source; nothing is fitted. "
        "Points: the source's curves. Lines: laws.";
    section.columns = columns_of(sphere);
    section.rows = rows_of(sphere);
    for (std::size_t i = 0; i < sphere_quantities(sphere.sweep).size(); ++i)
      section.plots.push_back(plot_of(sphere, i));
    page.sections.push_back(section);
  }
  write_plots_page(page, path);
}

}  // namespace carom
