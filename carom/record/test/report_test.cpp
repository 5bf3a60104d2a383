#include "carom/record/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>

#include "carom/dynamics/body_motion.h"
#include "carom/record/accuracy.h"
#include "carom/record/curve.h"
#include "carom/record/page_text.h"
#include "carom/record/plots_page.h"
#include "carom/record/report_data.h"
#include "carom/record/summary.h"
#include "carom/record/test/browser.h"
#include "carom/record/test/random_run.h"
#include "carom/record/test/test_folder.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"

namespace carom::report_test {
namespace {

using test::scene_text;

class ReportTest : public test::FolderTest {
 protected:
  /// The record of a real run: a ball falls on the floor, an arm swings.
  Record simulate(const Scene& scene, std::int64_t steps) {
    RecordWriter writer = RecordWriter::create(path("run.h5"), scene);
    Simulation simulation(scene.model, scene.method, scene.initial);
    for (std::int64_t i = 0; i < steps; ++i) {
      const StepReport& report = simulation.step();
      writer.append(simulation.state(), report);
    }
    writer.finish("done", 0.25);
    return read_record(path("run.h5"));
  }
  std::string page(const Record& record) {
    write_report(record, path("run.html"));
    return test::read_text(path("run.html"));
  }
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST_F(ReportTest, TheSummaryTellsTheStateInWorldAxes) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  constexpr std::int64_t steps = 20;  // the ball is still falling
  const Record record = simulate(scene, steps);
  const auto json = nlohmann::json::parse(run_json(record, "page.html"));
  for (const char* field : {"scene", "stepper", "law", "dynamics", "step", "steps", "time", "wall_seconds", "state",
                            "bodies", "events", "certificate", "record", "report"}) {
    EXPECT_TRUE(json.contains(field)) << field;
  }
  EXPECT_EQ(json["steps"], steps);
  EXPECT_EQ(json["state"]["q"].size(), static_cast<std::size_t>(scene.model->position_count()));
  for (const auto& body : json["bodies"]) {
    const Eigen::Vector4d orientation(body["orientation"][0], body["orientation"][1], body["orientation"][2],
                                      body["orientation"][3]);
    EXPECT_NEAR(orientation.norm(), 1, 1e-12);
    if (body["name"] == "ball") {
      EXPECT_NEAR(double{body["velocity"][2]}, -9.81 * 0.01 * steps, 1e-12);
      EXPECT_NEAR(double{body["position"][0]}, 0, 1e-12);
    } else {
      // The hinge stands still, and turns about the world's y.
      EXPECT_NEAR((Vec3(body["velocity"][0], body["velocity"][1], body["velocity"][2])).norm(), 0, 1e-12);
      EXPECT_NEAR(double{body["angular_velocity"][1]}, record.frames.back().state.v[scene.model->joints()[1].v_index],
                  1e-12);
    }
  }
  EXPECT_EQ(json["certificate"]["status"], "solved");
  EXPECT_TRUE(json["certificate"]["unique"].is_null());
  EXPECT_TRUE(json["certificate"]["reasons"].contains("unique"));
}

TEST_F(ReportTest, TheStateNamesItsColumns) {
  const Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 3);
  const auto state = nlohmann::json::parse(run_json(record, ""))["state"];
  EXPECT_EQ(state["q_names"].size(), state["q"].size());
  EXPECT_EQ(state["v_names"].size(), state["v"].size());
  for (std::size_t i = 0; i < state["v"].size(); ++i) {
    if (state["v_names"][i] != "ball.vz") continue;
    EXPECT_NEAR(double{state["v"][i]}, -9.81 * 0.03, 1e-12);
  }
  EXPECT_NE(std::find(state["v_names"].begin(), state["v_names"].end(), "ball.vz"), state["v_names"].end());
}

/// Solved equations say nothing of the step, and what was not looked at is not praised.
TEST_F(ReportTest, TheConclusionSaysWhetherTheStepWasChecked) {
  Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 20);
  record.certificate.energy.free_motion_error = 0;  // the step is long for a fall
  const std::string sentence = "All equations were solved. The motion was not checked.";
  EXPECT_EQ(conclusion(record, verdicts(record)), sentence);
  EXPECT_NE(run_text(record, "").find(sentence), std::string::npos);
  EXPECT_NE(page(record).find(sentence), std::string::npos);
  EXPECT_EQ(page(record).find("Nothing stands out"), std::string::npos);
  record.certificate.momentum_residual = 1;
  EXPECT_NE(conclusion(record, verdicts(record)).find("1 of "), std::string::npos);
  EXPECT_EQ(page(record).find(sentence), std::string::npos);
  record.certificate.momentum_residual = 0;
  record.scene.method.stepper = StepperKind::event_driven;
  record.scene.method.law = LawKind::plastic;
  EXPECT_EQ(conclusion(record, verdicts(record)), sentence) << "control of the error is no check of it";
  const Record none = simulate(record.scene, 0);
  EXPECT_EQ(conclusion(none, verdicts(none)), "No step was taken.");
}

