#include "carom/geometry/implicit/formula_surface.h"

#include <array>
#include <cmath>

namespace carom {
namespace {

using Operation = SurfaceFormula::Operation;

/// φ, φ' and φ'' at a value.
struct Slopes {
  double value, first, second;
};

SurfaceJet composed(const SurfaceJet& a, const Slopes& phi) {
  return {phi.value, phi.first * a.gradient, phi.first * a.hessian + phi.second * a.gradient * a.gradient.transpose()};
}

SurfaceJet product(const SurfaceJet& a, const SurfaceJet& b) {
  const Mat3 cross = a.gradient * b.gradient.transpose();
  return {a.value * b.value, a.value * b.gradient + b.value * a.gradient,
          a.value * b.hessian + b.value * a.hessian + cross + cross.transpose()};
}

Slopes inverse(double v) { return {1 / v, -1 / (v * v), 2 / (v * v * v)}; }

/// Slopes of v^p; what has the factor 0 is 0, at v = 0 as well.
Slopes power(double v, double p) {
  if (p == 2) return {v * v, 2 * v, 2};
  const double first = p == 0 ? 0 : p * std::pow(v, p - 1);
  const double second = p == 0 || p == 1 ? 0 : p * (p - 1) * std::pow(v, p - 2);
  return {std::pow(v, p), first, second};
}

SurfaceJet raised(const SurfaceJet& a, const SurfaceJet& b) {
  const bool constant = b.gradient.isZero(0) && b.hessian.isZero(0);
  if (constant) return composed(a, power(a.value, b.value));
  const SurfaceJet logarithm = composed(a, {std::log(a.value), 1 / a.value, -1 / (a.value * a.value)});
  const SurfaceJet exponent = product(b, logarithm);
  const double value = std::exp(exponent.value);
  return composed(exponent, {value, value, value});
}

Slopes slopes_of(Operation operation, double v) {
  switch (operation) {
    case Operation::sin:
      return {std::sin(v), std::cos(v), -std::sin(v)};
    case Operation::cos:
      return {std::cos(v), -std::sin(v), -std::cos(v)};
    case Operation::tan: {
      const double t = std::tan(v);
      return {t, 1 + t * t, 2 * t * (1 + t * t)};
    }
    case Operation::asin:
      return {std::asin(v), std::pow(1 - v * v, -0.5), v * std::pow(1 - v * v, -1.5)};
    case Operation::acos:
      return {std::acos(v), -std::pow(1 - v * v, -0.5), -v * std::pow(1 - v * v, -1.5)};
    case Operation::atan:
      return {std::atan(v), 1 / (1 + v * v), -2 * v / ((1 + v * v) * (1 + v * v))};
    case Operation::sqrt:
      return power(v, 0.5);
    case Operation::exp:
      return {std::exp(v), std::exp(v), std::exp(v)};
    case Operation::log:
      return {std::log(v), 1 / v, -1 / (v * v)};
    case Operation::abs:
      return {std::abs(v), v > 0 ? 1.0 : v < 0 ? -1.0 : 0.0, 0};
    default:
      return {-v, -1, 0};  // negate
  }
}

SurfaceJet of_two(Operation operation, const SurfaceJet& a, const SurfaceJet& b) {
  switch (operation) {
    case Operation::add:
      return {a.value + b.value, a.gradient + b.gradient, a.hessian + b.hessian};
    case Operation::subtract:
      return {a.value - b.value, a.gradient - b.gradient, a.hessian - b.hessian};
    case Operation::multiply:
      return product(a, b);
    case Operation::divide:
      return product(a, composed(b, inverse(b.value)));
    default:
      return raised(a, b);
  }
}

}  // namespace

SurfaceJet FormulaSurface::jet(const Vec3& x) const {
  std::array<SurfaceJet, SurfaceFormula::deepest> stack;
  int top = -1;
  for (const SurfaceFormula::Step& step : formula->steps) {
    const Operation operation = step.operation;
    if (operation == Operation::number) {
      stack[++top] = {step.number, Vec3::Zero(), Mat3::Zero()};
    } else if (operation <= Operation::z) {
      const int axis = static_cast<int>(operation) - static_cast<int>(Operation::x);
      stack[++top] = {x[axis], Vec3::Unit(axis), Mat3::Zero()};
    } else if (operation <= Operation::power) {
      --top;
      stack[top] = of_two(operation, stack[top], stack[top + 1]);
    } else {
      stack[top] = composed(stack[top], slopes_of(operation, stack[top].value));
    }
  }
  return {scale * stack[0].value, scale * stack[0].gradient, scale * stack[0].hessian};
}

std::string FormulaSurface::fault() const {
  if (!formula || formula->steps.empty()) return "it has no formula";
  if (!(scale > 0) || !std::isfinite(scale)) return "its scale must be above 0";
  return {};
}

}  // namespace carom
