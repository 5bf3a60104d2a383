#include <fmt/format.h>

#include "carom/validation/validation.h"

namespace carom {
namespace {

/// All entries of all sources; the seconds of a source stand in its first line.
PlotSection table_of(const std::vector<Validation>& validations) {
  PlotSection section;
  section.title = "Every entry";
  section.note =
      "Explained: the source contradicts itself or leaves a datum out; the note says how, and the tolerance by how "
      "much. "
      "Origin: where the reference comes from.";
  section.columns = {"source",    "where",     "quantity", "origin",  "reference", "Carom",
                     "deviation", "tolerance", "verdict",  "seconds", "note"};
  for (const Validation& validation : validations) {
    bool first = true;
    for (const ValidationEntry& entry : validation.entries) {
      const ValidationTexts texts = texts_of(entry, 5);
      section.rows.push_back({entry.source, entry.figure, entry.quantity, origin_name(entry.origin), texts.reference,
                              fmt::format("{:.5g}", entry.value), texts.deviation, texts.tolerance, verdict_of(entry),
                              first ? fmt::format("{:.1f}", validation.seconds) : "", entry.note});
      first = false;
    }
  }
  return section;
}

}  // namespace

void write_validation_page(const std::vector<Validation>& validations, const std::string& path) {
  PlotsPage page;
  page.title = "Validation";
  page.lead = "Published figures and measurements, theirs beside Carom's";
  const ValidationCounts counts = count_of(validations);
  double seconds = 0;
  for (const Validation& validation : validations) seconds += validation.seconds;
  page.facts = {{"passed", std::to_string(counts.passed)},
                {"failed", std::to_string(counts.failed)},
                {"explained", std::to_string(counts.explained)},
                {"computed in", fmt::format("{:.1f} s", seconds)}};
  page.sections.push_back(table_of(validations));
  for (const Validation& validation : validations) {
    for (const PlotSection& figures : validation.figures) {
      page.sections.push_back(figures);
      page.sections.back().title = validation.name + ": " + figures.title;
    }
  }
  write_plots_page(page, path);
}

}  // namespace carom
