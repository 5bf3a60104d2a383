#include "carom/scene/joint_sums.h"

namespace carom {

std::optional<JointSum> read_joint_sum(const YamlNode& node, const SceneJoints& joints, Diagnostics& diagnostics) {
  JointSum sum;
  bool sound = true;
  const std::vector<YamlNode>& entries = read_list(node, "sum", "joints with their ratios", diagnostics);
  for (const YamlNode& entry : entries) {
    Fields fields(entry, "a joint of a sum", {"joint", "ratio"}, diagnostics);
    const YamlNode* name = fields.require("joint", "the name of a joint");
    const auto coordinate = name ? read_joint_coordinate(*name, "joint", joints, diagnostics) : std::nullopt;
    double ratio = 1;
    if (const YamlNode* given = fields.find("ratio")) {
      ratio = read_number(*given, "ratio", quantity::ratio, Range::any, diagnostics).value_or(1);
    }
    sound = sound && coordinate;
    if (!coordinate) continue;
    if (sum.shares.empty()) sum.is_angle = coordinate->is_angle;
    sum.shares.push_back({coordinate->body, coordinate->coordinate, ratio});
  }
  if (node.kind == YamlNode::Kind::list && entries.empty()) {
    diagnostics.add(node.place, "sum is an empty list; give joints with their ratios, as in [{joint: hip, ratio: -1}]");
  }
  if (!sound || sum.shares.empty()) return {};
  return sum;
}

}  // namespace carom
