#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "carom/record/gltf.h"
#include "carom/record/hdf5_file.h"
#include "carom/record/player_data.h"
#include "carom/record/record.h"
#include "carom/record/stored_appearance.h"
#include "carom/record/stored_model.h"
#include "carom/record/test/page_numbers.h"
#include "carom/record/test/random_run.h"
#include "carom/record/test/test_folder.h"
#include "carom/record/visual_meshes.h"

namespace carom::appearance_test {
namespace {

using Json = nlohmann::ordered_json;
using test::decoded;

const std::string pictures =
    "<visual name='skin'><origin xyz='0 0 1'/><geometry><mesh filename='skin.obj' scale='2 1 1'/></geometry>"
    "<material name=''><color rgba='1 0.5 0 1'/></material></visual>";
const std::string knob =
    "<visual name='knob'><origin xyz='1 0 0'/><geometry><sphere radius='0.5'/></geometry></visual>";

class AppearanceTest : public test::FolderTest {
 protected:
  /// A scene of a robot, with a shape of the world's own beside it.
  Scene scene(const std::string& visuals, const std::string& of_tip) const {
    std::ofstream(path("robot.urdf"))
        << "<robot name='r'><link name='trunk'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
           "iyz='0' izz='1'/></inertial><collision><geometry><box size='0.2 0.2 0.2'/></geometry></collision>"
        << visuals << "</link><link name='tip'>" << of_tip
        << "</link><joint name='j' type='fixed'><parent link='trunk'/><child link='tip'/><origin xyz='0 2 0' "
           "rpy='0 0 1.5707963267948966'/></joint></robot>";
    std::ofstream(path("skin.obj")) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    return parse_scene(
        "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: m, friction: 0.5}]\n"
        "world: {shapes: [{type: half-space, name: ground, material: m},"
        " {type: box, name: step, half_extents: [0.1, 0.1, 0.1], position: [5, 0, 0], material: m}]}\n"
        "bodies: [{name: ball, density: 100, position: [3, 0, 1], shapes: [{type: sphere, radius: 0.1, material: "
        "m}]}]\n"
        "models: [{file: robot.urdf, drop: 0.01, material: m}]\n"
        "method: {stepper: stewart-trinkle, step: 0.005}\nduration: 1\n",
        path("scene.yaml"));
  }
  static void expect_same(const Appearance& a, const Appearance& b) {
    const stored::Tree one = stored::write_appearance(a), other = stored::write_appearance(b);
    EXPECT_EQ(one.text, other.text);
    EXPECT_EQ(one.numbers, other.numbers);
  }
};

TEST_F(AppearanceTest, IsInTheRecordAndNeedsNoFileThen) {
  Scene run = scene(pictures, knob);
  run.appearance = with_surfaces(run.appearance);
  ASSERT_EQ(run.appearance.visuals.size(), 2u);
  ASSERT_TRUE(run.appearance.notes.empty());
  RecordWriter::create(path("run.h5"), run).finish("done", 0);
  std::filesystem::remove(path("skin.obj"));
  std::filesystem::remove(path("robot.urdf"));
  const Appearance read = with_surfaces(read_record(path("run.h5")).scene.appearance);
  expect_same(read, run.appearance);
  EXPECT_TRUE(read.notes.empty());
  EXPECT_EQ(std::get<VisualMesh>(read.visuals[0].shape).surface->triangles.size(), 12u);
  RecordWriter::resume(path("run.h5"), read_record(path("run.h5")).scene).finish("done", 0);
  expect_same(read_record(path("run.h5")).scene.appearance, run.appearance);
}

TEST_F(AppearanceTest, OfARunThatNobodyDrewNamesTheFiles) {
  const Scene run = scene(pictures, knob);
  RecordWriter::create(path("run.h5"), run).finish("done", 0);
  const Appearance named = read_record(path("run.h5")).scene.appearance;
  EXPECT_EQ(std::get<VisualMesh>(named.visuals[0].shape).surface, nullptr);
  EXPECT_NE(std::get<VisualMesh>(with_surfaces(named).visuals[0].shape).surface, nullptr);
}

TEST_F(AppearanceTest, MayBeMissingOrOfAnotherVersion) {
  const Scene plain = scene("", "");
  RecordWriter::create(path("plain.h5"), plain).finish("done", 0);
  EXPECT_FALSE(Hdf5File::open_for_reading(path("plain.h5")).has("/appearance"));
  EXPECT_TRUE(read_record(path("plain.h5")).scene.appearance.visuals.empty());
  RecordWriter::create(path("later.h5"), scene(pictures, knob)).finish("done", 0);
  {
    Hdf5File file = Hdf5File::open_for_writing(path("later.h5"));
    file.set("/appearance", "version", stored::appearance_version + 1);
    file.close();
  }
  EXPECT_TRUE(read_record(path("later.h5")).scene.appearance.visuals.empty());
}

TEST_F(AppearanceTest, ChangesNothingOfTheMotion) {
  const Scene plain = scene("", ""), seen = scene(pictures, knob);
  const stored::Tree one = stored::write_model(*plain.model), other = stored::write_model(*seen.model);
  EXPECT_EQ(one.text, other.text);
  EXPECT_EQ(one.numbers, other.numbers);
  const Record a = test::simulate(plain, 60), b = test::simulate(seen, 60);
  ASSERT_EQ(a.frames.size(), b.frames.size());
  for (std::size_t i = 0; i < a.frames.size(); ++i) {
    ASSERT_TRUE(identical(a.frames[i].state, b.frames[i].state)) << "frame " << i;
  }
}

TEST_F(AppearanceTest, IsOnThePageInPlaceOfTheShapesOfItsBody) {
  const Scene run = scene(pictures, knob);
  const Json geometry = player_geometry(*run.model, with_surfaces(run.appearance));
  const int trunk = 1;
  ASSERT_EQ(geometry["bodies"][trunk]["name"], "trunk");
  ASSERT_EQ(geometry["visuals"].size(), 2u);
  const Json &skin = geometry["visuals"][0], &ball = geometry["visuals"][1];
  EXPECT_EQ(skin["body"], trunk);
  EXPECT_EQ(skin["type"], "mesh");
  EXPECT_EQ(skin["color"], (Json{1.0, 0.5, 0.0, 1.0}));
  EXPECT_EQ(skin["pose"], (Json{0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0}));
  const std::vector<float> corners = decoded(geometry["meshes"][skin["mesh"].get<std::size_t>()]["vertices"]);
  EXPECT_EQ(*std::max_element(corners.begin(), corners.end()), 2.0f) << "twice as long along x";
  // The tip's x axis is the trunk's y axis, from (0, 2, 0) on.
  EXPECT_EQ(ball["type"], "sphere");
  EXPECT_TRUE(ball["color"].is_null());
  EXPECT_NEAR(ball["pose"][0].get<double>(), 0, 1e-15);
  EXPECT_NEAR(ball["pose"][1].get<double>(), 3, 1e-15);
  for (const Json& shape : geometry["shapes"]) EXPECT_EQ(shape.contains("behind"), shape["body"] == trunk) << shape;
}

TEST_F(AppearanceTest, IsInGltfWithItsColours) {
  Record record = test::simulate(scene(pictures, knob), 2);
  const Json gltf = Json::parse(gltf_text(record));
  std::vector<std::string> shapes;
  for (const Json& node : gltf["nodes"]) {
    if (node.contains("mesh")) shapes.push_back(node["name"]);
  }
  // The trunk has its visuals alone.
  EXPECT_EQ(shapes, (std::vector<std::string>{"world/ground", "world/step", "ball/sphere", "skin", "knob"}));
  const Json& skin = gltf["nodes"].at(gltf["nodes"].size() - 2);
  const Json& mesh = gltf["meshes"].at(skin["mesh"].get<std::size_t>())["primitives"][0];
  EXPECT_EQ(gltf["accessors"].at(mesh["indices"].get<std::size_t>())["count"], 12);
  EXPECT_EQ(gltf["accessors"].at(mesh["attributes"]["POSITION"].get<std::size_t>())["max"], (Json{2.0, 1.0, 1.0}));
  const Json color =
      gltf["materials"].at(mesh["material"].get<std::size_t>())["pbrMetallicRoughness"]["baseColorFactor"];
  EXPECT_EQ(color[0], 1.0);
  EXPECT_NEAR(color[1].get<double>(), std::pow((0.5 + 0.055) / 1.055, 2.4), 1e-12) << "the sRGB value 0.5 as light";
  EXPECT_EQ(color[2], 0.0);
}

TEST_F(AppearanceTest, LeavesTheShapesOfABodyWhoseMeshHasNoArea) {
  const Record record = test::simulate(scene(pictures, knob), 2);
  std::ofstream(path("skin.obj")) << "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n";
  const Json gltf = Json::parse(gltf_text(record));
  std::vector<std::string> shapes;
  for (const Json& node : gltf["nodes"]) {
    if (node.contains("mesh")) shapes.push_back(node["name"]);
  }
  EXPECT_EQ(shapes.size(), 5u) << "ground, step, ball, the trunk's box and the knob";
  EXPECT_EQ(std::count(shapes.begin(), shapes.end(), "skin"), 0);
  for (const Json& accessor : gltf["accessors"]) EXPECT_GT(accessor["count"], 0);
}

TEST_F(AppearanceTest, LeavesTheShapesOfABodyWhoseMeshIsMissing) {
  const Scene run = scene(pictures, knob);
  std::filesystem::remove(path("skin.obj"));
  const Json geometry = player_geometry(*run.model, with_surfaces(run.appearance));
  EXPECT_EQ(geometry["visuals"].size(), 1u) << "the knob is there";
  for (const Json& shape : geometry["shapes"]) EXPECT_FALSE(shape.contains("behind"));
  ASSERT_EQ(geometry["notes"].size(), 1u);
  EXPECT_NE(geometry["notes"][0].get<std::string>().find("skin.obj"), std::string::npos);
}

}  // namespace
}  // namespace carom::appearance_test
