#include "carom/record/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "carom/counted.h"
#include "carom/dynamics/body_motion.h"
#include "carom/record/certificate_json.h"
#include "carom/record/contact_names.h"
#include "carom/record/part_names.h"
#include "carom/record/world_motion.h"
#include "carom/stepper/absent_numbers.h"
#include "carom/stepper/model_size.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;
constexpr double round_off = 1e-8;
constexpr double left_by_laws = 1e-6;      // of the speeds of an impact: slower approach counts as none
constexpr double tolerable_energy = 0.01;  // of the largest: what time stepping itself may make or lose

template <class Vector>
Json json_vector(const Vector& vector) {
  Json list = Json::array();
  for (double value : vector) list.push_back(json_number(value));
  return list;
}

Json bodies_json(const Model& model, const State& state) {
  const std::vector<BodyMotion> motions = body_motions(model, state);
  Json bodies = Json::array();
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const Quaternion& R = motions[i].orientation;
    bodies.push_back({{"name", model.bodies()[i].name},
                      {"position", json_vector(motions[i].position)},
                      {"orientation", json_vector(Eigen::Vector4d(R.w(), R.x(), R.y(), R.z()))},
                      {"velocity", json_vector(motions[i].velocity)},
                      {"angular_velocity", json_vector(motions[i].angular_velocity)}});
  }
  return bodies;
}

Json mechanisms_json(const Model& model, const State& state) {
  WorldObserver observer(model);
  const WorldMotion& motion = observer.observe(state);
  const std::vector<std::string> names = mechanism_names(model);
  Json mechanisms = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto of = [&](const VectorX& numbers) {
      return json_vector(numbers.segment<3>(static_cast<Eigen::Index>(3 * i)).eval());
    };
    mechanisms.push_back({{"name", names[i]},
                          {"mass_centre", of(motion.mass_centre)},
                          {"mass_centre_velocity", of(motion.mass_centre_velocity)},
                          {"momentum", of(motion.momentum)},
                          {"angular_momentum", of(motion.angular_momentum)}});
  }
  return mechanisms;
}

Json colliders_json(const Record& record) {
  const std::vector<std::string> names = collider_names(*record.scene.model);
  Json colliders = Json::array();
  for (const ColliderLoad& load : record.last_loads) {
    colliders.push_back({{"name", names[static_cast<std::size_t>(load.collider)]},
                         {"force", json_vector(load.force)},
                         {"centre_of_pressure", json_vector(load.centre_of_pressure)},
                         {"moment", json_vector(load.moment)}});
  }
  return colliders;
}

Json outputs_json(const Record& record) {
  Json outputs = Json::array();
  for (const OutputRange& output : record.outputs) {
    outputs.push_back({{"name", output.name},
                       {"formula", output.formula},
                       {"last", json_number(output.last)},
                       {"min", json_number(output.least)},
                       {"max", json_number(output.greatest)}});
  }
  return outputs;
}

Json torques_json(const Record& record) {
  const Model& model = *record.scene.model;
  const LastLoads& last = record.last_joint_loads;
  const std::vector<std::string> names = torque_names(model), sources = torque_source_names(model);
  Json torques = Json::array();
  std::size_t source = 0;
  for (std::size_t i = 0; i < last.torque.size(); ++i) {
    Json parts = Json::object();
    for (; source < sources.size() && sources[source].substr(0, sources[source].rfind('.')) == names[i]; ++source) {
      parts[sources[source].substr(sources[source].rfind('.') + 1)] = json_number(last.torque_by_source[source]);
    }
    torques.push_back({{"name", names[i]}, {"torque", json_number(last.torque[i])}, {"sources", std::move(parts)}});
  }
  return torques;
}

Json reactions_json(const std::vector<std::string>& names, const std::vector<double>& force,
                    const std::vector<double>& moment) {
  Json reactions = Json::array();
  for (std::size_t i = 0; 3 * i < force.size(); ++i) {
    const auto of = [&](const std::vector<double>& numbers) {
      return json_vector(Vec3(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]));
    };
    reactions.push_back({{"name", names[i]}, {"force", of(force)}, {"moment", of(moment)}});
  }
  return reactions;
}

