#pragma once

#include <vector>

#include "carom/contact/contact.h"
#include "carom/geometry/implicit/implicit_body.h"
#include "carom/stepper/method.h"
#include "carom/stepper/quasi_rigid/contact_element.h"
#include "carom/stepper/quasi_rigid/contact_patches.h"

namespace carom {

/// Makes contact elements of pairs of shapes from where the collision detector sees them touch in some configuration.
/// There the search for closest points begins.
///
///     one nearest point                       closest points of the two implicit bodies
///     a vertex or several points on a face    CornerOnPlane each: corners of boxes and meshes, the ends of a capsule
///                                             (balls), of a cylinder that lies (circles) or stands (fixed points)
///     nodes of a patch                        CornerOnPlane each (ContactPatches)
///     deepest_point, further_point            rim of a cylinder's or cone's cap on a face: a circle if both are rigid
///                                             and the cap is tilted by 1e-3 or more; else fixed points, one by one.
///                                             Other shapes have closest points. Rigid: layers are at their cores there
///
/// An edge of polytopes that crosses an edge has one nearest point, by closest points too.
class ElementFinder {
 public:
  /// Features of elements for cores alone, without layers. They are where those of a pair are deepest in one another.
  /// For pairs with a patch they are the points of the collision detector.
  static constexpr int deepest_point = 1 << 28;
  static constexpr int core_of(int feature) { return deepest_point + 1 + feature; }
  static constexpr int further_point(int k) { return 2 * deepest_point + k; }  ///< the k-th beside the deepest, k ≥ 1
  static constexpr bool is_deepest(int feature) { return feature == deepest_point || feature > 2 * deepest_point; }

  /// Throws Error for shapes that are no convex bodies.
  ElementFinder(const Model& model, const Method& method);

  /// The element of a contact; `shared`: one of several contacts of its pair. X_WB: the configuration of the contact.
  ContactElement make(const Model& model, const Contact& contact, bool shared, const std::vector<Transform>& X_WB,
                      double speed) const;

  /// Impulses and deflections of the last step, in the contact's frame R_WC. Since then the bodies have turned about
  /// the normal by `turn`, rad; deflections along the surface turn with them.
  static void recall(const ContactMemory& memory, const Mat3& R_WC, double turn, ContactElement& element);

  const ContactPatches& patches() const { return patches_; }

 private:
  void make_smooth(const Model& model, const Contact& contact, const std::vector<Transform>& X_WB,
                   ContactElement& element) const;
  bool make_corner(const Model& model, const Contact& contact, bool shared, const std::vector<Transform>& X_WB,
                   ContactElement& element) const;

  std::vector<ImplicitBody> bodies_;  // by collider
  SlipKinematics slip_;
  DeflectionMeasure deflection_;
  bool layers_ = false;
  ContactPatches patches_;
};

}  // namespace carom
