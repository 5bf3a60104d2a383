#include "carom/validation/cube_tosses.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "carom/error.h"
#include "carom/record/curve.h"
#include "carom/record/test/test_folder.h"
#include "carom/validation/toss_peers.h"
#include "made_tosses.h"
#include "testing/folders.h"
#include "toss_writer.h"

namespace carom::cube_tosses_test {
namespace {

namespace fs = std::filesystem;
using test::flight;
using test::random_release;
using test::TossWriter;

const std::string scenes = source_folder() + "/scenes";
constexpr int count = 20;
const std::string law = "semi-explicit_stronge";

std::string tosses_folder() { return (data_folder() / "cube_tosses").string(); }

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Scene measured_toss() { return load_scene(scenes + "/measured_toss.yaml"); }

/// The scene with another step; its duration is no matter here and must only be a whole number of steps.
Scene with_step(double step) {
  SceneOverrides overrides;
  overrides.step = step;
  overrides.duration = 100 * step;
  return load_scene(scenes + "/measured_toss.yaml", overrides);
}

class CubeTossesTest : public test::FolderTest {
 protected:
  /// The folder of scenes with one text of the scene replaced by another.
  std::string changed_scenes(const std::string& from, const std::string& to) const {
    std::string text = read_file(scenes + "/measured_toss.yaml");
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at != std::string::npos) text.replace(at, from.size(), to);
    std::ofstream(path("measured_toss.yaml")) << text;
    fs::copy(scenes + "/cube_tosses", path("cube_tosses"));
    return fs::path(path("measured_toss.yaml")).parent_path().string();
  }
};

TEST_F(CubeTossesTest, FlightLagsBehindTheFormulaByHalfAStepOfFall) {
  // After n steps z of the time-stepping map is z₀ + v t − ½ g t² − ½ g h t. Spin of an isotropic body is exact.
  const Scene scene = measured_toss();
  const TossProtocol protocol = protocol_of(scene);
  std::mt19937 random(8);
  for (int i = 0; i < 5; ++i) {
    Release release = random_release(random);
    release.position.z() += 5;
    const Toss toss{.number = i, .poses = flight(release, 60, protocol)};
    const TossRun run = run_toss(scene, toss, protocol);
    EXPECT_NEAR(run.step, 1.0 / 1480, 1e-15);
    ASSERT_EQ(run.simulated.size(), toss.poses.size());
    for (std::size_t k = 0; k < toss.poses.size(); ++k) {
      const Vec3 lag(0, 0, -0.5 * protocol.gravity * run.step * static_cast<double>(k) / protocol.frame_rate);
      EXPECT_LT((run.simulated[k].position - toss.poses[k].position - lag).norm(), 1e-9);
      EXPECT_LT(pose_error(run.simulated[k], toss.poses[k], protocol).rotation, 1e-7);
    }
    EXPECT_EQ(run.certificate.steps, 590);
    EXPECT_EQ(run.certificate.unsolved_steps, 0);
    EXPECT_LE(run.energy_gain, 1e-12);
    // In the air to the end, so the cube that freezes where it touches never does.
    EXPECT_LT(run.frozen.end.position, 1e-9);
    EXPECT_LT(run.frozen.end.rotation, 1e-7);
  }
}

TEST_F(CubeTossesTest, ACubeThatFreezesStaysWhereItTouched) {
  const Scene scene = measured_toss();
  const TossProtocol protocol = protocol_of(scene);
  Release drop;
  drop.position.z() = 0.2;
  const Toss toss{.number = 0, .poses = flight(drop, 60, protocol)};
  const int touch = frames_in_flight(toss.poses, protocol);
  const double fallen = toss.poses[touch].position.z() - toss.poses.back().position.z();
  EXPECT_NEAR(run_toss(scene, toss, protocol).frozen.end.position, fallen / 0.1048, 1e-9);
}

TEST_F(CubeTossesTest, AFlatDropBouncesByNewtonsLawAndRestsAtItsHalfWidth) {
  const Scene scene = with_step(5e-5);
  const TossProtocol protocol = protocol_of(scene);
  Release drop;
  drop.position.z() = 0.2;
  const Toss toss{.number = 0, .poses = flight(drop, 120, protocol)};
  const TossRun run = run_toss(scene, toss, protocol);
  EXPECT_NEAR(run.simulated.back().position.z(), 0.05127, 1e-9);
  EXPECT_LT(run.simulated.back().position.head<2>().norm(), 1e-9);
  // Height of the first bounce: e² times the fall. The impact is known to a step, the top is seen up to half a frame
  // late.
  const double fall = 0.2 - 0.05127, e = 0.125;
  double bounce = 0;
  bool landed = false;
  for (std::size_t k = 1; k < run.simulated.size(); ++k) {
    const double z = run.simulated[k].position.z();
    landed = landed || z > run.simulated[k - 1].position.z();
    if (landed) bounce = std::max(bounce, z - 0.05127);
  }
  const double step_error = std::sqrt(2 * protocol.gravity * fall) * run.step;
  const double missed = 0.5 * protocol.gravity / (296.0 * 296.0);
  EXPECT_NEAR(bounce, e * e * fall, step_error + missed);
  EXPECT_LT(step_error + missed, 0.1 * e * e * fall);  // so that the comparison says something
}

TEST_F(CubeTossesTest, StepsEndOnFramesWhateverTheScenesStep) {
  Release high;
  high.position.z() = 5;
  const Toss toss{.number = 0, .poses = flight(high, 5, TossProtocol())};
  const auto step_of = [&](double step) {
    const Scene scene = with_step(step);
    return run_toss(scene, toss, protocol_of(scene)).step;
  };
  EXPECT_NEAR(step_of(0.001), 1.0 / (148 * 7), 1e-15);
  EXPECT_NEAR(step_of(0.1), 1.0 / 148, 1e-15);
  EXPECT_NEAR(step_of(0.00675676), 1.0 / 148, 1e-15);  // 1/148 s as a file writes it
}

TEST_F(CubeTossesTest, RunsTwiceToTheSameBits) {
  const Scene scene = measured_toss();
  const TossProtocol protocol = protocol_of(scene);
  std::mt19937 random(9);
  const Toss toss{.number = 0, .poses = flight(random_release(random), 120, protocol)};
  const TossRun first = run_toss(scene, toss, protocol), second = run_toss(scene, toss, protocol);
  for (std::size_t k = 0; k < first.simulated.size(); ++k) {
    EXPECT_EQ(first.simulated[k].position, second.simulated[k].position);
    EXPECT_EQ(first.simulated[k].orientation.coeffs(), second.simulated[k].orientation.coeffs());
  }
}

TEST_F(CubeTossesTest, RefusesASceneThatIsNoFreeCube) {
  const Scene scene = load_scene(scenes + "/ball_pile.yaml");
  Release high;
  high.position.z() = 5;
  const Toss toss{.number = 0, .poses = flight(high, 5, TossProtocol())};
  try {
    run_toss(scene, toss, protocol_of(scene));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("must have one body"), std::string::npos) << error.what();
  }
}

