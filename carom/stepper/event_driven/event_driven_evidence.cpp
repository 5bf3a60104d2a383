// Evidence for the judge of a step of the integration.

#include <algorithm>

#include "carom/dynamics/recursions.h"
#include "carom/stepper/event_driven/event_driven_stepper.h"
#include "carom/stepper/integration_evidence.h"
#include "carom/stepper/report_parts.h"

namespace carom {

/// Contacts that are closed where a phase begins and open in it, at q_.
void EventDrivenStepper::find_opened(const Model& model) {
  opened_.clear();
  forward_kinematics(model, q_, workspace_);
  for (const Contact& closed : closed_) {
    if (std::find(persisting_.begin(), persisting_.end(), closed.id) != persisting_.end()) continue;
    Contact contact;
    if (finder_.evaluate(model, closed.id, q_, workspace_.X_WB, contact)) opened_.push_back(contact);
  }
}

/// Tells the judge of the start of a step of the integration, where motion_ was evaluated last.
void EventDrivenStepper::tell_start() {
  evidence_.q_start = evidence_.q_at = q_;
  evidence_.v_start = v_;
  motion_.tell(evidence_);
  for (const Contact& contact : opened_) {
    Block block;
    block.kind = contact.kind();
    block.row = static_cast<int>(evidence_.rows.size());
    block.friction = contact.surface.static_friction;
    evidence_.blocks.push_back(block);
    evidence_.modes.push_back({.id = contact.id, .R_WC = contact.R_WC});
    append_rows(contact, evidence_.rows);
    evidence_.impulse.resize(evidence_.rows.size(), 0.0);
  }
  opened_.clear();
}

/// Judges the step of length h that was taken last, from q_stage_ and v_stage_ at its end, and the projection to q_ and
/// v_ after it.
void EventDrivenStepper::judge(const Model& model, double h) {
  if (!(h > 0)) return;  // an event at the very start: nothing has moved
  evidence_.controlled = controlled_;
  close_evidence(model, h, {q_stage_, v_stage_}, q_, v_, evidence_);
  add_verdict(judge_.judge(model, evidence_), report_);
  if (told_ != nullptr) told_->push_back(evidence_);
}

}  // namespace carom
