// The evidence of a part of a step.

#include "carom/stepper/quasi_rigid/quasi_rigid_stepper.h"
#include "carom/stepper/report_parts.h"

namespace carom {

void QuasiRigidStepper::begin_evidence(const Model& model, const State& state, double h) {
  evidence_ = {};
  evidence_.equation.implicit_turn = method_.gyroscopic == GyroscopicTerms::implicit;
  evidence_.equation.slip_of_layers = method_.quasi_rigid.slip == SlipKinematics::of_layers;
  evidence_.length = h;
  evidence_.end = at_.end;
  evidence_.q_start = state.q;
  evidence_.v_start = state.v;
  evidence_.q_at = at_.q;
  evidence_.controlled = controlled_;
  evidence_.turn = free_motion_.turn();
  evidence_.position_correction = evidence_.velocity_correction = VectorX::Zero(model.velocity_count());
}

void QuasiRigidStepper::tell(const ConstraintRow& row, double impulse, double taken_back) {
  evidence_.rows.push_back(row);
  evidence_.impulse.push_back(impulse);
  evidence_.taken_back.push_back(taken_back);
}

/// Rows that act where the step is linearised.
void QuasiRigidStepper::tell_rows() {
  using Kind = EndCondition::Kind;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const StepRow& row = rows_[i];
    EndCondition condition;
    if (row.kind == StepRow::Kind::constraint) condition.kind = Kind::constraint;
    if (row.kind == StepRow::Kind::stop) condition.kind = Kind::stop;
    condition.number = row.number;
    condition.id = row.stop.id;
    Block block = row.block;
    block.row = static_cast<int>(evidence_.rows.size());
    evidence_.blocks.push_back(block);
    evidence_.end_conditions.push_back(condition);
    tell(row.pushes, z_[problem_.row_index(i)], 0);
  }
  evidence_.first_at_end = evidence_.rows.size();
}

void QuasiRigidStepper::tell_elements() {
  const CarriedMotion& motion = problem_.motion();
  for (const ContactElement& element : elements_) {
    const auto z = z_.segment(element.law_index(), element.law.size());
    const ElementGeometry geometry = element_geometry(element, motion, z_);
    const ElementFrame frame(geometry.normal, friction_axis_of(element, motion));
    EndCondition condition;
    condition.kind = EndCondition::Kind::shapes;
    condition.id = element.id;
    if (!element.is_smooth) {
      condition.kind = EndCondition::Kind::point;
      const CornerOnPlane& c = element.corner;
      condition.point = {c.corner_on_a, c.corner, c.axis, c.rim, c.ball, c.normal, c.point};
    }
    if (element.level != ClosestPointSystem::Level::none) {
      condition.kind = EndCondition::Kind::level;
      condition.level = geometry.gap;
    }
    condition.core_alone = element.id.feature >= ElementFinder::deepest_point;
    condition.share = elements_of_.patches().share(element.id);
    condition.slack = element.law.slack_by_side();
    condition.start = element.start.of;
    condition.end = element.law.end(problem_.input(element, z_), z).of;
    Block block;
    block.kind = element.law.friction()[2] > 0 ? BlockKind::ellipsoid : BlockKind::cone;
    block.row = static_cast<int>(evidence_.rows.size());
    block.friction = element.law.friction().head<2>();
    block.torsion = element.law.friction()[2];
    evidence_.blocks.push_back(block);
    evidence_.end_conditions.push_back(condition);
    const Eigen::Vector4d p = element.law.impulse(z);
    ConstraintRow row;
    row.body_a = element.body_a;
    row.body_b = element.body_b;
    row.point_a = row.point_b = impulse_point(element, geometry);
    const Vec3 axes[] = {frame.t, frame.o, frame.n};
    for (int axis = 0; axis < 3; ++axis) {
      row.direction = axes[axis];
      tell(row, element.kept * p[axis], (1 - element.kept) * p[axis]);
    }
    if (block.kind != BlockKind::ellipsoid) continue;
    row.direction.setZero();
    row.moment = frame.n;
    tell(row, element.kept * p[3], (1 - element.kept) * p[3]);
  }
}

/// Takes the judge's numbers of a part into the step's report, of several parts the worst.
void QuasiRigidStepper::judge(const Model& model, const VectorX& q_end, const VectorX& v_end) {
  evidence_.q_end = q_end;
  evidence_.v_end = v_end;
  add_verdict(judge_.judge(model, evidence_), report_);
  if (told_ != nullptr) told_->push_back(evidence_);
}

}  // namespace carom
