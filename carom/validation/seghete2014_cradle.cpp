// Paper PROP, example 1: three balls in a row, every order in which they can strike. Beside the library's resets in the
// kinetic metric stand collisions of two balls at a time, followed in all orders by code of its own.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "carom/error.h"
#include "carom/impact/propagative/elastic_sequence.h"
#include "carom/impact/propagative/uniqueness.h"
#include "carom/scene/scene.h"
#include "carom/validation/mechanism_impact.h"
#include "carom/validation/seghete2014_examples.h"

namespace carom::seghete2014 {
namespace {

using Speeds = std::array<double, 3>;

/// Results of all orders of collisions.
struct Collisions {
  std::vector<Speeds> outcomes;
  int sequences = 0;
  std::size_t longest = 0;
};

constexpr double approaching = 1e-9;  ///< slower is none, m/s

/// Two balls at a time, elastically, in every order, until none approaches its neighbour.
void collide(const Speeds& masses, const Speeds& v, std::size_t depth, Collisions& all) {
  bool done = true;
  for (std::size_t i = 0; i < 2; ++i) {
    if (!(v[i] - v[i + 1] > approaching)) continue;
    done = false;
    const double common = (masses[i] * v[i] + masses[i + 1] * v[i + 1]) / (masses[i] + masses[i + 1]);
    Speeds next = v;
    next[i] = 2 * common - v[i];
    next[i + 1] = 2 * common - v[i + 1];
    if (depth < 60) collide(masses, next, depth + 1, all);
  }
  if (!done) return;
  ++all.sequences;
  all.longest = std::max(all.longest, depth);
  const auto same = [&](const Speeds& other) {
    double apart = 0;
    for (std::size_t i = 0; i < 3; ++i) apart = std::max(apart, std::abs(v[i] - other[i]));
    return apart < 1e-8;
  };
  if (std::none_of(all.outcomes.begin(), all.outcomes.end(), same)) all.outcomes.push_back(v);
}

Speeds along_the_row(const Model& model, const VectorX& v) {
  Speeds speeds{};
  for (std::size_t i = 0; i < 3; ++i) speeds[i] = v[model.joints()[i].v_index + 3];
  return speeds;
}

struct Cradle {
  const char* file;
  const char* name;
};
constexpr std::array<Cradle, 4> cradles{{{"cradle_equal", "equal masses"},
                                         {"cradle_heavy_middle", "masses 1 : 3 : 1"},
                                         {"cradle_light_middle", "masses 1 : 0.1 : 1"},
                                         {"cradle_descending", "masses 4 : 2 : 1"}}};
/// Velocities of the three balls before the impact, m/s: one strikes two at rest; both outer ones strike; all approach.
constexpr std::array<Speeds, 3> starts{{{1, 0, 0}, {1, 0, -1}, {1, 0.3, -0.6}}};

/// Largest distance of an outcome from the nearest of the collisions', m/s.
double farthest(const OutcomeSet& set, MechanismImpact& impact, const VectorX& v, const Collisions& expected) {
  double largest = 0;
  for (const ReachedOutcome& outcome : set.outcomes) {
    VectorX after = v;
    impact.add_response(outcome.impulse, after);
    const Speeds ours = along_the_row(impact.model(), after);
    double nearest = std::numeric_limits<double>::infinity();
    for (const Speeds& theirs : expected.outcomes) {
      double apart = 0;
      for (std::size_t i = 0; i < 3; ++i) apart = std::max(apart, std::abs(ours[i] - theirs[i]));
      nearest = std::min(nearest, apart);
    }
    largest = std::max(largest, nearest);
  }
  return largest;
}

void add(const Cradle& cradle, const Scene& scene, const Speeds& start, Validation& validation) {
  VectorX v = VectorX::Zero(scene.model->velocity_count());
  Speeds masses{};
  for (std::size_t i = 0; i < 3; ++i) {
    v[scene.model->joints()[i].v_index + 3] = start[i];
    masses[i] = scene.model->bodies()[i].inertia.mass;
  }
  MechanismImpact impact(scene.model);
  impact.find(scene.initial.q, v, 1e-9);
  if (impact.contact_count() != 2) throw Error(scene.file + ": the three balls do not touch");
  Collisions expected;
  collide(masses, start, 0, expected);
  const NormalImpact normal = normal_impact(impact.A(), impact.u());
  const OutcomeSet set = outcome_set(normal);
  const std::string what = fmt::format("{}, at {}, {}, {} m/s: ", cradle.name, start[0], start[1], start[2]);
  auto& entries = validation.entries;
  entries.push_back(from(Origin::integrator, absolute_entry(source, "example 1", what + "outcomes",
                                                            static_cast<double>(expected.outcomes.size()),
                                                            static_cast<double>(set.outcomes.size()), 0)));
  entries.push_back(from(Origin::integrator, absolute_entry(source, "example 1", what + "minimal sequences",
                                                            expected.sequences, set.sequences, 0)));
  entries.push_back(from(Origin::integrator, absolute_entry(source, "example 1", what + "longest",
                                                            static_cast<double>(expected.longest), set.longest, 0)));
  entries.push_back(
      from(Origin::integrator, absolute_entry(source, "example 1", what + "speeds, largest difference (m/s)", 0,
                                              farthest(set, impact, v, expected), 1e-10,
                                              "beside collisions of two balls at a time in all orders")));
  entries.push_back(from(Origin::printed, error_entry(source, "(22)", what + "resets beside the bound",
                                                      two_contact_bound(normal.cosine(0, 1)), set.longest, 0)));
}

/// (15): equal balls that all strike at once exchange their speeds, by three resets in either order.
void add_equal(const Scene& scene, Validation& validation) {
  const Speeds start{1, 0.3, -0.6};
  VectorX v = VectorX::Zero(scene.model->velocity_count());
  for (std::size_t i = 0; i < 3; ++i) v[scene.model->joints()[i].v_index + 3] = start[i];
  MechanismImpact impact(scene.model);
  impact.find(scene.initial.q, v, 1e-9);
  const NormalImpact normal = normal_impact(impact.A(), impact.u());
  const ElasticOutcome outcome = elastic_impact(normal);
  impact.add_response(outcome.impulse, v);
  const Speeds after = along_the_row(*scene.model, v);
  auto& entries = validation.entries;
  for (std::size_t i = 0; i < 3; ++i) {
    entries.push_back(
        from(Origin::printed, absolute_entry(source, "(15)", fmt::format("equal masses, speed of ball {} (m/s)", i + 1),
                                             start[2 - i], after[i], 1e-12)));
  }
  entries.push_back(from(Origin::printed, absolute_entry(source, "(15)", "equal masses, resets", 3,
                                                         static_cast<double>(outcome.sequence.size()), 0)));
  const Uniqueness verdict = uniqueness(normal);
  const bool by_angles = verdict.unique == Unique::yes && verdict.reason == UniqueReason::three_stage;
  entries.push_back(
      from(Origin::printed, absolute_entry(source, "theorem 3", "equal masses, unique by the angle of 120° (1: yes)", 1,
                                           by_angles ? 1 : 0, 0)));
}

/// (22) over random pairs of normals, with random momenta and with such as need all the resets that it allows.
void validate_bound(const ValidationOptions& options, Validation& validation) {
  if (options.progress) options.progress("bound of two contacts");
  std::mt19937_64 random(2014);
  std::uniform_real_distribution<double> uniform(-1, 1);
  constexpr int pairs = 100000;
  int over = 0, short_of = 0;
  ElasticOptions first;
  first.rule = ResetRule::priority;
  for (int i = 0; i < pairs; ++i) {
    const double cosine = 0.9999 * uniform(random), opening = std::acos(-cosine);
    MatrixX A(2, 2);
    A << 1, cosine, cosine, 1;
    VectorX u(2);
    u << uniform(random), uniform(random);
    const double bound = two_contact_bound(cosine);
    over += static_cast<double>(elastic_impact(normal_impact(A, u)).sequence.size()) > bound ? 1 : 0;
    // In the plane of the normals feasible momenta fill a corner of the angle `opening`. One that points back along its
    // first side, and a little across it, turns by the opening in every reset, π in all.
    const double direction = -std::numbers::pi + 1e-7 * opening;
    u << std::sin(direction), std::sin(opening - direction);
    short_of += static_cast<double>(elastic_impact(normal_impact(A, u), first).sequence.size()) < bound ? 1 : 0;
  }
  const std::string what = fmt::format("of {} random pairs, ", pairs);
  validation.entries.push_back(
      from(Origin::printed, absolute_entry(source, "(22)", what + "those beyond the bound", 0, over, 0)));
  validation.entries.push_back(
      absolute_entry(source, "(22)", what + "those that a momentum made for it does not attain", 0, short_of, 0));
}

}  // namespace

void validate_cradles(const ValidationOptions& options, Validation& validation) {
  for (const Cradle& cradle : cradles) {
    if (options.progress) options.progress(cradle.name);
    const Scene scene = load_scene(options.scenes + "/seghete2014/" + cradle.file + ".yaml");
    for (const Speeds& start : starts) add(cradle, scene, start, validation);
    if (cradle.file == cradles.front().file) add_equal(scene, validation);
  }
  validate_bound(options, validation);
}

}  // namespace carom::seghete2014
