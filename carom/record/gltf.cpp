#include "carom/record/gltf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "carom/dynamics/body_motion.h"
#include "carom/error.h"
#include "carom/record/curve.h"
#include "carom/record/part_names.h"
#include "carom/record/surface.h"
#include "carom/record/visual_meshes.h"
#include "carom/record/visuals.h"
#include "carom/version.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

// Numbers of the specification: component types, targets of views, chunks of a binary file.
constexpr int is_float = 5126, is_unsigned = 5125, vertex_target = 34962, index_target = 34963;
constexpr std::uint32_t magic = 0x46546C67, json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;

void append_word(std::vector<std::uint8_t>& bytes, std::uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(word >> shift));
}

/// The buffer, and the accessors that say what lies in it.
class Buffer {
 public:
  std::vector<std::uint8_t> bytes;
  Json views = Json::array(), accessors = Json::array();

  /// `width` floats an element; with `bounded` the least and the greatest of each are told. Its number.
  std::size_t add_floats(const std::vector<float>& numbers, std::size_t width, bool bounded, int target = 0) {
    const char* const types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
    Json accessor{{"componentType", is_float}, {"count", numbers.size() / width}, {"type", types[width]}};
    if (bounded) {
      std::vector<float> least(width, std::numeric_limits<float>::max()), greatest(width, -least[0]);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        least[i % width] = std::min(least[i % width], numbers[i]);
        greatest[i % width] = std::max(greatest[i % width], numbers[i]);
      }
      accessor["min"] = least;
      accessor["max"] = greatest;
    }
    const std::size_t start = bytes.size();
    for (const float number : numbers) append_word(bytes, std::bit_cast<std::uint32_t>(number));
    return add(start, std::move(accessor), target);
  }
  std::size_t add_indices(const std::vector<std::uint32_t>& indices) {
    const std::size_t start = bytes.size();
    for (const std::uint32_t index : indices) append_word(bytes, index);
    return add(start, {{"componentType", is_unsigned}, {"count", indices.size()}, {"type", "SCALAR"}}, index_target);
  }

 private:
  std::size_t add(std::size_t start, Json accessor, int target) {
    Json view{{"buffer", 0}, {"byteOffset", start}, {"byteLength", bytes.size() - start}};
    if (target != 0) view["target"] = target;
    accessor["bufferView"] = views.size();
    views.push_back(std::move(view));
    accessors.push_back(std::move(accessor));
    return accessors.size() - 1;
  }
};

std::vector<float> floats_of(const std::vector<Vec3>& vectors) {
  std::vector<float> numbers;
  numbers.reserve(3 * vectors.size());
  for (const Vec3& v : vectors) {
    for (const double x : v) numbers.push_back(static_cast<float>(x));
  }
  return numbers;
}

/// x, y, z, w, as glTF has them.
std::array<float, 4> quaternion(const Quaternion& q) {
  return {static_cast<float>(q.x()), static_cast<float>(q.y()), static_cast<float>(q.z()), static_cast<float>(q.w())};
}

/// The recorded poses that the file plays.
struct PlayedMotion {
  std::vector<float> times;
  std::vector<std::vector<float>> translations, rotations;  ///< by body
  Vec3 center = Vec3::Zero();                               ///< of a box about all bodies' origins, m
  double radius = 1;                                        ///< of a ball about it

  bool take(double time, const std::vector<BodyMotion>& bodies) {
    if (!times.empty() && !(static_cast<float>(time) > times.back())) return false;
    for (const BodyMotion& body : bodies) {
      if (!body.position.cast<float>().allFinite() || !body.orientation.coeffs().allFinite()) return false;
    }
    times.push_back(static_cast<float>(time));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      for (const double x : bodies[i].position) translations[i].push_back(static_cast<float>(x));
      std::array<float, 4> q = quaternion(bodies[i].orientation);
      // The sign is the one nearer to the quaternion before, so that readers go the shorter way.
      const std::vector<float>& before = rotations[i];
      float product = 0;
      for (std::size_t k = 0; k < 4 && !before.empty(); ++k) product += q[k] * before[before.size() - 4 + k];
      for (const float x : q) rotations[i].push_back(product < 0 ? -x : x);
    }
    return true;
  }
};

PlayedMotion motion_of(const Record& record) {
  const Model& model = *record.scene.model;
  PlayedMotion motion;
  motion.translations.resize(model.bodies().size());
  motion.rotations.resize(model.bodies().size());
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Frame& frame : record.frames) {
    const std::vector<BodyMotion> bodies = body_motions(model, frame.state);
    if (!motion.take(frame.state.time, bodies)) continue;
    for (const BodyMotion& body : bodies) {
      low = low.cwiseMin(body.position);
      high = high.cwiseMax(body.position);
    }
  }
  if (low.allFinite()) {
    motion.center = 0.5 * (low + high);
    motion.radius = std::max(1.0, (high - low).norm());
  }
  return motion;
}

