#include "carom/stepper/quasi_rigid/carried_motion.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/dynamics/joint_column.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/recursions.h"
#include "carom/dynamics/tree_mass.h"
#include "carom/spatial/rotation.h"

namespace carom {
namespace {

bool turns(const Joint& joint) { return joint.type == JointType::free || joint.type == JointType::spherical; }

/// The rotation of q/|q|, every entry rounded once. In double precision |q|² − 1 has a bias, since roots near 1 are
/// rounded towards it. Velocities pass through here and back in every step, so that a rolling disc would gain 1e-16 of
/// its energy a step.
Mat3 turn_of(const Joint& joint, const VectorX& q) {
  using Real = long double;
  const int i = joint.q_index;
  const Real w = q[i], x = q[i + 1], y = q[i + 2], z = q[i + 3];
  const Real s = 2 / (w * w + x * x + y * y + z * z);
  Eigen::Matrix<Real, 3, 3> R;
  R << 1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),  //
      s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x),   //
      s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y);
  return R.cast<double>();
}

/// δθ = left_jacobian(φ) δφ: how the rotation exp(φ) turns, in the outer frame, as φ changes.
Mat3 left_jacobian(const Vec3& phi) {
  const double angle = phi.norm();
  const Mat3 cross = skew(phi);
  // Series where differences of cosines would lose digits: the next terms are angle⁴/720 and angle⁴/5040.
  const bool small = angle < 1e-3;
  const double square = angle * angle;
  const double first = small ? 0.5 - square / 24 : (1 - std::cos(angle)) / square;
  const double second = small ? 1.0 / 6 - square / 120 : (angle - std::sin(angle)) / (square * angle);
  return Mat3::Identity() + first * cross + second * cross * cross;
}

}  // namespace

void to_carried(const Model& model, const VectorX& q, const VectorX& v, VectorX& w) {
  w = v;
  for (int i = 0; i < model.body_count(); ++i) {
    const Joint& joint = model.joints()[i];
    if (!turns(joint)) continue;
    const Mat3 R = turn_of(joint, q);
    const Vec3 spin = v.segment<3>(joint.v_index);
    w.segment<3>(joint.v_index) = R * spin;
    if (joint.type == JointType::spherical) continue;
    w.segment<3>(joint.v_index + 3) = R * (v.segment<3>(joint.v_index + 3) + spin.cross(center_in_M(model, i)));
  }
}

void from_carried(const Model& model, const VectorX& q, const VectorX& w, VectorX& v) {
  v = w;
  for (int i = 0; i < model.body_count(); ++i) {
    const Joint& joint = model.joints()[i];
    if (!turns(joint)) continue;
    const Mat3 R = turn_of(joint, q);
    const Vec3 spin = R.transpose() * w.segment<3>(joint.v_index);
    v.segment<3>(joint.v_index) = spin;
    if (joint.type == JointType::spherical) continue;
    v.segment<3>(joint.v_index + 3) =
        R.transpose() * w.segment<3>(joint.v_index + 3) - spin.cross(center_in_M(model, i));
  }
}

std::vector<int> moving_roots(const Model& model) {
  std::vector<int> roots;
  for (int body = 0; body < model.body_count(); ++body) {
    if (model.root(body) == body && !model.tree(body).coordinates.empty()) roots.push_back(body);
  }
  return roots;
}

std::vector<int> coordinates_of_tree(const Model& model, int root) {
  std::vector<int> coordinates;
  for (const auto& [first, count] : model.tree(root).coordinates) {
    for (int k = first; k < first + count; ++k) coordinates.push_back(k);
  }
  return coordinates;
}

void carried_mass(const Model& model, int root, const VectorX& q, const VectorX& extra, DynamicsWorkspace& workspace,
                  MatrixX& B, MatrixX& mass) {
  const Tree& tree = model.tree(root);
  tree_mass_matrix(model, tree, workspace, mass);
  Eigen::Index k = 0;
  for (const auto& [first, count] : tree.coordinates) {
    for (int i = 0; i < count; ++i, ++k) mass(k, k) += extra[first + i];
  }
  B.setIdentity(mass.rows(), mass.cols());
  k = 0;
  for (const int body : tree.bodies) {
    const Joint& joint = model.joints()[body];
    if (turns(joint)) {
      const Mat3 R = turn_of(joint, q).transpose();
      B.block<3, 3>(k, k) = R;
      if (joint.type == JointType::free) {
        B.block<3, 3>(k + 3, k) = skew(center_in_M(model, body)) * R;
        B.block<3, 3>(k + 3, k + 3) = R;
      }
    }
    k += model.nodes()[body].velocity_size;
  }
  mass = (B.transpose() * mass * B).eval();
}

