#include <fmt/format.h>

#include "carom/study/validation.h"

namespace carom {
namespace {

std::string verdict(const ValidationEntry& entry) {
  return entry.explained ? "explained" : entry.pass ? "pass" : "FAIL";
}

/// All entries of all sources; the seconds of a source stand in its first line.
PlotSection table_of(const std::vector<Validation>& validations) {
  PlotSection section;
  section.title = "Every entry";
  section.note = "Explained: the source contradicts itself or leaves a datum out; the note says how.";
  section.columns = {"source",    "where",     "quantity", "theirs",  "Carom",
                     "deviation", "tolerance", "verdict",  "seconds", "note"};
  for (const Validation& validation : validations) {
    bool first = true;
    for (const ValidationEntry& entry : validation.entries) {
      const ValidationTexts texts = texts_of(entry, 5);
      section.rows.push_back({entry.source, entry.figure, entry.quantity, texts.reference,
                              fmt::format("{:.5g}", entry.value), texts.deviation, texts.tolerance, verdict(entry),
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
  int passed = 0, failed = 0, explained = 0;
  double seconds = 0;
  for (const Validation& validation : validations) {
    seconds += validation.seconds;
    for (const ValidationEntry& entry : validation.entries) {
      ++(entry.explained ? explained : entry.pass ? passed : failed);
    }
  }
  page.facts = {{"passed", std::to_string(passed)},
                {"failed", std::to_string(failed)},
                {"explained", std::to_string(explained)},
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
