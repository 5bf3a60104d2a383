// Paper DCA, section 4.2.2: how large the complementarity problem of a step is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "carom/stepper/simulation.h"
#include "carom/validation/bhalerao2009_examples.h"

namespace carom::bhalerao2009 {
namespace {

/// A form of the problem, and its size by the paper for Ξ contacts on B_u bodies with η directions each.
struct Form {
  ContactForm form;
  const char* name;
  int handles, bodies;  ///< factors of 12 and of 6 B_u
};
constexpr Form forms[] = {{ContactForm::pure, "pure LCP", 0, 0},
                          {ContactForm::handles, "form 1, (32)", 1, 0},
                          {ContactForm::contact_bodies, "form 2, (33)", 1, 1}};

/// The first step that touches in all its contacts.
StepReport touching_step(Simulation& simulation, std::size_t contacts) {
  for (int i = 0; i < 100; ++i) {
    const StepReport& report = simulation.step();
    if (report.contacts.size() == contacts) return report;
  }
  return {};
}

/// The frame at rest is in equilibrium: half its weight stands on each corner, and nothing moves.
struct Standing {
  static constexpr double half_weight = 2 * 9.81;  // N
  double force_off = 0, speed = 0;                 ///< the largest of all forms, N, and m/s or rad/s

  void see(const Simulation& simulation, const StepReport& report) {
    for (const ContactReport& contact : report.contacts)
      force_off = std::max(force_off, std::abs(contact.impulse.z() / simulation.method().step - half_weight));
    speed = std::max(speed, simulation.state().v.cwiseAbs().maxCoeff());
  }
};

}  // namespace

void validate_sizes(const ValidationOptions& options, Validation& validation) {
  struct Example {
    const char* scene;
    const char* words;
    std::size_t contacts;
  };
  Standing standing;
  for (const Example& example : {Example{"sliding", "double pendulum", 1}, Example{"loop", "frame with a loop", 2}}) {
    const Scene scene = load_scene(options.scenes + "/bhalerao2009/" + example.scene + ".yaml");
    for (const int directions : {4, 8}) {
      for (const Form& form : forms) {
        Method method = scene.method;
        method.step = 1e-3;
        method.directions = directions;
        method.form = form.form;
        Simulation simulation(scene.model, method, scene.initial);
        const StepReport report = touching_step(simulation, example.contacts);
        if (example.scene == std::string("loop")) standing.see(simulation, report);
        std::set<int> bodies;
        for (const ContactReport& contact : report.contacts) bodies.insert(std::max(contact.body_a, contact.body_b));
        const int contacts = static_cast<int>(report.contacts.size()), pushed = static_cast<int>(bodies.size());
        const int expected = 12 * form.handles + 6 * pushed * form.bodies + 2 * contacts + contacts * directions;
        validation.entries.push_back(from(
            Origin::printed,
            absolute_entry(source, "section 4.2.2",
                           fmt::format("unknowns, {}, {}, {} directions", form.name, example.words, directions),
                           expected, report.lcp_size, 0, fmt::format("{} contacts on {} bodies", contacts, pushed))));
        validation.entries.back().pass = validation.entries.back().pass && report.contacts.size() == example.contacts;
      }
    }
  }
  validation.entries.push_back(error_entry(source, "section 4.2.2",
                                           "force on a corner of the frame with a loop, off half its weight (N)", 0,
                                           standing.force_off, 1e-9, "at rest, by every form; round-off"));
  validation.entries.push_back(error_entry(source, "section 4.2.2",
                                           "speeds of the frame with a loop after the step (m/s, rad/s)", 0,
                                           standing.speed, 1e-12, "it is in equilibrium; round-off"));
}

}  // namespace carom::bhalerao2009
