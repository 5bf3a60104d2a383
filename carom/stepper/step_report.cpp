#include "carom/stepper/step_report.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/complementarity/worse_of.h"
#include "carom/stepper/report_parts.h"

namespace carom {

std::string mode_name(ContactMode mode) {
  switch (mode) {
    case ContactMode::separating:
      return "separating";
    case ContactMode::sliding:
      return "sliding";
    case ContactMode::rolling:
      return "rolling";
    case ContactMode::closed:
      return "closed";
  }
  return {};
}

std::string impact_status_name(ImpactStatus status) {
  switch (status) {
    case ImpactStatus::resolved:
      return "resolved";
    case ImpactStatus::budget:
      return "budget";
    case ImpactStatus::inconsistent:
      return "inconsistent";
  }
  return {};
}

std::string role_name(PlusRole role) {
  switch (role) {
    case PlusRole::observing:
      return "observing";
    case PlusRole::compressing:
      return "compressing";
    case PlusRole::expanding:
      return "expanding";
    case PlusRole::holding:
      return "holding";
  }
  return {};
}

std::string motion_name(PlusMotion motion) {
  switch (motion) {
    case PlusMotion::idle:
      return "idle";
    case PlusMotion::pushing:
      return "pushing";
    case PlusMotion::rolling:
      return "rolling";
    case PlusMotion::slipping:
      return "slipping";
    case PlusMotion::sliding:
      return "sliding";
  }
  return {};
}

std::string event_name(EventKind kind) {
  switch (kind) {
    case EventKind::touch:
      return "touch";
    case EventKind::separate:
      return "separate";
    case EventKind::slide:
      return "slide";
    case EventKind::roll:
      return "roll";
    case EventKind::impact:
      return "impact";
    case EventKind::unsolved:
      return "unsolved";
  }
  return {};
}

namespace {

/// Sweeps or Newton steps: neither pivots nor the steps of an integration.
bool iterates(SolverKind solver) {
  return solver != SolverKind::none && solver != SolverKind::lemke && solver != SolverKind::pivoting;
}

}  // namespace

bool is_slow(const StepReport& report) { return iterates(report.solver) && report.iterations > many_iterations; }

double time_after(const State& state, double h) {
  const double grid = static_cast<double>(state.step + 1) * h, sum = state.time + h;
  return std::abs(sum - grid) <= 1e-6 * h ? grid : sum;
}

bool borne_out(const StepReport& report) {
  using Verdict = JudgedNumber::Verdict;
  return std::all_of(judged_numbers.begin(), judged_numbers.end(), [&](const JudgedNumber& number) {
    const bool counts = number.verdict == Verdict::judged || number.verdict == Verdict::judged_if_exact;
    return !counts || number.value(report, report.contact_certificate) <= number.threshold_at(report.tolerance);
  });
}

SolveStatus worse_status(SolveStatus a, SolveStatus b) {
  constexpr std::array<SolveStatus, 5> from_best{SolveStatus::solved, SolveStatus::iteration_limit,
                                                 SolveStatus::inaccurate, SolveStatus::secondary_ray,
                                                 SolveStatus::infeasible};
  const auto place = [&](SolveStatus status) { return std::find(from_best.begin(), from_best.end(), status); };
  return place(a) < place(b) ? b : a;
}

void RunCertificate::add(const StepReport& report) {
  const auto keep_largest = [](double value, double& largest) { largest = worse_of(largest, value); };
  ++steps;
  if (report.status != SolveStatus::solved) {
    if (unsolved_steps++ == 0) first_unsolved_step = report.step;
    worst_status = worse_status(worst_status, report.status);
  }
  keep_worst(report.contact_certificate, contact);
  keep_worst(report, report.contact_certificate, *this, contact);
  const EnergyLedger& line = report.energy;
  add_energy(line, energy);
  keep_largest(line.kinetic, largest_energy);
  keep_largest(line.kinetic - line.kinetic_change, largest_energy);  // before the step
  keep_largest(std::abs(line.potential_change), largest_energy);
  keep_largest(std::abs(line.contact_work), largest_energy);
  keep_largest(std::abs(line.drive_work), largest_energy);
  keep_largest(std::abs(line.opposed_work), largest_energy);
  if (!(line.contact_work <= contact_work_gain) && !std::isnan(contact_work_gain)) {
    contact_work_gain = line.contact_work;
    contact_work_gain_step = report.step;
  }
  for (const ImpactReport& impact_report : report.impacts) {
    ++impacts;
    if (impact_report.outcome.status != ImpactStatus::resolved) ++unresolved_impacts;
    keep_worst(impact_report.certificate, impact);
    keep_largest(impact_report.momentum_residual, momentum_residual);
  }
  largest_lcp = std::max(largest_lcp, report.lcp_size);
  parts += report.parts;
  trials += report.trials;
  if (report.shortest_part > 0) {
    shortest_part = shortest_part > 0 ? std::min(shortest_part, report.shortest_part) : report.shortest_part;
  }
  largest_contact_count = std::max(largest_contact_count, report.contacts_considered);
  if (is_slow(report)) ++slow_steps;
  if (iterates(report.solver) && report.iterations > most_iterations) {
    most_iterations = report.iterations;
    most_iterations_step = report.step;
  }
}

}  // namespace carom
