#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace carom {

/// A rung of the ladder of contact solvers: a method, or a detour on the way to one. Each is tried only if the ones
/// before it did not arrive. The order and the conditions are told by the solver that has the rung: ContactSolver,
/// FactoredSolver, ConeSolver, PolyhedralSolver and MixedLcpSolver. What each does is told by solver_rungs().
enum class SolverRung : std::uint8_t {
  // ContactSolver
  known_contradiction,
  friction_capped,
  friction_grown,
  factors_again,
  factors_as_matrix,
  contradiction,
  // FactoredSolver and ConeSolver
  start,
  // FactoredSolver
  standing_multipliers,
  factored_sweeps,
  climbing_newton,
  interior_point,
  interior_afresh,
  proximal_rounds,
  multipliers,
  resting_multipliers,
  // ConeSolver
  first_order,
  warm_states,
  warm_newton,
  warm_sweep,
  sweeps,
  newton,
  smooth_path,
  long_newton,
  projected_newton,
  long_path,
  without_start,
  polyhedral_8,
  polyhedral_32,
  proximal_points,
  // PolyhedralSolver and MixedLcpSolver
  pivoting,
  lemke,
  lemke_afresh,
  shifted_lemke,
  unshifted_basis,
  box_lemke,
};
inline constexpr int solver_rung_count = static_cast<int>(SolverRung::box_lemke) + 1;

struct SolverRungEntry {
  SolverRung rung;
  std::string_view name;      ///< as tables have it
  std::string_view sentence;  ///< what it does
};

/// All rungs, in the order of SolverRung.
std::span<const SolverRungEntry> solver_rungs();

class RungSet {
 public:
  RungSet() = default;
  explicit RungSet(SolverRung rung) : bits_(bit(rung)) {}

  void add(SolverRung rung) { bits_ |= bit(rung); }
  void add(RungSet other) { bits_ |= other.bits_; }
  bool has(SolverRung rung) const { return (bits_ & bit(rung)) != 0; }
  bool has(RungSet other) const { return (other.bits_ & ~bits_) == 0; }
  bool empty() const { return bits_ == 0; }

 private:
  static std::uint64_t bit(SolverRung rung) { return std::uint64_t{1} << static_cast<int>(rung); }
  std::uint64_t bits_ = 0;
};
static_assert(solver_rung_count <= 64);

/// The way of one solve up its ladder. Of several solves, such as the islands of a problem, the sets are united.
struct RungTrace {
  RungSet entered;  ///< rungs that did any work
  RungSet won;  ///< of these, the one that the result comes from, and the detours that led there: one rung, or a few

  void add(const RungTrace& other) {
    entered.add(other.entered);
    won.add(other.won);
  }
};

}  // namespace carom