/// Slow steps are told and held against nobody.
TEST_F(ReportTest, StepsThatTookManyIterationsAreTold) {
  Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 20);
  const auto told = [&] { return run_text(record, "").find("slow_steps") != std::string::npos; };
  EXPECT_FALSE(told());
  const auto faults = [&] {
    const std::vector<Verdict> lines = verdicts(record);
    return std::count_if(lines.begin(), lines.end(), [](const Verdict& line) { return !line.good; });
  };
  const auto before = faults();
  record.certificate.slow_steps = 2;
  record.certificate.most_iterations = 345;
  record.certificate.most_iterations_step = 17;
  EXPECT_TRUE(told());
  EXPECT_NE(run_text(record, "").find("2 of 20, 345 in step 17"), std::string::npos);
  EXPECT_EQ(faults(), before);
  const auto certificate = nlohmann::json::parse(run_json(record, ""))["certificate"];
  EXPECT_EQ(certificate["most_iterations_step"], 17);
}

/// The JSON says what the summary says.
TEST_F(ReportTest, TheVerdictOfTheSummaryIsInTheJson) {
  Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 20);
  for (const double residual : {0.0, 1.0}) {
    record.certificate.momentum_residual = residual;
    const std::vector<Verdict> lines = verdicts(record);
    const auto verdict = nlohmann::json::parse(run_json(record, ""))["verdict"];
    EXPECT_EQ(verdict["sentence"], conclusion(record, lines));
    ASSERT_EQ(verdict["lines"].size(), lines.size());
    bool good = true;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string word = verdict["lines"][i]["verdict"];
      EXPECT_EQ(verdict["lines"][i]["name"], lines[i].name);
      EXPECT_EQ(verdict["lines"][i]["value"], lines[i].value);
      EXPECT_EQ(word == "look here", !lines[i].good);
      EXPECT_EQ(word == "told", lines[i].good && !lines[i].judged);
      good = good && lines[i].good;
    }
    EXPECT_EQ(verdict["good"], good);
    EXPECT_TRUE(residual == 0 || !good);
  }
}

/// The numbers of the summary's line of energy, as a reader would add them up.
TEST_F(ReportTest, TheLineOfEnergyAddsUp) {
  Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 20);
  EnergyLedger& energy = record.certificate.energy;
  energy.opposed_work = 0.25;
  energy.constraint_work = -0.125;
  energy.drive_work = 4;
  energy.potential_change += 0.25 - 0.125 + 4;
  const std::string text = run_text(record, "");
  const std::size_t start = text.find("energy ");
  const std::string line = text.substr(start, text.find('\n', start) - start);
  std::smatch changes;
  ASSERT_TRUE(std::regex_search(line, changes, std::regex(R"(\(([-+.e0-9]+)\).*\(([-+.e0-9]+)\))"))) << line;
  double sum = 0;
  const std::string given = line.substr(line.find("given: "));
  const std::regex work(R"(([-+][.e0-9-]+) J by )");
  for (std::sregex_iterator each(given.begin(), given.end(), work), end; each != end; ++each) {
    sum += std::stod((*each)[1]);
  }
  EXPECT_NEAR(sum, std::stod(changes[1]) + std::stod(changes[2]), 2e-3 * std::abs(sum)) << line;
  for (const char* part : {"+4 J by drives", "-0.125 J by constraints", "+0.25 J by other forces against contacts"}) {
    EXPECT_NE(line.find(part), std::string::npos) << line;
  }
}

