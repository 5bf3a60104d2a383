#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/dynamics/body_motion.h"
#include "carom/record/certificate_json.h"
#include "carom/record/contact_names.h"
#include "carom/study/impact_study.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

template <class Vector>
Json number_list(const Vector& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(json_number(value));
  return list;
}

Json number_or_null(double value) { return std::isnan(value) ? Json() : json_number(value); }

Json contacts_json(const ImpactStudy& report, const std::vector<std::string>& names) {
  Json list = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Contact& contact = report.hand.contacts[i];
    Json object{{"name", names[i]}};
    describe_contact(*report.hand.model, contact.id, contact.body_a, contact.body_b, object);
    bool part = false;
    if (report.outcomes) {
      const auto& of_part = report.outcomes->contacts;
      part = std::find(of_part.begin(), of_part.end(), static_cast<int>(i)) != of_part.end();
    }
    const Vec2 friction = contact.surface.impact_friction.value_or(contact.surface.friction);
    object["strikes"] = report.hand.strikes[i] != 0;
    object["takes_part"] = report.outcomes ? Json(part) : Json();
    object["gap"] = json_number(contact.gap);
    object["position"] = number_list(contact.p_WA);
    object["normal"] = number_list(Vec3(contact.R_WC.col(2)));
    object["friction"] = contact.id.is_surface() ? number_list(friction) : Json();
    list.push_back(std::move(object));
  }
  return list;
}

Json certificate_object(const ImpactReport& impact) {
  const ImpactCertificate& certificate = impact.certificate;
  Json object{{"status", impact_status_name(impact.outcome.status)},
              {"momentum_residual", json_number(impact.momentum_residual)},
              {"approach", json_number(certificate.approach)},
              {"bilateral", json_number(certificate.bilateral)},
              {"pull", json_number(certificate.pull)},
              {"cone_violation", json_number(certificate.cone_violation)}};
  Json reasons = Json::object();
  const auto known = [&](const char* name, const std::optional<double>& value) {
    object[name] = value ? json_number(*value) : Json();
    if (!value) reasons[name] = "the law does not tell the path of an impact";
  };
  known("dissipation_residual", certificate.dissipation_residual);
  known("path_residual", certificate.path_residual);
  object["energy_gain"] = json_number(certificate.energy_gain);
  object["driving_work"] = json_number(certificate.driving_work);
  object["reasons"] = std::move(reasons);
  return object;
}

Json bodies_json(const ImpactStudy& report, const VectorX& v) {
  State state;
  state.time = report.hand.time;
  state.q = report.hand.q;
  state.v = v;
  const std::vector<BodyMotion> motions = body_motions(*report.hand.model, state);
  Json list = Json::array();
  for (std::size_t i = 0; i < motions.size(); ++i) {
    list.push_back({{"name", report.hand.model->bodies()[i].name},
                    {"velocity", number_list(motions[i].velocity)},
                    {"angular_velocity", number_list(motions[i].angular_velocity)}});
  }
  return list;
}

Json law_object(const ImpactStudy& report, std::size_t i) {
  const LawLanding& landing = report.landings[i];
  Json object{{"law", law_name(landing.law)}};
  if (!landing.refusal.empty()) {
    object["refused"] = landing.refusal;
    return object;
  }
  object["refused"] = Json();
  object["velocity"] = number_list(landing.v);
  object["bodies"] = bodies_json(report, landing.v);
  Json impulse = Json::array(), before = Json::array(), after = Json::array();
  for (const Contact& contact : report.hand.contacts) {
    const auto struck = std::find_if(landing.struck.begin(), landing.struck.end(),
                                     [&](const ImpactContact& one) { return one.id == contact.id; });
    const bool none = struck == landing.struck.end();
    impulse.push_back(none ? Json() : number_list(struck->impulse));
    before.push_back(none ? Json() : number_list(struck->before));
    after.push_back(none ? Json() : number_list(struck->after));
  }
  object["impulse"] = std::move(impulse);
  object["before"] = std::move(before);
  object["after"] = std::move(after);
  object["energy_ratio"] = number_or_null(landing.energy_ratio);
  const Placement& placement = report.placements[i];
  const bool placed = placement.nearest >= 0;
  object["nearest"] = placed ? Json(placement.nearest + 1) : Json();
  object["distance"] = placed ? json_number(placement.relative) : Json();
  object["hull_distance"] = placed ? json_number(placement.hull_distance) : Json();
  object["in_hull"] = placed ? Json(placement.in_hull) : Json();
  object["closest"] = placed ? Json(placement.closest) : Json();
  object["closest_distance"] = placed ? json_number(placement.closest_relative) : Json();
  object["certificate"] = certificate_object(landing.impact);
  return object;
}

Json point_json(const OutcomePoint& point) {
  return {{"name", point.name},
          {"velocity", number_list(point.v)},
          {"impulse", number_list(point.impulse)},
          {"contact_velocity", number_list(point.contact_velocity)},
          {"energy_ratio", number_or_null(point.energy_ratio)}};
}

