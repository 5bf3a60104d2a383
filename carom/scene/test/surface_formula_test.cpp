// Formulas of surfaces: read as muParser reads them, with derivatives that differences confirm.
#include "carom/scene/surface_formula.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "carom/scene/expression.h"

namespace carom::surface_formula_test {
namespace {

FormulaSurface surface(const std::string& text) {
  return {std::make_shared<const SurfaceFormula>(surface_formula(text))};
}

const char* const formulas[] = {
    "x^2/4 + y^2 + z^4 - 1",
    "-x^2 + 2*-y - (z - x)*(z + y)/3",
    "2^-x + x^y^2 + 1.5e-1*z",
    "sin(x*y) + cos(z)^2 - tan(x/3) + exp(-z*z) * log(2 + y)",
    "sqrt(x^2 + y^2 + 0.1) + atan(x - z) + asin(x/4) - acos(y/5)",
    "abs(x)^3 + abs(y - 0.2)^2.5 + pi*z - 30*deg",
    "(x + 1.3)^(z + 1.7) / (2 + x*y*z)",
    "-x + y*(-z) - .5",
};

TEST(SurfaceFormula, HasTheValuesThatMuParserHas) {
  for (const std::string text : formulas) {
    const FormulaSurface f = surface(text);
    for (const Vec3& at : {Vec3(0.3, 0.7, -0.4), Vec3(0.9, -0.8, 0.5), Vec3(0.01, 0.6, 1.2)}) {
      const double expected = evaluate(text, {{"x", at.x()}, {"y", at.y()}, {"z", at.z()}});
      EXPECT_NEAR(f.jet(at).value, expected, 1e-13 * (1 + std::abs(expected))) << text;
    }
  }
}

TEST(SurfaceFormula, HasTheDerivativesThatDifferencesFind) {
  const double h = 1e-5;
  for (const std::string text : formulas) {
    const FormulaSurface f = surface(text);
    for (const Vec3& at : {Vec3(0.3, 0.7, -0.4), Vec3(0.9, -0.8, 0.5)}) {
      const SurfaceJet jet = f.jet(at);
      for (int i = 0; i < 3; ++i) {
        const SurfaceJet up = f.jet(at + h * Vec3::Unit(i)), down = f.jet(at - h * Vec3::Unit(i));
        EXPECT_NEAR(jet.gradient[i], (up.value - down.value) / (2 * h), 1e-8) << text;
        EXPECT_LT((jet.hessian.col(i) - (up.gradient - down.gradient) / (2 * h)).norm(), 1e-7) << text;
      }
      EXPECT_LT((jet.hessian - jet.hessian.transpose()).norm(), 1e-12) << text;
    }
  }
}

TEST(SurfaceFormula, IsSmoothAtTheOriginWhereThePowersAre) {
  const SurfaceJet jet = surface("x^2 + y^4 + abs(z)^3 - 1").jet(Vec3::Zero());
  EXPECT_EQ(jet.value, -1);
  EXPECT_TRUE(jet.gradient.isZero(0));
  EXPECT_TRUE(jet.hessian.isApprox(Mat3(Vec3(2, 0, 0).asDiagonal())));
}

TEST(SurfaceFormula, RefusesWhatIsNotSmoothOrNoFormula) {
  for (const char* text : {"max(x, y)", "x > 0 ? x : y", "min(x, 1)", "atan2(y, x)", "x +", "x y", "w + x", "",
                           "x == y", "x^2 + (y", "sin x", "x, y", "x^2 + 0x10", "x^2 - ."}) {
    EXPECT_THROW(static_cast<void>(surface_formula(text)), ExpressionFault) << text;
  }
}

TEST(SurfaceFormula, TakesAbsWhereItsPowerIsSmooth) {
  for (const char* text : {"abs(x) + abs(y) + abs(z) - 1", "abs(x)^1.5 + y^2 - 1", "abs(x)^y - 1", "abs(abs(x))^2",
                           "(abs(x))*abs(x) - 1"}) {
    try {
      static_cast<void>(surface_formula(text));
      ADD_FAILURE() << text;
    } catch (const ExpressionFault& fault) {
      EXPECT_NE(fault.message.find("kink"), std::string::npos) << text;
    }
  }
  for (const char* text : {"abs(x)^2 + abs(y)^(5/2) + z^2 - abs(-1)", "abs(x - y)^3 + z^2 + x^2 + y^2 - 1"}) {
    EXPECT_NO_THROW(static_cast<void>(surface_formula(text))) << text;
  }
}

TEST(SurfaceFormula, RefusesWhatNestsTooDeeply) {
  const std::string open(400, '('), close(400, ')');
  EXPECT_THROW(static_cast<void>(surface_formula(open + "x" + close + "^2 - 1")), ExpressionFault);
  EXPECT_THROW(static_cast<void>(surface_formula(std::string(400, '-') + "x")), ExpressionFault);
}

}  // namespace
}  // namespace carom::surface_formula_test
