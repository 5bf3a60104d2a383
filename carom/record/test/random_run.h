#pragma once

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/stepper/step_report.h"

namespace carom::test {

/// A scene of one free and one hinged body, recorded with traces; `extra` is put at its end as a comment.
inline std::string scene_text(int every, const std::string& extra = "") {
  return R"(carom: 1
name: two bodies
gravity: [0, 0, -9.81]
materials:
  - {name: wood, friction: 0.4}
world:
  shapes:
    - {type: half-space, name: floor, material: wood}
bodies:
  - name: ball
    density: 500
    position: [0, 0, 1]
    shapes:
      - {type: sphere, radius: 0.1, material: wood}
  - name: arm
    density: 700
    shapes:
      - {type: box, half_extents: [0.3, 0.05, 0.05], material: wood}
joints:
  - {name: hinge, type: revolute, child: arm, parent: world, axis: [0, 1, 0], friction: 0.05, on_parent: {position: [1, 0, 2]}}
method: {stepper: stewart-trinkle, law: none, step: 0.01}
duration: 10
record: {every: )" +
         std::to_string(every) + ", traces: true}\n" + extra;
}

/// Made-up steps: states and reports of random numbers, the same for the same seed and step, whatever came before.
/// Some numbers are −0, tiny or not finite, as a record must keep every bit.
class RandomRun {
 public:
  RandomRun(const Model& model, std::uint64_t seed) : model_(model), seed_(seed) {}

  void step(std::int64_t number, State& state, StepReport& report) const {
    std::mt19937_64 random(seed_ * 1000003 + static_cast<std::uint64_t>(number));
    const auto value = [&] { return odd(random); };
    state.time = 0.01 * static_cast<double>(number);
    state.step = number;
    state.q.resize(model_.position_count());
    state.v.resize(model_.velocity_count());
    for (double& x : state.q) x = value();
    for (double& x : state.v) x = value();
    state.standing.resize(standing_row_count(model_));
    for (double& x : state.standing) x = value();
    state.contacts.resize(random() % 4);
    for (ContactMemory& memory : state.contacts) {
      memory = {id(random), Vec3(value(), value(), value()), random() % 2 == 0, value()};
      memory.spin_impulse = value();
      for (Vec3& deflection : memory.deflection) deflection = Vec3(value(), value(), value());
      memory.tangent = Vec3(value(), value(), value());
    }
    report = StepReport();
    report.step = number;
    report.time = state.time;
    report.status = static_cast<SolveStatus>(random() % 16 == 0 ? 1 + random() % 4 : 0);
    report.contacts_considered = static_cast<int>(random() % 100);
    report.lcp_size = static_cast<int>(random() % 1000);
    report.iterations = static_cast<int>(random() % 1000);
    report.solver = static_cast<SolverKind>(random() % 7);
    report.contacts.resize(random() % 5);
    for (ContactReport& contact : report.contacts) contact = make_contact(random);
    report.events.resize(random() % 8 == 0 ? random() % 3 : 0);
    for (Event& event : report.events) {
      event = {state.time,
               number,
               static_cast<EventKind>(random() % 6),
               id(random),
               static_cast<int>(random() % 3) - 1,
               static_cast<int>(random() % 3) - 1};
    }
    const auto size = [&] { return positive(random); };
    report.energy = {size(), size(), size(), size(), size(), -size(), size(), size(), size()};
    for (const JudgedNumber& number : judged_numbers) number.of(report, report.contact_certificate) = size();
    for (std::uint64_t impacts = random() % 6 == 0 ? 1 + random() % 2 : 0; impacts > 0; --impacts)
      add_impact(random, report);
  }

