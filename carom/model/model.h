#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "carom/geometry/shape.h"
#include "carom/model/collider_pairs.h"
#include "carom/model/constraint.h"
#include "carom/model/drive.h"
#include "carom/model/joint.h"
#include "carom/model/material.h"
#include "carom/model/restitution_change.h"
#include "carom/model/sensor.h"
#include "carom/model/tree_node.h"

namespace carom {

/// A rigid link. Body i of a model hangs on joint i.
struct Body {
  std::string name = {};
  SpatialInertia inertia = {};  ///< in the body frame B
};

/// A shape fixed to a body or to the world.
struct Collider {
  std::string name = {};
  int body = -1;  ///< −1 for the world
  Shape shape = {};
  Transform X_BS = {};
  int material = 0;
  std::uint32_t groups = 1;  ///< groups of colliders that it belongs to, a bit each
  std::uint32_t collides_with =
      0xffffffff;  ///< groups that it may touch: a pair is tested if either may touch the other
  // A second filter of the same kind, which a pair must pass as well: here both must agree to touch the other. Scenes
  // name these groups, model files number those above.
  std::uint32_t named_groups = 1;
  std::uint32_t named_partners = 0xffffffff;
  /// Direction, in the shape's frame and not zero, whose projection is the contact frame's x axis: ribs, a tread, the
  /// edge of a skate. None: the world's axes. If both shapes define one, the first in the model wins.
  std::optional<Vec3> friction_axis = std::nullopt;
  std::optional<RestitutionChange> restitution_change =
      std::nullopt;  ///< by the place on it; none: the same everywhere
};

/// A name for a place on a body, or in the world. It may be a link of a model file that was welded to the body, a site,
/// a tool.
struct NamedFrame {
  std::string name = {};
  int body = -1;  ///< −1 for the world
  Transform X_BF = {};
};

/// Bodies that joints connect, whose motions are therefore coupled by the mass matrix. Trees do not share coordinates.
struct Tree {
  std::vector<int> bodies;                       ///< ascending; the first is the root
  std::vector<std::pair<int, int>> coordinates;  ///< the tree's velocity coordinates: runs of (first, count), ascending
};

/// A mechanism: bodies in a tree of joints, constraints beside it, shapes and materials. Immutable; made by
/// ModelBuilder, shared by threads.
///
/// Bodies are numbered so that parent(i) < i, and otherwise in the order in which they were added. Positions q and
/// velocities v are stacked in the order of the joints.
class Model {
 public:
  int body_count() const { return static_cast<int>(bodies_.size()); }
  int position_count() const { return position_count_; }
  int velocity_count() const { return velocity_count_; }
  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<Joint>& joints() const { return joints_; }   ///< joints()[i] is the inboard joint of body i
  const std::vector<TreeNode>& nodes() const { return nodes_; }  ///< bodies and joints as the recursions read them
  const std::vector<Constraint>& constraints() const { return constraints_; }  ///< bodies by their index here
  const std::vector<Drive>& drives() const { return drives_; }
  /// Coordinates of a coupler, motion or tendon: the row of its velocity. Empty for other kinds.
  std::span<const RowTerm> constraint_terms(std::size_t constraint) const { return constraint_terms_[constraint]; }
  /// The coordinates that a drive acts on, its own first.
  std::span<const RowTerm> drive_terms(std::size_t drive) const { return drive_terms_[drive]; }
  const std::vector<AppliedWrench>& wrenches() const { return wrenches_; }
  const std::vector<Collider>& colliders() const { return colliders_; }
  const std::vector<Material>& materials() const { return materials_; }
  const std::vector<NamedFrame>& frames() const { return frames_; }
  const std::vector<Sensor>& sensors() const { return sensors_; }
  const Vec3& gravity() const { return gravity_; }  ///< m/s², world frame
  /// The body of least index that body i is connected to by joints: bodies of one tree have one root.
  int root(int body) const { return trees_[tree_of_[body]].bodies.front(); }
  /// The tree that the body belongs to.
  const Tree& tree(int body) const { return trees_[tree_of_[body]]; }
  /// True for the world (−1) and for bodies that only fixed joints lie between it and them: they never move.
  bool is_static(int body) const { return body < 0 || static_[body]; }
  /// The body whose inboard joint owns the velocity coordinate.
  int coordinate_body(int coordinate) const { return coordinate_bodies_[coordinate]; }
  const ContactMaterial& contact_material(int material_a, int material_b) const {
    return contact_materials_[material_a * materials_.size() + material_b];
  }
  /// True if two colliders are tested for contact. Those of one link are not. A link is a set of bodies welded together
  /// by fixed joints; the world and what is welded to it is one link. Those of parent and child links are not, unless
  /// asked; a free joint ties nothing, so it makes no parent. Those of excluded bodies are not, nor those of bodies
  /// that a ball, weld or hinge ties. Finally, one of the two must be allowed to touch a group of the other and, of
  /// named groups, both must be.
  bool may_collide(int collider_a, int collider_b) const {
    return collides_[collider_a * colliders_.size() + collider_b];
  }
  /// q with every joint at zero (quaternions at identity).
  VectorX neutral_position() const;

  // The rest of what the builder was told; with it another builder can make the same model.
  Combination friction_rule() const { return friction_rule_; }
  Combination restitution_rule() const { return restitution_rule_; }
  const std::vector<MaterialPair>& material_pairs() const { return material_pairs_; }
  bool collides_with_parent(int body) const { return with_parent_[body]; }
  const std::vector<std::pair<int, int>>& excluded_bodies() const { return excluded_; }  ///< −1 is the world

