#include "carom/model/model_faults.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <sstream>

#include "carom/geometry/contact_points.h"
#include "carom/model/coordinates_fault.h"

namespace carom {
namespace {

bool is_restitution(double restitution) { return restitution >= 0 && restitution <= 1; }

std::string joint_label(const std::vector<Body>& bodies, int body, const Joint& joint) {
  if (!joint.name.empty()) return "joint \"" + joint.name + "\" of " + body_label(bodies, body);
  return "the " + joint_name(joint.type) + " joint of " + body_label(bodies, body);
}

/// The coordinate of a joint that has several, for sentences: "y of ", or nothing.
std::string coordinate_label(const Joint& joint, Eigen::Index i) {
  static constexpr const char* cylindrical[] = {"the angle of ", "the displacement of "};
  static constexpr const char* slot[] = {"the displacement of ", "the angle of "};
  static constexpr const char* universal[] = {"the angle about x of ", "the angle about y of "};
  static constexpr const char* planar[] = {"x of ", "y of ", "the angle of "};
  switch (joint.type) {
    case JointType::cylindrical:
      return cylindrical[i];
    case JointType::slot:
      return slot[i];
    case JointType::universal:
      return universal[i];
    case JointType::planar:
      return planar[i];
    case JointType::twists:
      return "coordinate " + std::to_string(i + 1) + " of ";
    default:
      return "";
  }
}

/// One joint's vectors, given a label for sentences.
class JointCheck {
 public:
  JointCheck(const Joint& joint, std::string label, std::vector<std::string>& faults)
      : joint_(joint), label_(std::move(label)), size_(velocity_size(joint)), faults_(faults) {}

  void frames() const {
    if (!is_rigid_motion(joint_.X_PF)) faults_.push_back(sentence(label_, " has a frame on its parent", not_rigid));
    if (!is_rigid_motion(joint_.X_BM)) faults_.push_back(sentence(label_, " has a frame on its child", not_rigid));
  }

  void coordinates() const {
    const std::string fault = coordinates_fault(joint_);
    if (!fault.empty()) faults_.push_back(sentence(label_, " ", fault, "."));
  }

  void limits() const {
    const bool lower_fits = fits(joint_.lower, "lower limit"), upper_fits = fits(joint_.upper, "upper limit");
    if (!lower_fits || !upper_fits) return;
    const VectorX lower = filled(joint_.lower, -infinity), upper = filled(joint_.upper, infinity);
    const bool unlimited = (lower.array() == -infinity).all() && (upper.array() == infinity).all();
    if (!has_scalar_coordinates(joint_.type)) {
      if (!unlimited) faults_.push_back(no_such("limits"));
      return;
    }
    for (Eigen::Index i = 0; i < size_; ++i) {
      const std::string where = coordinate_label(joint_, i) + label_;
      if (std::isnan(lower[i]) || std::isnan(upper[i])) {
        faults_.push_back(sentence(where, " has a limit that is not a number; leave it out if there is none."));
      } else if (lower[i] > upper[i] || lower[i] == infinity || upper[i] == -infinity) {
        faults_.push_back(sentence(where, " has limits ", lower[i], " to ", upper[i],
                                   ", which leave it no position; the lower must not exceed the upper."));
      }
    }
  }

  void limit_restitution() const {
    if (!fits(joint_.limit_restitution, "limit restitution")) return;
    for (Eigen::Index i = 0; i < joint_.limit_restitution.size(); ++i) {
      const double value = joint_.limit_restitution[i];
      const std::string where = coordinate_label(joint_, i) + label_;
      if (!is_restitution(value)) {
        faults_.push_back(sentence(where, " has limit restitution ", value, "; it must lie between 0 and 1."));
      } else if (value > 0 && !has_limit(i)) {
        faults_.push_back(sentence(where, " has a limit restitution but no limit; give a limit or leave it out."));
      }
    }
  }

  void ratchet() const {
    const bool has_any = std::any_of(joint_.ratchet.begin(), joint_.ratchet.end(),
                                     [](Ratchet ratchet) { return ratchet != Ratchet::none; });
    if (!joint_.ratchet.empty() && static_cast<Eigen::Index>(joint_.ratchet.size()) != size_) {
      faults_.push_back(sentence(label_, " has ", counted(joint_.ratchet.size(), "ratchet", "ratchets"), ", but a ",
                                 joint_name(joint_.type), " joint has ", size_,
                                 " coordinates; give that many, or none at all."));
    } else if (has_any && !has_scalar_coordinates(joint_.type)) {
      faults_.push_back(no_such("a ratchet"));
    } else {
      for (Eigen::Index i = 0; has_any && i < joint_.limit_restitution.size(); ++i) strikes_its_ratchet(i);
    }
  }

