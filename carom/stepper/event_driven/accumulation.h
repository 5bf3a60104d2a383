#pragma once

#include <optional>
#include <vector>

#include "carom/contact/contact.h"

namespace carom {

/// Tells when the impacts of contacts accumulate (Zeno). Bounces do this: their flights shrink. So do bodies that rock
/// from one contact to another: their impacts become more frequent without any contact's rebound.
///
/// The algorithm looks at the intervals between a contact's strikes, T_1, T_2, …, in which it flies, or stays closed
/// while another flies. Both kinds of accumulation shrink them by one factor in the end. When they have become
/// unnoticeably short, the rest of the geometric series is left: T_n² / (T_{n−1} − T_n).
class Accumulation {
 public:
  /// Forgets all.
  void clear();
  /// Begins an instant: flights that ended at the last one ended there.
  void begin_instant() { ends_.clear(); }

  /// A contact strikes at `time`, s, with the speed `approach`, m/s. True if its impacts have come to an end: flights
  /// no higher than `lowest`, m.
  bool strike(const ContactId& id, double time, double approach, double lowest);

  /// True if a contact which leaves with the speed `rate`, m/s, does so in flights that end with another's at this
  /// instant.
  bool holds(const ContactId& id, double rate) const;

  /// When the flights that end at this instant would have ended, s.
  std::optional<double> end(const ContactId& id) const;

 private:
  struct Flight {
    ContactId id;
    double struck = 0, lasted = 0;  // the last time, and how long after the one before, s
    double approach = 0;            // then, m/s
    bool is_low = false;            // then
  };
  struct End {
    ContactId id;
    double time = 0;
  };

  std::vector<Flight> flights_;
  std::vector<End> ends_;
};

}  // namespace carom