 private:
  static double odd(std::mt19937_64& random) {
    switch (random() % 24) {
      case 0:
        return -0.0;
      case 1:
        return 5e-324;
      case 2:
        return std::numeric_limits<double>::infinity();
      case 3:
        return std::numeric_limits<double>::quiet_NaN();
      default:
        return std::normal_distribution<double>()(random);
    }
  }
  static double positive(std::mt19937_64& random) { return std::abs(std::normal_distribution<double>()(random)); }
  static Vec3 vector(std::mt19937_64& random) { return Vec3(odd(random), odd(random), odd(random)); }
  static std::optional<double> known(std::mt19937_64& random) {
    return random() % 2 == 0 ? std::nullopt : std::optional<double>(positive(random));
  }
  static ContactId id(std::mt19937_64& random) {
    return {static_cast<int>(random() % 4) - 1, static_cast<int>(random() % 4), static_cast<int>(random() % 9)};
  }
  static ContactReport make_contact(std::mt19937_64& random) {
    ContactReport contact;
    contact.id = id(random);
    contact.body_a = static_cast<int>(random() % 3) - 1;
    contact.body_b = static_cast<int>(random() % 3) - 1;
    contact.mode = static_cast<ContactMode>(random() % 4);
    contact.position = Vec3(odd(random), odd(random), odd(random));
    for (double& x : contact.R_WC.reshaped()) x = odd(random);
    contact.gap = odd(random);
    contact.impulse = Vec3(odd(random), odd(random), odd(random));
    contact.velocity = Vec3(odd(random), odd(random), odd(random));
    return contact;
  }

  /// One more impact, with its contacts and intervals, into the report.
  static void add_impact(std::mt19937_64& random, StepReport& report) {
    ImpactReport impact;
    impact.time = report.time - 0.01 * positive(random);
    impact.step = report.step;
    impact.first_contact = report.struck.size();
    impact.contacts = random() % 4;
    impact.first_interval = report.intervals.size();
    impact.intervals = random() % 3;
    impact.outcome = {static_cast<ImpactStatus>(random() % 3),
                      static_cast<int>(random() % 9),
                      static_cast<int>(random() % 99),
                      static_cast<int>(random() % 3),
                      odd(random),
                      0};
    impact.certificate.approach = positive(random);
    impact.certificate.bilateral = positive(random);
    impact.certificate.pull = positive(random);
    impact.certificate.cone_violation = positive(random);
    impact.certificate.dissipation_residual = known(random);
    impact.certificate.path_residual = known(random);
    impact.certificate.energy_change = impact.outcome.energy_change;
    impact.certificate.energy_gain = positive(random);
    impact.certificate.driving_work = positive(random);
    impact.momentum_residual = positive(random);
    impact.contact_work = odd(random);
    impact.constraint_work = odd(random);
    impact.drive_work = odd(random);
    for (std::size_t i = 0; i < impact.contacts; ++i) {
      const ContactReport contact = make_contact(random);
      report.struck.push_back({contact.id, contact.body_a, contact.body_b, contact.position, contact.R_WC, contact.gap,
                               contact.impulse, contact.velocity, vector(random)});
    }
    for (std::size_t i = 0; i < impact.intervals; ++i) add_interval(random, impact, report);
    report.impacts.push_back(impact);
  }
  static void add_interval(std::mt19937_64& random, const ImpactReport& impact, StepReport& report) {
    ImpactInterval interval;
    interval.group = static_cast<int>(random() % 3);
    interval.round = static_cast<int>(random() % 3);
    interval.alpha = odd(random);
    interval.jammed = random() % 2 == 0;
    interval.ending = random() % 2 == 0;
    interval.status = static_cast<LabelStatus>(random() % 5);
    interval.first_contact = report.interval_contacts.size();
    interval.contacts = impact.contacts > 0 ? random() % 3 : 0;
    for (std::size_t k = 0; k < interval.contacts; ++k) {
      report.interval_contacts.push_back({impact.first_contact + random() % impact.contacts,
                                          static_cast<PlusRole>(random() % 4), static_cast<PlusMotion>(random() % 5),
                                          vector(random), vector(random)});
    }
    report.intervals.push_back(interval);
  }

  const Model& model_;
  std::uint64_t seed_;
};

}  // namespace carom::test
