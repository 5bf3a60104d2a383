#pragma once

#include <vector>

#include "carom/certificate/judge.h"
#include "carom/complementarity/islands.h"
#include "carom/contact/contact.h"
#include "carom/dynamics/constraint_equations.h"
#include "carom/impact/impact_law.h"
#include "carom/stepper/mass_operator.h"
#include "carom/stepper/step_loads.h"
#include "carom/stepper/step_report.h"

namespace carom {

/// Approach that laws may leave, as a part of the speed of an impact.
inline constexpr double left_by_laws = 1e-6;
/// Impacts, or jams, at one instant. Where something approaches after so many, the step is inaccurate.
inline constexpr int most_impacts_at_once = 20;

/// Options that the method gives its law.
ImpactLawOptions law_options(const Method& method);

/// Impacts of a mechanism: from contacts and a velocity to the velocity after, by the method's law.
///
///     M (v⁺ − v) = Jᵀ p,   u⁺ = J v⁺ = u + A p,   p by the law (impact_problem.h)
///
/// at a fixed configuration. J holds the contacts and the model's constraints (bilateral rows, which also lose a
/// velocity error that they had). Finite forces, dry friction in joints and servos among them, do nothing in no time.
/// Contacts fall into islands that know nothing of one another (islands.h). The law sees only those in which something
/// strikes.
class ImpactHandler {
 public:
  /// Throws Error if the method has no law of impacts.
  ImpactHandler(const Model& model, const Method& method);

  /// The handler of the same method without restitution, for what comes too slowly to rebound.
  static ImpactHandler without_restitution(const Model& model, Method method) {
    method.law = LawKind::plastic;
    return {model, method};
  }

  /// Asked on the way by the law, which then throws Stopped; null: nothing stops it. Has to live as long.
  void set_stop(const StopSignal* stop) { stop_ = stop; }

  /// Strikes: v in, v⁺ out. All `contacts` take part; `strikes` says of each if it sets off an impact (it touches and
  /// approaches). Contacts that strike get the approach speed `push` beyond their own, m/s: 0 except to set off a
  /// tangential impact. The workspace holds forward_kinematics at q; mass is factored anew. Appends to report.impacts,
  /// report.struck and, of laws plus and propagative, report.intervals. `time`: of the impact, s.
  void strike(const Model& model, double time, const VectorX& q, const std::vector<Contact>& contacts,
              const std::vector<char>& strikes, double push, DynamicsWorkspace& workspace, MassOperator& mass,
              VectorX& v, StepReport& report);

 private:
  void pose(const Model& model, double time, const VectorX& q, const std::vector<Contact>& contacts, const VectorX& v,
            DynamicsWorkspace& workspace, MassOperator& mass);
  void find_struck(const std::vector<Contact>& contacts, const std::vector<char>& strikes, std::size_t first);
  void solve_island(int island, ImpactReport& impact);
  void tell_intervals(int island, int group, StepReport& report) const;
  void account(const std::vector<Contact>& contacts, ImpactReport& impact, StepReport& report) const;

  ImpactLaw law_;
  const StopSignal* stop_ = nullptr;
  RungCounts* rungs_ = nullptr;
  StepLoads loads_;
  PlusTrace trace_;
  ConstraintEquations equations_;
  std::vector<ConstraintRow> rows_;
  std::vector<Block> blocks_;
  std::vector<ImpactSurface> surfaces_, island_surfaces_;
  Islands islands_;
  IslandProblem island_;
  std::vector<char> struck_;               // by island
  std::vector<std::size_t> struck_place_;  // by contact of a struck island: its place in StepReport::struck
  VectorX no_augmentation_, velocity_;
  Judge judge_;
  VectorX u_, p_, u_plus_, p_island_, u_island_;
};

}  // namespace carom
