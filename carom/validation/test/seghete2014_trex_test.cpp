// The runner with a tail of Seghete and Murphey 2014: its entries pass, and miss with a scene that is another.
#include "carom/validation/seghete2014_trex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "carom/scene/scene_text.h"
#include "testing/folders.h"

namespace carom::seghete2014_trex_test {
namespace {

namespace fs = std::filesystem;

ValidationOptions options_for(const std::string& scenes) {
  ValidationOptions options;
  options.scenes = scenes;
  return options;
}

const ValidationEntry& entry(const Validation& validation, const std::string& quantity) {
  const auto found = std::find_if(validation.entries.begin(), validation.entries.end(),
                                  [&](const ValidationEntry& each) { return each.quantity == quantity; });
  if (found == validation.entries.end()) throw std::runtime_error("no entry " + quantity);
  return *found;
}

TEST(Trex, entries_pass_and_the_runs_part) {
  Validation validation;
  seghete2014::validate_trex(options_for(source_folder() + "/scenes"), validation);
  EXPECT_EQ(validation.entries.size(), 12u);
  for (const ValidationEntry& each : validation.entries) {
    EXPECT_TRUE(each.pass) << each.quantity << ": " << each.value << " tolerance " << each.tolerance;
  }
  // Before the design the runs part at the impact, by what the impact leaves open, and the difference grows.
  ASSERT_EQ(validation.figures.size(), 1u);
  const auto& curves = validation.figures[0].plots[0].curves;
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_GT(curves[0].second.front(), 1e-4);
  EXPECT_GT(curves[0].second.back(), 5 * curves[0].second.front());
}

/// The table read by copies of the scenes in which a text of trex.yaml is another.
Validation table_with(const std::string& name, const std::string& from, const std::string& to) {
  const fs::path folder = fs::path(testing::TempDir()) / ("carom_trex_" + name);
  fs::create_directories(folder / "seghete2014");
  fs::create_directories(folder / "studies");
  const fs::path scenes(source_folder() + "/scenes");
  fs::copy_file(scenes / "studies/trex.yaml", folder / "studies/trex.yaml", fs::copy_options::overwrite_existing);
  std::string text = read_scene_text((scenes / "seghete2014/trex.yaml").string());
  EXPECT_NE(text.find(from), std::string::npos);
  text.replace(text.find(from), from.size(), to);
  std::ofstream(folder / "seghete2014/trex.yaml") << text;
  Validation validation;
  seghete2014::trex_table(options_for(folder.string()), validation);
  fs::remove_all(folder);
  return validation;
}

TEST(Trex, the_table_misses_with_another_convention) {
  // The tail from the middle between the spheres; the knee's angle the other way round.
  const Validation tail = table_with("tail", "position: [=front + rear, 0, 0]}, position: =psi",
                                     "position: [=front, 0, 0]}, position: =psi");
  EXPECT_FALSE(entry(tail, "height of the tail's tip, Optimized (m)").pass);
  const Validation knee = table_with("knee", "position: =knee_a,", "position: =-knee_a,");
  EXPECT_FALSE(entry(knee, "height of the leg's tip, Initial (m)").pass);
}

TEST(Trex, the_cosine_misses_with_what_no_mass_explains) {
  const std::string quantity = "cosine of the normals, Optimized";
  const Validation printed = table_with("printed", "tip: 0.001 ", "tip: 0.001 ");
  EXPECT_TRUE(entry(printed, quantity).pass);
  // A body of foam; the hip bent the other way.
  for (const auto& [from, to] :
       {std::pair{"water: 1000 ", "water: 100 "}, {"position: =hip_a,", "position: =-hip_a,"}}) {
    const Validation other = table_with("other", from, to);
    const ValidationEntry& cosine = entry(other, quantity);
    EXPECT_FALSE(cosine.pass) << to << " " << cosine.value << ": " << cosine.note;
  }
}

}  // namespace
}  // namespace carom::seghete2014_trex_test
