#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace carom {

class Hdf5File;

// A run's motion is known more or less well, and three words keep the cases apart. *Solved*: the certificate says that
// the equations were, which says nothing of the step. *Accurate to* so many metres: claimed only if the whole motion
// was computed again in another accuracy. *Not checked*: all else, with the reason.
//
// Lengths are distances of two motions of a body (carom/study/run_difference.h), the largest of all bodies.
struct Accuracy {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  /// A part of the motion's extent; a motion with a larger error is known too badly. True errors may be three times as
  /// large as the estimate; so none above a tenth of the extent is called good.
  static constexpr double tolerable_part = 0.03;

  bool known = false;              ///< the whole motion was judged: accurate to `largest`
  std::string reason;              ///< where not: why not, as it goes on after "not checked"
  std::string way;                 ///< how it was judged, as it goes on after "judged by"; empty where nothing was
  double largest = none;           ///< estimate of the largest error in the run, m
  double at_end = none;            ///< of the error at its end, m
  double extent = none;            ///< largest distance of a body from where it started, m
  double enough = none;            ///< error up to which the motion counts as known, m
  std::string worst;               ///< name of the body whose error is the largest
  double worst_time = none;        ///< s, of the largest error
  double known_until = none;       ///< s: up to then the error is at most `enough`
  bool chaotic = false;            ///< starts that differ by 1e-9 differ by more than `enough` before the end
  double part_until = none;        ///< s: when they do
  std::int64_t steps_checked = 0;  ///< of the run, that were taken again
  double windows_error = none;     ///< where only windows were judged: their error, of the way that bodies went in them
};

/// True if nothing that was looked at is worse than it may be. It is no praise of a motion that was not checked.
bool tolerable(const Accuracy& accuracy);

/// "accurate to ± 1.1 m" or "not checked".
std::string accuracy_words(const Accuracy& accuracy);
/// The comparison, the worst body and the time up to which the motion is known: a sentence without its final period.
std::string accuracy_details(const Accuracy& accuracy);

/// The `accuracy` of a run (docs/manual/json.md); `solved`: whether all its equations were.
nlohmann::ordered_json accuracy_object(const Accuracy& accuracy, bool solved);

/// Group /accuracy of a record. One that is older than the group was not checked.
void write_accuracy(Hdf5File& file, const Accuracy& accuracy);
Accuracy read_accuracy(const Hdf5File& file);

}  // namespace carom
