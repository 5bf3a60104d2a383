#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/dynamics/body_motion.h"
#include "carom/record/contact_names.h"
#include "carom/study/impact_study.h"
#include "carom/study/text_table.h"

namespace carom {
namespace {

constexpr std::size_t most_columns = 5;    // of contacts, on a terminal
constexpr std::size_t most_outcomes = 12;  // on a terminal
constexpr std::size_t most_on_page = 200;

std::string number(double value) {
  if (!std::isfinite(value)) return "–";
  return std::abs(value) < 5e-10 ? "0" : fmt::format("{:.4g}", value);
}
std::string count_of(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : "∞"; }

ImpactTable contact_table(const ImpactStudy& report, const std::vector<std::string>& names) {
  const ImpactAtHand& hand = report.hand;
  ImpactTable table{"Contacts", "", {"no.", "contact", "does", "velocity", "friction", "restitution", "gap"}, {}};
  const LawLanding* told = nullptr;  // any law that was applied knows the velocities before
  for (const LawLanding& landing : report.landings) {
    if (landing.refusal.empty()) told = &landing;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Contact& contact = hand.contacts[i];
    std::string velocity = "–", part = "no part";
    double approach = 0;
    if (report.outcomes) {
      const auto& list = report.outcomes->contacts;
      const auto place = std::find(list.begin(), list.end(), static_cast<int>(i));
      if (place != list.end()) {
        part = "touches";
        const auto row = static_cast<Eigen::Index>(place - list.begin());
        approach = report.outcomes->impact.approach(row) * report.outcomes->impact.length(row);
        velocity = number(approach);
      }
    } else if (told) {
      for (const ImpactContact& struck : told->struck) {
        if (struck.id == contact.id) velocity = number(approach = struck.before.z());
      }
    }
    if (hand.strikes[i]) part = "strikes";
    const bool surface = contact.id.is_surface();
    const Vec2 friction = contact.surface.friction_of_impact(std::max(0.0, -approach));
    table.rows.push_back({std::to_string(i + 1), names[i], part, velocity,
                          !surface                       ? "–"
                          : friction.x() == friction.y() ? number(friction.x())
                                                         : number(friction.x()) + ", " + number(friction.y()),
                          number(contact.surface.restitution.at(std::max(0.0, -approach))), number(contact.gap)});
  }
  return table;
}

ImpactTable law_table(const ImpactStudy& report) {
  ImpactTable table{"Laws", "", {"law", "energy kept"}, {}};
  const bool placed = report.outcomes && !report.outcomes->outcomes.empty();
  if (placed) {
    table.note = "Distances are of the kinetic metric, in parts of the speed before, √(2 E).";
    table.columns.insert(table.columns.end(),
                         {"nearest elastic", "distance", "from hull", "in hull", "nearest of all", "distance"});
  }
  for (std::size_t i = 0; i < report.landings.size(); ++i) {
    const LawLanding& landing = report.landings[i];
    if (!landing.refusal.empty()) continue;
    const Placement& placement = report.placements[i];
    std::vector<std::string> row{law_name(landing.law), number(landing.energy_ratio)};
    if (placed) {
      row.insert(row.end(), {report.outcomes->outcomes[static_cast<std::size_t>(placement.nearest)].name,
                             number(placement.relative), number(placement.hull_distance),
                             placement.in_hull ? "yes" : "no", placement.closest, number(placement.closest_relative)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// A quantity of every contact under every law: a line for each law, a column for each contact.
template <class Quantity>
ImpactTable per_contact(const ImpactStudy& report, const std::string& title, const std::string& note,
                        Quantity&& quantity) {
  ImpactTable table{title, note, {"law"}, {}};
  for (std::size_t i = 0; i < report.hand.contacts.size(); ++i) table.columns.push_back(std::to_string(i + 1));
  for (const LawLanding& landing : report.landings) {
    if (!landing.refusal.empty()) continue;
    std::vector<std::string> row{law_name(landing.law)};
    for (const Contact& contact : report.hand.contacts) {
      const auto struck = std::find_if(landing.struck.begin(), landing.struck.end(),
                                       [&](const ImpactContact& one) { return one.id == contact.id; });
      row.push_back(struck == landing.struck.end() ? "–" : quantity(*struck));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string sequence_text(const ImpactOutcomes& outcomes, const std::vector<int>& sequence) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, sequence.size()); ++i) {
    text += (i == 0 ? "" : " ") + std::to_string(outcomes.contacts[static_cast<std::size_t>(sequence[i])] + 1);
  }
  return sequence.size() > most ? text + " …" : text.empty() ? "none" : text;
}

ImpactTable outcome_table(const ImpactStudy& report, bool whole) {
  const ImpactOutcomes& outcomes = *report.outcomes;
  ImpactTable table{
      "Outcomes without friction",
      "A shortest order by the numbers of the contacts, and how many orders lead there. Velocities along the normals "
      "after, m/s.",
      {"outcome", "order", "orders", "resets", "minimal", "energy kept"},
      {}};
  const bool columns = outcomes.contacts.size() <= most_columns || whole;
  for (const int contact : outcomes.contacts) {
    if (columns) table.columns.push_back(fmt::format("velocity {}", contact + 1));
  }
  const auto add = [&](const OutcomePoint& point, std::vector<std::string> head) {
    head.push_back(number(point.energy_ratio));
    for (const double velocity : point.contact_velocity) {
      if (columns) head.push_back(number(velocity));
    }
    table.rows.push_back(std::move(head));
  };
  const std::size_t shown = std::min(whole ? most_on_page : most_outcomes, outcomes.outcomes.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const ReachedOutcome& reached = outcomes.all.outcomes[i];
    const std::string longest = count_of(reached.longest);
    add(outcomes.outcomes[i],
        {outcomes.outcomes[i].name, sequence_text(outcomes, reached.sequence), count_of(reached.sequences),
         longest == std::to_string(reached.shortest) ? longest : fmt::format("{}–{}", reached.shortest, longest),
         outcomes.in_literal[i] ? "yes" : "no"});
  }
  for (const OutcomePoint& point : outcomes.plastic) add(point, {point.name, "–", "–", "–", "–"});
  if (outcomes.blends.size() <= (whole ? most_on_page : most_outcomes)) {
    for (const OutcomePoint& point : outcomes.blends) add(point, {point.name, "–", "–", "–", "–"});
  }
  if (shown < outcomes.outcomes.size()) {
    table.note += fmt::format(" {} more outcomes stand {}.", outcomes.outcomes.size() - shown,
                              whole ? "in the JSON" : "on the page and in the JSON");
  }
  if (!outcomes.no_blends.empty()) table.note += " No blends: " + outcomes.no_blends + ".";
  return table;
}

ImpactTable body_table(const ImpactStudy& report) {
  ImpactTable table{"Velocities of the bodies", "Of the body frame's origin, world axes, m/s.", {"body", "before"}, {}};
  const Model& model = *report.hand.model;
  State state;
  state.time = report.hand.time;
  state.q = report.hand.q;
  const auto text = [](const Vec3& v) {
    return fmt::format("{}, {}, {}", number(v.x()), number(v.y()), number(v.z()));
  };
  const auto add_column = [&](const VectorX& v) {
    state.v = v;
    const std::vector<BodyMotion> motions = body_motions(model, state);
    for (std::size_t i = 0; i < motions.size(); ++i) table.rows[i].push_back(text(motions[i].velocity));
  };
  for (const Body& body : model.bodies()) table.rows.push_back({body.name});
  add_column(report.hand.v);
  for (const LawLanding& landing : report.landings) {
    if (!landing.refusal.empty()) continue;
    table.columns.push_back(law_name(landing.law));
    add_column(landing.v);
  }
  return table;
}

}  // namespace

std::vector<ImpactTable> impact_tables(const ImpactStudy& report, bool whole) {
  const std::vector<std::string> names = contact_names(report.hand);
  std::vector<ImpactTable> tables{contact_table(report, names)};
  ImpactTable laws = law_table(report);
  if (!laws.rows.empty()) tables.push_back(std::move(laws));
  if (report.outcomes) tables.push_back(outcome_table(report, whole));
  const bool narrow = report.hand.contacts.size() <= most_columns;
  if (whole || narrow) {
    tables.push_back(per_contact(report, "Velocities along the normals after, by law",
                                 "By the numbers of the contacts, m/s (rad/s).",
                                 [](const ImpactContact& struck) { return number(struck.after.z()); }));
    tables.push_back(per_contact(report, "Impulses along the normals, by law",
                                 "By the numbers of the contacts, N s (N m s).",
                                 [](const ImpactContact& struck) { return number(struck.impulse.z()); }));
  }
  if (whole) tables.push_back(body_table(report));
  return tables;
}

std::string impact_text(const ImpactStudy& report) {
  std::string text = report.scene.name + "\n\n";
  for (const std::string& paragraph : impact_words(report)) text += wrapped(paragraph) + "\n";
  for (const ImpactTable& table : impact_tables(report, false)) {
    text +=
        table.title + "\n" + (table.note.empty() ? "" : wrapped(table.note)) + padded(table.columns, table.rows) + "\n";
  }
  return text;
}

}  // namespace carom
