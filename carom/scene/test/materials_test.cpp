#include "carom/scene/materials.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "carom/scene/scene.h"

namespace carom::materials_test {
namespace {

Scene scene_of(const std::string& materials) {
  return parse_scene("carom: 1\ngravity: [0, 0, -9.81]\nmaterials:\n" + materials +
                         "combination: {friction: average, restitution: minimum}\n"
                         "bodies: [{name: ball, mass: 1, shapes: [{type: sphere, radius: 1, material: a}]}]\n"
                         "method: {step: 0.01, law: newton}\nduration: 1\n",
                     "test.yaml");
}

TEST(Materials, have_the_restitution_that_is_written) {
  const struct {
    const char* text;
    Restitution law;
  } cases[] = {{"0.5", 0.5},
               {"{capture: 0.01, plastic: 0.5, minimum: 0.2}", CaptureRestitution{0.01, 0.5, 0.2}},
               {"{slope: 0.3}", LineRestitution{0.3}},
               {"{table: [[0.1, 0.9], [1, 0.5]]}", TableRestitution{{{0.1, 0.9}, {1, 0.5}}}}};
  for (const auto& each : cases) {
    const Scene scene = scene_of("  - {name: a, friction: 0.3, restitution: " + std::string(each.text) + "}\n");
    EXPECT_EQ(scene.model->materials()[0].restitution, each.law) << each.text;
    const Scene of_pair =
        scene_of("  - {name: a, friction: 0.3}\npairs:\n  - {materials: [a, a], friction: 0.3, restitution: " +
                 std::string(each.text) + "}\n");
    EXPECT_EQ(of_pair.model->contact_material(0, 0).restitution, PairRestitution(each.law)) << each.text;
  }
}

TEST(Materials, are_combined_by_the_rules_of_the_scene_at_each_speed) {
  const Scene scene = scene_of(
      "  - {name: a, friction: 0.2, restitution: {slope: 0.5}}\n"
      "  - {name: b, friction: 0.4, restitution: {table: [[0, 0.25], [2, 0.75]]}}\n");
  const ContactMaterial& together = scene.model->contact_material(0, 1);
  EXPECT_NEAR(together.friction.x(), 0.3, 1e-16);
  EXPECT_NEAR(together.restitution.at(0.5), 0.375, 1e-16) << "the table is below the line";
  EXPECT_NEAR(together.restitution.at(1.5), 0.25, 1e-16) << "the line is below the table";
}

TEST(Materials, have_the_elasticity_that_is_written) {
  const Material given =
      scene_of(
          "  - {name: a, friction: 0.3, youngs_modulus: 1.0e7, poisson_ratio: 0.45, dissipation: 0.2, "
          "contact_radius: 0.002}\n")
          .model->materials()[0];
  EXPECT_EQ(given.youngs_modulus, 1e7);
  EXPECT_EQ(given.poisson_ratio, 0.45);
  EXPECT_EQ(given.dissipation, 0.2);
  EXPECT_EQ(given.contact_radius, 0.002);
  const Material silent = scene_of("  - {name: a, friction: 0.3}\n").model->materials()[0];
  EXPECT_EQ(silent.youngs_modulus, 0);
  EXPECT_EQ(silent.poisson_ratio, 0.3);
  EXPECT_EQ(silent.dissipation, 0);
  EXPECT_EQ(silent.contact_radius, 0.01);
}

TEST(Materials, have_the_layers_that_are_written) {
  const auto read = [](const std::string& layer) {
    return *scene_of("  - {name: a, friction: 0.3, layer: " + layer + "}\n").model->materials()[0].layer;
  };
  const Layer plain = read("{stiffness: 1000, damping: 3, thickness: 0.01}");
  EXPECT_EQ(plain.kind, LayerKind::kelvin_voigt);
  EXPECT_FALSE(plain.sideways);
  EXPECT_EQ(plain.stiffness(2, 2), 1000);
  EXPECT_EQ(plain.damping(2, 2), 3);
  EXPECT_EQ(plain.thickness, 0.01);
  const Layer three = read("{stiffness: [100, 200, 300], damping: 3}");
  EXPECT_TRUE(three.sideways);
  EXPECT_EQ(three.stiffness, Mat3(Vec3(100, 200, 300).asDiagonal()));
  EXPECT_EQ(three.damping, Mat3(Vec3(0, 0, 3).asDiagonal()));
  EXPECT_TRUE(std::isinf(three.thickness));
  const Layer full = read("{stiffness: [[3, 0, 1], [0, 3, 0], [1, 0, 3]], damping: [1, 2, 3]}");
  EXPECT_EQ(full.stiffness(0, 2), 1);
  EXPECT_EQ(full.damping, Mat3(Vec3(1, 2, 3).asDiagonal()));
  const Layer hertz = read("{kind: hertz, stiffness: 1.0e6}");
  EXPECT_EQ(hertz.kind, LayerKind::hertz);
  EXPECT_EQ(hertz.exponent, 1.5);
  const Layer hunt = read("{kind: hunt-crossley, stiffness: [10, 10, 1.0e6], dissipation: 0.4, exponent: 1.25}");
  EXPECT_EQ(hunt.kind, LayerKind::hunt_crossley);
  EXPECT_EQ(hunt.dissipation, 0.4);
  EXPECT_EQ(hunt.exponent, 1.25);
  EXPECT_TRUE(hunt.sideways);
  EXPECT_FALSE(scene_of("  - {name: a, friction: 0.3}\n").model->materials()[0].layer.has_value());
}

TEST(Materials, may_say_that_sticking_holds_what_sliding_does) {
  // That much a stepper with one coefficient of friction can keep.
  const Material same =
      scene_of("  - {name: a, friction: [0.3, 0.4], static_friction: [0.3, 0.4], viscous_friction: 0}\n")
          .model->materials()[0];
  ASSERT_TRUE(same.static_friction.has_value());
  EXPECT_EQ(*same.static_friction, Vec2(0.3, 0.4));
}

TEST(Materials, may_have_friction_of_impacts_that_a_stepper_without_impacts_refuses) {
  const std::string text =
      "carom: 1\ngravity: [0, 0, -9.81]\n"
      "materials: [{name: a, friction: 0.3, impact_friction: [0.1, 0.5]}]\n"
      "bodies: [{name: ball, mass: 1, shapes: [{type: sphere, radius: 0.1}]}]\n"
      "method: {stepper: STEPPER, law: newton, step: 0.01}\nduration: 1\n";
  const auto by = [&](const std::string& stepper) {
    std::string own = text;
    return own.replace(own.find("STEPPER"), 7, stepper);
  };
  for (const char* stepper : {"semi-explicit", "event-driven"}) {
    const Scene scene = parse_scene(by(stepper), "test.yaml");
    ASSERT_TRUE(scene.model->materials()[0].impact_friction);
    EXPECT_EQ(*scene.model->materials()[0].impact_friction, Vec2(0.1, 0.5));
  }
  try {
    parse_scene(by("anitescu-potra"), "test.yaml");
    ADD_FAILURE();
  } catch (const SceneError& error) {
    EXPECT_STREQ(error.what(),
                 "test.yaml:3:55: material 'a' has an impact_friction, which steppers semi-explicit, event-driven and "
                 "variational use, "
                 "and stepper anitescu-potra would ignore; leave it out, or choose one of these");
  }
}

std::string faults(const std::string& materials) {
  try {
    scene_of(materials);
  } catch (const SceneError& error) {
    return error.what();
  }
  return "";
}

TEST(Materials, of_a_pair_are_refused_for_friction_that_the_stepper_would_ignore) {
  EXPECT_EQ(faults("  - {name: a, friction: 0.3}\npairs:\n"
                   "  - {materials: [a, a], friction: 0.3, static_friction: [0.3, 0.4], viscous_friction: 0.1}\n"),
            "test.yaml:6:57: this pair has a static_friction, which steppers semi-explicit, event-driven, variational "
            "and compliant "
            "use, and "
            "stepper stewart-trinkle would ignore; leave it out, or choose one of these\n"
            "test.yaml:6:87: this pair has a viscous_friction, which stepper compliant uses, and stepper "
            "stewart-trinkle would ignore; leave it out, or choose that one");
}

std::vector<std::string> warnings(const std::string& materials, const std::string& method,
                                  const SceneOverrides& overrides = {}) {
  return parse_scene("carom: 1\ngravity: [0, 0, -9.81]\nmaterials:\n" + materials +
                         "world: {shapes: [{type: half-space, material: a}]}\n"
                         "bodies: [{name: ball, mass: 1, position: [0, 0, 1], shapes: [{type: sphere, radius: 0.1, "
                         "material: a}]}]\nmethod: " +
                         method + "\nduration: 1\n",
                     "test.yaml", overrides)
      .warnings;
}

using Sentences = std::vector<std::string>;

TEST(MethodData, laws_that_share_by_stiffness_tell_that_there_is_none) {
  const std::string plain = "  - {name: a, friction: 0.3, restitution: 0.5}\n";
  const std::string elastic = "  - {name: a, friction: 0.3, restitution: 0.5, youngs_modulus: 1.0e9}\n";
  const std::string lzb = "{stepper: event-driven, law: lzb, step: 0.01}";
  EXPECT_EQ(warnings(plain, lzb), Sentences{"law lzb reads the stiffness of contacts, and no material has a "
                                            "youngs_modulus: all count as equally stiff"});
  EXPECT_EQ(warnings(elastic, lzb), Sentences{});
  const std::string plus = "{stepper: semi-explicit, law: plus, step: 0.01, plus: {weigh_by_stiffness: ";
  EXPECT_EQ(warnings(plain, plus + "true}}"),
            Sentences{"law plus with weigh_by_stiffness reads the stiffness of contacts, and no material has a "
                      "youngs_modulus: all count as equally stiff"});
  EXPECT_EQ(warnings(plain, plus + "false}}"), Sentences{});
}

TEST(MethodData, laws_without_friction_or_restitution_tell_whose_they_leave_out) {
  const std::string rough = "  - {name: a, friction: 0.3, restitution: 0.5}\n";
  const std::string elastic = "  - {name: a, friction: 0, restitution: 1}\n";
  const std::string propagative = "{stepper: event-driven, law: propagative, step: 0.01}";
  const std::string blend = "{stepper: event-driven, law: energy-blend, step: 0.01}";
  EXPECT_EQ(warnings(rough, propagative),
            (Sentences{"law propagative is without friction: its impacts leave out that of material 'a'",
                       "law propagative is elastic: it takes the restitution of material 'a' as 1"}));
  EXPECT_EQ(warnings(rough, blend),
            Sentences{"law energy-blend is without friction: its impacts leave out that of material 'a'"});
  EXPECT_EQ(warnings(elastic, propagative), Sentences{});
  // Friction of impacts that is none is none, whatever that of slides.
  EXPECT_EQ(warnings("  - {name: a, friction: 0.3, impact_friction: 0, restitution: 1}\n", propagative), Sentences{});
}

TEST(MethodData, order_and_reading_of_propagative_laws_are_read) {
  const std::string materials = "  - {name: a, friction: 0, restitution: 0.5}\n";
  const auto method = [&](const std::string& keys) {
    return parse_scene("carom: 1\ngravity: [0, 0, -9.81]\nmaterials:\n" + materials +
                           "world: {shapes: [{type: half-space, material: a}]}\n"
                           "bodies: [{name: ball, mass: 1, shapes: [{type: sphere, radius: 0.1, material: a}]}]\n"
                           "method: {stepper: event-driven, law: energy-blend, step: 0.01, propagative: " +
                           keys + "}\nduration: 1\n",
                       "test.yaml")
        .method.propagative;
  };
  EXPECT_EQ(method("{order: in-turn}").order, ResetOrder::in_turn);
  EXPECT_EQ(method("{order: last}").order, ResetOrder::last);
  EXPECT_EQ(method("{plastic: span}").plastic, PlasticKind::span);
  EXPECT_EQ(method("{restitution: energies}").reading, EnergyReading::energies);
  EXPECT_EQ(method("{most_resets: 12}").most_resets, 12);
  EXPECT_EQ(method("{}").order, ResetOrder::deepest);
  EXPECT_THROW(method("{order: deep}"), SceneError);
  EXPECT_THROW(method("{most_resets: 0}"), SceneError);
}

TEST(MethodData, keys_without_effect_are_told_where_the_caller_made_them_so) {
  const std::string material = "  - {name: a, friction: 0.3, restitution: 0.5}\n";
  SceneOverrides overrides;
  overrides.stepper = StepperKind::event_driven;
  overrides.law = LawKind::newton;
  EXPECT_EQ(warnings(material, "{step: 0.01, law: newton, directions: 16}", overrides),
            Sentences{"directions of the file has no effect with what was asked for in place of the file's: stepper "
                      "event-driven"});
  EXPECT_EQ(warnings(material, "{step: 0.01, law: newton, directions: 16}"), Sentences{});
}

TEST(MethodData, stepper_compliant_tells_which_poisson_ratio_it_takes) {
  const std::string compliant = "{stepper: compliant, step: 0.01}";
  const std::string rest = ", dissipation: 0.1}\n";
  EXPECT_EQ(warnings("  - {name: a, friction: 0.3, youngs_modulus: 1.0e9" + rest, compliant),
            Sentences{"material 'a' with youngs_modulus and without poisson_ratio: 0.3 is taken, so contacts have the "
                      "modulus E/0.91; give poisson_ratio (0 for E itself)"});
  EXPECT_EQ(warnings("  - {name: a, friction: 0.3, youngs_modulus: 1.0e9, poisson_ratio: 0" + rest, compliant),
            Sentences{});
  EXPECT_EQ(warnings("  - {name: a, friction: 0.3, youngs_modulus: 1.0e9" + rest, "{step: 0.01}"), Sentences{});
}

TEST(MethodData, a_stepper_that_needs_a_law_takes_plastic_where_nothing_rebounds) {
  SceneOverrides overrides;
  overrides.stepper = StepperKind::event_driven;
  EXPECT_EQ(warnings("  - {name: a, friction: 0.3}\n", "{step: 0.01}", overrides),
            Sentences{"stepper event-driven needs a law of impacts, and the file has none: law plastic is taken, for "
                      "nothing rebounds here"});
  // Rebound, or a dissipation that is asked for, is not decided for the caller.
  const std::string soft = "  - {name: a, friction: 0.3, youngs_modulus: 1.0e9, restitution: 1}\n";
  EXPECT_THROW((void)warnings(soft, "{stepper: compliant, step: 0.01}", overrides), SceneError);
  overrides.law = LawKind::none;
  EXPECT_THROW((void)warnings("  - {name: a, friction: 0.3}\n", "{step: 0.01}", overrides), SceneError);
}

TEST(MethodData, a_point_has_no_size_to_hold_the_proximity_against) {
  const std::string start =
      "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: a, friction: 0.3}]\n"
      "world: {shapes: [{type: half-space, material: a}]}\n"
      "bodies: [{name: tip, inertia: {mass: 1, moments: [1, 1, 1]}, position: [0, 0, 1], shapes: [{type: sphere, "
      "radius: ";
  const std::string end = ", material: a}]}]\nmethod: {stepper: event-driven, law: plastic, step: 0.01}\nduration: 1\n";
  EXPECT_NO_THROW((void)parse_scene(start + "0" + end, "test.yaml"));
  EXPECT_THROW((void)parse_scene(start + "1.0e-6" + end, "test.yaml"), SceneError);
}

TEST(MethodData, stepper_compliant_tells_what_it_does_not_read) {
  const std::string compliant = "{stepper: compliant, step: 0.01}";
  const std::string start = "  - {name: a, friction: 0.3, youngs_modulus: 1.0e9, poisson_ratio: 0.3";
  EXPECT_EQ(
      warnings(start + ", restitution: 0.5, dissipation: 0.1}\n", compliant),
      Sentences{"stepper compliant does not read the restitution of material 'a': the dissipation stands for it"});
  EXPECT_EQ(warnings(start + "}\n", compliant),
            Sentences{"impacts of material 'a' lose nothing under stepper compliant, for there is no dissipation"});
  EXPECT_EQ(warnings(start + ", restitution: 1}\n", compliant), Sentences{});
  EXPECT_EQ(warnings(start + ", dissipation: 0.1, static_friction: 0.4, viscous_friction: 0.1}\n", compliant),
            Sentences{});
}

}  // namespace
}  // namespace carom::materials_test
