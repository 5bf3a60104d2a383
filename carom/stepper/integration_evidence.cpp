#include "carom/stepper/integration_evidence.h"

#include "carom/dynamics/joint_kinematics.h"

namespace carom {

void close_evidence(const Model& model, double h, const IntegratedEnd& led, const VectorX& q, const VectorX& v,
                    StepEvidence& evidence) {
  const auto over_step = [&](std::vector<double>& forces) {
    for (double& force : forces) force *= h;
  };
  over_step(evidence.impulse);
  for (StageEvidence& stage : evidence.later_stages) over_step(stage.impulse);
  for (Block& block : evidence.blocks) {
    block.lower *= h;
    block.upper *= h;
  }
  evidence.length = h;
  evidence.q_end = q;
  evidence.v_end = v;
  difference(model, led.q, q, evidence.position_correction);
  transport_velocity(model, led.q, q, led.v, evidence.velocity_correction);
  evidence.velocity_correction = v - evidence.velocity_correction;
}

}  // namespace carom
