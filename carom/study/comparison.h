#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "carom/study/refined_run.h"

namespace carom {

/// Place where two runs of a comparison part: their distance exceeds the tolerance and the estimated errors of both.
struct Parting {
  std::size_t first = 0, second = 0;                      ///< runs
  double time = std::numeric_limits<double>::infinity();  ///< of the first sample at which they have parted, s
  double largest = 0;                                     ///< largest distance over the whole run, m
  // Cause of it. The interval `from`, `to` is the one between two samples in which the velocities of both came apart
  // most for good. It is not after `time`, and has one sample more on either side. The pair of bodies is the one whose
  // impulses on one another differ most in it. Contacts go first, then joint limits if contacts do not differ.
  double from = 0, to = 0;  ///< s
  bool has_cause = false;   ///< false: no contact gave different impulses there
  BodyPair pair{-1, -1};
  bool strikes = false;                          ///< they touch or strike then in one of the runs
  double first_impulse = 0, second_impulse = 0;  ///< normal, from the start of the run to the end of the
                                                 ///< interval less that at its beginning, N s (of a limit N m s)

  bool parted() const { return time < std::numeric_limits<double>::infinity(); }
};

/// Options of a comparison.
struct ComparisonOptions {
  std::vector<MethodChoice> methods;                         ///< empty for sensible_methods
  double tolerance = 0;                                      ///< m; 0 for a two hundredth of the extent of the motion
  double budget = 10;                                        ///< seconds of wall clock for each method
  std::string records;                                       ///< folder for a record of each run; empty for none
  std::function<void(const std::string&, double)> progress;  ///< what is being done, and the share that is done
  std::function<bool()> stop;                                ///< polled; if true, the study throws Stopped
};

/// One scene under several methods.
struct Comparison {
  Scene scene;                  ///< as its file says
  double tolerance = 0;         ///< m
  double extent = 0;            ///< of the motion: largest distance of a body from its start, m
  bool exact_in_place = false;  ///< time steppers have the exact cone by an override, and the scene says polyhedral
  std::vector<RefinedRun> runs;
  std::vector<LeftOut> left_out;
  std::size_t reference = 0;  ///< the run that others are drawn against: the first event-driven one that settled, else
                              ///< another with error control, else the first that settled, else the longest
  std::vector<RunDifference> from_reference;     ///< of every run
  std::vector<Parting> partings;                 ///< of every pair first < second, in the order (0, 1), (0, 2), …
  std::vector<std::vector<std::size_t>> groups;  ///< of judged runs of which every two agree to the end (find_groups)

  /// True if groups are made of the run: it has settled, or none has and it got to the end with a known error.
  bool is_judged(std::size_t run) const;

  const Parting& parting(std::size_t first, std::size_t second) const;
};

/// Runs the scene by every method and sets the runs side by side. Methods that fail are left out with the reason.
/// Throws SceneError for a scene with faults, and Error if no method is left.
Comparison compare(const SceneSource& source, const ComparisonOptions& options);

/// Finds where two runs part. Their errors as RefinedRun estimates them.
Parting find_parting(const Model& model, const std::vector<RefinedRun>& runs, std::size_t first, std::size_t second,
                     double tolerance);

/// Two sets of runs that agree until they part.
struct Split {
  Parting parting;                         ///< of the two runs, one of each set, that part first
  std::vector<std::size_t> first, second;  ///< the sets; each may be split again later
};

/// Sets of judged runs in which every two agree to the end. The closest are joined first (complete linkage), so a run
/// that agrees with two differing groups goes with the nearer one.
std::vector<std::vector<std::size_t>> find_groups(const Comparison& comparison);

/// Splits by which the groups come about, by time, going on with the joining: one fewer than there are groups. O(n⁴).
std::vector<Split> splits(const Comparison& comparison);

}  // namespace carom
