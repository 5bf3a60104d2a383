// Parts of pages: a page around its content, names of contacts, impacts as numbers, the certificate
// as JSON.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "carom/error.h"
#include "carom/record/certificate_json.h"
#include "carom/record/contact_names.h"
#include "carom/record/page.h"
#include "carom/record/player_impacts.h"
#include "carom/record/report_page.h"
#include "carom/record/test/browser.h"
#include "carom/record/test/page_numbers.h"
#include "carom/record/test/test_folder.h"
#include "carom/scene/scene.h"
#include "carom/stepper/absent_numbers.h"

namespace carom::page_parts_test {
namespace {

using Json = nlohmann::ordered_json;
using test::decoded;

/// A door of two leaves over a floor, with a joint limit and a rope; and a ball that falls on the floor.
Scene door(const std::string& method, const std::string& material = "restitution: 0.5") {
  return parse_scene(R"(carom: 1
gravity: [0, 0, -9.81]
materials: [{name: wood, friction: [0.3, 0.2], )" +
                         material + R"(}]
world: {shapes: [{type: half-space, name: floor, material: wood}]}
bodies:
  - name: leaf
    mass: 1
    shapes:
      - {type: box, name: board, size: [0.4, 0.02, 0.4], position: [0.2, 0, 0], material: wood}
      - {type: sphere, name: knob, radius: 0.03, position: [0.35, 0.05, 0], material: wood}
  - {name: ball, mass: 2, position: [3, 0, 0.3], shapes: [{type: sphere, radius: 0.1, material: wood}]}
joints:
  - {name: hinge, type: revolute, parent: world, child: leaf, axis: [0, 0, 1], on_parent: {position: [0, 0, 1]},
     velocity: 2, limits: {lower: -1, upper: 0.3}}
duration: 0.4
method: {step: 0.001, )" +
                         method + "}\n",
                     "door.yaml");
}

TEST(PairList, NumbersPairsInTheirOrderAndNamesThem) {
  const Scene scene = door("stepper: semi-explicit, law: plus");
  const auto& colliders = scene.model->colliders();
  const auto collider = [&](const std::string& part) {
    for (std::size_t i = 0; i < colliders.size(); ++i) {
      if (colliders[i].name.find(part) != std::string::npos) return static_cast<int>(i);
    }
    ADD_FAILURE() << part;
    return -1;
  };
  const int leaf = colliders[static_cast<std::size_t>(collider("knob"))].body;
  PairList pairs(*scene.model);
  const ContactId knob{collider("knob"), collider("floor"), 0}, board{collider("board"), collider("floor"), 2};
  EXPECT_EQ(pairs.number(knob, leaf, -1), 0u);
  EXPECT_EQ(pairs.number(board, leaf, -1), 1u);
  EXPECT_EQ(pairs.number({board.a, board.b, 7}, leaf, -1), 1u) << "points of one pair of shapes are one";
  const ContactId lower{ContactId::of_joint, 0, ContactId::lower}, upper{ContactId::of_joint, 0, ContactId::upper};
  EXPECT_EQ(pairs.number(lower, leaf, -1), 2u);
  EXPECT_EQ(pairs.number(upper, leaf, -1), 3u) << "stops of one joint are two";
  EXPECT_EQ(pairs.number(knob, leaf, -1), 0u);
  const Json list = pairs.json();
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0]["name"], "leaf/knob – world");
  EXPECT_EQ(list[2]["name"], "leaf, lower limit");
  EXPECT_EQ(list[0]["friction"], (Json{0.3, 0.2}));
  EXPECT_EQ(list[0]["surface"], true);
  EXPECT_EQ(list[3]["surface"], false);
  EXPECT_EQ(list[1]["a"], leaf);
  EXPECT_EQ(list[1]["b"], -1);
}

TEST(AppendPlace, IsThePositionAndTheFramesQuaternion) {
  const Quaternion q = Quaternion(0.4, -0.3, 0.8, 0.1).normalized();
  std::vector<double> numbers{7};
  append_place({1, 2, 3}, q.toRotationMatrix(), numbers);
  ASSERT_EQ(numbers.size(), 8u);
  EXPECT_EQ(numbers[0], 7);
  EXPECT_EQ(numbers[3], 3);
  const Quaternion back(numbers[4], numbers[5], numbers[6], numbers[7]);
  EXPECT_LE((back.toRotationMatrix() - q.toRotationMatrix()).norm(), 1e-14);
}

// Numbers of the page are those of the record, row by row, whatever it leaves out.
TEST(PlayerImpacts, AreTheImpactsOfTheRecord) {
  const Scene scene = door("stepper: semi-explicit, law: plus");
  const Record record = test::simulate(scene, scene.steps());
  ASSERT_GE(record.impacts.size(), 2u) << "the leaf strikes its stop, the ball the floor";
  PairList pairs(*scene.model);
  const Json impacts = player_impacts(record, pairs);
  EXPECT_EQ(impacts["left_out"], 0);
  const std::vector<float> rows = decoded(impacts["impacts"]), struck = decoded(impacts["struck"]);
  ASSERT_EQ(rows.size(), 6 * record.impacts.size());
  ASSERT_EQ(struck.size(), 17 * record.struck.size());
  std::size_t before = 0;
  for (std::size_t i = 0; i < record.impacts.size(); ++i) {
    const ImpactReport& impact = record.impacts[i];
    EXPECT_FLOAT_EQ(rows[6 * i], static_cast<float>(impact.time));
    EXPECT_EQ(rows[6 * i + 1], before);
    EXPECT_EQ(rows[6 * i + 2], impact.contacts);
    before += impact.contacts;
    for (std::size_t k = 0; k < impact.contacts; ++k) {
      const ImpactContact& contact = record.struck[impact.first_contact + k];
      const float* row = &struck[17 * (impact.first_contact + k)];
      EXPECT_EQ(row[0], pairs.number(contact.id, contact.body_a, contact.body_b));
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_FLOAT_EQ(row[8 + axis], static_cast<float>(contact.impulse[axis]));
        EXPECT_FLOAT_EQ(row[14 + axis], static_cast<float>(contact.after[axis]));
      }
    }
  }
}

