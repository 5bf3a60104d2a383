#include "carom/record/row_buffer.h"

#include <gtest/gtest.h>

namespace carom::row_buffer_test {
namespace {

TEST(RowBuffer, TellsItsLastRowAndForgetsFromBothEnds) {
  TableShape vectors;
  vectors.row = {3};
  RowBuffer buffer(vectors, 10);
  for (int row = 0; row < 4; ++row) buffer.push(VectorX(Vec3(row, 10 + row, 20 + row)));
  EXPECT_EQ(buffer.first(), 10);
  EXPECT_EQ(buffer.end(), 14);
  EXPECT_EQ(buffer.last(0), 3);
  EXPECT_EQ(buffer.last(2), 23);
  buffer.cut(13);
  EXPECT_EQ(buffer.last(1), 12);
  buffer.drop(12);
  EXPECT_EQ(buffer.first(), 12);
  EXPECT_EQ(buffer.end(), 13);
  EXPECT_EQ(buffer.last(1), 12);
  EXPECT_EQ(buffer.bytes(), 3 * sizeof(double));
}

}  // namespace
}  // namespace carom::row_buffer_test
