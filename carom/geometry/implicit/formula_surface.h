#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/geometry/implicit/surface_jet.h"

namespace carom {

/// A formula in x, y and z, in postfix order: every operation takes its operands from the top of a stack.
struct SurfaceFormula {
  enum class Operation {
    number,
    x,
    y,
    z,  // put one on the stack
    add,
    subtract,
    multiply,
    divide,
    power,  // of the upper two
    negate,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    sqrt,
    exp,
    log,
    abs  // of the top
  };
  struct Step {
    Operation operation;
    double number = 0;
  };
  static constexpr int deepest = 32;  ///< places on the stack
  std::string text;                   ///< as the user wrote it
  std::vector<Step> steps;
};

/// f(x) = scale · formula(x, y, z). Value, gradient and Hessian come from forward differentiation of second order,
/// exact to round-off. With a = a(x), (φ∘a)' = φ'(a) ∇a and (φ∘a)'' = φ'(a) ∇²a + φ''(a) ∇a ∇aᵀ, and likewise for two
/// operands. O(operations). The result is not a number where the formula has no value.
struct FormulaSurface {
  std::shared_ptr<const SurfaceFormula> formula;  ///< shared by all that use it, never null in one without fault
  double scale = 1;                               ///< what makes f about the distance near the surface

  SurfaceJet jet(const Vec3& x) const;
  std::string fault() const;
};

}  // namespace carom
