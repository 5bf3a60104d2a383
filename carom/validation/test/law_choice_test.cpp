#include "carom/validation/law_choice.h"

#include <gtest/gtest.h>

#include "carom/error.h"

namespace carom::law_choice_test {
namespace {

using Indices = std::vector<std::size_t>;

const std::vector<NamedLaw> laws{{"one", true}, {"two", false}, {"three", true}};

TEST(LawChoice, TakesThoseNamedOrThoseWithValuesOrAllToFit) {
  ValidationOptions options;
  EXPECT_EQ(choose_laws(laws, options, "tosses", "fits.json"), (Indices{0, 2}));
  options.fit = true;
  EXPECT_EQ(choose_laws(laws, options, "tosses", "fits.json"), (Indices{0, 1, 2}));
  options.laws = {"three", "two"};
  EXPECT_EQ(choose_laws(laws, options, "tosses", "fits.json"), (Indices{2, 1}));
}

TEST(LawChoice, SaysWhichThereAreAndThatNoneIsFitted) {
  const auto sentence = [](const std::vector<NamedLaw>& from, const ValidationOptions& options) -> std::string {
    try {
      choose_laws(from, options, "tosses", "fits.json");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  ValidationOptions options;
  options.laws = {"mach"};
  EXPECT_EQ(sentence(laws, options), "no law of tosses is named 'mach'; there are: one, two, three");
  options.laws.clear();
  EXPECT_EQ(sentence({{"two", false}}, options), "fits.json: no law has fitted values; fit them with --fit");
}

}  // namespace
}  // namespace carom::law_choice_test