TEST_F(CubeTossesTest, TheTrackedPointCirclesAMassCentreBesideIt) {
  // In flight the mass centre's path is a parabola, and the cube spins steadily: both as released, wherever it lies.
  const CubeParameters cube{.mass_centre = 0.006};
  Method method;
  method.stepper = StepperKind::semi_explicit;
  method.law = LawKind::stronge;
  method.step = 1.0 / 1480;
  const Scene scene = parse_scene(cube_scene(cube, {}, method, {}), "cube");
  const TossProtocol protocol = protocol_of(scene);
  std::mt19937 random(15);
  Release centre = random_release(random);
  centre.position.z() += 5;
  Toss toss{.number = 0, .poses = flight(centre, 60, protocol)};
  for (Pose& pose : toss.poses) pose.position -= pose.orientation * Vec3(0, 0, 0.006);
  const TossRun run = run_toss(scene, toss, protocol);
  for (std::size_t k = 0; k < toss.poses.size(); ++k) {
    const Vec3 lag(0, 0, -0.5 * protocol.gravity * run.step * static_cast<double>(k) / protocol.frame_rate);
    EXPECT_LT((run.simulated[k].position - toss.poses[k].position - lag).norm(), 2e-5);
    EXPECT_LT(pose_error(run.simulated[k], toss.poses[k], protocol).rotation, 1e-2);
  }
  EXPECT_GT((run_toss(measured_toss(), toss, protocol).simulated.back().position - toss.poses.back().position).norm(),
            1e-3);
}

