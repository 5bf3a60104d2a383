#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>
#include <vector>

#include "carom/combination.h"
#include "carom/complementarity/contact_problem.h"
#include "carom/error.h"
#include "carom/model/constraint.h"
#include "carom/model/drive.h"
#include "carom/model/joint.h"
#include "carom/model/layer.h"
#include "carom/model/sensor.h"
#include "carom/scene/diagnostics.h"
#include "carom/stepper/method.h"
#include "carom/stepper/step_report.h"

// Choices are words in Python, those of the scene files. Include it in every source whose functions take or give one.
namespace carom::python {

/// Values of a choice with their words; specialised below for each.
template <class Choice>
struct Words;

template <class Choice>
using WordList = std::vector<std::pair<std::string, Choice>>;

/// All values between the first and the last of an enumeration, by the function that names them.
template <class Choice, class Name>
WordList<Choice> named(Choice last, Name name) {
  WordList<Choice> words;
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    words.emplace_back(name(static_cast<Choice>(i)), static_cast<Choice>(i));
  }
  return words;
}

template <>
struct Words<JointType> {
  static WordList<JointType> all() {
    return named(JointType::free, [](JointType type) { return joint_name(type); });
  }
};
template <>
struct Words<Ratchet> {
  static WordList<Ratchet> all() {
    return {{"none", Ratchet::none}, {"forward", Ratchet::forward}, {"backward", Ratchet::backward}};
  }
};
template <>
struct Words<ConstraintKind> {
  static WordList<ConstraintKind> all() { return named(ConstraintKind::spring, constraint_name); }
};
template <>
struct Words<SpringSide> {
  static WordList<SpringSide> all() { return named(SpringSide::push, spring_side_name); }
};
template <>
struct Words<DriveKind> {
  static WordList<DriveKind> all() { return {{"force", DriveKind::force}, {"servo", DriveKind::servo}}; }
};
template <>
struct Words<SensorKind> {
  static WordList<SensorKind> all() { return named(SensorKind::contact, sensor_kind_name); }
};
template <>
struct Words<Combination> {
  static WordList<Combination> all() {
    return {{"minimum", Combination::minimum},
            {"maximum", Combination::maximum},
            {"average", Combination::average},
            {"geometric-mean", Combination::geometric_mean},
            {"product", Combination::product}};
  }
};
template <>
struct Words<LayerKind> {
  static WordList<LayerKind> all() {
    return named(LayerKind::hunt_crossley,
                 [](LayerKind kind) { return layer_kind_names()[static_cast<std::size_t>(kind)]; });
  }
};
template <>
struct Words<FrictionCone> {
  static WordList<FrictionCone> all() { return named(FrictionCone::exact, cone_name); }
};
template <>
struct Words<DynamicsKind> {
  static WordList<DynamicsKind> all() { return named(DynamicsKind::dense, dynamics_name); }
};
template <>
struct Words<ContactForm> {
  static WordList<ContactForm> all() { return named(ContactForm::contact_bodies, form_name); }
};
template <>
struct Words<GyroscopicTerms> {
  static WordList<GyroscopicTerms> all() { return named(GyroscopicTerms::explicit_form, gyroscopic_name); }
};
template <>
struct Words<SmoothParts> {
  static WordList<SmoothParts> all() { return named(SmoothParts::second_order, smooth_name); }
};
template <>
struct Words<Rebound> {
  static WordList<Rebound> all() { return named(Rebound::next_step, rebound_name); }
};
template <>
struct Words<OverlapRemedy> {
  static WordList<OverlapRemedy> all() { return named(OverlapRemedy::push, overlap_name); }
};
template <>
struct Words<SlipKinematics> {
  static WordList<SlipKinematics> all() { return named(SlipKinematics::of_layers, slip_name); }
};
template <>
struct Words<DeflectionMeasure> {
  static WordList<DeflectionMeasure> all() { return named(DeflectionMeasure::algebraic, deflection_name); }
};
template <>
struct Words<ContactMode> {
  static WordList<ContactMode> all() { return named(ContactMode::closed, mode_name); }
};
template <>
struct Words<EventKind> {
  static WordList<EventKind> all() { return named(EventKind::impact, event_name); }
};
template <>
struct Words<ImpactStatus> {
  static WordList<ImpactStatus> all() { return named(ImpactStatus::inconsistent, impact_status_name); }
};
template <>
struct Words<SolverKind> {
  static WordList<SolverKind> all() { return named(SolverKind::multipliers, solver_name); }
};
template <>
struct Words<BlockKind> {
  static WordList<BlockKind> all() {
    return {{"bilateral", BlockKind::bilateral},
            {"bounded", BlockKind::bounded},
            {"unilateral", BlockKind::unilateral},
            {"cone", BlockKind::cone},
            {"ellipsoid", BlockKind::ellipsoid}};
  }
};
template <>
struct Words<SolveStatus> {
  static WordList<SolveStatus> all() { return named(SolveStatus::infeasible, status_name); }
};

}  // namespace carom::python

namespace pybind11::detail {

/// A choice that has words, as a str.
template <class Choice>
struct type_caster<Choice, std::void_t<decltype(carom::python::Words<Choice>::all())>> {
  PYBIND11_TYPE_CASTER(Choice, const_name("str"));

  /// Throws Error that lists the words for another one.
  bool load(handle source, bool) {
    if (!isinstance<str>(source)) return false;
    const auto word = pybind11::cast<std::string>(reinterpret_borrow<object>(source));
    std::vector<std::string> known;
    for (const auto& [name, choice] : carom::python::Words<Choice>::all()) {
      if (name == word) {
        value = choice;
        return true;
      }
      known.push_back(name);
    }
    throw carom::Error("there is no choice '" + word + "'" + carom::suggestion(word, known, "there are"));
  }

  static handle cast(Choice choice, return_value_policy, handle) {
    static const auto words = carom::python::Words<Choice>::all();
    for (const auto& [name, each] : words) {
      if (each == choice) return str(name).release();
    }
    return none().release();
  }
};

}  // namespace pybind11::detail
