#include "carom/validation/sphere_impacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "carom/error.h"
#include "carom/impact/lzb.h"
#include "carom/scene/scene_text.h"
#include "carom/study/method_choice.h"
#include "carom/validation/planar_strike.h"
#include "carom/validation/sphere_flight.h"
#include "carom/validation/sphere_report.h"
#include "carom/validation/sphere_strike.h"
#include "carom/whole_file.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

constexpr const char* source = "sphere_impacts";
constexpr double law_residual = 1e-9;
constexpr double step_residual = 1e-5;    // compliant contacts, integrated
constexpr double energy_residual = 1e-6;  // of a run through an impact
constexpr double closed_form = 1e-9;      // of the speeds
constexpr int between = 100;              // places that are drawn between the ends of a sweep

/// A law with a tangential spring or without one, or compliant contacts at a fixed configuration. The last is the
/// sphere on compliant contacts with a tangential spring, run through the impact.
enum class Kind { sprung, rigid, stepped, flown };

bool has_spring(Kind kind) { return kind == Kind::sprung || kind == Kind::flown; }

struct Law {
  std::string name;
  MethodChoice method;
  Kind kind;
};

const std::vector<Law>& all_laws() {
  constexpr auto at_once = StepperKind::event_driven;
  static const std::vector<Law> laws{
      {"lzb_spring", {at_once, LawKind::lzb}, Kind::sprung},
      {"lzb", {at_once, LawKind::lzb}, Kind::rigid},
      {"stronge", {at_once, LawKind::stronge}, Kind::rigid},
      {"plus", {at_once, LawKind::plus}, Kind::rigid},
      {"poisson", {at_once, LawKind::poisson}, Kind::rigid},
      {"newton", {at_once, LawKind::newton}, Kind::rigid},
      {"compliant", {StepperKind::compliant, LawKind::none}, Kind::stepped},
      {"compliant_spring", {StepperKind::compliant, LawKind::none}, Kind::flown},
  };
  return laws;
}

std::vector<Law> chosen_laws(const ValidationOptions& options) {
  if (options.laws.empty()) return all_laws();
  std::vector<Law> chosen;
  std::string known;
  for (const Law& law : all_laws()) known += (known.empty() ? "" : ", ") + law.name;
  for (const std::string& name : options.laws) {
    const auto found = std::find_if(all_laws().begin(), all_laws().end(), [&](auto& law) { return law.name == name; });
    if (found == all_laws().end()) throw Error("no law of sphere_impacts is named '" + name + "'; there are: " + known);
    chosen.push_back(*found);
  }
  return chosen;
}

/// The scene that a curve is of.
std::string material_of(const SphereCurve& curve) {
  if (curve.name == "experiment") return "alumina";
  if (curve.name == "finite_elements") return "steel";
  return curve.name;
}

SphereScene scene_of(const Law& law, const std::string& material, const ValidationOptions& options) {
  const fs::path folder = fs::path(options.scenes) / source;
  const std::string file = (folder / (material + (has_spring(law.kind) ? "_sprung.yaml" : ".yaml"))).string();
  std::string text = read_scene_text(file);
  // Dissipation stands for restitution in a compliant contact.
  if (law.kind == Kind::stepped || law.kind == Kind::flown)
    text = SceneText(text, file).with({{"parameters/restitution", 0.0}});
  return SphereScene(scene_with({text, file, {}}, law.method));
}

/// Places of all curves, and evenly spaced ones from 0 to the last.
std::vector<double> places_of(const std::vector<SphereCurve>& curves) {
  std::vector<double> x;
  for (const SphereCurve& curve : curves) x.insert(x.end(), curve.x.begin(), curve.x.end());
  const double last = *std::max_element(x.begin(), x.end());
  for (int i = 1; i <= between; ++i) x.push_back(last * i / between);
  std::sort(x.begin(), x.end());
  x.erase(std::unique(x.begin(), x.end()), x.end());
  return x;
}

double error_of(const SphereCurve& curve, const SphereReport& report, const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const auto at = std::lower_bound(report.x.begin(), report.x.end(), curve.x[i]) - report.x.begin();
    const double miss = values[static_cast<std::size_t>(at)] - curve.values[i];
    sum += miss * miss;
  }
  return std::sqrt(sum / static_cast<double>(curve.x.size()));
}

using Values = std::vector<std::vector<double>>;

