#include "carom/study/study_fields.h"

#include <gtest/gtest.h>

#include "carom/scene/diagnostics.h"
#include "carom/scene/yaml.h"

namespace carom::study_fields_test {
namespace {

/// Calls read(fields, diagnostics) with the fields of a map; the sentences of its faults.
template <class Read>
std::string faults_of(const std::string& text, const Read& read) {
  Diagnostics diagnostics("study.yaml", text);
  const std::optional<YamlNode> node = parse_yaml(text, diagnostics);
  const Fields fields(*node, "a study", {"count", "word", "methods"}, diagnostics);
  read(fields, diagnostics);
  try {
    diagnostics.throw_if_any();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(StudyFields, PathsAreThoseBesideTheStudy) {
  EXPECT_EQ(beside_study("folder/study.yaml", "scene.yaml"), "folder/scene.yaml");
  EXPECT_EQ(beside_study("folder/study.yaml", "../scene.yaml"), "scene.yaml");
  EXPECT_EQ(beside_study("study.yaml", "scene.yaml"), "scene.yaml");
  EXPECT_EQ(beside_study("folder/study.yaml", "/scene.yaml"), "/scene.yaml");
}

TEST(StudyFields, CountsHaveALeastAndAValueOfTheirOwn) {
  const auto count = [](const std::string& text, std::int64_t expected) {
    return faults_of(text, [&](const Fields& fields, Diagnostics& diagnostics) {
      EXPECT_EQ(read_count(fields, "count", 7, 2, diagnostics), expected) << text;
    });
  };
  EXPECT_EQ(count("word: a", 7), "");
  EXPECT_EQ(count("count: 2", 2), "");
  EXPECT_NE(count("count: 1", 1).find("count must be 2 or more, but is"), std::string::npos);
  EXPECT_NE(count("count: many", 7), "");
}

TEST(StudyFields, WordsAreOfTheList) {
  const auto word = [](const std::string& text, int expected) {
    return faults_of(text, [&](const Fields& fields, Diagnostics& diagnostics) {
      EXPECT_EQ(read_word(fields, "word", {"first", "second"}, diagnostics), expected) << text;
    });
  };
  EXPECT_EQ(word("count: 1", 0), "");
  EXPECT_EQ(word("word: second", 1), "");
  EXPECT_NE(word("word: third", 0).find("third"), std::string::npos);
}

TEST(StudyFields, MethodsAreStepperAndLawOnceEach) {
  const auto methods = [](const std::string& text, std::size_t expected) {
    return faults_of(text, [&](const Fields& fields, Diagnostics& diagnostics) {
      EXPECT_EQ(read_method_choices(*fields.find("methods"), diagnostics).size(), expected) << text;
    });
  };
  EXPECT_EQ(methods("methods: [semi-explicit/plus, event-driven/newton]", 2), "");
  EXPECT_NE(methods("methods: [semi-explicit/plus, semi-explicit/plus]", 2), "");
  EXPECT_NE(methods("methods: []", 0), "");
}

}  // namespace
}  // namespace carom::study_fields_test