TEST_F(CubeTossesTest, ACubeThatLiesStillIsLeftAlone) {
  const Scene scene = measured_toss();
  const TossProtocol protocol = protocol_of(scene);
  Release drop;
  drop.position.z() = 0.06;
  const Throw brief = throw_cube(scene, drop, 100, protocol), long_one = throw_cube(scene, drop, 5000, protocol);
  EXPECT_EQ(brief.certificate.steps, long_one.certificate.steps);
  EXPECT_EQ(long_one.poses.size(), 5000u);
  EXPECT_NEAR(long_one.poses.back().position.z(), 0.05127, 1e-9);
}

TEST_F(CubeTossesTest, ALawIsJudgedByValuesThatItsTossHadNoPartIn) {
  const Scene all = measured_toss(), first = with_step(0.001), second = with_step(0.002);
  const LawScenes law{"law", all, {first, second}};
  const std::vector<std::vector<std::int64_t>> folds{{4, 8}, {2}};
  EXPECT_EQ(law.for_toss(8, folds).method.step, 0.001);
  EXPECT_EQ(law.for_toss(2, folds).method.step, 0.002);
  EXPECT_EQ(law.for_toss(3, folds).method.step, all.method.step);
}

TEST_F(CubeTossesTest, FitsOfMadeTossesAreWrittenAndScoredUnseen) {
  // Tosses of a cube with its own friction, fitted from another. The values and the scene are written, every toss is in
  // one fold, and the score is that of the right friction.
  fs::copy(scenes + "/measured_toss.yaml", path("measured_toss.yaml"));
  fs::create_directories(path("cube_tosses"));
  CubeLaw made;
  made.name = "made";
  made.method.stepper = StepperKind::semi_explicit;
  made.method.law = LawKind::newton;
  made.method.step = 1.0 / 444;
  made.fixed.friction = 0.3;
  const Scene truth = parse_scene(cube_scene(made.fixed, {}, made.method, {}), "truth");
  const TossProtocol protocol = protocol_of(truth);
  std::mt19937 random(16);
  std::vector<Toss> tosses;
  for (int i = 0; i < 10; ++i) {
    Release release = random_release(random);
    release.position.z() = 0.25;
    tosses.push_back({100 + i, throw_cube(truth, release, 60, protocol).poses});
  }
  { TossWriter(path("tosses.h5")).tosses(tosses); }
  made.starts = {{"friction", 0.2}};
  write_cube_fits({{}, {made}}, path("cube_tosses") + "/fits.json");
  ValidationOptions options;
  options.scenes = fs::path(path("cube_tosses")).parent_path().string();
  options.data = path("tosses.h5");
  options.output = path("out");
  EXPECT_THROW(validate_cube_tosses(options), Error);  // nothing is fitted yet
  options.fit = true;
  options.evaluations = 30;
  const Validation fitted = validate_cube_tosses(options);
  const CubeFits fits = read_cube_fits(path("cube_tosses") + "/fits.json");
  ASSERT_TRUE(fits.laws[0].all);
  EXPECT_NEAR(fits.laws[0].all->values[0], 0.3, 0.02);
  EXPECT_EQ(load_scene(path("cube_tosses") + "/made.yaml").model->materials()[0].friction.x(),
            fits.laws[0].all->values[0]);
  std::size_t numbers = 0;
  for (const auto& fold : fits.folds) numbers += fold.size();
  EXPECT_EQ(numbers, tosses.size());
  options.fit = false;
  const Validation again = validate_cube_tosses(options);
  ASSERT_EQ(again.entries.size(), fitted.entries.size());
  for (std::size_t i = 0; i < again.entries.size(); ++i) EXPECT_EQ(again.entries[i].value, fitted.entries[i].value);
  EXPECT_LT(again.entries[3].value, again.entries[10].value);  // beside the friction of measured_toss.yaml
  options.laws = {"mad"};
  try {
    validate_cube_tosses(options);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "no law of cube_tosses is named 'mad'; there are: made");
  }
}

