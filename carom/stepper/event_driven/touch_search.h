#pragma once

#include <functional>
#include <span>
#include <vector>

#include "carom/contact/contact_finder.h"
#include "carom/dynamics/workspace.h"
#include "carom/stop_signal.h"

namespace carom {

/// A surface, joint limit or rope that closes in a smooth motion.
struct Touch {
  ContactId id;
  double place = 1;  ///< in the motion, 0 to 1: the gap is zero there to round-off of the place
};

/// Finds the first touch of a smooth motion q(x), v(x), x from 0 to 1.
///
/// The motion is sampled finely. Between two samples nothing moves further than a quarter of the size of the smallest
/// shape that moves. For a point, the size is the contact radius of its material. Contacts that the samples' speeds
/// could close are followed by their gap g and its rate. Touches are zeros of g on the way down. The first kind lies
/// between a sample with g > 0 and one with g < 0. The second lies between two samples with g > 0 of which the first
/// approaches and the second separates. This is a double root: g is followed to its minimum. The third follows a start
/// on the surface that separates and comes back between two samples (from its maximum). Roots are bracketed and
/// bisected.
class TouchSearch {
 public:
  explicit TouchSearch(const Model& model);

  /// Asked at every place that is looked at (stop_signal.h).
  void set_stop(const StopSignal& stop) { stop_ = stop; }

  using Motion = std::function<void(double place, VectorX& q, VectorX& v)>;

  /// duration: s, to compare speeds with sizes. touching: gaps up to it count as closed at the start, m or rad.
  /// exempt: contacts that are closed throughout. Nothing found: place 2.
  Touch first(const Model& model, const Motion& motion, double duration, double touching,
              std::span<const ContactId> exempt);

  /// Distance that anything moves in a motion, by its speeds at both ends. It is relative to the smallest shape that
  /// moves or, if more, that of a joint limit's coordinate or rope, in rad or m.
  double relative_way(const Model& model, const Motion& motion, double duration);

 private:
  struct Gap {
    ContactId id;
    double gap = 0, rate = 0;
  };
  struct Sample {
    double place = 0;
    double reach = 0;  // how far anything moves until the next sample
    std::vector<Gap> gaps;
  };

  void take(const Model& model, const Motion& motion, double place, double spacing, double duration,
            std::span<const ContactId> exempt, Sample& sample);
  void go(const Model& model, const Motion& motion, double place);
  Gap at(const Model& model, const Motion& motion, const ContactId& id, double place);
  double fastest(const Model& model) const;
  double touch_of(const Model& model, const Motion& motion, const ContactId& id, const Gap& from, double x_from,
                  const Gap& to, double x_to, double touching);
  double turning_place(const Model& model, const Motion& motion, const ContactId& id, double from, double to, bool low);

  StopSignal stop_;
  ContactFinder finder_;
  DynamicsWorkspace workspace_;
  VectorX q_, v_;
  std::vector<ContactId> stops_;
  std::vector<ContactId> shut_;  // closed at the start of the search
  double size_ = 0;  // bounding radius of the smallest shape that moves, or contact radius if that is a point, m
  Sample before_, after_;
};

}  // namespace carom
