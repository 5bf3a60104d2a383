// Studies that are asked to stop: they leave by Stopped, soon, and leave no half of a record.
#include <gtest/gtest.h>

#include <filesystem>

#include "carom/stop_signal.h"
#include "carom/study/comparison.h"
#include "carom/study/convergence.h"
#include "carom/study/design.h"
#include "carom/study/impact_at_hand.h"
#include "testing/folders.h"

namespace carom::stopped_study_test {
namespace {

namespace fs = std::filesystem;

SceneSource scene(const std::string& name) {
  const std::string path = source_folder() + "/scenes/" + name;
  return source_of(load_scene(path));
}

/// A question that is answered yes from the `count`th time on.
struct Impatient {
  int count;
  int asked = 0;
  std::function<bool()> stop() {
    return [this] { return ++asked >= count; };
  }
};

TEST(StoppedStudy, LeavesAComparison) {
  for (const int count : {1, 40, 2000}) {
    Impatient user{count};
    ComparisonOptions options;
    options.stop = user.stop();
    EXPECT_THROW(static_cast<void>(compare(scene("cube_toss.yaml"), options)), Stopped);
    EXPECT_LT(user.asked, count + 10);
  }
}

TEST(StoppedStudy, LeavesWholeRecordsAlone) {
  const fs::path folder = testing::TempDir() + "carom_stopped";
  fs::create_directories(folder);
  Impatient user{3000};
  ComparisonOptions options;
  options.stop = user.stop();
  options.records = folder.string();
  EXPECT_THROW(static_cast<void>(compare(scene("cube_toss.yaml"), options)), Stopped);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) EXPECT_EQ(entry.path().extension(), ".h5");
  fs::remove_all(folder);
}

TEST(StoppedStudy, LeavesAConvergence) {
  Impatient user{50};
  ConvergenceOptions options;
  options.stop = user.stop();
  EXPECT_THROW(static_cast<void>(converge(scene("cube_toss.yaml"), options)), Stopped);
  EXPECT_LT(user.asked, 60);
}

TEST(StoppedStudy, LeavesASearchForAnImpact) {
  const Scene moving = moving_scene(scene("bouncing_ball.yaml"));
  ImpactMoment moment = parse_impact_moment("first", moving.duration);
  ASSERT_TRUE(find_impact(moving, moment).found);
  Impatient user{2};
  moment.stop = user.stop();
  EXPECT_THROW(static_cast<void>(find_impact(moving, moment)), Stopped);
}

TEST(StoppedStudy, LeavesADesign) {
  const DesignStudy study = load_design_study(source_folder() + "/scenes/studies/two_feet.yaml");
  Impatient user{3};
  DesignOptions options;
  options.stop = user.stop();
  EXPECT_THROW(static_cast<void>(design(study, options)), Stopped);
  EXPECT_EQ(user.asked, 3);
}

// A spent budget does not count as stopped: the run is reported as given up.
TEST(StoppedStudy, IsNotASpentBudget) {
  const Scene toss = scene("cube_toss.yaml").scene();
  const SampledRun run =
      sample_run(toss, {.every = 1, .budget = 1e-6, .record = nullptr, .stop = [] { return false; }});
  EXPECT_NE(run.trouble.find("given up"), std::string::npos);
}

}  // namespace
}  // namespace carom::stopped_study_test