CarriedMotion::CarriedMotion(const Model& model)
    : workspace_(model), columns_(model.velocity_count()), turning_(model.body_count(), Mat3::Identity()) {
  q_end_.setZero(model.position_count());
  v_.setZero(model.velocity_count());
}

void CarriedMotion::move(const Model& model, const VectorX& q, const VectorX& w, double h) {
  h_ = h;
  from_carried(model, q, w, v_);
  integrate(model, q, v_, h, q_end_);
  forward_kinematics(model, q_end_, workspace_);
  for (int i = 0; i < model.body_count(); ++i) {
    const Joint& joint = model.joints()[i];
    const TreeNode& node = model.nodes()[i];
    if (!turns(joint)) {
      for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) {
        const Motion& S = workspace_.columns[k].S;
        columns_[k] = {S.angular, S.linear, workspace_.nodes[i].p};
      }
      continue;
    }
    const Mat3 R_WF = pose(joint.parent).R * joint.X_PF.R;
    const bool is_free = joint.type == JointType::free;
    const Vec3 origin = is_free ? Vec3(workspace_.X_WB[i] * model.bodies()[i].inertia.center) : workspace_.nodes[i].p;
    for (int axis = 0; axis < 3; ++axis) {
      columns_[node.v_index + axis] = {R_WF.col(axis), Vec3::Zero(), origin};
      if (is_free) columns_[node.v_index + 3 + axis] = {Vec3::Zero(), R_WF.col(axis), origin};
    }
    turning_[i] = left_jacobian(h * w.segment<3>(node.v_index));
  }
}

void CarriedMotion::path(const Model& model, int body_a, int body_b, std::vector<int>& coordinates) const {
  coordinates.clear();
  // Parents come before their children, so the greater of the two is the one to leave.
  while (body_a >= 0 || body_b >= 0) {
    const int body = std::max(body_a, body_b);
    const TreeNode& node = model.nodes()[body];
    for (int k = node.v_index + node.velocity_size; k-- > node.v_index;) coordinates.push_back(k);
    if (body_a == body) body_a = node.parent;
    if (body_b == body) body_b = node.parent;
  }
  std::reverse(coordinates.begin(), coordinates.end());
}

bool CarriedMotion::moves(const Model& model, int coordinate, int body) const {
  const int joint = model.coordinate_body(coordinate);
  while (body > joint) body = model.nodes()[body].parent;
  return body == joint;
}

bool CarriedMotion::carries(const Model& model, int j, int k) const {
  const int joint_j = model.coordinate_body(j), joint_k = model.coordinate_body(k);
  if (joint_j != joint_k) return joint_j < joint_k && moves(model, j, joint_k);
  const Joint& joint = model.joints()[joint_j];
  if (joint.type == JointType::spherical) return false;
  if (joint.type == JointType::free) return j >= joint.v_index + 3 && k < joint.v_index + 3;
  return j < k;
}

Vec6 CarriedMotion::velocity(const Model& model, int body, const Vec3& x, const VectorX& w) const {
  Vec6 sum = Vec6::Zero();
  for (int i = body; i >= 0; i = model.nodes()[i].parent) {
    const TreeNode& node = model.nodes()[i];
    for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) {
      sum.head<3>() += w[k] * columns_[k].angular;
      sum.tail<3>() += w[k] * columns_[k].at(x);
    }
  }
  return sum;
}

void CarriedMotion::velocity_jacobian(const Model& model, int body, const Vec3& x, const std::vector<int>& coordinates,
                                      Eigen::Ref<MatrixX> J) const {
  J.setZero();
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (!moves(model, coordinates[i], body)) continue;
    const Column& column = columns_[coordinates[i]];
    J.col(static_cast<Eigen::Index>(i)) << column.angular, column.at(x);
  }
}

