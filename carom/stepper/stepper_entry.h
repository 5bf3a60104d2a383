#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/impact/law_entry.h"

namespace carom {

class Model;
class Stepper;
struct Catalogue;
struct Method;

/// Layers of materials, as steppers take them.
enum class LayerUse {
  none,          ///< surfaces are rigid; a scene with layers is warned, or refused by data_faults
  of_materials,  ///< as the materials say
  everywhere,    ///< whatever overlaps is pressed in
};

/// Friction of contacts, as steppers have it.
enum class ConeUse {
  by_choice,   ///< polyhedral or exact, as the method says
  exact,       ///< exact, whatever it says
  slip_speed,  ///< no cone: a force that rises with the slip
};

/// All that the rest of Carom knows of a stepper: a value that is written once, in a file of the stepper's own folder.
/// The manual's words for the fields are those of `method` in scene files.
struct StepperEntry {
  const char* name;        ///< as scene files, the command line, records and JSON have it
  const char* assumption;  ///< a sentence on what it takes for granted, without a full stop
  std::unique_ptr<Stepper> (*make)(const Model& model, const Method& method);

  /// True if it goes with the law.
  bool (*takes)(const LawEntry& law);
  /// Why not, of a law that it doesn't take: a sentence.
  std::string (*law_fault)(const StepperEntry& stepper, const LawEntry& law, const Catalogue& catalogue);

  /// Fields of the method that some steppers do not read and it does (optional_fields in method.h lists all).
  std::span<const std::string_view> fields = {};
  /// Friction data of materials that it reads beside `friction` (friction_data in ignored_data.h lists all).
  std::span<const std::string_view> material_data = {};

  /// True if impacts are instants of their own, solved by the law; null: never.
  bool (*has_impacts)(const Method& method) = nullptr;
  bool is_integrated = false;            ///< with error control: the step says how often it reports, not how accurate
  bool is_implicit_in_geometry = false;  ///< closest points are unknowns of the step
  bool is_at_position_level = false;     ///< constraints of a step are posed on gaps, not on their rates
  bool joins_constraints = false;        ///< by divide and conquer, with contact forms of its own
  bool has_own_restitution = false;      ///< reads, or refuses, what materials say of it without a law
  ConeUse cone = ConeUse::by_choice;
  LayerUse layers = LayerUse::none;
  /// Sentence on shapes that overlap at the start, where `overlap` of the method does not decide; else null.
  const char* overlap_at_start = nullptr;

  /// Faults and surprises of a model for it, a sentence each; null: none.
  std::vector<std::string> (*data_faults)(const Model& model, const Method& method) = nullptr;
  std::vector<std::string> (*data_warnings)(const Model& model, const Method& method) = nullptr;
};

}  // namespace carom
