#pragma once

#include <array>
#include <vector>

#include "carom/study/bootstrap.h"
#include "carom/validation/cassie_file.h"

// Judgement of predicted landings by measured ones. The error of a group of velocities is the root mean square of its
// components over all samples but the first. Rates of ankle springs were not measured and are in no group.
namespace carom {

/// Velocities that are judged together: columns of CassieLanding::velocities.
struct CassieGroup {
  const char *name, *title, *unit;
  std::vector<int> columns;
};
const std::vector<CassieGroup>& cassie_groups();

/// Error of each group.
using CassieErrors = std::vector<double>;
CassieErrors cassie_errors(const CassieLanding& landing, const Eigen::MatrixXd& velocities);
/// The same of velocities that stay as they were at the first sample, with rates of the ankle springs left out.
CassieErrors held_errors(const CassieLanding& landing);

/// Mean over the groups of the mean error over the landings, in parts of that of held velocities. Fits minimise it.
double cassie_objective(const std::vector<CassieErrors>& predicted, const std::vector<CassieErrors>& held);

/// Means over the landings of each group's error, with 95 % intervals.
std::vector<Interval> mean_errors(const std::vector<CassieErrors>& errors);
/// The same of the differences, landing by landing.
std::vector<Interval> mean_differences(const std::vector<CassieErrors>& errors,
                                       const std::vector<CassieErrors>& others);

}  // namespace carom