/// A material of an sRGB colour, which glTF has in linear intensities.
Json material(const std::string& name, const Rgba& srgb) {
  Json factor = Json::array();
  for (std::size_t k = 0; k < 3; ++k) {
    factor.push_back(srgb[k] <= 0.04045 ? srgb[k] / 12.92 : std::pow((srgb[k] + 0.055) / 1.055, 2.4));
  }
  factor.push_back(srgb[3]);
  Json made{{"name", name},
            {"pbrMetallicRoughness", {{"baseColorFactor", factor}, {"metallicFactor", 0}, {"roughnessFactor", 0.8}}},
            {"doubleSided", true}};
  if (srgb[3] < 1) made["alphaMode"] = "BLEND";
  return made;
}

/// A colour of the page's palette (player/src/report.css).
Rgba palette_color(std::uint32_t srgb) {
  Rgba color{0, 0, 0, 1};
  for (std::size_t k = 0; k < 3; ++k) color[k] = static_cast<double>(srgb >> (16 - 8 * k) & 0xff) / 255;
  return color;
}

/// Builds the document part after part.
class Document {
 public:
  explicit Document(const Record& record)
      : record_(record),
        model_(*record.scene.model),
        appearance_(with_surfaces(record.scene.appearance)),
        motion_(motion_of(record)) {
    add_materials();
    add_bodies();
    add_shapes();
    add_animation();
  }

  const std::vector<std::uint8_t>& bytes() const { return buffer_.bytes; }

  /// `uri`: of the buffer, empty for that of a binary file.
  Json json(const std::string& uri) const {
    Json document{{"asset", {{"version", "2.0"}, {"generator", "Carom " CAROM_VERSION}}},
                  {"scene", 0},
                  {"scenes", Json::array({{{"name", record_.scene.name}, {"nodes", Json::array({0})}}})},
                  {"nodes", nodes_},
                  {"materials", materials_}};
    if (!meshes_.empty()) document["meshes"] = meshes_;
    if (!animations_.empty()) document["animations"] = animations_;
    if (buffer_.bytes.empty()) return document;
    Json buffer{{"byteLength", buffer_.bytes.size()}};
    if (!uri.empty()) buffer["uri"] = uri;
    document["accessors"] = buffer_.accessors;
    document["bufferViews"] = buffer_.views;
    document["buffers"] = Json::array({std::move(buffer)});
    return document;
  }

 private:
  void add_materials() {
    constexpr std::uint32_t palette[] = {0x2f6db3, 0xc8702a, 0x2f8f6b, 0xa3456f,
                                         0x7a6bb8, 0x8b7a1e, 0x3a8fa6, 0x6b6f76};
    materials_.push_back(material("world", palette_color(0xb9c0c4)));
    for (const std::uint32_t color : palette) {
      materials_.push_back(material("color " + std::to_string(materials_.size() - 1), palette_color(color)));
    }
    body_materials_ = std::size(palette);
  }
  std::size_t material_of(int body) const {
    return body < 0 ? 0 : 1 + static_cast<std::size_t>(body) % body_materials_;
  }
  std::size_t material_of(const Visual& visual) {
    if (!visual.color) return material_of(visual.body);
    const auto [place, is_new] = colors_.try_emplace(*visual.color, materials_.size());
    if (is_new) materials_.push_back(material("visual " + std::to_string(colors_.size()), *visual.color));
    return place->second;
  }

  /// Node 0 turns about x by −90°; body i is node 1 + i.
  void add_bodies() {
    const double half = std::numbers::sqrt2 / 2;
    nodes_.push_back({{"name", record_.scene.name}, {"rotation", {-half, 0, 0, half}}});
    for (std::size_t i = 0; i < model_.bodies().size(); ++i) {
      const std::vector<float>&t = motion_.translations[i], &r = motion_.rotations[i];
      Json node{{"name", model_.bodies()[i].name}};
      if (!t.empty()) {
        node["translation"] = {t[0], t[1], t[2]};
        node["rotation"] = {r[0], r[1], r[2], r[3]};
      }
      nodes_.push_back(std::move(node));
      nodes_[0]["children"].push_back(1 + i);
    }
  }

  void add_shapes() {
    const std::vector<std::string> names = collider_names(model_);
    const std::set<int> hidden = hidden_colliders(model_, appearance_);
    for (std::size_t i = 0; i < model_.colliders().size(); ++i) {
      if (hidden.contains(static_cast<int>(i))) continue;
      const Collider& collider = model_.colliders()[i];
      Transform X = collider.X_BS;
      if (std::holds_alternative<HalfSpace>(collider.shape)) {
        // The square lies below the motion's middle.
        const Vec3 up = X.R.col(2);
        X.p = motion_.center - up.dot(motion_.center - X.p) * up;
      }
      add_shape(names[i], collider.body, X,
                mesh_of(shape_name(collider.shape), drawn(collider.shape), material_of(collider.body)));
    }
    for (const Visual& visual : appearance_.visuals) {
      if (!is_drawn(visual)) continue;
      add_shape(visual.name, visual.body, visual.X_BV, mesh_of(visual.name, surface_of(visual), material_of(visual)));
    }
  }

