#include "carom/model/coordinate_share.h"

#include "carom/model/model.h"

namespace carom {

double sum_of_shares(const Model& model, const std::vector<CoordinateShare>& shares, const VectorX& q) {
  double sum = 0;
  for (const CoordinateShare& share : shares) {
    sum += share.ratio * q[model.joints()[static_cast<std::size_t>(share.body)].q_index + share.coordinate];
  }
  return sum;
}

double driven_position(const Model& model, const Drive& drive, const VectorX& q) {
  const Joint& joint = model.joints()[static_cast<std::size_t>(drive.body)];
  return drive.ratio * q[joint.q_index + drive.coordinate] + sum_of_shares(model, drive.others, q);
}

}  // namespace carom