Json points_json(const std::vector<OutcomePoint>& points) {
  Json list = Json::array();
  for (const OutcomePoint& point : points) list.push_back(point_json(point));
  return list;
}

Json outcomes_json(const ImpactOutcomes& outcomes) {
  Json list = Json::array();
  for (std::size_t i = 0; i < outcomes.outcomes.size(); ++i) {
    const ReachedOutcome& reached = outcomes.all.outcomes[i];
    Json object = point_json(outcomes.outcomes[i]);
    Json sequence = Json::array();
    for (const int contact : reached.sequence)
      sequence.push_back(outcomes.contacts[static_cast<std::size_t>(contact)] + 1);
    object["sequence"] = std::move(sequence);
    object["sequences"] = json_number(reached.sequences);
    object["shortest"] = reached.shortest;
    object["longest"] = json_number(reached.longest);
    object["minimal_to_the_letter"] = static_cast<bool>(outcomes.in_literal[i]);
    list.push_back(std::move(object));
  }
  return list;
}

Json set_json(const OutcomeSet& set) {
  return {{"outcomes", set.outcomes.size()},
          {"sequences", json_number(set.sequences)},
          {"shortest", set.shortest},
          {"longest", json_number(set.longest)},
          {"diameter", json_number(set.diameter)},
          {"indeterminacy", json_number(set.indeterminacy)},
          {"cut", set.cut},
          {"endless", set.endless},
          {"momenta", set.momenta}};
}

Json hull_json(const ImpactOutcomes& outcomes) {
  const PointHull& hull = outcomes.hull;
  const double unit = std::pow(2 * outcomes.energy, 0.5 * std::max(0, hull.dimension));
  return {{"dimension", hull.dimension},
          {"size", hull.has_size ? json_number(hull.size) : Json()},
          {"relative", hull.has_size && unit > 0 ? json_number(hull.size / unit) : Json()}};
}

Json numbers_from_one(const std::vector<int>& contacts) {
  Json list = Json::array();
  for (const int contact : contacts) list.push_back(contact + 1);
  return list;
}

void add_outcomes(const ImpactStudy& report, Json& object) {
  if (!report.outcomes) {
    object["outcomes"] = Json();
    object["unique"] = "unknown";
    object["reason"] = report.no_outcomes;
    return;
  }
  const ImpactOutcomes& outcomes = *report.outcomes;
  const Uniqueness& verdict = outcomes.verdict;
  object["outcomes"] = outcomes_json(outcomes);
  object["unique"] = verdict.unique == Unique::yes ? "yes" : verdict.unique == Unique::no ? "no" : "unknown";
  object["reason"] = verdict.sentence;
  object["every_order_ends"] = verdict.ends;
  object["any_momentum"] = verdict.any_momentum;
  object["opening_margin"] = json_number(verdict.margin);
  object["contacts_of_outcomes"] = numbers_from_one(outcomes.contacts);
  object["immovable"] = numbers_from_one(outcomes.immovable);
  object["without_friction"] = outcomes.has_friction;
  object["reachable_energy"] = json_number(outcomes.reachable);
  Json cosine = Json::array();
  for (Eigen::Index i = 0; i < outcomes.impact.size(); ++i)
    cosine.push_back(number_list(VectorX(outcomes.impact.cosine.row(i))));
  object["cosines"] = std::move(cosine);
  object["readings"] = {{"stops_when_feasible", set_json(outcomes.all)},
                        {"no_subsequence", set_json(outcomes.literal)}};
  object["hull"] = hull_json(outcomes);
  object["plastic"] = points_json(outcomes.plastic);
  object["blend_restitution"] = outcomes.restitution ? Json(*outcomes.restitution) : Json();
  object["blends"] = points_json(outcomes.blends);
}

}  // namespace

std::string impact_study_json(const ImpactStudy& report, const std::string& page) {
  const ImpactAtHand& hand = report.hand;
  State state;
  state.q = hand.q;
  state.v = hand.v;
  Json laws = Json::array();
  for (std::size_t i = 0; i < report.landings.size(); ++i) laws.push_back(law_object(report, i));
  Json object{{"scene", report.scene.file.empty() ? report.scene.name : report.scene.file},
              {"name", report.scene.name},
              {"time", hand.time},
              {"at_start", hand.at_start},
              {"impacts_before", hand.impacts},
              {"words", impact_words(report)},
              {"state", state_json(*hand.model, state)},
              {"bodies", bodies_json(report, hand.v)},
              {"energy", json_number(report.space.energy(hand.v))},
              {"contacts", contacts_json(report, contact_names(hand))},
              {"laws", std::move(laws)}};
  add_outcomes(report, object);
  object["page"] = page.empty() ? Json() : Json(page);
  return object.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace carom
