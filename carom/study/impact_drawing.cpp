#include "carom/study/impact_drawing.h"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/impact/propagative/elastic_sequence.h"
#include "carom/impact/propagative/opening_direction.h"

namespace carom {
namespace {

constexpr double no_width = 1e-9;
constexpr std::size_t most_ways = 6;  // of resets that are drawn
constexpr std::size_t most_blends = 24, most_labels = 12;
constexpr double cone_reach = 1.15;  // of the circle's radius

/// The two directions with the largest sum of squares of the columns; fewer if the columns have no more.
MatrixX principal(const MatrixX& columns, int most) {
  if (columns.cols() == 0) return MatrixX(columns.rows(), 0);
  const Eigen::JacobiSVD<MatrixX> svd(columns, Eigen::ComputeThinU);
  int count = 0;
  while (count < std::min<int>(most, static_cast<int>(svd.singularValues().size())) &&
         svd.singularValues()(count) > no_width) {
    ++count;
  }
  return svd.matrixU().leftCols(count);
}

/// The plane of the drawing.
class Plane {
 public:
  explicit Plane(const ImpactStudy& report) : space_(report.space) {
    const ImpactOutcomes& outcomes = *report.outcomes;
    const double speed = std::sqrt(2 * outcomes.energy);
    unit_ = speed > 0 ? speed : 1;
    origin_ = space_.point(outcomes.plastic.front().v);
    axes_ = principal(outcomes.normals.transpose(), 3);
    if (axes_.cols() > 2) axes_ = principal(points(report), 2);
    if (axes_.cols() < 2) add_direction_of_laws(report);
    turn(outcomes);
  }

  std::pair<double, double> at(const VectorX& v) const { return of_point((space_.point(v) - origin_) / unit_); }
  /// Place of a direction, not moved.
  std::pair<double, double> of_point(const VectorX& y) const { return {axes_.col(0).dot(y), axes_.col(1).dot(y)}; }
  double unit() const { return unit_; }

 private:
  MatrixX points(const ImpactStudy& report) const {
    const ImpactOutcomes& outcomes = *report.outcomes;
    std::vector<const VectorX*> list{&outcomes.before};
    for (const OutcomePoint& point : outcomes.outcomes) list.push_back(&point.v);
    for (const OutcomePoint& point : outcomes.plastic) list.push_back(&point.v);
    MatrixX columns(origin_.size(), static_cast<Eigen::Index>(list.size()));
    for (std::size_t i = 0; i < list.size(); ++i) {
      columns.col(static_cast<Eigen::Index>(i)) = (space_.point(*list[i]) - origin_) / unit_;
    }
    return columns;
  }

  /// The direction in which laws leave the axes that there are.
  void add_direction_of_laws(const ImpactStudy& report) {
    MatrixX columns(origin_.size(), 0);
    for (const LawLanding& landing : report.landings) {
      if (!landing.refusal.empty()) continue;
      VectorX y = (space_.point(landing.v) - origin_) / unit_;
      y -= axes_ * (axes_.transpose() * y);
      columns.conservativeResize(Eigen::NoChange, columns.cols() + 1);
      columns.rightCols(1) = y;
    }
    const MatrixX further = principal(columns, 2 - static_cast<int>(axes_.cols()));
    MatrixX both = MatrixX::Zero(origin_.size(), 2);
    both.leftCols(axes_.cols()) = axes_;
    both.middleCols(axes_.cols(), further.cols()) = further;
    axes_ = both;
  }

  /// Up is where all contacts open; the momentum before is to the left.
  void turn(const ImpactOutcomes& outcomes) {
    const OpeningDirection opening = opening_direction(outcomes.impact);
    const auto [ox, oy] = of_point(outcomes.normals.transpose() * opening.weights);
    const double length = std::hypot(ox, oy);
    if (opening.exists && length > no_width) {
      const VectorX up = (ox * axes_.col(0) + oy * axes_.col(1)) / length;
      const VectorX across = (oy * axes_.col(0) - ox * axes_.col(1)) / length;
      axes_.col(0) = across;
      axes_.col(1) = up;
    }
    if (at(outcomes.before).first > 0) axes_.col(0) = -axes_.col(0);
  }

  const KineticSpace& space_;
  VectorX origin_;
  MatrixX axes_;
  double unit_ = 1;
};

using Points = std::vector<std::pair<double, double>>;

/// The part of a convex polygon where a x + b y ≥ 0.
Points clip(const Points& polygon, double a, double b) {
  Points kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const auto [x, y] = polygon[i];
    const auto [u, w] = polygon[(i + 1) % polygon.size()];
    const double here = a * x + b * y, next = a * u + b * w;
    if (here >= 0) kept.push_back(polygon[i]);
    if ((here > 0 && next < 0) || (here < 0 && next > 0)) {
      const double t = here / (here - next);
      kept.emplace_back(x + t * (u - x), y + t * (w - y));
    }
  }
  return kept;
}

/// The feasible momenta, and the lines on which each contact neither opens nor approaches.
void add_cone(const ImpactOutcomes& outcomes, const Plane& plane, double reach, Drawing& drawing) {
  constexpr int corners = 240;
  Points cone;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners;
    cone.emplace_back(reach * std::cos(angle), reach * std::sin(angle));
  }
  for (Eigen::Index i = 0; i < outcomes.normals.rows(); ++i) {
    const auto [a, b] = plane.of_point(outcomes.normals.row(i).transpose());
    cone = clip(cone, a, b);
    // Along the line, and its label at the upper end. Normals are unit vectors in the plane.
    double x = -b * reach, y = a * reach;
    if (y < 0 || (y == 0 && x < 0)) {
      x = -x;
      y = -y;
    }
    drawing.lines.push_back(
        {{{-x, -y}, {x, y}}, fmt::format("contact {}", outcomes.contacts[static_cast<std::size_t>(i)] + 1), "dashed"});
  }
  if (cone.size() > 2) drawing.lines.insert(drawing.lines.begin(), {cone, "", "area"});
}