/// The readings of each sensor by quantity: three numbers, or one.
Json sensors_json(const Record& record) {
  Json sensors = Json::array();
  const std::vector<double>& readings = record.last_joint_loads.sensors;
  if (readings.empty()) return sensors;
  std::size_t place = 0;
  for (const Sensor& sensor : record.scene.model->sensors()) {
    Json object{{"name", sensor.name}, {"type", sensor_kind_name(sensor.kind)}};
    for (const auto& [column, unit] : sensor_columns(sensor)) {
      const std::string entry = column.substr(sensor.name.size() + 1);
      const std::size_t dot = entry.find('.');
      const Json number = json_number(readings[place++]);
      if (dot == std::string::npos) {
        object[entry] = number;
      } else {
        object[entry.substr(0, dot)].push_back(number);
      }
    }
    sensors.push_back(std::move(object));
  }
  return sensors;
}

Json event_json(const Model& model, const Event& event) {
  Json object{{"time", json_number(event.time)}, {"step", event.step}, {"kind", event_name(event.kind)}};
  if (event.kind == EventKind::unsolved) {
    object["bodies"] = Json::array();
  } else {
    describe_contact(model, event.id, event.body_a, event.body_b, object);
  }
  return object;
}

/// Trace of law plus in an impact, interval by interval.
Json trace_json(const Record& record, const ImpactReport& impact) {
  Json trace = Json::array();
  for (std::size_t i = 0; i < impact.intervals; ++i) {
    const ImpactInterval& interval = record.intervals[impact.first_interval + i];
    Json contacts = Json::array();
    for (std::size_t k = 0; k < interval.contacts; ++k) {
      const IntervalContact& contact = record.interval_contacts[interval.first_contact + k];
      contacts.push_back({{"contact", contact.contact - impact.first_contact},
                          {"role", role_name(contact.role)},
                          {"motion", motion_name(contact.motion)},
                          {"impulse", json_vector(contact.impulse)},
                          {"velocity", json_vector(contact.velocity)}});
    }
    trace.push_back({{"group", interval.group},
                     {"round", interval.round},
                     {"alpha", json_number(interval.alpha)},
                     {"jammed", interval.jammed},
                     {"ending", interval.ending},
                     {"status", label_status_name(interval.status)},
                     {"contacts", std::move(contacts)}});
  }
  return trace;
}

Json impact_json(const Record& record, const ImpactReport& impact) {
  Json contacts = Json::array();
  for (std::size_t i = 0; i < impact.contacts; ++i) {
    const ImpactContact& struck = record.struck[impact.first_contact + i];
    Json contact;
    describe_contact(*record.scene.model, struck.id, struck.body_a, struck.body_b, contact);
    contact["impulse"] = json_vector(struck.impulse);
    contact["before"] = json_vector(struck.before);
    contact["after"] = json_vector(struck.after);
    contacts.push_back(std::move(contact));
  }
  Json object{{"time", json_number(impact.time)},
              {"step", impact.step},
              {"status", impact_status_name(impact.outcome.status)},
              {"rounds", impact.outcome.rounds},
              {"intervals", impact.outcome.intervals},
              {"jams", impact.outcome.jams},
              {"energy_change", json_number(impact.outcome.energy_change)},
              {"contacts", std::move(contacts)}};
  if (record.scene.record.traces) object["trace"] = trace_json(record, impact);
  return object;
}

