#include "carom/record/runs_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "carom/dynamics/body_motion.h"
#include "carom/record/curve.h"
#include "carom/record/player_data.h"
#include "carom/record/test/browser.h"
#include "carom/record/test/page_numbers.h"
#include "carom/record/test/random_run.h"
#include "carom/record/test/test_folder.h"

namespace carom::runs_page_test {
namespace {

using Json = nlohmann::ordered_json;
using test::decoded;
using test::scene_text;
using test::simulate;

TEST(PlayedFrames, AreAllWhereTheyAreFew) {
  const Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 40);
  const std::vector<std::size_t> frames = played_frames(record, 41);
  ASSERT_EQ(frames.size(), 41u);
  for (std::size_t i = 0; i < frames.size(); ++i) EXPECT_EQ(frames[i], i);
}

TEST(PlayedFrames, KeepEndsEventsAndExtremes) {
  const Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 500);
  constexpr std::size_t largest = 60;
  const std::vector<std::size_t> frames = played_frames(record, largest);
  EXPECT_LE(frames.size(), largest);
  EXPECT_GE(frames.size(), largest - 2);
  EXPECT_TRUE(std::is_sorted(frames.begin(), frames.end()));
  EXPECT_EQ(std::adjacent_find(frames.begin(), frames.end()), frames.end());
  EXPECT_EQ(frames.front(), 0u);
  EXPECT_EQ(frames.back(), 500u);
  const auto kept = [&](std::size_t f) { return std::binary_search(frames.begin(), frames.end(), f); };
  ASSERT_FALSE(record.events.empty());
  ASSERT_LT(record.events.size(), largest / 4);
  for (const Event& event : record.events) {
    // With every step recorded the event of step s is told in frame s.
    EXPECT_TRUE(kept(static_cast<std::size_t>(event.step)));
    EXPECT_TRUE(kept(static_cast<std::size_t>(event.step) - 1));
  }
  const auto height = [](const Frame& frame) { return frame.state.q[2]; };
  const auto lowest = std::min_element(record.frames.begin(), record.frames.end(),
                                       [&](const Frame& a, const Frame& b) { return height(a) < height(b); });
  EXPECT_TRUE(kept(static_cast<std::size_t>(lowest - record.frames.begin())));
  std::size_t widest = 0;
  for (std::size_t i = 1; i < frames.size(); ++i) widest = std::max(widest, frames[i] - frames[i - 1]);
  EXPECT_LE(widest, 2 * 500 / (largest / 4)) << "at least a quarter of them lies evenly";
}

TEST(PlayedFrames, AreAsManyAsAskedForWhateverHappens) {
  Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 3000);
  for (std::size_t f = 1; f < record.frames.size(); ++f) {
    record.events.emplace_back().time = record.frames[f].state.time;
  }
  const std::vector<std::size_t> frames = played_frames(record);
  EXPECT_LE(frames.size(), largest_play);
  EXPECT_GE(frames.size(), largest_play - 2);
  EXPECT_EQ(frames.back(), 3000u);
}

TEST(PlayerData, PosesAreThoseOfTheBodies) {
  const Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 30);
  const Json data = player_data(record);
  const std::vector<float> poses = decoded(data["poses"]), times = decoded(data["times"]);
  ASSERT_EQ(poses.size(), 31u * 2 * 7);
  ASSERT_EQ(times.size(), 31u);
  for (std::size_t f = 0; f < times.size(); ++f) {
    EXPECT_EQ(times[f], static_cast<float>(record.frames[f].state.time));
    const std::vector<BodyMotion> bodies = body_motions(*record.scene.model, record.frames[f].state);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const float* pose = &poses[7 * (2 * f + b)];
      for (int k = 0; k < 3; ++k) EXPECT_EQ(pose[k], static_cast<float>(bodies[b].position[k]));
      EXPECT_EQ(pose[3], static_cast<float>(bodies[b].orientation.w()));
      EXPECT_EQ(pose[6], static_cast<float>(bodies[b].orientation.z()));
    }
  }
}

