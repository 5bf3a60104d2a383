#pragma once

#include <gtest/gtest.h>

#include <bit>

#include "carom/record/certificate_fields.h"
#include "carom/record/record.h"
#include "carom/record/record_layout.h"

namespace carom::testing {

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
         same_bits(a.penetration, b.penetration) && same_bits(a.constraint_drift, b.constraint_drift) &&
         same_bits(a.momentum_residual, b.momentum_residual) &&
         same_bits(a.contact.normal_complementarity, b.contact.normal_complementarity) &&
         same_bits(a.contact.cone_violation, b.contact.cone_violation) &&
         same_bits(a.contact.dissipation_residual, b.contact.dissipation_residual) &&
         same_bits(a.contact.polyhedral_error, b.contact.polyhedral_error) &&
         same_bits(a.contact.natural_map, b.contact.natural_map) &&
         same_bits(a.contact.worst_work, b.contact.worst_work) && a.constraints == b.constraints &&
         a.lcp_size == b.lcp_size && a.iterations == b.iterations && a.solver == b.solver &&
         same_bits(a.contacts, b.contacts);
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

/// All but the wall-clock time.
inline void expect_same_record(const Record& a, const Record& b) {
  ASSERT_EQ(a.frames.size(), b.frames.size());
  for (std::size_t i = 0; i < a.frames.size(); ++i) EXPECT_TRUE(same_bits(a.frames[i], b.frames[i])) << "frame " << i;
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) EXPECT_TRUE(same_bits(a.events[i], b.events[i])) << "event " << i;
  EXPECT_TRUE(same_bits(a.certificate, b.certificate));
  EXPECT_EQ(a.scene.text, b.scene.text);
  EXPECT_EQ(a.version, b.version);
}

}  // namespace carom::testing
