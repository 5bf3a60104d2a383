#include "carom/model/state.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace carom::state_test {
namespace {

State example() {
  State state;
  state.time = 1.5;
  state.step = 3;
  state.q = VectorX::LinSpaced(4, 0, 1);
  state.v = VectorX::LinSpaced(3, 0, 2);
  state.standing = VectorX::LinSpaced(2, -0.1, 0.3);
  state.contacts.push_back({{1, 2, 3}, Vec3(0.1, 0.2, 0.3), true});
  return state;
}

TEST(State, IsIdenticalToItsCopyEvenWithNaN) {
  State state = example();
  state.v[1] = std::numeric_limits<double>::quiet_NaN();
  const State copy = state;
  EXPECT_TRUE(identical(state, copy));
}

TEST(State, DiffersByAnySingleChange) {
  const State state = example();
  const auto differs = [&](auto&& change) {
    State other = state;
    change(other);
    return !identical(state, other);
  };
  EXPECT_TRUE(differs([](State& s) { s.time = std::nextafter(s.time, 2); }));
  EXPECT_TRUE(differs([](State& s) { ++s.step; }));
  EXPECT_TRUE(differs([](State& s) { s.q[2] = std::nextafter(s.q[2], 2); }));
  EXPECT_TRUE(differs([](State& s) { s.q.conservativeResize(3); }));
  EXPECT_TRUE(differs([](State& s) { s.v[0] = -s.v[0]; }));  // the sign of zero
  EXPECT_TRUE(differs([](State& s) { s.contacts.clear(); }));
  EXPECT_TRUE(differs([](State& s) { s.contacts[0].id.feature = 4; }));
  EXPECT_TRUE(differs([](State& s) { s.contacts[0].impulse.z() = 0.25; }));
  EXPECT_TRUE(differs([](State& s) { s.contacts[0].sliding = false; }));
  EXPECT_TRUE(differs([](State& s) { s.standing[1] = 0.25; }));
  EXPECT_TRUE(differs([](State& s) { s.standing.resize(0); }));
  EXPECT_FALSE(differs([](State&) {}));
}

TEST(State, WithoutImpulsesOfStandingRowsHasZeros) {
  State none = example(), zeros = example();
  none.standing.resize(0);
  zeros.standing.setZero();
  EXPECT_TRUE(identical(none, zeros));
  EXPECT_TRUE(identical(zeros, none));
}

TEST(ContactId, OrdersAndTellsLimitsApart) {
  const ContactId limit{-1, 4, 1}, touch{0, 2, 0};
  EXPECT_TRUE(limit.is_limit());
  EXPECT_FALSE(touch.is_limit());
  EXPECT_LT(limit, touch);
  EXPECT_LT((ContactId{0, 2, 0}), (ContactId{0, 2, 1}));
}

}  // namespace
}  // namespace carom::state_test