/// A fall from rest by steps of first order errs by h g t / 2 in height. Its error in energy is the same, times the
/// weight.
TEST_F(ReportTest, AShortFallThatIsKnownWellEnoughNeedsNoLook) {
  Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 20);
  const auto energy_line = [&] {
    for (const Verdict& line : verdicts(record)) {
      if (line.name == "free_motion_error") return line;
    }
    return Verdict();
  };
  EXPECT_FALSE(energy_line().good) << "20 steps of a fall lose a twentieth";
  record.accuracy.known = true;
  record.accuracy.enough = 0.1;
  record.accuracy.largest = 0.05;
  EXPECT_TRUE(energy_line().good);
  EXPECT_FALSE(energy_line().judged);
  record.accuracy.largest = 0.2;
  EXPECT_FALSE(energy_line().good);
}

/// Three words: solved, accurate to, not checked. They stand first, and a motion that is known too badly is not ok.
TEST_F(ReportTest, HowWellTheMotionIsKnownStandsFirst) {
  Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 20);
  record.certificate.energy.free_motion_error = 0;
  Accuracy& accuracy = record.accuracy;
  const auto second_line = [&] {
    const std::string text = run_text(record, "");
    const std::size_t first = text.find('\n') + 1;
    return text.substr(first, text.find('\n', first) - first);
  };
  EXPECT_NE(second_line().find("not checked"), std::string::npos);
  EXPECT_EQ(second_line().find("ok"), std::string::npos);
  accuracy.known = true;
  accuracy.largest = accuracy.at_end = 1.1;
  accuracy.extent = 3.1;
  accuracy.enough = 0.09;
  accuracy.worst = "ball";
  EXPECT_FALSE(tolerable(accuracy));
  EXPECT_EQ(second_line().find("  LOOK HERE"), 0u) << second_line();
  EXPECT_NE(second_line().find("accurate to ± 1.1 m"), std::string::npos) << second_line();
  EXPECT_EQ(conclusion(record, verdicts(record)).find("The motion is no more than accurate to ± 1.1 m."), 0u);
  EXPECT_NE(page(record).find("accurate to \\u00b1 1.1 m"), std::string::npos);
  accuracy.largest = accuracy.at_end = 0.001;
  EXPECT_EQ(second_line().find("  ok"), 0u) << second_line();
  EXPECT_EQ(conclusion(record, verdicts(record)), "All equations were solved. The motion is accurate to ± 1 mm.");
  const auto json = nlohmann::json::parse(run_json(record, ""))["accuracy"];
  EXPECT_EQ(json["verdict"], "accurate");
  EXPECT_EQ(json["solved"], true);
  EXPECT_EQ(json["largest"], 0.001);
  EXPECT_TRUE(json["part_until"].is_null());
}

/// A record keeps it, and one that goes on is not checked until it ends again.
TEST_F(ReportTest, ARecordKeepsHowWellItsMotionIsKnown) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  Accuracy accuracy;
  accuracy.known = accuracy.chaotic = true;
  accuracy.largest = 0.5;
  accuracy.worst = "ball";
  accuracy.way = "a second run";
  accuracy.steps_checked = 7;
  {
    RecordWriter writer = RecordWriter::create(path("kept.h5"), scene);
    writer.finish_steps("done", 1);
    EXPECT_EQ(read_record(path("kept.h5")).end, "done");
    EXPECT_FALSE(read_record(path("kept.h5")).accuracy.known);
    writer.finish_accuracy(accuracy);
  }
  const Record record = read_record(path("kept.h5"));
  EXPECT_TRUE(record.accuracy.known && record.accuracy.chaotic);
  EXPECT_EQ(record.accuracy.largest, 0.5);
  EXPECT_TRUE(std::isnan(record.accuracy.at_end));
  EXPECT_EQ(record.accuracy.worst, "ball");
  EXPECT_EQ(record.accuracy.way, "a second run");
  EXPECT_EQ(record.accuracy.reason, "");
  EXPECT_EQ(record.accuracy.steps_checked, 7);
  RecordWriter::resume(path("kept.h5"), scene).finish("done", 1);
  EXPECT_FALSE(read_record(path("kept.h5")).accuracy.known);
}

TEST_F(ReportTest, ZeroHasNoSign) {
  const Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 3);
  EXPECT_EQ(run_text(record, "").find("-0 J"), std::string::npos);
  EXPECT_NE(run_text(record, "").find("\nenergy "), std::string::npos);
  EXPECT_EQ(run_text(record, "").find("contacts 0 J"), std::string::npos) << "what is nothing is left out";
}

