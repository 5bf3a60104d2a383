#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "carom/record/certificate_fields.h"
#include "carom/record/record.h"
#include "carom/record/record_layout.h"

namespace carom::test {

inline bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

template <class A, class B>
bool same_bits(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Eigen::Index j = 0; j < a.cols(); ++j) {
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      if (!same_bits(a(i, j), b(i, j))) return false;
    }
  }
  return true;
}

inline bool same_bits(const ContactReport& a, const ContactReport& b) {
  return a.id == b.id && a.body_a == b.body_a && a.body_b == b.body_b && a.mode == b.mode &&
         same_bits(a.position, b.position) && same_bits(a.R_WC, b.R_WC) && same_bits(a.gap, b.gap) &&
         same_bits(a.impulse, b.impulse) && same_bits(a.velocity, b.velocity);
}

inline bool same_bits(const std::vector<ContactReport>& a, const std::vector<ContactReport>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ContactReport& x, const ContactReport& y) { return same_bits(x, y); });
}

inline bool same_bits(const EnergyLedger& a, const EnergyLedger& b) {
  return std::all_of(energy_lines.begin(), energy_lines.end(), [&](auto line) { return same_bits(a.*line, b.*line); });
}

inline bool same_bits(const Event& a, const Event& b) {
  return same_bits(a.time, b.time) && a.step == b.step && a.kind == b.kind && a.id == b.id && a.body_a == b.body_a &&
         a.body_b == b.body_b;
}

inline bool same_bits(const Frame& a, const Frame& b) {
  return identical(a.state, b.state) && same_bits(a.energy, b.energy) && a.status == b.status &&
         std::all_of(judged_numbers.begin(), judged_numbers.end(),
                     [&](const JudgedNumber& number) {
                       return same_bits(number.value(a, a.contact), number.value(b, b.contact));
                     }) &&
         a.constraints == b.constraints && a.lcp_size == b.lcp_size && a.iterations == b.iterations &&
         a.solver == b.solver && same_bits(a.contacts, b.contacts);
}

inline bool same_bits(const RunCertificate& a, const RunCertificate& b) {
  std::vector<double> numbers[2];
  int i = 0;
  for (const RunCertificate* certificate : {&a, &b}) {
    visit_fields(*certificate, [&](const char*, auto field) {
      if constexpr (std::is_same_v<decltype(field), std::optional<double>>) {
        numbers[i].push_back(number_or_nan(field));
      } else {
        numbers[i].push_back(static_cast<double>(field));
      }
    });
    ++i;
  }
  return a.worst_status == b.worst_status && std::equal(numbers[0].begin(), numbers[0].end(), numbers[1].begin(),
                                                        [](double x, double y) { return same_bits(x, y); });
}

inline bool same_bits(const std::optional<double>& a, const std::optional<double>& b) {
  return a.has_value() == b.has_value() && (!a || same_bits(*a, *b));
}

/// True if a record keeps the same of both; places shifted by what lies before, in the lists of b.
inline bool same_bits(const ImpactReport& a, const ImpactReport& b, std::size_t contacts_before = 0,
                      std::size_t intervals_before = 0) {
  const ImpactCertificate &x = a.certificate, &y = b.certificate;
  return same_bits(a.time, b.time) && a.step == b.step && a.first_contact == b.first_contact + contacts_before &&
         a.contacts == b.contacts && a.first_interval == b.first_interval + intervals_before &&
         a.intervals == b.intervals && a.outcome.status == b.outcome.status && a.outcome.rounds == b.outcome.rounds &&
         a.outcome.intervals == b.outcome.intervals && a.outcome.jams == b.outcome.jams &&
         same_bits(a.outcome.energy_change, b.outcome.energy_change) &&
         same_bits(a.momentum_residual, b.momentum_residual) && same_bits(a.contact_work, b.contact_work) &&
         same_bits(a.constraint_work, b.constraint_work) && same_bits(a.drive_work, b.drive_work) &&
         same_bits(x.approach, y.approach) && same_bits(x.bilateral, y.bilateral) && same_bits(x.pull, y.pull) &&
         same_bits(x.cone_violation, y.cone_violation) && same_bits(x.dissipation_residual, y.dissipation_residual) &&
         same_bits(x.path_residual, y.path_residual) && same_bits(x.energy_change, y.energy_change) &&
         same_bits(x.energy_gain, y.energy_gain) && same_bits(x.driving_work, y.driving_work);
}

inline bool same_bits(const ImpactContact& a, const ImpactContact& b) {
  return a.id == b.id && a.body_a == b.body_a && a.body_b == b.body_b && same_bits(a.position, b.position) &&
         same_bits(a.R_WC, b.R_WC) && same_bits(a.gap, b.gap) && same_bits(a.impulse, b.impulse) &&
         same_bits(a.before, b.before) && same_bits(a.after, b.after);
}

inline bool same_bits(const ImpactInterval& a, const ImpactInterval& b, std::size_t contacts_before = 0) {
  return a.group == b.group && a.round == b.round && same_bits(a.alpha, b.alpha) && a.jammed == b.jammed &&
         a.ending == b.ending && a.status == b.status && a.first_contact == b.first_contact + contacts_before &&
         a.contacts == b.contacts;
}

inline bool same_bits(const IntervalContact& a, const IntervalContact& b, std::size_t contacts_before = 0) {
  return a.contact == b.contact + contacts_before && a.role == b.role && a.motion == b.motion &&
         same_bits(a.impulse, b.impulse) && same_bits(a.velocity, b.velocity);
}

template <class Row>
void expect_same_rows(const std::vector<Row>& a, const std::vector<Row>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(same_bits(a[i], b[i])) << what << " " << i;
}

/// All but the wall-clock time.
inline void expect_same_record(const Record& a, const Record& b) {
  ASSERT_EQ(a.frames.size(), b.frames.size());
  for (std::size_t i = 0; i < a.frames.size(); ++i) EXPECT_TRUE(same_bits(a.frames[i], b.frames[i])) << "frame " << i;
  expect_same_rows(a.events, b.events, "event");
  expect_same_rows(a.impacts, b.impacts, "impact");
  expect_same_rows(a.struck, b.struck, "struck contact");
  expect_same_rows(a.intervals, b.intervals, "interval");
  expect_same_rows(a.interval_contacts, b.interval_contacts, "contact of an interval");
  EXPECT_TRUE(same_bits(a.certificate, b.certificate));
  EXPECT_EQ(a.scene.text, b.scene.text);
  EXPECT_EQ(a.version, b.version);
}

}  // namespace carom::test
