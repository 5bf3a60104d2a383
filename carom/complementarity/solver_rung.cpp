#include "carom/complementarity/solver_rung.h"

#include <iterator>

namespace carom {

std::span<const SolverRungEntry> solver_rungs() {
  using enum SolverRung;
  static constexpr SolverRungEntry all[] = {
      {known_contradiction, "known contradiction", "The proof that the last step had no solution still holds."},
      {friction_capped, "friction capped", "Friction above 100 counts as 100, which is as good if nothing slides."},
      {friction_grown, "friction grown", "Friction grows from there step by step, each solve from the last one's end."},
      {factors_again, "factors again", "The methods in factors run once more, from where they ended."},
      {factors_as_matrix, "factors as a matrix",
       "A small island in factors that stays unsolved is solved as a matrix."},
      {contradiction, "contradiction", "A search for a proof that no impulse solves the problem."},
      {start, "start", "The impulses to begin with, those of the last step or none, solve the problem."},
      {standing_multipliers, "multipliers, standing", "At most 6 iterations of multipliers where nothing moves."},
      {factored_sweeps, "sweeps in factors", "20 projected sweeps over the contacts, from a start that is far."},
      {climbing_newton, "climbing Newton", "At most 6 Newton steps on the natural map, which may climb."},
      {interior_point, "interior point", "Interior points from the end of the sweeps, to 1e-4."},
      {interior_afresh, "interior point, afresh", "The same from no impulse at all, after the first has jammed."},
      {proximal_rounds, "proximal rounds", "Newton steps with a proximal term that fades, for the last digits."},
      {multipliers, "multipliers", "The method of multipliers, at most 600 iterations, from the best of all."},
      {resting_multipliers, "multipliers, come to rest", "At most 12 iterations more where all has come to rest."},
      {first_order, "first order", "Accelerated projected gradients, where A is known by products alone."},
      {warm_states, "states of the start", "Newton steps in the states that a warm start has, for wide cones."},
      {warm_newton, "Newton from the start", "At most 3 Newton steps from a warm start."},
      {warm_sweep, "sweep from the start", "One sweep of Gauss and Seidel from a warm start."},
      {sweeps, "sweeps", "Sweeps of Gauss and Seidel, at most 10."},
      {newton, "Newton", "At most 10 Newton steps on the contacts' own solutions."},
      {smooth_path, "smooth path", "At most 30 steps along a smooth path, with Newton steps from its points."},
      {long_newton, "long Newton", "At most 50 Newton steps on the contacts' own solutions."},
      {projected_newton, "projected Newton", "At most 50 Newton steps on Alart and Curnier's projection."},
      {long_path, "long path", "A smooth path of at most 60 steps, then Newton steps on both equations."},
      {without_start, "without the start", "The ladder once more from no impulses: a warm start may lead astray."},
      {polyhedral_8, "polygon of 8", "Lemke's solution with 8 generators, then Newton steps."},
      {polyhedral_32, "polygon of 32", "The same with 32 generators."},
      {proximal_points, "proximal points", "A row of solutions with a proximal term that fades, by the methods above."},
      {pivoting, "principal pivoting", "Principal pivoting on the tableau of a small problem without friction."},
      {lemke, "Lemke", "Lemke's path from the basis of a start, or with all contacts sliding."},
      {lemke_afresh, "Lemke, afresh", "Lemke's path from no basis."},
      {shifted_lemke, "shifted Lemke", "Lemke's paths for proximal points, whose term fades."},
      {unshifted_basis, "basis without shift", "Lemke's path from the basis of a proximal point."},
      {box_lemke, "Lemke in a box", "Lemke's path on the whole mixed problem, whose equations are redundant."},
  };
  static_assert(std::size(all) == solver_rung_count);
  return all;
}

}  // namespace carom
