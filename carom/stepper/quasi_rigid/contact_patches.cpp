#include "carom/stepper/quasi_rigid/contact_patches.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "carom/counted.h"
#include "carom/spatial/rotation.h"

namespace carom {
namespace {

constexpr double faces_plane = 0.55;  // cosine between a face that bears nodes and the plane, turned around
constexpr double same_face = 0.94;    // cosine between a contact's normal and the face that nodes are over
constexpr std::size_t most_nodes = 20000;

bool bears_nodes(const Shape& shape) {
  return std::holds_alternative<Box>(shape) || std::holds_alternative<Cylinder>(shape) ||
         std::holds_alternative<Cone>(shape) || polyhedron_of(shape) != nullptr;
}

bool has_face(const Shape& shape) { return bears_nodes(shape) || std::holds_alternative<HalfSpace>(shape); }

double spacing_of(const Model& model, int collider) {
  const auto& layer = model.materials()[model.colliders()[collider].material].layer;
  return layer ? layer->patch_spacing : 0;
}

/// The finer of the two, 0 of pairs without a patch.
double spacing_of(const Model& model, int a, int b) {
  const double of_a = spacing_of(model, a), of_b = spacing_of(model, b);
  if (of_a > 0 && of_b > 0) return std::min(of_a, of_b);
  return std::max(of_a, of_b);
}

/// The collider that bears the nodes of a pair a < b; −1 if neither can.
int carrier_of(const Model& model, int a, int b) {
  const Shape &A = model.colliders()[a].shape, &B = model.colliders()[b].shape;
  if (!bears_nodes(A) || !has_face(B)) return bears_nodes(B) && has_face(A) ? b : -1;
  return bears_nodes(B) && bounding_radius(B) < bounding_radius(A) ? b : a;
}

template <class F>
void for_each_patch(const Model& model, F&& f) {
  const int count = static_cast<int>(model.colliders().size());
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      const double spacing = spacing_of(model, a, b);
      if (spacing > 0 && model.may_collide(a, b)) f(a, b, spacing);
    }
  }
}

Transform pose_of(const Model& model, int collider, const std::vector<Transform>& X_WB) {
  const Collider& c = model.colliders()[collider];
  return c.body < 0 ? c.X_BS : X_WB[c.body] * c.X_BS;
}

enum class PatchFault { no_faces, point_beside, too_many };

/// Faults of patches, once for the material of the layer concerned, with the first pair of shapes that has the fault.
class PatchFaults {
 public:
  explicit PatchFaults(const Model& model) : model_(model) {}

  const std::optional<Layer>& layer(int collider) const {
    return model_.materials()[model_.colliders()[collider].material].layer;
  }
  bool has_patch(int collider) const { return layer(collider) && layer(collider)->patch_spacing > 0; }
  void add(PatchFault fault, int a, int b) {
    const int whose = has_patch(a) ? a : b;
    Found& found = found_[{model_.colliders()[whose].material, fault}];
    if (found.count++ == 0) found.pair = named(a) + " and " + named(b);
  }
  std::vector<std::string> sentences() const {
    std::vector<std::string> all;
    for (const auto& [key, found] : found_) {
      const std::string others =
          found.count > 1 ? " (and " + counted(found.count - 1, "other pair", "other pairs") + ")" : "";
      all.push_back("the layer of material '" + model_.materials()[key.first].name + "' is a patch, and " + found.pair +
                    " may touch" + others + ": " + remedy(key.second));
    }
    return all;
  }

 private:
  struct Found {
    std::string pair;
    int count = 0;
  };
  std::string named(int collider) const {
    const Collider& c = model_.colliders()[collider];
    return "shape '" + c.name + "' (" + shape_name(c.shape) + ")";
  }
  static std::string remedy(PatchFault fault) {
    if (fault == PatchFault::no_faces) {
      return "a patch lies between flat faces, so one of the two must be a box, a mesh, a rounded shape, a cylinder or "
             "a "
             "cone, the other one of these or a half-space; give round shapes a material whose layer has no patch";
    }
    if (fault == PatchFault::point_beside) {
      return "one has a layer by the area of its patch, the other one by the point; give both a patch";
    }
    return "it would have more than " + std::to_string(most_nodes) + " elements; choose a greater spacing";
  }

