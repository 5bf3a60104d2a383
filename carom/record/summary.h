#pragma once

#include <string>
#include <vector>

#include "carom/record/record.h"

namespace carom {

/// The JSON object that `carom run --json` prints (docs/manual/json.md). `report`: path of the page, empty if there is
/// none; so is the record's path where no file was kept. Numbers that JSON has no word for are the texts "NaN",
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

/// All lines, those to look at included, in the order in which a reader should see them: first how well the motion is
/// known, which is good where it is known to be tolerable (accuracy.h), and told where it was not checked.
///
/// A line of a judged number (judged.h) is good up to the number's threshold, or ten times the tolerance that the
/// run's problems were solved to, of natural_map with the exact cone only;
/// impact_energy_gain, and contact_work_gain (relative to largest_energy; with rebound next-step contact_work of the
/// whole run) at most 1e-8; impact_approach at most 1e-6,
/// below which impact laws count no approach; impacts where the law resolved all of them. The polyhedral cone's own
/// error, and with it the natural map, are properties of the method, told but not judged. What time stepping itself
/// made or lost (push_out, projection, free_motion_error) is good up to 1 % of largest_energy; free_motion_error is
/// told where the whole motion was checked and found tolerable. Penetration is told, and judged by nobody: what is too
/// deep depends on the mechanism. What the method does not define has no line.
std::vector<Verdict> verdicts(const Record& record);

}  // namespace carom
