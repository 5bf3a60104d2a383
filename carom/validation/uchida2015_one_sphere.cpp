// Paper PLUS, example 1 (figures 7 to 10): one sphere of a brick strikes the ground.
#include <fmt/format.h>

#include <algorithm>

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>

#include "carom/study/fitted_order.h"
#include "carom/validation/impulse_path.h"
#include "carom/validation/uchida2015_examples.h"

namespace carom::uchida2015 {
namespace {

/// Difference of restitution between speeds and impulses, see docs/validation/uchida2015.md.
constexpr double untold_matching = 0.005;

/// When figure 8 has the three frictions of table A1 roll: 0 never, 1 in compression, 2 in expansion.
constexpr std::array<int, 3> phases{0, 2, 1};

/// One of the scene's three frictions, with the restitution that it gives it.
struct Case {
  Case(const ValidationOptions& options, int number)
      : scene(scene_of(options, "brick_on_vertex", {{"case", number + 1}})),
        impact(impact_of(scene)),
        phase(phases[static_cast<std::size_t>(number)]),
        friction(impact.block(0).friction.x()),
        restitution(impact.problem().surfaces[0].restitution.at(-impact.u()[2])) {}
  Scene scene;
  MechanismImpact impact;
  int phase;
  double friction, restitution;
};

PlusOptions paper_plus(const Case& one, double direction_change) {
  PlusOptions options = one.scene.method.plus;
  options.direction_change = direction_change;
  return options;
}

/// Keller's path of the impact.
ImpulsePath exact_path(const Case& one) {
  return keller_path(one.impact.A(), one.impact.u(), one.friction, one.restitution, 2e-3);
}

/// PLUS by the paper's rule.
ImpulsePath plus_path(const Case& one, double direction_change, double transition) {
  PlusOptions options = paper_plus(one, direction_change);
  options.transition_speed = transition;
  options.shortest_interval = 1e-9;
  options.interval_limit = 100000;  // the rule's own error is asked for, not that of a round cut short
  return path_of(strike(one.impact, options).trace, one.impact.u(), 0, 0);
}

/// Distance that the order of the rule lets PLUS' slip be from Keller's, m/s: C θ_max (1 + θ_max) with C known from a
/// finer one, and where it rolls the speed below which slip dies out late.
double plus_bound(const Case& one, double direction_change) {
  constexpr double finer = 0.0025, no_transition = 1e-7;
  const double slope = distance(plus_path(one, finer, no_transition), exact_path(one)).velocity / finer;
  return slope * direction_change * (1 + direction_change) +
         (one.phase > 0 ? one.scene.method.plus.transition_speed : 0);
}

void add_curve(CurveFile& file, double friction, const std::string& model, const ImpulsePath& path) {
  for (std::size_t i = 0; i < path.normal.size(); ++i) {
    const Vec3 &v = path.velocity[i], &p = path.impulse[i];
    file.add(fmt::format("{},{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}", friction, model, p[2], v[0], v[1], p[0], p[1]));
  }
}

/// Tangential velocities of one friction over the normal impulse, as in figures 8 and 9: both paths at the points of
/// either.
void add_figure(double friction, const ImpulsePath& plus, const ImpulsePath& compliant, PlotSection& section) {
  std::vector<double> at = plus.normal;
  at.insert(at.end(), compliant.normal.begin(), compliant.normal.end());
  std::sort(at.begin(), at.end());
  at.erase(std::unique(at.begin(), at.end()), at.end());
  for (int row = 0; row < 2; ++row) {
    Plot& plot = section.plots.emplace_back();
    plot.title = fmt::format("slip {}, mu = {}", "xy"[row], friction);
    plot.unit = "m/s";
    plot.x_title = "normal impulse (N s)";
    plot.times = at;
    for (const auto& [name, path] : {std::pair{"PLUS", &plus}, std::pair{"compliant, moving", &compliant}}) {
      std::vector<double>& values = plot.curves.emplace_back(name, std::vector<double>()).second;
      for (const double p : at) values.push_back(path->at(p).first[row]);
    }
  }
}

void validate_case(const Case& one, CurveFile& curves, Validation& validation) {
  auto& entries = validation.entries;
  const MechanismImpact& impact = one.impact;
  const double direction_change = one.scene.method.plus.direction_change;
  const ImpulsePath plus = path_of(strike(impact, one.scene.method.plus).trace, impact.u(), 0, 0);
  const CompliantMotion motion = move(one.scene);
  const ImpulsePath compliant = path_of(motion.trace, 0, compliant_transition);
  add_curve(curves, one.friction, "plus", plus);
  add_curve(curves, one.friction, "compliant", compliant);
  add_figure(one.friction, plus, compliant, validation.figures.back());
  const auto name = [&](const char* what) { return fmt::format("{}, mu = {}", what, one.friction); };
  entries.push_back(
      from(Origin::printed, absolute_entry(source, "figure 8", name("rolls in phase, PLUS"), one.phase,
                                           plus.rolling_phase(), 0, "0 never, 1 compression, 2 expansion")));
  entries.push_back(from(Origin::printed, absolute_entry(source, "figure 8", name("rolls in phase, compliant"),
                                                         one.phase, compliant.rolling_phase(), 0)));
  const double matching = compliant.normal.back() / compliant.compression() - 1;
  entries.push_back(explained(
      from(Origin::printed, absolute_entry(source, "table A1", name("restitution that matches the dissipation"),
                                           one.restitution, matching, 0.0005)),
      untold_matching,
      "impulse of the expansion over that of the compression. By what the paper matched them it does not say: by the "
      "speeds, or by the impulses, which differ by as much as the tolerance"));
  const PathDistance apart = distance(plus, compliant);
  const double bound = plus_bound(one, direction_change) + compliant_transition;
  entries.push_back(
      from(Origin::integrator,
           absolute_entry(source, "figure 8", name("largest distance of slips (m/s)"), 0, apart.velocity, bound,
                          "at equal normal impulse; first order in theta_max, and the speeds below "
                          "which the two roll")));
  const Mat2 A = impact.A().topLeftCorner<2, 2>();
  entries.push_back(from(Origin::integrator,
                         absolute_entry(source, "figure 9", name("largest distance of tangential impulses (N s)"), 0,
                                        apart.impulse, bound / A.selfadjointView<Eigen::Lower>().eigenvalues()[0],
                                        "the same over the tangential mobility")));
}

void validate_intervals(const Case& one, CurveFile& curves, Validation& validation) {
  struct Row {
    double direction_change;
    int intervals;
  };
  const std::array<Row, 3> figure{{{one.scene.method.plus.direction_change, 116}, {0.15, 11}, {0.25, 8}}};
  const ImpulsePath exact = exact_path(one);
  for (const Row& row : figure) {
    const PlusStruck struck = strike(one.impact, paper_plus(one, row.direction_change));
    const ImpulsePath path = path_of(struck.trace, one.impact.u(), 0, 0);
    add_curve(curves, one.friction, fmt::format("plus {}", row.direction_change), path);
    validation.entries.push_back(
        from(Origin::printed,
             absolute_entry(source, "figure 10", fmt::format("intervals, theta_max = {}", row.direction_change),
                            row.intervals, struck.outcome.intervals, 0)));
    validation.entries.push_back(from(
        Origin::integrator,
        absolute_entry(
            source, "figure 10", fmt::format("largest distance of slips, theta_max = {} (m/s)", row.direction_change),
            0, distance(path, exact).velocity, plus_bound(one, row.direction_change), "from Keller's equations")));
  }
}

/// The slip's distance from Keller's as θ_max falls, and as the transition speed falls.
void validate_orders(const Case& one, Validation& validation) {
  const ImpulsePath exact = exact_path(one);
  const auto error = [&](double direction_change, double transition) {
    return distance(plus_path(one, direction_change, transition), exact).velocity;
  };
  const std::vector<double> angles{0.02, 0.01, 0.005, 0.0025};
  std::vector<double> by_angle, by_speed;
  validation.text += fmt::format("  largest distance of PLUS' slip from Keller's, mu = {} (m/s)\n", one.friction);
  for (const double angle : angles) {
    by_angle.push_back(error(angle, 1e-7));
    validation.text += fmt::format("    theta_max = {:<7}     {:.3e}\n", angle, by_angle.back());
  }
  validation.entries.push_back(
      absolute_entry(source, "section 2(e)", fmt::format("order in theta_max, mu = {}", one.friction), 1,
                     fitted_order(angles, by_angle), 0.1,
                     "distance of slips from Keller's equations; an interval is a step of Euler's"));
  if (one.phase == 0) return;
  // Above 0.007 m/s that of μ = 0.225 does not matter: one interval of its expansion leads so near to rest.
  const double largest = one.phase == 2 ? 0.006 : 0.2;
  const std::vector<double> speeds{largest, largest / 2, largest / 4};
  for (const double speed : speeds) {
    by_speed.push_back(error(2e-4, speed));
    validation.text += fmt::format("    v_transition = {:<7}  {:.3e}\n", speed, by_speed.back());
  }
  validation.entries.push_back(
      absolute_entry(source, "section 2(e)", fmt::format("order in v_transition, mu = {}", one.friction), 1,
                     fitted_order(speeds, by_speed), 0.1, "the same at theta_max = 2e-4; slip below it dies out late"));
}

/// With stiffer ground the bodies have less time to move. The impact at a fixed configuration is the limit, and what it
/// neglects goes with the time, E^(−2/5).
void validate_stiff_limit(const ValidationOptions& options, const Case& one, Validation& validation) {
  CompliantOptions fine = paper_compliant(one.impact);
  fine.accuracy = 1e-10;
  const ImpulsePath fixed = path_of(strike(one.impact, fine).trace, 0, compliant_transition);
  const double modulus = one.impact.contact(0).surface.modulus;
  const std::vector<double> moduli{modulus, 10000 * modulus};
  std::vector<double> apart;
  validation.text += fmt::format(
      "  largest distance of slips of the compliant impact with and without motion, mu = {} (m/s)\n", one.friction);
  for (const double E : moduli) {
    const Scene scene = scene_of(options, "brick_on_vertex", {{"case", 1}, {"modulus", E}});
    apart.push_back(distance(path_of(move(scene).trace, 0, compliant_transition), fixed).velocity);
    validation.text += fmt::format("    {:.0e} Pa  {:.3e}\n", E, apart.back());
  }
  validation.entries.push_back(absolute_entry(source, "section 4(b)", "order in the stiffness of what motion changes",
                                              -0.4, fitted_order(moduli, apart), 0.02,
                                              "Hertz: an impact lasts as E^(-2/5)"));
}

}  // namespace

void validate_one_sphere(const ValidationOptions& options, Validation& validation) {
  CurveFile curves("friction,model,normal impulse (N s),v_x (m/s),v_y (m/s),p_x (N s),p_y (N s)");
  PlotSection& figures = validation.figures.emplace_back();
  figures.title = "Brick on a vertex: figures 8 and 9";
  figures.note = "Slip of the vertex over its normal impulse, for the three frictions of the paper.";
  for (int i = 0; i < 3; ++i) validate_case(Case(options, i), curves, validation);
  validate_intervals(Case(options, 2), curves, validation);
  validate_stiff_limit(options, Case(options, 0), validation);
  curves.write(options, "uchida2015_figures_8_to_10.csv", validation);
}

void validate_keller(const ValidationOptions& options, Validation& validation) {
  for (int i = 0; i < 3; ++i) {
    const Case one(options, i);
    validate_orders(one, validation);
    CompliantOptions fine = paper_compliant(one.impact);
    fine.accuracy = 1e-10;
    const ImpulsePath compliant = path_of(strike(one.impact, fine).trace, 0, compliant_transition);
    validation.entries.push_back(from(
        Origin::integrator,
        absolute_entry(source, "figure 8", fmt::format("compliant slip from Keller's, mu = {} (m/s)", one.friction), 0,
                       distance(compliant, exact_path(one)).velocity, compliant_transition,
                       "the slip at which compliant friction is all there")));
  }
  // μ = 0.325 comes to rest within compression and stays there: A p = −u at its end whatever led there.
  const Case one(options, 2);
  const MechanismImpact& impact = one.impact;
  const Mat3 A = impact.A();
  const Vec3 compression = -A.inverse() * impact.u();
  Vec3 total = compression + one.restitution * compression[2] * Vec3::UnitZ();
  total.head<2>() -= A.topLeftCorner<2, 2>().inverse() * A.topRightCorner<2, 1>() * one.restitution * compression[2];
  const Vec3 impulse = strike(impact, one.scene.method.plus).impulse;
  validation.entries.push_back(
      absolute_entry(source, "figure 9", "total impulse, mu = 0.325, from its closed form (N s)", 0,
                     (impulse - total).norm(), 1e-9, "sticks at the end of compression: A p = -u; round-off"));
}

}  // namespace carom::uchida2015
