#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "carom/geometry/implicit/implicit_solid.h"
#include "carom/record/curve.h"
#include "carom/record/player_data.h"
#include "carom/record/surface.h"
#include "carom/record/visuals.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

Json vector_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

Json pose_json(const Transform& X) {
  const Quaternion q(X.R);
  return {X.p.x(), X.p.y(), X.p.z(), q.w(), q.x(), q.y(), q.z()};
}

/// Corners and triangles of a polyhedron; a face is a fan about its first corner.
Json mesh_json(const Polyhedron& polyhedron) {
  std::vector<double> vertices, triangles;
  for (const Vec3& vertex : polyhedron.vertices) vertices.insert(vertices.end(), vertex.begin(), vertex.end());
  for (const Polyhedron::Face& face : polyhedron.faces) {
    for (std::size_t k = 2; k < face.vertices.size(); ++k) {
      for (std::size_t corner : {std::size_t{0}, k - 1, k}) triangles.push_back(face.vertices[corner]);
    }
  }
  return {{"vertices", base64(vertices)}, {"triangles", base64(triangles)}};
}

Json surface_json(const TriangleMesh& mesh) {
  std::vector<double> vertices;
  vertices.reserve(3 * mesh.vertices.size());
  for (const Vec3& vertex : mesh.vertices) vertices.insert(vertices.end(), vertex.begin(), vertex.end());
  return {{"vertices", base64(vertices)}, {"triangles", base64({mesh.triangles.begin(), mesh.triangles.end()})}};
}

/// Every k-th sample each way of a large grid.
Json grid_json(const HeightGrid& grid) {
  constexpr int largest = 250000;
  int k = 1;
  while ((grid.nx() / k) * (grid.ny() / k) > largest) ++k;
  const int nx = (grid.nx() - 1) / k + 1, ny = (grid.ny() - 1) / k + 1;
  std::vector<double> heights;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) heights.push_back(grid.point(i * k + grid.nx() * j * k).z());
  }
  // The first sample lies at the grid's corner, whatever was left out at the far edges.
  return {{"nx", nx},
          {"ny", ny},
          {"spacing", {k * grid.spacing().x(), k * grid.spacing().y()}},
          {"corner", {-grid.half_size().x(), -grid.half_size().y()}},
          {"heights", base64(heights)}};
}

/// Writes the numbers of a shape's own; meshes and grids go into lists, each once.
class ShapeWriter {
 public:
  Json meshes = Json::array(), grids = Json::array();

  Json shape_json(const Collider& collider) {
    shape_ = {{"body", collider.body},
              {"name", collider.name},
              {"type", shape_name(collider.shape)},
              {"pose", pose_json(collider.X_BS)}};
    std::visit(*this, collider.shape);
    return shape_;
  }
  Json visual_json(const Visual& visual) {
    const auto* mesh = std::get_if<VisualMesh>(&visual.shape);
    shape_ = {{"body", visual.body}, {"name", visual.name}, {"type", mesh != nullptr ? "mesh" : ""}};
    std::visit(
        [&](const auto& shape) {
          if constexpr (std::is_convertible_v<decltype(shape), Shape>) shape_["type"] = shape_name(shape);
        },
        visual.shape);
    shape_["pose"] = pose_json(visual.X_BV);
    shape_["color"] = visual.color ? Json(*visual.color) : Json();
    std::visit(*this, visual.shape);
    return shape_;
  }
  void operator()(const VisualMesh& mesh) { shape_["mesh"] = shared(mesh.surface.get(), meshes, surface_json); }
  void operator()(const Sphere& sphere) { shape_["radius"] = sphere.radius; }
  void operator()(const Box& box) { shape_["half_extents"] = vector_json(box.half_extents); }
  void operator()(const Capsule& capsule) { set_round(capsule.radius, capsule.half_length); }
  void operator()(const HalfSpace&) {}
  void operator()(const Cylinder& cylinder) { set_round(cylinder.radius, cylinder.half_length); }
  void operator()(const Ellipsoid& ellipsoid) { shape_["semi_axes"] = vector_json(ellipsoid.semi_axes); }
  void operator()(const ConvexMesh& mesh) { shape_["mesh"] = shared(mesh.polyhedron.get(), meshes, mesh_json); }
  void operator()(const Cone& cone) { shape_["mesh"] = added(support_hull(cone)); }
  void operator()(const Superquadric& solid) { shape_["mesh"] = added(support_hull(solid)); }
  void operator()(const RoundedPolytope& rounded) { shape_["mesh"] = added(support_hull(rounded)); }
  void operator()(const ImplicitShape& implicit) {
    shape_["mesh"] = shared(implicit.solid->hull.get(), meshes, mesh_json);
  }
  void operator()(const HeightField& field) { shape_["grid"] = shared(field.grid.get(), grids, grid_json); }

 private:
  std::size_t added(const Polyhedron& hull) {
    meshes.push_back(mesh_json(hull));
    return meshes.size() - 1;
  }
  void set_round(double radius, double half_length) {
    shape_["radius"] = radius;
    shape_["half_length"] = half_length;
  }
  template <class Part>
  std::size_t shared(const Part* part, Json& list, Json (*write)(const Part&)) {
    const auto [place, is_new] = numbers_.try_emplace(part, list.size());
    if (is_new) list.push_back(write(*part));
    return place->second;
  }
  Json shape_;
  std::map<const void*, std::size_t> numbers_;
};

