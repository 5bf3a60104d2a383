// Places of the geoms of an MJCF file here and in MuJoCo itself, which of them touch, and with which friction.
#ifdef CAROM_WITH_MUJOCO

#include <map>
#include <utility>
#include <variant>

#include "carom/spatial/rotation.h"
#include "mujoco_model.h"
#include "testing/models/random_tree.h"

namespace carom::mjcf_shapes_against_mujoco_test {
namespace {

using test::Both;

std::string text_of(const VectorX& values) {
  std::string text;
  for (const double value : values) text += std::to_string(value) + " ";
  return text;
}

/// Vertices of a geom's mesh in the world, to the seven digits that MuJoCo keeps.
std::vector<Vec3> vertices_of(const Both& both, int geom) {
  const mjModel* m = both.theirs.m;
  const int mesh = m->geom_dataid[geom];
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(both.theirs.d->geom_xmat + 9 * geom);
  std::vector<Vec3> vertices;
  for (int i = 0; i < m->mesh_vertnum[mesh]; ++i) {
    const Eigen::Map<const Eigen::Vector3f> vertex(m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + i));
    vertices.emplace_back(R * vertex.cast<double>() + Eigen::Map<const Vec3>(both.theirs.d->geom_xpos + 3 * geom));
  }
  return vertices;
}

TEST(MjcfShapesAgainstMujoco, MeshesAreWhereTheirVerticesAre) {
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const Both both("<mujoco><asset><mesh name=\"m\" vertex=\"" + text_of(random.vector(30, 0.5)) + "\" scale=\"" +
                    text_of(Vec3::Ones() + random.vector(0.5)) + "\" refpos=\"" + text_of(random.vector(0.3)) +
                    "\" refquat=\"" + text_of(random.vector(4, 1)) + "\" class=\"big\"/></asset>" +
                    "<default><default class=\"big\"><mesh scale=\"9 9 9\"/></default></default><worldbody>" +
                    "<body name=\"b\" pos=\"" + text_of(random.vector(1)) +
                    "\"><freejoint/><geom type=\"mesh\" mesh=\"m\" " + "pos=\"" + text_of(random.vector(1)) +
                    "\" euler=\"" + text_of(random.vector(90)) + "\"/></body>" + "</worldbody></mujoco>");
    mj_kinematics(both.theirs.m, both.theirs.d);
    const Collider& collider = both.imported.colliders.at(0);
    const Transform X_WS = both.imported.links.at(0).X_WB * collider.X_BS;
    const Polyhedron& hull = *std::get<ConvexMesh>(collider.shape).polyhedron;
    const std::vector<Vec3> theirs = vertices_of(both, 0);
    for (const Vec3& own : hull.vertices) {
      double nearest = 1;
      for (const Vec3& vertex : theirs) nearest = std::min(nearest, (X_WS * own - vertex).norm());
      EXPECT_LT(nearest, 1e-6);
    }
  }
}

/// Meshes of given mass: from a density MuJoCo 2 makes the mass of the box that has the mesh's moments. It computes
/// with vertices in single precision.
TEST(MjcfShapesAgainstMujoco, InertiaOfMeshes) {
  Random random(2);
  for (int i = 0; i < 10; ++i) {
    const Both both("<mujoco><asset><mesh name=\"m\" vertex=\"" + text_of(random.vector(30, 0.5)) +
                    "\"/></asset><worldbody><body name=\"b\"><freejoint/><geom type=\"mesh\" mesh=\"m\" mass=\"3\" " +
                    "pos=\"1 2 3\" quat=\"" + text_of(random.vector(4, 1)) + "\"/></body></worldbody></mujoco>");
    const mjModel* m = both.theirs.m;
    const SpatialInertia& own = both.imported.links.at(0).inertia;
    const double* q = m->body_iquat + 4;
    const Mat3 R = Quaternion(q[0], q[1], q[2], q[3]).toRotationMatrix();
    const Mat3 theirs = R * Eigen::Map<const Vec3>(m->body_inertia + 3).asDiagonal() * R.transpose();
    EXPECT_NEAR(own.mass, m->body_mass[1], 1e-12);
    EXPECT_LT((own.center - Eigen::Map<const Vec3>(m->body_ipos + 3)).norm(), 1e-6);
    EXPECT_LT((own.central - theirs).norm(), 1e-5 * theirs.norm());
  }
}

/// Bodies whose spheres all overlap, so that MuJoCo finds every pair that its filter lets through.
class SphereWriter {
 public:
  explicit SphereWriter(Random& random) : random_(random) {}

