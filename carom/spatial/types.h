#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

// Names of the fixed-size matrices that Carom's formulas use. Everything is double.
namespace carom {

using Vec2 = Eigen::Vector2d;
using Mat2 = Eigen::Matrix2d;
using Vec3 = Eigen::Vector3d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat3 = Eigen::Matrix3d;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using VectorX = Eigen::VectorXd;
using MatrixX = Eigen::MatrixXd;
using Quaternion = Eigen::Quaterniond;

}  // namespace carom
