#include "carom/validation/cassie_scores.h"

#include <cmath>

namespace carom {

const std::vector<CassieGroup>& cassie_groups() {
  static const std::vector<CassieGroup> groups{{"pelvis_speed", "pelvis", "m/s", {3, 4, 5}},
                                               {"pelvis_spin", "pelvis spin", "rad/s", {0, 1, 2}},
                                               {"hips_and_knees", "hips, knees", "rad/s", {6, 7, 8, 9, 10, 11, 12, 13}},
                                               {"knee_springs", "knee springs", "rad/s", {14, 15}},
                                               {"ankles", "ankles", "rad/s", {16, 17}},
                                               {"toes", "toes", "rad/s", {20, 21}}};
  return groups;
}

CassieErrors cassie_errors(const CassieLanding& landing, const Eigen::MatrixXd& velocities) {
  const Eigen::Index samples = landing.velocities.rows() - 1;
  const Eigen::MatrixXd off = (velocities - landing.velocities).bottomRows(samples);
  CassieErrors errors;
  for (const CassieGroup& group : cassie_groups()) {
    const Eigen::MatrixXd columns = off(Eigen::all, group.columns);
    errors.push_back(std::sqrt(columns.squaredNorm() / static_cast<double>(columns.size())));
  }
  return errors;
}

CassieErrors held_errors(const CassieLanding& landing) {
  return cassie_errors(landing, landing.velocities.row(0).replicate(landing.velocities.rows(), 1));
}

double cassie_objective(const std::vector<CassieErrors>& predicted, const std::vector<CassieErrors>& held) {
  const std::vector<Interval> ours = mean_errors(predicted), theirs = mean_errors(held);
  double sum = 0;
  for (std::size_t group = 0; group < ours.size(); ++group) sum += ours[group].mean / theirs[group].mean;
  return sum / static_cast<double>(ours.size());
}

std::vector<Interval> mean_errors(const std::vector<CassieErrors>& errors) {
  std::vector<Interval> means;
  for (std::size_t group = 0; group < cassie_groups().size(); ++group) {
    std::vector<double> values;
    values.reserve(errors.size());
    for (const CassieErrors& of_landing : errors) values.push_back(of_landing[group]);
    means.push_back(bootstrap_mean(values));
  }
  return means;
}

std::vector<Interval> mean_differences(const std::vector<CassieErrors>& errors,
                                       const std::vector<CassieErrors>& others) {
  std::vector<CassieErrors> differences = errors;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    for (std::size_t group = 0; group < errors[i].size(); ++group) differences[i][group] -= others[i][group];
  }
  return mean_errors(differences);
}

}  // namespace carom
