// A file tells the scene that it is a record of, whether it can be resumed or not.

#include "carom/record/recorded_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "carom/record/record.h"
#include "random_run.h"
#include "test_folder.h"

namespace carom::recorded_file_test {
namespace {

class RecordedFileTest : public test::FolderTest {};

TEST_F(RecordedFileTest, IsTheSceneOfARecordAndNoneOfAnotherFile) {
  const std::string text = test::scene_text(1);
  const Scene scene = parse_scene(text, "two_bodies.yaml");
  RecordWriter::create(path("run.h5"), scene).finish("done", 0);
  const std::optional<RecordedFile> found = recorded_file(path("run.h5"));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(std::filesystem::path(found->file).filename(), "two_bodies.yaml");
  EXPECT_EQ(found->text, text);

  EXPECT_FALSE(recorded_file(path("nothing.h5")).has_value());
  std::ofstream(path("scene.yaml")) << text;
  EXPECT_FALSE(recorded_file(path("scene.yaml")).has_value());
  std::filesystem::copy_file(path("run.h5"), path("cut.h5"));
  std::filesystem::resize_file(path("cut.h5"), std::filesystem::file_size(path("run.h5")) / 2);
  EXPECT_FALSE(recorded_file(path("cut.h5")).has_value());
}

}  // namespace
}  // namespace carom::recorded_file_test
