#include "carom/study/csv_cells.h"

#include <gtest/gtest.h>

namespace carom::csv_cells_test {
namespace {

using Cells = std::vector<std::string>;

TEST(CsvCells, AreOneMoreThanTheCommas) {
  EXPECT_EQ(csv_cells("a,b,c"), (Cells{"a", "b", "c"}));
  EXPECT_EQ(csv_cells("a,,c"), (Cells{"a", "", "c"}));
  EXPECT_EQ(csv_cells("a,b,"), (Cells{"a", "b", ""}));
  EXPECT_EQ(csv_cells(""), (Cells{""}));
}

TEST(CsvCells, HaveNoBlanksAndQuotesAroundThem) {
  EXPECT_EQ(csv_cells("  a ,\tb\r"), (Cells{"a", "b"}));
  EXPECT_EQ(csv_cells("\"a\", \"b c\""), (Cells{"a", "b c"}));
}

}  // namespace
}  // namespace carom::csv_cells_test
