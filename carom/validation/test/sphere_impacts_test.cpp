#include "carom/validation/sphere_impacts.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "carom/contact/contact_finder.h"
#include "carom/dynamics/recursions.h"
#include "carom/error.h"
#include "carom/impact/test/sprung_plane.h"
#include "carom/record/test/test_folder.h"
#include "carom/scene/scene_text.h"
#include "carom/study/law_landings.h"
#include "carom/validation/planar_strike.h"
#include "carom/validation/sphere_strike.h"
#include "testing/folders.h"

namespace carom::sphere_impacts_test {
namespace {

namespace fs = std::filesystem;

const std::string scenes = source_folder() + "/scenes";

SphereScene sphere_of(const std::string& name) {
  return SphereScene(load_scene(scenes + "/sphere_impacts/" + name + ".yaml"));
}

/// Normal velocity and slip of the contact point.
Vec2 at_contact(const SphereScene& sphere, const Vec3& v) { return {v[0] + sphere.radius * v[2], v[1]}; }

/// The law's impacts equal those that SprungPlane integrates with small steps.
TEST(SphereStrike, ASpringOfTheScenesEqualsAnotherIntegration) {
  for (const char* name : {"alumina_sprung", "steel_sprung"}) {
    const SphereScene sphere = sphere_of(name);
    const double nu = std::string(name) == "alumina_sprung" ? 0.23 : 0.3;
    const Eigen::Matrix2d A = Eigen::Vector2d(3.5, 1).asDiagonal();
    Scene exact = sphere.scene;
    exact.method.lzb_accuracy = 1e-11;
    PlanarStrike strike(sphere.scene), exact_strike(exact);
    int back = 0;
    for (const double degrees : {2.0, 5.0, 10.0, 20.0, 30.0, 45.0, 60.0, 80.0}) {
      const PlanarImpact impact = sphere.impact(SphereSweep::incidence, degrees);
      const TangentialSpring spring{2 * (1 - nu) / (2 - nu), 1};
      const Vec2 expected =
          test::SprungPlane(A, at_contact(sphere, impact.before), sphere.friction, sphere.restitution, 1.5, spring)
              .after();
      const auto miss = [&](PlanarStrike& by) { return (at_contact(sphere, by.after(impact)) - expected).norm(); };
      EXPECT_LT(miss(exact_strike), 1e-5 * sphere.speed) << name << ", " << degrees;
      EXPECT_LT(miss(strike), 5e-5 * sphere.speed) << name << ", " << degrees;
      back += expected[0] < 0 ? 1 : 0;
    }
    EXPECT_GE(back, 2) << "too few spring back to test anything";
  }
}

/// A sphere in space, found where it touches the wall, without the plane that the scene's joint holds it in.
TEST(SphereStrike, IsWhatASphereThatMovesFreelyDoes) {
  const char* text = R"(carom: 1
name: free sphere
gravity: [0, 0, 0]
materials:
  - {name: sphere, friction: 0.092, restitution: 0.98, youngs_modulus: 380e9, poisson_ratio: 0.23, tangential_spring: {}}
  - {name: wall, friction: 0.092, restitution: 0.98}
combination: {friction: average, restitution: average}
world: {shapes: [{type: half-space, name: wall, material: wall}]}
bodies:
  - {name: ball, density: 4000, position: [0, 0, 2.5e-3], shapes: [{type: sphere, radius: 2.5e-3, material: sphere}]}
method: {stepper: event-driven, law: lzb, step: 1e-4}
duration: 1e-3
)";
  const Scene scene = parse_scene(text, "free.yaml");
  const SphereScene sphere = sphere_of("alumina_sprung");
  ImpactAtHand hand;
  hand.model = scene.model;
  hand.method = scene.method;
  hand.q = scene.initial.q;
  DynamicsWorkspace workspace(*hand.model);
  forward_kinematics(*hand.model, hand.q, workspace);
  ContactFinder finder(*hand.model);
  hand.contacts = finder.find(*hand.model, hand.q, workspace.X_WB, 1e-9);
  ASSERT_EQ(hand.contacts.size(), 1u);
  hand.strikes = {1};
  for (const double degrees : {8.0, 25.0, 50.0}) {
    const PlanarImpact impact = sphere.impact(SphereSweep::incidence, degrees);
    const Vec3 expected = PlanarStrike(sphere.scene).after(impact);
    hand.v = VectorX::Zero(6);  // angular velocity, then that of the centre
    hand.v[3] = impact.before[0];
    hand.v[5] = impact.before[1];
    const VectorX after = law_landings(hand, {LawKind::lzb}).front().v;
    EXPECT_NEAR(after[3], expected[0], 1e-6) << degrees;
    EXPECT_NEAR(after[4], 0, 1e-9) << degrees;
    EXPECT_NEAR(after[5], expected[1], 1e-6) << degrees;
    EXPECT_NEAR(after[1], -expected[2], 1e-6 / sphere.radius) << degrees;  // the plane's angle turns about -y
  }
}

/// A sphere rolls from where its slip stops: v = 5/7 of the speed along the wall. Beyond tan θ = 7/2 μ (1 + e) the
/// whole friction brakes it.
TEST(SphereStrike, RouthsSphereSticksUpToItsAngleAndSlidesBeyond) {
  const SphereScene sphere = sphere_of("alumina");
  const double limit = std::atan(3.5 * 0.092 * 1.98) * 180 / std::numbers::pi;
  const Vec3 slow = sphere.impact(SphereSweep::incidence, limit - 0.1).before, sticks = sphere.routh(slow);
  EXPECT_NEAR(sticks[0], 5.0 / 7 * slow[0], 1e-12);
  EXPECT_NEAR(at_contact(sphere, sticks)[0], 0, 1e-12);
  const Vec3 fast = sphere.impact(SphereSweep::incidence, limit + 0.1).before, slides = sphere.routh(fast);
  EXPECT_NEAR(slides[0], fast[0] + 0.092 * 1.98 * fast[1], 1e-12);
  EXPECT_GT(at_contact(sphere, slides)[0], 1e-3);
  EXPECT_NEAR(slides[1], -0.98 * fast[1], 1e-12);
}

TEST(SphereStrike, RefusesASceneThatIsNoSphere) {
  EXPECT_THROW(SphereScene(load_scene(scenes + "/planar_impacts/square.yaml")), Error);
}

class SphereImpactsTest : public test::FolderTest {
 protected:
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  ValidationOptions options(const std::string& data) const {
    ValidationOptions options;
    options.scenes = scenes;
    options.data = data;
    options.output = path("out");
    return options;
  }
  static std::string sentence(const ValidationOptions& options) {
    try {
      validate_sphere_impacts(options);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
  nlohmann::json table() const {
    std::ifstream file(path("out") + "/sphere_impacts.json");
    return nlohmann::json::parse(file);
  }
};

/// Points that Coulomb's friction makes: a rigid law has no error there, and the spring has one.
TEST_F(SphereImpactsTest, ErrorsAreDistancesFromThePoints) {
  const SphereScene sphere = sphere_of("steel");
  std::string text = "quantity,curve,slip_before,value\n";
  for (const double x : {1.0, 3.0, 9.0}) {
    const double stuck = std::min(x / 7, 1.0);  // of the friction that slides
    text += "contact_slip,steel," + std::to_string(x) + "," + std::to_string(x - 7 * stuck + 0.25) + "\n";
    text += "spin,steel," + std::to_string(x) + "," + std::to_string(-5 * stuck) + "\n";
  }
  write("elastic_sphere.csv", text);
  const Validation validation = validate_sphere_impacts(options(path("elastic_sphere.csv")));
  const nlohmann::json steel = table()["steel"];
  for (const auto& law : steel["laws"]) {
    const double slip = law["errors"][0]["rms"], spin = law["errors"][1]["rms"];
    if (law["name"] == "newton") {
      EXPECT_NEAR(slip, 0.25, 2e-6);
      EXPECT_NEAR(spin, 0, 2e-6);
    } else if (law["name"] == "lzb_spring") {
      EXPECT_GT(spin, 0.1);
    }
  }
  for (const ValidationEntry& entry : validation.entries) {
    EXPECT_EQ(entry.pass, !entry.bound) << entry.figure << ", " << entry.quantity << ": " << entry.value;
  }
  for (const std::string& written : validation.files) EXPECT_TRUE(fs::exists(written)) << written;
}

TEST_F(SphereImpactsTest, SaysWhatIsWrong) {
  EXPECT_NE(sentence(options(path("none.csv"))).find("there is no such file or folder"), std::string::npos);
  EXPECT_NE(sentence(options(path(""))).find("neither alumina_sphere.csv nor elastic_sphere.csv"), std::string::npos);
  const std::string head = "quantity,curve,incidence_deg,value\n";
  const auto told = [&](const std::string& text, const std::string& part) {
    write("c.csv", text);
    EXPECT_NE(sentence(options(path("c.csv"))).find(part), std::string::npos) << sentence(options(path("c.csv")));
  };
  told("", "no curves can be read");
  told("a,b\n", "c.csv:1: the columns are a,b; they must be quantity,curve,incidence_deg,value");
  told(head, "there is no point");
  told(head + "spin,alumina,5\n", "c.csv:2: there are 3 cells");
  told(head + "spin,alumina,5,-3\nmass,alumina,5,1\n",
       "c.csv:3: there is no quantity 'mass'; there are: contact_rebound_");
  told(head + "spin,alumina,five,1\n", "'five' is no number");
  told(head + "spin,alumina,20 deg,1\n", "'20 deg' is no number");
  told(head + "spin,,20,1\n", "the curve has no name");
  told(head + "spin,alumina,90,1\n", "between 0 and 90");
  told("quantity,curve,slip_before,value\nspin,steel,0,1\n", "the slip must be above 0");
  told(head + "spin,granite,20,1\n", "granite_sprung.yaml: there is no such file");
  ValidationOptions given = options(path("c.csv"));
  write("c.csv", head + "spin,alumina,20,-510\n");
  given.laws = {"mach"};
  EXPECT_NE(sentence(given).find("no law of sphere_impacts is named 'mach'; there are: lzb_spring"), std::string::npos);
}

class MeasuredSphereImpactsTest : public SphereImpactsTest {
 protected:
  void SetUp() override {
    SphereImpactsTest::SetUp();
    if (!fs::exists(folder())) GTEST_SKIP() << "no curves: " << folder() << " (CAROM_DATA names their folder)";
  }
  static std::string folder() { return (data_folder() / "sphere_impacts").string(); }

  /// The scenes with a text of one of them replaced.
  std::string changed_scenes(const std::string& scene, const std::string& old, const std::string& put) const {
    fs::create_directories(path("scenes"));
    fs::copy(scenes + "/sphere_impacts", path("scenes") + "/sphere_impacts");
    const std::string file = path("scenes") + "/sphere_impacts/" + scene;
    std::string text = read_scene_text(file);
    const auto at = text.find(old);
    EXPECT_NE(at, std::string::npos);
    text.replace(at, old.size(), put);
    std::ofstream(file) << text;
    return path("scenes");
  }
};

TEST_F(MeasuredSphereImpactsTest, TheSpringMeetsReferenceAndExperimentAndRigidLawsMissAsPublished) {
  const Validation validation = validate_sphere_impacts(options(folder()));
  EXPECT_GE(validation.entries.size(), 60u);
  for (const ValidationEntry& entry : validation.entries) {
    EXPECT_TRUE(entry.pass) << entry.figure << ", " << entry.quantity << ": " << entry.value;
  }
  const nlohmann::json alumina = table()["alumina"];
  EXPECT_EQ(alumina["laws"].size(), 8u);
  EXPECT_EQ(alumina["curves"].size(), 6u);
}

TEST_F(MeasuredSphereImpactsTest, AnotherPoissonsRatioFailsIt) {
  ValidationOptions given = options(folder() + "/alumina_sphere.csv");
  given.scenes = changed_scenes("alumina.yaml", "poisson_ratio: 0.23", "poisson_ratio: 0.45");
  given.laws = {"lzb_spring", "newton"};
  int failed = 0;
  for (const ValidationEntry& entry : validate_sphere_impacts(given).entries) {
    if (entry.pass) continue;
    ++failed;
    EXPECT_EQ(entry.figure, "alumina, lzb_spring") << entry.quantity;
  }
  EXPECT_GE(failed, 2);
}

TEST_F(MeasuredSphereImpactsTest, MoreFrictionFailsRigidLawsToo) {
  ValidationOptions given = options(folder() + "/alumina_sphere.csv");
  given.scenes = changed_scenes("alumina.yaml", "friction: 0.092", "friction: 0.11");
  given.laws = {"newton"};
  int failed = 0;
  for (const ValidationEntry& entry : validate_sphere_impacts(given).entries) failed += entry.pass ? 0 : 1;
  EXPECT_GE(failed, 4);
}

/// The curves of steel and polyethylene do not have Mindlin's ratio, but about half of it. (1 % of an axis is 0.15 and
/// 0.06.)
TEST_F(MeasuredSphereImpactsTest, TheElasticReferenceHasHalfOfMindlinsRatio) {
  ValidationOptions given = options(folder() + "/elastic_sphere.csv");
  given.laws = {"lzb_spring"};
  validate_sphere_impacts(given);
  const nlohmann::json whole = table();
  given.scenes = changed_scenes("alumina_sprung.yaml", "spring_share: 1", "spring_share: 0.5");
  validate_sphere_impacts(given);
  const nlohmann::json half = table();
  for (const char* material : {"steel", "polyethylene"}) {
    for (std::size_t i = 0; i < half[material]["curves"].size(); ++i) {
      const double mindlin = whole[material]["laws"][0]["errors"][i]["rms"];
      const double halved = half[material]["laws"][0]["errors"][i]["rms"];
      if (half[material]["curves"][i]["curve"] == "finite_elements") {
        EXPECT_GT(halved, mindlin);  // elasticity itself has no such loss
      } else {
        EXPECT_LT(halved, 0.2 * mindlin);
      }
    }
  }
}

}  // namespace
}  // namespace carom::sphere_impacts_test
