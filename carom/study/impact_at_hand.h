#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/contact/contact.h"
#include "carom/model/state.h"
#include "carom/study/method_choice.h"

namespace carom {

/// Which impact of a scene is meant.
struct ImpactMoment {
  enum class Kind {
    next,      ///< that of the start, or if nothing approaches there the first impact of the motion from it
    at_start,  ///< that of the start and no other
  };
  Kind kind = Kind::next;
  double after = 0;  ///< of next: the motion, with its impacts, is followed to this time first, s; 0: the start
  double until = 0;  ///< where the search ends, s
  double patience = std::numeric_limits<double>::infinity();  ///< computing time after which it is given up, s
  std::function<bool()> stop = {};  ///< polled, within steps too; if true, the search throws Stopped
};

/// The scene as stepper event-driven moves it to an impact: under its own law where that is one of impacts, else plus.
/// Throws Error (of a text SceneError) if that makes no sense there.
Scene moving_scene(const SceneSource& source);

/// From "first", "start" or a time in seconds. Throws Error that says so. `until`: of the search.
ImpactMoment parse_impact_moment(const std::string& text, double until);

/// The contacts of a mechanism in the instant before an impact.
struct ImpactAtHand {
  std::shared_ptr<const Model> model;
  Method method;                  ///< the scene's, with the stepper and the law that moved it
  double time = 0;                ///< s
  bool at_start = true;           ///< of the scene; else the motion was followed to here
  std::int64_t impacts = 0;       ///< that it met on the way
  VectorX q, v;                   ///< v before the impact
  std::vector<Contact> contacts;  ///< closed: gap up to Method::proximity; sorted by id
  std::vector<char> strikes;      ///< one per contact: it approaches
};

/// Tells what was looked for and not found.
struct NoImpact {
  std::string sentence;
};

/// The impact of a scene, posed as the event-driven stepper would meet it. Contacts no further apart than
/// Method::proximity take part. Those of them that approach by more than 1e-9 of the largest speed set it off.
///
/// If nothing approaches at the start, stepper event-driven moves the mechanism until it reports an impact. Gravity,
/// drives, servos and persistent contacts act meanwhile. A second run of the step that contains the impact ends 1e-12 s
/// before it. Impacts before `after` are resolved by the scene's law. Impacts in which nothing approaches (jams) are
/// passed over.
///
/// `scene` has stepper event_driven. Throws Error as Simulation does. Cost: of the motion; `patience` is looked
/// at between steps.
struct ImpactSearch {
  std::optional<ImpactAtHand> found;
  NoImpact none;  ///< if nothing was found
};
ImpactSearch find_impact(const Scene& scene, const ImpactMoment& moment);

}  // namespace carom
