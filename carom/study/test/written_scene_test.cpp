// Places where a study may write its scene, and where not.
#include "carom/study/written_scene.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "carom/error.h"
#include "carom/scene/scene.h"

namespace carom::written_scene_test {
namespace {

namespace fs = std::filesystem;

const char* const ball =
    "carom: 1\ngravity: [0, 0, -9.81]\nmaterials:\n  - {name: rubber, friction: 0.5}\nbodies:\n"
    "  - {name: ball, shapes: [{type: sphere, radius: 0.1}], mass: 1}\n"
    "method: {stepper: stewart-trinkle, step: 0.01}\nduration: 1\n";

class WrittenScene : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    std::ofstream(path("scene.yaml")) << ball;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_ = fs::path(testing::TempDir()) / "carom_written_scene";
};

TEST_F(WrittenScene, IsWrittenAndLoads) {
  check_scene_place("--out", path("new.yaml"), path("scene.yaml"));
  write_scene_text("--out", path("new.yaml"), ball);
  EXPECT_EQ(load_scene(path("new.yaml")).text, ball);
  check_scene_place("--out", path("new.yaml"), path("scene.yaml"));  // a scene may be written over
}

TEST_F(WrittenScene, TakesNoPlaceOfSomethingElse) {
  EXPECT_THROW(check_scene_place("--out", path("new.txt"), path("scene.yaml")), Error);
  EXPECT_THROW(check_scene_place("--out", path("scene.yaml"), path("scene.yaml")), Error);
  std::ofstream(path("notes.yaml")) << "milk, bread\n";
  EXPECT_THROW(check_scene_place("--out", path("notes.yaml"), path("scene.yaml")), Error);
}

TEST_F(WrittenScene, ThatDoesNotLoadIsNotWritten) {
  EXPECT_THROW(write_scene_text("--out", path("new.yaml"), "carom: 1\n"), Error);
  EXPECT_FALSE(fs::exists(path("new.yaml")));
}

}  // namespace
}  // namespace carom::written_scene_test
