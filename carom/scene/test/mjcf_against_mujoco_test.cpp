// What becomes of an MJCF file here and in MuJoCo itself: poses, velocities, mass matrices, inverse dynamics, passive
// forces, and which geoms touch with which friction.
#ifdef CAROM_WITH_MUJOCO

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "carom/dynamics/recursions.h"
#include "carom/import/build.h"
#include "carom/import/mjcf.h"
#include "carom/model/state.h"
#include "random_mjcf.h"

namespace carom {
namespace {

namespace fs = std::filesystem;
using testing::MjcfOptions;
using testing::random_mjcf;

/// A model in MuJoCo.
class Mujoco {
 public:
  explicit Mujoco(const std::string& text) {
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "model.xml", static_cast<int>(text.size()));
    std::copy(text.begin(), text.end(), static_cast<char*>(files->filedata[0]));
    char error[1000] = "";
    m = mj_loadXML("model.xml", files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    if (!m) throw Error(std::string("MuJoCo does not read the model: ") + error);
    d = mj_makeData(m);
  }
  Mujoco(const Mujoco&) = delete;
  Mujoco& operator=(const Mujoco&) = delete;
  ~Mujoco() {
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  int body(const std::string& name) const { return mj_name2id(m, mjOBJ_BODY, name.c_str()); }
  Transform pose(int body) const {
    return {Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(d->xmat + 9 * body),
            Eigen::Map<const Vec3>(d->xpos + 3 * body)};
  }

  mjModel* m = nullptr;
  mjData* d = nullptr;
};

/// One file in both programs, with states of Carom's told in MuJoCo's coordinates.
class Both {
 public:
  explicit Both(const std::string& text)
      : imported(parse_mjcf(text, "model.xml")),
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

double distance(const Transform& a, const Transform& b) { return (a.R - b.R).norm() + (a.p - b.p).norm(); }

/// The largest disagreements over some random states, relative to the size of what is compared.
struct Disagreement {
  double pose = 0, velocity = 0, mass = 0, force = 0, passive = 0;
};

double relative(const MatrixX& a, const MatrixX& b) { return (a - b).norm() / (1 + b.norm()); }

Disagreement compare(Both& both, Random& random, int states) {
  Disagreement worst;
  const auto grow = [](double& largest, double value) {
    if (!(value <= largest)) largest = value;
  };
  const mjModel* m = both.theirs.m;
  mjData* d = both.theirs.d;
  both.theirs.m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_ACTUATION;
  DynamicsWorkspace workspace(both.model);
  const int nv = both.model.velocity_count();
  EXPECT_EQ(nv, m->nv);
  for (int k = 0; k < states; ++k) {
    const VectorX q = random_position(both.model, random), v = random.vector(nv, 2), vdot = random.vector(nv, 3);
    const MatrixX T = both.velocity_map(q);
    VectorX::Map(d->qpos, m->nq) = both.positions(q);
    VectorX::Map(d->qvel, nv) = T * v;
    VectorX::Map(d->qacc, nv) = T * vdot + both.velocity_map_rate(q, v);
    mj_inverse(m, d);
    forward_kinematics(both.model, q, workspace);
    forward_velocity(both.model, q, v, workspace);
    for (std::size_t i = 0; i < both.imported.links.size(); ++i) {
      const int body = both.theirs.body(both.imported.links[i].name), own = both.order[i];
      grow(worst.pose, distance(workspace.X_WB[own], both.theirs.pose(body)));
      Vec6 V;
      mj_objectVelocity(m, d, mjOBJ_XBODY, body, V.data(), 1);
      grow(worst.velocity, relative(workspace.V[own], V));
    }
    MatrixX M, theirs(nv, nv);
    mass_matrix(both.model, workspace, M);
    mj_fullM(m, theirs.data(), d->qM);
    grow(worst.mass, relative(M, T.transpose() * theirs * T));
    VectorX tau, passive, spring = VectorX::Zero(nv);
    inverse_dynamics(both.model, vdot, workspace, tau);
    const VectorX their_passive = VectorX::Map(d->qfrc_passive, nv);
    grow(worst.force, relative(tau, T.transpose() * (VectorX::Map(d->qfrc_inverse, nv) + their_passive)));
    spring_force(both.model, q, spring);
    passive = spring;
    for (const Joint& joint : both.model.joints()) {
      const int at = joint.v_index, size = velocity_size(joint);
      passive.segment(at, size) -= joint.damping.cwiseProduct(v.segment(at, size));
    }
    grow(worst.passive, relative(passive, T.transpose() * their_passive));
  }
  return worst;
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

fs::path data_folder() {
  const char* given = std::getenv("CAROM_DATA");
  return (given ? fs::path(given) : fs::path(CAROM_SOURCE_DIR) / ".." / "shared" / "data") / "models" / "mujoco";
}

void expect_agreement(const std::string& text, Random& random, double inertia_tolerance) {
  Both both(text);
  const Disagreement d = compare(both, random, 3);
  EXPECT_LT(d.pose, 1e-9) << text;
  EXPECT_LT(d.velocity, 1e-9) << text;
  EXPECT_LT(d.passive, 1e-9) << text;
  EXPECT_LT(d.mass, inertia_tolerance) << text;
  EXPECT_LT(d.force, inertia_tolerance) << text;
}

TEST(MjcfAgainstMujoco, RandomTreesWithGivenInertia) {
  Random random(1);
  for (int i = 0; i < 60 && !::testing::Test::HasFailure(); ++i) {
    expect_agreement(random_mjcf(random, {1 + random.index(10), false, false}), random, 1e-9);
  }
}

TEST(MjcfAgainstMujoco, RandomTreesOfSingleShapes) {
  Random random(2);
  for (int i = 0; i < 60 && !::testing::Test::HasFailure(); ++i) {
    expect_agreement(random_mjcf(random, {1 + random.index(8), true, false}), random, 1e-9);
  }
}

/// MuJoCo finds the principal axes of a sum to some seven digits.
TEST(MjcfAgainstMujoco, RandomTreesOfSeveralShapes) {
  Random random(3);
  for (int i = 0; i < 60 && !::testing::Test::HasFailure(); ++i) {
    expect_agreement(random_mjcf(random, {1 + random.index(8), true, true}), random, 1e-6);
  }
}

TEST(MjcfAgainstMujoco, TheHumanoid) {
  const fs::path path = data_folder() / "humanoid.xml";
  if (!fs::exists(path)) GTEST_SKIP() << "no model: " << path << " (CAROM_DATA names the folder of data)";
  Random random(4);
  expect_agreement(read_file(path), random, 1e-6);
}

}  // namespace
}  // namespace carom

#endif
