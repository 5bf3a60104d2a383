// Evidence for the judge of a step of the integration.

#include "carom/stepper/compliant/compliant_stepper.h"
#include "carom/stepper/integration_evidence.h"
#include "carom/stepper/report_parts.h"

namespace carom {

/// Appends the rows of joints that rub and of contacts, with the forces of the last evaluation, N or N m.
void CompliantStepper::append_forces(std::vector<ConstraintRow>& rows, std::vector<double>& forces) const {
  for (const JointFriction& friction : frictions_) {
    rows.emplace_back().coordinate = friction.coordinate;
    forces.push_back(friction_force(friction, v_stage_));
  }
  for (const CompressedContact& compressed : contacts_.list()) {
    append_rows(compressed.contact, rows);
    const Vec3& force = compressed.force;
    if (compressed.contact.row_count() == 3) forces.insert(forces.end(), {force[0], force[1]});
    forces.push_back(force[2]);
  }
}

/// Tells the judge of the stage that was evaluated last.
void CompliantStepper::tell(int stage) {
  if (stage > std::ssize(evidence_.later_stages)) return;  // the end, which the next step begins with
  if (stage > 0) {
    StageEvidence& told = evidence_.later_stages[static_cast<std::size_t>(stage - 1)];
    told.rows.clear();
    told.impulse.clear();
    motion_.tell_forces(told);
    append_forces(told.rows, told.impulse);
    return;
  }
  evidence_.q_start = evidence_.q_at = q_stage_;
  evidence_.v_start = v_stage_;
  motion_.tell(evidence_);
  int row = static_cast<int>(evidence_.rows.size());
  append_forces(evidence_.rows, evidence_.impulse);
  for (const JointFriction& friction : frictions_) {
    Block& block = evidence_.blocks.emplace_back();
    block.kind = BlockKind::bounded;
    block.row = row++;
    block.upper = friction.bound;
    block.lower = -friction.bound;
    evidence_.modes.emplace_back().moves = true;
  }
  for (const CompressedContact& compressed : contacts_.list()) {
    const Contact& contact = compressed.contact;
    Block& block = evidence_.blocks.emplace_back();
    block.kind = contact.kind();
    block.row = row;
    block.friction = contact.surface.static_friction;
    row += contact.row_count();
    evidence_.modes.push_back({.id = contact.id, .R_WC = contact.R_WC});
  }
}

/// Judges the step of length h that was taken last, from q_stage_ and v_stage_ at its end, and the projection to q_ and
/// v_ after it.
void CompliantStepper::judge(const Model& model, double h) {
  if (!(h > 0)) return;
  evidence_.controlled = controlled_;
  close_evidence(model, h, {q_stage_, v_stage_}, q_, v_, evidence_);
  add_verdict(judge_.judge(model, evidence_), report_);
  if (told_ != nullptr) told_->push_back(evidence_);
}

}  // namespace carom
