#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "carom/import/sdf_source.h"

namespace carom {

// The structure of a description with every pose resolved to a link or the world, at the position of the file.

struct SdfModel {
  SdfPlace place;
  std::string name;    ///< of a nested model that of the outer one before it, with "::" between
  int outermost = -1;  ///< number of the model that nests in no other
  bool is_static = false;
};

struct SdfCollision {
  SdfPlace place;
  std::string name;
  Transform X_BS;
};

struct SdfLink {
  SdfPlace place;
  std::string name;  ///< scoped
  int model = -1;
  Transform X_WB;
  std::vector<SdfCollision> collisions;
};

struct SdfJoint {
  SdfPlace place;
  std::string name;  ///< scoped
  int model = -1;
  int parent = -1, child = -1;  ///< numbers of links, −1 the world
  Transform X_WJ;               ///< of the joint's frame J, which is fixed in the child
  std::array<Vec3, 2> axis;     ///< `<axis>` and `<axis2>` in J, unit length; zero if there is none
};

struct SdfFrame {
  SdfPlace place;
  std::string name;  ///< scoped
  int link = -1;     ///< −1: the world
  Transform X_WF;
};

struct SdfTree {
  std::string name;  ///< of the world or the model
  SdfPlace world;    ///< null if the file has no world
  std::vector<SdfModel> models;
  std::vector<SdfLink> links;
  std::vector<SdfJoint> joints;
  std::vector<SdfFrame> frames;
};

/// Resolves the extracts by libsdformat. Its errors become faults of the source, at the line that they name. If they
/// name none, the line is that of a name that they put in brackets. Names of links, joints and frames are scoped by
/// their models, but for the outermost if there is no other. Call only if the source has no fault.
SdfTree resolve_frames(SdfSource& source);

/// The names of the models around a scoped name, "outer::inner::"; empty if there are none.
std::string scope_of(const std::string& name);

/// The frame in the link that the pose of a part of the link is relative to, identity without `relative_to`. Nothing,
/// and a fault at the place, if it is neither link, joint nor frame of the link's model.
std::optional<Transform> frame_of_pose(const SdfTree& tree, const SdfLink& link, const SdfPlace& part);

}  // namespace carom