  const Model& model_;
  std::map<std::pair<int, PatchFault>, Found> found_;
};

}  // namespace

ContactPatches::ContactPatches(const Model& model, bool layers) {
  if (!layers) return;
  for_each_patch(model, [&](int a, int b, double spacing) {
    const int carrier = carrier_of(model, a, b);
    if (carrier < 0) return;
    const auto [nodes, fresh] = nodes_.try_emplace({carrier, spacing});
    if (fresh) nodes->second = face_nodes(model.colliders()[carrier].shape, spacing);
    const int other = carrier == a ? b : a;
    faces_.try_emplace(other, implicit_body(model.colliders()[other].shape));
    patches_[{a, b}] = {carrier, spacing, &nodes->second};
  });
}

const ContactPatches::Patch* ContactPatches::patch_of(int a, int b) const {
  if (patches_.empty()) return nullptr;
  const auto found = patches_.find(std::minmax(a, b));
  return found == patches_.end() ? nullptr : &found->second;
}

double ContactPatches::share(const ContactId& id) const {
  const Patch* patch = id.is_surface() ? patch_of(id.a, id.b) : nullptr;
  if (!id.is_patch()) return patch == nullptr ? 1 : patch->spacing * patch->spacing;
  if (patch == nullptr) return 0;
  return id.node() < static_cast<int>(patch->nodes->size()) ? (*patch->nodes)[static_cast<std::size_t>(id.node())].area
                                                            : 0;
}

bool ContactPatches::find_plane(const Model& model, int a, int b, const Patch& patch, const Vec3& normal,
                                const std::vector<Transform>& X_WB, Plane& plane) {
  const int other = patch.carrier == a ? b : a;
  const Vec3 towards = other == b ? normal : Vec3(-normal);
  plane.X_other = pose_of(model, other, X_WB);
  const FlatFace face = face_along(model.colliders()[other].shape, plane.X_other.R.transpose() * towards);
  if (face.cosine < same_face) return false;
  plane.normal = plane.X_other.R * face.normal;
  plane.point = plane.X_other * face.point;
  return true;
}

bool ContactPatches::place(const Model& model, int a, int b, const Patch& patch, const Plane& plane, int node,
                           const std::vector<Transform>& X_WB, Contact& contact) const {
  const FaceNode& at = (*patch.nodes)[static_cast<std::size_t>(node)];
  const int other = patch.carrier == a ? b : a;
  const Transform X_WS = pose_of(model, patch.carrier, X_WB);
  if (-plane.normal.dot(X_WS.R * at.normal) < faces_plane) return false;
  const Vec3 x = X_WS * at.point;
  const double gap = plane.normal.dot(x - plane.point);
  const Vec3 below = x - gap * plane.normal, in_other = plane.X_other.inverse() * below;
  const double tolerance = 1e-9 * std::min(1.0, bounding_radius(model.colliders()[patch.carrier].shape));
  for (const ImplicitSurface& surface : faces_.at(other).surfaces) {
    if (carom::evaluate(surface, in_other).value > tolerance) return false;
  }
  const Collider &A = model.colliders()[a], &B = model.colliders()[b];
  const bool on_a = patch.carrier == a;
  contact = {};
  contact.id = {a, b, ContactId::of_node(node)};
  contact.body_a = A.body;
  contact.body_b = B.body;
  contact.p_WA = on_a ? x : below;
  contact.p_WB = on_a ? below : x;
  const Vec3 normal = on_a ? plane.normal : Vec3(-plane.normal);
  contact.R_WC = contact_frame(normal, friction_axis(model, a, b, normal, X_WB).in_world(X_WB));
  contact.gap = gap;
  contact.surface = model.contact_material(A.material, B.material);
  return true;
}

