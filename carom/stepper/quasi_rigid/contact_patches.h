#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "carom/contact/contact_finder.h"
#include "carom/geometry/flat_face.h"
#include "carom/geometry/implicit/implicit_body.h"
#include "carom/stepper/quasi_rigid/contact_element.h"

namespace carom {

/// The patches of layers whose stiffness is per area (Layer::patch_spacing): where flat faces lie on one another, in
/// place of the points that the collision detector lists, the nodes of a quadrature rule that are fixed to one of the
/// two shapes (face_nodes), each a point over the plane of the other's face. An element has the stiffness k a and the
/// damping c a by its area a, so that a patch of area A which is pressed in by δ bears k A δ, and against a tilt α
/// about an axis of its plane k α ∫ y² dA, whatever the number of its corners and nodes: a Winkler foundation.
///
/// Which shape bears the nodes: the smaller one, by bounding radius (the first of equals), of those that have faces and
/// are no half-space. Which nodes count: of its faces within 57° of the other's plane, where they lie over the other's
/// face. The other's face is the one along the contact's normal, within 20°; where there is none (an edge or a corner
/// that pokes into a face, a cylinder on its side) the detector's points count, each as the area of one square of the
/// spacing.
///
/// Departures: paper QR has one element per contact and names distributed ones as work to come.
class ContactPatches {
 public:
  /// Without `layers` there are no patches.
  ContactPatches(const Model& model, bool layers);

  /// In a list of contacts by id, as ContactFinder gives it, the points of pairs with a patch become its nodes with gap
  /// ≤ margin.
  void replace(const Model& model, const std::vector<Transform>& X_WB, double margin,
               std::vector<Contact>& contacts) const;
  /// As ContactFinder::evaluate, of any contact.
  bool evaluate(const Model& model, ContactFinder& finder, const ContactId& id, const VectorX& q,
                const std::vector<Transform>& X_WB, Contact& contact) const;
  /// Area that is one element's, m²; 1 of pairs without a patch, whose layers are per element; 0 of a node
  /// that no patch of the model has.
  double share(const ContactId& id) const;
  /// A node as a corner on a plane.
  CornerOnPlane corner(const Model& model, const Contact& contact, const std::vector<Transform>& X_WB) const;

 private:
  struct Patch {
    int carrier = -1;  ///< the collider that bears the nodes
    double spacing = 0;
    const std::vector<FaceNode>* nodes = nullptr;  ///< in the frame of their shape
  };
  /// The face of the other shape that the nodes are over.
  struct Plane {
    Vec3 normal, point;  // world
    Transform X_other;   // the other shape
  };
  const Patch* patch_of(int a, int b) const;
  static bool find_plane(const Model& model, int a, int b, const Patch& patch, const Vec3& normal,
                         const std::vector<Transform>& X_WB, Plane& plane);
  /// The contact of a node, if it faces the plane and lies over its face.
  bool place(const Model& model, int a, int b, const Patch& patch, const Plane& plane, int node,
             const std::vector<Transform>& X_WB, Contact& contact) const;

  std::map<int, ImplicitBody> faces_;                              // by collider: those that nodes lie over
  std::map<std::pair<int, double>, std::vector<FaceNode>> nodes_;  // by collider and spacing
  std::map<std::pair<int, int>, Patch> patches_;                   // by colliders, the lesser number first
};

/// Patches of a model that make no sense, a sentence each: shapes without flat faces that may touch one, layers per
/// point that may touch one, patches of more nodes than a step can bear.
std::vector<std::string> contact_patch_faults(const Model& model);

}  // namespace carom
