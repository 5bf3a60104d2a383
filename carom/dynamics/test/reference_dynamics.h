#pragma once

#include <cmath>
#include <vector>

#include "carom/model/model.h"

// Dynamics of a tree once more, slowly and by other means than the library's, for any scalar. Poses are 4 × 4 matrices,
// and forces follow from d'Alembert's principle over the masses,
//
//   τ_k = Σ_i ∫ (∂x/∂q_k)·(ẍ − g) dm = Σ_i tr(Ŝ_k T_i P_i (T̈_i − Ĝ)ᵀ),     P_i = ∫ (x; 1)(x; 1)ᵀ dm in the body,
//
// over the bodies i beyond coordinate k (Uicker's form of the equations of motion). No motion or force vectors, no
// inertia about a point, no frame that moves. Accelerations come from poses as functions of time, to second order.
namespace carom::reference {

template <typename Scalar>
using Mat4 = Eigen::Matrix<Scalar, 4, 4>;
template <typename Scalar>
using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
template <typename Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

/// A pose as a function of time: value and two rates.
template <typename Scalar>
struct MovingPose {
  Mat4<Scalar> at, rate, second;

  MovingPose operator*(const MovingPose& b) const {
    MovingPose c;
    c.at = at * b.at;
    c.rate = rate * b.at + at * b.rate;
    c.second = second * b.at + rate * b.rate + rate * b.rate + at * b.second;
    return c;
  }
};

template <typename Scalar>
MovingPose<Scalar> at_rest(const Mat4<Scalar>& at) {
  return {at, Mat4<Scalar>::Zero(), Mat4<Scalar>::Zero()};
}

template <typename Scalar>
Mat4<Scalar> hat(const Eigen::Matrix<Scalar, 6, 1>& V) {
  const Scalar zero(0);
  Mat4<Scalar> m;
  m << zero, -V[2], V[1], V[3], V[2], zero, -V[0], V[4], -V[1], V[0], zero, V[5], zero, zero, zero, zero;
  return m;
}

inline Eigen::Matrix4d homogeneous(const Transform& X) {
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.topLeftCorner<3, 3>() = X.R;
  m.topRightCorner<3, 1>() = X.p;
  return m;
}

template <typename Scalar>
Mat4<Scalar> rigid_inverse(const Mat4<Scalar>& T) {
  Mat4<Scalar> inverse = T;
  inverse.template topLeftCorner<3, 3>() = T.template topLeftCorner<3, 3>().transpose();
  inverse.template topRightCorner<3, 1>() =
      -(inverse.template topLeftCorner<3, 3>() * T.template topRightCorner<3, 1>());
  return inverse;
}

/// exp(ξ̂ q): ξ̂ satisfies ξ̂⁴ = −|ω|² ξ̂².
template <typename Scalar>
Mat4<Scalar> exponential_of(const Eigen::Matrix4d& twist, const Scalar& q) {
  using std::cos;
  using std::sin;
  const Eigen::Matrix4d square = twist * twist, cube = square * twist;
  const double w = Vec3(twist(2, 1), twist(0, 2), twist(1, 0)).norm();
  Mat4<Scalar> T = Mat4<Scalar>::Identity() + twist.cast<Scalar>() * q;
  if (w == 0) return T;
  const Scalar angle = q * w, once = (Scalar(1) - cos(angle)) / (w * w), twice = (angle - sin(angle)) / (w * w * w);
  T += square.cast<Scalar>() * once;
  T += cube.cast<Scalar>() * twice;
  return T;
}

/// ∫ (x; 1)(x; 1)ᵀ dm in the body's frame.
inline Eigen::Matrix4d mass_moments(const SpatialInertia& inertia) {
  const Mat3 second = 0.5 * inertia.central.trace() * Mat3::Identity() - inertia.central;
  Eigen::Matrix4d P;
  P.topLeftCorner<3, 3>() = second + inertia.mass * inertia.center * inertia.center.transpose();
  P.topRightCorner<3, 1>() = inertia.mass * inertia.center;
  P.bottomLeftCorner<1, 3>() = inertia.mass * inertia.center.transpose();
  P(3, 3) = inertia.mass;
  return P;
}

/// A mechanism in a state that may depend on parameters, through the scalar.
template <typename Scalar>
class Tree {
 public:
  /// At q moved along `turn`, whose value is zero and whose derivatives are those of q as ∂/∂q means it.
  Tree(const Model& model, const VectorX& q, const Vector<Scalar>& turn, const Vector<Scalar>& v,
       const Vector<Scalar>& vdot)
      : model_(model), vdot_(vdot), pose_(model.body_count()), twist_(model.velocity_count()) {
    for (int i = 0; i < model.body_count(); ++i) {
      const Joint& joint = model.joints()[i];
      MovingPose<Scalar> X = at_rest<Scalar>(homogeneous(joint.X_PF).cast<Scalar>());
      if (joint.parent >= 0) X = pose_[joint.parent] * X;
      if (has_scalar_coordinates(joint.type)) {
        add_exponentials(joint, q, turn, v, X);
      } else if (joint.type != JointType::fixed) {
        add_body_turn(joint, q, turn, v, X);
      }
      pose_[i] = X * at_rest<Scalar>(homogeneous(joint.X_BM.inverse()).cast<Scalar>());
    }
  }

