#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "carom/geometry/shape.h"

// Pictures of a mechanism beside the shapes that collide. Nothing here bears on the motion, so a Model has none of it.
namespace carom {

/// Red, green, blue and opacity, each from 0 to 1, as sRGB values.
using Rgba = std::array<double, 4>;

/// A surface that is drawn; visuals share it.
struct TriangleMesh {
  std::vector<Vec3> vertices;            ///< m, in the visual's frame
  std::vector<std::uint32_t> triangles;  ///< three vertices each, anticlockwise seen from outside
};

/// The surface in a mesh file: a point p of the file is at M p + t of the visual's frame.
struct VisualMesh {
  std::string file;
  Mat3 M = Mat3::Identity();
  Vec3 t = Vec3::Zero();
  std::shared_ptr<const TriangleMesh> surface = nullptr;  ///< null until the file is opened (record/visual_meshes.h)
};

using VisualShape = std::variant<Sphere, Box, Capsule, Cylinder, Ellipsoid, VisualMesh>;

/// Something that is drawn on a body and touches nothing.
struct Visual {
  std::string name;
  int body = -1;  ///< −1: the world
  Transform X_BV;
  VisualShape shape;
  std::optional<Rgba> color = std::nullopt;  ///< none: the mesh file's own, else the body's on the page
};

/// Everything that is drawn of a scene and is no collider.
struct Appearance {
  std::vector<Visual> visuals;
  std::vector<int> behind;         ///< colliders of the model that the visuals of their body stand for, ascending
  std::vector<std::string> notes;  ///< what is drawn otherwise than its files have it, a sentence each
};

}  // namespace carom
