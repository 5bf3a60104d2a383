#include "carom/import/mjcf/reader.h"
#include "carom/import/start_within_limits.h"

// MuJoCo's positions are joint by joint in the order of the file. A free joint has the position of the body's origin,
// then its quaternion. Its rates are the velocity of that origin in world axes, then the angular velocity in body axes.
// Here the rotation comes first, and both rates of a free link are in world axes.
namespace carom::mjcf {
namespace {

using Kind = FileJoint::Kind;

VectorX unit(const XmlNode& at, const VectorX& wxyz, XmlFaults& faults) {
  const double length = wxyz.norm();
  if (length > 1e-10) return wxyz / length;
  faults.add(at, "a quaternion in qpos of <key> is zero; it must have a length, as 1 0 0 0 has");
  return Eigen::Vector4d(1, 0, 0, 0);
}

Mat3 rotation(const VectorX& wxyz) { return Quaternion(wxyz[0], wxyz[1], wxyz[2], wxyz[3]).toRotationMatrix(); }

class KeyframeReader {
 public:
  KeyframeReader(const std::vector<int>& link_of, Reader& reader) : link_of_(link_of), reader_(reader) {
    for (const FileJoint& joint : reader.joints) {
      positions_ += joint.kind == Kind::free ? 7 : joint.kind == Kind::ball ? 4 : 1;
      velocities_ += joint.kind == Kind::free ? 6 : joint.kind == Kind::ball ? 3 : 1;
    }
  }

  void read(XmlNode& node) {
    ImportedModel::Keyframe key;
    if (const std::string* name = node.attribute("name")) key.name = *name;
    if (key.name.empty()) key.name = "key" + std::to_string(reader_.model.keyframes.size());
    key.position = start();
    const auto q = numbers(node, "qpos", positions_);
    const auto v = numbers(node, "qvel", velocities_);
    key.velocity.resize(key.position.size());
    for (std::size_t i = 0; i < key.velocity.size(); ++i) {
      const auto& joint = reader_.model.links[i].joint;
      key.velocity[i] = VectorX::Zero(joint ? velocity_size(*joint) : 6);
    }
    if (q) read_positions(node, *q, key);
    if (v) read_velocities(*v, key);
    start_within_limits(reader_.model.links, key);
    reader_.model.keyframes.push_back(std::move(key));
  }

 private:
  std::optional<VectorX> numbers(XmlNode& node, const char* attribute, int count) {
    if (count > 0) return reader_.faults.numbers(node, attribute, count);
    node.attribute(attribute);
    return {};
  }

  /// A root that was free in the file and is fixed here: what a key says of its pose and velocity is passed over.
  bool is_welded(const FileJoint& joint) const {
    const int link = link_of_[joint.link];
    return joint.kind == Kind::free && (link < 0 || reader_.model.links[link].joint);
  }

  /// Coordinates of all links as the file poses them.
  std::vector<VectorX> start() const {
    std::vector<VectorX> all;
    for (const ImportedModel::Link& link : reader_.model.links) {
      VectorX q = link.position;
      if (!link.joint) {
        const Quaternion turn(link.X_WB.R);
        q.resize(7);
        q << turn.w(), turn.vec(), link.X_WB.p;
      } else if (link.joint->type == JointType::spherical) {
        q.resize(4);
        q << 1, 0, 0, 0;
      }
      all.push_back(std::move(q));
    }
    return all;
  }

  void read_positions(const XmlNode& node, const VectorX& q, ImportedModel::Keyframe& key) {
    int at = 0;
    for (const FileJoint& joint : reader_.joints) {
      if (is_welded(joint)) {
        at += 7;
        continue;
      }
      VectorX& to = key.position[link_of_[joint.link]];
      if (joint.kind == Kind::free) {
        to.resize(7);
        to << unit(node, q.segment<4>(at + 3), reader_.faults), q.segment<3>(at);
        at += 7;
      } else if (joint.kind == Kind::ball) {
        to = unit(node, q.segment<4>(at), reader_.faults);
        at += 4;
      } else {
        to[joint.coordinate] = q[at++];
      }
    }
  }

  void read_velocities(const VectorX& v, ImportedModel::Keyframe& key) {
    int at = 0;
    for (const FileJoint& joint : reader_.joints) {
      if (is_welded(joint)) {
        at += 6;
        continue;
      }
      const int link = link_of_[joint.link];
      VectorX& to = key.velocity[link];
      if (joint.kind == Kind::free) {
        to << rotation(key.position[link].head<4>()) * v.segment<3>(at + 3), v.segment<3>(at);
        at += 6;
      } else if (joint.kind == Kind::ball) {
        to = v.segment<3>(at);
        at += 3;
      } else {
        to[joint.coordinate] = v[at++];
      }
    }
  }

  const std::vector<int>& link_of_;
  Reader& reader_;
  int positions_ = 0, velocities_ = 0;
};

}  // namespace

void read_keyframes(XmlNode& root, const std::vector<int>& link_of, Reader& reader) {
  for (XmlNode* section : root.all("keyframe")) {
    for (XmlNode* node : section->all("key")) {
      if (reader.compiler.align_free || reader.aligned) {
        reader.faults.add(
            *node,
            "with aligned free joints (align of <freejoint>, alignfree of <compiler>) positions of <key> count from "
            "frames that MuJoCo chooses; leave out the one or the other");
      }
      KeyframeReader(link_of, reader).read(*node);
    }
  }
}

}  // namespace carom::mjcf
