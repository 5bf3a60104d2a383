#include "carom/study/cube_tosses.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "carom/error.h"
#include "carom/spatial/rotation.h"
#include "carom/stepper/simulation.h"
#include "carom/study/toss_page.h"

namespace carom {
namespace {

constexpr const char* source = "cube_tosses";
constexpr int toss_count = 20;

/// Errors published with the measurements, averages over tosses, each simulator with parameters fitted to them: a
/// Stewart–Trinkle stepper with Newton's restitution and a sharp cube, and the largest of three engines (MuJoCo,
/// Bullet, ODE).
struct Published {
  const char* quantity;
  double fitted;
  double worst_engine;
};
constexpr std::array<Published, 4> published{{{"position error, mean over the toss (% of the width)", 12.0, 22.3},
                                              {"position error, at its end (% of the width)", 21.9, 50.0},
                                              {"rotation error, mean over the toss (deg)", 14.7, 19.7},
                                              {"rotation error, at its end (deg)", 22.3, 31.1}}};

/// The four errors in the order of `published`, in its units.
std::array<double, 4> figures(const TossError& error) {
  return {100 * error.mean.position, 100 * error.end.position, error.mean.rotation, error.end.rotation};
}

void require_free_cube(const Scene& scene) {
  const Model& model = *scene.model;
  const bool one_free = model.body_count() == 1 && model.joints().front().type == JointType::free;
  const auto at_origin = [](const Transform& X) { return X.R.isIdentity(0) && X.p.isZero(0); };
  if (!one_free || !at_origin(model.joints().front().X_PF) || !at_origin(model.joints().front().X_BM)) {
    throw Error(scene.file + ": a scene to throw cubes in must have one body, without a joint");
  }
}

/// The free joint's coordinates: orientation and position; velocities in the body's axes.
State thrown(const Scene& scene, const Release& release) {
  State state = scene.initial;
  const Quaternion& q = release.orientation;
  state.q << q.w(), q.x(), q.y(), q.z(), release.position;
  state.v << q.conjugate() * release.angular_velocity, q.conjugate() * release.velocity;
  return state;
}

Pose pose_of(const State& state) {
  const VectorX& q = state.q;
  return {q.tail<3>(), Quaternion(q[0], q[1], q[2], q[3])};
}

/// The release's own flight, stopped at the first frame in which a corner is at or below the board.
std::vector<Pose> fly_and_freeze(const Release& release, std::size_t frames, const TossProtocol& protocol) {
  std::vector<Pose> poses;
  bool landed = false;
  for (std::size_t k = 0; k < frames; ++k) {
    const double t = static_cast<double>(k) / protocol.frame_rate;
    if (landed) {
      poses.push_back(poses.back());
      continue;
    }
    const Vec3 position = release.position + release.velocity * t - 0.5 * protocol.gravity * t * t * Vec3::UnitZ();
    poses.push_back({position, exponential(Vec3(release.angular_velocity * t)) * release.orientation});
    landed = lowest_corner(poses.back(), protocol.half_width) <= 0;
  }
  return poses;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

struct Average {
  double mean, median, standard_error;
};

Average average(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, median(values), values.size() > 1 ? std::sqrt(squares / (n - 1) / n) : 0};
}

std::vector<double> each(const std::vector<TossRun>& runs, TossError TossRun::*error, std::size_t figure) {
  std::vector<double> values;
  values.reserve(runs.size());
  for (const TossRun& run : runs) values.push_back(figures(run.*error)[figure]);
  return values;
}

// ----------------------------------------------------------------------------------------------------------- entries

void add_entries(const std::vector<TossRun>& runs, Validation& validation) {
  auto& entries = validation.entries;
  for (const TossRun& run : runs) {
    entries.push_back(absolute_entry(source, fmt::format("toss {}", run.measured.number), "unsolved steps", 0,
                                     static_cast<double>(run.certificate.unsolved_steps), 0));
  }
  double momentum = 0, gain = 0;
  for (const TossRun& run : runs) {
    momentum = std::max(momentum, run.certificate.momentum_residual);
    gain = std::max(gain, run.energy_gain);
  }
  entries.push_back(absolute_entry(source, "all tosses", "largest momentum residual of a step", 0, momentum, 1e-9));
  entries.push_back(absolute_entry(source, "all tosses", "largest energy above that at release (J)", 0, gain, 1e-12,
                                   "nothing drives the cube"));
  for (std::size_t i = 0; i < published.size(); ++i) {
    const Average ours = average(each(runs, &TossRun::error, i));
    entries.push_back(absolute_entry(
        source, fmt::format("{} tosses", runs.size()), published[i].quantity, published[i].fitted, ours.mean,
        published[i].worst_engine - published[i].fitted,
        fmt::format(
            "standard error {:.1f}; reference: the same kind of stepper, fitted, all tosses; ours is not fitted. "
            "Tolerance: the least accurate of three fitted engines, {}",
            ours.standard_error, published[i].worst_engine)));
  }
}

// -------------------------------------------------------------------------------------------------------------- text

std::string parameters(const Scene& scene, double step) {
  const Model& model = *scene.model;
  const Body& cube = model.bodies().front();
  const ContactMaterial surface = model.contact_material(0, 0);
  std::string shape;
  for (const Collider& collider : model.colliders()) {
    if (const auto* box = std::get_if<Box>(&collider.shape)) {
      shape = fmt::format("box with half extents {:g} {:g} {:g} m", box->half_extents.x(), box->half_extents.y(),
                          box->half_extents.z());
    }
  }
  return fmt::format(
      "  {}\n  {}, mass {:g} kg, inertia {:g} kg m2, friction {:g}, restitution {:g}, gravity {:g} m/s2\n"
      "  {}, law {}, step {:g} s, {} directions\n\n",
      scene.file, shape, cube.inertia.mass, cube.inertia.central(0, 0), surface.friction.x(), surface.restitution.at(0),
      -model.gravity().z(), stepper_name(scene.method.stepper), law_name(scene.method.law), step,
      scene.method.directions);
}

/// Errors at the quarters of the record, and over all of it.
std::string toss_line(const TossRun& run, const TossProtocol& protocol) {
  std::string position, rotation;
  const std::size_t last = run.simulated.size() - 1;
  for (std::size_t quarter = 1; quarter <= 4; ++quarter) {
    const std::size_t k = last * quarter / 4;
    const PoseError error = pose_error(run.simulated[k], run.measured.poses[k], protocol);
    position += fmt::format(" {:6.1f}", 100 * error.position);
    rotation += fmt::format(" {:6.1f}", error.rotation);
  }
  return fmt::format("  {:>5} {:>6} {:>6}  {} {:6.1f}  {} {:6.1f}   {:<5} {:>8}\n", run.measured.number,
                     run.simulated.size(), run.release.frames, position, 100 * run.error.mean.position, rotation,
                     run.error.mean.rotation, run.error.right_face ? "yes" : "no", run.certificate.unsolved_steps);
}

std::string average_lines(const std::vector<TossRun>& runs, const char* who, TossError TossRun::*error) {
  std::string text = fmt::format("  {}\n", who);
  for (std::size_t i = 0; i < published.size(); ++i) {
    const Average a = average(each(runs, error, i));
    text += fmt::format("    {:<52} mean {:6.1f} +- {:4.1f}   median {:6.1f}\n", published[i].quantity, a.mean,
                        a.standard_error, a.median);
  }
  const auto right =
      std::count_if(runs.begin(), runs.end(), [&](const TossRun& run) { return (run.*error).right_face; });
  return text + fmt::format("    {:<52} {} of {}\n", "right face down", right, runs.size());
}

std::string report(const Scene& scene, const std::vector<TossRun>& runs, const TossProtocol& protocol) {
  std::string text = parameters(scene, runs.front().step);
  text +=
      "                        position error, % of the width        rotation error, degrees            right  "
      "unsolved\n"
      "   toss frames flight     1/4    1/2    3/4    end   mean      1/4    1/2    3/4    end   mean   face      "
      "steps\n";
  for (const TossRun& run : runs) text += toss_line(run, protocol);
  text += "\n";
  text += average_lines(runs, "carom", &TossRun::error);
  text += average_lines(runs, "flight, then freeze", &TossRun::frozen);
  return text;
}

}  // namespace

TossProtocol protocol_of(const Scene& scene) {
  TossProtocol protocol;
  protocol.gravity = -scene.model->gravity().z();
  return protocol;
}

std::vector<Toss> choose_tosses(const std::string& path, int count, const TossProtocol& protocol) {
  std::vector<Toss> tosses = read_tosses(path);
  for (Toss& toss : tosses) toss.poses = cut_after_rest(toss.poses, protocol);
  const std::vector<int> distinct = distinct_tosses(tosses, protocol);
  std::vector<Toss> chosen;
  for (const int i : evenly_spaced(static_cast<int>(distinct.size()), count)) chosen.push_back(tosses[distinct[i]]);
  return chosen;
}

TossRun run_toss(const Scene& scene, const Toss& toss, const TossProtocol& protocol) {
  require_free_cube(scene);
  TossRun run;
  run.measured = toss;
  run.release = fit_release(toss, protocol);
  const double frame = 1 / protocol.frame_rate;
  const int steps = std::max(1, static_cast<int>(std::ceil(frame / scene.method.step - 1e-3)));
  Method method = scene.method;
  run.step = method.step = frame / steps;
  Simulation simulation(scene.model, method, thrown(scene, run.release));
  double start = 0, highest = 0;
  bool first = true;
  run.simulated.push_back(pose_of(simulation.state()));
  for (std::size_t k = 1; k < toss.poses.size(); ++k) {
    for (int i = 0; i < steps; ++i) {
      const EnergyLedger& energy = simulation.step().energy;
      const double now = energy.kinetic + energy.potential;
      if (first) start = highest = now - energy.kinetic_change - energy.potential_change;
      first = false;
      highest = std::max(highest, now);
    }
    run.simulated.push_back(pose_of(simulation.state()));
  }
  run.energy_gain = highest - start;
  run.certificate = simulation.certificate();
  run.error = toss_error(run.simulated, toss.poses, protocol);
  run.frozen = toss_error(fly_and_freeze(run.release, toss.poses.size(), protocol), toss.poses, protocol);
  return run;
}

Validation validate_cube_tosses(const ValidationOptions& options) {
  const Scene scene = load_scene((std::filesystem::path(options.scenes) / "measured_toss.yaml").string());
  const TossProtocol protocol = protocol_of(scene);
  Validation validation;
  validation.name = source;
  std::vector<TossRun> runs;
  for (const Toss& toss : choose_tosses(options.data, toss_count, protocol)) {
    if (options.progress) options.progress(fmt::format("toss {}", toss.number));
    try {
      runs.push_back(run_toss(scene, toss, protocol));
    } catch (const Error& error) {
      throw Error(options.data + ": " + error.what());
    }
  }
  add_entries(runs, validation);
  validation.text = report(scene, runs, protocol);
  const std::filesystem::path folder = options.output;
  std::error_code exists;
  if (!folder.empty())
    std::filesystem::create_directories(folder, exists);  // the page's own error says what went wrong
  validation.files.push_back((folder / "cube_tosses.html").string());
  write_toss_page(scene, runs, protocol, validation.files.back());
  return validation;
}

}  // namespace carom