TEST(PlayerData, AFallingBallHasItsWeightTimesTheTimeAsMomentum) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  const Json mechanisms = player_data(simulate(scene, 20))["mechanisms"];
  EXPECT_EQ(mechanisms["names"], (Json{"ball", "arm"}));
  const std::vector<float> centres = decoded(mechanisms["mass_centre"]), momenta = decoded(mechanisms["momentum"]);
  ASSERT_EQ(momenta.size(), 21u * 2 * 3);
  const double weight = 9.81 * scene.model->bodies()[0].inertia.mass;
  for (std::size_t f = 0; f <= 20; ++f) {
    EXPECT_NEAR(momenta[6 * f + 2], -weight * 0.01 * static_cast<double>(f), 1e-6 * weight);
    EXPECT_NEAR((Vec3(centres[6 * f + 3], centres[6 * f + 4], centres[6 * f + 5]) - Vec3(1, 0, 2)).norm(), 0, 1e-6)
        << "the arm turns about its middle";
  }
}

TEST(PlayerData, ManyTreesHaveNoMassCentres) {
  std::string text = "carom: 1\ngravity: [0, 0, -10]\nbodies:\n";
  for (std::size_t i = 0; i <= largest_mechanisms; ++i) {
    text += "  - {name: b" + std::to_string(i) + ", inertia: {mass: 1, moments: [1, 1, 1]}}\n";
  }
  text += "method: {stepper: stewart-trinkle, step: 0.01}\nduration: 1\n";
  const Json mechanisms = player_data(simulate(parse_scene(text, "many.yaml"), 1))["mechanisms"];
  EXPECT_TRUE(mechanisms["names"].empty());
  EXPECT_EQ(mechanisms["momentum"], "");
}

/// A ball that rests: one contact a step, which carries its weight.
TEST(PlayerData, ContactsOfARestingBallCarryItsWeight) {
  const char* text = R"(carom: 1
gravity: [0, 0, -9.81]
materials: [{name: m, friction: 0.25}]
world: {shapes: [{type: half-space, name: floor, material: m}]}
bodies: [{name: ball, mass: 2, position: [0, 0, 0.1], shapes: [{type: sphere, radius: 0.1, material: m}]}]
method: {stepper: stewart-trinkle, step: 0.01}
duration: 1
)";
  const Record record = simulate(parse_scene(text, "rest.yaml"), 10);
  const Json data = player_data(record);
  const std::vector<float> frames = decoded(data["contacts"]["frames"]), offsets = decoded(data["contacts"]["offsets"]),
                           rows = decoded(data["contacts"]["rows"]);
  ASSERT_EQ(frames.size(), 11u);
  ASSERT_EQ(offsets.size(), 12u);
  ASSERT_EQ(rows.size(), 15u * 10);
  EXPECT_EQ(offsets[1], 0) << "nothing led to the first frame";
  for (std::size_t f = 1; f <= 10; ++f) {
    EXPECT_EQ(offsets[f + 1] - offsets[f], 1);
    const float* row = &rows[15 * (f - 1)];
    EXPECT_NEAR(row[4], 0, 1e-6) << "on the floor";
    EXPECT_NEAR(row[11], 2 * 9.81 * 0.01, 1e-7) << "m g h along the normal";
  }
  ASSERT_EQ(data["pairs"].size(), 1u);
  EXPECT_EQ(data["pairs"][0]["name"], "ball – world");
  EXPECT_EQ(data["pairs"][0]["friction"][0], 0.25);
}

/// Every impact of law plus: its intervals add up to what the contact gave and end at the velocity after.
TEST(PlayerData, IntervalsOfAnImpactAddUp) {
  std::string text = scene_text(1);
  const std::string method = "stepper: stewart-trinkle, law: none";
  text.replace(text.find(method), method.size(), "stepper: semi-explicit, law: plus");
  const Record record = simulate(parse_scene(text, "two.yaml"), 60);
  ASSERT_FALSE(record.impacts.empty());
  const Json impacts = player_data(record)["impacts"];
  const std::vector<float> rows = decoded(impacts["impacts"]), struck = decoded(impacts["struck"]),
                           intervals = decoded(impacts["intervals"]), parts = decoded(impacts["interval_contacts"]);
  ASSERT_EQ(rows.size(), 6 * record.impacts.size());
  for (std::size_t b = 0; b < record.impacts.size(); ++b) {
    const float* impact = &rows[6 * b];
    EXPECT_EQ(impact[0], static_cast<float>(record.impacts[b].time));
    ASSERT_GT(impact[4], 0) << "intervals";
    const auto row = static_cast<std::size_t>(impact[1]);
    double sum = 0, last = 0;
    for (auto i = static_cast<std::size_t>(impact[3]); i < static_cast<std::size_t>(impact[3] + impact[4]); ++i) {
      const auto first = static_cast<std::size_t>(intervals[5 * i + 3]);
      for (std::size_t c = first; c < first + static_cast<std::size_t>(intervals[5 * i + 4]); ++c) {
        if (static_cast<std::size_t>(parts[9 * c]) != row) continue;
        sum += parts[9 * c + 5];
        last = parts[9 * c + 8];
      }
    }
    EXPECT_NEAR(sum, struck[17 * row + 10], 1e-5 * std::abs(sum));
    EXPECT_NEAR(last, struck[17 * row + 16], 1e-6);
  }
}