TEST_F(CubeTossesTest, ShippedScenesAreThoseOfTheirFittedValues) {
  const CubeFits fits = read_cube_fits(scenes + "/cube_tosses/fits.json");
  int count = 0;
  for (const CubeLaw& law : fits.laws) {
    if (!law.all) continue;
    const std::string file = read_file(scenes + "/cube_tosses/" + law.name + ".yaml");
    const std::string made = cube_scene(parameters_of(law, law.all->values), names_of(law), law.method, {});
    EXPECT_TRUE(file.ends_with(made)) << law.name;
    ++count;
  }
  EXPECT_GE(count, 10);
}

TEST_F(CubeTossesTest, MeasurementsOfAnotherLayoutAreRefused) {
  {
    TossWriter writer(path("tosses.h5"));
    writer.reals("/state", {4, 12}, std::vector<double>(48, 0.5));
    writer.integers("/offsets", {0, 4});
    writer.integers("/toss_id", {0});
  }
  ValidationOptions options;
  options.scenes = scenes;
  options.data = path("tosses.h5");
  options.output = path("out");
  try {
    validate_cube_tosses(options);
    ADD_FAILURE();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(
        text.find("tosses.h5: dataset /state has the shape (4, 12); it must hold real numbers in the shape (frames, "
                  "13)"),
        std::string::npos)
        << text;
  }
}

TEST_F(CubeTossesTest, AFileWhoseTossCannotBeThrownIsRefusedWithItsName) {
  Toss toss{.number = 33, .poses = std::vector<Pose>(10)};  // inside the board
  { TossWriter(path("tosses.h5")).tosses({toss}); }
  ValidationOptions options;
  options.scenes = scenes;
  options.data = path("tosses.h5");
  options.output = path("out");
  try {
    validate_cube_tosses(options);
    ADD_FAILURE();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("tosses.h5"), std::string::npos) << text;
    EXPECT_NE(text.find("toss 33 has 0 frames"), std::string::npos) << text;
  }
}

// ------------------------------------------------------------------------------------------------- the measurements

class MeasuredTossesTest : public CubeTossesTest {
 protected:
  void SetUp() override {
    CubeTossesTest::SetUp();
    if (!fs::exists(file())) GTEST_SKIP() << "no measurements: " << file() << " (CAROM_DATA names their folder)";
  }
  static std::string file() { return tosses_folder() + "/tosses_train.h5"; }

  Validation validate(const std::string& scene_folder) const {
    ValidationOptions options;
    options.scenes = scene_folder;
    options.data = file();
    options.output = path("out");
    options.tosses = count;
    options.laws = {law};
    return validate_cube_tosses(options);
  }

