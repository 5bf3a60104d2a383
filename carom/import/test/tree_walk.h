#pragma once

#include <map>
#include <string>
#include <vector>

#include "carom/import/imported_model.h"

// Poses and motions of links by walking the tree of scalar joints: a second way beside that of dynamics.
namespace carom {

/// Pose in the world and velocity in its own axes.
struct Motion {
  Transform X_WB;
  Vec6 V = Vec6::Zero();
};

/// Coordinates and rates by the link's name, which merging keeps.
struct Coordinates {
  std::map<std::string, VectorX> q, v;
};

inline Motion motion_of_child(const Joint& joint, const Motion& parent, const VectorX& q, const VectorX& v) {
  const Twists twists = coordinate_twists(joint);
  const ExponentialProduct moved = exponential_product(twists, q);
  const Transform X_PB = joint.X_PF * moved.X * joint.X_BM.inverse();
  Vec6 V = X_PB.inverse_motion(parent.V);
  if (v.size() > 0) V += joint.X_BM.motion(Vec6(moved.S * v));
  return {parent.X_WB * X_PB, V};
}

inline std::vector<Motion> motions(const ImportedModel& model, const Coordinates& at) {
  std::vector<Motion> all;
  for (const ImportedModel::Link& link : model.links) {
    if (!link.joint) {
      all.push_back({link.X_WB, at.v.at(link.name)});
    } else {
      const Motion parent = link.joint->parent < 0 ? Motion{} : all[link.joint->parent];
      all.push_back(motion_of_child(*link.joint, parent, at.q.at(link.name), at.v.at(link.name)));
    }
  }
  return all;
}

inline Transform place(const std::vector<Motion>& motions, int link) {
  return link < 0 ? Transform{} : motions[link].X_WB;
}

}  // namespace carom
