#include "carom/study/impact_outcomes.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/complementarity/bilateral_elimination.h"
#include "carom/complementarity/linear/nonnegative_least_squares.h"
#include "carom/dynamics/constraint_equations.h"
#include "carom/dynamics/recursions.h"
#include "carom/error.h"
#include "carom/impact/propagative/energetic_blend.h"
#include "carom/impact/propagative/momentum_graph.h"
#include "carom/impact/propagative/plastic_projection.h"
#include "carom/stepper/mass_operator.h"

namespace carom {
namespace {

// Shares of √(2 E): what counts as none of a distance from the hull, and of a width of it.
constexpr double inside = 1e-8, hull_width = 1e-9;

/// Momenta that the reading to the letter looks at in the time of one of the other.
constexpr int literal_share = 50;

/// The normals of the closed contacts, with the constraints taken out.
class NormalRows {
 public:
  explicit NormalRows(const ImpactAtHand& hand)
      : model_(*hand.model), v_(hand.v), mass_(model_, hand.method.dynamics), workspace_(model_) {
    forward_kinematics(model_, hand.q, workspace_);
    ConstraintEquations equations;
    constraint_equations(model_, hand.q, hand.time, ConstraintLevel::velocity, workspace_, equations);
    std::vector<ConstraintRow> rows = equations.rows, of_contact;
    for (std::size_t i = 0; i < equations.rows.size(); ++i) {
      Block block;
      block.kind = BlockKind::bilateral;
      block.row = static_cast<int>(i);
      block.offset = -equations.rates[i];
      blocks_.push_back(block);
    }
    for (const Contact& contact : hand.contacts) {
      of_contact.clear();
      append_rows(contact, of_contact);
      Block block;
      block.row = static_cast<int>(rows.size());
      blocks_.push_back(block);
      rows.push_back(of_contact.back());
    }
    mass_.factor(model_, VectorX::Zero(model_.velocity_count()), workspace_);
    mass_.build(model_, rows, workspace_);
    whole_u_.resize(static_cast<Eigen::Index>(rows.size()));
    mass_.apply(v_, whole_u_);
    const ContactProblem whole{mass_.contact_operator(), whole_u_, blocks_};
    reduced_ = elimination_.eliminate(whole);
    A_ = reduced_ ? MatrixX(elimination_.problem().A.dense()) : MatrixX(mass_.delassus());
    u_ = reduced_ ? VectorX(elimination_.problem().u) : whole_u_;
  }

  const MatrixX& A() const { return A_; }
  const VectorX& u() const { return u_; }

  /// The velocity that impulses at the contacts lead to, those of the constraints included.
  VectorX after(const VectorX& impulse) {
    VectorX all = impulse;
    if (reduced_) {
      all.setZero(whole_u_.size());
      elimination_.expand(impulse.data(), all.data());
    }
    VectorX v = v_;
    if (all.size() > 0) mass_.add_response(all, v);
    return v;
  }

