#pragma once

#include <string>
#include <vector>

#include "carom/record/record.h"

namespace carom {

/// The JSON object that `carom run --json` prints (docs/manual/json.md). `report`: path of the page, empty if there is
/// none. The record's path is empty, too, if no file was kept. Numbers that JSON has no word for are the texts "NaN",
/// "Infinity" and "-Infinity".
std::string run_json(const Record& record, const std::string& report);

/// The certificate as it stands in that object: every quantity a number, or null beside a reason in `reasons`.
std::string certificate_json(const Record& record);

/// The same for a person at a terminal.
std::string run_text(const Record& record, const std::string& report);

/// The friction cone of a method: "8 generators" or "exact cone".
std::string cone_text(const Method& method);

/// One line of a certificate in plain words.
struct Verdict {
  std::string name;     ///< as in the JSON
  std::string meaning;  ///< one sentence
  std::string value;    ///< with its unit
  bool good = true;     ///< false: look here
  bool judged = true;   ///< false: told, and only not being a number is bad
};
/// The sum of the lines in a sentence or two. Solved equations are not an accurate motion: it says how well that is
/// known, in the words of accuracy.h.
std::string conclusion(const Record& record, const std::vector<Verdict>& lines);

/// All lines, those that need a look included, in the order in which a reader should see them. The first says how well
/// the motion is known. It is good if the motion is known to be tolerable (accuracy.h), and only told if it was not
/// checked.
///
/// The other lines are good under these conditions:
///
/// * A judged number (judged.h) is at most its threshold. If it is dimensionless, ten times the tolerance of the run's
///   problems counts, too, if that is larger. With the polyhedral cone natural_map is only told.
/// * Both impact_energy_gain and contact_work_gain (relative to largest_energy) are at most 1e-8. A gain is also let
/// pass
///   if it is no more than rounding can make in a step: what rests has no other energy. With rebound next-step,
///   contact_work of the whole run is judged in place of contact_work_gain.
/// * The number impact_approach is at most 1e-6, below which impact laws count no approach.
/// * The law resolved all impacts.
/// * Errors of time stepping itself (push_out, projection, free_motion_error) are at most 1 % of largest_energy, or no
/// more
///   than rounding can make in so many steps. If the
///   whole motion was checked and found tolerable, free_motion_error is only told.
///
/// The polyhedral cone's own error, and with it the natural map, are properties of the method: told but not judged.
/// Penetration is told but not judged, as a tolerable depth depends on the mechanism. A quantity that the method does
/// not define has no line.
std::vector<Verdict> verdicts(const Record& record);

}  // namespace carom