 private:
  friend class ModelBuilder;
  Model() = default;
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::vector<TreeNode> nodes_;
  std::vector<Constraint> constraints_;
  std::vector<std::vector<RowTerm>> constraint_terms_, drive_terms_;
  std::vector<Drive> drives_;
  std::vector<AppliedWrench> wrenches_;
  std::vector<Collider> colliders_;
  std::vector<Material> materials_;
  std::vector<NamedFrame> frames_;
  std::vector<Sensor> sensors_;
  std::vector<ContactMaterial> contact_materials_;
  std::vector<char> collides_;
  std::vector<Tree> trees_;
  std::vector<int> tree_of_;  // per body
  std::vector<char> static_;  // per body
  std::vector<int> coordinate_bodies_;
  Vec3 gravity_ = Vec3::Zero();
  int position_count_ = 0;
  int velocity_count_ = 0;
  Combination friction_rule_ = Combination::geometric_mean;
  Combination restitution_rule_ = Combination::maximum;
  std::vector<MaterialPair> material_pairs_;
  std::vector<char> with_parent_;  // per body
  std::vector<std::pair<int, int>> excluded_;
};

struct TreeOrder;

/// Collects a mechanism and makes a Model of it. Bodies may be added in any order; build() sorts them.
class ModelBuilder {
 public:
  void set_gravity(const Vec3& gravity) { gravity_ = gravity; }

  /// Returns the material's number.
  int add_material(Material material);
  /// Rules for friction and restitution of pairs that are not named by set_pair. Geometric mean and maximum by default.
  void set_combination(Combination friction, Combination restitution);
  void set_pair(int material_a, int material_b, NamedPair together);

  /// Coefficients of any collider of `pair.a` with any of `pair.b` (numbers from add_collider), in place of what their
  /// materials do together. A later call holds where two name the same colliders.
  void set_pair_of_colliders(ColliderPair pair);

  /// Adds a body that moves freely in the world until add_joint says otherwise. Returns a number that stands for the
  /// body in calls to this builder; Model::bodies() may hold it at another index.
  int add_body(std::string name, const SpatialInertia& inertia);
  /// Hangs `child` on `joint.parent` (a number from add_body, or −1). Index fields of the joint are ignored; vectors
  /// left empty mean no limit, no damping, no spring, no reflected inertia.
  void add_joint(int child, Joint joint);
  /// Bodies in it are numbers from add_body, or −1.
  void add_constraint(Constraint constraint);
  void add_drive(Drive drive);
  void add_wrench(AppliedWrench wrench);
  /// collider.body is a number from add_body, or −1.
  int add_collider(Collider collider);
  /// frame.body is a number from add_body, or −1.
  void add_frame(NamedFrame frame);
  /// Bodies, constraints and colliders in it are numbers of this builder (constraints in the order in which they were
  /// added).
  void add_sensor(Sensor sensor);
  /// Lets the links on both sides of the body's inboard joint collide.
  void collide_with_parent(int child);
  /// Bodies whose shapes never collide; −1 is the world itself.
  void exclude(int body_a, int body_b);

  /// Returns the model, or throws Error with a sentence per fault, a line each, all of them. Faults are anything that
  /// is not finite where it must be, numbers that name no body or material, and frames that are no rigid motion. Others
  /// are these. Bodies: moving ones whose inertia no body can have, loops in the tree, a body with two joints. Joints:
  /// vectors of the wrong size, limits in the wrong order, negative damping, stiffness or reflected inertia, pitches
  /// and twists that are none. Also springs, limits or reflected inertia where the type has none. Colliders: shapes
  /// that have a fault, half-spaces on moving bodies, a request that welded bodies collide. Constraints: of a body with
  /// itself, without a length, radius or coordinate that they need, with a path that the kind has no use for. Drives:
  /// of what is no angle or displacement, or servos without gains. Materials: data outside their ranges (material.h,
  /// restitution.h).
  Model build() const;

  /// Index in Model::bodies() of a number from add_body.
  std::vector<int> body_order() const;

 private:
  void check_welds(const TreeOrder& tree, std::vector<std::string>& faults) const;
  SplitMaterials surfaces(std::vector<std::string>& faults) const;
  void place_bodies(const TreeOrder& tree, Model& model) const;
  void place_constraints(const TreeOrder& tree, Model& model) const;
  void place_drives(const TreeOrder& tree, Model& model) const;
  static void place_trees(Model& model);
  static void place_terms(Model& model);

  Vec3 gravity_ = Vec3::Zero();
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;  // per body
  std::vector<char> jointed_, collide_with_parent_;
  std::vector<Constraint> constraints_;
  std::vector<Drive> drives_;
  std::vector<AppliedWrench> wrenches_;
  std::vector<Collider> colliders_;
  std::vector<Material> materials_;
  std::vector<NamedFrame> frames_;
  std::vector<Sensor> sensors_;
  Combination friction_rule_ = Combination::geometric_mean;
  Combination restitution_rule_ = Combination::maximum;
  std::vector<MaterialPair> pairs_;
  std::vector<ColliderPair> collider_pairs_;
  std::vector<std::pair<int, int>> excluded_;
  std::vector<std::string> faults_;  // of calls that could not be carried out, told by build()
};

}  // namespace carom
