#pragma once

#include <algorithm>
#include <unsupported/Eigen/AutoDiff>

#include "reference_dynamics.h"

// Slopes to round-off, of functions written for any scalar.
namespace carom {

/// A number and its slopes along eight directions.
using Dual = Eigen::AutoDiffScalar<Eigen::Matrix<double, 8, 1>>;
using DualVector = reference::Vector<Dual>;
using DualMatrix = reference::Matrix<Dual>;

/// Column k: the slope of f at x along the k-th unit vector. f takes and returns vectors of duals.
template <typename Function>
MatrixX slopes(const VectorX& x, Function&& f) {
  const int n = static_cast<int>(x.size());
  MatrixX result;
  for (int first = 0; first < n; first += 8) {
    DualVector at = x.cast<Dual>();
    for (int k = first; k < std::min(n, first + 8); ++k) at[k].derivatives()[k - first] = 1;
    const DualVector value = f(at);
    result.resize(value.size(), n);
    for (int k = first; k < std::min(n, first + 8); ++k) {
      for (int i = 0; i < value.size(); ++i) result(i, k) = value[i].derivatives()[k - first];
    }
  }
  return result;
}

/// A displacement that grows from zero at the velocity v: slopes of what depends on it are rates.
inline DualVector moving_along(const VectorX& v) {
  DualVector turn = DualVector::Constant(v.size(), Dual(0));
  for (int k = 0; k < v.size(); ++k) turn[k].derivatives()[0] = v[k];
  return turn;
}

inline MatrixX rate_of(const DualMatrix& value) {
  MatrixX rate(value.rows(), value.cols());
  for (int i = 0; i < value.rows(); ++i) {
    for (int k = 0; k < value.cols(); ++k) rate(i, k) = value(i, k).derivatives()[0];
  }
  return rate;
}

inline MatrixX value_of(const DualMatrix& dual) {
  MatrixX value(dual.rows(), dual.cols());
  for (int i = 0; i < dual.rows(); ++i) {
    for (int k = 0; k < dual.cols(); ++k) value(i, k) = dual(i, k).value();
  }
  return value;
}

}  // namespace carom