TEST(PlayerGeometry, HoldsEveryShape) {
  const char* text = R"(carom: 1
gravity: [0, 0, -9.81]
materials: [{name: m, friction: 0.25}]
world:
  shapes:
    - {type: half-space, name: floor, material: m}
    - {type: heightfield, name: hill, material: m, spacing: [0.5, 0.25], heights: [[0, 0, 0], [0, 0.2, 0]]}
bodies:
  - name: thing
    density: 100
    position: [0, 0, 3]
    shapes:
      - {type: sphere, name: a, radius: 0.1, material: m}
      - {type: box, name: b, half_extents: [0.1, 0.2, 0.3], position: [1, 0, 0], material: m}
      - {type: capsule, name: c, radius: 0.1, length: 0.6, material: m}
      - {type: cylinder, name: d, radius: 0.2, length: 0.8, material: m}
      - {type: ellipsoid, name: e, semi_axes: [0.1, 0.2, 0.3], material: m}
      - {type: mesh, name: f, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], material: m}
method: {stepper: stewart-trinkle, step: 0.01}
duration: 1
)";
  const Scene scene = parse_scene(text, "shapes.yaml");
  const Json geometry = player_geometry(*scene.model);
  std::vector<std::string> types;
  for (const Json& shape : geometry["shapes"]) types.push_back(shape["type"]);
  std::sort(types.begin(), types.end());
  EXPECT_EQ(types, (std::vector<std::string>{"box", "capsule", "cylinder", "ellipsoid", "half-space", "heightfield",
                                             "mesh", "sphere"}));
  // Four corners and four faces; the volume under the triangles is that of the corner of a cube, 1/6.
  const std::vector<float> points = decoded(geometry["meshes"][0]["vertices"]);
  const std::vector<float> triangles = decoded(geometry["meshes"][0]["triangles"]);
  ASSERT_EQ(points.size(), 12u);
  ASSERT_EQ(triangles.size(), 12u);
  double volume = 0;
  for (std::size_t t = 0; t < triangles.size(); t += 3) {
    Mat3 corners;
    for (int k = 0; k < 3; ++k) {
      const auto vertex = static_cast<std::size_t>(triangles[t + static_cast<std::size_t>(k)]);
      corners.col(k) = Vec3(points[3 * vertex], points[3 * vertex + 1], points[3 * vertex + 2]);
    }
    volume += corners.determinant() / 6;
  }
  EXPECT_NEAR(volume, 1.0 / 6, 1e-12) << "seen anticlockwise from outside";
  const Json& grid = geometry["grids"][0];
  EXPECT_EQ(grid["nx"], 3);
  EXPECT_EQ(grid["ny"], 2);
  EXPECT_EQ(grid["corner"], (Json{-0.5, -0.125}));
  EXPECT_EQ(decoded(grid["heights"])[4], 0.2f);
}

TEST(PlayerGeometry, BodiesWithoutAShapeAreSticksToTheirJoints) {
  const char* text = R"(carom: 1
gravity: [0, 0, -9.81]
bodies:
  - {name: bob, inertia: {mass: 1, center: [0, 0, -0.5], moments: [0.1, 0.1, 0.1]}}
joints: [{name: hinge, type: revolute, parent: world, child: bob, axis: [0, 1, 0], on_child: {position: [0, 0, 0.25]}}]
method: {stepper: stewart-trinkle, step: 0.01}
duration: 1
)";
  const Json links = player_geometry(*parse_scene(text, "bob.yaml").model)["links"];
  ASSERT_EQ(links.size(), 1u);
  EXPECT_EQ(links[0]["from"], (Json{0.0, 0.0, -0.5}));
  EXPECT_EQ(links[0]["to"], (Json{0.0, 0.0, 0.25}));
}

