#include "carom/import/sdf_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/import/height_samples.h"
#include "carom/import/mesh_file.h"

namespace carom {
namespace {

using Placed = std::optional<std::pair<Shape, Transform>>;

/// The child as so many positive numbers. The format has defaults for them, which nobody means.
std::optional<VectorX> positive(const SdfPlace& shape, const std::string& child, int count) {
  if (!first(shape, child).node) {
    shape.fault("<" + shape.node->name + "> has no <" + child + ">; it needs one");
    return {};
  }
  auto values = read_numbers(shape, child, count);
  if (values && values->minCoeff() <= 0) {
    first(shape, child)
        .fault("<" + child + "> of <" + shape.node->name + "> must be positive, but is \"" +
               first(shape, child).node->text + "\"");
    return {};
  }
  return values;
}

Placed read_box(const SdfPlace& shape) {
  const auto size = positive(shape, "size", 3);
  if (!size) return {};
  return {{Box{*size / 2}, {}}};
}

Placed read_sphere(const SdfPlace& shape) {
  const auto radius = positive(shape, "radius", 1);
  if (!radius) return {};
  return {{Sphere{(*radius)[0]}, {}}};
}

template <class Round>
Placed read_round(const SdfPlace& shape) {
  const auto radius = positive(shape, "radius", 1), length = positive(shape, "length", 1);
  if (!radius || !length) return {};
  return {{Round{(*radius)[0], (*length)[0] / 2}, {}}};
}

Placed read_ellipsoid(const SdfPlace& shape) {
  const auto radii = positive(shape, "radii", 3);
  if (!radii) return {};
  return {{Ellipsoid{*radii}, {}}};
}

Placed read_plane(const SdfPlace& shape) {
  if (const SdfPlace size = first(shape, "size"); size.node) size.node->ignore();
  if (!first(shape, "normal").node) return {{HalfSpace{}, {}}};  // z, by the format
  const auto normal = read_numbers(shape, "normal", 3);
  if (!normal) return {};
  if (normal->norm() == 0) {
    first(shape, "normal").fault("<normal> is zero; it needs a direction");
    return {};
  }
  return {{HalfSpace{}, {contact_frame(normal->normalized()), Vec3::Zero()}}};
}

/// The path that a <uri> stands for. What is not found is a fault, and then there is none.
std::optional<std::string> file_of(const SdfPlace& uri, const std::string& kind, const ImportOptions& options) {
  try {
    return resolve_path(uri.node->text, uri.file->path, options);
  } catch (const MissingFile& missing) {
    uri.file->faults.add_missing(*uri.node, "this " + kind + " is not found:", missing);
  } catch (const Error& error) {
    uri.fault("this " + kind + " is not found: " + error.what());
  }
  return {};
}

Placed read_mesh(const SdfPlace& shape, const ImportOptions& options, MeshSolids& solids) {
  const auto mesh = read_sdf_mesh(shape);
  const auto path = mesh ? file_of(mesh->uri, "mesh", options) : std::nullopt;
  if (!path) return {};
  try {
    return {{ConvexMesh{solids.hull(*path, mesh->choice, mesh->scale)}, {}}};
  } catch (const Error& error) {
    mesh->uri.fault("mesh \"" + *path + "\" " + error.what());
    return {};
  }
}

/// Gazebo's heights: black is at z = 0, the brightest sample at the third size. A negative third size turns it over:
/// black is then at z = 1 m, and the brightest so much below.
std::vector<double> heights_of(HeightSamples samples, double size) {
  const double brightest = *std::max_element(samples.values.begin(), samples.values.end());
  for (double& z : samples.values) {
    const double up = brightest > 0 ? z / brightest * std::abs(size) : 0;
    z = size < 0 ? 1 - up : up;
  }
  return std::move(samples.values);
}

Placed read_height_map(const SdfPlace& shape, const ImportOptions& options) {
  const SdfPlace uri = first(shape, "uri");
  if (!uri.node) {
    shape.fault("<heightmap> has no <uri>; it must name a PNG image");
    return {};
  }
  const auto size = first(shape, "size").node ? read_numbers(shape, "size", 3) : VectorX::Ones(3).eval();
  const auto offset = first(shape, "pos").node ? read_numbers(shape, "pos", 3) : VectorX::Zero(3).eval();
  if (!size || !offset) return {};
  if (!((*size)[0] > 0 && (*size)[1] > 0 && (*size)[2] != 0)) {
    first(shape, "size")
        .fault("<size> of <heightmap> must be two positive lengths and a height, which may be negative");
    return {};
  }
  const auto path = file_of(uri, "height map", options);
  if (!path) return {};
  try {
    HeightSamples samples = read_height_image(*path, ImageDepth::sixteen_bits);
    const int columns = samples.columns, rows = samples.rows;
    const Vec2 spacing((*size)[0] / (columns - 1), (*size)[1] / (rows - 1));
    auto heights = heights_of(std::move(samples), (*size)[2]);
    return {{HeightField{std::make_shared<const HeightGrid>(columns, rows, spacing, std::move(heights))},
             Transform{Mat3::Identity(), *offset}}};
  } catch (const Error& error) {
    uri.fault("height map \"" + *path + "\" " + error.what());
    return {};
  }
}

/// A coefficient of friction; `otherwise`, and a note, where it is not written.
double coefficient(const SdfPlace& ode, const std::string& child, std::vector<ImportNote>& notes) {
  if (!first(ode, child).node) {
    notes.push_back({ode.file->path, ode.line(), "<" + child + "> is not written: 1, the format's default"});
    return 1;
  }
  const double value = read_number(ode, child).value_or(1);
  if (value < 0)
    first(ode, child).fault("<" + child + "> is " + first(ode, child).node->text + "; it cannot be negative");
  return value;
}

void read_ode(const SdfPlace& ode, Material& material, std::vector<ImportNote>& notes) {
  material.friction = Vec2(coefficient(ode, "mu", notes), coefficient(ode, "mu2", notes));
  const SdfPlace direction = first(ode, "fdir1");
  const auto along = read_numbers(ode, "fdir1", 3);
  if (along && along->norm() > 0 && material.friction[0] != material.friction[1]) {
    direction.fault(
        "friction along a direction of the shape is not understood; leave out <fdir1>, or make <mu> and "
        "<mu2> equal");
  }
}

/// Drake's coefficients stand above the others. Sliding has the dynamic one; so has sticking, if that is the same.
void read_drake(const SdfPlace& collision, std::optional<Material>& material) {
  const SdfPlace properties = first(collision, "drake:proximity_properties");
  if (!properties.node) return;
  const SdfPlace static_friction = peek(properties, "drake:mu_static");
  auto mu = read_number(properties, "drake:mu_dynamic");
  if (!mu) {
    mu = read_number(properties, "drake:mu_static");
  } else if (static_friction.node && static_friction.node->text == first(properties, "drake:mu_dynamic").node->text) {
    first(properties, "drake:mu_static");
  }
  if (!mu) return;
  if (*mu < 0) properties.fault("the coefficient of friction is negative; it cannot be");
  if (!material) material.emplace();
  material->friction.setConstant(*mu);
}

std::optional<std::uint32_t> read_mask(const SdfPlace& contact, const std::string& child) {
  const auto value = read_number(contact, child);
  if (!value) return {};
  if (*value < 0 || *value > 0xffff || *value != std::floor(*value)) {
    first(contact, child)
        .fault("<" + child + "> is " + first(contact, child).node->text +
               "; it must be a whole number from 0 to 65535");
    return {};
  }
  return static_cast<std::uint32_t>(*value);
}

}  // namespace

std::optional<SdfMesh> read_sdf_mesh(const SdfPlace& shape) {
  const SdfPlace uri = first(shape, "uri");
  if (!uri.node) {
    shape.fault("<mesh> has no <uri>; it must name a file");
    return {};
  }
  Vec3 scale = Vec3::Ones();
  if (first(shape, "scale").node) {
    const auto given = read_numbers(shape, "scale", 3);
    if (!given) return {};
    scale = *given;
  }
  MeshChoice choice;
  if (const SdfPlace part = first(shape, "submesh"); part.node) {
    const SdfPlace name = first(part, "name");
    if (!name.node || name.node->text.empty()) {
      part.fault("<submesh> has no <name>; it must name a part of the mesh");
      return {};
    }
    choice = {name.node->text, read_flag(part, "center", false)};
  }
  return SdfMesh{uri, scale, choice};
}

Placed read_sdf_solid(const SdfPlace& shape) {
  const std::string& kind = shape.node->name;
  if (kind == "box") return read_box(shape);
  if (kind == "sphere") return read_sphere(shape);
  if (kind == "cylinder") return read_round<Cylinder>(shape);
  if (kind == "capsule") return read_round<Capsule>(shape);
  if (kind == "ellipsoid") return read_ellipsoid(shape);
  if (kind == "plane") return read_plane(shape);
  shape.fault("<" + kind +
              "> is no shape that can collide here; use a box, sphere, cylinder, capsule, ellipsoid, "
              "plane, mesh or heightmap");
  return {};
}

SdfPlace find_sdf_shape(const SdfPlace& holder) {
  const SdfPlace geometry = first(holder, "geometry");
  if (!geometry.node) {
    holder.fault("<" + holder.node->name + "> has no <geometry>; it needs one");
    return {holder.file, nullptr};
  }
  if (geometry.node->children.size() != 1) {
    geometry.fault("<geometry> holds " + std::to_string(geometry.node->children.size()) + " shapes; it needs one");
    return {holder.file, nullptr};
  }
  geometry.node->children.front().take();
  return {geometry.file, &geometry.node->children.front()};
}

Placed read_shape(const SdfPlace& collision, const ImportOptions& options, MeshSolids& solids) {
  const SdfPlace shape = find_sdf_shape(collision);
  if (!shape.node) return {};
  if (shape.node->name == "mesh") return read_mesh(shape, options, solids);
  if (shape.node->name == "heightmap") return read_height_map(shape, options);
  return read_sdf_solid(shape);
}

SdfSurface read_surface(const SdfPlace& collision, std::vector<ImportNote>& notes) {
  SdfSurface read;
  const SdfPlace surface = first(collision, "surface");
  const SdfPlace friction = first(surface, "friction"), bounce = first(surface, "bounce");
  const SdfPlace bullet = peek(friction, "bullet");
  if (const SdfPlace ode = first(friction, "ode"); ode.node) {
    read_ode(ode, read.material.emplace(), notes);
  } else if (bullet.node) {
    bullet.fault("<bullet> gives the friction for one engine; give it as <mu> and <mu2> of <ode>");
  }
  if (const auto restitution = read_number(bounce, "restitution_coefficient")) {
    if (!read.material) read.material.emplace().friction = Vec2::Ones();  // the format's default
    read.material->restitution = *restitution;
    if (*restitution < 0 || *restitution > 1) {
      first(bounce, "restitution_coefficient")
          .fault("<restitution_coefficient> must lie between 0 and 1, but is " +
                 first(bounce, "restitution_coefficient").node->text);
    }
  }
  if (const SdfPlace threshold = peek(bounce, "threshold"); threshold.node && threshold.node->text == "0") {
    threshold.node->take();
  }
  read_drake(collision, read.material);
  const SdfPlace contact = first(surface, "contact");
  if (!contact.node) return read;
  read.collide_mask = read_mask(contact, "collide_bitmask");
  read.category_mask = read_mask(contact, "category_bitmask");
  // A mask overrides the flag.
  if (peek(contact, "collide_without_contact").node) {
    read.makes_contact = !read_flag(contact, "collide_without_contact", false) || read.collide_mask.has_value();
  }
  return read;
}

}  // namespace carom
