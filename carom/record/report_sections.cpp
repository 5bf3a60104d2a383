#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "carom/dynamics/body_motion.h"
#include "carom/record/certificate_json.h"
#include "carom/record/curve_families.h"
#include "carom/record/curve_json.h"
#include "carom/record/part_names.h"
#include "carom/record/record_layout.h"
#include "carom/record/report_data.h"
#include "carom/stepper/absent_numbers.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;
using Values = std::vector<double>;

/// Bodies whose curves a page carries: 24 bodies of 2000 points are about 2 MB.
constexpr std::size_t largest_body_count = 24;

template <class Field>
Values each_frame(const Record& record, Field&& field) {
  Values values;
  values.reserve(record.frames.size());
  for (const Frame& frame : record.frames) values.push_back(field(frame));
  return values;
}

/// A curve among many, by its number.
Json numbered(const std::string& name, std::size_t number, const Values& values) {
  return curve_json(name, number, values);
}

Json line(const std::string& name, const std::string& color_name, const Values& values) {
  return {{"name", name}, {"color", color_name}, {"data", base64(thin(values))}};
}

bool all_zero(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 0; });
}

/// The sentence for curves that are left out, none if `zero` names none.
std::string not_drawn(const std::string& zero) {
  return zero.empty() ? "" : "Zero throughout, and not drawn: " + zero + ".";
}

/// Adds three charts, one per world axis, of a vector of every body; a chart that is zero throughout goes into `zero`.
void add_body_charts(const std::vector<std::vector<BodyMotion>>& motions, const Model& model, const char* what,
                     const char* unit, Vec3 BodyMotion::*vector, Json& charts, std::string& zero) {
  for (int axis = 0; axis < 3; ++axis) {
    Json series = Json::array();
    const std::string title = fmt::format("{} {}", what, "xyz"[axis]);
    bool empty = true;
    for (std::size_t body = 0; body < std::min(largest_body_count, model.bodies().size()); ++body) {
      Values values;
      for (const auto& frame : motions) values.push_back((frame[body].*vector)[axis]);
      empty = empty && all_zero(values);
      Json entry = numbered(model.bodies()[body].name, body, values);
      entry["body"] = body;
      series.push_back(std::move(entry));
    }
    if (empty) {
      zero += (zero.empty() ? "" : ", ") + title;
    } else {
      charts.push_back({{"title", title}, {"unit", unit}, {"series", std::move(series)}});
    }
  }
}

void add_motion(const Record& record, Json& sections) {
  const Model& model = *record.scene.model;
  if (model.bodies().empty()) return;
  std::vector<std::vector<BodyMotion>> motions;
  for (const Frame& frame : record.frames) motions.push_back(body_motions(model, frame.state));
  Json charts = Json::array();
  std::string zero;
  add_body_charts(motions, model, "position", "m", &BodyMotion::position, charts, zero);
  add_body_charts(motions, model, "velocity", "m/s", &BodyMotion::velocity, charts, zero);
  add_body_charts(motions, model, "angular velocity", "rad/s", &BodyMotion::angular_velocity, charts, zero);
  std::string note = "Of each body frame's origin, world axes.";
  if (model.bodies().size() > largest_body_count) {
    note += fmt::format(" The first {} of {} bodies; the record has all.", largest_body_count, model.bodies().size());
  }
  if (!zero.empty()) note += " " + not_drawn(zero);
  sections.push_back({{"title", "Motion"}, {"note", note}, {"key", true}, {"charts", std::move(charts)}});
}

