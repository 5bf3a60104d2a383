#pragma once

#include "carom/record/stored_shapes.h"
#include "carom/stepper/method.h"

// Field lists of a method.
namespace carom::stored {

template <Same<LabelTolerance> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [residual, impulse, velocity] = part;
  f("residual", residual);
  f("impulse", impulse);
  f("velocity", velocity);
}
template <Same<PruneOptions> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [tolerance, tie] = part;
  f("tolerance", tolerance);
  f("tie", tie);
}
template <Same<PlusOptions> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [intervals, transition_speed, direction_change, shortest_interval, path_tolerance, largest_turn, interval_limit,
         approach_tolerance, energy_limit, round_budget, compress_observers, exhaustive, search_limit,
         weigh_by_stiffness, judge_optimality, prune] = part;
  f("intervals", intervals);
  f("transition_speed", transition_speed);
  f("direction_change", direction_change);
  f("shortest_interval", shortest_interval);
  f("path_tolerance", path_tolerance);
  f("largest_turn", largest_turn);
  f("interval_limit", interval_limit);
  f("approach_tolerance", approach_tolerance);
  f("energy_limit", energy_limit);
  f("round_budget", round_budget);
  f("compress_observers", compress_observers);
  f("exhaustive", exhaustive);
  f("search_limit", search_limit);
  f("weigh_by_stiffness", weigh_by_stiffness);
  f("judge_optimality", judge_optimality);
  f("prune", prune);
}
template <Same<PropagativeOptions> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [order, most_resets, plastic, reading] = part;
  f("order", order);
  f("most_resets", most_resets);
  f("plastic", plastic);
  f("reading", reading);
}
template <Same<CompliantSettings> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [transition_speed, limit_stiffness, limit_dissipation, most_steps] = part;
  f("transition_speed", transition_speed);
  f("limit_stiffness", limit_stiffness);
  f("limit_dissipation", limit_dissipation);
  f("most_steps", most_steps);
}
template <Same<QuasiRigidSettings> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [slip, deflection, tolerance, iterations, halvings] = part;
  f("slip", slip);
  f("deflection", deflection);
  f("tolerance", tolerance);
  f("iterations", iterations);
  f("halvings", halvings);
}
template <Same<Method> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [stepper, law, dynamics, form, cone, gyroscopic, smooth, step, accuracy, directions, contact_tolerance,
         restitution_speed, nonlinear_iterations, nonlinear_tolerance, tolerance, proximity, plus, lzb_accuracy,
         propagative, compliant, quasi_rigid, rebound, overlap, rungs] = part;
  static_cast<void>(rungs);  // counts of a program that measures: no choice of a method
  f("stepper", stepper);
  f("law", law);
  f("dynamics", dynamics);
  f("form", form);
  f("cone", cone);
  f("gyroscopic", gyroscopic);
  f("smooth", smooth);
  f("step", step);
  f("accuracy", accuracy);
  f("directions", directions);
  f("contact_tolerance", contact_tolerance);
  f("restitution_speed", restitution_speed);
  f("nonlinear_iterations", nonlinear_iterations);
  f("nonlinear_tolerance", nonlinear_tolerance);
  f("tolerance", tolerance);
  f("proximity", proximity);
  f("plus", plus);
  f("lzb_accuracy", lzb_accuracy);
  f("propagative", propagative);
  f("compliant", compliant);
  f("quasi_rigid", quasi_rigid);
  f("rebound", rebound);
  f("overlap", overlap);
}

}  // namespace carom::stored
