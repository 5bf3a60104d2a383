#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "carom/geometry/implicit/formula_surface.h"
#include "carom/model/model.h"
#include "carom/stepper/method.h"

// Names of all enumerators that a stored model or method holds: files hold names and no numbers. If the rest of Carom
// has a name, it is used here. An enumerator that is added without one does not compile.
namespace carom::stored {

namespace internal {
/// True if V is an enumerator: the compiler then shows its name, and else a number in brackets.
template <auto V>
consteval bool is_enumerator() {
  const std::string_view shown = __PRETTY_FUNCTION__;
  const std::size_t at = shown.find("V = ");
  return at != std::string_view::npos && shown[at + 4] != '(';
}
}  // namespace internal

/// Number of the enumerators of E, which begin at 0 and have no gap.
template <class E>
consteval int enumerator_count() {
  return []<int... i>(std::integer_sequence<int, i...>) {
    return (0 + ... + (internal::is_enumerator<static_cast<E>(i)>() ? 1 : 0));
  }
  (std::make_integer_sequence<int, 40>());
}

/// Lists of names where the rest of Carom has none.
template <class E>
inline constexpr auto words = nullptr;
template <>
inline constexpr std::array words<Ratchet>{"none", "forward", "backward"};
template <>
inline constexpr std::array words<DriveKind>{"force", "servo"};
template <>
inline constexpr std::array words<Combination>{"minimum", "maximum", "average", "geometric-mean", "product"};
template <>
inline constexpr std::array words<PlusIntervals>{"direction-change", "second-order"};
template <>
inline constexpr std::array words<ResetOrder>{"deepest", "first", "last", "in-turn"};
template <>
inline constexpr std::array words<PlasticKind>{"cone", "span"};
template <>
inline constexpr std::array words<EnergyReading>{"speeds", "energies"};
template <>
inline constexpr std::array words<SurfaceFormula::Operation>{
    "number", "x",   "y",   "z",    "add",  "subtract", "multiply", "divide", "power", "negate",
    "sin",    "cos", "tan", "asin", "acos", "atan",     "sqrt",     "exp",    "log",   "abs"};

inline std::string word(JointType type) { return joint_name(type); }
inline std::string word(ConstraintKind kind) { return constraint_name(kind); }
inline std::string word(SpringSide side) { return spring_side_name(side); }
inline std::string word(SensorKind kind) { return sensor_kind_name(kind); }
inline std::string word(LayerKind kind) { return layer_kind_names().at(static_cast<std::size_t>(kind)); }
inline std::string word(DynamicsKind kind) { return dynamics_name(kind); }
inline std::string word(ContactForm form) { return form_name(form); }
inline std::string word(FrictionCone cone) { return cone_name(cone); }
inline std::string word(GyroscopicTerms terms) { return gyroscopic_name(terms); }
inline std::string word(SmoothParts smooth) { return smooth_name(smooth); }
inline std::string word(SlipKinematics slip) { return slip_name(slip); }
inline std::string word(DeflectionMeasure measure) { return deflection_name(measure); }
inline std::string word(Rebound rebound) { return rebound_name(rebound); }
inline std::string word(OverlapRemedy remedy) { return overlap_name(remedy); }
template <class E>
requires(!std::is_same_v<decltype(words<E>), const std::nullptr_t>) std::string word(E value) {
  static_assert(words<E>.size() == enumerator_count<E>());
  return words<E>.at(static_cast<std::size_t>(value));
}

}  // namespace carom::stored
