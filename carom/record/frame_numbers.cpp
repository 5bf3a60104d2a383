#include "carom/record/frame_numbers.h"

#include <algorithm>

#include "carom/dynamics/recursions.h"
#include "carom/record/certificate_fields.h"
#include "carom/record/record_layout.h"

namespace carom {

Frame first_frame(const Model& model, const State& state) {
  Frame frame;
  frame.state = state;
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, state.q, workspace);
  forward_velocity(model, state.q, state.v, workspace);
  frame.energy.kinetic = kinetic_energy(model, workspace);
  frame.energy.potential = potential_energy(model, state.q, workspace);
  return frame;
}

void clear_worst(Frame& frame) {
  frame.status = SolveStatus::solved;
  static_cast<Judged&>(frame) = {};
  frame.contact = SolveCertificate();
  frame.constraints = frame.lcp_size = frame.iterations = 0;
  frame.solver = SolverKind::none;
}

void fold_worst(Frame& frame, const StepReport& report) {
  const auto raise = [](std::int64_t& most, std::int64_t value) { most = std::max(most, value); };
  frame.status = worse_status(frame.status, report.status);
  keep_worst(report, report.contact_certificate, frame, frame.contact);
  raise(frame.constraints, std::int64_t{report.contacts_considered});
  raise(frame.lcp_size, std::int64_t{report.lcp_size});
  if (report.iterations > frame.iterations || frame.solver == SolverKind::none) frame.solver = report.solver;
  raise(frame.iterations, std::int64_t{report.iterations});
}

void push_numbers(const Frame& frame, std::vector<RowBuffer>& buffers) {
  const auto buffer = [&](Table table) -> RowBuffer& { return buffers[static_cast<std::size_t>(table)]; };
  buffer(Table::time).push(frame.state.time);
  buffer(Table::step).push(frame.state.step);
  buffer(Table::q).push(frame.state.q);
  buffer(Table::v).push(frame.state.v);
  buffer(Table::standing).push_or_zeros(frame.state.standing);
  Eigen::Matrix<double, energy_lines.size(), 1> energy;
  for (std::size_t i = 0; i < energy_lines.size(); ++i) energy[static_cast<int>(i)] = frame.energy.*energy_lines[i];
  buffer(Table::energy).push(energy);
  buffer(Table::status).push(static_cast<std::int64_t>(frame.status));
  for (int i = 0; i < judged_count; ++i) buffer(judged_table(i)).push(judged_numbers[i].value(frame, frame.contact));
  buffer(Table::constraints).push(frame.constraints);
  buffer(Table::lcp_size).push(frame.lcp_size);
  buffer(Table::iterations).push(frame.iterations);
  buffer(Table::solver).push(static_cast<std::int64_t>(frame.solver));
}

}  // namespace carom
