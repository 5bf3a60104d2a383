#pragma once

#include <array>
#include <string_view>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/worse_of.h"

namespace carom {

/// The numbers that a step is judged by, beside those of its contact problem (SolveCertificate); of several steps the
/// worst of each. A step's report, a recorded frame and a run's certificate all hold them.
struct Judged {
  double momentum_residual = 0;   ///< the step's equation of motion, kinetic metric, relative
  double kinematic_residual = 0;  ///< q⁺ against q, v and the step's length, relative to the bodies' sizes
  double tolerance = 0;           ///< to which the steps' problems were to be solved, relative; 0: by elimination
  double inconsistency = 0;       ///< velocity by which redundant equations contradict the others, m/s or rad/s
  double penetration = 0;         ///< largest overlap, m (0 if none)
  double constraint_drift = 0;    ///< largest violation of a joint limit or constraint, rad or m
};

/// The first bounds the residuals of a sound solve, unless it was to be solved more coarsely. The second says how many
/// times the tolerance a residual may be, since the tolerance is that of a solver's own measure.
inline constexpr double sound_residual = 1e-8, above_tolerance = 10;

/// One such number: all that accumulator, record, JSON, summary and pages know of it. A new number is a line of
/// judged_numbers, and its place in Judged or SolveCertificate.
struct JudgedNumber {
  /// The verdict counts in every run, or only with an exact friction cone (else the number is told). A told number is
  /// shown without a verdict. A recorded one is not even shown.
  enum class Verdict { judged, judged_if_exact, told, recorded };

  const char* name;     ///< in JSON, the record and verdicts
  const char* label;    ///< in a chart's legend
  const char* unit;     ///< "1": relative
  const char* meaning;  ///< a sentence
  Verdict verdict;
  double threshold;  ///< a sound run stays below it; in its unit; unused for told numbers
  double& (*of)(Judged&, SolveCertificate&);

  /// Limit of the number in a run that was to be solved to a tolerance.
  double threshold_at(double tolerance) const {
    return std::string_view(unit) == "1" && above_tolerance * tolerance > threshold ? above_tolerance * tolerance
                                                                                    : threshold;
  }

  double value(const Judged& judged, const SolveCertificate& contact) const {
    Judged own = judged;
    SolveCertificate own_contact = contact;
    return of(own, own_contact);
  }
};

inline constexpr std::array<JudgedNumber, 14> judged_numbers{{
    {"momentum_residual", "momentum", "1", "change of momentum against all impulses", JudgedNumber::Verdict::judged,
     sound_residual, [](Judged& j, SolveCertificate&) -> double& { return j.momentum_residual; }},
    {"kinematic_residual", "kinematics", "1", "positions against velocities and the step's length",
     JudgedNumber::Verdict::judged, sound_residual,
     [](Judged& j, SolveCertificate&) -> double& { return j.kinematic_residual; }},
    {"normal_complementarity", "complementarity", "1", "contacts push, never pull, and only where they touch",
     JudgedNumber::Verdict::judged, sound_residual,
     [](Judged&, SolveCertificate& c) -> double& { return c.normal_complementarity; }},
    {"cone_violation", "cone", "1", "friction beyond its limit", JudgedNumber::Verdict::judged, sound_residual,
     [](Judged&, SolveCertificate& c) -> double& { return c.cone_violation; }},
    {"dissipation_residual", "dissipation", "1",
     "friction that does not oppose slip, beyond what a polyhedral cone explains", JudgedNumber::Verdict::judged,
     sound_residual, [](Judged&, SolveCertificate& c) -> double& { return c.dissipation_residual; }},
    {"bilateral_residual", "constraints", "1", "velocity left in equations: loops, prescribed motions, free servos",
     JudgedNumber::Verdict::judged, sound_residual,
     [](Judged&, SolveCertificate& c) -> double& { return c.bilateral_residual; }},
    {"bounded_residual", "bounded rows", "1", "dry friction in joints and servos with limits against their condition",
     JudgedNumber::Verdict::judged, sound_residual,
     [](Judged&, SolveCertificate& c) -> double& { return c.bounded_residual; }},
    {"inconsistency", "inconsistency", "m/s, rad/s", "velocity by which redundant constraints contradict the others",
     JudgedNumber::Verdict::judged, sound_residual,
     [](Judged& j, SolveCertificate&) -> double& { return j.inconsistency; }},
    {"tolerance", "tolerance", "1", "residual that the contact solver was to reach, 0: round-off",
     JudgedNumber::Verdict::told, 0, [](Judged& j, SolveCertificate&) -> double& { return j.tolerance; }},
    {"polyhedral_error", "polyhedral error", "1",
     "friction's deviation from opposing slip that the polyhedral cone explains", JudgedNumber::Verdict::told, 0,
     [](Judged&, SolveCertificate& c) -> double& { return c.polyhedral_error; }},
    {"natural_map", "natural map", "1", "distance from Coulomb friction with the exact cone",
     JudgedNumber::Verdict::judged_if_exact, sound_residual,
     [](Judged&, SolveCertificate& c) -> double& { return c.natural_map; }},
    {"penetration", "penetration", "m", "largest overlap", JudgedNumber::Verdict::told, 0,
     [](Judged& j, SolveCertificate&) -> double& { return j.penetration; }},
    {"constraint_drift", "drift", "m, rad", "largest violation of a joint limit, constraint or rope",
     JudgedNumber::Verdict::told, 0, [](Judged& j, SolveCertificate&) -> double& { return j.constraint_drift; }},
    {"worst_work", "work", "J", "largest work that one contact gave", JudgedNumber::Verdict::recorded, 0,
     [](Judged&, SolveCertificate& c) -> double& { return c.worst_work; }},
}};
inline constexpr int judged_count = static_cast<int>(judged_numbers.size());

/// Takes the numbers of one more step into those of several: the worst of each.
inline void keep_worst(const Judged& step, const SolveCertificate& contact, Judged& whole,
                       SolveCertificate& whole_contact) {
  for (const JudgedNumber& number : judged_numbers) {
    double& worst = number.of(whole, whole_contact);
    worst = worse_of(worst, number.value(step, contact));
  }
}

}  // namespace carom