/// The ways of resets to the first outcomes, from one momentum to the next.
void add_ways(const ImpactOutcomes& outcomes, const Plane& plane, Drawing& drawing) {
  for (std::size_t i = 0; i < std::min(most_ways, outcomes.outcomes.size()); ++i) {
    Drawing::Line way{{plane.at(outcomes.before)}, "", "thin"};
    VectorX w = outcomes.impact.approach, pi = VectorX::Zero(w.size());
    const auto start = plane.at(outcomes.before);
    for (const int contact : outcomes.all.outcomes[i].sequence) {
      elastic_reset(outcomes.impact, contact, w, pi);
      const auto moved = plane.of_point(outcomes.normals.transpose() * pi / plane.unit());
      way.points.emplace_back(start.first + moved.first, start.second + moved.second);
    }
    drawing.lines.push_back(std::move(way));
  }
}

const std::vector<Drawing::Kind> kinds = {{"before", "ring", "ink"},
                                          {"elastic outcome", "dot", "c0"},
                                          {"plastic outcome", "square", "c2"},
                                          {"blend", "cross", "c4"},
                                          {"law", "diamond", "c1"}};

}  // namespace

std::optional<Drawing> close_drawing(const ImpactStudy& report) {
  constexpr double far_apart = 0.2;  // of the speed: then they are seen well enough among the others
  if (!report.outcomes || report.outcomes->hull.dimension < 1) return {};
  const ImpactOutcomes& outcomes = *report.outcomes;
  const double speed = std::sqrt(2 * outcomes.energy), unit = speed > 0 ? speed : 1;
  const double diameter = outcomes.all.diameter / unit;
  if (diameter > far_apart) return {};
  Drawing drawing;
  drawing.title = "The elastic outcomes alone, in their two principal directions";
  drawing.unit = "of the speed";
  drawing.kinds = kinds;
  const bool few = outcomes.outcomes.size() <= most_labels;
  const auto add = [&](const VectorX& v, const std::string& label, const char* kind) {
    const VectorX y = (report.space.point(v) - outcomes.hull.center) / unit;
    const VectorX flat = outcomes.hull.basis.transpose() * y;
    if (y.norm() > diameter) return;
    drawing.marks.push_back({flat(0), flat.size() > 1 ? flat(1) : 0, label, kind});
  };
  for (const OutcomePoint& point : outcomes.outcomes) add(point.v, few ? point.name : "", "elastic outcome");
  for (const LawLanding& landing : report.landings) {
    if (landing.refusal.empty()) add(landing.v, law_name(landing.law), "law");
  }
  return drawing;
}

Drawing impact_drawing(const ImpactStudy& report) {
  Drawing drawing;
  if (!report.outcomes) return drawing;
  const ImpactOutcomes& outcomes = *report.outcomes;
  const Plane plane(report);
  const double radius = std::sqrt(2 * outcomes.reachable) / plane.unit();
  drawing.title = "Momenta in the kinetic metric";
  drawing.unit = "of the speed";
  drawing.kinds = kinds;
  drawing.circles.push_back({0, 0, radius});
  if (outcomes.impact.rank() <= 2) add_cone(outcomes, plane, cone_reach * radius, drawing);
  add_ways(outcomes, plane, drawing);
  const auto add = [&](const VectorX& v, std::string label, std::string kind) {
    const auto [x, y] = plane.at(v);
    drawing.marks.push_back({x, y, std::move(label), std::move(kind)});
  };
  add(outcomes.before, "before", "before");
  const bool few = outcomes.outcomes.size() <= most_labels;
  for (const OutcomePoint& point : outcomes.outcomes) add(point.v, few ? point.name : "", "elastic outcome");
  for (const OutcomePoint& point : outcomes.plastic) add(point.v, point.name, "plastic outcome");
  for (std::size_t i = 0; i < std::min(most_blends, outcomes.blends.size()); ++i)
    add(outcomes.blends[i].v, "", "blend");
  for (const LawLanding& landing : report.landings) {
    if (landing.refusal.empty()) add(landing.v, law_name(landing.law), "law");
  }
  return drawing;
}

std::string drawing_note(const ImpactStudy& report) {
  if (!report.outcomes) return report.no_outcomes + ".";
  const ImpactOutcomes& outcomes = *report.outcomes;
  std::string text =
      "Lengths are those of the kinetic metric, in parts of the speed before. The circle holds the momenta with all "
      "the "
      "energy; its centre is the plastic outcome on the span of the normals. ";
  if (outcomes.impact.rank() == 1) {
    text += "Up is the way in which the contact opens; across, where friction takes the laws.";
  } else if (outcomes.impact.rank() == 2) {
    text +=
        "The shaded sector is where no contact approaches, the dashed lines are where one neither approaches nor "
        "opens.";
  } else {
    text += fmt::format(
        "The normals span {} dimensions, of which these are the two principal ones of the outcomes: a shadow, in which "
        "outcomes may lie inside the circle.",
        outcomes.impact.rank());
  }
  if (!outcomes.outcomes.empty()) text += " Thin lines are resets, one contact after another.";
  if (outcomes.has_friction && outcomes.impact.rank() > 1) text += " Friction takes laws out of the plane.";
  return text;
}

}  // namespace carom
