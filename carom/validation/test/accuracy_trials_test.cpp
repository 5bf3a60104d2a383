// Verdicts on accuracy beside true errors.
#include "carom/validation/accuracy_trials.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "carom/validation/accuracy_validation.h"
#include "testing/folders.h"

namespace carom::accuracy_trials_test {
namespace {

SceneSource shipped(const std::string& name) {
  const std::string file = source_folder() + "/scenes/accuracy/" + name + ".yaml";
  return {load_scene(file).text, file, {}};
}

// Three scenes, and with CAROM_LONG the whole table of `carom validate accuracy`.
TEST(AccuracyTrials, ClaimWhatIsTrue) {
  for (const char* name : {"rolling", "jamming", "servo_arm"}) {
    for (const AccuracyTrial& trial : accuracy_trials(shipped(name), {4e-3, 1e-3}, {1e-2})) {
      EXPECT_TRUE(trial.accuracy.known);
      EXPECT_LT(trial.ratio(), 3) << name << ", step " << trial.step;
      if (trial.asked > 0) {
        EXPECT_LT(trial.excess(), 3) << name << ", accuracy " << trial.asked;
      }
      EXPECT_FALSE(trial.wrongly_good()) << name << ", step " << trial.step;
    }
  }
  if (std::getenv("CAROM_LONG") == nullptr) return;
  ValidationOptions options;
  options.scenes = source_folder() + "/scenes";
  const Validation validation = validate_accuracy(options);
  for (const ValidationEntry& entry : validation.entries) {
    EXPECT_TRUE(entry.pass) << entry.quantity << ": " << entry.value << "\n" << validation.text;
  }
}

}  // namespace
}  // namespace carom::accuracy_trials_test