std::string dump(const Json& json) {
  // Names come from the user's file and may hold bytes that are no UTF-8: they are replaced, not thrown at.
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string dimensionless(double value) { return value == 0 ? "0" : fmt::format("{:.1e}", value); }

Verdict line(std::string name, std::string meaning, std::string value, bool good = true) {
  return {std::move(name), std::move(meaning), std::move(value), good, true};
}

/// A quantity that is told but not judged.
Verdict told(std::string name, std::string meaning, std::string value, double number) {
  return {std::move(name), std::move(meaning), std::move(value), std::isfinite(number), false};
}

Verdict small(std::string name, std::string meaning, double value) {
  return line(std::move(name), std::move(meaning), dimensionless(value), std::abs(value) <= round_off);
}

/// Energy that rounding can make in a step, J. It moves a mechanism of mass M by a way w, a small part of how far
/// things are from the world's origin, and the impulse of the weight changes the speed of the lightest body m by its
/// digits; a link that is all but massless counts as a millionth of M. So speeds are wrong by w/h + ε g h M/m, and
/// impulses of M (g h + w/h) do work on them. A potential has its own digits.
double rounded_energy(const Record& record) {
  constexpr double digits = 16 * std::numeric_limits<double>::epsilon();
  const Model& model = *record.scene.model;
  const ModelSize size(model);
  const VectorX& q = record.scene.initial.q;
  double mass = 0, least = std::numeric_limits<double>::infinity();
  for (int body = 0; body < model.body_count(); ++body) {
    const double own = model.bodies()[body].inertia.mass;
    if (model.is_static(body) || !(own > 0)) continue;
    mass += own;
    least = std::min(least, own);
  }
  const RunCertificate& certificate = record.certificate;
  const double step = record.scene.method.step;
  const double shortest = certificate.shortest_part > 0 ? std::min(step, certificate.shortest_part) : step;
  const double reach = q.size() == model.position_count() ? size.reach(model, q) : size.extent();
  const double rounded = digits * reach / shortest, falls = step * model.gravity().norm();
  return mass * (falls + rounded) * (rounded + digits * falls * std::min(mass / least, 1e6)) +
         digits * std::abs(certificate.energy.potential);
}

/// The energy that a line of the ledger is relative to, J, of which `part` is let pass: the run's largest. What rests
/// has none but round-off. So it is no less than that of which rounding makes such a part.
double energy_scale(const Record& record, double part) {
  const double scale = std::max(record.certificate.largest_energy, rounded_energy(record) / part);
  return scale > 0 ? scale : 1;
}

/// Verdict on contacts that gave energy in a step, or where steps throw back what the ones before stopped, in the run.
void add_contact_work(const Record& record, std::vector<Verdict>& lines) {
  const RunCertificate& certificate = record.certificate;
  const Method& method = record.scene.method;
  const double scale = energy_scale(record, round_off);
  const bool remembers = method.stepper == StepperKind::hybrid_dca && method.law == LawKind::newton &&
                         method.rebound == Rebound::next_step;
  const double gain = certificate.contact_work_gain / scale;
  if (!remembers) {
    lines.push_back(
        small("contact_work_gain", "energy that the contacts of one step gave, of the run's largest", gain));
    return;
  }
  lines.push_back(told("contact_work_gain",
                       "energy that the contacts of one step gave, of the run's largest: throwing back what they "
                       "stopped a step before",
                       dimensionless(gain), gain));
  lines.push_back(small("contact_work", "energy that the contacts gave in all steps together, of the run's largest",
                        std::max(0.0, certificate.energy.contact_work) / scale));
}

/// True of a length that time stepping gets wrong, and not a condition that it was to meet.
bool is_error_of_steps(const JudgedNumber& number) {
  return number.verdict == JudgedNumber::Verdict::told && std::string(number.unit) != "1";
}

/// "m, rad" of the table, for a sentence.
std::string unit_text(const JudgedNumber& number) {
  std::string unit = number.unit;
  if (const std::size_t comma = unit.find(", "); comma != std::string::npos) unit.replace(comma, 2, " or ");
  return unit;
}

/// The line of a judged number.
Verdict line_of(const JudgedNumber& number, const RunCertificate& certificate, const Method& method) {
  const double value = number.value(certificate, certificate.contact);
  const bool relative = std::string(number.unit) == "1";
  const std::string text = relative ? dimensionless(value) : fmt::format("{:.3g} {}", value, unit_text(number));
  const bool of_exact_cone = number.verdict == JudgedNumber::Verdict::judged_if_exact;
  const bool exact = method.cone == FrictionCone::exact;
  if (number.verdict == JudgedNumber::Verdict::told) return told(number.name, number.meaning, text, value);
  if (of_exact_cone && !exact) {
    return told(number.name, std::string(number.meaning) + ", the polyhedral error included", text, value);
  }
  return line(number.name, number.meaning, text, std::abs(value) <= number.threshold_at(certificate.tolerance));
}

/// Lines of the judged numbers that the method defines.
void add_judged(const Record& record, bool errors_of_steps, std::vector<Verdict>& lines) {
  const Method& method = record.scene.method;
  for (const JudgedNumber& number : judged_numbers) {
    if (number.verdict == JudgedNumber::Verdict::recorded || is_error_of_steps(number) != errors_of_steps) continue;
    if (why_absent(number.name, method).empty()) lines.push_back(line_of(number, record.certificate, method));
  }
}

/// Verdicts on the solution of the steps' contact problems.
void add_solves(const Record& record, std::vector<Verdict>& lines) {
  const RunCertificate& certificate = record.certificate;
  const Method& method = record.scene.method;
  lines.push_back(
      line("status",
           is_integrated(method) ? "steps whose motion was not integrated to their end"
                                 : "steps whose contact problem was not solved",
           certificate.unsolved_steps == 0
               ? fmt::format("0 of {}", certificate.steps)
               : fmt::format("{} of {}, first step {}, at worst {}", certificate.unsolved_steps, certificate.steps,
                             certificate.first_unsolved_step, status_name(certificate.worst_status)),
           certificate.unsolved_steps == 0));
  if (certificate.slow_steps > 0) {
    lines.push_back(told("slow_steps",
                         fmt::format("steps whose contact problem took more than {} iterations", many_iterations),
                         fmt::format("{} of {}, {} in step {}", certificate.slow_steps, certificate.steps,
                                     certificate.most_iterations, certificate.most_iterations_step),
                         0));
  }
  add_judged(record, false, lines);
  add_contact_work(record, lines);
}

/// Verdicts on the law of the impacts.
void add_impacts(const RunCertificate& certificate, std::vector<Verdict>& lines) {
  const ImpactCertificate& impact = certificate.impact;
  lines.push_back(line("impacts", "impacts that the impact law did not resolve",
                       fmt::format("{} of {}", certificate.unresolved_impacts, certificate.impacts),
                       certificate.unresolved_impacts == 0));
  lines.push_back(line("impact_approach", "approach that an impact left, of its largest velocity",
                       dimensionless(impact.approach), impact.approach <= left_by_laws));
  lines.push_back(
      small("impact_energy_gain", "energy that an impact gave, of the work of its impulses", impact.energy_gain));
}

/// Verdicts on the errors of time stepping itself: overlap, drift and energy.
void add_errors_of_steps(const Record& record, std::vector<Verdict>& lines) {
  const RunCertificate& certificate = record.certificate;
  // These lines are sums over all steps, and so is what rounding makes of them.
  const double scale =
      energy_scale(record, tolerable_energy / static_cast<double>(std::max<std::int64_t>(1, certificate.steps)));
  const auto energy = [&](const char* name, const char* meaning, double value) {
    lines.push_back(line(name, meaning, fmt::format("{:+.3g} J of {:.3g} J", value, scale),
                         std::abs(value) <= tolerable_energy * scale));
  };
  add_judged(record, true, lines);
  if (!has_impacts(record.scene.method) && !is_integrated(record.scene.method)) {
    energy("push_out", "energy made by pushing overlap apart", certificate.energy.push_out);
  }
  if (certificate.energy.projection != 0) {
    energy("projection", "energy made (+) or lost (-) by moving out of overlap and back onto constraints",
           certificate.energy.projection);
  }
  energy("free_motion_error", "energy that the motion between contacts made (+) or lost (-) in the run",
         certificate.energy.free_motion_error);
  // A fall from rest by steps of first order loses m g h v / 2, which is weight times the error of its height. This is
  // the same error again, and 1 % of a short fall's energy can't judge it. The comparison of the whole motion does, if
  // there is one.
  if (record.accuracy.known && tolerable(record.accuracy)) {
    lines.back().judged = false;
    lines.back().good = std::isfinite(certificate.energy.free_motion_error);
  }
}

/// "+0.2 J by contacts, -0.1 J by dampers": every line of the ledger that is not 0. They add up to the change of
/// energy.
std::string work_text(const EnergyLedger& energy) {
  std::string text;
  for (const auto& [work, by] :
       std::initializer_list<std::pair<double, const char*>>{{energy.contact_work, "contacts"},
                                                             {-energy.damping, "dampers"},
                                                             {energy.drive_work, "drives"},
                                                             {energy.joint_friction, "friction in joints"},
                                                             {energy.constraint_work, "constraints"},
                                                             {energy.opposed_work, "other forces against contacts"},
                                                             {energy.push_out, "pushing overlap apart"},
                                                             {energy.projection, "projection"},
                                                             {energy.free_motion_error, "error of the free motion"}}) {
    if (work != 0) text += fmt::format("{}{:+.4g} J by {}", text.empty() ? "" : ", ", work, by);
  }
  return text.empty() ? "nothing" : text;
}

/// Words of the JSON.
const char* word_of(const Verdict& verdict) { return !verdict.good ? "look here" : verdict.judged ? "ok" : "told"; }

Json verdict_json(const Record& record) {
  const std::vector<Verdict> lines = verdicts(record);
  Json all = Json::array();
  bool good = true;
  for (const Verdict& line : lines) {
    good = good && line.good;
    all.push_back({{"name", line.name}, {"verdict", word_of(line)}, {"value", line.value}, {"meaning", line.meaning}});
  }
  return {{"good", good}, {"sentence", conclusion(record, lines)}, {"lines", std::move(all)}};
}

}  // namespace

