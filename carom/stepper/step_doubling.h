#pragma once

#include <memory>
#include <vector>

#include "carom/dynamics/body_motion.h"
#include "carom/stepper/stepper.h"

namespace carom {

/// Another stepper with control of its error (Method::accuracy): each of its steps is taken in parts as short as the
/// motion asks for.
///
/// A part of length h is tried whole and in two halves. The halves are kept, with their impulses, certificates and
/// energies. Let d be the distance of the two ends, the largest of all bodies (body_motion.h), and ε the accuracy. Let
/// V be the speed of the fastest body in the step, and L the step's length. The part is short enough if d is within its
/// bound,
///
///     Smooth motion:       d ≤ ε V h;
///     Motion with a kink:  d ≤ half of what is left of ε V L.
///
/// So the errors of a step add up to twice the part ε of the way that bodies go in it. For a method of order p the
/// halves leave an error of d / (2^p − 1), and d has this factor in the bound of smooth motion. The two rules differ
/// because an event is found too late by a part of h. Its error is like h, not like h², and the bound of smooth motion
/// would never hold. A part has a kink if the reports have events, or if the error over its bound does not fall as the
/// part gets shorter. A slip about to end is such a kink, as friction turns it round in every part. Velocities are not
/// compared: at a step's end they are off by as much as contacts turn in it, which the next step sets right. V is at
/// least the speed of a fall through a hundredth of the largest body. Else a turning point of bodies that barely move
/// would ask for endless parts.
///
/// Parts are binary fractions of the step, on its own grid: a part begins at a multiple of its length. Below two fifths
/// of the bound (p = 1; a fifth for p = 2) the next one is twice as long. Every step begins with the whole of it, so
/// that a step depends on nothing but the state. A part is cut no more than 14 times: there, round-off of the contact
/// solver is still less than what a part moves. Steppers may cut steps themselves, if a motion is too fast or a step is
/// not solved. Then the whole is the two halves, and says nothing of the error. If something moves and no bit differs,
/// the part is halved, four times at most. The rest of its error then stays; a second run shows it
/// (carom/study/accuracy_check.h).
///
/// Cost: three steps of the other stepper a part, two where half a part is the next trial.
class StepDoubling : public Stepper {
 public:
  /// `order` is that of the other stepper between events, 1 or 2.
  StepDoubling(const Model& model, std::unique_ptr<Stepper> stepper, double accuracy, int order);

  StepReport& advance(const Model& model, State& state, double length, const StepRequest& request) override;

 private:
  /// One end of a part that was tried.
  struct Trial {
    State end;
    StepReport report;
    std::vector<StepEvidence> evidence;
    std::vector<BodyMotion> motions;
  };

  /// Errors of a part over what they may be.
  struct Excess {
    double distance = 0;    ///< the error of its end, m
    double smooth = 0;      ///< as a part without events
    double of_event = 0;    ///< as one with events
    std::int64_t span = 0;  ///< of the part, in the smallest parts of the step; 0: none
    bool falls_from(const Excess& longer, std::int64_t now) const;
  };

  void take(const Model& model, const State& from, double length, const StepRequest& request, Trial& trial);
  bool agrees_by_itself(const Model& model, double way) const;
  double fastest(const Model& model, const std::vector<BodyMotion>& motions) const;
  Excess excess(const Model& model, double length, double rate, double allowance) const;
  bool is_eventful() const;
  void keep(const Trial& trial, const StepRequest& request);

  std::unique_ptr<Stepper> stepper_;
  double accuracy_;
  int order_;
  double least_speed_;  // m/s
  DynamicsWorkspace workspace_;
  Trial whole_, first_, second_;   // of the part that is tried
  std::vector<BodyMotion> start_;  // of it
  StepReport report_;
};

}  // namespace carom