  std::string write() {
    std::string text = "<mujoco><size nconmax=\"2000\" njmax=\"100\"/><worldbody>" + geom();
    for (int i = 0; i < 4; ++i) text += body(0);
    text += "</worldbody><contact>";
    for (int i = 0; i < 3; ++i) {
      const int a = random_.index(bodies_), b = random_.index(bodies_);
      if (a != b) text += "<exclude body1=\"b" + std::to_string(a) + "\" body2=\"b" + std::to_string(b) + "\"/>";
    }
    return text + "</contact></mujoco>";
  }

 private:
  std::string geom() {
    std::string text =
        "<geom name=\"g" + std::to_string(geoms_++) + "\" size=\"5\" pos=\"" + text_of(random_.vector(0.1)) + "\"";
    if (random_.index(2) == 0) text += " contype=\"" + std::to_string(random_.index(4)) + "\"";
    if (random_.index(2) == 0) text += " conaffinity=\"" + std::to_string(random_.index(4)) + "\"";
    if (random_.index(2) == 0) text += " condim=\"" + std::to_string(1 + 2 * random_.index(2)) + "\"";
    if (random_.index(2) == 0) text += " friction=\"0." + std::to_string(1 + random_.index(9)) + "\"";
    if (random_.index(3) == 0) text += " priority=\"" + std::to_string(random_.index(3)) + "\"";
    return text + "/>";
  }
  std::string body(int depth) {
    std::string text = "<body name=\"b" + std::to_string(bodies_++) + "\">";
    const int kind = random_.index(3);
    if (kind == 0) text += "<joint/>";
    if (kind == 1 && depth == 0) text += "<freejoint/>";
    text += geom();
    if (random_.index(2) == 0) text += geom();
    for (int i = depth < 3 ? random_.index(3) : 0; i > 0; --i) text += body(depth + 1);
    return text + "</body>";
  }

  Random& random_;
  int bodies_ = 0, geoms_ = 0;
};

using Friction = std::map<std::pair<std::string, std::string>, double>;

Friction own_pairs(const Model& model) {
  Friction found;
  const std::vector<Collider>& all = model.colliders();
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (!model.may_collide(static_cast<int>(a), static_cast<int>(b))) continue;
      if (model.is_static(all[a].body) && model.is_static(all[b].body)) continue;
      found[std::minmax(all[a].name, all[b].name)] =
          model.contact_material(all[a].material, all[b].material).friction[0];
    }
  }
  return found;
}

Friction their_pairs(const test::Mujoco& theirs) {
  mj_kinematics(theirs.m, theirs.d);
  mj_comPos(theirs.m, theirs.d);
  mj_collision(theirs.m, theirs.d);
  Friction found;
  for (int i = 0; i < theirs.d->ncon; ++i) {
    const mjContact& contact = theirs.d->contact[i];
    const std::string a = mj_id2name(theirs.m, mjOBJ_GEOM, contact.geom1),
                      b = mj_id2name(theirs.m, mjOBJ_GEOM, contact.geom2);
    found[std::minmax(a, b)] = contact.dim == 1 ? 0 : contact.friction[0];
  }
  return found;
}

TEST(MjcfShapesAgainstMujoco, WhichGeomsTouchAndWithWhatFriction) {
  Random random(3);
  std::size_t pairs = 0;
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    const std::string text = SphereWriter(random).write();
    const Both both(text);
    const Friction own = own_pairs(both.model), theirs = their_pairs(both.theirs);
    pairs += theirs.size();
    EXPECT_EQ(own, theirs) << text;
  }
  EXPECT_GT(pairs, 1000U);
}

TEST(MjcfShapesAgainstMujoco, NamedPairs) {
  const Both both(R"(<mujoco><size nconmax="100"/><worldbody><geom name="w" size="5" friction="0.3"/>
    <body name="a"><freejoint/><geom name="x" size="5" friction="0.4"/><geom name="y" size="5" friction="0.4"/></body>
    <body name="b"><freejoint/><geom name="z" size="5" friction="0.6"/></body></worldbody>
    <contact><pair geom1="x" geom2="z" condim="3" friction="0.9 0.9"/><pair geom1="y" geom2="z" condim="1"/>
    <pair geom1="w" geom2="x"/></contact></mujoco>)");
  EXPECT_EQ(own_pairs(both.model), their_pairs(both.theirs));
}

}  // namespace
}  // namespace carom::mjcf_shapes_against_mujoco_test

#endif