  void add_shape(const std::string& name, int body, const Transform& X, std::size_t mesh) {
    const std::array<float, 4> q = quaternion(Quaternion(X.R));
    const std::size_t parent = body < 0 ? 0 : 1 + static_cast<std::size_t>(body);
    nodes_[parent]["children"].push_back(nodes_.size());
    nodes_.push_back({{"name", name},
                      {"mesh", mesh},
                      {"translation", {X.p.x(), X.p.y(), X.p.z()}},
                      {"rotation", {q[0], q[1], q[2], q[3]}}});
  }

  /// Shapes of the same numbers and colour share a mesh.
  std::size_t mesh_of(const std::string& name, const Surface& surface, std::size_t material) {
    const std::vector<float> points = floats_of(surface.points);
    const auto [place, is_new] = known_.try_emplace({points, material}, meshes_.size());
    if (!is_new) return place->second;
    const std::size_t position = buffer_.add_floats(points, 3, true, vertex_target),
                      normal = buffer_.add_floats(floats_of(surface.normals), 3, false, vertex_target),
                      indices = buffer_.add_indices(surface.triangles);
    Json primitive{
        {"attributes", {{"POSITION", position}, {"NORMAL", normal}}}, {"indices", indices}, {"material", material}};
    meshes_.push_back({{"name", name}, {"primitives", Json::array({std::move(primitive)})}});
    return meshes_.size() - 1;
  }

  Surface drawn(const Shape& shape) const {
    if (!std::holds_alternative<HalfSpace>(shape)) return surface_of(shape);
    const double side = 2 * motion_.radius;
    Surface square;
    square.points = {{-side, -side, 0}, {side, -side, 0}, {side, side, 0}, {-side, side, 0}};
    square.normals.assign(4, Vec3::UnitZ());
    square.triangles = {0, 1, 2, 0, 2, 3};
    return square;
  }

  void add_animation() {
    Json samplers = Json::array(), channels = Json::array();
    std::size_t times = 0;
    for (int body = 0; body < model_.body_count(); ++body) {
      if (model_.is_static(body) || motion_.times.empty()) continue;
      if (samplers.empty()) times = buffer_.add_floats(motion_.times, 1, true);
      const auto add = [&](const char* what, const std::vector<float>& numbers, std::size_t width) {
        channels.push_back({{"sampler", samplers.size()}, {"target", {{"node", body + 1}, {"path", what}}}});
        samplers.push_back(
            {{"input", times}, {"output", buffer_.add_floats(numbers, width, false)}, {"interpolation", "LINEAR"}});
      };
      add("translation", motion_.translations[static_cast<std::size_t>(body)], 3);
      add("rotation", motion_.rotations[static_cast<std::size_t>(body)], 4);
    }
    if (channels.empty()) return;
    animations_.push_back({{"name", "motion"}, {"samplers", std::move(samplers)}, {"channels", std::move(channels)}});
  }

  const Record& record_;
  const Model& model_;
  Appearance appearance_;
  std::size_t body_materials_ = 0;
  std::map<Rgba, std::size_t> colors_;  // of visuals
  PlayedMotion motion_;
  Buffer buffer_;
  Json nodes_ = Json::array(), materials_ = Json::array(), meshes_ = Json::array(), animations_ = Json::array();
  std::map<std::pair<std::vector<float>, std::size_t>, std::size_t> known_;
};

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string gltf_text(const Record& record) {
  const Document document(record);
  return text_of(document.json("data:application/octet-stream;base64," + base64_bytes(document.bytes()))) + "\n";
}

std::string gltf_binary(const Record& record) {
  const Document document(record);
  std::string json = text_of(document.json(""));
  json.resize((json.size() + 3) / 4 * 4, ' ');
  // Every number has four bytes, so the second chunk needs no filling.
  const std::vector<std::uint8_t>& numbers = document.bytes();
  std::vector<std::uint8_t> head;
  const std::size_t size = 12 + 8 + json.size() + (numbers.empty() ? 0 : 8 + numbers.size());
  if (size > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(
        fmt::format("{}: its motion takes {} bytes, and a .glb file holds 4 GiB at most; record fewer instants "
                    "(record: {{every: N}})",
                    record.path, size));
  }
  for (const std::uint32_t word : {magic, std::uint32_t{2}, static_cast<std::uint32_t>(size),
                                   static_cast<std::uint32_t>(json.size()), json_chunk}) {
    append_word(head, word);
  }
  std::string file(head.begin(), head.end());
  file += json;
  if (numbers.empty()) return file;
  head.clear();
  append_word(head, static_cast<std::uint32_t>(numbers.size()));
  append_word(head, binary_chunk);
  file.append(head.begin(), head.end());
  file.append(numbers.begin(), numbers.end());
  return file;
}

}  // namespace carom
