#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "carom/geometry/implicit/formula_surface.h"

namespace carom {

/// A point of a parametric surface, with what it does by its parameters a and b.
struct SheetPoint {
  Vec3 x = Vec3::Zero(), by_a = Vec3::Zero(), by_b = Vec3::Zero();
  Vec3 by_aa = Vec3::Zero(), by_ab = Vec3::Zero(), by_bb = Vec3::Zero();
};

/// A user's x(u, v), y(u, v), z(u, v) over a rectangle of parameters; in the formulas u is x and v is y.
struct ParametricFormulas {
  std::array<std::shared_ptr<const SurfaceFormula>, 3> of;  ///< x, y, z, m
  std::array<double, 2> u{}, v{};                           ///< from, to
};

/// A closed convex surface, sampled and found sound. One parameter, a, runs around; at both ends of the other one, b,
/// the surface shrinks to a point, a pole. Which of u and v is a is found from the formulas.
///
/// Poles. A sheet over a rectangle that closes has points where x_a × x_b = 0. Near them normal and curvature are those
/// of the surface as a graph over its tangent plane, h(t) = −½ tᵀ S t. Here S comes from the curvatures of the curves
/// through the pole. Beyond 1e-7 of the size from it, x_a and x_b keep their digits and are used.
class ParametricSheet {
 public:
  /// Throws Error with a sentence for ranges that are none, and formulas without value or derivative at a sample. The
  /// surface must close (around, and at two poles), have no tip or edge at a pole, and have a smooth seam. Elsewhere it
  /// must be regular and convex. Refused are a curvature of the wrong sign at one of 1152 samples, and a sample in
  /// front of the tangent plane of another. Concave places between the samples are not found.
  explicit ParametricSheet(const ParametricFormulas& formulas);

  /// The nearest point to x. Outside, it is the only one at a right angle, by convexity. Inside, it is the nearest of
  /// those that starts at the nearest samples lead to. The `distance` is signed, < 0 inside. The `curvature` is the
  /// shape operator, symmetric, ≥ 0, 1/m, zero along the normal. Newton's method on ½ |X(a, b) − x|² with Levenberg's
  /// step where it does not descend. O(samples), microseconds; does not allocate.
  struct Projection {
    Vec3 point = Vec3::Zero(), normal = Vec3::Zero();
    double distance = 0;
    Mat3 curvature = Mat3::Zero();
  };
  Projection project(const Vec3& x) const;

  const ParametricFormulas& formulas() const { return formulas_; }
  const std::vector<Vec3>& samples() const { return samples_; }
  const Vec3& center() const { return center_; }  ///< mean of the samples, inside
  double size() const { return size_; }           ///< farthest sample from there, m

  /// ∫ dV, ∫ y dV and ∫ y yᵀ dV (xx, yy, zz, yz, zx, xy), y from the centre. They are integrals over the surface of
  /// what cones from the centre hold. They use equal steps around and Gauss's rule between the poles, both doubled
  /// until the change is below 1e-11. Throws Error if 512 points each way leave more than 1e-6.
  Eigen::Matrix<double, 10, 1> moments() const;

 private:
  struct Pole {
    Vec3 point = Vec3::Zero(), normal = Vec3::Zero();
    Mat3 curvature = Mat3::Zero();
    double end = 0, inwards = 1;        // of b, and its direction from there
    std::array<Vec3, 16> directions{};  // unit tangents of the curves of equal a from it
  };
  SheetPoint at(double a, double b) const;
  Vec3 point(double a, double b) const { return at(a, b).x; }
  bool closes() const;
  void sample();
  void check_seam() const;
  void make_pole(int which);
  void check_convexity() const;
  Vec3 normal_at(const SheetPoint& p) const;
  static Mat3 curvature_at(const SheetPoint& p, const Vec3& normal);
  bool project_at_pole(const Pole& pole, const Vec3& x, double least, Projection& found) const;
  bool descend(const Vec3& x, double a, double b, Projection& found) const;
  bool leave_pole(const Vec3& x, double& a, double& b) const;
  std::string place(double a, double b) const;

  ParametricFormulas formulas_;
  bool swapped_ = false;  // a is v
  std::array<double, 2> a_{}, b_{};
  std::vector<Vec3> samples_;
  std::vector<std::array<double, 2>> parameters_;
  std::array<Pole, 2> poles_;
  Vec3 center_ = Vec3::Zero();
  double size_ = 0, sign_ = 1;
};

/// f(x) = the signed distance from a parametric surface. Its gradient ∇f is the normal at the nearest point, and
/// ∇²f = S (1 + f S)⁻¹ by the shape operator S there. Convex; smooth but for points well inside that have several
/// nearest ones, and beyond the centres of curvature, where the Hessian is bounded.
struct ParametricSurface {
  std::shared_ptr<const ParametricSheet> sheet;  ///< shared by all that use it, never null in one without fault

  SurfaceJet jet(const Vec3& x) const;
  std::string fault() const;
};

}  // namespace carom
