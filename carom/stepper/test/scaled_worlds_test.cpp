// Worlds whose lengths, masses and times are multiplied by powers of two. Multiplication by these loses no digit. If
// nothing in the physics has a size of its own, each number of a motion must be the other's, multiplied, to the last
// bit.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::scaled_worlds_test {
namespace {

/// One metre, kilogram and second of a world's plan, in those of the model.
struct Units {
  double length = 1, mass = 1, time = 1;

  double speed() const { return length / time; }
  double force() const { return mass * speed() / time; }
  double torque() const { return force() * length; }
  double inertia() const { return mass * length * length; }
  Vec3 lengths(double x, double y, double z) const { return length * Vec3(x, y, z); }
  Vec3 speeds(double x, double y, double z) const { return speed() * Vec3(x, y, z); }
  Vec3 gravity() const { return speed() / time * Vec3(0, 0, -9.81); }
};

struct World {
  ModelBuilder builder;
  State start;
  double limit_stiffness = 0;  ///< of limits that are angles, or of ropes
  bool rubs_by_angle = false;  ///< its dry friction is that of joints
  bool mixes_units = false;    ///< rows in m/s and in rad/s, N s and N m s, in one problem
};

Material material(const Units& in, double friction) {
  Material material{"surface", Vec2::Constant(friction), 0.0};
  material.youngs_modulus = 1e7 * in.force() / (in.length * in.length);
  material.contact_radius *= in.length;
  material.dissipation = 0.5 / in.speed();
  return material;
}

test::SceneMaker on_floor(const Units& in, double friction) {
  test::SceneMaker scene(friction);
  scene.builder = ModelBuilder();
  scene.builder.set_gravity(in.gravity());
  scene.material = scene.builder.add_material(material(in, friction));
  scene.add_static(HalfSpace{});
  return scene;
}

World of_scene(const test::SceneMaker& scene) { return {scene.builder, scene.state()}; }

/// A box falls onto an edge and tumbles on; a ball slides and begins to roll.
World tumbling(const Units& in) {
  test::SceneMaker scene = on_floor(in, 0.4);
  scene.add(Box{in.lengths(0.1, 0.07, 0.05)}, 2 * in.mass, in.lengths(0, 0, 0.15), in.speeds(1, 0.3, -0.5),
            Quaternion(0.8, 0.3, -0.1, 0.2).normalized(), Vec3(2, -1, 0.5) / in.time);
  scene.add(Sphere{0.1 * in.length}, in.mass, in.lengths(0, 1, 0.1), in.speeds(0.2, 0.1, 0));
  return of_scene(scene);
}

/// Three bricks on one another, each a little aside of the one below.
World stacked(const Units& in) {
  test::SceneMaker scene = on_floor(in, 0.5);
  for (int i = 0; i < 3; ++i) {
    scene.add(Box{in.lengths(0.1, 0.08, 0.04)}, (1 + i) * in.mass, in.lengths(0.01 * i, 0.003 * i, 0.04 + 0.08 * i));
  }
  return of_scene(scene);
}

/// Two links that swing against a joint limit and a spring; the tip strikes the floor.
World swinging(const Units& in) {
  ModelBuilder builder;
  builder.set_gravity(in.gravity());
  const int surface = builder.add_material(material(in, 0.3));
  for (int i = 0; i < 2; ++i) {
    const Mat3 central = 0.01 * in.inertia() * Mat3::Identity();
    const int link = builder.add_body("link" + std::to_string(i), {in.mass, in.lengths(0.2, 0, 0), central});
    Joint joint = test::hinge_about_y(link - 1, i == 0 ? Vec3::Zero() : in.lengths(0.4, 0, 0), "hinge");
    joint.damping = test::one(0.02 * in.torque() * in.time);
    if (i == 1) {
      joint.stiffness = test::one(2 * in.torque());
      joint.lower = test::one(-0.3);
      joint.upper = test::one(0.25);
    }
    builder.add_joint(link, joint);
  }
  builder.add_collider({"tip", 1, Sphere{0.05 * in.length}, {Mat3::Identity(), in.lengths(0.4, 0, 0)}, surface});
  builder.add_collider({"floor", -1, HalfSpace{}, {Mat3::Identity(), in.lengths(0, 0, -0.5)}, surface});
  State start;
  start.q = Vec2(0.1, 0.1);
  start.v = Vec2(0, 3) / in.time;
  return {builder, start, 1e3 * in.torque(), false, true};
}

/// A pendulum that swings against its joint limit, a spring, and dry friction.
World rubbing(const Units& in) {
  ModelBuilder builder;
  builder.set_gravity(in.gravity());
  const int link = builder.add_body("link", {in.mass, in.lengths(0.2, 0, 0), 0.01 * in.inertia() * Mat3::Identity()});
  Joint joint = test::hinge_about_y(-1, Vec3::Zero(), "hinge");
  joint.friction = test::one(0.1 * in.torque());
  joint.stiffness = test::one(2 * in.torque());
  joint.lower = test::one(-0.5);
  joint.upper = test::one(0.25);
  builder.add_joint(link, joint);
  State start;
  start.q = test::one(0.1);
  start.v = test::one(2 / in.time);
  return {builder, start, 1e3 * in.torque(), true};
}

/// A four-bar linkage whose crank a servo turns.
World linkage(const Units& in) {
  ModelBuilder builder;
  builder.set_gravity(in.gravity());
  test::add_four_bar(builder, in.mass, in.length);
  Drive servo{"servo", DriveKind::servo, 0, 0, {}};
  servo.value.sinusoids = {{1, 2 / in.time, 0}};
  servo.stiffness = 50 * in.torque();
  servo.damping = in.torque() * in.time;
  servo.limit = 8 * in.torque();
  builder.add_drive(servo);
  // Crank level to the right: the coupler's far end lies above the middle of the other two bearings' distance.
  const double apart = 0.2, rise = std::acos(apart / 2 / 0.3);
  State start;
  start.q = Vec3(0, -rise, -(M_PI - rise));
  start.v = Vec3::Zero();
  return {builder, start, 1e3 * in.torque(), false, true};
}

/// A ball on a rope that tightens, and one on a band.
World hung(const Units& in) {
  test::SceneMaker scene = on_floor(in, 0.2);
  for (int i = 0; i < 2; ++i) {
    const Vec3 place = in.lengths(0, i, 1);
    const int ball = scene.add(Sphere{0.05 * in.length}, in.mass, place, in.speeds(2, 0.1, 0));
    Constraint line;
    line.name = i == 0 ? "rope" : "band";
    line.kind = i == 0 ? ConstraintKind::rope : ConstraintKind::spring;
    line.body_a = ball;
    line.X_BG.p = place + in.lengths(0, 0, 0.3);
    line.length = 0.31 * in.length;
    if (i == 1) {
      line.stiffness = 200 * in.force() / in.length;
      line.side = SpringSide::pull;
    }
    scene.builder.add_constraint(line);
  }
  World world = of_scene(scene);
  world.limit_stiffness = 1e5 * in.force() / in.length;
  return world;
}

struct Plan {
  const char* name;
  World (*build)(const Units&);
};
constexpr Plan plans[] = {{"tumbling", tumbling}, {"stacked", stacked}, {"swinging", swinging},
                          {"rubbing", rubbing},   {"linkage", linkage}, {"hung", hung}};

Method method_of(StepperKind stepper, LawKind law, const Units& in, const World& world) {
  Method method = test::with_step(0.004 * in.time, stepper, law);
  method.cone = FrictionCone::exact;
  // A length for surfaces and an angle for limits: where there are both, what lies so near is none of the motion's.
  method.proximity = (world.mixes_units ? 1e-9 : 1e-5) * (world.rubs_by_angle ? 1 : in.length);
  method.plus.transition_speed *= in.speed();
  method.compliant.transition_speed *= world.rubs_by_angle ? 1 / in.time : in.speed();
  method.compliant.limit_stiffness = world.limit_stiffness;
  return method;
}

/// States after each step, in the plan's units.
std::vector<State> run(const Plan& plan, StepperKind stepper, LawKind law, const Units& in, int steps) {
  const World world = plan.build(in);
  const auto model = std::make_shared<const Model>(world.builder.build());
  Simulation simulation(model, method_of(stepper, law, in, world), world.start);
  std::vector<State> states;
  for (int i = 0; i < steps; ++i) {
    simulation.step();
    State state = simulation.state();
    for (const Joint& joint : model->joints()) {
      if (joint.type == JointType::free) {
        state.q.segment<3>(joint.q_index + 4) /= in.length;
        state.v.segment<3>(joint.v_index + 3) /= in.length;
      }
    }
    state.v *= in.time;
    state.time /= in.time;
    states.push_back(state);
  }
  return states;
}

/// Largest difference that another choice of units may make; 0: none.
double allowed(StepperKind stepper, LawKind law, bool mixes_units) {
  // Newton's method on all unknowns of a step ends at its tolerance, on a system that is scaled by their sizes.
  if (is_implicit_in_geometry(test::with_step(1, stepper))) return 1e-9;
  // Its iteration ends elsewhere by 1e-7 where the box tumbles with lengths of 2⁻¹⁰ and less; why is not known.
  if (stepper == StepperKind::variational) return 1e-6;
  // Forces of its contacts are powers of the compression.
  if (stepper == StepperKind::compliant) return 1e-6;
  // These laws integrate logarithms and powers, which round as they like; what rests by 1e-13 may part by it later.
  if (law == LawKind::stronge || law == LawKind::lzb) return 1e-5;
  // A problem's residual is the worst of its rows', each over the largest impulse, whatever its unit.
  if (!mixes_units) return 0;
  return stepper == StepperKind::semi_explicit ? 1e-4 : 1e-9;
}

double difference(const State& a, const State& b) {
  return std::max((a.q - b.q).lpNorm<Eigen::Infinity>(), (a.v - b.v).lpNorm<Eigen::Infinity>());
}

using Kind = std::pair<StepperKind, LawKind>;

class ScaledWorlds : public testing::TestWithParam<std::tuple<Kind, int>> {};

TEST_P(ScaledWorlds, MoveAlike) {
  const auto [kind, number] = GetParam();
  const Plan& plan = plans[number];
  constexpr double much = 1024, little = 1.0 / 1024;
  constexpr Units others[] = {{much, 1, 1},
                              {little, 1, 1},
                              {1, much, 1},
                              {1, little, 1},
                              {1, 1, much},
                              {1, 1, little},
                              {much, little, 1},
                              {little, little, little},
                              {little * little, little * little, little}};
  // Differences of a solver's tolerance grow as the box tumbles.
  const int steps = is_implicit_in_geometry(test::with_step(1, kind.first)) ? 10 : 60;
  const std::vector<State> plain = run(plan, kind.first, kind.second, {}, steps);
  for (const Units& units : others) {
    // Rows in N s beside rows in N m s: a loop and a servo of micrometres, in metres, are not solved.
    if (plan.build(units).mixes_units && units.length < little) continue;
    const std::vector<State> scaled = run(plan, kind.first, kind.second, units, steps);
    const double most_allowed = allowed(kind.first, kind.second, plan.build(units).mixes_units && units.length != 1);
    int first = 0;
    double at_first = 0, most = 0;
    for (int i = 0; i < steps; ++i) {
      const double off = difference(plain[i], scaled[i]);
      if (off > 0 && first == 0) first = i + 1, at_first = off;
      most = std::max(most, off);
      ASSERT_TRUE(std::isfinite(off)) << i;
    }
    EXPECT_LE(most, most_allowed) << "first after " << first << " steps by " << at_first << ", with lengths times "
                                  << units.length << ", masses times " << units.mass << ", times times " << units.time;
  }
}

std::vector<Kind> kinds() {
  std::vector<Kind> kinds;
  for (const StepperKind stepper : all_steppers()) {
    Method method = test::with_step(0.01, stepper);
    if (!has_impacts(method)) kinds.emplace_back(stepper, LawKind::none);
    if (!has_impacts(method)) continue;
    for (const LawKind law : all_laws()) {
      if (go_together(stepper, law) && stepper == StepperKind::event_driven) kinds.emplace_back(stepper, law);
    }
    if (stepper != StepperKind::event_driven) kinds.emplace_back(stepper, LawKind::plastic);
  }
  return kinds;
}

std::string label(const testing::TestParamInfo<std::tuple<Kind, int>>& info) {
  const Kind& kind = std::get<0>(info.param);
  std::string name = stepper_name(kind.first) + "_" + law_name(kind.second) + "_" + plans[std::get<1>(info.param)].name;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(AllSteppersAndLaws, ScaledWorlds,
                         testing::Combine(testing::ValuesIn(kinds()), testing::Range(0, int(std::size(plans)))), label);

}  // namespace
}  // namespace carom::scaled_worlds_test
