#include "carom/validation/square_drops.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "carom/error.h"
#include "carom/record/test/test_folder.h"
#include "carom/scene/scene_text.h"
#include "carom/validation/drop_report.h"
#include "carom/validation/planar_value_table.h"
#include "carom/validation/plane_pose.h"
#include "carom/validation/toss_entries.h"
#include "drop_writer.h"
#include "testing/folders.h"

namespace carom::square_drops_test {
namespace {

namespace fs = std::filesystem;
using test::TossWriter;

const std::string scenes = source_folder() + "/scenes";
const std::string scene_file = scenes + "/square_drops/square.yaml";
const std::string shipped = scenes + "/square_drops/fits.json";

nlohmann::json read_json(const std::string& path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

PlanarLaw shipped_law(const std::string& name) {
  for (const PlanarLaw& law : read_planar_fits(shipped).laws) {
    if (law.name == name) return law;
  }
  ADD_FAILURE() << name;
  return {};
}

/// The floor of the scenes.
SquareDrops square_on_its_floor() {
  SquareDrops square = test::square_of_drops();
  square.floor_height = 0.001675;
  square.floor_slope = 0.0021;
  return square;
}

/// Drops by Stronge's law with these values of friction of impacts and restitution.
SquareDrops made_drops(const std::vector<double>& values, int count) {
  SquareDrops square = square_on_its_floor();
  const TossProtocol protocol = protocol_of(square);
  const Scene scene = planar_scene(read_scene_text(scene_file), scene_file, shipped_law("stronge"), values);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int i = 0; i < count; ++i) {
    const double angle = 3 * number(random), across = -0.5 + 0.2 * number(random), spin = 8 * number(random);
    Release release;
    release.position = {-0.3, 0, 0.15};
    release.orientation = plane_pose({0, 0, angle}).orientation;
    release.velocity = {across, 0, -1.8};
    release.angular_velocity = {0, -spin, 0};
    SquareDrop drop{2 * i, {}};
    double turned = angle;
    for (const Pose& pose : throw_cube(scene, release, 150, protocol).poses) {
      turned += std::remainder(plane_angle(pose.orientation) - turned, 2 * EIGEN_PI);
      drop.poses.emplace_back(pose.position.x(), pose.position.z(), turned);
    }
    square.drops.push_back(std::move(drop));
  }
  return square;
}

class SquareDropsTest : public test::FolderTest {
 protected:
  ValidationOptions options(const std::string& data) const {
    ValidationOptions options;
    options.scenes = scenes;
    options.data = data;
    options.output = path("out");
    options.fits = path("fits.json");
    options.laws = {"stronge"};
    return options;
  }
  /// A file of fits with one law, whose values for all folds are these.
  void write_values(const std::vector<double>& values, const std::vector<std::int64_t>& numbers) const {
    PlanarFits fits;
    fits.folds["square"] = planar_fold_numbers(numbers);
    PlanarLaw law = shipped_law("stronge");
    PlanarBodyFit fit;
    fit.all.values = values;
    fit.folds.assign(5, fit.all);
    law.fits = {{"square", fit}};
    fits.laws = {law};
    write_planar_fits(fits, path("fits.json"));
  }
  double end_error() const {
    return read_json(path("out") + "/square_drops.json")["laws"][0]["errors"]["position_end"]["median"][0]
        .get<double>();
  }
};

TEST_F(SquareDropsTest, DropsOfAKnownSceneAreReproducedAndOthersAreNot) {
  const std::vector<double> truth{0.14, 0.45};
  const SquareDrops made = made_drops(truth, 24);
  {
    const TossWriter writer(path("drops.h5"));
    write_drops(writer, made);
  }
  std::vector<std::int64_t> numbers;
  for (const SquareDrop& drop : made.drops) numbers.push_back(drop.number);
  const ValidationOptions given = options(path("drops.h5"));
  write_values(truth, numbers);
  const Validation validation = validate_square_drops(given);
  for (const std::string& file : validation.files) EXPECT_TRUE(fs::exists(file)) << file;
  // A step of 1 ms adds 5 mm/s to a flight of 1.8 m/s, so the fitted release differs from the one that made the drop.
  // Each impact multiplies this.
  const double same = end_error();
  EXPECT_LT(same, 10);
  const nlohmann::json table = read_json(path("out") + "/square_drops.json");
  EXPECT_TRUE(table["unseen_by_folds"].get<bool>());
  EXPECT_EQ(
      table["judged"].get<std::size_t>() +
          [&] {
            std::size_t left = 0;
            for (const auto& row : table["left_out"]) left += row["drops"].size();
            return left;
          }(),
      made.drops.size());
  EXPECT_NE(validation.text.find("flight, then freeze"), std::string::npos);

  for (const std::size_t changed : {0u, 1u}) {
    std::vector<double> other = truth;
    other[changed] += 0.15;
    write_values(other, numbers);
    validate_square_drops(given);
    EXPECT_GT(end_error(), 2 * same) << changed;
  }
}

TEST_F(SquareDropsTest, AChangedPoseOfTheFirstFlightChangesThePrediction) {
  SquareDrops made = made_drops({0.14, 0.45}, 5);
  std::vector<std::int64_t> numbers;
  for (const SquareDrop& drop : made.drops) numbers.push_back(drop.number);
  write_values({0.14, 0.45}, numbers);
  const auto predicted = [&] {
    {
      const TossWriter writer(path("drops.h5"));
      write_drops(writer, made);
    }
    validate_square_drops(options(path("drops.h5")));
    return read_predictions(path("out") + "/square_drops_stronge.h5").tosses.front().poses;
  };
  const std::vector<Pose> before = predicted();
  made.drops[0].poses[3] += Vec3(1e-4, 0, 0);
  const std::vector<Pose> after = predicted();
  EXPECT_GT((before.back().position - after.back().position).norm(), 1e-5);
  // Poses after the first impact are what is predicted, and change nothing.
  made.drops[0].poses[60] += Vec3(1e-4, 0, 0);
  const std::vector<Pose> later = predicted();
  EXPECT_EQ(after.back().position, later.back().position);
}

TEST_F(SquareDropsTest, AFitFindsTheRestitutionThatMadeTheDrops) {
  {
    const TossWriter writer(path("drops.h5"));
    write_drops(writer, made_drops({0.14, 0.4}, 10));
  }
  ValidationOptions given = options(path("drops.h5"));
  PlanarFits fits = read_planar_fits(shipped);
  for (PlanarLaw& law : fits.laws) {
    law.fits.clear();
    if (law.name != "stronge") continue;
    law.fixed = {{"impact_friction", 0.14}};
    law.parameters = {{"restitution", 0.5, 0.2, 0.8}};
  }
  fits.folds.clear();
  write_planar_fits(fits, path("fits.json"));
  given.fit = true;
  given.evaluations = 25;
  const Validation validation = validate_square_drops(given);
  for (const PlanarLaw& law : read_planar_fits(path("fits.json")).laws) {
    if (law.name != "stronge") continue;
    EXPECT_NEAR(law.fits.at("square").all.values[0], 0.4, 0.01);
    EXPECT_EQ(planar_value_rows(law, "square").size(), 1u);
    EXPECT_EQ(planar_value_rows(law, "square")[0].size(), planar_value_columns().size());
  }
  EXPECT_GE(validation.entries.size(), 5u);
}

TEST_F(SquareDropsTest, SaysWhatIsWrong) {
  const auto sentence = [](const ValidationOptions& with) -> std::string {
    try {
      validate_square_drops(with);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  ValidationOptions given = options(path("none.h5"));
  given.fits = shipped;
  EXPECT_NE(sentence(given).find("none.h5: there is no such file"), std::string::npos);
  given.laws = {"mach"};
  EXPECT_NE(sentence(given).find("no law of square_drops is named 'mach'; there are: stronge"), std::string::npos);
  SquareDrops drops = square_on_its_floor();
  drops.drops.push_back({2, std::vector<Vec3>(20, Vec3(0, 0.0316, 0))});  // lies still
  {
    const TossWriter writer(path("still.h5"));
    write_drops(writer, drops);
  }
  given = options(path("still.h5"));
  given.fits = shipped;
  EXPECT_NE(sentence(given).find("still.h5: no drop of /square_drops can be judged"), std::string::npos);
}

TEST(SquareDropEntries, EnergyAboveTheReleaseFails) {
  LawRuns law;
  law.name = "made up";
  law.runs.resize(2);
  Validation validation;
  add_run_entries("here", law, validation);
  for (const ValidationEntry& entry : validation.entries) EXPECT_TRUE(entry.pass) << entry.quantity;
  law.runs[1].energy_gain = 1e-9;
  law.runs[0].certificate.unsolved_steps = 1;
  Validation worse;
  add_run_entries("here", law, worse);
  EXPECT_EQ(count_of({worse}).failed, 2);
}

class MeasuredSquareDropsTest : public SquareDropsTest {
 protected:
  void SetUp() override {
    SquareDropsTest::SetUp();
    if (!fs::exists(file())) GTEST_SKIP() << "no measurements: " << file() << " (CAROM_DATA names their folder)";
  }
  static std::string file() { return (data_folder() / "planar_impacts" / "impacts_train.h5").string(); }
};

TEST_F(MeasuredSquareDropsTest, EntriesPass) {
  ValidationOptions given = options(file());
  given.fits.clear();  // the scenes' own
  given.laws = {"lzb_spring", "stronge"};
  const Validation validation = validate_square_drops(given);
  for (const ValidationEntry& entry : validation.entries) {
    EXPECT_TRUE(entry.pass) << entry.figure << ", " << entry.quantity << ": " << entry.value;
  }
}

TEST_F(MeasuredSquareDropsTest, FirstFlightsShowTheDragOfTheProtocol) {
  const SquareDrops drops = read_square_drops(file());
  const auto residual = [&](double drag) {
    TossProtocol protocol = protocol_of(drops);
    protocol.drag = drag;
    double squares = 0;
    for (const SquareDrop& drop : drops.drops) {
      const JudgedDrop judged = judge_drop(drop, drops);
      if (judged.fault == DropFault::none) squares += std::pow(fit_release(judged.toss, protocol).position_noise, 2);
    }
    return squares;
  };
  const double stated = residual(drops.drag);
  EXPECT_GT(stated, 0);
  EXPECT_LT(stated, residual(0));
  EXPECT_LT(stated, residual(2 * drops.drag));
}

TEST_F(MeasuredSquareDropsTest, TheInertiaOfAUniformSquareFailsIt) {
  fs::create_directories(path("scenes"));
  for (const char* folder : {"planar_impacts", "square_drops"})
    fs::copy(scenes + "/" + folder, path("scenes") + "/" + folder);
  const std::string square = path("scenes") + "/planar_impacts/square.yaml";
  std::string text = read_scene_text(square);
  for (std::size_t at = text.find("0.0204^2"); at != std::string::npos; at = text.find("0.0204^2")) {
    text.replace(at, 8, "0.0245^2");
  }
  std::ofstream(square) << text;
  ValidationOptions given = options(file());
  given.scenes = path("scenes");
  given.fits.clear();
  given.laws = {"lzb_spring"};
  for (const ValidationEntry& entry : validate_square_drops(given).entries) {
    const bool is_wrong = entry.quantity.find("unseen") != std::string::npos;
    EXPECT_EQ(entry.pass, !is_wrong) << entry.figure << ", " << entry.quantity << ": " << entry.value;
  }
}

}  // namespace
}  // namespace carom::square_drops_test
