#include "carom/validation/cassie_file.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/error.h"
#include "carom/record/test/test_folder.h"
#include "cassie_writer.h"

namespace carom::cassie_file_test {
namespace {

class CassieFile : public test::FolderTest {
 protected:
  std::string fault(const std::vector<CassieLanding>& landings) const {
    test::write_landings(path("l.h5"), landings);
    try {
      read_cassie_landings(path("l.h5"));
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
};

TEST_F(CassieFile, ReadsWhatWasWritten) {
  std::vector<CassieLanding> landings{test::hanging(4, 5, 1), test::hanging(8, 5, -2)};
  landings[1].torques(3, 9) = 7;
  landings[1].positions(2, 22) = 0.5;
  for (double& time : landings[1].times) time += 3;  // counted from the first
  test::write_landings(path("l.h5"), landings);
  const std::vector<CassieLanding> read = read_cassie_landings(path("l.h5"));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[1].number, 8);
  EXPECT_EQ(read[1].times.front(), 0);
  EXPECT_NEAR(read[1].times.back(), 0.002, 1e-12);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(read[i].positions, landings[i].positions);
    EXPECT_EQ(read[i].velocities, landings[i].velocities);
    EXPECT_EQ(read[i].torques, landings[i].torques);
  }
}

TEST_F(CassieFile, SaysWhatIsWrong) {
  CassieLanding late = test::hanging(4, 5), turned = late, infinite = late, timeless = late;
  late.times[3] = 0;
  EXPECT_NE(fault({late}).find("/time of landing 4 does not ascend at sample 3"), std::string::npos) << fault({late});
  turned.positions(0, 0) = 2;
  EXPECT_NE(fault({turned}).find("unit quaternion"), std::string::npos) << fault({turned});
  infinite.torques(0, 0) = 1.0 / 0.0;
  EXPECT_NE(fault({infinite}).find("dataset /torque"), std::string::npos) << fault({infinite});
  timeless.times[3] = std::nan("");
  EXPECT_NE(fault({timeless}).find("row 0, column 3 is nan"), std::string::npos) << fault({timeless});
  EXPECT_NE(fault({test::hanging(4, 1)}).find("two or more"), std::string::npos);
  EXPECT_THROW(read_cassie_landings("/nowhere.h5"), Error);
}

}  // namespace
}  // namespace carom::cassie_file_test