TEST_F(ReportTest, APageTellsNoFolderOfTheMachine) {
  Scene scene = parse_scene(scene_text(1, "# made from /srv/someone/models/ball.urdf\n"), "/srv/someone/two.yaml");
  const std::string html = page(simulate(scene, 20));
  EXPECT_EQ(html.find("someone"), std::string::npos);
  EXPECT_EQ(html.find(path("")), std::string::npos) << "where the record lies";
  EXPECT_NE(html.find("two.yaml"), std::string::npos);
  EXPECT_NE(html.find("ball.urdf"), std::string::npos);
}

TEST(PageText, KeepsTheLastNameOfPathsAndAllElse) {
  EXPECT_EQ(without_folders("/srv/me/robot.urdf"), "…/robot.urdf");
  EXPECT_EQ(without_folders("- \"/srv/my name/ros\"\n- /opt/ros/\n"), "- \"…/ros\"\n- …/ros/\n");
  EXPECT_EQ(without_folders("search_path: [/a/b, '/c/d']"), "search_path: […/b, '…/d']");
  for (const char* same : {"", "runs/a.h5", "m/s and 1/2", "package://a/b", "/ground", "# a // b", "/"}) {
    EXPECT_EQ(without_folders(same), same);
  }
}

TEST_F(ReportTest, EveryNullOfTheCertificateHasItsReason) {
  const Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 100);
  const auto certificate = nlohmann::json::parse(certificate_json(record)).flatten();
  for (const auto& [pointer, value] : certificate.items()) {
    if (!value.is_null()) continue;
    std::string name = pointer.substr(1);
    std::replace(name.begin(), name.end(), '/', '.');
    EXPECT_TRUE(certificate.contains("/reasons/" + name)) << name;
  }
}

TEST_F(ReportTest, NumbersThatJsonHasNoWordForAreTexts) {
  Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 3);
  record.certificate.momentum_residual = std::numeric_limits<double>::quiet_NaN();
  record.certificate.penetration = std::numeric_limits<double>::infinity();
  record.frames.back().state.v[0] = -std::numeric_limits<double>::infinity();
  const auto json = nlohmann::json::parse(run_json(record, ""));
  EXPECT_EQ(json["certificate"]["momentum_residual"], "NaN");
  EXPECT_EQ(json["certificate"]["penetration"], "Infinity");
  EXPECT_EQ(json["state"]["v"][0], "-Infinity");
  EXPECT_TRUE(json["report"].is_null());
  for (const Verdict& verdict : verdicts(record)) {
    if (verdict.name == "momentum_residual" || verdict.name == "penetration") {
      EXPECT_FALSE(verdict.good) << verdict.name;
    }
  }
  EXPECT_NE(run_text(record, "").find("LOOK HERE"), std::string::npos);
}

/// Rebound next-step gives in one step what the one before took: the run's contact work is judged.
TEST_F(ReportTest, AStepThatThrowsBackWhatAnotherStoppedIsSound) {
  Record record = simulate(load_scene(source_folder() + "/scenes/bhalerao2009/bouncing.yaml"), 2000);
  EXPECT_GT(record.certificate.contact_work_gain, 0.1);
  EXPECT_LT(record.certificate.energy.contact_work, -0.1);
  for (const Verdict& verdict : verdicts(record)) EXPECT_TRUE(verdict.good) << verdict.name << " " << verdict.value;
  record.certificate.energy.contact_work = 0.1;
  for (const Verdict& verdict : verdicts(record)) EXPECT_EQ(verdict.good, verdict.name != "contact_work");
}

TEST_F(ReportTest, ThePageStandsAloneAndIsLight) {
  const Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 300);
  const std::string html = page(record);
  EXPECT_LT(html.size(), 1000u << 10) << "of which the script, with what draws in three dimensions, is 680 kB";
  EXPECT_EQ(html.find("<link"), std::string::npos);
  EXPECT_EQ(html.find("src="), std::string::npos);
  EXPECT_EQ(html.find("@import"), std::string::npos);
  EXPECT_EQ(html.find("url("), std::string::npos);
  EXPECT_EQ(html.find("fetch("), std::string::npos);
  EXPECT_NE(html.find("two bodies"), std::string::npos);
  EXPECT_EQ(count(html, "</script>"), 2u) << "the data's and the code's";
}

TEST_F(ReportTest, ALongRunIsThinned) {
  const Scene scene = parse_scene(scene_text(1), "two.yaml");
  const std::string few = page(simulate(scene, 2500)), many = page(simulate(scene, 5000));
  EXPECT_LT(static_cast<double>(many.size()), 1.2 * static_cast<double>(few.size()));
}