  const MovingPose<Scalar>& pose(int body) const { return pose_[body]; }
  /// ∂T T⁻¹ of the bodies beyond a coordinate.
  const Mat4<Scalar>& twist(int coordinate) const { return twist_[coordinate]; }

  bool is_beyond(int body, int coordinate) const {
    for (int i = body; i >= 0; i = model_.joints()[i].parent) {
      if (i == model_.coordinate_body(coordinate)) return true;
    }
    return false;
  }

  Vector<Scalar> forces() const {
    Vector<Scalar> tau(model_.velocity_count());
    for (int k = 0; k < tau.size(); ++k) tau[k] = reflected(k) * vdot_[k];
    Eigen::Matrix4d G = Eigen::Matrix4d::Zero();
    G.topRightCorner<3, 1>() = model_.gravity();
    for (int i = 0; i < model_.body_count(); ++i) {
      const Mat4<Scalar> moments = pose_[i].at * mass_moments(model_.bodies()[i].inertia).template cast<Scalar>();
      const Mat4<Scalar> relative = pose_[i].second - G.cast<Scalar>();
      const Mat4<Scalar> inertial = moments * relative.transpose();
      for (int k = 0; k < tau.size(); ++k) {
        if (is_beyond(i, k)) tau[k] += trace_of_product(twist_[k], inertial);
      }
    }
    return tau;
  }

  Matrix<Scalar> mass_matrix() const {
    const int n = model_.velocity_count();
    Matrix<Scalar> M = Matrix<Scalar>::Zero(n, n);
    for (int i = 0; i < model_.body_count(); ++i) {
      const Mat4<Scalar> moments = world_moments(i);
      for (int k = 0; k < n; ++k) {
        if (!is_beyond(i, k)) continue;
        const Mat4<Scalar> left = twist_[k] * moments;
        for (int l = 0; l < n; ++l) {
          if (is_beyond(i, l)) M(k, l) += trace_of_product(left, twist_[l].transpose());
        }
      }
    }
    for (int k = 0; k < n; ++k) M(k, k) += reflected(k);
    return M;
  }

  /// ∫ (x; 1)(x; 1)ᵀ dm in the world.
  Mat4<Scalar> world_moments(int body) const {
    const Mat4<Scalar> moments = mass_moments(model_.bodies()[body].inertia).template cast<Scalar>();
    return pose_[body].at * moments * pose_[body].at.transpose();
  }

 private:
  static Scalar trace_of_product(const Mat4<Scalar>& a, const Mat4<Scalar>& b) {
    Scalar sum(0);
    for (int r = 0; r < 4; ++r) {
      for (int c = 0; c < 4; ++c) sum += a(r, c) * b(c, r);
    }
    return sum;
  }

  double reflected(int coordinate) const {
    const Joint& joint = model_.joints()[model_.coordinate_body(coordinate)];
    return joint.reflected_inertia[coordinate - joint.v_index];
  }

  void add_exponentials(const Joint& joint, const VectorX& q, const Vector<Scalar>& turn, const Vector<Scalar>& v,
                        MovingPose<Scalar>& X) {
    const Twists twists = coordinate_twists(joint);
    for (int j = 0; j < twists.cols(); ++j) {
      const int k = joint.v_index + j;
      const Eigen::Matrix4d twist = hat<double>(twists.col(j));
      twist_[k] = X.at * twist.cast<Scalar>() * rigid_inverse(X.at);
      const Scalar angle = turn[k] + q[joint.q_index + j];
      MovingPose<Scalar> E;
      E.at = exponential_of(twist, angle);
      E.rate = (twist.cast<Scalar>() * E.at) * v[k];
      E.second = (twist.cast<Scalar>() * E.rate) * v[k] + (twist.cast<Scalar>() * E.at) * vdot_[k];
      X = X * E;
    }
  }

