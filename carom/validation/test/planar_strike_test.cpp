#include "carom/validation/planar_strike.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "carom/contact/contact_finder.h"
#include "carom/dynamics/recursions.h"
#include "carom/error.h"
#include "carom/scene/scene_text.h"
#include "carom/study/law_landings.h"
#include "carom/validation/planar_fits.h"
#include "planar_closed_forms.h"
#include "testing/folders.h"

namespace carom::planar_strike_test {
namespace {

using test::PlanarContact;
using test::RouthEnd;

constexpr double k = 0.0192;
constexpr double friction = 0.23, restitution = 0.6;

std::string scene_file() { return source_folder() + "/scenes/planar_impacts/ellipse.yaml"; }

/// The ellipse's scene by a law, as fits make it.
Scene scene_of(const MethodChoice& method, double mu, double e, double dissipation = 0) {
  PlanarLaw law;
  law.method = method;
  law.fixed = {{"friction", mu}, {"restitution", e}, {"dissipation", dissipation}};
  return planar_scene(read_scene_text(scene_file()), scene_file(), law, {});
}

Scene scene_of(LawKind law, double mu = friction, double e = restitution) {
  return scene_of({StepperKind::event_driven, law}, mu, e);
}

/// Impacts with arms of a body that is 70 mm wide, which slide, reverse and stick.
std::vector<PlanarImpact> made_impacts(int count, double mu = friction) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> across(-0.03, 0.03), up(-0.035, -0.02), speed(-2, 2), spin(-30, 30);
  std::vector<PlanarImpact> impacts;
  while (static_cast<int>(impacts.size()) < count) {
    PlanarImpact impact;
    impact.number = static_cast<std::int64_t>(impacts.size());
    impact.contact = {across(random), up(random)};
    impact.before = {speed(random), speed(random) - 2, spin(random)};
    const PlanarContact contact(impact, k);
    if (contact.u[1] < -0.1 && contact.is_tame(mu)) impacts.push_back(impact);
  }
  return impacts;
}

double largest_miss(const Scene& scene, const std::vector<PlanarImpact>& impacts,
                    const std::function<Vec2(const PlanarContact&)>& impulse) {
  const PlanarStrikes strikes = strike_all(scene, impacts);
  double worst = 0;
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    const PlanarContact contact(impacts[i], k);
    const Vec3 missed = strikes.after[i] - contact.after(impulse(contact));
    worst = std::max(worst, Vec3(missed[0], missed[1], k * missed[2]).norm());
  }
  return worst;
}

constexpr double tolerance = 1e-9;  // m/s, of velocities of some m/s

TEST(PlanarStrike, NewtonsLawIsOneProblem) {
  EXPECT_LT(largest_miss(scene_of(LawKind::newton), made_impacts(300),
                         [](const PlanarContact& c) { return newton_impulse(c, friction, restitution); }),
            tolerance);
}

TEST(PlanarStrike, WithoutFrictionTheNormalVelocityAloneIsReversed) {
  EXPECT_LT(largest_miss(scene_of(LawKind::newton, 0), made_impacts(300),
                         [](const PlanarContact& c) { return Vec2(0, -(1 + restitution) * c.u[1] / c.nn); }),
            tolerance);
}

TEST(PlanarStrike, ThePlasticLawIsOneProblemWithoutRebound) {
  EXPECT_LT(largest_miss(scene_of(LawKind::plastic, friction, 0), made_impacts(300),
                         [](const PlanarContact& c) { return newton_impulse(c, friction, 0); }),
            tolerance);
}

TEST(PlanarStrike, PoissonsLawIsOneProblemForEitherPhase) {
  EXPECT_LT(largest_miss(scene_of(LawKind::poisson), made_impacts(300),
                         [](const PlanarContact& c) { return poisson_impulse(c, friction, restitution); }),
            tolerance);
}

TEST(PlanarStrike, PlusIsRouthsMethodWithPoissonsRestitution) {
  EXPECT_LT(
      largest_miss(scene_of(LawKind::plus), made_impacts(300),
                   [](const PlanarContact& c) { return routh_impulse(c, friction, restitution, RouthEnd::poisson); }),
      tolerance);
}

TEST(PlanarStrike, StrongesLawIsRouthsMethodWithEnergeticRestitution) {
  EXPECT_LT(
      largest_miss(scene_of(LawKind::stronge), made_impacts(300),
                   [](const PlanarContact& c) { return routh_impulse(c, friction, restitution, RouthEnd::energetic); }),
      tolerance);
}

