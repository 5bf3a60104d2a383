#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "carom/error.h"
#include "carom/impact/impact_certificate.h"
#include "carom/stepper/finite_step.h"
#include "carom/stepper/simulation.h"

// Numbers beyond the range of a double are refused or reported, and never dropped.
namespace carom::finite_numbers_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(FiniteNumbers, CertificatesKeepWhatIsNoNumber) {
  StepReport good, bad;
  good.momentum_residual = good.penetration = good.constraint_drift = 1;
  good.energy.kinetic = good.energy.contact_work = 1;
  bad.momentum_residual = bad.penetration = bad.constraint_drift = nan;
  bad.energy.kinetic = bad.energy.contact_work = nan;
  bad.contact_certificate.cone_violation = bad.contact_certificate.worst_work = nan;
  bad.impacts.resize(1);
  bad.impacts[0].certificate.approach = nan;
  bad.impacts[0].certificate.path_residual = nan;
  bad.step = 2;
  good.step = 3;
  RunCertificate certificate;
  for (const StepReport& report : {good, bad, good}) certificate.add(report);
  for (const double value :
       {certificate.momentum_residual, certificate.penetration, certificate.constraint_drift,
        certificate.largest_energy, certificate.contact_work_gain, certificate.contact.cone_violation,
        certificate.contact.worst_work, certificate.impact.approach, certificate.impact.path_residual.value_or(0)}) {
    EXPECT_TRUE(std::isnan(value));
  }
  EXPECT_EQ(certificate.contact_work_gain_step, 2);
}

/// A number that a step has is in the run's certificate, whichever it is, and stays there if it is none.
TEST(Certificates, KeepTheWorstOfEveryNumber) {
  for (const JudgedNumber& number : judged_numbers) {
    StepReport small, large, undefined;
    number.of(small, small.contact_certificate) = 1;
    number.of(large, large.contact_certificate) = 2;
    number.of(undefined, undefined.contact_certificate) = nan;
    RunCertificate certificate;
    for (const StepReport& report : {small, large, small}) certificate.add(report);
    EXPECT_EQ(number.value(certificate, certificate.contact), 2) << number.name;
    for (const StepReport& report : {undefined, large}) certificate.add(report);
    EXPECT_TRUE(std::isnan(number.value(certificate, certificate.contact))) << number.name;
  }
}

TEST(Certificates, CountStepsThatTakeManyIterationsButNoPivots) {
  RunCertificate certificate;
  std::int64_t step = 0;
  for (const SolverKind solver :
       {SolverKind::newton, SolverKind::multipliers, SolverKind::pivoting, SolverKind::lemke, SolverKind::none}) {
    for (const int iterations : {0, many_iterations, many_iterations + 1 + static_cast<int>(solver)}) {
      StepReport report;
      report.solver = solver;
      report.iterations = iterations;
      report.step = ++step;
      certificate.add(report);
    }
  }
  EXPECT_EQ(certificate.slow_steps, 2);
  EXPECT_EQ(certificate.most_iterations, many_iterations + 1 + static_cast<int>(SolverKind::multipliers));
  EXPECT_EQ(certificate.most_iterations_step, 6);
  EXPECT_EQ(RunCertificate().most_iterations_step, -1);
}

TEST(Certificates, TellTheWorstStatusAndTheFirstStepThatWasNotSolved) {
  RunCertificate certificate;
  std::int64_t step = 0;
  for (const SolveStatus status : {SolveStatus::solved, SolveStatus::iteration_limit, SolveStatus::infeasible,
                                   SolveStatus::inaccurate, SolveStatus::solved}) {
    StepReport report;
    report.step = ++step;
    report.status = status;
    certificate.add(report);
  }
  EXPECT_EQ(certificate.worst_status, SolveStatus::infeasible);
  EXPECT_EQ(certificate.first_unsolved_step, 2);
  EXPECT_EQ(certificate.unsolved_steps, 3);
}

TEST(Certificates, DecideByEveryRowThatIsNoNumber) {
  for (double SolveCertificate::*residual :
       {&SolveCertificate::bilateral_residual, &SolveCertificate::bounded_residual, &SolveCertificate::natural_map}) {
    SolveCertificate certificate;
    certificate.*residual = nan;
    EXPECT_TRUE(std::isnan(judged_residual(certificate, FrictionCone::exact)));
  }
}

TEST(FiniteNumbers, AStepOfInfiniteEnergyIsNotFinite) {
  State state;
  StepReport report;
  EXPECT_TRUE(is_finite(state, report));
  report.energy.potential = -std::numeric_limits<double>::infinity();
  EXPECT_FALSE(is_finite(state, report));
  report.energy.potential = 0;
  state.v = VectorX::Constant(1, nan);
  EXPECT_FALSE(is_finite(state, report));
}

}  // namespace
}  // namespace carom::finite_numbers_test
