#pragma once

#include <functional>

#include "carom/record/accuracy.h"
#include "carom/record/record.h"

// The accuracy of a run's motion is judged from its record alone. Let d(a, b) be the distance of two motions
// (run_difference.h), its largest up to each recorded instant, and h the step.
//
// The whole run is computed again with h / 2, and with h / 4 if that is little work as well. A method's accuracy is
// divided likewise. The changes are c₁ = d(h, h/2) and c₂ = d(h/2, h/4). The estimated error is the sum of c₁ and the
// changes of all further halvings, if these go on to shrink by the same ratio:
//
//     e = c₁ / (1 − r),     r = c₂ / c₁ within [1/4, 9/10];     r = 1/2, a method of first order, without c₂.
//
// A method with error control has no step that counts. Its run is computed again with ten times its tolerance, and the
// distance is an upper estimate.
//
// If the whole is much work, windows along the run are computed again from their recorded starts. Some are at regular
// distances, and in others contacts begin, end or strike. They show a step that is too long, but not the growth of its
// errors. The motion is then called not checked.
//
// All decisions use counts of steps and contacts, never the clock, so the same run is always judged alike.
namespace carom {

struct AccuracyCheck {
  enum class Extent {
    automatic,  ///< the whole if it is at most about a second's work, else windows
    off,
    whole,    ///< whatever the work
    windows,  ///< so many
  };
  Extent extent = Extent::automatic;
  int windows = 0;
  std::function<bool()> stop;  ///< polled whether to leave it (stop_signal.h); empty: never
};

/// Work of the run, in units of about a microsecond of one processor, from counts alone.
double counted_work(const Record& record);

/// Judges a run that came to its end; any other is not checked. Throws nothing that a step throws: the reason says it.
/// Cost: of the whole 2 to 7 times the run, of automatic windows about a fortieth of it.
Accuracy check_accuracy(const Record& record, const AccuracyCheck& how = {});

}  // namespace carom
