// Measured tosses of a cube in MuJoCo, fitted to what Carom's laws are (carom/validation/cube_fits.h), judged beside
// them:
//
//     toss_mujoco DATA.h5 VALUES.json OUT.h5 [--fit EVALUATIONS]
//     carom validate cube_tosses --data DATA.h5 --predictions OUT.h5
//
// VALUES.json holds the fitted parameters with the start of their search, and the values found, in all and per fold;
// --fit finds them anew. A toss that took part in the fit is predicted with the values of the fold that left it out.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "carom/error.h"
#include "carom/study/noisy_minimum.h"
#include "carom/validation/cube_fits.h"
#include "carom/validation/law_runs.h"
#include "carom/validation/toss_predictions.h"
#include "testing/peers/mujoco.h"

namespace carom::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr int steps_per_frame = 10;
constexpr double mass = 0.37;  // kg

/// A parameter that may be fitted: of the cube as in cube_model.h, or of MuJoCo's contact as a damped spring (solref).
struct Parameter {
  const char* name;
  double standard, lower, upper;
};
constexpr Parameter parameters[] = {
    {"half_width", 0.0513, 0.050, 0.053},    {"floor", 0, -0.0025, 0.0025},     {"friction", 0.18, 0.03, 0.6},
    {"corner_radius", 0.004, 0.0001, 0.015}, {"inertia", 0.7973, 0.5, 1.2},     {"mass_centre", 0, -0.01, 0.01},
    {"time_constant", 0.01, 0.0014, 0.04},   {"damping_ratio", 0.4, 0.05, 1.2}, {"impedance_ratio", 1, 1, 20}};

const Parameter& parameter(const std::string& name) {
  for (const Parameter& one : parameters) {
    if (name == one.name) return one;
  }
  throw Error("MuJoCo's cube has no parameter '" + name + "'");
}

using Values = std::map<std::string, double>;

std::string scene_text(const Values& v, const TossProtocol& protocol) {
  const double h = v.at("half_width"), r = v.at("corner_radius"), moment = v.at("inertia") * mass * h * h;
  std::string text = fmt::format(
      "<mujoco><option solver=\"Newton\" cone=\"elliptic\" impratio=\"{}\" timestep=\"{}\" gravity=\"0 0 {}\"/>"
      "<default><geom friction=\"{} 0.005 0.0001\" condim=\"3\" solref=\"{} {}\"/></default><worldbody>"
      "<geom type=\"plane\" size=\"0 0 1\" pos=\"0 0 {}\"/><body><freejoint/>"
      "<inertial pos=\"0 0 {}\" mass=\"{}\" diaginertia=\"{} {} {}\"/>",
      v.at("impedance_ratio"), 1 / (protocol.frame_rate * steps_per_frame), -protocol.gravity, v.at("friction"),
      v.at("time_constant"), v.at("damping_ratio"), v.at("floor"), v.at("mass_centre"), mass, moment, moment, moment);
  for (int i = 0; i < 8; ++i) {
    const double at = h - r;
    text += fmt::format("<geom type=\"sphere\" size=\"{}\" pos=\"{} {} {}\"/>", r, i & 1 ? at : -at, i & 2 ? at : -at,
                        i & 4 ? at : -at);
  }
  return text + "</body></worldbody></mujoco>";
}

class MujocoCube {
 public:
  MujocoCube(const Values& values, const TossProtocol& protocol)
      : protocol_(protocol), centre_(0, 0, values.at("mass_centre")), mujoco_(scene_text(values, protocol)) {}

  /// May be called from several threads at once.
  std::vector<Pose> poses(const Toss& toss) const {
    const std::unique_ptr<mjData, decltype(&mj_deleteData)> data(mj_makeData(mujoco_.m), &mj_deleteData);
    mjData* d = data.get();
    const Release release = fit_release(toss, protocol_, centre_);
    const Quaternion& q = release.orientation;
    const Vec3 spin =
        q.conjugate() * release.angular_velocity;  // of a free joint: linear in the world, angular in the body
    const double position[7] = {
        release.position.x(), release.position.y(), release.position.z(), q.w(), q.x(), q.y(), q.z()};
    std::copy(position, position + 7, d->qpos);
    std::copy(release.velocity.data(), release.velocity.data() + 3, d->qvel);
    std::copy(spin.data(), spin.data() + 3, d->qvel + 3);
    std::vector<Pose> result{pose(d)};
    while (result.size() < toss.poses.size()) {
      for (int i = 0; i < steps_per_frame; ++i) mj_step(mujoco_.m, d);
      if (d->warning[mjWARN_BADQACC].number > 0) throw Error("a step of MuJoCo failed");
      result.push_back(pose(d));
    }
    return result;
  }

 private:
  static Pose pose(const mjData* d) {
    const mjtNum* q = d->qpos;
    return {Vec3(q[0], q[1], q[2]), Quaternion(q[3], q[4], q[5], q[6]).normalized()};
  }

  TossProtocol protocol_;
  Vec3 centre_;
  test::Mujoco mujoco_;
};

struct Fitted {
  std::string name;
  std::vector<std::string> names;
  std::vector<double> start, lower, upper;
  Json object;

