#include "carom/stepper/mean_velocity.h"

namespace carom {

void mean_velocity(const Model& model, const std::vector<double>& end_weight, const VectorX& start, const VectorX& end,
                   VectorX& mean) {
  mean = end;
  if (end_weight.empty()) return;
  for (int k = 0; k < model.velocity_count(); ++k) {
    const double theta = end_weight[static_cast<std::size_t>(model.coordinate_body(k))];
    if (theta < 1) mean[k] = start[k] + theta * (mean[k] - start[k]);
  }
}

}  // namespace carom