std::string cone_text(const Method& method) {
  if (method.stepper == StepperKind::compliant) return "friction by slip speed";
  if (is_integrated(method) || is_implicit_in_geometry(method)) return "exact cone";
  return method.cone == FrictionCone::exact ? "exact cone" : fmt::format("{} generators", method.directions);
}

std::string run_json(const Record& record, const std::string& report) {
  const Scene& scene = record.scene;
  const State& state = record.frames.back().state;
  Json events = Json::array();
  for (const Event& event : record.events) events.push_back(event_json(*scene.model, event));
  Json impacts = Json::array();
  for (const ImpactReport& impact : record.impacts) impacts.push_back(impact_json(record, impact));
  const LastLoads& loads = record.last_joint_loads;
  const Method& method = scene.method;
  const bool polyhedral =
      method.cone == FrictionCone::polyhedral && !is_integrated(method) && !is_implicit_in_geometry(method);
  const Json object{
      {"scene", scene.file.empty() ? scene.name : scene.file},
      {"name", scene.name},
      {"version", record.version},
      {"end", record.end},
      {"stepper", stepper_name(scene.method.stepper)},
      {"law", law_name(scene.method.law)},
      {"dynamics", dynamics_name(scene.method.dynamics)},
      {"cone", method.stepper == StepperKind::compliant
                   ? Json()
                   : Json(cone_name(polyhedral ? FrictionCone::polyhedral : FrictionCone::exact))},
      {"directions", polyhedral ? Json(method.directions) : Json()},
      {"step", scene.method.step},
      {"accuracy_asked", scene.method.accuracy > 0 ? Json(scene.method.accuracy) : Json()},
      {"steps", state.step},
      {"time", json_number(state.time)},
      {"accuracy", accuracy_object(record.accuracy, record.certificate.unsolved_steps == 0)},
      {"wall_seconds", json_number(record.wall_seconds)},
      {"state", state_json(*scene.model, state)},
      {"bodies", bodies_json(*scene.model, state)},
      {"mechanisms", mechanisms_json(*scene.model, state)},
      {"colliders", colliders_json(record)},
      {"torques", torques_json(record)},
      {"joint_reactions", reactions_json(jointed_names(*scene.model), loads.joint_force, loads.joint_moment)},
      {"constraint_reactions",
       reactions_json(constraint_names(*scene.model), loads.constraint_force, loads.constraint_moment)},
      {"sensors", sensors_json(record)},
      {"outputs", outputs_json(record)},
      {"events", std::move(events)},
      {"impacts", std::move(impacts)},
      {"certificate", certificate_object(record)},
      {"verdict", verdict_json(record)},
      {"record", record.path.empty() ? Json() : Json(record.path)},
      {"report", report.empty() ? Json() : Json(report)}};
  return dump(object);
}

