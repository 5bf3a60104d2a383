#include <sstream>

#include "bindings.h"
#include "carom/dynamics/motion_observer.h"
#include "carom/stepper/body_contacts.h"
#include "certificate.h"
#include "numbers.h"
#include "words.h"

// The report of a step: contacts, impacts, events, energies, certificate. Copies, which stay as they are.
namespace carom::python {
namespace {

template <class Owner, class Value>
auto copy_of(Value Owner::*field) {
  return [field](const Owner& owner) { return Value(owner.*field); };
}

void bind_contact(py::module_& module) {
  py::class_<ContactId>(module, "ContactId", "Names one contact, limit or rope across steps.")
      .def_readonly("a", &ContactId::a, "collider of body A; −1 of a joint's limit, −2 of a rope")
      .def_readonly("b", &ContactId::b, "collider of body B, velocity coordinate, or constraint")
      .def_readonly("feature", &ContactId::feature)
      .def(
          "__eq__", [](const ContactId& a, const ContactId& b) { return a == b; }, py::is_operator(), py::arg("other"))
      .def("__hash__", [](const ContactId& id) { return py::hash(py::make_tuple(id.a, id.b, id.feature)); });
  py::class_<BodyContact>(module, "BodyContact",
                          "One point of contact between a body and another in a step, world axes. Impulses are of the "
                          "whole step: over its length they are mean forces.")
      .def_readonly("name", &BodyContact::name, "\"ball – floor\"")
      .def_readonly("id", &BodyContact::id)
      .def_readonly("body", &BodyContact::body, "number; −1 the world")
      .def_readonly("other", &BodyContact::other, "number; −1 the world")
      .def_readonly("mode", &BodyContact::mode, "separating, sliding, rolling or closed")
      .def_property_readonly("point", copy_of(&BodyContact::position), "(3,) m")
      .def_property_readonly("normal", copy_of(&BodyContact::normal), "(3,) unit, from the other towards the body")
      .def_readonly("gap", &BodyContact::gap, "m")
      .def_readonly("normal_impulse", &BodyContact::normal_impulse, "N s, ≥ 0 where it presses")
      .def_property_readonly("friction_impulse", copy_of(&BodyContact::friction_impulse), "(3,) on the body, N s")
      .def_property_readonly("slip", copy_of(&BodyContact::slip), "(3,) of the body, tangential, m/s")
      .def_property_readonly("impulse", &BodyContact::impulse, "(3,) on the body, N s")
      .def("__repr__", [](const BodyContact& contact) {
        return "BodyContact('" + contact.name + "', mode='" + mode_name(contact.mode) +
               "', normal_impulse=" + std::to_string(contact.normal_impulse) + ")";
      });
  py::class_<Event>(module, "Event", "A change of a contact's mode, or a part in an impact.")
      .def_readonly("time", &Event::time, "s")
      .def_readonly("step", &Event::step)
      .def_readonly("kind", &Event::kind, "touch, separate, slide, roll, unsolved or impact")
      .def_readonly("body_a", &Event::body_a, "−1 the world")
      .def_readonly("body_b", &Event::body_b, "−1 the world");
}

void bind_impact(py::module_& module) {
  py::class_<ImpactContact>(module, "ImpactContact", "One contact in an impact; contact frame: x, y, normal to A.")
      .def_readonly("body_a", &ImpactContact::body_a, "−1 the world")
      .def_readonly("body_b", &ImpactContact::body_b, "−1 the world")
      .def_property_readonly("point", copy_of(&ImpactContact::position), "(3,) world, m")
      .def_property_readonly("R_WC", copy_of(&ImpactContact::R_WC), "(3, 3) columns x, y, normal from B towards A")
      .def_property_readonly("impulse", copy_of(&ImpactContact::impulse), "(3,) on A, contact frame, N s")
      .def_property_readonly("before", copy_of(&ImpactContact::before), "(3,) of A relative to B, contact frame, m/s")
      .def_property_readonly("after", copy_of(&ImpactContact::after), "(3,) likewise");
  py::class_<ImpactReport>(module, "ImpactReport", "One instant in which a law changed the velocity.")
      .def_readonly("time", &ImpactReport::time, "s")
      .def_readonly("step", &ImpactReport::step)
      .def_readonly("momentum_residual", &ImpactReport::momentum_residual, "relative")
      .def_readonly("contact_work", &ImpactReport::contact_work, "J")
      .def_property_readonly(
          "status", [](const ImpactReport& impact) { return impact.outcome.status; },
          "resolved, budget or inconsistent")
      .def_property_readonly(
          "energy_change", [](const ImpactReport& impact) { return impact.outcome.energy_change; },
          "of kinetic energy, J");
  py::class_<EnergyLedger>(module, "EnergyLedger", "Ledger of energy, J: where it went.")
      .def_readonly("kinetic", &EnergyLedger::kinetic, "at the end, J")
      .def_readonly("potential", &EnergyLedger::potential, "at the end, J")
      .def_readonly("kinetic_change", &EnergyLedger::kinetic_change, "J")
      .def_readonly("potential_change", &EnergyLedger::potential_change, "J")
      .def_readonly("damping", &EnergyLedger::damping, "taken by joint dampers, J")
      .def_readonly("drive_work", &EnergyLedger::drive_work, "J")
      .def_readonly("joint_friction", &EnergyLedger::joint_friction, "J")
      .def_readonly("contact_work", &EnergyLedger::contact_work, "J")
      .def_readonly("constraint_work", &EnergyLedger::constraint_work, "J")
      .def_readonly("opposed_work", &EnergyLedger::opposed_work, "J")
      .def_readonly("push_out", &EnergyLedger::push_out, "J")
      .def_readonly("projection", &EnergyLedger::projection, "J")
      .def_readonly("free_motion_error", &EnergyLedger::free_motion_error, "J");
}

void bind_certificate(py::module_& module) {
  py::class_<Certificate> certificate(module, "Certificate",
                                      "Verdict on steps: how well they were solved, and whether energy and momentum "
                                      "add up: the worst of each number over the steps.");
  certificate.def_property_readonly("steps", [](const Certificate& c) { return c.run.steps; })
      .def_property_readonly("unsolved_steps", [](const Certificate& c) { return c.run.unsolved_steps; })
      .def_property_readonly("worst_status", [](const Certificate& c) { return c.run.worst_status; })
      .def_property_readonly(
          "slow_steps", [](const Certificate& c) { return c.run.slow_steps; },
          "steps whose contact problem took more than 100 sweeps or Newton steps")
      .def_property_readonly(
          "most_iterations", [](const Certificate& c) { return c.run.most_iterations; },
          "of one step: sweeps or Newton steps")
      .def_property_readonly(
          "energy", [](const Certificate& c) { return c.run.energy; }, "EnergyLedger, sums; J")
      .def_property_readonly(
          "largest_energy", [](const Certificate& c) { return c.run.largest_energy; }, "J")
      .def_property_readonly("impacts", [](const Certificate& c) { return c.run.impacts; })
      .def_property_readonly("unresolved_impacts", [](const Certificate& c) { return c.run.unresolved_impacts; })
      .def_property_readonly("ok", &Certificate::ok,
                             "every step solved, every impact resolved, no judged number above its threshold")
      .def_property_readonly(
          "numbers",
          [](const Certificate& c) {
            py::dict numbers;
            for (const JudgedNumber& number : judged_numbers) numbers[number.name] = number.value(c.run, c.run.contact);
            return numbers;
          },
          "all judged numbers by name")
      .def("__repr__", &Certificate::text);
  for (const JudgedNumber& number : judged_numbers) {
    const std::string told = std::string(number.meaning) + "; unit " + number.unit;
    certificate.def_property_readonly(
        number.name, [&number](const Certificate& c) { return number.value(c.run, c.run.contact); },
        static_cast<const char*>(told.c_str()));
  }
}

void bind_report(py::module_& module) {
  py::class_<StepReport>(module, "StepReport", "Report of one step; a copy.")
      .def_readonly("step", &StepReport::step, "number of the step, from 1")
      .def_readonly("time", &StepReport::time, "at its end, s")
      .def_readonly("status", &StepReport::status, "solved, …: how its problem was left")
      .def_readonly("contacts_considered", &StepReport::contacts_considered)
      .def_readonly("iterations", &StepReport::iterations)
      .def_readonly("solver", &StepReport::solver)
      .def_readonly("penetration", &StepReport::penetration, "m")
      .def_readonly("constraint_drift", &StepReport::constraint_drift, "m or rad")
      .def_readonly("events", &StepReport::events)
      .def_readonly("impacts", &StepReport::impacts)
      .def(
          "struck",
          [](const StepReport& report, const ImpactReport& impact) {
            std::vector<ImpactContact> contacts;
            for (std::size_t i = impact.first_contact; i < impact.first_contact + impact.contacts; ++i) {
              if (i < report.struck.size()) contacts.push_back(report.struck[i]);
            }
            return contacts;
          },
          py::arg("impact"), "Contacts of one of its impacts.")
      .def_readonly("energy", &StepReport::energy)
      .def_property_readonly("loads", copy_of(&StepReport::loads), "impulses in joints and constraints; may be empty")
      .def_property_readonly(
          "borne_out", [](const StepReport& report) { return borne_out(report); },
          "no judged number is above its threshold");
}

void bind_motion(py::module_& module) {
  py::class_<FrameVelocity>(module, "FrameVelocity",
                            "World axes; angular: (3,) rad/s; linear: (3,) of the origin, m/s.")
      .def_property_readonly("angular", copy_of(&FrameVelocity::angular), "(3,) rad/s")
      .def_property_readonly("linear", copy_of(&FrameVelocity::linear), "(3,) m/s");
  py::class_<CentroidalState>(module, "CentroidalState", "A set of bodies as a whole; world axes.")
      .def_readonly("mass", &CentroidalState::mass, "kg")
      .def_property_readonly("center", copy_of(&CentroidalState::center), "(3,) centre of mass, m")
      .def_property_readonly("velocity", copy_of(&CentroidalState::velocity), "(3,) m/s")
      .def_property_readonly("linear_momentum", copy_of(&CentroidalState::linear_momentum), "(3,) kg m/s")
      .def_property_readonly("angular_momentum", copy_of(&CentroidalState::angular_momentum),
                             "(3,) about the centre of mass, kg m²/s")
      .def_property_readonly("inertia", copy_of(&CentroidalState::inertia), "(3, 3) joints locked, kg m²");
}

}  // namespace

bool Certificate::ok() const {
  using Verdict = JudgedNumber::Verdict;
  if (run.unsolved_steps > 0 || run.unresolved_impacts > 0) return false;
  for (const JudgedNumber& number : judged_numbers) {
    const bool counts = number.verdict == Verdict::judged || (number.verdict == Verdict::judged_if_exact && exact);
    if (counts && !(number.value(run, run.contact) <= number.threshold_at(run.tolerance))) return false;
  }
  return true;
}

std::string Certificate::text() const {
  std::string text = std::string("Certificate(ok=") + (ok() ? "True" : "False") +
                     ", steps=" + std::to_string(run.steps) + ", unsolved_steps=" + std::to_string(run.unsolved_steps);
  for (const JudgedNumber& number : judged_numbers) {
    std::ostringstream value;
    value.precision(3);
    value << number.value(run, run.contact);
    text += std::string(", ") + number.name + "=" + value.str();
  }
  return text + ")";
}

void bind_contacts(py::module_& module) {
  bind_contact(module);
  bind_impact(module);
  bind_certificate(module);
  bind_report(module);
  bind_motion(module);
}

}  // namespace carom::python