 private:
  const Model& model_;
  VectorX v_;
  MassOperator mass_;
  DynamicsWorkspace workspace_;
  std::vector<Block> blocks_;
  VectorX whole_u_, u_;
  MatrixX A_;
  BilateralElimination elimination_;
  bool reduced_ = false;
};

/// The impact at some of the contacts.
NormalImpact part_of(const NormalRows& rows, const std::vector<int>& contacts) {
  const auto k = static_cast<Eigen::Index>(contacts.size());
  MatrixX A(k, k);
  VectorX u(k);
  for (Eigen::Index j = 0; j < k; ++j) {
    const int b = contacts[static_cast<std::size_t>(j)];
    u(j) = rows.u()(b);
    for (Eigen::Index i = 0; i < k; ++i) A(i, j) = rows.A()(contacts[static_cast<std::size_t>(i)], b);
  }
  return normal_impact(A, u);
}

OutcomePoint point_of(NormalRows& rows, const KineticSpace& space, const ImpactOutcomes& outcomes,
                      const NormalOutcome& outcome, std::string name) {
  OutcomePoint point;
  point.name = std::move(name);
  point.impulse = outcome.impulse;
  point.contact_velocity = outcome.velocity;
  VectorX impulse = VectorX::Zero(rows.u().size());
  for (std::size_t i = 0; i < outcomes.contacts.size(); ++i) {
    impulse(outcomes.contacts[i]) = outcome.impulse(static_cast<Eigen::Index>(i));
  }
  point.v = rows.after(impulse);
  point.energy_ratio =
      outcomes.energy > 0 ? space.energy(point.v) / outcomes.energy : std::numeric_limits<double>::quiet_NaN();
  return point;
}

/// The restitution that all contacts that strike have at their approach speed; empty if they differ.
std::optional<double> common_restitution(const ImpactAtHand& hand, const ImpactOutcomes& outcomes,
                                         const VectorX& approach) {
  std::optional<double> common;
  for (std::size_t i = 0; i < outcomes.contacts.size(); ++i) {
    const auto at = static_cast<std::size_t>(outcomes.contacts[i]);
    if (!hand.strikes[at]) continue;
    const double e = hand.contacts[at].surface.restitution.at(std::max(0.0, -approach(static_cast<Eigen::Index>(i))));
    if (common && std::abs(*common - e) > 1e-12) return {};
    common = e;
  }
  return common;
}

/// Contacts linked to one that strikes, by numbers of the hand, and what is left out.
std::vector<int> choose_contacts(const ImpactAtHand& hand, const NormalRows& rows, const OutcomeOptions& options,
                                 ImpactOutcomes& outcomes) {
  std::vector<int> movable;
  for (int i = 0; i < static_cast<int>(hand.contacts.size()); ++i) {
    (rows.A()(i, i) > 0 ? movable : outcomes.immovable).push_back(i);
  }
  UniquenessOptions settings;
  settings.outcomes = options;
  outcomes.verdict = uniqueness(part_of(rows, movable), settings);
  std::vector<int> chosen;
  for (int& contact : outcomes.verdict.contacts) chosen.push_back(movable[static_cast<std::size_t>(contact)]);
  // From here on contacts are numbered as those that take part.
  Uniqueness& verdict = outcomes.verdict;
  const auto number = [&](int of_movable) {
    const auto place = std::find(verdict.contacts.begin(), verdict.contacts.end(), of_movable);
    return place == verdict.contacts.end() ? -1 : static_cast<int>(place - verdict.contacts.begin());
  };
  verdict.first = number(verdict.first);
  verdict.second = number(verdict.second);
  for (std::size_t i = 0; i < verdict.contacts.size(); ++i) verdict.contacts[i] = static_cast<int>(i);
  return chosen;
}

void add_outcomes(NormalRows& rows, const KineticSpace& space, OutcomeOptions options, ImpactOutcomes& outcomes) {
  const bool known = !outcomes.verdict.outcomes.outcomes.empty() || outcomes.verdict.outcomes.momenta > 0;
  options.reading = MinimalReading::stops_when_feasible;
  outcomes.all = known ? outcomes.verdict.outcomes : outcome_set(outcomes.impact, options);
  options.reading = MinimalReading::no_subsequence;
  options.max_momenta = std::min(options.max_momenta, std::numeric_limits<int>::max() / literal_share) * literal_share;
  outcomes.literal = outcome_set(outcomes.impact, options);
  // Outcomes are told apart as their enumeration does: by products with the unit normals.
  MomentumIndex index(outcomes.impact.size(), 10 * options.distinct_tolerance * outcomes.impact.scale());
  std::vector<VectorX> minimal;
  for (const ReachedOutcome& outcome : outcomes.literal.outcomes) {
    minimal.push_back(outcome.velocity.cwiseQuotient(outcomes.impact.length));
    index.insert(minimal.back(), static_cast<int>(minimal.size()) - 1);
  }
  for (std::size_t i = 0; i < outcomes.all.outcomes.size(); ++i) {
    const ReachedOutcome& reached = outcomes.all.outcomes[i];
    outcomes.outcomes.push_back(point_of(rows, space, outcomes, reached, fmt::format("outcome {}", i + 1)));
    outcomes.in_literal.push_back(index.find(minimal, reached.velocity.cwiseQuotient(outcomes.impact.length)) >= 0);
  }
  const double scale = std::sqrt(2 * std::max(outcomes.energy, outcomes.reachable));
  MatrixX points(outcomes.before.size(), static_cast<Eigen::Index>(outcomes.outcomes.size()));
  for (std::size_t i = 0; i < outcomes.outcomes.size(); ++i) {
    points.col(static_cast<Eigen::Index>(i)) = space.point(outcomes.outcomes[i].v);
  }
  outcomes.hull = point_hull(points, hull_width * scale);
}

void add_blends(const ImpactAtHand& hand, NormalRows& rows, const KineticSpace& space, const OutcomeSearch& search,
                ImpactOutcomes& outcomes) {
  const NormalOutcome on_span = plastic_span(outcomes.impact);
  const PlasticProjection on_cone = plastic_cone(outcomes.impact);
  outcomes.plastic.push_back(point_of(rows, space, outcomes, on_span, "plastic on the span"));
  const bool solved = on_cone.status == SolveStatus::solved;
  if (solved) outcomes.plastic.push_back(point_of(rows, space, outcomes, on_cone, "plastic on the cone"));
  outcomes.restitution = search.restitution;
  if (!search.restitution) {
    outcomes.restitution = common_restitution(hand, outcomes, outcomes.impact.velocity_of(outcomes.impact.approach));
  }
  if (!outcomes.restitution) {
    outcomes.no_blends = "contacts that strike have different restitutions, and a blend has one; give it by --blend";
    return;
  }
  for (std::size_t i = 0; i < outcomes.all.outcomes.size(); ++i) {
    for (std::size_t j = 0; j < outcomes.plastic.size(); ++j) {
      const NormalOutcome& plastic = j == 0 ? on_span : static_cast<const NormalOutcome&>(on_cone);
      const EnergeticBlend blend = energetic_blend(outcomes.all.outcomes[i], plastic, *outcomes.restitution);
      outcomes.blends.push_back(point_of(rows, space, outcomes, blend,
                                         fmt::format("blend of outcome {} with {}", i + 1, outcomes.plastic[j].name)));
    }
  }
}

}  // namespace

KineticSpace::KineticSpace(const ImpactAtHand& hand) {
  DynamicsWorkspace workspace(*hand.model);
  forward_kinematics(*hand.model, hand.q, workspace);
  MatrixX M;
  mass_matrix(*hand.model, workspace, M);
  const Eigen::LLT<MatrixX> factors(M);
  if (factors.info() != Eigen::Success) {
    throw Error(
        "the mass matrix is singular in this configuration (joints whose axes line up, say), so distances between "
        "motions have no meaning");
  }
  factor_ = factors.matrixL();
}

void check(const OutcomeSearch& search) {
  if (search.max_momenta < 1)
    throw Error(fmt::format("--budget {}: at least 1 momentum is needed", search.max_momenta));
  if (search.restitution && !(*search.restitution >= 0 && *search.restitution <= 1)) {
    throw Error(fmt::format("--blend {}: it is a restitution, between 0 and 1", *search.restitution));
  }
}

ImpactOutcomes impact_outcomes(const ImpactAtHand& hand, const KineticSpace& space, const OutcomeSearch& search) {
  ImpactOutcomes outcomes;
  NormalRows rows(hand);
  const auto all = static_cast<Eigen::Index>(hand.contacts.size());
  outcomes.before = rows.after(VectorX::Zero(all));
  outcomes.energy = space.energy(outcomes.before);
  OutcomeOptions options;
  options.max_momenta = search.max_momenta;
  options.kinetic_energy = outcomes.energy;
  outcomes.contacts = choose_contacts(hand, rows, options, outcomes);
  if (outcomes.contacts.empty()) {
    throw Error("no impulse moves a contact that approaches: the constraints hold its bodies, and drives move them");
  }
  outcomes.impact = part_of(rows, outcomes.contacts);
  outcomes.reachable = outcomes.impact.reachable_energy();
  outcomes.normals.resize(outcomes.impact.size(), outcomes.before.size());
  for (std::size_t i = 0; i < outcomes.contacts.size(); ++i) {
    const Contact& contact = hand.contacts[static_cast<std::size_t>(outcomes.contacts[i])];
    if (contact.id.is_surface()) {
      const Vec2 friction = contact.surface.friction_of_impact(0);
      outcomes.has_friction =
          outcomes.has_friction || friction.maxCoeff() > 0 || contact.surface.impact_friction_slope > 0;
    }
    const VectorX unit = VectorX::Unit(all, outcomes.contacts[i]);
    const auto row = static_cast<Eigen::Index>(i);
    outcomes.normals.row(row) = space.point(rows.after(unit) - outcomes.before) / outcomes.impact.length(row);
  }
  add_outcomes(rows, space, options, outcomes);
  add_blends(hand, rows, space, search, outcomes);
  return outcomes;
}

Placement place(const ImpactOutcomes& outcomes, const KineticSpace& space, const VectorX& v) {
  Placement placement;
  const auto m = static_cast<Eigen::Index>(outcomes.outcomes.size());
  if (m == 0) return placement;
  const double scale = std::sqrt(2 * outcomes.energy);
  const double unit = scale > 0 ? scale : 1;
  MatrixX around(v.size() + 1, m);
  placement.distance = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < m; ++i) {
    const VectorX apart = space.point(outcomes.outcomes[static_cast<std::size_t>(i)].v - v);
    around.col(i) << apart / unit, 1;
    if (!(apart.norm() < placement.distance)) continue;
    placement.distance = apart.norm();
    placement.nearest = static_cast<int>(i);
  }
  placement.relative = placement.distance / unit;
  placement.closest = outcomes.outcomes[static_cast<std::size_t>(placement.nearest)].name;
  placement.closest_relative = placement.relative;
  for (const auto* list : {&outcomes.plastic, &outcomes.blends}) {
    for (const OutcomePoint& point : *list) {
      const double apart = space.distance(point.v, v) / unit;
      if (!(apart < placement.closest_relative - inside)) continue;
      placement.closest = point.name;
      placement.closest_relative = apart;
    }
  }
  // The point of least norm of the hull of `around`, as in opening_direction.h.
  VectorX target = VectorX::Zero(v.size() + 1), weights = VectorX::Zero(m);
  target(v.size()) = 1;
  nonnegative_least_squares(around, target, {}, NonnegativeOptions{}, weights);
  weights /= weights.sum();
  placement.hull_distance = (around.topRows(v.size()) * weights).norm();
  placement.in_hull = placement.hull_distance <= inside;
  return placement;
}

}  // namespace carom