  /// A pose whose rate is its product with v's twist, in its own axes.
  void add_body_turn(const Joint& joint, const VectorX& q, const Vector<Scalar>& turn, const Vector<Scalar>& v,
                     MovingPose<Scalar>& X) {
    Transform X_FM{Quaternion(q[joint.q_index], q[joint.q_index + 1], q[joint.q_index + 2], q[joint.q_index + 3])
                       .toRotationMatrix(),
                   Vec3::Zero()};
    if (joint.type == JointType::free) X_FM.p = q.segment<3>(joint.q_index + 4);
    using Twist = Eigen::Matrix<Scalar, 6, 1>;
    Twist small = Twist::Zero(), V = small, V_rate = small;
    for (int j = 0; j < velocity_size(joint); ++j) {
      small[j] = turn[joint.v_index + j];
      V[j] = v[joint.v_index + j];
      V_rate[j] = vdot_[joint.v_index + j];
    }
    const Mat4<Scalar> turned = Mat4<Scalar>::Identity() + hat(small);  // all of exp that a first derivative sees
    MovingPose<Scalar> E;
    E.at = homogeneous(X_FM).cast<Scalar>() * turned;
    E.rate = E.at * hat(V);
    E.second = E.rate * hat(V) + E.at * hat(V_rate);
    X = X * E;
    for (int j = 0; j < velocity_size(joint); ++j) {
      const Eigen::Matrix4d unit = hat<double>(Vec6::Unit(j));
      twist_[joint.v_index + j] = X.at * unit.cast<Scalar>() * rigid_inverse(X.at);
    }
  }

  const Model& model_;
  Vector<Scalar> vdot_;
  std::vector<MovingPose<Scalar>> pose_;
  std::vector<Mat4<Scalar>> twist_;
};

/// Column k: (angular velocity; velocity of the point fixed in the body) per unit of v_k, the point where it is now.
template <typename Scalar>
Matrix<Scalar> frame_jacobian(const Model& model, const Tree<Scalar>& tree, int body, const Vec3& point_B) {
  Matrix<Scalar> J = Matrix<Scalar>::Zero(6, model.velocity_count());
  const Eigen::Vector4d in_body(point_B.x(), point_B.y(), point_B.z(), 1);
  const Eigen::Matrix<Scalar, 4, 1> point = tree.pose(body).at * in_body.cast<Scalar>();
  for (int k = 0; k < J.cols(); ++k) {
    if (!tree.is_beyond(body, k)) continue;
    const Mat4<Scalar>& S = tree.twist(k);
    const Eigen::Matrix<Scalar, 4, 1> moved = S * point;
    J.col(k) << S(2, 1), S(0, 2), S(1, 0), moved[0], moved[1], moved[2];
  }
  return J;
}

/// Column k: momentum (∫ (x − c) × (Ŝ_k x) dm; ∫ Ŝ_k x dm) of the bodies that move, by the bodies beyond k.
template <typename Scalar>
Matrix<Scalar> centroidal_momentum_matrix(const Model& model, const Tree<Scalar>& tree) {
  using Vec = Eigen::Matrix<Scalar, 3, 1>;
  Matrix<Scalar> A = Matrix<Scalar>::Zero(6, model.velocity_count());
  Mat4<Scalar> all = Mat4<Scalar>::Zero();
  for (int i = 0; i < model.body_count(); ++i) {
    if (!model.is_static(i)) all += tree.world_moments(i);
  }
  for (int k = 0; k < A.cols(); ++k) {
    Mat4<Scalar> beyond = Mat4<Scalar>::Zero();
    for (int i = 0; i < model.body_count(); ++i) {
      if (tree.is_beyond(i, k)) beyond += tree.world_moments(i);
    }
    const Mat4<Scalar> N = tree.twist(k) * beyond;  // ∫ ẋ (x; 1)ᵀ dm
    const Vec p = N.template topRightCorner<3, 1>(), c = all.template topRightCorner<3, 1>() / all(3, 3);
    const Vec about_origin(N(2, 1) - N(1, 2), N(0, 2) - N(2, 0), N(1, 0) - N(0, 1));
    const Vec about_center(about_origin[0] - (c[1] * p[2] - c[2] * p[1]), about_origin[1] - (c[2] * p[0] - c[0] * p[2]),
                           about_origin[2] - (c[0] * p[1] - c[1] * p[0]));
    A.col(k) << about_center, p;
  }
  return A;
}

/// x of A x = b by elimination without pivots, A symmetric and positive definite.
template <typename Scalar>
Vector<Scalar> solve(Matrix<Scalar> A, Vector<Scalar> b) {
  const int n = static_cast<int>(b.size());
  for (int k = 0; k < n; ++k) {
    for (int i = k + 1; i < n; ++i) {
      const Scalar factor = A(i, k) / A(k, k);
      for (int j = k + 1; j < n; ++j) A(i, j) -= factor * A(k, j);
      b[i] -= factor * b[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) b[k] -= A(k, j) * b[j];
    b[k] /= A(k, k);
  }
  return b;
}

}  // namespace carom::reference
