#include "carom/validation/validation.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace carom::validation_test {
namespace {

TEST(ValidationEntryTest, AnErrorMayBeLessThanTheReferenceAsMuchAsItLikes) {
  EXPECT_TRUE(error_entry("s", "f", "q", 10, 1, 2).pass);
  EXPECT_TRUE(error_entry("s", "f", "q", 10, 12, 2).pass);
  EXPECT_FALSE(error_entry("s", "f", "q", 10, 12.1, 2).pass);
  EXPECT_FALSE(error_entry("s", "f", "q", 10, std::nan(""), 2).pass);
  EXPECT_EQ(error_entry("s", "f", "q", 10, 1, 2).deviation, -9);
}

TEST(Validation, ABoundIsShownAsABound) {
  Validation validation;
  validation.entries = {error_entry("s", "f", "q", 3, 2, 0)};
  const std::string table = validation_table({validation});
  EXPECT_NE(table.find("≤ 3"), std::string::npos) << table;
  EXPECT_EQ(table.find("-1"), std::string::npos) << "no deviation from a number that is not to be met";
  const auto json = nlohmann::json::parse(validation_json({validation}));
  EXPECT_EQ(json["entries"][0]["bound"], true);
  validation.entries = {absolute_entry("s", "f", "q", 3, 2, 1)};
  EXPECT_NE(validation_table({validation}).find("-1"), std::string::npos);
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A fault of the source explains a deviation up to a bound.
TEST(ValidationEntryTest, AnExplainedOneFailsBeyondItsBound) {
  const ValidationEntry within = explained(absolute_entry("s", "f", "q", 1, 3, 0), 2, "why");
  EXPECT_TRUE(within.pass && within.explained);
  EXPECT_EQ(within.note, "why");
  EXPECT_EQ(verdict_of(within), "explained");
  for (const double value : {3.1, -1.1, nan}) {
    const ValidationEntry beyond = explained(absolute_entry("s", "f", "q", 1, value, 0), 2, "why");
    EXPECT_FALSE(beyond.pass);
    EXPECT_EQ(verdict_of(beyond), "FAIL");
    Validation validation;
    validation.entries = {beyond};
    EXPECT_EQ(count_of({validation}).failed, 1);
  }
}

TEST(Validation, DeviationsAreMeasuredAsTheirNamesSay) {
  const ValidationEntry relative = relative_entry("s", "f", "q", -4, -5, 0.25);
  EXPECT_EQ(relative.deviation, -0.25);
  EXPECT_TRUE(relative.pass);  // at the tolerance
  EXPECT_FALSE(relative_entry("s", "f", "q", -4, -5.1, 0.25).pass);
  EXPECT_FALSE(relative_entry("s", "f", "q", -4, -2.9, 0.25).pass);
  const ValidationEntry absolute = absolute_entry("s", "f", "q", -4, -5, 1);
  EXPECT_EQ(absolute.deviation, -1);
  EXPECT_TRUE(absolute.pass);
  EXPECT_FALSE(absolute_entry("s", "f", "q", -4, -5, 0.999).pass);
  EXPECT_TRUE(absolute_entry("s", "f", "q", 0, 0, 0).pass);
}

TEST(Validation, WhatIsNoNumberFails) {
  EXPECT_FALSE(absolute_entry("s", "f", "q", 1, nan, 1e300).pass);
  EXPECT_FALSE(relative_entry("s", "f", "q", nan, 1, 1e300).pass);
  EXPECT_FALSE(relative_entry("s", "f", "q", 0, 0, 1).pass);  // 0/0
  EXPECT_FALSE(absolute_entry("s", "f", "q", 1, std::numeric_limits<double>::infinity(), 1e300).pass);
}

/// One entry of each kind, and one that is explained although it passes.
std::vector<Validation> some() {
  Validation one, two;
  one.name = "one";
  one.entries = {absolute_entry("one", "table 1", "length (m)", 1, 1.5, 1, "a \"note\""),
                 absolute_entry("one", "table 2", "width (m)", 1, nan, 1)};
  one.files = {"one.html"};
  two.name = "two";
  two.text = "  further lines\n";
  two.entries = {
      explained(absolute_entry("two", "figure 3", "angle (rad)", 1, 9, 1), 8, "no angle is given"),
      explained(from(Origin::printed, absolute_entry("two", "figure 4", "time (s)", 1, 1, 1)), 1, "damaged")};
  return {one, two};
}

TEST(Validation, EveryEntrySaysWhereItsReferenceComesFrom) {
  const auto json = nlohmann::json::parse(validation_json(some()));
  EXPECT_EQ(json["entries"][0]["origin"], "closed form");
  EXPECT_EQ(json["entries"][3]["origin"], "printed");
  EXPECT_NE(validation_table(some()).find("printed"), std::string::npos);
}

TEST(Validation, JsonHoldsEveryEntryAndTheCounts) {
  const auto json = nlohmann::json::parse(validation_json(some()));
  EXPECT_EQ(json["passed"], 1);
  EXPECT_EQ(json["failed"], 1);
  EXPECT_EQ(json["explained"], 2);
  EXPECT_EQ(json["files"], nlohmann::json::array({"one.html"}));
  ASSERT_EQ(json["entries"].size(), 4u);
  const auto& entry = json["entries"][0];
  EXPECT_EQ(entry["source"], "one");
  EXPECT_EQ(entry["figure"], "table 1");
  EXPECT_EQ(entry["quantity"], "length (m)");
  EXPECT_EQ(entry["reference"], 1);
  EXPECT_EQ(entry["value"], 1.5);
  EXPECT_EQ(entry["deviation"], 0.5);
  EXPECT_EQ(entry["tolerance"], 1);
  EXPECT_EQ(entry["pass"], true);
  EXPECT_EQ(entry["note"], "a \"note\"");
  EXPECT_FALSE(entry.contains("explained"));
  EXPECT_TRUE(json["entries"][1]["value"].is_string()) << "JSON has no number for NaN";
  EXPECT_EQ(json["entries"][1]["pass"], false);
  EXPECT_EQ(json["entries"][2]["explained"], true);
}

TEST(Validation, TableNamesEveryVerdict) {
  const std::string table = validation_table(some());
  for (const char* part : {"one", "two", "length (m)", "pass", "FAIL", "explained", "further lines",
                           "written: one.html", "1 passed, 1 failed, 2 explained"}) {
    EXPECT_NE(table.find(part), std::string::npos) << part << "\n" << table;
  }
}

TEST(Validation, CasesHaveNamesOfTheirOwnAndTellWhatTheyNeed) {
  std::set<std::string> names;
  for (const ValidationCase& one : validation_cases()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_FALSE(one.what.empty()) << one.name;
    EXPECT_TRUE(one.run) << one.name;
    EXPECT_EQ(one.needs_data, one.name == "cube_tosses" || one.name == "planar_impacts" || one.name == "square_drops" ||
                                  one.name == "sphere_impacts" || one.name == "cassie_jumps")
        << one.name;
  }
  EXPECT_TRUE(names.contains("stewart2000"));
  EXPECT_TRUE(names.contains("uchida2015"));
  EXPECT_TRUE(names.contains("chakraborty2007"));
  EXPECT_TRUE(names.contains("bhalerao2009"));
  EXPECT_TRUE(names.contains("cube_tosses"));
  EXPECT_TRUE(names.contains("planar_impacts"));
  EXPECT_TRUE(names.contains("square_drops"));
  EXPECT_TRUE(names.contains("sphere_impacts"));
  EXPECT_TRUE(names.contains("cassie_jumps"));
}

TEST(Validation, PageHoldsEveryEntryAndTheFigures) {
  std::vector<Validation> validations = some();
  PlotSection& figures = validations.front().figures.emplace_back();
  figures.title = "figure 7";
  Plot plot{"slip", "m/s", {0, 1, 2}, {{"ours", {3, 2, 1}}}};
  plot.x_title = "normal impulse (N s)";
  figures.plots.push_back(plot);
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("carom_validation_page_" + std::to_string(getpid()) + ".html");
  write_validation_page(validations, path.string());
  std::ifstream file(path);
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (const Validation& validation : validations) {
    for (const ValidationEntry& entry : validation.entries) {
      EXPECT_NE(page.find(entry.quantity), std::string::npos) << entry.quantity;
    }
  }
  EXPECT_NE(page.find("one: figure 7"), std::string::npos);
  EXPECT_NE(page.find("normal impulse (N s)"), std::string::npos);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace carom::validation_test
