#include "carom/import/sdf_inertia.h"

#include "carom/import/sdf_shapes.h"

namespace carom {
namespace {

constexpr double format_density = 1000;  // kg/m³

void warn(const SdfPlace& place, const std::string& text) { place.file->faults.warn(*place.node, text); }

double read_density(const SdfPlace& place, double otherwise) {
  const auto density = read_number(place, "density");
  if (!density) return otherwise;
  if (*density > 0) return *density;
  first(place, "density").fault("<density> must be positive");
  return otherwise;
}

/// The sum of the link's shapes.
SpatialInertia of_shapes(const SdfLink& link, const SdfPlace& inertial, const ImportOptions& options) {
  SpatialInertia sum;
  for (const char* said : {"mass", "inertia"}) {
    if (!peek(inertial, said).node) continue;
    peek(inertial, said)
        .fault("<" + std::string(said) + "> stands beside auto=\"true\", which computes it; remove one of the two");
  }
  if (link.collisions.empty()) inertial.fault("auto=\"true\" needs a <collision> of the link, and this has none");
  const double density = read_density(inertial, format_density);
  for (const SdfCollision& collision : link.collisions) {
    ImportOptions as_hulls = options;  // meshes are refused below
    as_hulls.meshes = MeshUse::hulls;
    MeshSolids solids(as_hulls);
    const auto shape = read_shape(collision.place, options, solids);
    if (!shape) continue;
    const bool is_solid = !is_ground(shape->first) && !std::holds_alternative<ConvexMesh>(shape->first);
    if (!is_solid) {
      collision.place.fault(
          "auto=\"true\" of <inertial> needs shapes whose solid is known, not a plane, a height map or a mesh; write "
          "its <mass> and <inertia>");
      continue;
    }
    const SpatialInertia part = shape_inertia(shape->first, read_density(collision.place, density));
    const SpatialInertia placed = part.in(collision.X_BS * shape->second);
    sum = sum.mass > 0 ? sum + placed : placed;
  }
  return sum;
}

void refuse_added_mass(const SdfPlace& inertial) {
  const SdfPlace added = first(inertial, "fluid_added_mass");
  if (!added.node) return;
  for (XmlNode& entry : added.node->children) {
    entry.take();
    if (entry.text.find_first_not_of("0.+- ") == std::string::npos) continue;
    added.fault("<fluid_added_mass> is that of a fluid, and there is none here; remove it");
    return;
  }
}

}  // namespace

SpatialInertia read_inertia(const SdfLink& link, const ImportOptions& options) {
  SpatialInertia inertia;
  const SdfPlace inertial = first(link.place, "inertial");
  if (!inertial.node) return inertia;
  refuse_added_mass(inertial);
  const std::string* automatic = inertial.node->attribute("auto");
  if (automatic && (*automatic == "true" || *automatic == "1")) return of_shapes(link, inertial, options);
  if (const SdfPlace pose = first(inertial, "pose"); pose.node) {
    for (const XmlNode::Attribute& a : pose.node->attributes) {
      if ((a.name != "relative_to" && a.name != "frame") || a.value.empty()) continue;
      pose.fault("the <pose> of <inertial> is always relative to the link; remove " + a.name);
    }
  }
  const Transform X_BC = read_pose(inertial);
  const SdfPlace matrix = first(inertial, "inertia");
  if (!first(inertial, "mass").node) warn(inertial, "<inertial> has no <mass>: 1 kg, the format's default");
  if (!matrix.node) {
    warn(inertial, "<inertial> has no <inertia>: moments of 1 kg m² about each axis, the format's default");
  }
  inertia.mass = read_number(inertial, "mass").value_or(1);
  if (inertia.mass < 0) {
    first(inertial, "mass").fault("<mass> is " + first(inertial, "mass").node->text + "; it cannot be negative");
  }
  const auto entry = [&](const char* name) {
    const bool is_moment = name[1] == name[2];
    if (is_moment && matrix.node && !first(matrix, name).node) {
      warn(matrix, "<inertia> has no <" + std::string(name) + ">: 1 kg m², the format's default");
    }
    return read_number(matrix, name).value_or(is_moment ? 1 : 0);
  };
  const double xx = entry("ixx"), yy = entry("iyy"), zz = entry("izz");
  const double xy = entry("ixy"), xz = entry("ixz"), yz = entry("iyz");
  inertia.central << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return inertia.in(X_BC);
}

}  // namespace carom