  /// The protocol's own figures of our poses; null if it can't be run here.
  nlohmann::json figures(const std::vector<TossRun>& runs) const {
    if (std::system("/usr/bin/python3 -c 'import h5py, numpy' 2>/dev/null") != 0) return nullptr;
    if (!fs::exists(tosses_folder() + "/protocol.py")) return nullptr;
    std::vector<double> poses;
    std::vector<std::int64_t> offsets{0};
    for (const TossRun& run : runs) {
      for (const Pose& pose : run.simulated) {
        const Quaternion& q = pose.orientation;
        const Vec3& p = pose.position;
        poses.insert(poses.end(), {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()});
      }
      offsets.push_back(static_cast<std::int64_t>(poses.size() / 7));
    }
    {
      TossWriter writer(path("simulated.h5"));
      writer.reals("/pose", {poses.size() / 7, 7}, poses);
      writer.integers("/offsets", offsets);
    }
    const std::string command =
        "/usr/bin/python3 '" + source_folder() + "/carom/validation/test/protocol_figures.py' '" + tosses_folder() +
        "' '" + path("simulated.h5") + "' " + std::to_string(count) + " > '" + path("figures.json") + "'";
    if (std::system(command.c_str()) != 0) throw Error("failed: " + command);
    return nlohmann::json::parse(read_file(path("figures.json")));
  }
};

TEST_F(MeasuredTossesTest, FiguresAreThoseOfTheProtocolThatComesWithThem) {
  const Scene scene = measured_toss();
  const TossProtocol protocol = protocol_of(scene);
  std::vector<TossRun> runs;
  for (const Toss& toss : choose_tosses(file(), count, protocol)) runs.push_back(run_toss(scene, toss, protocol));
  ASSERT_EQ(runs.size(), static_cast<std::size_t>(count));
  const nlohmann::json theirs = figures(runs);
  if (theirs.is_null()) GTEST_SKIP() << "protocol.py, or /usr/bin/python3 with h5py and numpy, is missing";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const TossRun& run = runs[i];
    EXPECT_EQ(run.measured.number, theirs["numbers"][i]);
    EXPECT_EQ(run.measured.poses.size(), theirs["frames"][i]);
    const Release& r = run.release;
    const Quaternion& q = r.orientation;
    const std::vector<double> ours{r.position.x(),
                                   r.position.y(),
                                   r.position.z(),
                                   q.w(),
                                   q.x(),
                                   q.y(),
                                   q.z(),
                                   r.velocity.x(),
                                   r.velocity.y(),
                                   r.velocity.z(),
                                   r.angular_velocity.x(),
                                   r.angular_velocity.y(),
                                   r.angular_velocity.z()};
    for (std::size_t j = 0; j < ours.size(); ++j) EXPECT_NEAR(ours[j], theirs["release"][i][j], 1e-9) << i << " " << j;
    const TossError& error = run.error;
    const std::vector<double> errors{error.mean.position, error.end.position, error.mean.rotation, error.end.rotation,
                                     error.right_face ? 1.0 : 0.0};
    for (std::size_t j = 0; j < errors.size(); ++j) {
      EXPECT_NEAR(errors[j], theirs["errors"][i][j], 1e-9) << i << " " << j;
    }
  }
}