void CarriedMotion::velocity_slope(const Model& model, int body, const Vec3& x, const VectorX& w,
                                   const std::vector<int>& coordinates, Eigen::Ref<MatrixX> J) const {
  J.setZero();
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const int j = coordinates[i];
    if (!moves(model, j, body)) continue;
    Vec3 angular = Vec3::Zero(), linear = Vec3::Zero();
    for (const int k : coordinates) {
      if (!moves(model, k, body) || !carries(model, j, k)) continue;
      angular += w[k] * columns_[k].angular;
      linear += w[k] * columns_[k].at(x);
    }
    const Vec3 turn = columns_[j].angular, shift = columns_[j].at(x);
    J.col(static_cast<Eigen::Index>(i)) << turn.cross(angular), turn.cross(linear) + shift.cross(angular);
  }
}

void CarriedMotion::add_force_slope(const Model& model, int body, const Vec3& x, const Vec3& force, const Vec3& moment,
                                    double sign, const std::vector<int>& coordinates, Eigen::Ref<MatrixX> K) const {
  for (std::size_t r = 0; r < coordinates.size(); ++r) {
    const int k = coordinates[r];
    if (!moves(model, k, body)) continue;
    const Vec3 angular = columns_[k].angular, linear = columns_[k].at(x);
    for (std::size_t c = 0; c < coordinates.size(); ++c) {
      const int j = coordinates[c];
      if (!moves(model, j, body) || !carries(model, j, k)) continue;
      const Vec3 turn = columns_[j].angular, shift = columns_[j].at(x);
      K(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) +=
          sign * (moment.dot(turn.cross(angular)) + force.dot(turn.cross(linear) + shift.cross(angular)));
    }
  }
}

void CarriedMotion::to_velocity(const Model& model, const std::vector<int>& coordinates, Eigen::Ref<MatrixX> J) const {
  J *= h_;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const int body = model.coordinate_body(coordinates[i]);
    const Joint& joint = model.joints()[body];
    if (!turns(joint) || coordinates[i] != joint.v_index) continue;
    const auto first = static_cast<Eigen::Index>(i);
    for (Eigen::Index row = 0; row < J.rows(); ++row) {
      const Eigen::RowVector3d turned = J.row(row).segment<3>(first) * turning_[body];
      J.row(row).segment<3>(first) = turned;
    }
  }
}

void CarriedMotion::row_path(const Model& model, const ConstraintRow& row, std::vector<int>& coordinates) const {
  if (row.coordinate < 0) {
    path(model, row.body_a, row.body_b, coordinates);
    return;
  }
  const Joint& joint = model.joints()[model.coordinate_body(row.coordinate)];
  if (turns(joint)) {  // rates about M's axes mix those about F's
    coordinates.resize(static_cast<std::size_t>(velocity_size(joint)));
    std::iota(coordinates.begin(), coordinates.end(), joint.v_index);
    return;
  }
  coordinates.clear();
  row.for_each_term([&](int k, double) { coordinates.push_back(k); });
  std::sort(coordinates.begin(), coordinates.end());
}

void CarriedMotion::row_coefficients(const Model& model, const ConstraintRow& row, const std::vector<int>& coordinates,
                                     Eigen::Ref<VectorX> coefficients) const {
  coefficients.setZero();
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const int k = coordinates[i];
    double& coefficient = coefficients[static_cast<Eigen::Index>(i)];
    if (row.coordinate >= 0 && turns(model.joints()[model.coordinate_body(row.coordinate)])) {
      const int body = model.coordinate_body(row.coordinate);
      const Motion& S = workspace_.columns[row.coordinate].S;  // an axis of M
      const bool turn = row.coordinate < model.joints()[body].v_index + 3;
      coefficient = turn ? S.angular.dot(columns_[k].angular) : S.linear.dot(columns_[k].at(workspace_.nodes[body].p));
      coefficient *= row.sign * row.coefficient;
      continue;
    }
    if (row.coordinate >= 0) {
      row.for_each_term([&](int own, double of_own) {
        if (own == k) coefficient = of_own;
      });
      continue;
    }
    const Column& column = columns_[k];
    if (moves(model, k, row.body_a))
      coefficient += row.direction.dot(column.at(row.point_a)) + row.moment.dot(column.angular);
    if (moves(model, k, row.body_b))
      coefficient -= row.direction.dot(column.at(row.point_b)) + row.moment.dot(column.angular);
  }
}

}  // namespace carom
