#include "carom/validation/measured_file.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/error.h"
#include "carom/record/test/test_folder.h"
#include "toss_writer.h"

namespace carom::measured_file_test {
namespace {

class MeasuredFileTest : public test::FolderTest {
 protected:
  std::string file() const { return path("m.h5"); }
  std::string fault(const WantedData& wanted) const {
    try {
      MeasuredFile(file(), "numbers").finite_reals(wanted);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
};

TEST_F(MeasuredFileTest, ReadsWhatHasTheWantedShape) {
  test::TossWriter(file()).reals("/x", {2, 3}, {1, 2, 3, 4, 5, 6});
  const MeasuredFile measured(file(), "numbers");
  EXPECT_TRUE(measured.has("/x"));
  EXPECT_FALSE(measured.has("/y"));
  const std::vector<double> all{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(measured.finite_reals({"/x", {0, 3}, "numbers"}), all);
  EXPECT_EQ(measured.finite_reals({"/x", {2, 0}, "numbers"}), all);
  EXPECT_NE(fault({"/x", {0, 4}, "numbers"}).find("/x"), std::string::npos);
  EXPECT_NE(fault({"/y", {0, 4}, "numbers"}).find("/y"), std::string::npos);
}

TEST_F(MeasuredFileTest, NamesRowAndColumnWhicheverExtentIsWantedByNumber) {
  test::TossWriter(file()).reals("/x", {2, 3}, {1, 2, 3, 4, 5, std::nan("")});
  for (const std::vector<std::size_t>& extents : {std::vector<std::size_t>{0, 3}, {2, 0}, {2, 3}}) {
    const std::string told = fault({"/x", extents, "numbers"});
    EXPECT_NE(told.find("row 1, column 2"), std::string::npos) << told;
  }
}

TEST_F(MeasuredFileTest, RefusesWhatIsNoSuchFile) { EXPECT_THROW(MeasuredFile(path("none.h5"), "numbers"), Error); }

}  // namespace
}  // namespace carom::measured_file_test
