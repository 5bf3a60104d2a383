// Faults of one text: all at once, each once, where a reader of the file sees them.

#include "carom/scene/diagnostics.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace carom::diagnostics_test {
namespace {

std::vector<Diagnostic> told(const Diagnostics& diagnostics) {
  try {
    diagnostics.throw_if_any();
  } catch (const SceneError& error) {
    return error.diagnostics();
  }
  return {};
}

TEST(Diagnostics, NoFaultThrowsNothing) { EXPECT_NO_THROW(Diagnostics("a.yaml", "a: 1").throw_if_any()); }

TEST(Diagnostics, AreSortedToldOnceAndCountColumnsInCharacters) {
  const std::string text = "first: 1\nµé: bad\n";
  Diagnostics diagnostics("a.yaml", text);
  diagnostics.add({2, 7}, "second");  // byte 7: behind two letters of two bytes each
  diagnostics.add({1, 8}, "first");
  diagnostics.add({2, 7}, "second");
  diagnostics.add({2, 7}, "another");
  const std::vector<Diagnostic> found = told(diagnostics);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].message, "first");
  EXPECT_EQ(found[0].column, 8);
  EXPECT_EQ(found[1].message, "second");
  EXPECT_EQ(found[1].column, 5);
  EXPECT_EQ(found[2].message, "another");
}

TEST(Diagnostics, BeyondTheMostTheyAreCounted) {
  Diagnostics diagnostics("a.yaml", "");
  const int count = static_cast<int>(Diagnostics::largest_count) + 17;
  for (int i = 0; i < count; ++i) diagnostics.add({1, 1}, std::to_string(i));
  const std::vector<Diagnostic> found = told(diagnostics);
  ASSERT_EQ(found.size(), Diagnostics::largest_count + 1);
  EXPECT_NE(found.back().message.find("17"), std::string::npos);
}

TEST(Diagnostics, TheNearestWordIsNoFartherThanAThirdOfIt) {
  const std::vector<std::string> words = {"friction", "step", "law"};
  EXPECT_EQ(nearest("fricton", words), "friction");
  EXPECT_EQ(nearest("setp", words), "step");
  EXPECT_EQ(nearest("velocity", words), "");
  EXPECT_NE(suggestion("setp", words, "the keys are").find("did you mean 'step'?"), std::string::npos);
  EXPECT_NE(suggestion("velocity", words, "the keys are").find("friction, step, law"), std::string::npos);
  EXPECT_NE(suggestion("velocity", {}, "the keys are").find("there are none"), std::string::npos);
}

}  // namespace
}  // namespace carom::diagnostics_test
