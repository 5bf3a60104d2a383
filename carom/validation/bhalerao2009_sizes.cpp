// Paper DCA, section 4.2.2: how large the complementarity problem of a step is.
#include <fmt/format.h>

#include <algorithm>
#include <set>

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
StepReport touching_step(const Scene& scene, const Method& method, std::size_t contacts) {
  Simulation simulation(scene.model, method, scene.initial);
  for (int i = 0; i < 100; ++i) {
    const StepReport& report = simulation.step();
    if (report.contacts.size() == contacts) return report;
  }
  return {};
}

}  // namespace

void validate_sizes(const ValidationOptions& options, Validation& validation) {
  struct Example {
    const char* scene;
    const char* words;
    std::size_t contacts;
  };
  for (const Example& example : {Example{"sliding", "double pendulum", 1}, Example{"loop", "frame with a loop", 2}}) {
    const Scene scene = load_scene(options.scenes + "/bhalerao2009/" + example.scene + ".yaml");
    for (const int directions : {4, 8}) {
      for (const Form& form : forms) {
        Method method = scene.method;
        method.step = 1e-3;
        method.directions = directions;
        method.form = form.form;
        const StepReport report = touching_step(scene, method, example.contacts);
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
}

}  // namespace carom::bhalerao2009
