#include "carom/validation/toss_entries.h"

#include <algorithm>
#include <cstdint>

namespace carom {

void add_run_entries(const std::string& source, const LawRuns& law, Validation& validation) {
  std::int64_t unsolved = 0;
  double momentum = 0, gain = 0;
  for (const TossRun& run : law.runs) {
    unsolved += run.certificate.unsolved_steps;
    momentum = std::max(momentum, run.certificate.momentum_residual);
    gain = std::max(gain, run.energy_gain);
  }
  auto& entries = validation.entries;
  entries.push_back(absolute_entry(source, law.name, "unsolved steps", 0, static_cast<double>(unsolved), 0));
  entries.push_back(absolute_entry(source, law.name, "largest momentum residual of a step", 0, momentum, 1e-9));
  entries.push_back(absolute_entry(source, law.name, "largest energy above that at release (J)", 0, gain, 1e-12,
                                   "nothing drives the body"));
}

}  // namespace carom