  void friction() const {
    if (fits(joint_.friction, "friction")) not_negative(joint_.friction, "friction");
  }

  void damping() const {
    if (fits(joint_.damping, "damping")) not_negative(joint_.damping, "damping");
  }

  void spring() const {
    const bool stiffness_fits = fits(joint_.stiffness, "stiffness"), rest_fits = fits(joint_.rest, "rest position");
    if (!stiffness_fits || !rest_fits) return;
    not_negative(joint_.stiffness, "stiffness");
    if (!has_scalar_coordinates(joint_.type)) alike(joint_.stiffness, "stiffness");
    if (!joint_.rest.allFinite()) faults_.push_back(sentence(label_, " has a rest position that is not finite."));
  }

  void effort() const {
    if (!fits(joint_.effort, "effort")) return;
    if (!(joint_.effort.array() >= 0).all()) {
      faults_.push_back(
          sentence(label_, " has an effort that is negative or no number; it is the most that a motor gives."));
    }
  }

  void reflected_inertia() const {
    if (!fits(joint_.reflected_inertia, "reflected inertia")) return;
    const bool has_any = (joint_.reflected_inertia.array() != 0).any();
    if (has_scalar_coordinates(joint_.type)) {
      not_negative(joint_.reflected_inertia, "reflected inertia");
    } else if (joint_.type == JointType::spherical) {
      not_negative(joint_.reflected_inertia, "reflected inertia");
      alike(joint_.reflected_inertia, "reflected inertia");
    } else if (has_any) {
      faults_.push_back(no_such("a reflected inertia"));
    }
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr const char* not_rigid =
      " that is not a rotation and a finite point; its matrix must be orthogonal with determinant 1.";

  /// A limit that throws a coordinate back where its ratchet does not let it go.
  void strikes_its_ratchet(Eigen::Index i) const {
    const Ratchet way = joint_.ratchet[static_cast<std::size_t>(i)];
    const bool upper = joint_.upper.size() == size_ && std::isfinite(joint_.upper[i]);
    const bool lower = joint_.lower.size() == size_ && std::isfinite(joint_.lower[i]);
    const bool against = (way == Ratchet::forward && upper) || (way == Ratchet::backward && lower);
    if (!against || joint_.limit_restitution[i] == 0) return;
    faults_.push_back(sentence(coordinate_label(joint_, i) + label_,
                               " has a limit whose restitution throws it back against its ratchet; leave one out."));
  }

  bool has_limit(Eigen::Index i) const {
    return (joint_.lower.size() == size_ && std::isfinite(joint_.lower[i])) ||
           (joint_.upper.size() == size_ && std::isfinite(joint_.upper[i]));
  }

  VectorX filled(const VectorX& values, double missing) const {
    return values.size() > 0 ? values : VectorX::Constant(size_, missing);
  }

  std::string no_such(const std::string& what) const {
    return sentence(label_, " has ", what, ", which a ", joint_name(joint_.type),
                    " joint cannot have; leave them out.");
  }

  bool fits(const VectorX& values, const char* what) const {
    if (values.size() == 0 || values.size() == size_) return true;
    faults_.push_back(sentence(label_, " has ", counted(values.size(), "value", "values"), " of ", what, ", but a ",
                               joint_name(joint_.type), " joint has ", size_, "; give that many, or none at all."));
    return false;
  }

  void not_negative(const VectorX& values, const char* what) const {
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      if (std::isfinite(values[i]) && values[i] >= 0) continue;
      const std::string where = coordinate_label(joint_, i) + label_;
      faults_.push_back(sentence(where, " has ", what, " ", values[i], "; it must be finite and not negative."));
    }
  }

  /// A rotation, and a displacement, has one value for its three coordinates.
  void alike(const VectorX& values, const char* what) const {
    for (Eigen::Index i = 0; i < values.size(); i += 3) {
      if (values[i] == values[i + 1] && values[i] == values[i + 2]) continue;
      faults_.push_back(sentence(label_, " has ", what, " ", values[i], ", ", values[i + 1], " and ", values[i + 2],
                                 " for its ", i == 0 ? "rotation" : "displacement",
                                 "; the three must be alike, since its axes turn with it."));
    }
  }