void ContactPatches::replace(const Model& model, const std::vector<Transform>& X_WB, double margin,
                             std::vector<Contact>& contacts) const {
  if (patches_.empty()) return;
  std::vector<Contact> kept;
  for (std::size_t first = 0; first < contacts.size();) {
    std::size_t last = first + 1, deepest = first;
    const ContactId id = contacts[first].id;
    for (; last < contacts.size() && contacts[last].id.a == id.a && contacts[last].id.b == id.b; ++last) {
      if (contacts[last].gap < contacts[deepest].gap) deepest = last;
    }
    const Patch* patch = id.is_surface() ? patch_of(id.a, id.b) : nullptr;
    Plane plane;
    Contact contact;
    bool rules = false;
    if (patch != nullptr && find_plane(model, id.a, id.b, *patch, contacts[deepest].R_WC.col(2), X_WB, plane)) {
      for (int node = 0; node < static_cast<int>(patch->nodes->size()); ++node) {
        if (!place(model, id.a, id.b, *patch, plane, node, X_WB, contact)) continue;
        rules = true;
        if (contact.gap <= margin) kept.push_back(contact);
      }
    }
    if (!rules)
      kept.insert(kept.end(), contacts.begin() + static_cast<long>(first), contacts.begin() + static_cast<long>(last));
    first = last;
  }
  std::sort(kept.begin(), kept.end(), [](const Contact& x, const Contact& y) { return x.id < y.id; });
  contacts.swap(kept);
}

bool ContactPatches::evaluate(const Model& model, ContactFinder& finder, const ContactId& id, const VectorX& q,
                              const std::vector<Transform>& X_WB, Contact& contact) const {
  const Patch* patch = id.is_surface() ? patch_of(id.a, id.b) : nullptr;
  if (patch == nullptr) return !id.is_patch() && finder.evaluate(model, id, q, X_WB, contact);
  Plane plane;
  const Vec3 normal = finder.nearest(model, id.a, id.b, X_WB).R_WC.col(2);
  const bool has_plane = find_plane(model, id.a, id.b, *patch, normal, X_WB, plane);
  if (id.is_patch()) {
    const bool known = id.node() < static_cast<int>(patch->nodes->size());
    return has_plane && known && place(model, id.a, id.b, *patch, plane, id.node(), X_WB, contact);
  }
  for (int node = 0; has_plane && node < static_cast<int>(patch->nodes->size()); ++node) {
    if (place(model, id.a, id.b, *patch, plane, node, X_WB, contact)) return false;  // the patch holds the pair
  }
  return finder.evaluate(model, id, q, X_WB, contact);
}

CornerOnPlane ContactPatches::corner(const Model& model, const Contact& contact,
                                     const std::vector<Transform>& X_WB) const {
  const int a = contact.id.a, b = contact.id.b;
  const Patch& patch = *patch_of(a, b);
  const Collider &carrier = model.colliders()[patch.carrier], &other = model.colliders()[patch.carrier == a ? b : a];
  const Transform X_other = pose_of(model, patch.carrier == a ? b : a, X_WB);
  CornerOnPlane c;
  c.corner_on_a = patch.carrier == a;
  c.corner = carrier.X_BS * (*patch.nodes)[static_cast<std::size_t>(contact.id.node())].point;
  const Vec3 towards = c.corner_on_a ? contact.R_WC.col(2) : Vec3(-contact.R_WC.col(2));
  const FlatFace face = face_along(other.shape, X_other.R.transpose() * towards);
  c.normal = other.X_BS.R * face.normal;
  c.point = other.X_BS * face.point;
  return c;
}

std::vector<std::string> contact_patch_faults(const Model& model) {
  PatchFaults faults(model);
  std::set<std::pair<int, double>> seen;
  for_each_patch(model, [&](int a, int b, double spacing) {
    const int carrier = carrier_of(model, a, b);
    if (carrier < 0) {
      faults.add(PatchFault::no_faces, a, b);
      return;
    }
    const bool both = faults.has_patch(a) && faults.has_patch(b);
    const bool layers = faults.layer(a) && faults.layer(b);
    if (layers && !both) faults.add(PatchFault::point_beside, a, b);
    const Shape& shape = model.colliders()[carrier].shape;
    if (!seen.insert({carrier, spacing}).second) return;
    if (face_nodes(shape, spacing, most_nodes + 1).size() > most_nodes) faults.add(PatchFault::too_many, a, b);
  });
  return faults.sentences();
}

}  // namespace carom
