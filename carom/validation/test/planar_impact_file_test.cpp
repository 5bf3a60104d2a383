#include "carom/validation/planar_impact_file.h"

#include "carom/error.h"
#include "carom/record/test/test_folder.h"
#include "planar_writer.h"

namespace carom::planar_impact_file_test {
namespace {

using test::TossWriter;
using test::write_impacts;

class PlanarImpactFileTest : public test::FolderTest {
 protected:
  std::string file() const { return path("impacts.h5"); }

  void expect_sentence_with(const std::vector<std::string>& parts) const {
    try {
      read_planar_impacts(file());
      ADD_FAILURE() << "read";
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find(file()), std::string::npos) << text;
      for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
    }
  }

  static PlanarImpacts three(const std::string& body) {
    PlanarImpacts impacts{body, 0.02, {}, {}};
    for (int i = 0; i < 3; ++i) {
      impacts.impacts.push_back(
          {2 * i, Vec3(0.1 * i, 0.03, i), Vec2(0.01 * i, -0.03), Vec3(1, -2, i), Vec3(0.5, 1, -i)});
    }
    return impacts;
  }
};

TEST_F(PlanarImpactFileTest, ReadsBackEveryImpact) {
  const PlanarImpacts written = three("ellipse");
  {
    const TossWriter writer(file());
    write_impacts(writer, written);
  }
  const std::vector<PlanarImpacts> read = read_planar_impacts(file());
  ASSERT_EQ(read.size(), 1u);
  EXPECT_EQ(read[0].body, "ellipse");
  EXPECT_EQ(read[0].gyration_radius, 0.02);
  EXPECT_TRUE(read[0].printed.empty());
  ASSERT_EQ(read[0].impacts.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read[0].impacts[i].number, written.impacts[i].number);
    EXPECT_EQ(read[0].impacts[i].pose, written.impacts[i].pose);
    EXPECT_EQ(read[0].impacts[i].contact, written.impacts[i].contact);
    EXPECT_EQ(read[0].impacts[i].before, written.impacts[i].before);
    EXPECT_EQ(read[0].impacts[i].after, written.impacts[i].after);
  }
}

TEST_F(PlanarImpactFileTest, ScoresSingleImpactsWithTheNextCornerUp) {
  {
    const TossWriter writer(file());
    write_impacts(writer, three("square"));
    writer.integers("/square/single", {1, 0, 1}, H5T_NATIVE_SCHAR);
    writer.reals("/square/second_corner", {3}, {0.0005, 0.01, 0.01});
  }
  const std::vector<PlanarImpacts> read = read_planar_impacts(file());
  ASSERT_EQ(read[0].impacts.size(), 1u);
  EXPECT_EQ(read[0].impacts[0].number, 4);
}

TEST_F(PlanarImpactFileTest, PrintedStatesGetTheShiftThatTheyLack) {
  {
    const TossWriter writer(file());
    write_impacts(writer, three("ellipse"));
    std::vector<double> states(36, 0.0);
    for (std::size_t i = 0; i < 36; ++i) states[i] = static_cast<double>(i);
    writer.reals("/ellipse/source_states", {3, 12}, states);
    writer.reals("/ellipse/source_n", {3, 3}, {0, 1, 0.01, 0, 1, 0.02, 0, 1, 0.03});
    writer.reals("/ellipse/source_d", {3, 3}, {1, 0, 0.04, 1, 0, 0.05, 1, 0, 0.06});
    writer.attribute("/ellipse", "post_shift", 0.5);
  }
  const PlanarImpacts read = read_planar_impacts(file()).front();
  ASSERT_EQ(read.printed.size(), 3u);
  EXPECT_EQ(read.printed[1].before, Vec3(15, 16, 17));
  EXPECT_EQ(read.printed[1].after, Vec3(21, 22.5, 23));
  EXPECT_EQ(read.printed[1].normal_arm, 0.02);
  EXPECT_EQ(read.printed[1].tangential_arm, 0.05);
}

TEST_F(PlanarImpactFileTest, SaysWhatIsWrong) {
  expect_sentence_with({"there is no such file"});
  { const TossWriter writer(file()); }
  expect_sentence_with({"neither /ellipse nor /square"});
  {
    const TossWriter writer(file());
    PlanarImpacts impacts = three("ellipse");
    impacts.impacts[1].after[2] = std::numeric_limits<double>::infinity();
    write_impacts(writer, impacts);
  }
  expect_sentence_with({"/ellipse/v_post", "row 1, column 2", "finite"});
  {
    const TossWriter writer(file());
    PlanarImpacts impacts = three("ellipse");
    impacts.gyration_radius = 0;
    write_impacts(writer, impacts);
  }
  expect_sentence_with({"gyration_radius of /ellipse is 0", "positive"});
  {
    const TossWriter writer(file());
    writer.group("/square");
    writer.integers("/square/trial", {1, 2});
  }
  expect_sentence_with({"gyration_radius of /square", "missing"});
  {
    const TossWriter writer(file());
    writer.group("/square");
    writer.attribute("/square", "gyration_radius", 0.02);
    writer.integers("/square/trial", {1, 2});
    writer.reals("/square/pose", {1, 3}, {0, 0, 0});
  }
  expect_sentence_with({"/square/pose", "(1, 3)", "(2, 3)"});
}

}  // namespace
}  // namespace carom::planar_impact_file_test
