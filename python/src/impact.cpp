#include <algorithm>
#include <limits>

#include "aside.h"
#include "bindings.h"
#include "carom/record/report.h"
#include "carom/study/impact_study.h"
#include "settings_of.h"
#include "study.h"

namespace carom::python {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A row of three for each contact of the hand; NaN where a law has no part for it.
template <class Quantity>
Rows of_contacts(const ImpactAtHand& hand, const LawLanding& landing, Quantity&& quantity) {
  Rows rows = Rows::Constant(static_cast<Eigen::Index>(hand.contacts.size()), 3, none);
  for (std::size_t i = 0; i < hand.contacts.size(); ++i) {
    for (const ImpactContact& struck : landing.struck) {
      if (struck.id == hand.contacts[i].id) rows.row(static_cast<Eigen::Index>(i)) = quantity(struck).transpose();
    }
  }
  return rows;
}

py::dict landing_of(const ImpactStudy& study, std::size_t i) {
  const LawLanding& landing = study.landings[i];
  const Placement& placement = study.placements[i];
  py::dict told;
  told["law"] = law_name(landing.law);
  told["refusal"] = landing.refusal;
  const bool holds = landing.refusal.empty();
  told["v"] = holds ? landing.v : VectorX(VectorX::Constant(study.hand.v.size(), none));
  told["impulse"] = of_contacts(study.hand, landing, [](const ImpactContact& contact) { return contact.impulse; });
  told["before"] = of_contacts(study.hand, landing, [](const ImpactContact& contact) { return contact.before; });
  told["after"] = of_contacts(study.hand, landing, [](const ImpactContact& contact) { return contact.after; });
  told["energy_ratio"] = holds ? landing.energy_ratio : none;
  told["momentum_residual"] = holds ? landing.impact.momentum_residual : none;
  const bool placed = holds && study.outcomes && placement.nearest >= 0;
  told["nearest_outcome"] = placed ? placement.nearest : -1;
  told["outcome_distance"] = placed ? placement.relative : none;
  told["hull_distance"] = placed ? placement.hull_distance : none;
  return told;
}

Rows stacked(const std::vector<OutcomePoint>& points, Eigen::Index size) {
  Rows rows(static_cast<Eigen::Index>(points.size()), size);
  for (std::size_t i = 0; i < points.size(); ++i) rows.row(static_cast<Eigen::Index>(i)) = points[i].v.transpose();
  return rows;
}

py::dict dict_of(const ImpactStudy& study) {
  const ImpactAtHand& hand = study.hand;
  py::dict told;
  const auto count = static_cast<Eigen::Index>(hand.contacts.size());
  Rows points(count, 3), normals(count, 3);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Contact& contact = hand.contacts[static_cast<std::size_t>(i)];
    points.row(i) = contact.p_WA.transpose();
    normals.row(i) = contact.R_WC.col(2).transpose();
  }
  py::list landings;
  for (std::size_t i = 0; i < study.landings.size(); ++i) landings.append(landing_of(study, i));
  told["scene"] = study.scene.name;
  told["time"] = hand.time;
  told["at_start"] = hand.at_start;
  told["earlier"] = hand.impacts;
  told["words"] = paragraphs(impact_words(study));
  told["q"] = hand.q;
  told["v"] = hand.v;
  told["contacts"] = contact_names(hand);
  told["strikes"] = py::array_t<bool>(count, reinterpret_cast<const bool*>(hand.strikes.data()));
  told["points"] = points;
  told["normals"] = normals;
  told["laws"] = landings;
  const auto outcomes = [&](const auto& of) {
    return study.outcomes ? of(*study.outcomes) : std::vector<OutcomePoint>();
  };
  told["outcomes"] = stacked(outcomes([](const ImpactOutcomes& all) { return all.outcomes; }), hand.v.size());
  told["plastic"] = stacked(outcomes([](const ImpactOutcomes& all) { return all.plastic; }), hand.v.size());
  told["no_outcomes"] = study.no_outcomes;
  told["text"] = impact_text(study);
  return told;
}

struct ImpactQuestion {
  std::string at;
  std::vector<std::string> laws;
  OutcomeSearch outcomes;
  double patience = 30;
};

ImpactStudy study_impact(const SceneSource& source, const ImpactQuestion& question, Watch& watch) {
  const std::vector<LawKind> laws = parse_laws_of_impacts(question.laws);
  check(question.outcomes);
  const Scene scene = moving_scene(source);
  ImpactMoment moment = parse_impact_moment(question.at, scene.duration);
  moment.patience = question.patience;
  moment.stop = watch.stop();
  watch.tell("looking for the impact", 0);
  ImpactSearch search = find_impact(scene, moment);
  if (!search.found) throw Error(search.none.sentence);
  watch.tell("laws and outcomes", 0.5);
  return impact_study(scene, std::move(*search.found), laws, question.outcomes);
}

py::dict impact_of_scene(const SceneOrPath& scene, const py::dict& settings, const std::string& at,
                         const std::vector<std::string>& laws, const std::optional<double>& blend, int budget,
                         double patience, const std::string& page, const py::object& progress) {
  const SceneSettings asked = settings_of(settings);
  const ImpactQuestion question{at, laws, {.max_momenta = budget, .restitution = blend}, patience};
  const ImpactStudy study = aside(progress, [&](Watch& watch) {
    return with_keywords([&] {
      ImpactStudy made = study_impact(study_source(scene, asked), question, watch);
      write_impact_page(made, page);
      return made;
    });
  });
  return dict_of(study);
}

}  // namespace

void bind_impact_study(py::module_& module) {
  module.def("_impact", &impact_of_scene, py::arg("scene"), py::arg("settings"), py::arg("at"), py::arg("laws"),
             py::arg("blend"), py::arg("budget"), py::arg("patience"), py::arg("page"), py::arg("progress"));
}

}  // namespace carom::python
