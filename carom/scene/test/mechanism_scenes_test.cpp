// The scenes of scenes/mechanisms over many steps: what holds their parts together holds, and the ledger closes. With
// CAROM_LONG set 100 000 steps each.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"

namespace carom::mechanism_scenes_test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> mechanisms() {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(source_folder()) / "scenes/mechanisms")) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

class EveryMechanism : public testing::TestWithParam<std::string> {};

TEST_P(EveryMechanism, StaysTogetherAndItsLedgerCloses) {
  const Scene scene = load_scene(GetParam());
  Simulation simulation(scene.model, scene.method, scene.initial);
  const int steps = std::getenv("CAROM_LONG") ? 100000 : 1000;
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << "step " << i;
    ASSERT_LE(report.constraint_drift, 1e-9) << "step " << i;
  }
  const RunCertificate& certificate = simulation.certificate();
  EXPECT_LE(certificate.momentum_residual, 1e-9);
  const EnergyLedger& ledger = certificate.energy;
  const double sum = -ledger.damping + ledger.drive_work + ledger.joint_friction + ledger.contact_work +
                     ledger.constraint_work + ledger.opposed_work + ledger.push_out + ledger.projection +
                     ledger.free_motion_error;
  EXPECT_NEAR(ledger.kinetic_change + ledger.potential_change, sum, 1e-12 * steps * certificate.largest_energy);
  EXPECT_LE(certificate.contact_work_gain, 1e-9 * certificate.largest_energy);
}

INSTANTIATE_TEST_SUITE_P(scenes, EveryMechanism, testing::ValuesIn(mechanisms()),
                         [](const auto& info) { return fs::path(info.param).stem().string(); });

}  // namespace
}  // namespace carom::mechanism_scenes_test
