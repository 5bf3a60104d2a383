// The gallery's long mechanisms are what scripts/write_long_mechanisms.py writes, and small ones of their kind run.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"

namespace carom::gallery_scenes_test {
namespace {

namespace fs = std::filesystem;

/// A folder with what the script writes, for as long as it lives.
struct Written {
  fs::path folder;

  Written(const std::string& name, const std::string& options)
      : folder(fs::temp_directory_path() / ("carom_gallery_" + name + std::to_string(::getpid()))) {
    fs::create_directories(folder);
    const std::string script = "/usr/bin/python3 -B " + source_folder() + "/scripts/write_long_mechanisms.py '";
    EXPECT_EQ(std::system((script + folder.string() + "' " + options).c_str()), 0);
  }
  ~Written() { fs::remove_all(folder); }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
};

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class LongMechanism : public testing::TestWithParam<std::string> {};

TEST_P(LongMechanism, IsWhatTheScriptWrites) {
  const Written written(GetParam() + "_whole", "");
  const std::string text = text_of(written.folder / (GetParam() + ".yaml"));
  EXPECT_GT(text.size(), 1000u);
  EXPECT_EQ(text, text_of(fs::path(source_folder()) / "scenes/gallery" / (GetParam() + ".yaml")));
}

TEST_P(LongMechanism, RunsAsASmallOne) {
  const Written written(GetParam() + "_small", "--cells 5 --links 12 --side 3");
  const Scene scene = load_scene((written.folder / (GetParam() + ".yaml")).string());
  Simulation simulation(scene.model, scene.method, scene.initial);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(simulation.step().status, SolveStatus::solved) << i;
  const RunCertificate& certificate = simulation.certificate();
  EXPECT_LE(certificate.momentum_residual, 1e-8);
  EXPECT_LE(certificate.contact.normal_complementarity, 1e-8);
  EXPECT_LE(certificate.contact.cone_violation, 1e-8);
  EXPECT_LE(certificate.contact.bilateral_residual, 1e-8);
  EXPECT_LE(certificate.contact_work_gain, 1e-8 * certificate.largest_energy);
  EXPECT_LE(certificate.constraint_drift, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(gallery, LongMechanism, testing::Values("rope_ladder", "falling_net", "poured_chain"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace carom::gallery_scenes_test
