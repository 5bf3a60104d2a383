#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/study/impact_outcomes.h"
#include "carom/study/law_landings.h"

namespace carom {

/// The impact at hand under every law, among all outcomes of its frictionless picture.
struct ImpactStudy {
  Scene scene;
  ImpactAtHand hand;
  KineticSpace space;
  std::vector<LawLanding> landings;
  std::optional<ImpactOutcomes> outcomes;
  std::string no_outcomes;            ///< why there are none, a sentence
  std::vector<Placement> placements;  ///< of each landing; without meaning for those that were refused
};
ImpactStudy impact_study(const Scene& scene, ImpactAtHand hand, const std::vector<LawKind>& laws,
                         const OutcomeSearch& search);

/// A name of its own for each contact of the hand: "ball 1 – ball 2", "box – floor (3)".
std::vector<std::string> contact_names(const ImpactAtHand& hand);

/// A table, its cells as texts.
struct ImpactTable {
  std::string title, note;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// The outcome in plain words; a paragraph each.
std::vector<std::string> impact_words(const ImpactStudy& report);
/// Contacts, laws, outcomes. `whole`: with the tables that are too wide for a terminal: impulses, velocities of bodies.
std::vector<ImpactTable> impact_tables(const ImpactStudy& report, bool whole);

/// Words and tables, for a terminal.
std::string impact_text(const ImpactStudy& report);
/// The JSON object that `carom impact --json` prints (docs/manual/json.md). `page`: its path.
std::string impact_study_json(const ImpactStudy& report, const std::string& page);
/// Writes words, picture and tables as one self-contained page. Throws Error if the file can't be written.
void write_impact_page(const ImpactStudy& report, const std::string& path);

}  // namespace carom