TEST(PlayerGeometry, ADiscThatRollsIsSeenOnItsPlane) {
  const char* text = R"(carom: 1
gravity: [0, 0, -9.81]
bodies:
  - {name: wheel, position: [0, 0, 0.3], inertia: {mass: 1, moments: [0.1, 0.1, 0.2]}}
constraints:
  - {name: tyre, type: rolling, a: wheel, b: world, radius: 0.3, on_a: {orientation: {z_axis: [0, 1, 0]}}}
method: {stepper: stewart-trinkle, step: 0.01}
duration: 1
)";
  const Json shapes = player_geometry(*parse_scene(text, "wheel.yaml").model)["shapes"];
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0]["type"], "cylinder");
  EXPECT_EQ(shapes[0]["radius"], 0.3);
  const Json pose = shapes[0]["pose"];
  const Vec3 axis = Quaternion(pose[3], pose[4], pose[5], pose[6]) * Vec3::UnitZ();
  EXPECT_NEAR((axis - Vec3::UnitY()).norm(), 0, 1e-15);
  EXPECT_EQ(shapes[1]["type"], "half-space");
  EXPECT_EQ(shapes[1]["body"], -1);
}

class RunsPageTest : public test::FolderTest {};

TEST_F(RunsPageTest, RunsOfOneSceneShareItsShapes) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  std::string other_text = scene_text(1);
  other_text.replace(other_text.find("radius: 0.1"), 11, "radius: 0.2");
  const Record a = simulate(scene, 20), b = simulate(scene, 10),
               c = simulate(parse_scene(other_text, "other.yaml"), 10);
  write_runs_page("three", {{"a", &a}, {"b", &b}, {"c", &c}}, nullptr, nullptr, path("page.html"));
  const std::string html = test::read_text(path("page.html"));
  const std::string begin = "id=\"run\">";
  const std::size_t from = html.find(begin) + begin.size();
  const Json page = Json::parse(html.substr(from, html.find("</script>", from) - from));
  EXPECT_EQ(page["geometries"].size(), 2u);
  ASSERT_EQ(page["runs"].size(), 3u);
  EXPECT_EQ(page["runs"][0]["geometry"], 0);
  EXPECT_EQ(page["runs"][1]["geometry"], 0);
  EXPECT_EQ(page["runs"][2]["geometry"], 1);
  EXPECT_EQ(page["runs"][1]["name"], "b");
  EXPECT_FALSE(page.contains("above"));
  EXPECT_FALSE(page.contains("below"));
}

TEST_F(RunsPageTest, SectionsAroundThePlayerAreShownAsText) {
  const Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 20);
  const std::string name = "</script><b>bold</b>";
  Json chart, section;
  chart["title"] = section["title"] = name;
  chart["times"] = base64({0, 1, 2});
  chart["series"].push_back({{"name", name}, {"color", "c1"}, {"data", base64({3, 4, 5})}});
  section["paragraphs"] = {name, "two"};
  Json table;
  table["caption"] = name;
  table["columns"] = {"a", name};
  table["rows"].push_back({"1", name});
  section["tables"].push_back(table);
  section["charts"].push_back(chart);
  const Json one = Json::array({section});
  section["folded"] = true;
  write_runs_page(name, {{name, &record}}, one, Json::array({section}), path("top.html"));
  const std::string html = test::read_text(path("top.html"));
  EXPECT_EQ(html.find("<b>"), std::string::npos);

  const std::string dom = test::elements_of(path("top.html"), path(""));
  EXPECT_NE(dom.find("data-ready=\""), std::string::npos) << "the script came to its end, WebGL or not";
  for (const char* element :
       {"<h1>", "<h2>", "<summary>", "<p>", "<caption>", "<th class=\"text\">", "<td class=\"text\">"}) {
    EXPECT_NE(dom.find(element + std::string("&lt;/script&gt;&lt;b&gt;bold")), std::string::npos) << element;
  }
}

TEST_F(RunsPageTest, APageNeedsARunAndAPlace) {
  EXPECT_THROW(write_runs_page("none", {}, nullptr, nullptr, path("page.html")), Error);
  const Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 2);
  EXPECT_THROW(write_runs_page("one", {{"one", &record}}, nullptr, nullptr, path("no-such-folder/page.html")), Error);
}

}  // namespace
}  // namespace carom::runs_page_test
