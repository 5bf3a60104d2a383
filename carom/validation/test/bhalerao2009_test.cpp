#include "carom/validation/bhalerao2009.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "carom/validation/bhalerao2009_examples.h"
#include "testing/folders.h"

namespace carom::bhalerao2009_test {
namespace {

namespace fs = std::filesystem;
using bhalerao2009::angles_123;
using bhalerao2009::Pendulum;
using bhalerao2009::PendulumSetup;
using bhalerao2009::TopMotion;
using bhalerao2009::turned_123;

const std::string scenes = source_folder() + "/scenes";

struct Figure {
  const char* name;
  void (*validate)(const ValidationOptions&, double, Validation&);
  std::size_t entries;
};
const Figure figures[] = {{"figure 7", bhalerao2009::validate_frictionless, 6},
                          {"figure 8", bhalerao2009::validate_sliding, 4},
                          {"figure 9", bhalerao2009::validate_planar, 4},
                          {"figure 10", bhalerao2009::validate_bouncing, 9}};
const Figure sizes{"section 4.2.2",
                   [](const ValidationOptions& options, double, Validation& validation) {
                     bhalerao2009::validate_sizes(options, validation);
                   },
                   14};

/// Finest step of the suite; `carom validate` and CAROM_LONG take all steps.
double finest_step() { return std::getenv("CAROM_LONG") != nullptr ? 0 : 5e-4; }

Validation validated(const Figure& figure, const std::string& folder) {
  ValidationOptions options;
  options.scenes = folder;
  Validation validation;
  figure.validate(options, finest_step(), validation);
  return validation;
}

class Bhalerao2009Figure : public testing::TestWithParam<Figure> {};

TEST_P(Bhalerao2009Figure, HasEveryEntryWithinItsTolerance) {
  const Validation validation = validated(GetParam(), scenes);
  EXPECT_EQ(validation.entries.size(), GetParam().entries);
  EXPECT_GT(validation.figures.size(), 0u);
  for (const ValidationEntry& entry : validation.entries) {
    EXPECT_EQ(entry.figure, GetParam().name);
    EXPECT_TRUE(entry.pass) << entry.quantity << ": " << entry.reference << ", " << entry.value;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Bhalerao2009Figure, testing::ValuesIn(figures), [](const auto& info) {
  std::string name = info.param.name;
  name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
  return name;
});

TEST(Bhalerao2009, ProblemsHaveThePapersSizes) {
  const Validation validation = validated(sizes, scenes);
  EXPECT_EQ(validation.entries.size(), sizes.entries);
  for (const ValidationEntry& entry : validation.entries) EXPECT_TRUE(entry.pass) << entry.quantity;
}

// ------------------------------------------------------------------------------------------------------ the reference

Vec3 center_of(const Pendulum& pendulum) {
  const Vec3 down_A = -pendulum.R_A().col(2), down_B = -pendulum.R_B().col(2);
  return pendulum.top() + 0.5 * (0.5 * down_A + down_A + 0.5 * down_B);
}

/// Between touches the energy changes by what friction takes, and the centre of mass by weight and contact force.
TEST(Bhalerao2009Pendulum, ForcesMakeItsEnergyAndItsMomentum) {
  PendulumSetup spatial = bhalerao2009::figure_8(), frictionless = spatial;
  frictionless.friction = 0;
  for (const PendulumSetup& setup : {spatial, frictionless, bhalerao2009::figure_9()}) {
    for (const double start : {0.2, 0.9, 1.7}) {
      constexpr double h = 1e-3;
      Pendulum pendulum(setup);
      Vec3 centers[3], force;
      double energies[3], power = 0;
      for (const int i : {0, 1, 2}) {
        pendulum.advance(start + i * h);
        centers[i] = center_of(pendulum);
        energies[i] = pendulum.energy();
        const Vec3 F = pendulum.contact_force();
        if (i == 1) force = F;
        power += (i == 1 ? 4.0 : 1.0) / 6 * F.dot(pendulum.top_velocity());  // Simpson's rule
      }
      const Vec3 acceleration = (centers[2] - 2 * centers[1] + centers[0]) / (h * h);
      EXPECT_LT((2 * acceleration - force - Vec3(0, 0, -2 * setup.gravity)).norm(), 1e-3 * force.norm()) << start;
      EXPECT_NEAR(energies[2] - energies[0], 2 * h * power, 1e-9) << start;
      if (setup.friction == 0) {
        EXPECT_NEAR(energies[2], energies[0], 1e-10);
      }
    }
  }
}

/// The same start turned about the vertical gives the same motion turned.
TEST(Bhalerao2009Pendulum, KnowsNoDirectionOfThePlane) {
  const Mat3 turn = turned_123({0, 0, 0.7});
  PendulumSetup setup = bhalerao2009::figure_8(), turned = setup;
  turned.R_A = turn * setup.R_A;
  turned.R_B = turn * setup.R_B;
  turned.velocity = turn * setup.velocity;
  Pendulum one(setup), other(turned);
  one.advance(1.5);
  other.advance(1.5);
  EXPECT_LT((turn * one.top() - other.top()).norm(), 1e-10);
  EXPECT_LT((turn * one.R_B() - other.R_B()).norm(), 1e-9);
}

/// A slide in the plane is one in space that stays there.
TEST(Bhalerao2009Pendulum, InAPlaneIsAsInSpace) {
  PendulumSetup planar = bhalerao2009::figure_9();
  planar.position.z() = 0;
  planar.velocity = Vec3(2, 0, 0);
  PendulumSetup spatial = planar;
  spatial.planar = false;
  Pendulum one(planar), other(spatial);
  one.advance(0.3);
  other.advance(0.3);
  ASSERT_EQ(one.motion(), TopMotion::slide);
  EXPECT_LT((one.top() - other.top()).norm(), 1e-12);
  EXPECT_LT((one.R_B() - other.R_B()).norm(), 1e-12);
}

/// Bounces without friction and loss keep the energy; with e the normal speed is e times what it was, and no impact
/// gains.
TEST(Bhalerao2009Pendulum, Bounces) {
  PendulumSetup elastic = bhalerao2009::figure_10();
  elastic.friction = 0;
  elastic.restitution = 1;
  Pendulum pendulum(elastic);
  const double energy = pendulum.energy();
  pendulum.advance(1);
  ASSERT_GT(pendulum.events().size(), 1u);
  EXPECT_NEAR(pendulum.energy(), energy, 1e-9);

  const double touch = std::sqrt(2 * 0.5 / 9.81);
  Pendulum before(bhalerao2009::figure_10()), after(bhalerao2009::figure_10());
  before.advance(touch - 1e-10);
  after.advance(touch + 1e-10);
  EXPECT_NEAR(after.top_velocity().z(), -0.7 * before.top_velocity().z(), 1e-7);
  EXPECT_LT(after.energy(), before.energy());
}

TEST(Bhalerao2009, AnglesComeBackFromTheirRotations) {
  for (const Vec3& angles : {Vec3(0, 2, 0), Vec3(2, 0, 0), Vec3(-3, 1.2, 7), Vec3(0.3, -2.5, -9)}) {
    EXPECT_LT((angles_123(turned_123(angles), angles + Vec3(0.2, -0.3, 0.1)) - angles).norm(), 1e-12);
  }
}

// --------------------------------------------------------------------------------------------- what makes it fail

struct Wrong {
  const char *file, *from, *to;
  Figure figure;
};

class Bhalerao2009Wrong : public testing::TestWithParam<Wrong> {};

TEST_P(Bhalerao2009Wrong, SceneFails) {
  const Wrong& wrong = GetParam();
  const std::string own = wrong.file + std::to_string(::getpid());
  const fs::path folder = fs::temp_directory_path() / ("carom_bhalerao2009_" + own);
  fs::create_directories(folder);
  fs::copy(scenes + "/bhalerao2009", folder / "bhalerao2009");
  const fs::path file = folder / "bhalerao2009" / (std::string(wrong.file) + ".yaml");
  std::string text;
  {
    std::ifstream in(file);
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  const std::size_t at = text.find(wrong.from);
  ASSERT_NE(at, std::string::npos) << wrong.file;
  std::ofstream(file) << text.replace(at, std::string(wrong.from).size(), wrong.to);
  const Validation validation = validated(wrong.figure, folder.string());
  fs::remove_all(folder);
  EXPECT_TRUE(std::any_of(validation.entries.begin(), validation.entries.end(),
                          [](const ValidationEntry& entry) { return !entry.pass; }));
}

INSTANTIATE_TEST_SUITE_P(All, Bhalerao2009Wrong,
                         testing::Values(Wrong{"frictionless", "mass: 1,", "mass: 1.1,", figures[0]},
                                         Wrong{"loop", "mass: 1,", "mass: 1.1,", sizes},
                                         Wrong{"sliding", "moments: [1, 2, 3]", "moments: [1, 2, 2.9]", figures[1]},
                                         Wrong{"planar", "friction: 0.2", "friction: 0.19", figures[2]},
                                         Wrong{"bouncing", "restitution: 0.7", "restitution: 0.69", figures[3]}),
                         [](const auto& info) { return std::string(info.param.file); });

}  // namespace
}  // namespace carom::bhalerao2009_test
