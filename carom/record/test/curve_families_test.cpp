#include "carom/record/curve_families.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "carom/record/curve_json.h"
#include "carom/record/test/page_numbers.h"
#include "carom/record/test/run_columns.h"

namespace carom::curve_families_test {
namespace {

using Json = nlohmann::ordered_json;

class CurveFamilies : public test::RunTest {
 protected:
  Json sections(const std::string& text) {
    simulate(text, "run.h5");
    return curve_family_sections(read_record(path("run.h5")));
  }
};

Json section(const Json& sections, const std::string& title) {
  for (const Json& one : sections) {
    if (one["title"] == title) return one;
  }
  return nullptr;
}

/// The curves of a plot by name, as the page's script reads them; empty if there is no such plot.
std::map<std::string, std::vector<float>> curves(const Json& section, const std::string& title,
                                                 const std::string& unit) {
  std::map<std::string, std::vector<float>> curves;
  for (const Json& chart : section["charts"]) {
    if (chart["title"] != title || chart["unit"] != unit) continue;
    for (const Json& line : chart["series"]) curves[line["name"]] = test::decoded(line["data"]);
  }
  return curves;
}

std::string resting_balls(int count, const std::string& columns = "all") {
  std::string text = R"(carom: 1
gravity: [0, 0, -10]
materials: [{name: m, friction: 0.25}]
world: {shapes: [{type: half-space, name: floor, material: m}]}
bodies:
)";
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    text += "  - {name: ball" + number + ", mass: 2, position: [" + number +
            ", 0.5, 0.1], shapes: [{type: sphere, name: skin, radius: 0.1, material: m}]}\n";
  }
  return text + "method: {stepper: stewart-trinkle, step: 0.01}\nduration: 0.1\nrecord: {columns: " + columns + "}\n";
}

TEST_F(CurveFamilies, ForcesOfARestingBallAreItsWeightWhereItTouches) {
  const Json all = sections(resting_balls(2)), contact = section(all, "Contact forces");
  const auto force = curves(contact, "force z", "N"), x = curves(contact, "centre of pressure x", "m");
  ASSERT_EQ(force.size(), 3u);
  ASSERT_EQ(force.at("ball1/skin").size(), 11u);
  EXPECT_EQ(test::decoded(contact["times"]).size(), 11u);
  for (std::size_t f = 1; f <= 10; ++f) {
    EXPECT_NEAR(force.at("ball0/skin")[f], 20, 1e-5);
    EXPECT_NEAR(force.at("world/floor")[f], -40, 1e-5);
    EXPECT_NEAR(x.at("ball1/skin")[f], 1, 1e-6);
    EXPECT_NEAR(x.at("world/floor")[f], 0.5, 1e-6) << "between two equal loads";
  }
  std::map<std::string, std::set<std::string>> looks;
  for (const Json& chart : contact["charts"]) {
    for (const Json& line : chart["series"]) looks[line["name"]].insert(line["color"]);
  }
  for (const auto& [name, colors] : looks) EXPECT_EQ(colors.size(), 1u) << name << " has one colour in all plots";
  EXPECT_TRUE(std::isnan(x.at("world/floor")[0])) << "nothing pressed before the first step";
  EXPECT_TRUE(curves(contact, "force x", "N").empty()) << "zero throughout, or round-off beside the weight";
  const auto centre = curves(section(all, "Mass centre and momentum"), "mass centre z", "m");
  EXPECT_NEAR(centre.at("ball1").back(), 0.1, 1e-6);
  EXPECT_TRUE(section(all, "Torques of joints").is_null()) << "there is no joint";
}

/// A rod that a motion keeps level; a spring carries half of its weight.
TEST_F(CurveFamilies, TorquesOfALeverAreItsMomentShared) {
  const Json all = sections(R"(carom: 1
gravity: [0, 0, -10]
bodies:
  - {name: rod, inertia: {mass: 3, center: [0.5, 0, 0], moments: [0.1, 0.1, 0.1]}}
joints:
  - {name: hinge, type: revolute, parent: world, child: rod, axis: [0, -1, 0], spring: {stiffness: 15, rest: 0.5}}
drives:
  - {name: motor, type: motion, joint: hinge, target: {polynomial: [0]}}
method: {stepper: stewart-trinkle, step: 0.01}
duration: 0.1
)");
  const Json torques = section(all, "Torques of joints");
  const auto total = curves(torques, "torque, all sources", "N m"), parts = curves(torques, "torque by source", "N m");
  const auto loads = curves(section(all, "Loads of joints"), "size of the reaction force", "N");
  ASSERT_EQ(parts.size(), 2u) << "what is zero throughout is left out";
  for (std::size_t f = 1; f <= 10; ++f) {
    EXPECT_NEAR(total.at("hinge")[f], 3 * 10 * 0.5, 1e-5);
    EXPECT_NEAR(parts.at("hinge.spring")[f], 15 * 0.5, 1e-5);
    EXPECT_NEAR(parts.at("hinge.motion")[f], 3 * 10 * 0.5 - 15 * 0.5, 1e-5);
    EXPECT_NEAR(loads.at("hinge")[f], 30, 1e-5);
  }
}

TEST_F(CurveFamilies, APlotHas24CurvesThatCanBeToldApart) {
  const Json contact = section(sections(resting_balls(30)), "Contact forces");
  for (const Json& chart : contact["charts"]) {
    if (chart["unit"] != "N") continue;
    EXPECT_EQ(chart["title"], "force z, the first 24 of 31");
    std::set<std::pair<std::string, int>> looks;
    for (const Json& line : chart["series"]) looks.emplace(line["color"], line["dash"]);
    EXPECT_EQ(looks.size(), 24u);
  }
}

TEST_F(CurveFamilies, ARecordWithoutThemOrWithoutAFileHasNone) {
  EXPECT_TRUE(sections(resting_balls(1, "least")).empty());
  Record record = read_record(path("run.h5"));
  record.path.clear();
  EXPECT_TRUE(curve_family_sections(record).empty());
}

}  // namespace
}  // namespace carom::curve_families_test