  explicit Fitted(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw Error(path + ": can't be read");
    object = Json::parse(file);
    name = object.at("name").get<std::string>();
    for (const auto& [key, value] : object.at("start").items()) {
      names.push_back(key);
      start.push_back(value.get<double>());
      lower.push_back(parameter(key).lower);
      upper.push_back(parameter(key).upper);
    }
  }
  Values values(const std::vector<double>& fitted) const {
    Values all;
    for (const Parameter& one : parameters) all[one.name] = one.standard;
    for (std::size_t i = 0; i < names.size(); ++i) all[names[i]] = fitted[i];
    return all;
  }
  std::vector<double> read(const Json& from) const {
    std::vector<double> fitted;
    for (const std::string& key : names) fitted.push_back(from.at(key).get<double>());
    return fitted;
  }
};

/// Values for the training tosses of a fold. Two thirds of the evaluations look around with every third toss, the
/// others use all.
FittedValues fit_to(const std::vector<Toss>& tosses, const Fitted& fitted,
                    const std::function<TossSimulator(const std::vector<double>&)>& simulator, int evaluations,
                    const TossProtocol& protocol) {
  std::vector<Toss> some;
  for (const int i : evenly_spaced(static_cast<int>(tosses.size()), (static_cast<int>(tosses.size()) + 2) / 3)) {
    some.push_back(tosses[static_cast<std::size_t>(i)]);
  }
  const auto objective_of = [&](const std::vector<Toss>& these) {
    return [&](const std::vector<double>& values) { return toss_objective(simulator(values), these, protocol); };
  };
  MinimumOptions options;
  options.evaluations = evaluations * 2 / 3;
  const Minimum around = noisy_minimum(objective_of(some), fitted.start, fitted.lower, fitted.upper, options);
  options.evaluations = evaluations - around.evaluations;
  options.step /= 4;
  Minimum least = noisy_minimum(objective_of(tosses), around.at, fitted.lower, fitted.upper, options);
  for (double& value : least.at) value = rounded(value);
  return {least.at, objective_of(tosses)(least.at), around.evaluations + least.evaluations};
}

void fit(Fitted& fitted, const TossSet& set, int evaluations, const TossProtocol& protocol) {
  const auto folds = deal_folds(static_cast<int>(set.cut.size()), fold_count);
  const auto simulator = [&](const std::vector<double>& values) -> TossSimulator {
    const auto cube = std::make_shared<MujocoCube>(fitted.values(values), protocol);
    return [cube](const Toss& toss) { return cube->poses(toss); };
  };
  fitted.object.erase("folds");
  fitted.object["numbers"] = Json::array();
  for (int fold = -1; fold < fold_count; ++fold) {
    const FittedValues found = fit_to(training_tosses(set.cut, folds, fold), fitted, simulator, evaluations, protocol);
    Json values;
    for (std::size_t i = 0; i < fitted.names.size(); ++i) values[fitted.names[i]] = found.values[i];
    values["objective"] = found.objective;
    values["evaluations"] = found.evaluations;
    fmt::print("{} fold {}: {:.4f} after {} evaluations\n", fitted.name, fold + 1, found.objective, found.evaluations);
    std::fflush(stdout);
    if (fold < 0) {
      fitted.object["all"] = values;
      continue;
    }
    fitted.object["folds"].push_back(values);
    Json numbers = Json::array();
    for (const int i : folds[static_cast<std::size_t>(fold)])
      numbers.push_back(set.cut[static_cast<std::size_t>(i)].number);
    fitted.object["numbers"].push_back(numbers);
  }
}

TossPredictions predict(const Fitted& fitted, const TossSet& set, const TossProtocol& protocol) {
  TossPredictions predictions{fitted.name, {}};
  MujocoCube of_all(fitted.values(fitted.read(fitted.object.at("all"))), protocol);
  std::vector<std::unique_ptr<MujocoCube>> of_folds;
  for (const Json& fold : fitted.object.at("folds")) {
    of_folds.push_back(std::make_unique<MujocoCube>(fitted.values(fitted.read(fold)), protocol));
  }
  for (const Toss& toss : set.whole) {
    MujocoCube* cube = &of_all;
    for (std::size_t fold = 0; fold < of_folds.size(); ++fold) {
      const Json& numbers = fitted.object.at("numbers")[fold];
      if (std::find(numbers.begin(), numbers.end(), toss.number) != numbers.end()) cube = of_folds[fold].get();
    }
    predictions.tosses.push_back({toss.number, cube->poses(toss)});
  }
  return predictions;
}

int run(const std::vector<std::string>& words) {
  const bool fits = words.size() == 5 && words[3] == "--fit";
  if (words.size() != 3 && !fits) throw Error("use: toss_mujoco DATA.h5 VALUES.json OUT.h5 [--fit EVALUATIONS]");
  const TossProtocol protocol;
  const TossSet set = read_toss_set(words[0], 0, protocol);
  Fitted fitted(words[1]);
  if (fits) {
    fit(fitted, set, std::stoi(words[4]), protocol);
    std::ofstream(words[1]) << fitted.object.dump(1) << "\n";
  }
  write_predictions(predict(fitted, set, protocol), words[2]);
  return 0;
}

}  // namespace
}  // namespace carom::bench

int main(int count, char** words) {
  try {
    return carom::bench::run({words + 1, words + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toss_mujoco: %s\n", error.what());
    return 2;
  }
}
