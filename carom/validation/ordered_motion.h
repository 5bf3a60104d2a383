#pragma once

#include <vector>

#include "carom/contact/contact_finder.h"
#include "carom/dynamics/delassus.h"
#include "carom/scene/scene.h"
#include "carom/study/design_study.h"

namespace carom {

/// A mechanism that flies between elastic impacts without friction at some contacts, the parts of each impact in a
/// given order (paper PROP: Seghete and Murphey 2014, eqs. 7 and 14).
///
/// Between impacts gravity, springs and damping of the joints act. Runge and Kutta's rule of fourth order takes fixed
/// steps. An impact is where a contact has closed and goes on closing, found by bisection. All contacts within
/// `touching` of closed take part; resets go to the first violated one in the order. Two runs differ in the order
/// alone, so their difference is what rigid bodies leave open.
class OrderedMotion {
 public:
  /// From the scene's start. `order` lists all contacts by number, first first. Throws Error if the scene holds what is
  /// not followed here: drives, wrenches, constraints, quaternions.
  OrderedMotion(const Scene& scene, const std::vector<DesignContact>& contacts, std::vector<int> order);

  /// To the time, s. Throws Error if impacts pile up.
  void advance(double time);

  const VectorX& q() const { return q_; }
  const VectorX& v() const { return v_; }
  double time() const { return time_; }
  int impacts() const { return impacts_; }
  /// M(q) v.
  VectorX momentum();
  double kinetic_energy();
  /// ‖p‖ in the kinetic metric at the present q: √(pᵀ M⁻¹ p).
  double norm(const VectorX& p);
  /// Kinetic, of gravity and of springs, J.
  double energy();

 private:
  struct Point {
    VectorX q, v;
  };
  Point after(double h);
  /// A contact has closed and goes on closing.
  bool strikes(const Point& point);
  void find(const VectorX& q, const VectorX& v);
  void strike();

  const Scene& scene_;
  const Model& model_;
  std::vector<std::pair<int, int>> colliders_;
  std::vector<int> order_;
  DynamicsWorkspace workspace_;
  ContactFinder finder_;
  Delassus delassus_;
  std::vector<ConstraintRow> rows_;
  VectorX q_, v_, gap_, rate_, tau_, vdot_, damping_;
  double time_ = 0;
  int impacts_ = 0;
};

}  // namespace carom
