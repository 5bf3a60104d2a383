#include "carom/geometry/sign.h"

#include <gtest/gtest.h>

#include <limits>

namespace carom::sign_test {
namespace {

/// Faces and edges are chosen by it, so it is never zero, and both zeros are on one side.
TEST(Sign, IsNeverZero) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(sign(tiny), 1);
  EXPECT_EQ(sign(-tiny), -1);
  EXPECT_EQ(sign(0.0), 1);
  EXPECT_EQ(sign(-0.0), 1);
}

}  // namespace
}  // namespace carom::sign_test