/// True if a body's shapes show its place: it has one alone, or one that holds its centre of mass.
bool is_seen(const Model& model, int body) {
  int count = 0;
  bool holds = false;
  for (const Collider& collider : model.colliders()) {
    if (collider.body != body) continue;
    ++count;
    const Vec3& center = model.bodies()[static_cast<std::size_t>(body)].inertia.center;
    holds = holds || (collider.X_BS.p - center).norm() <= bounding_radius(collider.shape);
  }
  return count == 1 || holds;
}

/// Bodies that are not seen are drawn as lines from their centre of mass to their shapes and the joints on them.
/// Those of bodies that visuals show are behind.
Json links_json(const Model& model, const std::set<int>& shown) {
  std::vector<char> seen;
  seen.reserve(model.bodies().size());
  for (int body = 0; body < model.body_count(); ++body) seen.push_back(is_seen(model, body) ? 1 : 0);
  Json links = Json::array();
  const auto add = [&](int body, const Vec3& end) {
    if (body < 0 || seen[static_cast<std::size_t>(body)]) return;
    const Vec3& center = model.bodies()[static_cast<std::size_t>(body)].inertia.center;
    links.push_back({{"body", body}, {"from", vector_json(center)}, {"to", vector_json(end)}});
    if (shown.contains(body)) links.back()["behind"] = true;
  };
  for (const Collider& collider : model.colliders()) add(collider.body, collider.X_BS.p);
  for (int body = 0; body < model.body_count(); ++body) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(body)];
    add(body,
        joint.type == JointType::free ? model.bodies()[static_cast<std::size_t>(body)].inertia.center : joint.X_BM.p);
    if (joint.type != JointType::free) add(joint.parent, joint.X_PF.p);
  }
  for (const Constraint& constraint : model.constraints()) {
    if (is_of_coordinates(constraint.kind)) continue;
    add(constraint.body_a, constraint.X_AF.p);
    if (!constraint.path.moves) add(constraint.body_b, constraint.X_BG.p);
  }
  return links;
}

/// Rods, ropes and springs whose ends stay where they are in their bodies.
Json ties_json(const Model& model) {
  Json ties = Json::array();
  for (const Constraint& constraint : model.constraints()) {
    const bool drawn = constraint.kind == ConstraintKind::rod || constraint.kind == ConstraintKind::rope ||
                       constraint.kind == ConstraintKind::spring;
    if (!drawn || constraint.path.moves) continue;
    ties.push_back({{"name", constraint.name},
                    {"kind", constraint_name(constraint.kind)},
                    {"a", constraint.body_a},
                    {"b", constraint.body_b},
                    {"from", vector_json(constraint.X_AF.p)},
                    {"to", vector_json(constraint.X_BG.p)}});
  }
  return ties;
}

/// Discs that constraints let roll, and the planes of the world that they roll on.
void add_rolling(const Model& model, Json& shapes) {
  for (const Constraint& constraint : model.constraints()) {
    if (constraint.kind != ConstraintKind::rolling || constraint.path.moves) continue;
    shapes.push_back({{"body", constraint.body_a},
                      {"name", constraint.name},
                      {"type", "cylinder"},
                      {"pose", pose_json(constraint.X_AF)},
                      {"radius", constraint.radius},
                      {"half_length", 0.03 * constraint.radius}});
    if (constraint.body_b >= 0) continue;
    shapes.push_back(
        {{"body", -1}, {"name", constraint.name}, {"type", "half-space"}, {"pose", pose_json(constraint.X_BG)}});
  }
}

}  // namespace

Json player_geometry(const Model& model, const Appearance& appearance) {
  Json bodies = Json::array(), shapes = Json::array();
  for (int body = 0; body < model.body_count(); ++body) {
    const Body& one = model.bodies()[static_cast<std::size_t>(body)];
    bodies.push_back(
        {{"name", one.name}, {"moves", !model.is_static(body)}, {"center", vector_json(one.inertia.center)}});
  }
  ShapeWriter writer;
  for (const Collider& collider : model.colliders()) shapes.push_back(writer.shape_json(collider));
  add_rolling(model, shapes);
  for (const int collider : hidden_colliders(model, appearance)) {
    shapes[static_cast<std::size_t>(collider)]["behind"] = true;
  }
  Json visuals = Json::array();
  for (const Visual& visual : appearance.visuals) {
    if (is_drawn(visual)) visuals.push_back(writer.visual_json(visual));
  }
  return {{"bodies", std::move(bodies)},
          {"shapes", std::move(shapes)},
          {"visuals", std::move(visuals)},
          {"notes", appearance.notes},
          {"meshes", std::move(writer.meshes)},
          {"grids", std::move(writer.grids)},
          {"links", links_json(model, shown_bodies(appearance))},
          {"ties", ties_json(model)}};
}

}  // namespace carom
