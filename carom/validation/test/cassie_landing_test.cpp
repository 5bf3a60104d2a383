// Landings of the measured robot: its start is the measured one, and a motion that the scene itself made is found
// again.

#include "carom/validation/cassie_landing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "carom/error.h"
#include "carom/record/test/test_folder.h"
#include "carom/scene/scene_text.h"
#include "carom/validation/cassie_jumps.h"
#include "carom/validation/cassie_report.h"
#include "carom/validation/cassie_scores.h"
#include "cassie_writer.h"
#include "testing/folders.h"

namespace carom::cassie_landing_test {
namespace {

namespace fs = std::filesystem;

class CassieLandings : public test::FolderTest {
 protected:
  void SetUp() override {
    test::FolderTest::SetUp();
    if (!fs::exists(data_ / "jumps_train.h5")) GTEST_SKIP() << data_ << " holds no landings";
  }
  Scene scene(double friction = 0.8) const {
    const std::string file = source_folder() + "/scenes/cassie_jumps/landing.yaml";
    std::string text = read_scene_text(file);
    const std::string named = "package://cassie_jumps/cassie_v2.urdf";
    text.replace(text.rfind(named), named.size(), fs::absolute(data_ / "cassie_v2.urdf").string());
    return parse_scene(SceneText(text, file).with({{"friction", friction}}), file);
  }
  std::vector<CassieLanding> landings() const { return read_cassie_landings((data_ / "jumps_train.h5").string()); }
  const fs::path data_ = data_folder() / "cassie_jumps";
};

// A sample's first row comes out of the state again, but for the rates that were not measured.
TEST_F(CassieLandings, StartAsTheyWereMeasured) {
  const CassieRobot robot(scene());
  for (const CassieLanding& landing : landings()) {
    CassieLanding first = landing;
    first.times.resize(2);
    const CassieMotion motion = robot.land(first);
    Eigen::RowVectorXd off = motion.velocities.row(0) - landing.velocities.row(0);
    EXPECT_GT(off.segment(18, 2).norm(), 0.01) << landing.number;  // ankle springs, by the rods
    off.segment(18, 2).setZero();
    EXPECT_LT(off.norm(), 1e-12) << landing.number;
    EXPECT_LT(motion.rod_error, 1e-9) << landing.number;
  }
}

TEST_F(CassieLandings, OfTheSceneItselfAreFoundAgain) {
  CassieLanding landing = landings().at(2);
  const CassieRobot robot(scene());
  const Eigen::Index later = landing.velocities.rows() - 1;  // the start stays as it is
  landing.velocities.bottomRows(later) = robot.land(landing).velocities.bottomRows(later);
  for (const double error : cassie_errors(landing, robot.land(landing).velocities)) EXPECT_EQ(error, 0);
  const CassieRobot slippery(scene(0.1));
  const CassieErrors off = cassie_errors(landing, slippery.land(landing).velocities);
  EXPECT_GT(*std::max_element(off.begin(), off.end()), 0.1);
  CassieLanding driven = landing;
  driven.torques.array() *= 1.05;
  const CassieErrors other = cassie_errors(landing, robot.land(driven).velocities);
  EXPECT_GT(*std::max_element(other.begin(), other.end()), 0.01);
}

TEST_F(CassieLandings, SmallerStepsLandAlike) {
  const CassieLanding landing = landings().at(0);
  Scene fine = scene();
  fine.method.step /= 4;
  const Eigen::MatrixXd coarse = CassieRobot(scene()).land(landing).velocities,
                        exact = CassieRobot(fine).land(landing).velocities;
  CassieLanding measured = landing;
  measured.velocities = exact;
  const CassieErrors off = cassie_errors(measured, coarse), held = held_errors(landing);
  for (std::size_t group = 0; group < off.size(); ++group) {
    EXPECT_LT(off[group], 0.1 * held[group]) << cassie_groups()[group].name;
  }
}

TEST_F(CassieLandings, AreValidatedByTheCommandsOwnCode) {
  ValidationOptions options;
  options.scenes = source_folder() + "/scenes";
  options.data = data_.string();
  options.output = path("out");
  options.laws = {"inelastic", "urdf"};
  const Validation validation = validate_cassie_jumps(options);
  for (const ValidationEntry& entry : validation.entries) EXPECT_TRUE(entry.pass) << entry.quantity;
  ASSERT_EQ(validation.files.size(), 2u);
  EXPECT_TRUE(fs::exists(validation.files[1]));
  EXPECT_NE(validation.text.find("Less held velocities"), std::string::npos);
  options.data = path("");
  EXPECT_THROW(validate_cassie_jumps(options), Error);
}

TEST(CassieReport, HasEveryLawAndWhatHoldingErrs) {
  CassieReport report;
  report.landings = {0, 2};
  report.held = {{1, 2, 3, 4, 5, 6}, {2, 2, 3, 4, 5, 6}};
  CassieLawRun run;
  run.law.name = "some law";
  run.law.fits["cassie"] = {};
  run.errors = {{0.5, 1, 3, 4, 5, 6}, {0.5, 1, 3, 4, 5, 6}};
  report.laws = {run};
  const std::string text = cassie_report(report), json = cassie_report_json(report);
  EXPECT_NE(text.find("some law"), std::string::npos);
  EXPECT_NE(text.find("-1.000 [-1.500, -0.500] *"), std::string::npos) << text;
  EXPECT_NE(json.find("\"less_held\""), std::string::npos);
}

}  // namespace
}  // namespace carom::cassie_landing_test
