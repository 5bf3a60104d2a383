#include "carom/stepper/event_driven/accumulation.h"

#include <algorithm>

namespace carom {

void Accumulation::clear() {
  flights_.clear();
  ends_.clear();
}

bool Accumulation::strike(const ContactId& id, double time, double approach, double lowest) {
  const auto known = std::find_if(flights_.begin(), flights_.end(), [&](const Flight& f) { return f.id == id; });
  if (known == flights_.end()) {
    flights_.push_back({id, time, 0, approach, false});
    return false;
  }
  Flight& flight = *known;
  const double lasted = time - flight.struck, before = flight.lasted;
  flight.struck = time;
  flight.lasted = lasted;
  flight.approach = approach;
  const double height = 0.25 * approach * lasted;
  flight.is_low = lasted > 0 && height < lowest;
  if (!flight.is_low) return false;
  // The rest of a geometric series; flights that do not shrink are kept up by neighbours that do the same.
  const double left = lasted < before ? lasted * lasted / (before - lasted) : 0;
  ends_.push_back({id, time + left});
  return true;
}

bool Accumulation::holds(const ContactId& id, double rate) const {
  constexpr double no_faster = 2;  // than it struck: the others' impacts push it as well
  if (ends_.empty()) return false;
  return std::any_of(flights_.begin(), flights_.end(), [&](const Flight& flight) {
    return flight.id == id && flight.is_low && rate <= no_faster * flight.approach;
  });
}

std::optional<double> Accumulation::end(const ContactId& id) const {
  const auto known = std::find_if(ends_.begin(), ends_.end(), [&](const End& end) { return end.id == id; });
  return known == ends_.end() ? std::nullopt : std::optional(known->time);
}

}  // namespace carom
