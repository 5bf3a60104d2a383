#include "carom/spatial/inertia.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <limits>
#include <vector>

#include "carom/spatial/test/random_spatial.h"

namespace carom::inertia_test {
namespace {

/// A rigid cloud of point masses: everything about it is a sum.
struct Cloud {
  std::vector<double> masses;
  std::vector<Vec3> places;

  explicit Cloud(Random& random) {
    for (int i = 0; i < 6; ++i) {
      masses.push_back(random.between(0.1, 2));
      places.push_back(random.vector());
    }
  }
  SpatialInertia inertia() const {
    SpatialInertia sum;
    Vec3 first = Vec3::Zero();
    for (std::size_t i = 0; i < masses.size(); ++i) {
      sum.mass += masses[i];
      first += masses[i] * places[i];
    }
    sum.center = first / sum.mass;
    for (std::size_t i = 0; i < masses.size(); ++i) {
      const Vec3 d = places[i] - sum.center;
      sum.central += masses[i] * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
    }
    return sum;
  }
  Vec6 momentum(const Vec6& V) const {
    Vec6 h = Vec6::Zero();
    for (std::size_t i = 0; i < masses.size(); ++i) {
      const Vec3 p = masses[i] * (V.tail<3>() + V.head<3>().cross(places[i]));
      h.head<3>() += places[i].cross(p);
      h.tail<3>() += p;
    }
    return h;
  }
};

TEST(SpatialInertia, GivesTheMomentumOfItsParticles) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Cloud cloud(random);
    const SpatialInertia I = cloud.inertia();
    const Vec6 V = random.vector6();
    EXPECT_LT((I * V - cloud.momentum(V)).norm(), 1e-13);
    EXPECT_LT((I.matrix() * V - cloud.momentum(V)).norm(), 1e-13);
    EXPECT_LT((I.matrix() - I.matrix().transpose()).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Mat6>(I.matrix()).eigenvalues()[0], 0);
  }
}

TEST(SpatialInertia, OfWeldedBodiesIsTheSumOfTheirMatrices) {
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const SpatialInertia a = Cloud(random).inertia(), b = Cloud(random).inertia();
    EXPECT_LT(((a + b).matrix() - a.matrix() - b.matrix()).cwiseAbs().maxCoeff(), 1e-13);
  }
  const SpatialInertia a = Cloud(random).inertia(), nothing;
  EXPECT_LT(((a + nothing).matrix() - a.matrix()).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ((nothing + nothing).mass, 0);
  EXPECT_TRUE((nothing + nothing).center.allFinite());
}

TEST(SpatialInertia, MovesWithItsFrame) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const SpatialInertia I_B = Cloud(random).inertia();
    const Transform X_AB = random.pose();
    const SpatialInertia I_A = I_B.in(X_AB);
    const Vec6 V_B = random.vector6();
    EXPECT_LT((I_A * X_AB.motion(V_B) - X_AB.force(I_B * V_B)).norm(), 1e-12);
    EXPECT_LT((I_A.in(X_AB.inverse()).matrix() - I_B.matrix()).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(InertiaFault, FindsNoneInABody) {
  Random random(4);
  for (int trial = 0; trial < 200; ++trial) {
    SpatialInertia I = Cloud(random).inertia().in(random.pose());
    EXPECT_EQ(inertia_fault(I), "");
    // Any scale of a body is a body: a grain of dust, a planet.
    for (const double scale : {1e-12, 1e12}) {
      SpatialInertia scaled = {scale * I.mass, I.center, scale * I.central};
      EXPECT_EQ(inertia_fault(scaled), "");
    }
  }
  // A flat body's largest moment is exactly the sum of the others.
  EXPECT_EQ(inertia_fault({1, Vec3::Zero(), Vec3(0.1, 0.2, 0.1 + 0.2).asDiagonal()}), "");
}

TEST(InertiaFault, TakesPointsAndThinRods) {
  Random random(6);
  EXPECT_EQ(inertia_fault({1, Vec3(1, 2, 3), Mat3::Zero()}), "");
  for (int trial = 0; trial < 100; ++trial) {
    const Mat3 R = random.pose().R;
    Mat3 rod = R * Vec3(1, 1, 0).asDiagonal() * R.transpose();
    rod = (0.5 * (rod + rod.transpose())).eval();
    EXPECT_EQ(inertia_fault({1, Vec3::Zero(), rod}), "");
  }
}

TEST(InertiaFault, SaysWhatIsWrong) {
  const auto fault = [](double mass, const Mat3& central) { return inertia_fault({mass, Vec3::Zero(), central}); };
  const Mat3 ball = Mat3::Identity();
  EXPECT_EQ(fault(0, ball), "has mass 0 kg; a mass must be positive");
  EXPECT_EQ(fault(-2, ball), "has mass -2 kg; a mass must be positive");
  EXPECT_NE(fault(std::numeric_limits<double>::quiet_NaN(), ball).find("not finite"), std::string::npos);
  EXPECT_NE(fault(1, ball * std::numeric_limits<double>::infinity()).find("not finite"), std::string::npos);
  Mat3 skewed = ball;
  skewed(0, 1) = 0.1;
  EXPECT_NE(fault(1, skewed).find("not symmetric"), std::string::npos);
  EXPECT_NE(fault(1, Vec3(1, 1, -0.5).asDiagonal()).find("none may be negative"), std::string::npos);
  EXPECT_NE(fault(1, Vec3(1, 2, 3.01).asDiagonal()).find("may not exceed the sum"), std::string::npos);
  // The moments are looked at in their own axes.
  Random random(5);
  const Mat3 R = random.pose().R;
  EXPECT_NE(fault(1, R * Vec3(1, 2, 3.01).asDiagonal() * R.transpose()).find("may not exceed"), std::string::npos);
  EXPECT_EQ(fault(1, R * Vec3(1, 2, 2.99).asDiagonal() * R.transpose()), "");
}

}  // namespace
}  // namespace carom::inertia_test
