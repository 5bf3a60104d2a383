#include "carom/record/hdf5_handles.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "carom/error.h"
#include "test_folder.h"

namespace carom::hdf5_handles_test {
namespace {

int closed = 0;
int count_close(std::int64_t) { return closed++, 0; }
int fail_close(std::int64_t) { return -1; }

TEST(Hdf5Id, IsClosedOnceWhoeverHoldsIt) {
  closed = 0;
  {
    hdf5::Id first(7, count_close);
    hdf5::Id second = std::move(first);
    EXPECT_EQ(static_cast<std::int64_t>(second), 7);
    EXPECT_EQ(closed, 0);
  }
  EXPECT_EQ(closed, 1);
  hdf5::Id early(8, count_close);
  EXPECT_TRUE(early.close());
  EXPECT_TRUE(early.close());
  EXPECT_EQ(closed, 2);
  EXPECT_FALSE(hdf5::Id(9, fail_close).close());
  { const hdf5::Id none(-1, count_close); }
  EXPECT_EQ(closed, 2);
}

TEST(Hdf5Claims, AreCredibleUpToWhatDeflateCanShorten) {
  EXPECT_TRUE(hdf5::is_credible(100, 8, 800));
  EXPECT_TRUE(hdf5::is_credible(1032 * 100, 8, 800));
  EXPECT_FALSE(hdf5::is_credible(1e9, 8, 800));
}

class OpenFaults : public test::FolderTest {
 protected:
  static std::string sentence(const std::string& file) {
    try {
      hdf5::fail_to_open(file);
    } catch (const Error& error) {
      return error.what();
    }
  }
};

TEST_F(OpenFaults, SayThatThereIsNoFileOrAFolder) {
  EXPECT_EQ(sentence(path("nothing.h5")), path("nothing.h5") + ": there is no such record");
  std::filesystem::create_directory(path("folder"));
  EXPECT_EQ(sentence(path("folder")), path("folder") + " is a folder, and no record of Carom");
}

}  // namespace
}  // namespace carom::hdf5_handles_test
