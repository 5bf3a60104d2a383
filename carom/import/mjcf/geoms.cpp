#include <cmath>

#include "carom/import/mjcf/reader.h"
#include "carom/import/visual_shape.h"

namespace carom::mjcf {
namespace {

/// Sizes that a type needs.
int size_count(const std::string& type) {
  if (type == "sphere") return 1;
  if (type == "capsule" || type == "cylinder") return 2;
  return type == "plane" ? 0 : 3;
}

Shape shape_of(const std::string& type, const VectorX& size) {
  if (type == "sphere") return Sphere{size[0]};
  if (type == "capsule") return Capsule{size[0], size[1]};
  if (type == "cylinder") return Cylinder{size[0], size[1]};
  if (type == "box") return Box{size.head<3>()};
  if (type == "ellipsoid") return Ellipsoid{size.head<3>()};
  return HalfSpace{};
}

class GeomReader {
 public:
  GeomReader(XmlNode& node, const std::string& childclass, bool needs_inertia, Reader& reader)
      : reader_(reader),
        faults_(reader.faults),
        element_(reader.defaults.element(node, childclass, {"geom"}, reader.faults)),
        needs_inertia_(needs_inertia) {
    geom_.node = &node;
    geom_.name = element_.name();
  }

  std::optional<Geom> read(const Transform& X_BE) {
    read_contact();
    const std::string type = element_.choice(
        faults_, "type", {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"},
        "sphere");
    const bool collides = geom_.contype != 0 || geom_.conaffinity != 0;
    geom_.group = element_.integer(faults_, "group", 0);
    const bool weighed = needs_inertia_ && geom_.group >= reader_.compiler.least_group &&
                         geom_.group <= reader_.compiler.greatest_group && type != "plane" && type != "hfield";
    const auto mass = read_mass();
    geom_.has_inertia = weighed && mass.value > 0;
    const Transform X_EG = read_pose(element_, reader_.compiler, faults_);
    const bool sound = type == "mesh" ? read_mesh(collides) : read_primitive(type, X_EG, collides);
    geom_.X_BG = X_BE * (spans_ ? X_EG_ : X_EG);
    if (!sound && (collides || geom_.has_inertia)) return {};
    geom_.visual = read_visual(element_, drawn_shape(type, sound), reader_);
    if (geom_.visual) geom_.visual->X_BV = geom_.X_BG;
    if (geom_.has_inertia) weigh(mass);
    if (!collides && !geom_.has_inertia && !geom_.visual) return {};
    return geom_;
  }

 private:
  struct Mass {
    double value = 0;  ///< kg, or kg/m³ if it is a density
    bool is_density = false;
  };

  void fault(const std::string& text) { faults_.add(element_.node(), "<geom> " + text); }

  void read_contact() {
    geom_.contype = element_.integer(faults_, "contype", 1);
    geom_.conaffinity = element_.integer(faults_, "conaffinity", 1);
    geom_.condim = element_.integer(faults_, "condim", 3);
    geom_.priority = element_.integer(faults_, "priority", 0);
    if (geom_.condim != 1 && geom_.condim != 3 && geom_.condim != 4 && geom_.condim != 6) {
      fault("has condim " + std::to_string(geom_.condim) + "; it may be 1, 3, 4 or 6");
    }
    if (const auto friction = element_.numbers(faults_, "friction", 1, 3)) {
      geom_.friction = (*friction)[0];
      if (friction->minCoeff() < 0) fault("has a negative friction coefficient; give one from 0 on");
    }
    if (geom_.contype == 0 && geom_.conaffinity == 0) return;
    const auto conveys = element_.numbers(faults_, "surfacevel", 1, 6);
    if (conveys && !conveys->isZero(0)) fault("has surfacevel, a surface that runs like a belt; shapes here have none");
    if (element_.number(faults_, "adhesion", 0) != 0) fault("has adhesion, which contacts here do not have");
  }

  Mass read_mass() {
    const double density = element_.number(faults_, "density", 1000);
    const double mass = element_.number(faults_, "mass", -1);
    if (density < 0 || (element_.level("mass") >= 0 && mass < 0)) fault("has a negative mass or density");
    if (element_.flag(faults_, "shellinertia", false) && needs_inertia_) {
      fault("has shellinertia=\"true\", but bodies are solid here; give the body an <inertial>");
    }
    return mass >= 0 ? Mass{mass, false} : Mass{density, true};
  }

  bool read_mesh(bool collides) {
    const std::string* name = element_.text("mesh");
    if (element_.has("fromto")) fault("has fromto, which a mesh cannot have");
    if (!name) {
      fault("is of type \"mesh\", but names none; say mesh=\"…\"");
      return false;
    }
    if (!collides && !geom_.has_inertia) return false;  // only to be looked at: its file may be missing
    const Mesh* mesh = find_mesh(element_.node(), *name, reader_);
    if (!mesh) return false;
    geom_.shape = ConvexMesh{mesh->hull};
    geom_.concave = !mesh->convex;
    return true;
  }

  bool read_height_field(bool collides) {
    const std::string* name = element_.text("hfield");
    if (!collides) return false;
    if (!name) {
      fault("is of type \"hfield\", but names none; say hfield=\"…\"");
      return false;
    }
    const auto grid = find_height_field(element_.node(), *name, reader_);
    if (grid) geom_.shape = HeightField{grid};
    return grid != nullptr;
  }

  bool read_primitive(const std::string& type, const Transform& X_EG, bool collides) {
    if (type == "hfield") return read_height_field(collides);
    if (type == "sdf") {
      if (collides || geom_.has_inertia) fault("is of type \"" + type + "\", which Carom does not have as a shape");
      return false;
    }
    if (element_.has("mesh")) {
      fault("names a mesh, but is of type \"" + type +
            "\": shapes are not fitted to meshes here; say type=\"mesh\", or " + "give the sizes alone");
      return false;
    }
    const auto given = element_.numbers(faults_, "size", 1, 3);
    VectorX size = VectorX::Zero(3);
    if (given) size.head(given->size()) = *given;
    if (type == "plane") {
      geom_.shape = HalfSpace{};
      return true;
    }
    spans_ = element_.has("fromto");
    if (spans_ && !read_span(type, X_EG, size)) return false;
    const int said = given ? static_cast<int>(given->size()) : 0, needed = spans_ ? 1 : size_count(type);
    if (said < needed) {
      fault("of type \"" + type + "\" needs " + std::to_string(needed) + (needed == 1 ? " number" : " numbers") +
            " in size, but has " + std::to_string(said));
      return false;
    }
    if (size.head(size_count(type)).minCoeff() == 0) {
      fault("of type \"" + type + "\" has a size of 0; every size must be positive");
      return false;
    }
    geom_.shape = shape_of(type, size);
    const std::string wrong = shape_fault(geom_.shape);
    if (!wrong.empty()) fault("of type \"" + type + "\" " + wrong);
    return wrong.empty();
  }

  /// The z axis lies along the points; the first size holds for both others.
  bool read_span(const std::string& type, const Transform& X_EG, VectorX& size) {
    const auto ends = element_.numbers(faults_, "fromto", 6, 6);
    if (!ends) return false;
    if (type == "sphere") {
      fault("of type \"" + type +
            "\" has fromto; only capsules, cylinders, boxes and ellipsoids lie between two points");
      return false;
    }
    if (X_EG.p != Vec3::Zero()) {
      fault("has both fromto and pos; fromto alone says where it is");
      return false;
    }
    const Vec3 from = ends->head<3>(), to = ends->tail<3>();
    const double length = (from - to).norm();
    if (!(length > 1e-14)) {
      fault("has fromto with twice the same point; the two must differ");
      return false;
    }
    X_EG_ = {rotation_of_z(from - to), 0.5 * (from + to)};
    const int last = size_count(type) - 1;
    if (last == 2) size[1] = size[0];
    size[last] = 0.5 * length;
    return true;
  }

  std::optional<VisualShape> drawn_shape(const std::string& type, bool sound) {
    if (geom_.group > last_drawn_group) return {};
    const std::string* mesh = type == "mesh" ? element_.text("mesh") : nullptr;
    if (mesh) return drawn_mesh(element_.node(), *mesh, reader_);
    return sound ? visual_shape(geom_.shape) : std::nullopt;
  }

  void weigh(const Mass& mass) {
    if (geom_.concave) {
      faults_.add(
          element_.node(),
          "the body's inertia would come from a mesh that is not convex, of which Carom knows the hull alone; give "
          "the body an <inertial>, or the mesh inertia=\"convex\" if the hull is meant");
      geom_.has_inertia = false;
      return;
    }
    const double volume = shape_inertia(geom_.shape, 1).mass;
    const double density = mass.is_density ? mass.value : mass.value / volume;
    geom_.inertia = shape_inertia(geom_.shape, density).in(geom_.X_BG);
  }

  Reader& reader_;
  XmlFaults& faults_;
  Element element_;
  bool needs_inertia_;
  bool spans_ = false;
  Transform X_EG_;  // of fromto
  Geom geom_;
};

}  // namespace

std::optional<Geom> read_geom(XmlNode& node, const std::string& childclass, const Transform& X_BE, bool needs_inertia,
                              Reader& reader) {
  return GeomReader(node, childclass, needs_inertia, reader).read(X_BE);
}

}  // namespace carom::mjcf