/// Joint coordinates other than rotations and positions of free bodies, radians and metres apart.
void add_joints(const Record& record, Json& sections) {
  const Model& model = *record.scene.model;
  const std::vector<std::string> names = position_names(model);
  Json angles = Json::array(), lengths = Json::array();
  for (const Joint& joint : model.joints()) {
    if (!has_scalar_coordinates(joint.type)) continue;
    for (int i = joint.q_index; i < joint.q_index + position_size(joint); ++i) {
      Json& series = is_angle(joint, i - joint.q_index) ? angles : lengths;
      if (series.size() >= largest_body_count) continue;
      series.push_back(numbered(names[static_cast<std::size_t>(i)], series.size(),
                                each_frame(record, [&](const Frame& frame) { return frame.state.q[i]; })));
    }
  }
  Json charts = Json::array();
  if (!angles.empty()) charts.push_back({{"title", "angles"}, {"unit", "rad"}, {"series", std::move(angles)}});
  if (!lengths.empty()) charts.push_back({{"title", "displacements"}, {"unit", "m"}, {"series", std::move(lengths)}});
  if (!charts.empty()) sections.push_back({{"title", "Joint coordinates"}, {"charts", std::move(charts)}});
}

void add_energy(const Record& record, Json& sections) {
  const auto of = [&](double EnergyLedger::*entry) {
    return each_frame(record, [entry](const Frame& frame) { return frame.energy.*entry; });
  };
  const Values kinetic = of(&EnergyLedger::kinetic), potential = of(&EnergyLedger::potential);
  Values total = kinetic;
  for (std::size_t i = 0; i < total.size(); ++i) total[i] += potential[i];
  Json ledger = Json::array();
  std::string zero;
  const auto entry = [&](const char* name, const char* color_name, Values values, double sign) {
    for (double& value : values) value *= sign;
    if (!all_zero(values)) {
      ledger.push_back(line(name, color_name, values));
    } else {
      zero += (zero.empty() ? "" : ", ") + std::string(name);
    }
  };
  entry("contacts", "c1", of(&EnergyLedger::contact_work), 1);
  entry("constraints", "c8", of(&EnergyLedger::constraint_work), 1);
  entry("held against contacts", "c6", of(&EnergyLedger::opposed_work), 1);
  entry("drives", "c9", of(&EnergyLedger::drive_work), 1);
  entry("dry friction in joints", "c10", of(&EnergyLedger::joint_friction), 1);
  entry("dampers", "c3", of(&EnergyLedger::damping), -1);
  entry("pushing overlap out", "c4", of(&EnergyLedger::push_out), 1);
  entry("projection", "c5", of(&EnergyLedger::projection), 1);
  entry("error of free motion", "c7", of(&EnergyLedger::free_motion_error), 1);
  Json charts = Json::array();
  charts.push_back(
      {{"title", "energy"},
       {"unit", "J"},
       {"series", {line("kinetic", "c0", kinetic), line("potential", "c2", potential), line("total", "c7", total)}}});
  if (!ledger.empty()) charts.push_back({{"title", "given since the start"}, {"unit", "J"}, {"series", ledger}});
  const std::string note = not_drawn(zero);
  sections.push_back({{"title", "Energy"}, {"note", note}, {"charts", std::move(charts)}});
}

/// One contact's impulse in one frame.
struct Dot {
  double time;
  ContactMode mode;
  double value;
};

/// At most 2 × 600 dots per mode: of neighbours in time the smallest and the largest.
std::vector<Dot> thin_dots(const std::vector<Dot>& dots) {
  constexpr std::size_t runs = 600;
  std::vector<Dot> kept;
  for (int mode = 0; mode <= static_cast<int>(ContactMode::closed); ++mode) {
    std::vector<Dot> own;
    for (const Dot& dot : dots) {
      if (static_cast<int>(dot.mode) == mode) own.push_back(dot);
    }
    if (own.size() <= 2 * runs) {
      kept.insert(kept.end(), own.begin(), own.end());
      continue;
    }
    for (std::size_t r = 0; r < runs; ++r) {
      const auto [low, high] =
          std::minmax_element(own.begin() + static_cast<std::ptrdiff_t>(r * own.size() / runs),
                              own.begin() + static_cast<std::ptrdiff_t>((r + 1) * own.size() / runs),
                              [](const Dot& a, const Dot& b) { return a.value < b.value; });
      kept.push_back(*low);
      kept.push_back(*high);
    }
  }
  std::stable_sort(kept.begin(), kept.end(), [](const Dot& a, const Dot& b) { return a.time < b.time; });
  return kept;
}

