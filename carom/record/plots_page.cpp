#include "carom/record/plots_page.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "carom/record/curve_json.h"
#include "carom/record/page.h"
#include "carom/record/report_page.h"
#include "carom/version.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

Json chart(const Plot& plot) {
  Json series = Json::array();
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const auto& [name, values] = plot.curves[i];
    series.push_back(curve_json(name, i, values));
  }
  return {{"title", plot.title},
          {"unit", plot.unit},
          {"log", plot.log},
          {"x", plot.x_title},
          {"xLog", plot.x_log},
          {"joined", plot.joined},
          {"times", base64(thin_times(plot.times))},
          {"series", std::move(series)}};
}

Json drawing_json(const Drawing& drawing) {
  Json kinds = Json::array(), marks = Json::array(), lines = Json::array(), circles = Json::array();
  for (const Drawing::Kind& kind : drawing.kinds) {
    kinds.push_back({{"name", kind.name}, {"shape", kind.shape}, {"color", kind.color}});
  }
  for (const Drawing::Mark& mark : drawing.marks) {
    marks.push_back({{"x", mark.x}, {"y", mark.y}, {"label", mark.label}, {"kind", mark.kind}});
  }
  for (const Drawing::Line& line : drawing.lines) {
    Json points = Json::array();
    for (const auto& [x, y] : line.points) points.push_back({x, y});
    lines.push_back({{"points", std::move(points)}, {"label", line.label}, {"style", line.style}});
  }
  for (const Drawing::Circle& circle : drawing.circles) {
    circles.push_back({{"x", circle.x}, {"y", circle.y}, {"radius", circle.radius}});
  }
  return {{"title", drawing.title},    {"unit", drawing.unit},      {"kinds", std::move(kinds)},
          {"marks", std::move(marks)}, {"lines", std::move(lines)}, {"circles", std::move(circles)}};
}

}  // namespace

nlohmann::ordered_json section_json(const PlotSection& section) {
  Json charts = Json::array();
  for (const Plot& plot : section.plots) charts.push_back(chart(plot));
  Json data{{"title", section.title}, {"note", section.note}, {"three", true}, {"charts", std::move(charts)}};
  if (!section.paragraphs.empty()) data["paragraphs"] = section.paragraphs;
  for (const Drawing& drawing : section.drawings) data["drawings"].push_back(drawing_json(drawing));
  if (!section.columns.empty()) {
    data["tables"] = Json::array({{{"columns", section.columns}, {"rows", section.rows}, {"tint", section.tint}}});
  }
  if (section.folded) data["folded"] = true;
  return data;
}

void write_plots_page(const PlotsPage& page, const std::string& path) {
  Json facts = Json::array(), sections = Json::array();
  for (const auto& [label, value] : page.facts) facts.push_back({{"label", label}, {"value", value}});
  double first = 0, last = 0;
  for (const PlotSection& section : page.sections) {
    for (const Plot& plot : section.plots) {
      if (plot.times.empty() || !plot.x_title.empty()) continue;
      first = std::min(first, plot.times.front());
      last = std::max(last, plot.times.back());
    }
    sections.push_back(section_json(section));
  }
  write_page(page.title,
             {{"title", page.title},
              {"lead", page.lead},
              {"facts", std::move(facts)},
              {"times", base64({first, last})},
              {"sections", std::move(sections)},
              {"footer", "Carom " CAROM_VERSION}},
             plots_script(), path);
}

}  // namespace carom