TEST_F(ReportTest, NamesCannotBreakThePage) {
  Scene scene = parse_scene(scene_text(1, "# </script><script>alert(1)</script> <!-- \n"), "a</script>&.yaml");
  scene.name = "</title></script><script>document.title='broken'</script>\"&'<!--";
  const Record record = simulate(scene, 20);
  const std::string html = page(record);
  EXPECT_EQ(count(html, "</script>"), 2u);
  EXPECT_EQ(count(html, "<script"), 2u);
  EXPECT_EQ(count(html, "</title>"), 1u);
  EXPECT_EQ(html.find("<!--"), std::string::npos);

  // And a browser shows them as they are.
  const std::string dom = test::elements_of(path("run.html"), path(""));
  EXPECT_NE(dom.find("data-ready=\""), std::string::npos) << "the page's script came to its end";
  EXPECT_NE(dom.find("<h1>&lt;/title&gt;&lt;/script&gt;"), std::string::npos);
  EXPECT_GT(count(dom, "<canvas"), 5u);
}

TEST_F(ReportTest, APageOfPlotsShowsTablesAndCurvesAndNothingElse) {
  const std::string name = "</script><b>bold</b>";
  PlotSection section{.title = name, .note = name, .columns = {"a", name}, .rows = {{"1", name}}, .plots = {}};
  section.plots.push_back({name, "m", {0, 0.5, 2}, {{name, {1, 2, 3}}, {"other", {3, 2, 1}}}});
  write_plots_page({.title = name, .lead = name, .facts = {{name, "x"}}, .sections = {section}}, path("plots.html"));
  const std::string html = test::read_text(path("plots.html"));
  EXPECT_EQ(count(html, "</script>"), 2u);
  EXPECT_EQ(count(html, "<b>"), 0u);

  const std::string dom = test::elements_of(path("plots.html"), path(""));
  EXPECT_NE(dom.find("data-ready=\"1\""), std::string::npos) << "one plot, and the script came to its end";
  EXPECT_NE(dom.find("<td class=\"text\">&lt;/script&gt;&lt;b&gt;bold"), std::string::npos);
  EXPECT_EQ(dom.find("<h2>Certificate"), std::string::npos);
}

TEST_F(ReportTest, APageThatCannotBeWrittenIsAnError) {
  const Record record = simulate(parse_scene(scene_text(1), "two.yaml"), 1);
  EXPECT_THROW(write_report(record, path("no-such-folder/run.html")), Error);
  EXPECT_THROW(write_plots_page({}, path("no-such-folder/plots.html")), Error);
}

TEST(Curve, KeepsExtremesAndOrder) {
  std::mt19937 random(4);
  for (std::size_t n : {0u, 1u, 1999u, 2000u, 2001u, 12345u}) {
    std::vector<double> values(n), times(n);
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = std::normal_distribution<double>()(random);
      times[i] = static_cast<double>(i);
    }
    const std::vector<double> thinned = thin(values), thinned_times = thin_times(times);
    EXPECT_LE(thinned.size(), largest_curve);
    EXPECT_EQ(thinned.size(), thinned_times.size());
    EXPECT_TRUE(std::is_sorted(thinned_times.begin(), thinned_times.end()));
    if (n == 0) continue;
    EXPECT_EQ(*std::max_element(thinned.begin(), thinned.end()), *std::max_element(values.begin(), values.end()));
    EXPECT_EQ(*std::min_element(thinned.begin(), thinned.end()), *std::min_element(values.begin(), values.end()));
    EXPECT_EQ(thinned_times.front(), 0);
    EXPECT_EQ(thinned_times.back(), static_cast<double>(n - 1));
  }
  std::vector<double> broken(5000, 1.0);
  broken[3333] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> thinned = thin(broken);
  EXPECT_TRUE(std::any_of(thinned.begin(), thinned.end(), [](double x) { return std::isnan(x); }));
}

TEST(Curve, Base64FollowsItsStandard) {
  EXPECT_EQ(base64({}), "");
  // 1.0f is 00 00 80 3f, 2.0f is 00 00 00 40 (RFC 4648, section 4).
  EXPECT_EQ(base64({1.0}), "AACAPw==");
  EXPECT_EQ(base64({1.0, 2.0}), "AACAPwAAAEA=");
  EXPECT_EQ(base64({1e300}), "AACAfw==") << "beyond float32: infinity";
}

}  // namespace
}  // namespace carom::report_test
