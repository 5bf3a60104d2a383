#include <fmt/format.h>

#include <algorithm>

#include "carom/record/page_text.h"
#include "carom/record/plots_page.h"
#include "carom/study/impact_drawing.h"
#include "carom/study/impact_study.h"

namespace carom {

void write_impact_page(const ImpactStudy& report, const std::string& path) {
  PlotsPage page;
  page.title = fmt::format("An impact of {}", report.scene.name);
  page.lead = without_folders(report.scene.file);
  const auto striking = std::count(report.hand.strikes.begin(), report.hand.strikes.end(), 1);
  page.facts = {{"time", fmt::format("{:.6g} s", report.hand.time)},
                {"contacts that strike", std::to_string(striking)},
                {"kinetic energy before", fmt::format("{:.5g} J", report.space.energy(report.hand.v))}};
  if (report.outcomes) {
    const ImpactOutcomes& outcomes = *report.outcomes;
    const Unique unique = outcomes.verdict.unique;
    page.facts.push_back({"outcomes without friction",
                          fmt::format("{}{}", outcomes.all.cut ? "at least " : "", outcomes.all.outcomes.size())});
    if (outcomes.outcomes.size() > 1)
      page.facts.push_back({"apart by", fmt::format("{:.3g} of the speed", outcomes.all.indeterminacy)});
    page.facts.push_back({"unique", unique == Unique::yes ? "yes" : unique == Unique::no ? "no" : "unknown"});
  }
  PlotSection& words = page.sections.emplace_back();
  words.title = "In words";
  words.paragraphs = impact_words(report);
  if (report.outcomes) {
    PlotSection& picture = page.sections.emplace_back();
    picture.title = "Where it leads";
    picture.note = drawing_note(report);
    picture.drawings = {impact_drawing(report)};
    if (auto close = close_drawing(report)) picture.drawings.push_back(std::move(*close));
  }
  for (ImpactTable& table : impact_tables(report, true)) {
    PlotSection& section = page.sections.emplace_back();
    section.title = std::move(table.title);
    section.note = std::move(table.note);
    section.columns = std::move(table.columns);
    section.rows = std::move(table.rows);
  }
  write_plots_page(page, path);
}

}  // namespace carom
