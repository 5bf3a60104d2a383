#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "carom/import/build.h"
#include "carom/import/mjcf.h"
#include "testing/peers/mujoco.h"

namespace carom::test {

/// One file in both programs, with states of Carom's told in MuJoCo's coordinates.
class Both {
 public:
  explicit Both(const std::string& text) : Both(parse_mjcf(text, "model.xml"), text) {}
  Both(ImportedModel read, const std::string& text)
      : imported(std::move(read)),
        builder(builder_of(imported)),
        model(builder.build()),
        order(builder.body_order()),
        theirs(text) {}

  VectorX positions(const VectorX& q) const {
    VectorX to(theirs.m->nq);
    each_joint([&](const Joint& joint, int q_at, int) {
      const auto own = q.segment(joint.q_index, position_size(joint));
      if (joint.type == JointType::free) {
        to.segment<7>(q_at) << own.tail<3>(), own.head<4>();
      } else {
        to.segment(q_at, own.size()) = own;
      }
    });
    return to;
  }

  /// T of v_theirs = T v: a free body's velocity is that of its origin in the world, then the angular one in its axes.
  MatrixX velocity_map(const VectorX& q) const {
    MatrixX T = MatrixX::Zero(theirs.m->nv, model.velocity_count());
    each_joint([&](const Joint& joint, int, int v_at) {
      const int size = velocity_size(joint);
      if (joint.type == JointType::free) {
        T.block<3, 3>(v_at, joint.v_index + 3) = quaternion(q, joint).toRotationMatrix();
        T.block<3, 3>(v_at + 3, joint.v_index).setIdentity();
      } else {
        T.block(v_at, joint.v_index, size, size).setIdentity();
      }
    });
    return T;
  }

  /// Ṫ v.
  VectorX velocity_map_rate(const VectorX& q, const VectorX& v) const {
    VectorX rate = VectorX::Zero(theirs.m->nv);
    each_joint([&](const Joint& joint, int, int v_at) {
      if (joint.type != JointType::free) return;
      const Vec3 w = v.segment<3>(joint.v_index), u = v.segment<3>(joint.v_index + 3);
      rate.segment<3>(v_at) = quaternion(q, joint) * w.cross(u);
    });
    return rate;
  }

  static Quaternion quaternion(const VectorX& q, const Joint& joint) {
    const int at = joint.q_index;
    return {q[at], q[at + 1], q[at + 2], q[at + 3]};
  }

  ImportedModel imported;
  ModelBuilder builder;
  Model model;
  std::vector<int> order;
  Mujoco theirs;

 private:
  template <class Visit>
  void each_joint(const Visit& visit) const {
    for (std::size_t i = 0; i < imported.links.size(); ++i) {
      const int body = theirs.body(imported.links[i].name), first = theirs.m->body_jntadr[body];
      ASSERT_GE(first, 0) << imported.links[i].name;
      visit(model.joints()[order[i]], theirs.m->jnt_qposadr[first], theirs.m->jnt_dofadr[first]);
    }
  }
};

}  // namespace carom::test
