// Scenes as bytes. That a model comes back bit for bit from its text and numbers is tested in stored_model_test.cpp.
#include "carom/record/scene_bytes.h"

#include <gtest/gtest.h>

#include <random>

#include "carom/error.h"
#include "carom/record/stored_model.h"
#include "carom/record/stored_run.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"

namespace carom::scene_bytes_test {
namespace {

Scene scene_of(const std::string& file) { return load_scene(source_folder() + "/scenes/" + file); }

TEST(SceneBytes, GiveTheSameSceneBack) {
  for (const char* file : {"ball_row.yaml", "mechanisms/driven_crank.yaml", "robots/humanoid_fall.yaml"}) {
    const Scene scene = scene_of(file);
    const Scene again = scene_from_bytes(scene_bytes(scene), scene.initial);
    EXPECT_EQ(again.name, scene.name);
    EXPECT_EQ(again.file, scene.file);
    EXPECT_EQ(again.text, scene.text);
    EXPECT_EQ(again.duration, scene.duration);
    EXPECT_EQ(again.has_restitution, scene.has_restitution);
    EXPECT_EQ(scene_bytes(again), scene_bytes(scene));
    Simulation first(scene.model, scene.method, scene.initial), second(again.model, again.method, again.initial);
    first.set_controller(scene.controller());
    second.set_controller(again.controller());
    for (int step = 0; step < 20; ++step) {
      first.step();
      second.step();
      ASSERT_TRUE(identical(first.state(), second.state())) << file << " " << step;
    }
  }
}

TEST(SceneBytes, OfAProgramsControllerSayThatItIsLacking) {
  Scene scene = scene_of("ball_row.yaml");
  scene.feedback = [] { return Controller(); };
  const Scene again = scene_from_bytes(scene_bytes(scene), scene.initial);
  EXPECT_THROW(static_cast<void>(again.controller()), Error);
}

TEST(SceneBytes, ThatAreDamagedAreRefused) {
  const Scene scene = scene_of("ball_row.yaml");
  const std::string bytes = scene_bytes(scene);
  const auto refused = [&](const std::string& these) {
    try {
      static_cast<void>(scene_from_bytes(these, scene.initial));
      return false;
    } catch (const Error&) {
      return true;
    }
  };
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 500) {
    EXPECT_TRUE(refused(bytes.substr(0, size))) << size;
  }
  EXPECT_TRUE(refused(bytes + "x"));
  EXPECT_TRUE(refused(model_bytes(*scene.model)));
  EXPECT_THROW(static_cast<void>(model_from_bytes(method_bytes(scene.method))), Error);
  EXPECT_THROW(static_cast<void>(scene_from_bytes(bytes, State())), Error);
  // A byte that is changed gives an error or another scene, and never a crash.
  std::mt19937 random(1);
  for (int trial = 0; trial < 500; ++trial) {
    std::string changed = bytes;
    changed[random() % changed.size()] ^= static_cast<char>(1 << (random() % 8));
    static_cast<void>(refused(changed));
  }
}

}  // namespace
}  // namespace carom::scene_bytes_test
