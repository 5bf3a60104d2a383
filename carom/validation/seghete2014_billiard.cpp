// Paper PROP, figures 4 and 5: the cue ball strikes two balls at once. The figures show how far apart the two orders of
// resets end, over the angle at which it sees them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/error.h"
#include "carom/impact/propagative/uniqueness.h"
#include "carom/scene/scene.h"
#include "carom/validation/mechanism_impact.h"
#include "carom/validation/seghete2014_examples.h"

namespace carom::seghete2014 {
namespace {

/// The closed form for equal balls, from (31) and a picture. In the plane of the normals, feasible momenta fill a
/// corner of half the opening γ, cos(π − 2γ) = cos(α)/2. The momentum comes straight into it. Reflections turn it by 2γ
/// each, to ±(π − 2kγ) from the corner's middle with the first k that is feasible. Half the cue ball's energy or more
/// is outside the plane.
double expected_indeterminacy(double alpha) {
  const double cosine = 0.5 * std::cos(alpha), half = 0.5 * (std::numbers::pi - std::acos(cosine));
  double angle = std::numbers::pi;
  while (std::abs(angle) > half * (1 + 1e-12)) angle -= 2 * half;
  // The part of the cue ball's momentum in the plane, relative to it all: two equal components along unit normals.
  const double along = -std::cos(0.5 * alpha) / std::numbers::sqrt2;
  const double in_plane = std::sqrt(2 * along * along / (1 + cosine));
  return 2 * in_plane * std::abs(std::sin(angle));
}

struct Break {
  double cosine = 0, indeterminacy = 0;
  Unique unique = Unique::unknown;
};

/// The cue ball goes along the bisector; the other two touch it, `alpha` apart.
Break break_at(const Scene& scene, double alpha) {
  constexpr int place = 4;  // of the position in a free joint's coordinates, behind the quaternion
  const std::vector<Joint>& joints = scene.model->joints();
  VectorX q = scene.initial.q;
  const Vec3 cue = q.segment<3>(joints[0].q_index + place);
  const double reach = (q.segment<3>(joints[1].q_index + place) - cue).norm();
  for (int ball : {1, 2}) {
    const double angle = ball == 1 ? 0.5 * alpha : -0.5 * alpha;
    q.segment<3>(joints[static_cast<std::size_t>(ball)].q_index + place) =
        cue + reach * Vec3(std::cos(angle), std::sin(angle), 0);
  }
  MechanismImpact impact(scene.model);
  impact.find(q, scene.initial.v, 1e-7);
  // At 60° the two touch each other as well; the paper has the cue ball's contacts alone.
  std::vector<int> rows;
  for (int i = 0; i < impact.contact_count(); ++i) {
    const Contact& contact = impact.contact(i);
    if (contact.body_a == 0 || contact.body_b == 0) rows.push_back(impact.block(i).normal_row());
  }
  if (rows.size() != 2) throw Error(scene.file + ": the cue ball does not touch two balls");
  const MatrixX A = impact.A()(rows, rows);
  const VectorX u = impact.u()(rows);
  const NormalImpact normal = normal_impact(A, u);
  OutcomeOptions outcomes;
  outcomes.kinetic_energy =
      0.5 * scene.model->bodies()[0].inertia.mass * scene.initial.v.segment<3>(joints[0].v_index + 3).squaredNorm();
  Break result;
  result.cosine = normal.cosine(0, 1);
  result.indeterminacy = outcome_set(normal, outcomes).indeterminacy;
  result.unique = uniqueness(normal).unique;
  return result;
}

}  // namespace

void validate_billiard(const ValidationOptions& options, Validation& validation) {
  if (options.progress) options.progress("billiard break");
  const Scene scene = load_scene(options.scenes + "/seghete2014/billiard_break.yaml");
  constexpr double degree = std::numbers::pi / 180;
  Plot plot;
  plot.title = "figure 5: how far apart the two orders of impacts end";
  plot.unit = "of the momentum";
  plot.x_title = "angle between the balls, °";
  std::vector<double> ours, closed_form;
  double worst_cosine = 0, worst = 0;
  for (int step = 0; step <= 480; ++step) {
    const double alpha = 60 + 0.25 * step;
    const Break broken = break_at(scene, alpha * degree);
    plot.times.push_back(alpha);
    ours.push_back(broken.indeterminacy);
    closed_form.push_back(expected_indeterminacy(alpha * degree));
    worst_cosine = std::max(worst_cosine, std::abs(broken.cosine - 0.5 * std::cos(alpha * degree)));
    worst = std::max(worst, std::abs(ours.back() - closed_form.back()));
  }
  auto& entries = validation.entries;
  entries.push_back(from(
      Origin::printed,
      absolute_entry(source, "(31)", "cosine of the normals over 60° to 180°, largest error", 0, worst_cosine, 1e-12)));
  for (const double alpha : {90.0, 180.0}) {
    const Break broken = break_at(scene, alpha * degree);
    entries.push_back(
        from(Origin::printed, absolute_entry(source, "figure 5", fmt::format("indeterminacy at {}°", alpha), 0,
                                             broken.indeterminacy, 1e-12)));
  }
  entries.push_back(absolute_entry(source, "figure 5", "indeterminacy over 60° to 180°, largest error", 0, worst, 1e-9,
                                   "beside the closed form of two reflections in a corner"));
  entries.push_back(
      from(Origin::printed, absolute_entry(source, "section VII-A", "unique at 90° (1: yes)", 1,
                                           break_at(scene, 90 * degree).unique == Unique::yes ? 1 : 0, 0)));
  entries.push_back(
      from(Origin::printed, absolute_entry(source, "section VII-A", "unique at 75° (1: yes)", 0,
                                           break_at(scene, 75 * degree).unique == Unique::yes ? 1 : 0, 0)));
  plot.curves = {{"carom", ours}, {"closed form", closed_form}};
  PlotSection section;
  section.title = "Seghete and Murphey 2014, figure 5: billiard break";
  section.note =
      "‖p₁₂ − p₂₁‖ / ‖p‖ in the kinetic metric, of the two orders in which the cue ball's contacts are reset";
  section.plots.push_back(plot);
  validation.figures.push_back(section);
}

}  // namespace carom::seghete2014
