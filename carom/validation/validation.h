#pragma once

#include <functional>
#include <string>
#include <vector>

#include "carom/record/plots_page.h"

namespace carom {

/// Origin of the number that an entry holds Carom's against.
enum class Origin {
  closed_form,  ///< a formula, a law of mechanics, the order of a method
  printed,      ///< the source: a number, a word, a curve of it
  integrator,   ///< equations of motion, integrated by code of the validation's own
  carom,        ///< Carom by another way: a finer step, another method or law
  program,      ///< another program, run beside
};
/// "closed form", "printed", …
std::string origin_name(Origin origin);

/// One number of a paper or of a data set beside ours.
struct ValidationEntry {
  std::string source;      ///< "stewart2000", …
  std::string figure;      ///< figure, table or section of the source
  std::string quantity;    ///< what it is, with its unit
  double reference = 0;    ///< what `origin` says
  double value = 0;        ///< ours
  double deviation = 0;    ///< as `measure` says
  double tolerance = 0;    ///< of the deviation
  bool pass = false;       ///< |deviation| ≤ tolerance, or deviation ≤ tolerance of an error
  bool bound = false;      ///< the reference is an upper bound, not a number to meet
  bool explained = false;  ///< the source contradicts itself or leaves a datum out: `note` says how. The entry counts
                           ///< apart, as long as it passes
  Origin origin = Origin::closed_form;
  std::string note;
};

/// Deviation relative to the reference.
ValidationEntry relative_entry(std::string source, std::string figure, std::string quantity, double reference,
                               double value, double tolerance, std::string note = {});
/// Deviation as the difference.
ValidationEntry absolute_entry(std::string source, std::string figure, std::string quantity, double reference,
                               double value, double tolerance, std::string note = {});
/// The difference again, of an error that may be less than the reference but not more by over the tolerance.
ValidationEntry error_entry(std::string source, std::string figure, std::string quantity, double reference,
                            double value, double tolerance, std::string note = {});
/// The entry with another origin than a closed form.
ValidationEntry from(Origin origin, ValidationEntry entry);
/// The entry as one that the source's own fault moves off its number, and why: by at most `most`, else it fails.
ValidationEntry explained(ValidationEntry entry, double most, std::string note);

/// pass, explained, or FAIL.
std::string verdict_of(const ValidationEntry& entry);

/// Options of a validation, beside its name.
struct ValidationOptions {
  std::string scenes;  ///< folder of the scene files
  std::string data;    ///< file or folder of measurements, for those that need them; empty for none
  std::string output;  ///< folder for plots
  std::function<void(const std::string&)> progress;  ///< called with what is being done; may be empty
  std::string fits;  ///< planar_impacts, square_drops, cassie_jumps: file of laws and fitted values; empty for that of
                     ///< the scenes
  // Options of cube_tosses; tosses, laws, fit and evaluations are those of square_drops too, the last three of
  // planar_impacts and cassie_jumps.
  bool fit = false;                      ///< fits parameters to the data first, and writes them to the scenes
  int evaluations = 150;                 ///< budget of one fit
  int tosses = 0;                        ///< how many to judge, evenly spaced; 0 for all
  std::vector<std::string> laws;         ///< names of those to run; empty for all
  std::vector<std::string> predictions;  ///< files of other simulators' predictions, judged beside
};

/// The outcome of one validation.
struct Validation {
  std::string name;
  std::vector<ValidationEntry> entries;
  std::string text;                  ///< further results for a reader, lines of plain text
  std::vector<std::string> files;    ///< pages written
  std::vector<PlotSection> figures;  ///< of the source, drawn again
  double seconds = 0;
};

struct ValidationCounts {
  int passed = 0, failed = 0, explained = 0;
};
ValidationCounts count_of(const std::vector<Validation>& validations);

/// A validation that `carom validate NAME` runs.
struct ValidationCase {
  std::string name;
  std::string what;  ///< a line for the help
  bool needs_data = false;
  std::vector<std::string> takes;  ///< options of the command line beside those that all take and --data
  std::function<Validation(const ValidationOptions&)> run;
};

/// All there are, in the order in which they are run.
const std::vector<ValidationCase>& validation_cases();

/// Writes all entries as one table, with a line for each source and its figures, into a self-contained page. Throws
/// Error if the file can't be written.
void write_validation_page(const std::vector<Validation>& validations, const std::string& path);

/// An entry's reference, deviation and tolerance as tables show them, with so many digits: of a bound "≤ 3", and no
/// more.
struct ValidationTexts {
  std::string reference, deviation, tolerance;
};
ValidationTexts texts_of(const ValidationEntry& entry, int digits);

/// A table of entries for a terminal, and a closing line with the counts.
std::string validation_table(const std::vector<Validation>& validations);
/// The JSON object of `carom validate --json`: entries, passed, failed, explained.
std::string validation_json(const std::vector<Validation>& validations);

}  // namespace carom
