#include "carom/scene/shapes.h"

#include <map>
#include <optional>
#include <set>

#include "carom/geometry/rounded_polytope.h"
#include "carom/import/mesh_file.h"
#include "carom/scene/height_field.h"
#include "carom/scene/restitutions.h"
#include "carom/scene/smooth_shapes.h"

namespace carom {
namespace {

const std::vector<std::string>& type_names() {
  static const std::vector<std::string> names{shape_name(Sphere{}),
                                              shape_name(Box{}),
                                              shape_name(Capsule{}),
                                              shape_name(HalfSpace{}),
                                              shape_name(Cylinder{}),
                                              shape_name(Ellipsoid{}),
                                              shape_name(ConvexMesh{}),
                                              shape_name(HeightField{}),
                                              shape_name(Cone{}),
                                              shape_name(Superquadric{}),
                                              shape_name(RoundedPolytope{}),
                                              shape_name(ImplicitShape{}),
                                              "parametric"};
  return names;
}
enum Type {
  sphere,
  box,
  capsule,
  half_space,
  cylinder,
  ellipsoid,
  mesh,
  heightfield,
  cone,
  superquadric,
  rounded,
  implicit,
  parametric
};

Fields shape_fields(const YamlNode& node, Type type, Diagnostics& diagnostics) {
  static const std::vector<std::vector<std::string>> own{
      {"radius"},
      {"half_extents", "size"},
      {"radius", "half_length", "length"},
      {"normal", "point"},
      {"radius", "half_length", "length"},
      {"semi_axes"},
      {"file", "scale", "vertices"},
      {"spacing", "heights", "file"},
      {"radius", "height", "tip_radius"},
      {"semi_axes", "exponents"},
      {"radius", "half_extents", "size", "file", "scale", "vertices"},
      {"inequalities", "inside"},
      {"x", "y", "z", "u", "v"}};
  std::vector<std::string> known{"type",   "name",          "material",      "position",          "orientation",
                                 "groups", "collides_with", "friction_axis", "restitution_change"};
  known.insert(known.end(), own[type].begin(), own[type].end());
  return Fields(node,
                (type == ellipsoid || type == implicit ? "an " : "a ") + type_names()[type] +
                    (type == rounded || type == implicit || type == parametric ? " shape" : ""),
                known, diagnostics);
}

std::optional<double> read_radius(Fields& fields, Range range, Diagnostics& diagnostics) {
  const YamlNode* node = fields.require("radius", "a length in m");
  if (!node) return {};
  return read_number(*node, "radius", quantity::length, range, diagnostics);
}

std::optional<Shape> read_box(Fields& fields, Diagnostics& diagnostics) {
  fields.exclude("half_extents", "size", "keep one: size is twice the half_extents");
  if (const YamlNode* size = fields.find("size")) {
    const auto whole = read_vector(*size, "size", quantity::length, Range::positive, diagnostics);
    if (!whole) return {};
    return Box{*whole / 2};
  }
  const YamlNode* node = fields.require("half_extents", "half the edges along x, y and z, m (or 'size', the whole)");
  if (!node) return {};
  const auto half = read_vector(*node, "half_extents", quantity::length, Range::positive, diagnostics);
  if (!half) return {};
  return Box{*half};
}

/// The radius and the half length of a capsule or cylinder; `end` says what the length reaches to.
template <class T>
std::optional<Shape> read_round(Fields& fields, const std::string& end, Diagnostics& diagnostics) {
  fields.exclude("half_length", "length", "keep one: length is twice the half_length");
  const auto radius = read_radius(fields, Range::positive, diagnostics);
  std::optional<double> half;
  if (const YamlNode* length = fields.find("length")) {
    half = read_number(*length, "length", quantity::length, Range::positive, diagnostics);
    if (half) half = *half / 2;
  } else if (const YamlNode* node = fields.require(
                 "half_length", "from the middle to " + end + ", m (or 'length', " + "from end to end)")) {
    half = read_number(*node, "half_length", quantity::length, Range::positive, diagnostics);
  }
  if (!radius || !half) return {};
  return T{*radius, *half};
}

/// One factor for all axes, or three.
Vec3 read_scale(const YamlNode& node, Diagnostics& diagnostics) {
  if (node.kind == YamlNode::Kind::list) {
    return read_vector(node, "scale", quantity::ratio, Range::positive, diagnostics).value_or(Vec3::Ones());
  }
  return Vec3::Constant(read_number(node, "scale", quantity::ratio, Range::positive, diagnostics).value_or(1));
}

/// The vertices under `vertices`, or those of the mesh file under `file`.
std::optional<std::vector<Vec3>> read_vertices(Fields& fields, Diagnostics& diagnostics) {
  fields.exclude("file", "vertices", "keep one");
  std::vector<Vec3> vertices;
  if (const YamlNode* list = fields.find("vertices")) {
    for (const YamlNode& node : read_list(*list, "vertices", "points, m", diagnostics)) {
      const auto vertex = read_vector(node, "vertex", quantity::length, Range::any, diagnostics);
      if (!vertex) return {};
      vertices.push_back(*vertex);
    }
    return vertices;
  }
  const YamlNode* node = fields.require("file", "an STL or OBJ file (or 'vertices', a list of points)");
  if (!node) return {};
  const auto file = read_text(*node, "file", diagnostics);
  if (!file) return {};
  try {
    return mesh_vertices(resolve_path(*file, diagnostics.file(node->place), {}));
  } catch (const Error& error) {
    diagnostics.add(node->place, in_quotes(*file) + ": " + error.what());
    return {};
  }
}

/// The convex hull of the vertices.
std::shared_ptr<const Polyhedron> read_polyhedron(Fields& fields, Diagnostics& diagnostics) {
  Vec3 scale = Vec3::Ones();
  if (const YamlNode* node = fields.find("scale")) scale = read_scale(*node, diagnostics);
  auto vertices = read_vertices(fields, diagnostics);
  if (!vertices) return {};
  for (Vec3& vertex : *vertices) vertex = vertex.cwiseProduct(scale);
  try {
    return std::make_shared<const Polyhedron>(convex_hull(*vertices));
  } catch (const Error& error) {
    diagnostics.add(fields.place("vertices"), std::string("this mesh is no solid: ") + error.what());
    return {};
  }
}

std::optional<Shape> read_mesh(Fields& fields, Diagnostics& diagnostics) {
  const auto polyhedron = read_polyhedron(fields, diagnostics);
  if (!polyhedron) return {};
  return ConvexMesh{polyhedron};
}

/// A box, by half_extents or size, or a mesh, and the radius around it.
std::optional<Shape> read_rounded(Fields& fields, Diagnostics& diagnostics) {
  const auto radius = read_radius(fields, Range::positive, diagnostics);
  RoundedPolytope rounded;
  if (fields.find("half_extents") || fields.find("size")) {
    for (const char* key : {"file", "vertices", "scale"}) {
      if (fields.find(key)) diagnostics.add(fields.place(key), "this rounded box takes no '" + std::string(key) + "'");
    }
    const auto core = read_box(fields, diagnostics);
    if (core) rounded.core = box_polyhedron(std::get<Box>(*core));
  } else if (fields.find("vertices") || fields.find("file")) {
    rounded.core = read_polyhedron(fields, diagnostics);
  } else {
    fields.require("half_extents", "of the box to be rounded, m (or 'size', or 'vertices' or a 'file' of a mesh)");
  }
  if (!radius || !rounded.core) return {};
  rounded.radius = *radius;
  return rounded;
}

std::optional<Shape> read_ellipsoid(Fields& fields, Diagnostics& diagnostics) {
  const YamlNode* node = fields.require("semi_axes", "half the widths along x, y and z, m");
  if (!node) return {};
  const auto axes = read_vector(*node, "semi_axes", quantity::length, Range::positive, diagnostics);
  if (!axes) return {};
  return Ellipsoid{*axes};
}

std::optional<Shape> read_geometry(Fields& fields, Type type, Diagnostics& diagnostics) {
  switch (type) {
    case sphere:
      if (const auto radius = read_radius(fields, Range::not_negative, diagnostics)) return Sphere{*radius};
      return {};
    case box:
      return read_box(fields, diagnostics);
    case capsule:
      return read_round<Capsule>(fields, "the centre of an end", diagnostics);
    case half_space:
      break;
    case cylinder:
      return read_round<Cylinder>(fields, "a cap", diagnostics);
    case ellipsoid:
      return read_ellipsoid(fields, diagnostics);
    case mesh:
      return read_mesh(fields, diagnostics);
    case heightfield:
      return read_height_field(fields, diagnostics);
    case cone:
      return read_cone(fields, diagnostics);
    case superquadric:
      return read_superquadric(fields, diagnostics);
    case rounded:
      return read_rounded(fields, diagnostics);
    case implicit:
      return read_implicit(fields, diagnostics);
    case parametric:
      return read_parametric(fields, diagnostics);
  }
  return HalfSpace{};
}

/// A half-space may be placed by a point of its surface and the outward normal there.
Transform read_shape_pose(const Fields& fields, Diagnostics& diagnostics) {
  const YamlNode* normal = fields.find("normal");
  const YamlNode* point = fields.find("point");
  if (!normal && !point) return read_pose(fields, diagnostics);
  for (const char* key : {"position", "orientation"}) {
    if (!fields.find(key)) continue;
    diagnostics.add(fields.place(key),
                    "a half-space is placed by normal and point, or by position and orientation; "
                    "keep one of the two ways");
  }
  Transform pose;
  if (point) pose.p = read_vector(*point, "point", quantity::length, Range::any, diagnostics).value_or(pose.p);
  if (normal) {
    if (const auto direction = read_direction(*normal, "normal", diagnostics)) pose.R = turn_z_to(*direction).R;
  }
  return pose;
}

/// The material named, or the only one there is.
int read_shape_material(Fields& fields, const SceneMaterials& materials, Diagnostics& diagnostics) {
  if (const YamlNode* node = fields.find("material")) {
    return read_material_reference(*node, "material", materials, diagnostics).value_or(0);
  }
  if (materials.complete && materials.materials.size() != 1) {
    fields.require("material", materials.materials.empty() ? "list one under the key 'materials' and name it here"
                                                           : "the name of one of the materials");
  }
  return 0;
}

std::optional<SceneShape> read_shape(const YamlNode& node, const SceneMaterials& materials,
                                     const CollisionGroups& groups, const GroupMasks& owned, Diagnostics& diagnostics) {
  const YamlNode* type_node = peek(node, "type");
  if (node.kind != YamlNode::Kind::map || !type_node) {
    diagnostics.add(node.place, "a shape must be a map with the key 'type', one of " + listed(type_names()));
    return {};
  }
  const auto choice = read_choice(*type_node, "shape type", type_names(), diagnostics);
  if (!choice) return {};
  Fields fields = shape_fields(node, static_cast<Type>(*choice), diagnostics);
  SceneShape read;
  read.place = node.place;
  if (const YamlNode* name = fields.find("name")) read.name = read_name(*name, "name", diagnostics).value_or("");
  read.X_BS = read_shape_pose(fields, diagnostics);
  read.material = read_shape_material(fields, materials, diagnostics);
  read.named = read_group_masks(fields, groups, owned, diagnostics);
  if (const YamlNode* axis = fields.find("friction_axis")) {
    read.friction_axis = read_direction(*axis, "friction_axis", diagnostics);
  }
  if (const YamlNode* change = fields.find("restitution_change")) {
    read.restitution_change = read_restitution_change(*change, diagnostics);
    read.change_place = change->place;
  }
  const auto geometry = read_geometry(fields, static_cast<Type>(*choice), diagnostics);
  if (!geometry) return {};
  read.shape = *geometry;
  if (const std::string fault = shape_fault(read.shape); !fault.empty()) {
    diagnostics.add(node.place, "this " + type_names()[*choice] + " " + fault);
    return {};
  }
  return read;
}

void name_shapes(std::vector<SceneShape>& shapes, const std::string& owner, Diagnostics& diagnostics) {
  std::set<std::string> taken;
  for (const SceneShape& shape : shapes) {
    if (shape.name.empty() || taken.insert(shape.name).second) continue;
    diagnostics.add(shape.place, "there are two shapes named " + in_quotes(shape.name) + " on " + in_quotes(owner) +
                                     "; give each its own name");
  }
  std::map<std::string, int> unnamed;
  for (const SceneShape& shape : shapes) unnamed[shape_name(shape.shape)] += shape.name.empty() ? 1 : 0;
  std::map<std::string, int> number;
  for (SceneShape& shape : shapes) {
    const std::string type = shape_name(shape.shape);
    while (shape.name.empty()) {
      const int i = ++number[type];
      const std::string name = unnamed[type] > 1 || i > 1 ? type + "-" + std::to_string(i) : type;
      if (taken.insert(name).second) shape.name = name;
    }
    shape.name = owner + "/" + shape.name;
  }
}

}  // namespace

std::vector<SceneShape> read_shapes(const YamlNode& list, const std::string& owner, const SceneMaterials& materials,
                                    const CollisionGroups& groups, const GroupMasks& owned, bool& complete,
                                    Diagnostics& diagnostics) {
  std::vector<SceneShape> shapes;
  complete = complete && list.kind == YamlNode::Kind::list;
  for (const YamlNode& node : read_list(list, "shapes", "shapes", diagnostics)) {
    if (auto shape = read_shape(node, materials, groups, owned, diagnostics)) {
      shapes.push_back(std::move(*shape));
    } else {
      complete = false;
    }
  }
  name_shapes(shapes, owner, diagnostics);
  return shapes;
}

}  // namespace carom
