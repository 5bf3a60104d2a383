#include "carom/import/start_within_limits.h"

namespace carom {
namespace {

/// The coordinates as they were, if that is beyond the limits of `joint`; else empty. An empty q is zero.
VectorX move_within(const std::optional<Joint>& joint, VectorX& q) {
  if (!joint || joint->lower.size() == 0 || !has_scalar_coordinates(joint->type)) return {};
  const VectorX asked = q.size() > 0 ? q : VectorX::Zero(joint->lower.size());
  const VectorX within = asked.cwiseMax(joint->lower).cwiseMin(joint->upper);
  if (within == asked) return {};
  q = within;
  return asked;
}

}  // namespace

void start_within_limits(ImportedModel& model) {
  for (ImportedModel::Link& link : model.links) link.asked = move_within(link.joint, link.position);
}

void start_within_limits(const std::vector<ImportedModel::Link>& links, ImportedModel::Keyframe& keyframe) {
  keyframe.asked.resize(keyframe.position.size());
  for (std::size_t i = 0; i < keyframe.position.size(); ++i) {
    keyframe.asked[i] = move_within(links[i].joint, keyframe.position[i]);
  }
}

}  // namespace carom
