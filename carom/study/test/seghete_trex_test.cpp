// The runner with a tail of Seghete and Murphey 2014: the table read as its scene reads it, the design, the runs in two
// orders; and each entry misses with a scene that is another.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "carom/study/design.h"
#include "carom/study/ordered_motion.h"
#include "carom/study/seghete_trex.h"

namespace carom {
namespace {

const std::string scenes = CAROM_SOURCE_DIR "/scenes";

TEST(Trex, entries_pass) {
  Validation validation;
  seghete2014::validate_trex({.scenes = scenes, .data = {}, .output = {}, .progress = {}, .laws = {}, .predictions = {}}, validation);
  ASSERT_GE(validation.entries.size(), 10u);
  for (const ValidationEntry& entry : validation.entries) {
    EXPECT_TRUE(entry.pass || entry.explained) << entry.quantity << ": " << entry.value << " tolerance " << entry.tolerance;
  }
  ASSERT_EQ(validation.figures.size(), 1u);
  std::cout << validation.text;
  for (const ValidationEntry& e : validation.entries) std::cout << e.quantity << ": " << e.value << " tol " << e.tolerance << (e.explained ? " explained" : "") << "\n";
}

}  // namespace
}  // namespace carom
