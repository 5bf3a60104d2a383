#include "carom/scene/mocap.h"

#include <algorithm>

#include "carom/scene/time_functions.h"

namespace carom {
namespace {

/// G at rest in the scene's world.
Transform place_at_rest(const ModelEntry& entry, const ImportedModel::Link& link) {
  return {entry.X_WM.R, entry.X_WM * link.X_WB.p};
}

}  // namespace

std::map<std::string, FramePath> read_mocap(const YamlNode& node, Diagnostics& diagnostics) {
  std::map<std::string, FramePath> paths;
  if (node.kind != YamlNode::Kind::map) {
    diagnostics.add(node.place,
                    "mocap must be a map from bodies to paths, as in {hand: {position: [0, 0, {sine: "
                    "{amplitude: 0.1, frequency: 1}}]}}, but is " +
                        describe(node));
    return paths;
  }
  for (std::size_t k = 0; k < node.keys.size(); ++k) {
    paths[node.keys[k].text] = read_path(node.items[k], diagnostics);
  }
  return paths;
}

void check_mocap(const YamlNode& node, const ImportedModel& model, Diagnostics& diagnostics) {
  for (const YamlNode::Key& key : node.keys) {
    if (std::find(model.mocap.begin(), model.mocap.end(), key.text) != model.mocap.end()) continue;
    diagnostics.add(key.place, "there is no body " + in_quotes(key.text) + " in " + in_quotes(model.file) +
                                   " that motion capture moves" +
                                   (model.mocap.empty() ? "; it has none (mocap=\"true\" of MJCF)"
                                                        : suggestion(key.text, model.mocap, "such are")));
  }
}

MocapStart mocap_start(const ModelEntry& entry, const ImportedModel::Link& link) {
  const FramePath& path = entry.mocap.at(link.name);
  const Transform X_WG = place_at_rest(entry, link);
  const Vec6 V = path.velocity(0);
  const Transform X_GB{link.X_WB.R, Vec3::Zero()};
  return {X_WG * path.pose(0) * X_GB, X_WG.R * V.tail<3>(), X_WG.R * V.head<3>()};
}

Constraint mocap_weld(const ModelEntry& entry, const ImportedModel::Link& link, int body) {
  Constraint weld;
  weld.name = entry.named(link.name) + " path";
  weld.kind = ConstraintKind::weld;
  weld.body_a = body;
  weld.X_AF.R = link.X_WB.R.transpose();
  weld.X_BG = place_at_rest(entry, link);
  weld.path = entry.mocap.at(link.name);
  return weld;
}

}  // namespace carom
