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

/// The patches of layers whose stiffness is per area (Layer::patch_spacing). If flat faces lie on one another, the
/// nodes of a quadrature rule replace the points of the collision detector. They are fixed to one of the two shapes
/// (face_nodes), and each is a point over the plane of the other's face. An element of area a has the stiffness k a and
/// the damping c a. So a patch of area A that is pressed in by δ bears k A δ. Against a tilt α about an axis of its
/// plane it bears k α ∫ y² dA. Neither depends on the number of its corners and nodes: a Winkler foundation.
///
/// The smaller shape bears the nodes, by bounding radius (the first of equals), among those that have faces and are no
/// half-space. Nodes count if their face is within 57° of the other's plane and they lie over the other's face. The
/// other's face is the one along the contact's normal, within 20°. There may be none, as for an edge or a corner that
/// pokes into a face, or a cylinder on its side. Then the detector's points count, each as the area of one square of
/// the spacing.
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
  /// Area of one element, m². Pairs without a patch have 1, since their layers are per element. Nodes outside the
  /// model's patches have 0.
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

/// Patches of a model that make no sense, a sentence each. Faults are shapes without flat faces that may touch one,
/// layers per point that may touch one, and more nodes than a step can bear.
std::vector<std::string> contact_patch_faults(const Model& model);

}  // namespace carom
