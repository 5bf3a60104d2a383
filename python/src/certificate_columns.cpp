#include "certificate_columns.h"

#include "carom/certificate/judged.h"

namespace carom::python {

const std::vector<std::string>& certificate_columns() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"ok", "steps", "unsolved_steps", "impacts", "unresolved_impacts", "largest_energy"};
    for (const JudgedNumber& number : judged_numbers) all.emplace_back(number.name);
    return all;
  }();
  return names;
}

void write_columns(const Certificate& certificate, bool finished, double* into) {
  const RunCertificate& run = certificate.run;
  *into++ = finished && certificate.ok() ? 1 : 0;
  for (const std::int64_t count : {run.steps, run.unsolved_steps, run.impacts, run.unresolved_impacts}) {
    *into++ = static_cast<double>(count);
  }
  *into++ = run.largest_energy;
  for (const JudgedNumber& number : judged_numbers) *into++ = number.value(run, run.contact);
}

}  // namespace carom::python