std::string certificate_json(const Record& record) { return dump(certificate_object(record)); }

std::vector<Verdict> verdicts(const Record& record) {
  std::vector<Verdict> lines;
  const Accuracy& accuracy = record.accuracy;
  lines.push_back(
      {"accuracy", accuracy_details(accuracy), accuracy_words(accuracy), tolerable(accuracy), accuracy.known});
  add_solves(record, lines);
  if (has_impacts(record.scene.method)) add_impacts(record.certificate, lines);
  add_errors_of_steps(record, lines);
  return lines;
}

std::string conclusion(const Record& record, const std::vector<Verdict>& lines) {
  if (record.certificate.steps == 0) return "No step was taken.";
  const auto bad = std::count_if(lines.begin(), lines.end(), [](const Verdict& verdict) { return !verdict.good; });
  const Accuracy& accuracy = record.accuracy;
  const std::string motion = accuracy.known && tolerable(accuracy)
                                 ? fmt::format("The motion is {}.", accuracy_words(accuracy))
                             : accuracy.known ? fmt::format("The motion is no more than {}.", accuracy_words(accuracy))
                             : tolerable(accuracy) ? "The motion was not checked."
                                                   : "The motion was not checked as a whole, and its step is too long.";
  if (bad > 0) {
    return fmt::format("{} {} of {} {} a look.", motion, bad, counted(std::ssize(lines), "line"),
                       bad == 1 ? "needs" : "need");
  }
  return "All equations were solved. " + motion;
}