TEST(PlanarStrike, LzbOfOneContactIsTheSameButForTheSlipThatItTakesForNone) {
  const std::vector<PlanarImpact> impacts = made_impacts(300);
  const auto routh = [](const PlanarContact& c) {
    return routh_impulse(c, friction, restitution, RouthEnd::energetic);
  };
  // As methods have it, slips below 1e-5 of the largest speed, here 5 m/s, are none.
  EXPECT_LT(largest_miss(scene_of(LawKind::lzb), impacts, routh), 5e-5);
  // The law itself with as small a slip as round-off allows.
  LzbOptions options;
  options.accuracy = 1e-13;
  options.slip_tolerance = 1e-12;
  Block block;
  block.kind = BlockKind::cone;
  block.friction.setConstant(friction);
  ImpactSurface surface;
  surface.restitution = restitution;
  LzbLaw law;
  double worst = 0;
  for (const PlanarImpact& impact : impacts) {
    const PlanarContact c(impact, k);
    Mat3 A;
    A << c.tt, 0, c.tn, 0, 0, 0, c.tn, 0, c.nn;
    const Vec3 u(c.u[0], 0, c.u[1]);
    VectorX p(3), after(3);
    const ImpactOutcome outcome = law.solve({A, u, {&block, 1}, {&surface, 1}}, options, p, after);
    EXPECT_EQ(outcome.status, ImpactStatus::resolved);
    worst = std::max(worst, (Vec2(p[0], p[2]) - routh(c)).norm());
  }
  EXPECT_LT(worst, 5 * tolerance);  // 1e-9 of the largest speed
}

TEST(PlanarStrike, CompliantContactsThatSlideReboundAsHuntAndCrossleySay) {
  // With so little friction slip lasts; then friction is a share of the normal force, and the rebound is that of one
  // degree of freedom.
  constexpr double mu = 0.05, dissipation = 0.3;
  std::vector<PlanarImpact> impacts;
  for (const PlanarImpact& impact : made_impacts(300, mu)) {
    const PlanarContact c(impact, k);
    const double s = c.u[0] > 0 ? 1 : -1, P = -2 * c.u[1] / (c.nn - mu * s * c.tn);
    if (s * c.u[0] > 0.1 && s * (c.u[0] + (c.tn - mu * s * c.tt) * P) > 0.1) impacts.push_back(impact);
  }
  ASSERT_GT(impacts.size(), 50u);
  Scene scene = scene_of({StepperKind::compliant, LawKind::none}, mu, 0, dissipation);
  scene.method.tolerance = 1e-12;
  EXPECT_LT(largest_miss(scene, impacts,
                         [](const PlanarContact& c) {
                           const double e = test::hunt_crossley_rebound(dissipation, -c.u[1]);
                           const double s = c.u[0] > 0 ? 1 : -1;
                           const double P = -(1 + e) * c.u[1] / (c.nn - mu * s * c.tn);
                           return Vec2(-mu * s * P, P);
                         }),
            tolerance);
}

TEST(PlanarStrike, IsWhatStudiesOfImpactsMakeOfTheSceneItself) {
  // The ellipse where it touches the floor, found by its shape, under the handler that steppers use.
  const Scene scene = scene_of(LawKind::stronge);
  ImpactAtHand hand;
  hand.model = scene.model;
  hand.method = scene.method;
  for (const double angle : {0.0, 0.4, 1.1, 2.5, -0.7}) {
    const double slope = 0.035 * 0.035 - 0.025 * 0.025;
    const double s = std::sin(angle), c = std::cos(angle);
    const double height = std::sqrt(0.035 * 0.035 * s * s + 0.025 * 0.025 * c * c);
    PlanarImpact impact;
    impact.contact = {-slope * s * c / height, -height};
    impact.before = {0.7, -1.9, 6};
    hand.q = Vec3(0.3, height, angle);
    hand.v = impact.before;
    DynamicsWorkspace workspace(*hand.model);
    forward_kinematics(*hand.model, hand.q, workspace);
    ContactFinder finder(*hand.model);
    hand.contacts = finder.find(*hand.model, hand.q, workspace.X_WB, 1e-6);
    ASSERT_EQ(hand.contacts.size(), 1u);
    hand.strikes = {1};
    const Vec3 point = hand.contacts.front().p_WA;
    EXPECT_NEAR(point.x() - 0.3, impact.contact[0], 1e-12);
    const VectorX expected = law_landings(hand, {LawKind::stronge}).front().v;
    EXPECT_LT((PlanarStrike(scene).after(impact) - expected).norm(), 1e-9);
  }
}

TEST(PlanarStrike, LeavesAloneWhatParts) {
  PlanarImpact impact;
  impact.contact = {0.01, -0.03};
  impact.before = {0.5, 1, 2};
  EXPECT_EQ(PlanarStrike(scene_of(LawKind::stronge)).after(impact), impact.before);
}

TEST(PlanarStrike, RefusesASceneThatIsNoPlanarBody) {
  try {
    PlanarStrike strike(load_scene(source_folder() + "/scenes/bouncing_ball.yaml"));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("planar"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace carom::planar_strike_test