TEST_F(MeasuredTossesTest, ValidationPassesAndWritesPredictionsAndAPage) {
  const Validation validation = validate(scenes);
  // The law, beside what is published and MuJoCo, and the scene in which nothing is fitted.
  EXPECT_EQ(validation.entries.size(), 11u + 7u);
  for (const ValidationEntry& entry : validation.entries) EXPECT_TRUE(entry.pass) << entry.figure << entry.quantity;
  ASSERT_EQ(validation.files,
            (std::vector<std::string>{path("out") + "/cube_tosses_" + law + ".h5", path("out") + "/cube_tosses.html"}));
  TossPredictions predictions = read_predictions(validation.files.front());
  EXPECT_EQ(predictions.tosses.size(), static_cast<std::size_t>(count));
  // The same predictions, judged as another simulator's, differ from the law's in nothing.
  predictions.name = "twin";
  write_predictions(predictions, path("twin.h5"));
  ValidationOptions options;
  options.scenes = scenes;
  options.data = file();
  options.output = path("again");
  options.tosses = count;
  options.laws = {law};
  options.predictions = {path("twin.h5")};
  const Validation beside_twin = validate_cube_tosses(options);
  EXPECT_NE(beside_twin.text.find("+0.0 [+0.0, +0.0]"), std::string::npos) << beside_twin.text;
  // Its errors are written, as those that come with the scenes are.
  ASSERT_EQ(beside_twin.files.size(), 3u);
  ASSERT_EQ(fs::path(beside_twin.files[1]).filename(), "cube_tosses_peers.csv");
  const std::vector<TossPeer> written = read_toss_peers(beside_twin.files[1]);
  ASSERT_EQ(written.size(), 1u);
  EXPECT_EQ(written.front().name, "twin");
  EXPECT_EQ(written.front().errors.size(), static_cast<std::size_t>(count));
  // The curves that the page holds are those of the poses.
  const std::string page = read_file(validation.files.back());
  const std::string mark = "<script type=\"application/json\" id=\"run\">";
  const std::size_t start = page.find(mark) + mark.size();
  const nlohmann::json content = nlohmann::json::parse(page.substr(start, page.find("</script>", start) - start));
  ASSERT_EQ(content["sections"].size(), count + 1u);
  const Scene scene = measured_toss();
  const TossProtocol protocol = protocol_of(scene);
  const std::vector<Toss> tosses = choose_tosses(file(), count, protocol);
  for (std::size_t i = 0; i < tosses.size(); ++i) {
    const nlohmann::json& section = content["sections"][i + 1];
    EXPECT_EQ(section["title"], "Toss " + std::to_string(tosses[i].number));
    const nlohmann::json& height = section["charts"][2];
    EXPECT_EQ(height["series"][1]["name"], "measured");
    std::vector<double> measured, times;
    for (const Pose& pose : tosses[i].poses) {
      times.push_back(static_cast<double>(measured.size()) / 148);
      measured.push_back(1000 * pose.position.z());
    }
    EXPECT_EQ(height["series"][1]["data"], base64(measured));
    EXPECT_EQ(height["times"], base64(times));
    EXPECT_NE(height["series"][0]["data"], height["series"][1]["data"]);
  }
}

bool fails(const Validation& validation, const std::string& figure) {
  return std::any_of(validation.entries.begin(), validation.entries.end(),
                     [&](const ValidationEntry& entry) { return entry.figure == figure && !entry.pass; });
}

TEST_F(MeasuredTossesTest, ACubeOfRubberFailsIt) {
  EXPECT_TRUE(fails(validate(changed_scenes("restitution: 0.125", "restitution: 0.8")), "not fitted"));
}

TEST_F(MeasuredTossesTest, ACubeOnIceFailsIt) {
  EXPECT_TRUE(fails(validate(changed_scenes("friction: 0.18", "friction: 0")), "not fitted"));
}

TEST_F(MeasuredTossesTest, ALawWithValuesOfAnotherCubeFailsIt) {
  fs::copy(scenes + "/measured_toss.yaml", path("measured_toss.yaml"));
  fs::copy(scenes + "/cube_tosses", path("cube_tosses"));
  CubeFits fits = read_cube_fits(path("cube_tosses") + "/fits.json");
  for (CubeLaw& one : fits.laws) {
    for (FittedValues& fold : one.folds) {
      for (std::size_t i = 0; i < one.starts.size(); ++i) {
        if (one.starts[i].first == "friction") fold.values[i] = 0.01;
      }
    }
  }
  write_cube_fits(fits, path("cube_tosses") + "/fits.json");
  EXPECT_TRUE(fails(validate(fs::path(path("cube_tosses")).parent_path().string()), law));
}

TEST_F(MeasuredTossesTest, TheLawIsBetterThanWhatIsNotFitted) {
  const Validation validation = validate(scenes);
  ASSERT_EQ(validation.entries.size(), 18u);
  for (std::size_t i = 3; i < 7; ++i) EXPECT_LT(validation.entries[i].value, validation.entries[i + 11].value);
}

}  // namespace
}  // namespace carom::cube_tosses_test
