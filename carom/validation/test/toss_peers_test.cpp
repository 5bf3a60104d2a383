// The file of other simulators' errors.

#include "carom/validation/toss_peers.h"

#include <gtest/gtest.h>

#include <fstream>

#include "carom/error.h"
#include "carom/record/test/test_folder.h"
#include "carom/validation/cube_fits.h"
#include "testing/folders.h"

namespace carom {
namespace {

class TossPeers : public test::FolderTest {
 protected:
  std::string refusal(const std::string& text) const {
    std::ofstream(path("peers.csv")) << text;
    try {
      read_toss_peers(path("peers.csv"));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(TossPeers, AreReadAsTheyAreWritten) {
  const std::vector<Toss> tosses{{.number = 7, .poses = {}}, {.number = 2, .poses = {}}};
  const TossScore score{"engine 1.2", {{{0.125, 3.5}, {0.25, 40}, true}, {{0.5, 1}, {0.75, 2}, false}}};
  write_toss_peers({peer_of(score, tosses)}, path("peers.csv"));
  const std::vector<TossPeer> peers = read_toss_peers(path("peers.csv"));
  ASSERT_EQ(peers.size(), 1u);
  const auto again = score_in(peers[0], tosses);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->name, "engine 1.2");
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(figures_of(again->errors[i]), figures_of(score.errors[i]));
    EXPECT_EQ(again->errors[i].right_face, score.errors[i].right_face);
  }
  EXPECT_FALSE(score_in(peers[0], {{.number = 3, .poses = {}}}));
  EXPECT_TRUE(read_toss_peers(path("nowhere.csv")).empty());
}

TEST_F(TossPeers, FaultsHaveTheirLine) {
  const std::string head = "simulator,toss,position_mean,position_end,rotation_mean,rotation_end,right_face\n";
  EXPECT_EQ(refusal(head + "a,1,1,2,3,4,1\n"), "");
  EXPECT_NE(refusal("a,1,1,2,3,4,1\n").find("peers.csv:1: the head must be simulator"), std::string::npos);
  for (const char* line :
       {"a,1,1,2,3,4", "a,1,1,2,x,4,1", "a,1,1,2,-3,4,1", "a,1,nan,2,3,4,1", "a,1,1,2,3,4,7", ",1,1,2,3,4,1"}) {
    const std::string told = refusal(head + line + "\n");
    EXPECT_NE(told.find("peers.csv:2: '" + std::string(line) + "' is no line of a name"), std::string::npos) << told;
  }
  EXPECT_NE(refusal(head + "a,1,1,2,3,4,1\na,1,1,2,3,4,0\n").find("peers.csv:3: toss 1 of a is there twice"),
            std::string::npos);
}

TEST_F(TossPeers, NamesThatAFileCanNotHoldAreRefused) {
  for (const char* name : {"", "a,b", " a", "\"a\"", "a\nb"}) {
    EXPECT_THROW(write_toss_peers({{name, {}}}, path("peers.csv")), Error) << name;
  }
  EXPECT_THROW(write_toss_peers({{"a", {}}, {"a", {}}}, path("peers.csv")), Error);
  EXPECT_NO_THROW(write_toss_peers({{"a", {}}, {"b 1.0", {}}}, path("peers.csv")));
}

TEST_F(TossPeers, ShippedErrorsAreOfAllTossesOfTheFolds) {
  const std::string folder = source_folder() + "/scenes/cube_tosses/";
  const std::vector<TossPeer> peers = read_toss_peers(folder + "peers.csv");
  ASSERT_EQ(peers.size(), 1u);
  std::size_t count = 0;
  for (const auto& fold : read_cube_fits(folder + "fits.json").folds) {
    for (const std::int64_t number : fold) count += peers[0].errors.count(number);
  }
  EXPECT_EQ(count, peers[0].errors.size());
  EXPECT_EQ(count, 279u);
}

}  // namespace
}  // namespace carom
