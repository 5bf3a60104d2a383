// Paper DCA, section 4.2.2: how large the complementarity problem of a step is.
#include <fmt/format.h>

#include "carom/study/bhalerao2009_examples.h"

namespace carom::bhalerao2009 {

void validate_sizes(const ValidationOptions& options, Validation& validation) {
  constexpr int contacts = 1;
  for (const int directions : {4, 8, 16}) {
    const PendulumRun run =
        pendulum_run(options, "sliding", 0.01, [&](Method& method) { method.directions = directions; });
    validation.entries.push_back(
        absolute_entry(source, "section 4.2.2", fmt::format("unknowns of the pure LCP, {} directions", directions),
                       2 * contacts + contacts * directions, run.trajectory.certificate.largest_lcp, 0));
  }
}

}  // namespace carom::bhalerao2009