std::string run_text(const Record& record, const std::string& report) {
  const Scene& scene = record.scene;
  const State& state = record.frames.back().state;
  const EnergyLedger& energy = record.certificate.energy;
  std::string text =
      fmt::format("{}: {} of {:g} s to {:g} s in {:.2f} s ({})\n", scene.name, counted(state.step, "step"),
                  scene.method.step, state.time, record.wall_seconds, record.end);
  const std::vector<Verdict> lines = verdicts(record);
  const auto add_line = [&](const Verdict& verdict) {
    text += fmt::format("{:<11} {:<24} {:<22} {}\n",
                        !verdict.good    ? "  LOOK HERE"
                        : verdict.judged ? "  ok"
                                         : "",
                        verdict.name, verdict.value, verdict.meaning);
  };
  add_line(lines.front());
  text += fmt::format("method      {}, law {}, dynamics {}, {}\n", stepper_name(scene.method.stepper),
                      law_name(scene.method.law), dynamics_name(scene.method.dynamics), cone_text(scene.method));
  if (scene.method.accuracy > 0 && record.certificate.shortest_part > 0) {
    text += fmt::format("parts       {} of steps, for an accuracy of {:g}; the shortest {:.2g} s; {} problems solved\n",
                        record.certificate.parts, scene.method.accuracy, record.certificate.shortest_part,
                        record.certificate.trials);
  }
  text +=
      fmt::format("energy      kinetic {:.6g} J ({:+.4g}), potential {:.6g} J ({:+.4g}); given: {}\n", energy.kinetic,
                  energy.kinetic_change, energy.potential, energy.potential_change, work_text(energy));
  for (const OutputRange& output : record.outputs) {
    text += fmt::format("output      {:<24} last {:.6g}, min {:.6g}, max {:.6g}\n", output.name, output.last,
                        output.least, output.greatest);
  }
  text += fmt::format("events      {}\n", record.events.size());
  for (std::size_t i = 1; i < lines.size(); ++i) add_line(lines[i]);
  text += fmt::format("verdict     {}\n", conclusion(record, lines));
  if (!record.path.empty()) text += fmt::format("record      {}\n", record.path);
  if (!report.empty()) text += fmt::format("report      {}\n", report);
  return text;
}

}  // namespace carom
