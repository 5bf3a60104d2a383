// The law of one contact: exact Coulomb friction with torsion, layers, their limits, and that its problems are solved.

#include "carom/stepper/quasi_rigid/contact_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "carom/complementarity/mixed/jacobian_check.h"
#include "carom/stepper/quasi_rigid/unknown_count.h"
#include "carom/stepper/test/single_contact.h"

namespace carom::contact_law_test {
namespace {

using Vec4 = Eigen::Vector4d;

constexpr double h = 1e-3;

Layer springs(const Vec3& stiffness, const Vec3& damping = Vec3::Zero()) {
  Layer layer;
  layer.stiffness = stiffness.asDiagonal();
  layer.damping = damping.asDiagonal();
  layer.sideways = stiffness.head<2>().maxCoeff() > 0;
  return layer;
}

/// 2 kg and 0.01 kg m² that touch something at (u_t, u_o, u_n, w).
SingleContact touching(const Vec3& friction, const Vec4& velocity, const std::optional<Layer>& layer_a = {},
                       const std::optional<Layer>& layer_b = {},
                       SlipKinematics kinematics = SlipKinematics::of_layers) {
  SingleContact one{.law = ContactLaw(friction, layer_a, layer_b, kinematics, {.mass = 2})};
  one.M = Vec4(2, 2, 2, 0.01).asDiagonal();
  one.free_velocity = velocity;
  one.input.h = h;
  one.mass = 2;
  return one;
}

void solve(SingleContact& one) {
  const MixedNcpResult result = one.solve();
  ASSERT_EQ(result.status, NcpStatus::solved) << result.residual;
}

/// Everything that the law says, with sampled points of the friction ellipsoid against the one that was chosen.
void expect_lawful(const SingleContact& one, const Vec3& m, RandomContacts& random, const std::string& name) {
  const ElementOutcome outcome = one.law.outcome(one.end(), one.z(), 1e-6);
  const Vec4 p = one.impulse();
  const double p_n = p[2], gap = one.end().gap + outcome.end.total()[2];
  const double speed = 1 + one.free_velocity.lpNorm<Eigen::Infinity>(), size = one.mass * speed * speed;
  EXPECT_GE(p_n, 0) << name;
  // Change of the gap by a velocity or an impulse that matters.
  const double gap_size = h * speed + std::abs(one.law.rows(one.end(), one.z()).F_by_z(0, 0)) * one.mass * speed;
  EXPECT_GE(gap, -1e-9 * gap_size) << name;
  EXPECT_LE(p_n * std::abs(gap), 1e-9 * gap_size * (p_n + one.mass * speed)) << name;
  const Vec3 friction(p[0], p[1], p[3]);
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(m[k] > 0 || friction[k] == 0) << name;
    if (m[k] > 0) square += std::pow(friction[k] / m[k], 2);
  }
  EXPECT_LE(std::sqrt(square), p_n * (1 + 1e-8)) << name;
  const double chosen = -friction.dot(outcome.slip);
  EXPECT_NEAR(chosen, outcome.rubbed, 1e-12 * size) << name;
  for (int sample = 0; sample < 20; ++sample) {
    const Vec3 direction(random.uniform(), random.uniform(), random.uniform());
    const Vec3 other = p_n * m.cwiseProduct(direction.normalized());
    EXPECT_LE(-other.dot(outcome.slip), chosen + 1e-7 * size) << name;
  }
  EXPECT_GE(outcome.damped, 0);
  EXPECT_GE(outcome.rounded_off, 0);
  EXPECT_EQ(outcome.mode == ElementMode::open, p_n == 0) << name;
}

int random_count() { return std::getenv("CAROM_LONG") ? 10000 : 400; }

TEST(ContactLaw, is_solved_and_lawful_over_four_decades_of_everything) {
  RandomContacts random(11);
  std::vector<int> warm;
  for (int i = 0; i < random_count(); ++i) {
    const LayerFamily a = random.family(), b = random.family();
    // Layers that couple directions may leave friction of the bodies' own slip without a solution: see below.
    const bool couples = a == LayerFamily::coupled || b == LayerFamily::coupled;
    const auto kinematics = couples || random.coin() ? SlipKinematics::of_layers : SlipKinematics::of_bodies;
    SingleContact one = random.contact(kinematics, a, b);
    const std::string name = "problem " + std::to_string(i);
    const MixedNcpResult result = one.solve_on();
    ASSERT_EQ(result.status, NcpStatus::solved) << name << ", residual " << result.residual;
    // The next step, from the end of this one.
    const Vec4 last = one.impulse();
    Vec4 push(0, 0, -1, 0);
    for (double& each : push.head<3>()) each += random.uniform();
    one.advance(one.velocity() + 0.01 * push);
    one.start(last);
    const MixedNcpResult next = one.solve_on();
    ASSERT_EQ(next.status, NcpStatus::solved) << name << ", next step";
    warm.push_back(next.iterations);
  }
  std::nth_element(warm.begin(), warm.begin() + warm.size() / 2, warm.end());
  EXPECT_LE(warm[warm.size() / 2], 8);
}

TEST(ContactLaw, dissipates_the_most_that_its_ellipsoid_allows) {
  RandomContacts random(12);
  for (int i = 0; i < random_count() / 2; ++i) {
    const double length = 0.1, mass = random.about(1);
    const Vec3 m = random.friction(length);
    const auto layer_a = random.layer(random.family(), mass, h), layer_b = random.layer(random.family(), mass, h);
    SingleContact one{.law =
                          ContactLaw(m, layer_a, layer_b, SlipKinematics::of_layers, {.mass = mass, .length = length})};
    one.M = random.inertia(mass, length);
    one.mass = mass;
    one.length = length;
    one.input.h = h;
    one.input.start.of = {random.deflection(layer_a), random.deflection(layer_b)};
    one.gap = -one.input.start.total()[2] + (random.coin() ? 0 : h);
    for (double& each : one.free_velocity) each = random.uniform();
    one.free_velocity[2] -= 0.5;
    one.free_velocity[3] /= length;
    solve(one);
    expect_lawful(one, m, random, "problem " + std::to_string(i));
    // Never more energy after than before, layers' included.
    const double before = 0.5 * one.free_velocity.dot(one.M * one.free_velocity) + one.law.stored(one.input.start);
    const Vec4 u = one.velocity();
    const double after = 0.5 * u.dot(one.M * u) + one.law.stored(one.law.end(one.end(), one.z()));
    EXPECT_LE(after, before * (1 + 1e-8) + 1e-10 * mass) << i;
  }
}

TEST(ContactLaw, has_the_jacobian_of_its_rows) {
  RandomContacts random(13);
  for (int i = 0; i < 300; ++i) {
    const auto kinematics = random.coin() ? SlipKinematics::of_layers : SlipKinematics::of_bodies;
    SingleContact one = random.contact(kinematics, random.family(), random.family());
    if (random.coin()) one.law.set_creep(random.about(1));
    // Anywhere, open and closed, in the cone and out of it.
    one.x[2] += random.uniform();
    one.x[4] = one.mass * random.about(1);
    for (int k = 5; k < one.size(); ++k) one.x[k] = k + 1 == one.size() ? random.about(1) : random.uniform();
    const JacobianReport report =
        one.as_problem([&](const MixedNcp& problem) { return check_jacobian(problem, one.x, 1e-4); });
    EXPECT_TRUE(report.agrees) << i << ": " << report.sentence;
  }
}

TEST(ContactLaw, sticks_slides_and_spins_where_closed_forms_say_so) {
  const Vec3 m(0.5, 0.5, 0.02);
  // p_n = 2 kg · 1 m/s. It holds 1 N s and 0.04 N m s.
  SingleContact one = touching(m, Vec4(3, -4, -1, 0));
  solve(one);
  EXPECT_LE((one.impulse() - Vec4(-0.6, 0.8, 2, 0)).norm(), 1e-9) << "slides against (3, −4)";
  EXPECT_LE((one.velocity() - Vec4(2.7, -3.6, 0, 0)).norm(), 1e-9);
  EXPECT_TRUE(one.law.outcome(one.end(), one.z(), 1e-6).slides);
  EXPECT_FALSE(one.law.outcome(one.end(), one.z(), 1e-6).spins);

  one = touching(m, Vec4(0.3, 0.39, -1, 0));
  solve(one);
  EXPECT_LE((one.impulse() - Vec4(-0.6, -0.78, 2, 0)).norm(), 1e-9) << "held, by 0.984 of what friction has";
  EXPECT_EQ(one.law.outcome(one.end(), one.z(), 1e-6).mode, ElementMode::sticks);

  one = touching(m, Vec4(0, 0, -1, 7));
  solve(one);
  EXPECT_LE((one.impulse() - Vec4(0, 0, 2, -0.04)).norm(), 1e-9) << "spins on";
  EXPECT_NEAR(one.velocity()[3], 3, 1e-7);
  EXPECT_TRUE(one.law.outcome(one.end(), one.z(), 1e-6).spins);

  one = touching(m, Vec4(0, 0, -1, 3.9));
  solve(one);
  EXPECT_LE((one.impulse() - Vec4(0, 0, 2, -0.039)).norm(), 1e-9) << "spin is held";

  // m²/M equal along all axes: ŝ keeps its direction, here (3, 0, 4), and p̂ is against it.
  const Vec3 even(0.5, 0.25, 0.5);
  one = touching(even, Vec4(3 / 0.5, 0, -1, 4 / 0.5));
  one.M = Vec4(2, 0.5, 2, 2).asDiagonal();
  solve(one);
  EXPECT_LE((one.impulse() - Vec4(-0.6 * 0.5 * 2, 0, 2, -0.8 * 0.5 * 2)).norm(), 1e-9) << "slides and spins";

  one = touching(m, Vec4(3, -4, 1, 5));
  solve(one);
  EXPECT_EQ(one.impulse(), Vec4::Zero()) << "parts";
  EXPECT_EQ(one.law.outcome(one.end(), one.z(), 1e-6).mode, ElementMode::open);
}

TEST(ContactLaw, holds_where_nothing_presses) {
  // The approach goes to zero, and friction with it, whatever slips.
  for (const Vec4& along : {Vec4(1, 2, 0, 3), Vec4(0, 0, 0, 0), Vec4(1e-9, 0, 0, 0)}) {
    for (const double approach : {1e-2, 1e-6, 1e-10, 0.0, -1e-10, -1e-2}) {
      SingleContact one = touching(Vec3(0.7, 0.3, 0.01), along - approach * Vec4::Unit(2));
      solve(one);
      EXPECT_NEAR(one.impulse()[2], 2 * std::max(0.0, approach), 1e-9);
      EXPECT_LE(one.impulse().norm(), 2 * 1.3 * std::max(0.0, approach) + 1e-9);
    }
  }
}

TEST(ContactLaw, of_a_layer_is_a_spring_and_damper_by_backward_euler) {
  const double k = 5000, c = 3, g = 9.81, mass = 2;
  SingleContact one = touching(Vec3::Zero(), Vec4(0, 0, -0.3, 0), springs(Vec3(0, 0, k), Vec3(0, 0, c)));
  double v = -0.3, z = 0, delta = 0;
  int pressed = 0;
  for (int step = 0; step < 200; ++step) {
    v -= h * g;
    // m (v⁺ − v) = h k δ⁺ + c (δ⁺ − δ) and δ⁺ = −z − h v⁺, if that presses.
    double next = (-z - h * v + h * c * delta / mass) / (1 + h * (h * k + c) / mass);
    const double p = h * k * next + c * (next - delta);
    if (p > 0) {
      v += p / mass;
      ++pressed;
    } else {
      next = c * delta / (h * k + c);
    }
    delta = next;
    z += h * v;
    one.free_velocity[2] -= h * g;
    solve(one);
    // Every step is solved to 1e-10.
    EXPECT_NEAR(one.velocity()[2], v, 1e-8) << step;
    const Vec4 end = one.velocity();
    one.advance(end);
    EXPECT_NEAR(one.input.start.total()[2], delta, 1e-9) << step;
  }
  EXPECT_GT(pressed, 10);
  EXPECT_LT(pressed, 200) << "it leaves the layer again";
}

TEST(ContactLaw, is_that_of_rigid_bodies_in_the_limit) {
  const Vec3 m(0.4, 0.6, 0.01);
  const Vec4 velocity(1.5, -0.7, -2, 8);
  SingleContact rigid = touching(m, velocity);
  solve(rigid);
  double last = 1e300;
  for (const double k : {1e6, 1e8, 1e10, 1e12}) {
    SingleContact soft = touching(m, velocity, springs(Vec3(k, k, k)));
    solve(soft);
    const double difference = (soft.impulse() - rigid.impulse()).norm();
    EXPECT_LT(difference, last / 20) << "as 1/K";
    last = std::max(difference, 1e-8);
    // A layer that is nearly all core.
    Layer thin = springs(Vec3(0, 0, 1000));
    thin.thickness = 1 / k;
    SingleContact core = touching(m, velocity, thin);
    solve(core);
    EXPECT_LE((core.impulse() - rigid.impulse()).norm(), 10 / (h * k) + 1e-8);
    EXPECT_TRUE(core.law.outcome(core.end(), core.z(), 1e-6).on_core);
  }
  // A core that is never reached.
  Layer thick = springs(Vec3(4000, 4000, 4000)), endless = thick;
  thick.thickness = 1;
  SingleContact one = touching(m, velocity, thick), other = touching(m, velocity, endless);
  solve(one);
  solve(other);
  EXPECT_EQ(one.x, other.x);
}

TEST(ContactLaw, stops_on_the_core) {
  Layer layer = springs(Vec3(0, 0, 1000), Vec3(0, 0, 2));
  layer.thickness = 1e-3;
  SingleContact one = touching(Vec3::Zero(), Vec4(0, 0, -3, 0), layer);
  solve(one);
  const ElementOutcome outcome = one.law.outcome(one.end(), one.z(), 1e-6);
  EXPECT_NEAR(one.end().gap, -1e-3, 1e-12);
  EXPECT_TRUE(outcome.on_core);
  EXPECT_NEAR(outcome.spring_impulse, h * 1000 * 1e-3 + 2 * 1e-3, 1e-12);
  EXPECT_NEAR(outcome.spring_impulse + outcome.core_impulse, 2 * (3 - 1), 1e-8) << "from 3 m/s to δ°/h = 1 m/s";
  EXPECT_NEAR(outcome.stored_end, 0.5 * 1000 * 1e-6, 1e-14);
}

TEST(ContactLaw, with_slack_gives_way_later_and_has_its_core_where_it_was) {
  // Two springs in series, pressed by 0 to 3 N s. At an overlap d the layers are pressed in by its part beyond the
  // slack.
  Layer one = springs(Vec3(0, 0, 1000), Vec3::Zero()), other = springs(Vec3(0, 0, 3000), Vec3::Zero());
  one.thickness = 1e-3;
  other.thickness = 0.5e-3;
  const double slack_a = 0.4e-3, slack_b = 0.2e-3;
  ContactLaw law(Vec3::Zero(), one, other, SlipKinematics::of_bodies, {});
  const double whole = law.greatest_deflection();
  law.set_slack(slack_a, slack_b);
  EXPECT_NEAR(law.greatest_deflection(), whole, 1e-18) << "of the overlap";
  double last = 0;
  for (double p = 0; p < 3; p += 0.01) {
    ContactInput input;
    input.h = h;
    const VectorX z = VectorX::Constant(1, p);
    const double a = std::min(p / (h * 1000), 1e-3 - slack_a), b = std::min(p / (h * 3000), 0.5e-3 - slack_b);
    const LayerDeflections end = law.end(input, z);
    EXPECT_NEAR(end.of[0].z(), a, 1e-15);
    EXPECT_NEAR(end.of[1].z(), b, 1e-15);
    input.gap = -(slack_a + slack_b + a + b) + law.slack();
    EXPECT_NEAR(law.rows(input, z).F[0], 0, 1e-15) << "closed at the overlap of slack and springs";
    last = a + b + law.slack();
  }
  EXPECT_NEAR(last, whole, 1e-15) << "on the cores";
  law.set_slack(0, 0);
  EXPECT_NEAR(law.pressed_in(1).total().z(), whole, 1e-15) << "as before";
}

TEST(ContactLaw, of_two_layers_bears_one_impulse) {
  // C proportional to K: springs in series.
  const Vec3 K(3000, 5000, 8000), C(2, 4, 5);
  const Vec4 velocity(0.4, 0.9, -1, 2);
  const Vec3 m(0.3, 0.6, 0.004);
  SingleContact two = touching(m, velocity, springs(3 * K, 3 * C), springs(1.5 * K, 1.5 * C));
  SingleContact one = touching(m, velocity, {}, springs(K, C));
  for (int step = 0; step < 30; ++step) {
    solve(two);
    solve(one);
    EXPECT_LE((two.impulse() - one.impulse()).norm(), 1e-8) << step;
    two.advance(two.velocity());
    one.advance(one.velocity());
    EXPECT_LE((two.input.start.of[0] * 3 - two.input.start.total()).norm(), 1e-12) << "a third on the stiffer side";
  }
  // Hertz in series: 1/K^(2/3) adds.
  Layer stiff = springs(Vec3(0, 0, 8e9)), soft = stiff;
  stiff.kind = soft.kind = LayerKind::hertz;
  soft.stiffness *= 0.1;
  Layer both = stiff;
  both.stiffness(2, 2) = std::pow(std::pow(8e9, -2.0 / 3) + std::pow(8e8, -2.0 / 3), -1.5);
  two = touching(Vec3::Zero(), velocity, stiff, soft);
  one = touching(Vec3::Zero(), velocity, both);
  solve(two);
  solve(one);
  EXPECT_GT(one.impulse()[2], 0.1);
  EXPECT_NEAR(two.impulse()[2], one.impulse()[2], 1e-9);
}

TEST(ContactLaw, does_not_depend_on_which_side_a_layer_is_nor_on_the_frame) {
  RandomContacts random(14);
  const Mat3 K = random.springs(4000), C = random.springs(3);
  Layer layer;
  layer.stiffness = K;
  layer.damping = C;
  layer.sideways = true;
  const Vec3 m(0.2, 0.7, 0.01);
  const Vec4 velocity(0.4, -0.3, -1, 3);
  SingleContact one = touching(m, velocity, layer), other = touching(m, velocity, {}, layer);
  // Mirrored: t changes its sign, and with it the spin.
  Layer mirrored = layer;
  const Vec3 sign(-1, 1, 1);
  mirrored.stiffness = sign.asDiagonal() * K * sign.asDiagonal();
  mirrored.damping = sign.asDiagonal() * C * sign.asDiagonal();
  const Vec4 mirror(-1, 1, 1, -1);
  SingleContact image = touching(m, mirror.cwiseProduct(velocity), mirrored);
  // Turned by a right angle: (t, o) → (o, −t).
  Mat3 R = Mat3::Zero();
  R(0, 1) = R(2, 2) = 1;
  R(1, 0) = -1;
  Layer turned = layer;
  turned.stiffness = R * K * R.transpose();
  turned.damping = R * C * R.transpose();
  SingleContact quarter =
      touching(Vec3(m[1], m[0], m[2]), Vec4(velocity[1], -velocity[0], velocity[2], velocity[3]), turned);
  for (int step = 0; step < 5; ++step) {
    for (SingleContact* each : {&one, &other, &image, &quarter}) solve(*each);
    const Vec4 p = one.impulse();
    EXPECT_LE((other.impulse() - p).norm(), 1e-9);
    EXPECT_LE((image.impulse() - mirror.cwiseProduct(p)).norm(), 1e-9);
    EXPECT_LE((quarter.impulse() - Vec4(p[1], -p[0], p[2], p[3])).norm(), 1e-9);
    for (SingleContact* each : {&one, &other, &image, &quarter}) each->advance(each->velocity());
  }
}

TEST(ContactLaw, does_not_depend_on_its_scales) {
  RandomContacts random(15);
  for (int i = 0; i < 40; ++i) {
    const auto layer = random.layer(random.family(), 2, h);
    const Vec3 m(0.3, 0.5, 0.02);
    Vec4 velocity;
    for (double& each : velocity) each = random.uniform();
    velocity[2] -= 1;
    SingleContact one = touching(m, velocity, layer), other = one;
    other.law = ContactLaw(m, layer, {}, SlipKinematics::of_layers, {.mass = 30, .speed = 0.2, .length = 0.01});
    solve(one);
    solve(other);
    EXPECT_LE((one.impulse() - other.impulse()).norm(), 1e-7) << i;
  }
}

TEST(ContactLaw, sees_the_slip_that_its_kinematics_say) {
  const Layer layer = springs(Vec3(1000, 1000, 1e5));
  const Vec3 m(0.5, 0.5, 0);
  const Vec4 velocity(0.01, 0, -1, 0);
  SingleContact bodies = touching(m, velocity, layer, {}, SlipKinematics::of_bodies),
                layers = touching(m, velocity, layer);
  solve(bodies);
  solve(layers);
  EXPECT_NEAR(bodies.velocity()[0], 0, 1e-10) << "the body itself is held";
  EXPECT_NEAR(bodies.impulse()[0], -0.02, 1e-9);
  EXPECT_NEAR(bodies.law.end(bodies.end(), bodies.z()).total()[0], bodies.impulse()[0] / (h * 1000), 1e-9)
      << "its deflection follows";
  // The layer's surface sticks, the body moves on against the spring: 2 (u − 0.01) = h K δ, δ = −h u.
  EXPECT_NEAR(layers.velocity()[0], 0.01 / (1 + h * h * 1000 / 2), 1e-10);
  EXPECT_EQ(layers.law.outcome(layers.end(), layers.z(), 1e-6).mode, ElementMode::sticks);
  // Along the surface ½ K (h u)², along the normal ½ K (h v)² where the body comes to rest in the layer.
  const Vec4 u = layers.velocity();
  EXPECT_NEAR(layers.law.stored(layers.law.end(layers.end(), layers.z())),
              0.5 * h * h * (1000 * u[0] * u[0] + 1e5 * u[2] * u[2]), 1e-12);
}

TEST(ContactLaw, accounts_for_every_joule) {
  RandomContacts random(16);
  for (int i = 0; i < 200; ++i) {
    const auto layer = random.layer(random.family(), 2, h);
    SingleContact one = touching(random.friction(0.1), Vec4::Zero(), layer);
    one.input.start.of[0] = random.deflection(layer);
    one.gap = -one.input.start.total()[2];
    for (double& each : one.free_velocity) each = random.uniform();
    one.free_velocity[2] -= 0.5;
    solve(one);
    const ElementOutcome outcome = one.law.outcome(one.end(), one.z(), 1e-6);
    const double core = outcome.core_impulse * (outcome.end.total() - one.input.start.total())[2] / h;
    const double taken = -one.impulse().dot(one.velocity());
    const double told =
        outcome.rubbed + outcome.stored_end - outcome.stored_start + outcome.damped + outcome.rounded_off + core;
    const double size = 1 + outcome.stored_start + outcome.stored_end + outcome.damped;
    EXPECT_NEAR(taken, told, 1e-9 * size) << i;
  }
}

TEST(ContactLaw, has_fewer_unknowns_than_the_paper_counts) {
  for (int bodies = 1; bodies < 4; ++bodies) {
    for (int contacts = 0; contacts < 4; ++contacts) {
      EXPECT_EQ(printed_count(bodies, contacts).free, 6 * bodies + 13 * contacts);
      EXPECT_EQ(printed_count(bodies, contacts).complementary, 3 * contacts);
    }
  }
  // q, σ and c, whatever the layers; the paper's p_t, p_o, p_r, δ̄, δ, p_ns, p_nr, σ are ten.
  const Layer layer = springs(Vec3(1000, 1000, 1000));
  EXPECT_EQ(touching(Vec3(1, 1, 1), Vec4::Zero(), layer, layer).law.size(), 5);
  EXPECT_EQ(touching(Vec3(1, 1, 1), Vec4::Zero()).law.size(), 5);
  EXPECT_EQ(touching(Vec3(1, 1, 0), Vec4::Zero(), layer).law.size(), 4);
  EXPECT_EQ(touching(Vec3::Zero(), Vec4::Zero(), layer).law.size(), 1);
}

TEST(ContactLaw, as_printed_can_have_no_solution_where_a_layer_couples_directions) {
  // Friction of the bodies' own slip pushes sideways with −μ p_n. A coupled layer answers along the normal with
  // −μ S_nt p_n, S = (h K)⁻¹. Beyond μ S_nt = S_nn pressing brings the surfaces nearer. Something heavy that slides
  // then finds no impulse that keeps d + δ_n ≥ 0. Friction of the layers' slip has one.
  Layer layer;
  layer.sideways = true;
  layer.stiffness << 1000, 0, -800, 0, 1000, 0, -800, 0, 1000;  // S_nt > 0: 0.8 S_nn
  const Vec4 velocity(1, 0, -1, 0);
  for (const double mu : {1.0, 1.5}) {
    for (const auto kinematics : {SlipKinematics::of_bodies, SlipKinematics::of_layers}) {
      SingleContact one = touching(Vec3(mu, mu, 0), velocity, layer, {}, kinematics);
      one.M *= 1e6;
      const NcpStatus status = one.solve().status;
      const bool has_none = kinematics == SlipKinematics::of_bodies && mu * 0.8 > 1;
      EXPECT_EQ(status == NcpStatus::solved, !has_none) << mu;
    }
  }
}

TEST(ContactLaw, TwoLayersPressedInBearTheSameForce) {
  Layer linear, power;
  linear.stiffness(2, 2) = 300;
  power.kind = LayerKind::hertz;
  power.stiffness(2, 2) = 2e5;
  for (const double depth : {1e-5, 1e-3, 0.02}) {
    const LayerDeflections at =
        ContactLaw(Vec3::Zero(), linear, power, SlipKinematics::of_bodies, {}).pressed_in(depth);
    EXPECT_NEAR(at.total().z(), depth, 1e-15);
    EXPECT_NEAR(300 * at.of[0].z(), 2e5 * std::pow(at.of[1].z(), 1.5), 1e-9 * 300 * depth);
    const LayerDeflections alone = ContactLaw(Vec3::Zero(), {}, power, SlipKinematics::of_bodies, {}).pressed_in(depth);
    EXPECT_EQ(alone.of[0].z(), 0);
    EXPECT_EQ(alone.of[1].z(), depth);
  }
  linear.thickness = 1e-3;
  power.thickness = 2e-3;
  const LayerDeflections full = ContactLaw(Vec3::Zero(), linear, power, SlipKinematics::of_bodies, {}).pressed_in(1);
  EXPECT_NEAR(full.of[0].z(), 1e-3, 1e-15);
  EXPECT_NEAR(full.of[1].z(), 2e-3, 1e-15);
}

}  // namespace
}  // namespace carom::contact_law_test
