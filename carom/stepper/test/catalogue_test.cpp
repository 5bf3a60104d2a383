// Entries of steppers and laws: each says all that is asked of it, in the words that scene files and the manual have.

#include "carom/stepper/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

#include "carom/error.h"
#include "carom/impact/impact_law.h"
#include "carom/stepper/ignored_data.h"
#include "carom/stepper/method.h"
#include "testing/folders.h"

namespace carom::catalogue_test {
namespace {

void expect_words(const char* name, const char* assumption) {
  EXPECT_TRUE(std::regex_match(name, std::regex("[a-z]+(-[a-z]+)*"))) << name;
  const std::string sentence = assumption;
  EXPECT_GT(sentence.size(), 20u) << name;
  EXPECT_NE(sentence.back(), '.') << name;
}

TEST(Catalogue, NamesAreFoundAndNoneTwice) {
  const Catalogue& catalogue = default_catalogue();
  std::set<std::string> names;
  for (const StepperKind stepper : catalogue.steppers) {
    EXPECT_TRUE(names.insert(stepper->name).second) << stepper;
    EXPECT_TRUE(catalogue.stepper(stepper->name) == stepper);
    expect_words(stepper->name, stepper->assumption);
  }
  names.clear();
  for (const LawKind law : catalogue.laws) {
    EXPECT_TRUE(names.insert(law->name).second) << law;
    EXPECT_TRUE(catalogue.law(law->name) == law);
    expect_words(law->name, law->assumption);
  }
  EXPECT_THROW((void)catalogue.stepper("newton"), Error);
  EXPECT_THROW((void)catalogue.law("semi-explicit"), Error);
}

/// Each thing that an entry reads exists: a field that another stepper leaves without effect, a key of
/// materials.
TEST(Catalogue, EntriesReadWhatThereIs) {
  std::set<std::string> fields;
  for (const StepperKind stepper : all_steppers()) {
    Method method;
    method.stepper = stepper;
    method.cone = FrictionCone::polyhedral;  // so that steppers without one leave it out
    for (const std::string& field : fields_without_effect(method)) fields.insert(field);
  }
  for (const StepperKind stepper : all_steppers()) {
    for (const std::string_view field : stepper->fields) EXPECT_EQ(fields.count(std::string(field)), 1u) << field;
    for (const std::string_view key : stepper->material_data) {
      EXPECT_NE(std::find(std::begin(friction_data), std::end(friction_data), key), std::end(friction_data)) << key;
    }
  }
}

/// A stepper with impacts that are instants needs a law that solves them. One without has the law in its step. Whoever
/// refuses a law says so in a sentence that names both.
TEST(Catalogue, SteppersTakeLawsThatCanServeThem) {
  for (const StepperKind stepper : all_steppers()) {
    int taken = 0;
    for (const LawKind law : all_laws()) {
      Method method;
      method.stepper = stepper;
      method.law = law;
      const std::vector<std::string> faults = method_faults(method);
      EXPECT_EQ(faults.empty(), go_together(stepper, law)) << stepper << " " << law;
      if (!faults.empty()) {
        EXPECT_NE(faults[0].find(stepper->name), std::string::npos) << faults[0];
        EXPECT_NE(faults[0].find("law"), std::string::npos) << faults[0];
        continue;
      }
      ++taken;
      if (has_impacts(method)) {
        EXPECT_NO_THROW(ImpactLaw{law}) << stepper << " " << law;
      } else {
        EXPECT_NE(law->in_step, InStep::no) << stepper << " " << law;
      }
    }
    EXPECT_GT(taken, 0) << stepper;
  }
}

/// Words between backquotes of the manual's row of a field.
std::vector<std::string> words_of_row(const std::string& field) {
  std::ifstream file(source_folder() + "/docs/manual/scene-format.md");
  std::vector<std::string> words;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| `" + field + "` |")) continue;
    const std::regex word("`([^`]+)`");
    for (std::sregex_iterator i(line.begin(), line.end(), word), end; i != end; ++i) words.push_back((*i)[1]);
    break;
  }
  return words;
}

TEST(Catalogue, IsWhatTheManualLists) {
  std::vector<std::string> steppers = words_of_row("stepper");
  ASSERT_GE(steppers.size(), 3u);
  steppers.erase(steppers.begin());  // the field
  steppers.pop_back();               // its default
  std::vector<std::string> names;
  for (const StepperKind stepper : all_steppers()) names.emplace_back(stepper->name);
  EXPECT_EQ(steppers, names);
  const std::vector<std::string> laws = words_of_row("law");
  for (const LawKind law : all_laws()) {
    EXPECT_NE(std::find(laws.begin(), laws.end(), law->name), laws.end()) << law;
  }
}

}  // namespace
}  // namespace carom::catalogue_test
