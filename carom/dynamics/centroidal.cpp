#include "carom/dynamics/centroidal.h"

#include "carom/dynamics/joint_column.h"

namespace carom {
namespace {

Mat3 dense(const Sym3& I) {
  Mat3 dense;
  dense << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return dense;
}

/// Inertia and momentum of bodies, summed about the O of the first of them.
struct Sum {
  bool empty = true;
  Vec3 point = Vec3::Zero();
  RigidInertia inertia;
  Force momentum;

  void add(const Model& model, int body, const DynamicsWorkspace& workspace) {
    if (model.is_static(body)) return;
    const NodeState& state = workspace.nodes[body];
    if (empty) point = state.p;
    empty = false;
    const Vec3 arm = state.p - point;
    inertia.add_shifted(state.inertia, arm);
    momentum += (state.inertia * state.V).moved_back_by(arm);
  }
  Vec3 center() const { return empty ? Vec3::Zero() : Vec3(point + inertia.moment / inertia.mass); }
  CentroidalState state() const {
    CentroidalState state;
    if (empty) return state;
    const Vec3 c = inertia.moment / inertia.mass;
    state.mass = inertia.mass;
    state.center = point + c;
    state.velocity = momentum.force / inertia.mass;
    state.linear_momentum = momentum.force;
    state.angular_momentum = momentum.moment - c.cross(momentum.force);
    state.inertia = dense(inertia.rotational) + inertia.mass * skew(c) * skew(c);
    return state;
  }
};

/// For a list of bodies, in which parents come first: bodies[0] to bodies[bodies.size() − 1].
template <typename Bodies>
Sum sum_over(const Model& model, const Bodies& bodies, const DynamicsWorkspace& workspace) {
  Sum sum;
  for (std::size_t m = 0; m < bodies.size(); ++m) sum.add(model, bodies[m], workspace);
  return sum;
}

template <typename Bodies>
void momentum_matrix(const Model& model, const Bodies& bodies, DynamicsWorkspace& workspace, Eigen::Ref<MatrixX> A) {
  A.setZero();
  const Vec3 center = sum_over(model, bodies, workspace).center();
  for (std::size_t m = 0; m < bodies.size(); ++m) {
    workspace.composite[bodies[m]] = workspace.nodes[bodies[m]].inertia;
  }
  for (std::size_t m = bodies.size(); m-- > 0;) {
    const int i = bodies[m];
    const TreeNode& node = model.nodes()[i];
    const NodeState& state = workspace.nodes[i];
    for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) {
      // A unit rate of the coordinate moves everything beyond it as one body.
      const Force momentum = (workspace.composite[i] * workspace.columns[k].S).moved_back_by(state.p - center);
      A.col(k) << momentum.moment, momentum.force;
    }
    if (node.parent >= 0) workspace.composite[node.parent].add_shifted(workspace.composite[i], state.r);
  }
}

/// Since ċ is along p, k̇ is the moment about c of what changes the bodies' momenta.
template <typename Bodies>
Vec6 momentum_rate(const Model& model, const Bodies& bodies, DynamicsWorkspace& workspace) {
  const Vec3 center = sum_over(model, bodies, workspace).center();
  Force sum;
  for (std::size_t m = 0; m < bodies.size(); ++m) {
    const int i = bodies[m];
    NodeState& state = workspace.nodes[i];
    const int parent = model.nodes()[i].parent;
    state.a = parent < 0 ? Motion() : workspace.nodes[parent].a.moved_by(state.r);
    state.a += state.bias;
    Force f = state.inertia * state.a;
    f += cross(state.V, state.inertia * state.V);
    sum += f.moved_back_by(state.p - center);
  }
  Vec6 rate;
  rate << sum.moment, sum.force;
  return rate;
}

/// The list of all bodies, without a list.
struct AllBodies {
  const Model& model;
  std::size_t size() const { return static_cast<std::size_t>(model.body_count()); }
  int operator[](std::size_t m) const { return static_cast<int>(m); }
};

}  // namespace

CentroidalState centroidal_state(const Model& model, const DynamicsWorkspace& workspace) {
  return sum_over(model, AllBodies{model}, workspace).state();
}

CentroidalState centroidal_state(const Model& model, std::span<const int> bodies, const DynamicsWorkspace& workspace) {
  return sum_over(model, bodies, workspace).state();
}

void centroidal_momentum_matrix(const Model& model, DynamicsWorkspace& workspace, Eigen::Ref<MatrixX> A) {
  momentum_matrix(model, AllBodies{model}, workspace, A);
}

void centroidal_momentum_matrix_tree(const Model& model, int root, DynamicsWorkspace& workspace,
                                     Eigen::Ref<MatrixX> A) {
  momentum_matrix(model, model.tree(root).bodies, workspace, A);
}

Vec6 centroidal_momentum_bias(const Model& model, DynamicsWorkspace& workspace) {
  return momentum_rate(model, AllBodies{model}, workspace);
}

Vec6 centroidal_momentum_bias_tree(const Model& model, int root, DynamicsWorkspace& workspace) {
  return momentum_rate(model, model.tree(root).bodies, workspace);
}

}  // namespace carom