TEST(PlayerImpacts, SayHowManyDoNotFit) {
  Record record;
  record.scene = door("stepper: semi-explicit, law: plus");
  record.impacts.resize(largest_impact_count + 7);
  PairList pairs(*record.scene.model);
  const Json impacts = player_impacts(record, pairs);
  EXPECT_EQ(impacts["left_out"], 7);
  EXPECT_EQ(impacts["statuses"].size(), largest_impact_count);
  EXPECT_EQ(decoded(impacts["impacts"]).size(), 6 * largest_impact_count);
}

// Every null has a reason, and every reason a null, under every stepper.
TEST(CertificateObject, EveryNullHasItsReason) {
  const char* rebounds = "restitution: 0.5";
  for (const auto& [method, material] :
       {std::pair{"stepper: stewart-trinkle, law: newton", rebounds},
        {"stepper: stewart-trinkle, law: newton, cone: exact", rebounds},
        {"stepper: semi-explicit, law: plus", rebounds},
        {"stepper: event-driven, law: plus", rebounds},
        {"stepper: hybrid-dca", "restitution: 0"},
        {"stepper: variational, law: newton", rebounds},
        {"stepper: compliant, compliant: {limit_stiffness: 1e4}", "youngs_modulus: 1e7, poisson_ratio: 0.3"},
        {"stepper: implicit-geometry", "restitution: 0"}}) {
    const Scene scene = door(method, material);
    Record record;
    record.scene = scene;
    const Json object = certificate_object(record);
    std::set<std::string> nulls, reasons;
    const auto collect = [&](const auto& self, const Json& part, const std::string& prefix) -> void {
      for (const auto& [name, value] : part.items()) {
        if (prefix.empty() && name == "reasons") continue;
        if (value.is_null()) nulls.insert(prefix + name);
        if (value.is_object()) self(self, value, prefix + name + ".");
      }
    };
    collect(collect, object, "");
    for (const auto& [name, reason] : object["reasons"].items()) {
      reasons.insert(name);
      EXPECT_GT(reason.get<std::string>().size(), 10u) << name;
    }
    EXPECT_EQ(nulls, reasons) << method;
    for (const JudgedNumber& number : judged_numbers) {
      if (number.verdict == JudgedNumber::Verdict::recorded) continue;
      EXPECT_EQ(object[number.name].is_null(), !why_absent(number.name, scene.method).empty()) << number.name;
    }
  }
}

TEST(JsonNumber, HasWordsWhereJsonHasNone) {
  EXPECT_EQ(json_number(0.25), 0.25);
  EXPECT_EQ(json_number(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(json_number(-std::numeric_limits<double>::infinity()), "-Infinity");
}

class PageTest : public test::FolderTest {};

TEST_F(PageTest, HoldsItsContentAndNothingThatEndsIt) {
  const std::string name = "</title></script><!-- \u00fc";
  write_page(name,
             {{"title", name},
              {"lead", ""},
              {"facts", Json::array()},
              {"sections", Json::array()},
              {"times", ""},
              {"footer", name}},
             plots_script(), path("page.html"));
  const std::string html = test::read_text(path("page.html"));
  EXPECT_EQ(html.rfind("<!doctype html>", 0), 0u);
  EXPECT_EQ(html.find("<!--"), std::string::npos);
  EXPECT_NE(html.find("<title>&lt;/title&gt;"), std::string::npos);
  // The data between its tags is the content again.
  const std::size_t begin = html.find('{', html.find("id=\"run\""));
  const Json read = Json::parse(html.substr(begin, html.find("</script>", begin) - begin));
  EXPECT_EQ(read["title"], name);
  EXPECT_EQ(read["footer"], name);
}

TEST_F(PageTest, ThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(write_page("a", Json::object(), plots_script(), path("none/page.html")), Error);
}

}  // namespace
}  // namespace carom::page_parts_test
