#include "carom/validation/cube_fits.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "carom/error.h"
#include "carom/record/test/test_folder.h"
#include "carom/study/fit.h"
#include "carom/validation/toss_run.h"
#include "carom/validation/toss_scores.h"
#include "made_tosses.h"

namespace carom::cube_fits_test {
namespace {

class CubeFitsTest : public test::FolderTest {};

CubeLaw law_of(LawKind kind, std::vector<std::pair<std::string, double>> starts) {
  CubeLaw law;
  law.name = "made";
  law.method.stepper = StepperKind::semi_explicit;
  law.method.law = kind;
  law.method.step = 1.0 / (148 * 4);
  law.method.cone = FrictionCone::polyhedral;
  law.method.directions = 8;
  law.fixed.friction = 0.22;
  law.fixed.impact_friction = 0.16;
  law.fixed.restitution = 0.3;
  law.fixed.corner_radius = 0.005;
  law.fixed.mass_centre = 0.006;
  law.starts = std::move(starts);
  return law;
}

/// Tosses that the law itself makes, with its fixed parameters.
std::vector<Toss> tosses_of(const CubeLaw& law, int count) {
  const Scene scene = parse_scene(cube_scene(law.fixed, {}, law.method, {}), "made");
  const TossProtocol protocol;
  std::mt19937 random(11);
  std::vector<Toss> tosses;
  for (int i = 0; i < count; ++i) {
    Release release = test::random_release(random);
    release.position.z() = 0.25;
    release.angular_velocity *= 0.5;
    tosses.push_back({i, throw_cube(scene, release, 70, protocol).poses});
  }
  return tosses;
}

TEST_F(CubeFitsTest, FoldsPartitionTheTosses) {
  for (const int n : {5, 12, 279}) {
    const auto folds = deal_folds(n, fold_count);
    ASSERT_EQ(folds.size(), 5u);
    std::set<int> seen;
    std::size_t least = 1000, most = 0;
    for (const auto& fold : folds) {
      for (const int i : fold) EXPECT_TRUE(seen.insert(i).second) << i << " is in two folds";
      least = std::min(least, fold.size());
      most = std::max(most, fold.size());
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(*seen.begin(), 0);
    EXPECT_EQ(*seen.rbegin(), n - 1);
    EXPECT_LE(most - least, 1u);
  }
}

TEST_F(CubeFitsTest, AFitNeverSeesATossOfItsOwnFold) {
  std::vector<Toss> tosses(130);
  for (std::size_t i = 0; i < tosses.size(); ++i) tosses[i].number = static_cast<std::int64_t>(i);
  const auto folds = deal_folds(static_cast<int>(tosses.size()), fold_count);
  for (int fold = -1; fold < fold_count; ++fold) {
    std::set<std::int64_t> seen;
    for (const Toss& toss : training_tosses(tosses, folds, fold)) seen.insert(toss.number);
    EXPECT_EQ(seen.size(), 60u);  // of 104 or of 130
    if (fold < 0) continue;
    for (const int i : folds[static_cast<std::size_t>(fold)]) EXPECT_FALSE(seen.count(i)) << "fold " << fold;
  }
}

TEST_F(CubeFitsTest, AFitSimulatesWhatTheProtocolThrows) {
  // Wherever the mass centre is, and whether it is fitted or not.
  for (const double centre : {0.006, -0.004}) {
    CubeLaw law = law_of(LawKind::stronge, {{"friction", 0.22}, {"mass_centre", centre}});
    const std::vector<Toss> tosses = tosses_of(law, 4);
    if (centre < 0) {
      law.fixed.mass_centre = centre;
      law.starts.pop_back();
    }
    const std::vector<double> start = law.starts.size() > 1 ? std::vector{0.22, centre} : std::vector{0.22};
    const CubeFit asked = cube_fit(law, start, tosses, TossProtocol(), 1);
    const FitResult there = fit(asked.study, asked.data);
    EXPECT_TRUE(there.cut);
    const Scene scene = parse_scene(cube_scene(parameters_of(law, start), {}, law.method, {}), "cube");
    for (std::size_t k = 0; k < tosses.size(); ++k) {
      const Release release = release_of(scene, tosses[k], TossProtocol());
      const auto poses = throw_cube(scene, release, tosses[k].poses.size(), TossProtocol()).poses;
      double worst = 0;
      for (std::size_t i = 0; i < poses.size(); ++i) {
        const Mat3 R = poses[i].orientation.toRotationMatrix();
        for (std::size_t c = 0; c < 12; ++c) {
          const auto row = static_cast<Eigen::Index>(c < 3 ? c : c / 3 - 1), column = static_cast<Eigen::Index>(c % 3);
          const double thrown = c < 3 ? poses[i].position[row] : R(row, column);
          worst = std::max(worst, std::abs(there.motions[k].fitted[c][i] - thrown));
        }
      }
      EXPECT_LT(worst, 1e-5) << centre << " " << k;
    }
  }
}

TEST_F(CubeFitsTest, FindsTheParametersThatMadeTheTosses) {
  const CubeLaw truth = law_of(LawKind::stronge, {});
  const std::vector<Toss> tosses = tosses_of(truth, 10);
  CubeLaw law = law_of(LawKind::stronge, {{"friction", 0.15}, {"restitution", 0.15}, {"mass_centre", 0.0}});
  fit_law(law, nullptr, tosses, {}, TossProtocol(), 250);  // no folds: one fit to all
  ASSERT_TRUE(law.all);
  const CubeParameters found = parameters_of(law, law.all->values);
  EXPECT_NEAR(found.friction, truth.fixed.friction, 0.01);
  EXPECT_NEAR(found.restitution, truth.fixed.restitution, 0.01);
  EXPECT_NEAR(found.mass_centre, truth.fixed.mass_centre, 0.0003);
  EXPECT_LT(law.all->objective, 0.02);
}

TEST_F(CubeFitsTest, ALawStartsAtAnothersValuesForTheSameFold) {
  const CubeLaw truth = law_of(LawKind::stronge, {});
  const std::vector<Toss> tosses = tosses_of(truth, 6);
  const auto folds = deal_folds(6, 2);
  CubeLaw before = law_of(LawKind::newton, {{"friction", 0.1}, {"restitution", 0.1}});
  before.all = FittedValues{{0.31, 0.2}, 1, 1};
  before.folds = {{{0.32, 0.21}, 1, 1}, {{0.33, 0.22}, 1, 1}};
  CubeLaw law = law_of(LawKind::stronge, {{"half_width", 0.0511}, {"friction", 0.4}});
  law.evaluations = 1;  // no more than the start
  fit_law(law, &before, tosses, folds, TossProtocol(), 100);
  EXPECT_EQ(law.all->values, (std::vector<double>{0.0511, 0.31}));
  EXPECT_EQ(law.folds[0].values, (std::vector<double>{0.0511, 0.32}));
  EXPECT_EQ(law.folds[1].values, (std::vector<double>{0.0511, 0.33}));
}

TEST_F(CubeFitsTest, TheLawThatMadeTheTossesScoresBetterThanAnother) {
  const TossProtocol protocol;
  const CubeLaw truth = law_of(LawKind::stronge, {});
  const std::vector<Toss> tosses = tosses_of(truth, 16);
  const auto score = [&](const CubeLaw& law, const char* name) {
    const Scene scene = parse_scene(cube_scene(law.fixed, {}, law.method, {}), name);
    TossScore result{name, {}};
    for (const Toss& toss : tosses) result.errors.push_back(run_toss(scene, toss, protocol).error);
    return result;
  };
  CubeLaw slippery = truth, plastic = law_of(LawKind::plastic, {});
  slippery.fixed.impact_friction = 0.05;
  const TossScore right = score(truth, "truth");
  for (const TossScore& wrong : {score(slippery, "slippery"), score(plastic, "plastic")}) {
    for (const std::size_t figure : {0u, 1u, 2u}) {
      const Interval difference = paired_interval(wrong, right, figure);
      EXPECT_GT(difference.lower, 0) << wrong.name << " " << toss_figures[figure];
    }
    EXPECT_NE(paired_table({right, wrong}, right).find('*'), std::string::npos);
  }
}

TEST_F(CubeFitsTest, FilesComeBackAsTheyWereWritten) {
  CubeFits fits;
  fits.folds = {{1, 5}, {2}};
  CubeLaw law = law_of(LawKind::newton, {{"friction", 0.2}, {"floor", 0.0}});
  law.all = FittedValues{{0.21, 0.001}, 0.25, 17};
  law.folds = {{{0.22, 0.002}, 0.2, 3}, {{0.23, -0.001}, 0.3, 4}};
  fits.laws = {law, law_of(LawKind::lzb, {{"half_width", 0.051}})};
  fits.laws[1].method.cone = FrictionCone::exact;
  fits.laws[1].start_of = "made";
  fits.laws[1].evaluations = 40;
  write_cube_fits(fits, path("fits.json"));
  const CubeFits read = read_cube_fits(path("fits.json"));
  EXPECT_EQ(read.folds, fits.folds);
  ASSERT_EQ(read.laws.size(), 2u);
  EXPECT_EQ(read.laws[0].starts, law.starts);
  EXPECT_EQ(read.laws[0].all->values, law.all->values);
  EXPECT_EQ(read.laws[0].folds[1].values, law.folds[1].values);
  EXPECT_EQ(read.laws[0].fixed.mass_centre, 0.006);
  EXPECT_EQ(read.laws[0].method.law, LawKind::newton);
  EXPECT_EQ(read.laws[0].method.step, law.method.step);
  EXPECT_EQ(read.laws[1].method.cone, FrictionCone::exact);
  EXPECT_EQ(read.laws[1].start_of, "made");
  EXPECT_EQ(read.laws[1].evaluations, 40);
  EXPECT_FALSE(read.laws[1].all);
  const CubeParameters cube = parameters_of(read.laws[0], read.laws[0].all->values);
  EXPECT_EQ(cube.friction, 0.21);
  EXPECT_EQ(cube.floor, 0.001);
}

TEST_F(CubeFitsTest, AFileWithoutSenseIsRefusedWithItsName) {
  const auto expect_refused = [&](const std::string& text, const std::string& part) {
    std::ofstream(path("fits.json")) << text;
    try {
      read_cube_fits(path("fits.json"));
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("fits.json"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  expect_refused("{\"laws\": [", "parse error");
  expect_refused("{}", "laws");
  const std::string head =
      R"({"laws": [{"name": "a", "stepper": "semi-explicit", "law": "newton", "steps_per_frame": 4, )";
  expect_refused(head + R"("start": {"bounce": 1}}]})", "no parameter 'bounce'");
  expect_refused(R"({"laws": [{"name": "a", "stepper": "hopping"}]})", "unknown stepper 'hopping'");
  expect_refused(head + R"("start": {"floor": 0}, "folds": [{"floor": 0, "objective": 1, "evaluations": 1}]}]})",
                 "law a has values for 1 folds; there are 0");
}

}  // namespace
}  // namespace carom::cube_fits_test
