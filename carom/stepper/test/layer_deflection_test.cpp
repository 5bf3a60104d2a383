// Deflections of one layer: backward Euler's own closed forms, conditions that layers must obey, energies.

#include "carom/stepper/quasi_rigid/layer_deflection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/stepper/test/single_contact.h"

namespace carom::layer_deflection_test {
namespace {

const LayerFamily families[] = {LayerFamily::normal_alone, LayerFamily::coupled, LayerFamily::hertz,
                                LayerFamily::hunt_crossley};

/// Pressure of a layer of this family, written down from its law.
Vec3 pressure(const Layer& layer, double h, const Vec3& start, const Vec3& end) {
  Mat3 K = layer.stiffness, C = layer.damping;
  if (!layer.sideways) {
    K = Vec3(0, 0, K(2, 2)).asDiagonal();
    C = Vec3(0, 0, C(2, 2)).asDiagonal();
  }
  Vec3 p = h * K * end + C * (end - start);
  if (layer.kind != LayerKind::kelvin_voigt) {
    p[2] =
        layer.stiffness(2, 2) * std::pow(end[2], layer.exponent) * (h + 1.5 * layer.dissipation * (end[2] - start[2]));
  }
  return p;
}

TEST(LayerDeflections, obey_the_law_of_their_layer) {
  RandomContacts random(1);
  for (int i = 0; i < 2000; ++i) {
    const LayerFamily family = families[i % 4];
    const double h = 1e-3 * random.about(1), mass = random.about(2);
    const Layer layer = *random.layer(family, mass, h);
    const Vec3 start = random.deflection(layer);
    const NormalImpulse p{.q = i % 7 == 0 ? 0 : mass * random.about(2), .exponent = 1.5, .scale = mass};
    Vec3 given(0, 0, p.value());
    if (layer.sideways) given.head<2>() = p.value() * Vec2(random.uniform(), random.uniform());
    const LayerDeflection result = layer_deflection(layer, h, start, given.head<2>(), p);
    const Vec3 spring = pressure(layer, h, start, result.delta), balance = spring + Vec3(0, 0, result.core) - given;
    // Round-off of what cancels in the sum.
    double size = given.norm() + spring.norm() + (layer.damping * start).norm();
    if (layer.kind == LayerKind::hunt_crossley) {
      size += h * layer.stiffness(2, 2) * std::pow(result.delta[2], layer.exponent);
    }
    EXPECT_LE(balance.norm(), 1e-9 * size) << i;
    EXPECT_GE(result.core, 0);
    EXPECT_LE(result.delta[2], layer.thickness);
    EXPECT_TRUE(result.core == 0 || result.delta[2] == layer.thickness);
  }
}

TEST(LayerDeflections, have_the_slopes_of_differences) {
  RandomContacts random(2);
  for (int i = 0; i < 400; ++i) {
    const double h = 1e-3, mass = random.about(1);
    const Layer layer = *random.layer(families[i % 4], mass, h);
    const Vec3 start = random.deflection(layer);
    const double exponent = i % 4 < 2 && random.coin() ? 1 : 1.5;
    const Vec3 p(random.uniform() * mass, random.uniform() * mass, mass * random.about(1));
    const auto deflection = [&](const Vec3& at) {
      return layer_deflection(layer, h, start, at.head<2>(), {.q = at[2], .exponent = exponent, .scale = mass});
    };
    const LayerDeflection here = deflection(p);
    for (int k = 0; k < 3; ++k) {
      const double step = 1e-6 * mass;
      const LayerDeflection above = deflection(p + step * Vec3::Unit(k)), below = deflection(p - step * Vec3::Unit(k));
      if ((above.core > 0) != (below.core > 0)) continue;  // at the kink
      const Vec3 difference = (above.delta - below.delta) / (2 * step);
      EXPECT_LE((difference - here.slope.col(k)).norm(), 1e-5 * here.slope.norm() + 1e-10 * here.delta.norm() / step)
          << i << " column " << k;
    }
  }
}

TEST(LayerDeflections, rise_with_the_impulse) {
  RandomContacts random(3);
  for (const LayerFamily family : families) {
    for (int i = 0; i < 50; ++i) {
      const double h = 1e-3, mass = random.about(2);
      const Layer layer = *random.layer(family, mass, h);
      const Vec3 start = random.deflection(layer);
      double last = -1;
      for (double q = 0; q < 10 * mass; q += 0.3 * mass) {
        const NormalImpulse p{.q = q, .exponent = 1.5, .scale = mass};
        const double delta = layer_deflection(layer, h, start, Vec2::Zero(), p).delta[2];
        EXPECT_GE(delta, last * (1 - 1e-12));
        last = delta;
      }
    }
  }
}

TEST(LayerDeflections, creep_back_when_nothing_presses) {
  Layer kelvin;
  kelvin.stiffness(2, 2) = 1000;
  kelvin.damping(2, 2) = 5;
  Layer hunt = kelvin;
  hunt.kind = LayerKind::hunt_crossley;
  hunt.damping.setZero();
  hunt.dissipation = 4;
  const double h = 1e-3;
  Vec3 of_kelvin(0, 0, 0.01), of_hunt(0, 0, 0.001);
  for (int k = 1; k <= 8; ++k) {
    of_kelvin = layer_deflection(kelvin, h, of_kelvin, Vec2::Zero(), {}).delta;
    EXPECT_NEAR(of_kelvin[2], 0.01 * std::pow(5.0 / (1000 * h + 5), k), 1e-15) << "δ' = −(K/C) δ, backward Euler";
    of_hunt = layer_deflection(hunt, h, of_hunt, Vec2::Zero(), {.exponent = 1.5}).delta;
    EXPECT_NEAR(of_hunt[2], std::max(0.0, 0.001 - k * h / 6), 1e-15) << "δ' = −2/(3 c)";
  }
}

TEST(LayerDeflections, account_for_every_joule) {
  RandomContacts random(4);
  for (int i = 0; i < 1000; ++i) {
    const double h = 1e-3 * random.about(1), mass = random.about(2);
    const Layer layer = *random.layer(families[i % 4], mass, h);
    const Vec3 start = random.deflection(layer);
    const NormalImpulse p{.q = i % 5 == 0 ? 0 : mass * random.about(1), .exponent = 1.5, .scale = mass};
    const Vec2 along = layer.sideways ? Vec2(p.value() * Vec2(random.uniform(), random.uniform())) : Vec2::Zero();
    const Vec3 end = layer_deflection(layer, h, start, along, p).delta;
    const LayerLoss loss = layer_loss(layer, h, start, end, false);
    const double stored = layer_energy(layer, end, false) - layer_energy(layer, start, false);
    const double work = pressure(layer, h, start, end).dot(end - start) / h;
    const double size =
        loss.damped + loss.rounded_off + layer_energy(layer, end, false) + layer_energy(layer, start, false) + 1e-15;
    EXPECT_NEAR(work, stored + loss.damped + loss.rounded_off, 1e-9 * size) << i;
    EXPECT_GE(loss.damped, 0);
    EXPECT_GE(loss.rounded_off, 0);
  }
}

}  // namespace
}  // namespace carom::layer_deflection_test
