#include "carom/record/gltf.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "carom/record/test/page_numbers.h"
#include "carom/record/test/random_run.h"
#include "carom/record/test/run_columns.h"

namespace carom::gltf_test {
namespace {

using Json = nlohmann::ordered_json;

/// A file taken apart, with the numbers of its accessors.
struct Gltf {
  Json json;
  std::string bytes;

  template <class Number>
  std::vector<Number> numbers(std::size_t accessor) const {
    const Json& one = json["accessors"].at(accessor);
    const Json& view = json["bufferViews"].at(one["bufferView"].get<std::size_t>());
    const auto start = view["byteOffset"].get<std::size_t>(), size = view["byteLength"].get<std::size_t>();
    EXPECT_LE(start + size, bytes.size());
    const std::map<std::string, std::size_t> widths{{"SCALAR", 1}, {"VEC3", 3}, {"VEC4", 4}};
    EXPECT_EQ(size, sizeof(Number) * widths.at(one["type"]) * one["count"].get<std::size_t>());
    std::vector<Number> numbers(size / sizeof(Number));
    std::memcpy(numbers.data(), bytes.data() + start, size);
    return numbers;
  }
  std::size_t node(const std::string& name) const {
    for (std::size_t i = 0; i < json["nodes"].size(); ++i) {
      if (json["nodes"][i]["name"] == name) return i;
    }
    ADD_FAILURE() << "no node " << name;
    return 0;
  }
};

std::uint32_t word(const std::string& file, std::size_t at) {
  std::uint32_t value;
  std::memcpy(&value, file.data() + at, sizeof value);
  return value;
}

Gltf parted(const std::string& file) {
  EXPECT_EQ(file.substr(0, 4), "glTF");
  EXPECT_EQ(word(file, 4), 2u);
  EXPECT_EQ(word(file, 8), file.size());
  const std::uint32_t size = word(file, 12);
  EXPECT_EQ(size % 4, 0u);
  EXPECT_EQ(file.substr(16, 4), "JSON");
  Gltf gltf{Json::parse(file.substr(20, size)), file.substr(20 + size + 8)};
  EXPECT_EQ(word(file, 20 + size), gltf.bytes.size());
  EXPECT_EQ(file.substr(20 + size + 4, 4), std::string("BIN\0", 4));
  EXPECT_EQ(gltf.json["buffers"][0]["byteLength"], gltf.bytes.size());
  return gltf;
}

class GltfTest : public test::RunTest {};

TEST_F(GltfTest, PosesAreThoseOfTheRecord) {
  std::string text = test::scene_text(2);
  text.replace(text.find("duration: 10"), 12, "duration: 0.6");
  simulate(text, "run.h5");
  const Gltf gltf = parted(gltf_binary(read_record(path("run.h5"))));
  const test::Columns columns(path("run.h5"), {"*.position.?", "*.orientation.?"});
  ASSERT_EQ(columns.frames(), 31u);
  EXPECT_EQ(gltf.json["asset"]["version"], "2.0");
  const Json& animation = gltf.json["animations"].at(0);
  ASSERT_EQ(animation["channels"].size(), 4u) << "two bodies that move and turn";
  for (const Json& channel : animation["channels"]) {
    const Json& sampler = animation["samplers"].at(channel["sampler"].get<std::size_t>());
    const auto times = gltf.numbers<float>(sampler["input"]), values = gltf.numbers<float>(sampler["output"]);
    const bool turns = channel["target"]["path"] == "rotation";
    const std::size_t width = turns ? 4 : 3;
    ASSERT_EQ(times.size(), 31u);
    ASSERT_EQ(values.size(), width * 31);
    const Json& node = gltf.json["nodes"].at(channel["target"]["node"].get<std::size_t>());
    const std::string name = node["name"].get<std::string>() + (turns ? ".orientation." : ".position.");
    for (std::size_t f = 0; f < times.size(); ++f) {
      EXPECT_EQ(times[f], static_cast<float>(columns["time"][f]));
      double sign = 0;  // a quaternion and its negative are one rotation
      for (std::size_t k = 0; k < width && turns; ++k) {
        sign += values[width * f + k] * columns.at(name + "xyzw"[k], f);
      }
      for (std::size_t k = 0; k < width; ++k) {
        const double expected = columns.at(name + "xyzw"[k], f) * (turns && sign < 0 ? -1 : 1);
        EXPECT_NEAR(values[width * f + k], expected, 1e-6 * std::max(1.0, std::abs(expected)));
      }
      for (std::size_t k = 0; k < width && f == 0; ++k) {
        EXPECT_EQ(node[turns ? "rotation" : "translation"][k], values[k]) << "the node stands at the start";
      }
    }
  }
}

TEST_F(GltfTest, NodesHaveTheNamesOfBodiesAndColliders) {
  const Record record = test::simulate(parse_scene(test::scene_text(1), "two.yaml"), 5);
  const Gltf gltf = parted(gltf_binary(record));
  const Json& root = gltf.json["nodes"].at(gltf.json["scenes"][0]["nodes"][0].get<std::size_t>());
  EXPECT_EQ(root["name"], "two bodies");
  // The root turns z, up in Carom, to y, up in glTF.
  const auto q = root["rotation"].get<std::vector<double>>();
  EXPECT_NEAR((Quaternion(q[3], q[0], q[1], q[2]) * Vec3::UnitZ() - Vec3::UnitY()).norm(), 0, 1e-12);
  const auto children = [&](std::size_t node) {
    const Json& one = gltf.json["nodes"][node];
    return one.contains("children") ? one["children"].get<std::vector<std::size_t>>() : std::vector<std::size_t>{};
  };
  EXPECT_EQ(children(0), (std::vector<std::size_t>{gltf.node("ball"), gltf.node("arm"), gltf.node("world/floor")}));
  EXPECT_EQ(children(gltf.node("arm")).size(), 1u);
  EXPECT_TRUE(gltf.json["nodes"][children(gltf.node("arm"))[0]].contains("mesh"));
}

TEST_F(GltfTest, MeshesKeepTheirBoundsAndTheirSurfaces) {
  const Record record = test::simulate(parse_scene(test::scene_text(1), "two.yaml"), 5);
  const Gltf gltf = parted(gltf_binary(record));
  ASSERT_EQ(gltf.json["meshes"].size(), 3u);
  for (const Json& mesh : gltf.json["meshes"]) {
    const Json& primitive = mesh["primitives"].at(0);
    const auto points = gltf.numbers<float>(primitive["attributes"]["POSITION"]),
               normals = gltf.numbers<float>(primitive["attributes"]["NORMAL"]);
    const auto indices = gltf.numbers<std::uint32_t>(primitive["indices"]);
    ASSERT_EQ(points.size(), normals.size());
    EXPECT_LT(*std::max_element(indices.begin(), indices.end()), points.size() / 3);
    const Json& accessor = gltf.json["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()];
    for (std::size_t k = 0; k < 3; ++k) {
      float least = points[k], greatest = points[k];
      for (std::size_t i = k; i < points.size(); i += 3) {
        least = std::min(least, points[i]);
        greatest = std::max(greatest, points[i]);
      }
      EXPECT_EQ(accessor["min"][k], least);
      EXPECT_EQ(accessor["max"][k], greatest);
      const float half[] = {0.3f, 0.05f, 0.05f};
      if (mesh["name"] == "box") {
        EXPECT_EQ(greatest, half[k]);
      } else if (mesh["name"] == "sphere") {
        EXPECT_NEAR(greatest, 0.1, 1e-8);
      }
    }
  }
  const Json& input = gltf.json["accessors"][gltf.json["animations"][0]["samplers"][0]["input"].get<std::size_t>()];
  EXPECT_EQ(input["min"][0], 0);
  EXPECT_EQ(input["max"][0], static_cast<float>(record.frames.back().state.time));
  std::size_t total = 0;
  for (const Json& view : gltf.json["bufferViews"]) {
    EXPECT_EQ(view["byteOffset"], total) << "views lie one after another";
    total += view["byteLength"].get<std::size_t>();
  }
  EXPECT_EQ(total, gltf.bytes.size());
}

TEST_F(GltfTest, TheTextHoldsTheSame) {
  const Record record = test::simulate(parse_scene(test::scene_text(1), "two.yaml"), 5);
  const Gltf binary = parted(gltf_binary(record));
  Json text = Json::parse(gltf_text(record));
  const std::string head = "data:application/octet-stream;base64,", uri = text["buffers"][0]["uri"];
  ASSERT_EQ(uri.substr(0, head.size()), head);
  const std::vector<float> numbers = test::decoded(Json(uri.substr(head.size())));
  ASSERT_EQ(numbers.size() * sizeof(float), binary.bytes.size());
  EXPECT_EQ(std::memcmp(numbers.data(), binary.bytes.data(), binary.bytes.size()), 0);
  text["buffers"][0].erase("uri");
  EXPECT_EQ(text, binary.json);
}

/// A frame without a finite pose, or without a time of its own in float32, is left out: readers refuse it.
TEST_F(GltfTest, TimesRiseAndPosesAreFinite) {
  Record record = test::simulate(parse_scene(test::scene_text(1), "two.yaml"), 6);
  for (std::size_t f = 0; f < record.frames.size(); ++f) {
    record.frames[f].state.time = f < 3 ? 1000 + 1e-9 * static_cast<double>(f) : 1000 + static_cast<double>(f);
  }
  record.frames[4].state.q[0] = std::numeric_limits<double>::quiet_NaN();
  const Gltf gltf = parted(gltf_binary(record));
  const auto times = gltf.numbers<float>(gltf.json["animations"][0]["samplers"][0]["input"]);
  EXPECT_EQ(times, (std::vector<float>{1000, 1003, 1005, 1006}));
}

}  // namespace
}  // namespace carom::gltf_test