Json dot_chart(const char* title, const char* unit, const std::vector<Dot>& all) {
  const std::vector<Dot> dots = thin_dots(all);
  Values times;
  for (const Dot& dot : dots) times.push_back(dot.time);
  constexpr const char* colors[] = {"separating", "sliding", "rolling", "closed"};
  Json series = Json::array();
  for (int mode = 0; mode <= static_cast<int>(ContactMode::closed); ++mode) {
    Values values;
    bool any = false;
    for (const Dot& dot : dots) {
      const bool own = static_cast<int>(dot.mode) == mode;
      any = any || own;
      values.push_back(own ? dot.value : std::numeric_limits<double>::quiet_NaN());
    }
    if (!any) continue;
    const std::string name = mode_name(static_cast<ContactMode>(mode));
    series.push_back({{"name", name}, {"color", colors[mode]}, {"data", base64(values)}});
  }
  return {{"title", title}, {"unit", unit},           {"points", true},
          {"log", true},    {"times", base64(times)}, {"series", std::move(series)}};
}

void add_contacts(const Record& record, Json& sections) {
  std::vector<Dot> normal, friction, limit;
  const double per_step = 1 / record.scene.method.step;
  for (const Frame& frame : record.frames) {
    for (const ContactReport& contact : frame.contacts) {
      if (contact.impulse.isZero(0)) continue;
      if (!contact.id.is_surface()) {
        limit.push_back({frame.state.time, contact.mode, contact.impulse.z() * per_step});
        continue;
      }
      normal.push_back({frame.state.time, contact.mode, contact.impulse.z() * per_step});
      friction.push_back({frame.state.time, contact.mode, contact.impulse.head<2>().norm() * per_step});
    }
  }
  Json charts = Json::array();
  if (!normal.empty()) charts.push_back(dot_chart("normal force, mean of a step", "N", normal));
  if (!friction.empty()) charts.push_back(dot_chart("friction, mean of a step", "N", friction));
  if (!limit.empty())
    charts.push_back(dot_chart("force of a joint limit, ratchet, rope or tendon, mean of a step", "N or N m", limit));
  if (charts.empty()) return;
  sections.push_back(
      {{"title", "Contacts"},
       {"note",
        "One dot per contact that carried a force, coloured by what it did. A mean of a step is its impulse over its "
        "length: that of an impact grows as the step shrinks."},
       {"charts", std::move(charts)}});
}

void add_residuals(const Record& record, Json& sections) {
  Json series = Json::array();
  std::string zero;
  const Method& method = record.scene.method;
  for (const JudgedNumber& number : judged_numbers) {
    if (std::string(number.unit) != "1" || !why_absent(number.name, method).empty()) continue;
    const Values values = each_frame(record, [&](const Frame& frame) { return number.value(frame, frame.contact); });
    if (all_zero(values)) {
      zero += (zero.empty() ? "" : ", ") + std::string(number.label);
    } else {
      series.push_back(numbered(number.label, series.size(), values));
    }
  }
  Json charts = Json::array();
  if (!series.empty()) {
    charts.push_back({{"title", "residuals, relative"}, {"unit", ""}, {"log", true}, {"series", std::move(series)}});
  }
  const Values penetration = each_frame(record, [](const Frame& f) { return f.penetration; });
  if (!all_zero(penetration)) {
    charts.push_back({{"title", "penetration"},
                      {"unit", "m"},
                      {"log", true},
                      {"series", {line("largest overlap", "c3", penetration)}}});
  } else {
    zero += (zero.empty() ? "" : ", ") + std::string("penetration");
  }
  if (charts.empty()) return;
  const std::string note = not_drawn(zero);
  sections.push_back({{"title", "Residuals"}, {"note", note}, {"charts", std::move(charts)}});
}

}  // namespace

Json report_sections(const Record& record) {
  Json sections = Json::array();
  add_motion(record, sections);
  add_joints(record, sections);
  for (Json& section : curve_family_sections(record)) sections.push_back(std::move(section));
  add_energy(record, sections);
  add_contacts(record, sections);
  add_residuals(record, sections);
  return sections;
}

}  // namespace carom
