// Fits that are asked to do less: without tests and intervals, or within a budget.
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "carom/study/fit.h"
#include "carom/study/test/fit_cases.h"

namespace carom::fit_test {
namespace {

class FitEffort : public Fit {};

TEST_F(FitEffort, LeavesOutWhatAStudySaysItDoesNotNeed) {
  write("scene.yaml", oscillator);
  const FitData data = oscillations(1);
  FitStudy asked = study(oscillator_study);
  const FitResult whole = fit(asked, data);
  asked = study(std::string(oscillator_study) + "smooth: yes\nintervals: curvature\n");
  const FitResult curved = fit(asked, data);
  EXPECT_LT(curved.runs, whole.runs);
  for (const char* name : {"stiffness", "damping"}) {
    const FittedNumber &a = number(whole, name), &b = number(curved, name);
    EXPECT_NEAR(a.value, b.value, 0.01 * (a.high - a.low)) << name;
    EXPECT_NEAR(a.low, b.low, 0.1 * (a.high - a.low)) << name;
    EXPECT_NEAR(a.high, b.high, 0.1 * (a.high - a.low)) << name;
    EXPECT_EQ(b.source, IntervalSource::curvature);
    EXPECT_TRUE(b.profile.empty());
  }
  EXPECT_NE(all_sentences(curved).find("by the curvature of the misfit, as the study asks"), std::string::npos);
  EXPECT_NE(fit_text(curved).find("as the study says"), std::string::npos);

  asked = study(std::string(oscillator_study) + "smooth: yes\nintervals: none\n");
  const FitResult bare = fit(asked, data);
  EXPECT_LT(bare.runs, curved.runs);
  EXPECT_EQ(number(bare, "stiffness").value, number(curved, "stiffness").value);
  EXPECT_TRUE(std::isnan(number(bare, "stiffness").low));
  EXPECT_FALSE(number(bare, "stiffness").determined());
  EXPECT_NE(all_sentences(bare).find("No intervals were asked for"), std::string::npos);
  const nlohmann::json told = nlohmann::json::parse(fit_json(bare, "", ""));
  EXPECT_TRUE(told["numbers"][0]["interval"].is_null());
  EXPECT_TRUE(told["numbers"][0]["determined"].is_null());
  EXPECT_EQ(told["numbers"][0]["source"], "none");
  EXPECT_FALSE(told["cut"]);
  write_fit_page(bare, path("fit.html"));
  std::ifstream file(path("fit.html"));
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  EXPECT_NE(page.find("Residuals"), std::string::npos);
  EXPECT_EQ(page.find("Profiles"), std::string::npos);
  EXPECT_EQ(fit_text(bare).find("95 %"), std::string::npos) << fit_text(bare);
  EXPECT_EQ(all_sentences(bare).find("too narrow"), std::string::npos);
}

TEST_F(FitEffort, EndsWithItsBudgetAndSaysSo) {
  write("scene.yaml", oscillator);
  FitStudy asked = study(std::string(oscillator_study) + "smooth: no\nintervals: none\nstarts: 1\nruns: 3\n");
  asked.columns[0].noise = 0.01;
  const FitResult short_one = fit(asked, oscillations(1));
  EXPECT_TRUE(short_one.cut);
  EXPECT_NE(all_sentences(short_one).find("ended with its budget of 3 runs"), std::string::npos);
  EXPECT_NEAR(number(short_one, "stiffness").value, 30, 1e-9);  // the scene's own
  asked.runs = 40;
  const FitResult longer = fit(asked, oscillations(1));
  EXPECT_LT(longer.misfit, 0.5 * short_one.misfit);
  EXPECT_LE(longer.runs, 40 + 5);  // one before the search, four of what is told of its end
  asked.runs = 100000;
  const FitResult done = fit(asked, oscillations(1));
  EXPECT_FALSE(done.cut);
  EXPECT_LE(done.misfit, longer.misfit);
}

}  // namespace
}  // namespace carom::fit_test