Values values_of(const SphereScene& sphere, SphereSweep sweep, const std::vector<PlanarImpact>& impacts,
                 const std::vector<Vec3>& after) {
  Values values;
  for (const std::string& quantity : sphere_quantities(sweep)) {
    std::vector<double>& row = values.emplace_back();
    for (std::size_t i = 0; i < impacts.size(); ++i) {
      row.push_back(sphere.value(sweep, quantity, impacts[i].before, after[i]));
    }
  }
  return values;
}

std::vector<double> errors_of(const SphereReport& report, const Values& values) {
  const auto& quantities = sphere_quantities(report.sweep);
  std::vector<double> errors;
  for (const SphereCurve& curve : report.curves) {
    const auto place = std::find(quantities.begin(), quantities.end(), curve.quantity) - quantities.begin();
    errors.push_back(error_of(curve, report, values[static_cast<std::size_t>(place)]));
  }
  return errors;
}

/// A law whose scenes state what Routh's closed form asks for.
const Law& law_of_closed_form() { return all_laws().front(); }

/// `closed`: the scene of Routh's closed form.
SphereLawRun run_law(const Law& law, const SphereScene& sphere, const SphereScene& closed, const SphereReport& report) {
  std::vector<PlanarImpact> impacts;
  for (const double x : report.x) impacts.push_back(sphere.impact(report.sweep, x));
  SphereLawRun run;
  run.law = law.name;
  std::vector<Vec3> after;
  if (law.kind == Kind::flown) {
    SphereFlights flights = fly_all(sphere, impacts);
    after = std::move(flights.after);
    run.energy_error = flights.energy_error;
  } else {
    PlanarStrikes strikes = strike_all(sphere.scene, impacts);
    after = std::move(strikes.after);
    run.certificate = strikes.certificate;
  }
  std::vector<Vec3> routh;
  for (std::size_t i = 0; i < impacts.size(); ++i) {
    routh.push_back(closed.routh(impacts[i].before));
    Vec3 miss = after[i] - routh.back();
    miss[2] *= sphere.radius;
    run.routh_miss = std::max(run.routh_miss, miss.norm() / impacts[i].before.norm());
  }
  run.values = values_of(sphere, report.sweep, impacts, after);
  run.errors = errors_of(report, run.values);
  run.routh_errors = errors_of(report, values_of(sphere, report.sweep, impacts, routh));
  return run;
}

/// Curves by the spheres that they are of, in the order of the file.
std::vector<SphereReport> spheres_of(const std::vector<SphereCurve>& curves) {
  std::vector<SphereReport> spheres;
  for (const SphereCurve& curve : curves) {
    const std::string material = material_of(curve);
    auto found =
        std::find_if(spheres.begin(), spheres.end(), [&](auto& sphere) { return sphere.material == material; });
    if (found == spheres.end()) found = spheres.insert(spheres.end(), {material, curve.sweep, {}, {}, {}});
    if (found->sweep != curve.sweep) {
      throw Error(
          "curves of the sphere of " + material +
          " are of two sweeps, incidence_deg and slip_before; a sphere has one, so validate the two files one by "
          "one");
    }
    found->curves.push_back(curve);
  }
  for (SphereReport& sphere : spheres) sphere.x = places_of(sphere.curves);
  return spheres;
}

/// Error of a curve. Those who collected the curves found it for any rigid law with Coulomb's friction. For a
/// tangential spring it is the most that one may have.
struct CurveError {
  const char *quantity, *curve;
  double error, digits;
  const char* note;
};
constexpr const char* read_off = "points were read off to 1 % of an axis";
constexpr CurveError rigid_errors[] = {{"contact_rebound_angle", "experiment", 2.9, 0.1, "any rigid law"},
                                       {"contact_rebound_angle", "alumina", 3.7, 0.1, "any rigid law"},
                                       {"spin", "experiment", 60, 1, "any rigid law"},
                                       {"spin", "alumina", 63, 1, "any rigid law"}};
constexpr CurveError sprung_bounds[] = {
    {"contact_rebound_angle", "experiment", 1.6, 0, "1.5 by those who put the curves together"},
    {"contact_rebound_angle", "alumina", 0.5, 0, "half of the reading accuracy"},
    {"spin", "experiment", 35, 0, "34 by those who put the curves together"},
    {"spin", "alumina", 3.5, 0, "half of the reading accuracy"},
    {"spin", "alloy", 7, 0, read_off},
    {"tangential_ratio", "alumina", 0.01, 0, read_off},
    {"tangential_ratio", "alloy", 0.01, 0, read_off}};