  const Joint& joint_;
  std::string label_;
  Eigen::Index size_;
  std::vector<std::string>& faults_;
};

}  // namespace

bool is_rigid_motion(const Transform& X) {
  if (!X.R.allFinite() || !X.p.allFinite()) return false;
  return (X.R.transpose() * X.R - Mat3::Identity()).cwiseAbs().maxCoeff() < 1e-9 && X.R.determinant() > 0;
}

std::string body_label(const std::vector<Body>& bodies, int body) {
  if (body < 0) return "the world";
  return bodies[body].name.empty() ? "body " + std::to_string(body) : "body \"" + bodies[body].name + "\"";
}

std::string collider_label(const std::vector<Body>& bodies, const Collider& collider) {
  const std::string shape = shape_name(collider.shape);
  const std::string what =
      collider.name.empty() ? "the " + shape : "collider \"" + collider.name + "\" (" + shape + ")";
  return what + " of " + body_label(bodies, collider.body);
}

std::string capitalized(std::string sentence) {
  if (!sentence.empty()) sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

void check_loops(const std::vector<Body>& bodies, const TreeOrder& tree, std::vector<std::string>& faults) {
  for (const std::vector<int>& loop : tree.loops) {
    if (loop.size() == 1) {
      faults.push_back(sentence(body_label(bodies, loop[0]), " hangs on itself; its parent must be another body."));
      continue;
    }
    std::ostringstream path;
    for (const int body : loop) path << body_label(bodies, body) << " hangs on ";
    path << body_label(bodies, loop[0]);
    faults.push_back(sentence("the joints make a loop: ", path.str(), "; one of them must hang on something else."));
  }
}

void check_inertias(const std::vector<Body>& bodies, const TreeOrder& tree, std::vector<std::string>& faults) {
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
    const SpatialInertia& inertia = bodies[i].inertia;
    const bool moves = tree.link[i] >= 0;
    if (moves) {
      const std::string fault = inertia_fault(inertia);
      if (!fault.empty()) faults.push_back(sentence(body_label(bodies, i), " ", fault, "."));
      continue;
    }
    // A body that never moves needs no inertia, but what it has must not spoil the sums it takes part in.
    const bool finite = std::isfinite(inertia.mass) && inertia.center.allFinite() && inertia.central.allFinite();
    if (!finite || inertia.mass < 0) {
      faults.push_back(sentence(body_label(bodies, i),
                                " is fixed to the world, so it needs no inertia, but the one it has must be finite and"
                                " its mass not negative."));
    }
  }
}

void check_joints(const std::vector<Body>& bodies, const std::vector<Joint>& joints, std::vector<std::string>& faults) {
  for (int i = 0; i < static_cast<int>(joints.size()); ++i) {
    const JointCheck check(joints[i], joint_label(bodies, i, joints[i]), faults);
    check.frames();
    check.coordinates();
    check.limits();
    check.limit_restitution();
    check.ratchet();
    check.friction();
    check.damping();
    check.spring();
    check.reflected_inertia();
    check.effort();
  }
}

void check_colliders(const std::vector<Body>& bodies, const TreeOrder& tree, const std::vector<Material>& materials,
                     const std::vector<Collider>& colliders, std::vector<std::string>& faults) {
  for (const Collider& collider : colliders) {
    const std::string label = collider_label(bodies, collider);
    const std::string fault = shape_fault(collider.shape);
    if (!fault.empty()) faults.push_back(sentence(label, " ", fault, "."));
    if (!is_rigid_motion(collider.X_BS)) {
      faults.push_back(sentence(label,
                                " has a frame that is not a rotation and a finite point; its matrix must be "
                                "orthogonal with determinant 1."));
    }
    if (collider.friction_axis && !(collider.friction_axis->allFinite() && collider.friction_axis->norm() > 0)) {
      faults.push_back(sentence(label, " has a friction axis that is no direction; it must be finite and not zero."));
    }
    if (collider.restitution_change) {
      const RestitutionChange& change = *collider.restitution_change;
      const auto falls = [](const auto& a, const auto& b) { return !(a.first < b.first); };
      const auto unsound = [](const auto& p) { return !std::isfinite(p.first) || !std::isfinite(p.second); };
      const auto& points = change.points;
      if (points.empty() || std::any_of(points.begin(), points.end(), unsound) ||
          std::adjacent_find(points.begin(), points.end(), falls) != points.end() ||
          !(std::abs(change.along.norm() - 1) < 1e-9)) {
        faults.push_back(
            sentence(label,
                     " has a restitution change that is no function of the place; it needs a unit vector "
                     "and at least one pair of a coordinate and a change, both finite, coordinates rising."));
      }
    }
    if (collider.material < 0 || collider.material >= static_cast<int>(materials.size())) {
      faults.push_back(sentence(label, " names material ", collider.material, ", but the model has ",
                                counted(materials.size(), "material", "materials"), ", numbered from 0."));
    }
    const bool moves = collider.body >= 0 && tree.link[collider.body] >= 0;
    if (moves && std::holds_alternative<HalfSpace>(collider.shape)) {
      faults.push_back(sentence(label, " sits on a body that moves; a half-space must be fixed to the world."));
    }
  }
}

}  // namespace carom
