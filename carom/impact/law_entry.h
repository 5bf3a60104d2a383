#pragma once

#include <memory>

namespace carom {

struct ImpactLawOptions;
class ImpactSolver;

/// The law in steps that take impacts into their own complementarity problem.
enum class InStep {
  no,         ///< not at all: it is one of impacts that are instants of their own
  inelastic,  ///< nothing rebounds
  newton,     ///< v_n⁺ ≥ −e v_n⁻
  poisson,    ///< a second problem, with the expansion impulse e c_n owed
};

/// Use that a law makes of the restitution that surfaces have.
enum class RestitutionUse {
  none,   ///< nothing: a scene that has one is refused
  read,   ///< takes it
  blend,  ///< takes it, and is the elastic law where it is 1, the plastic one where it is 0
  as_0,   ///< takes it for 0
  as_1,   ///< takes it for 1
};

/// All that the rest of Carom knows of a law: a value that is written once, in a file of the law's own.
struct LawEntry {
  const char* name;        ///< as scene files, the command line, records and JSON have it
  const char* assumption;  ///< a sentence on what it takes for granted, without a full stop
  InStep in_step = InStep::no;
  RestitutionUse restitution = RestitutionUse::read;
  bool has_friction = true;  ///< false: a scene with friction is warned, and compare leaves the law out of it
  bool reads_tangential_spring = false;         ///< else a scene that has one is refused
  bool is_plastic_without_restitution = false;  ///< and so says nothing of its own where nothing rebounds
  const char* options = "";                     ///< key under which a scene's method gives its options; "": it has none
  /// True if it weighs contacts by their stiffness; null: it doesn't.
  bool (*reads_stiffness)(const ImpactLawOptions& options) = nullptr;
  const char* stiffness_option = "";  ///< the option that makes it do so; "": it always does
  /// Makes what solves an impact; null: the law says nothing of impacts that are instants.
  std::unique_ptr<ImpactSolver> (*make)(const ImpactLawOptions& options) = nullptr;
};

}  // namespace carom