void add_errors(const Law& law, const SphereReport& sphere, const SphereLawRun& run, Validation& validation) {
  const bool sprung = has_spring(law.kind);
  const std::string where = sphere.material + ", " + law.name;
  for (std::size_t i = 0; i < sphere.curves.size(); ++i) {
    const SphereCurve& curve = sphere.curves[i];
    const std::string quantity = fmt::format("{}, root mean square error of {}", curve.quantity, curve.name);
    if (sphere.sweep == SphereSweep::slip) {
      if (!sprung) continue;
      validation.entries.push_back(error_entry(source, where, quantity, run.routh_errors[i], run.errors[i], 0,
                                               "that of Routh's method, without a spring"));
      continue;
    }
    const auto add = [&](const CurveError& known) {
      if (curve.quantity != known.quantity || curve.name != known.curve) return;
      const auto entry = sprung ? error_entry : absolute_entry;
      validation.entries.push_back(
          from(Origin::program, entry(source, where, quantity, known.error, run.errors[i], known.digits, known.note)));
    };
    // The experiment bounds a run of real contacts by no more than it bounds rigid laws.
    const bool bounds_itself = sprung && !(law.kind == Kind::flown && curve.name == "experiment");
    if (bounds_itself) std::for_each(std::begin(sprung_bounds), std::end(sprung_bounds), add);
    if (!bounds_itself) std::for_each(std::begin(rigid_errors), std::end(rigid_errors), add);
  }
}

void add_entries(const Law& law, const SphereReport& sphere, const SphereLawRun& run, Validation& validation) {
  const std::string where = sphere.material + ", " + law.name;
  if (law.kind == Kind::flown) {
    validation.entries.push_back(absolute_entry(source, where, "largest energy error of a run", 0, run.energy_error,
                                                energy_residual, "what the ledger leaves open, or contacts gave"));
    add_errors(law, sphere, run, validation);
    return;
  }
  const ImpactCertificate& certificate = run.certificate;
  const double worst =
      std::max({certificate.momentum_residual, certificate.approach, certificate.pull, certificate.cone_violation});
  validation.entries.push_back(absolute_entry(source, where, "largest residual of an impact's certificate", 0, worst,
                                              law.kind == Kind::stepped ? step_residual : law_residual,
                                              "momentum, approach left, pull, friction cone"));
  if (law.kind == Kind::rigid) {
    const bool cuts_slip = law.method.law == LawKind::lzb;
    validation.entries.push_back(
        absolute_entry(source, where, "largest difference from Routh's method", 0, run.routh_miss,
                       cuts_slip ? LzbOptions{}.slip_tolerance : closed_form,
                       cuts_slip ? "of the speed before; less slip is none to this law" : "of the speed before"));
  }
  add_errors(law, sphere, run, validation);
}

}  // namespace

Validation validate_sphere_impacts(const ValidationOptions& options) {
  const std::vector<Law> laws = chosen_laws(options);
  Validation validation;
  validation.name = source;
  std::vector<SphereReport> spheres = spheres_of(read_sphere_curves(options.data));
  for (SphereReport& sphere : spheres) {
    if (options.progress) options.progress("impacts of the sphere of " + sphere.material);
    for (const Law& law : laws) {
      const SphereScene scene = scene_of(law, sphere.material, options);
      // A flown sphere has dissipation in place of the restitution that the closed form asks for.
      const Law& closed = law.kind == Kind::flown ? law_of_closed_form() : law;
      sphere.laws.push_back(run_law(law, scene, scene_of(closed, sphere.material, options), sphere));
      add_entries(law, sphere, sphere.laws.back(), validation);
    }
  }
  validation.text = sphere_report(spheres);
  const fs::path folder = options.output;
  std::error_code exists;
  if (!folder.empty()) fs::create_directories(folder, exists);  // the files' own errors say what went wrong
  validation.files = {(folder / "sphere_impacts.json").string(), (folder / "sphere_impacts.html").string()};
  write_whole_file(validation.files[0], sphere_report_json(spheres), "the table");
  write_sphere_page(spheres, validation.files[1]);
  return validation;
}

}  // namespace carom
