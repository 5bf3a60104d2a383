#include "carom/stepper/constraint_multipliers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "carom/dynamics/constraint_equations.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

constexpr double round_off_row = 1e-13;  // of the largest A_ii: no ratio of masses that a mechanism has
constexpr double rank_tolerance = 1e-9;

}  // namespace

void ConstraintMultipliers::reserve(int rows) {
  const auto k = static_cast<std::size_t>(rows);
  scaled_.reserve(k * k);
  factor_.reserve(k * k);
  depends_.reserve(k);
  for (auto* buffer : {&scale_, &right_, &left_}) buffer->reserve(k);
  factorization_.reserve(rows, rows);
}

/// Cholesky in factor_, row-major, where dependent rows are left out.
int ConstraintMultipliers::factor_rows() {
  int dependent = 0;
  for (int j = 0; j < rows_; ++j) {
    double* L_j = row(j);
    double left = L_j[j];
    for (int k = 0; k < j; ++k) {
      const double* L_k = row(k);
      if (depends_[k]) {
        L_j[k] = 0;
        continue;
      }
      for (int i = 0; i < k; ++i) L_j[k] -= L_j[i] * L_k[i];
      L_j[k] /= L_k[k];
      left -= L_j[k] * L_j[k];
    }
    depends_[j] = !(left > rank_tolerance);
    L_j[j] = depends_[j] ? 0 : std::sqrt(left);
    dependent += depends_[j];
  }
  return dependent;
}

int ConstraintMultipliers::factor(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  rows_ = static_cast<int>(A.rows());
  const auto k = static_cast<std::size_t>(rows_);
  scaled_.resize(k * k);
  depends_.resize(k);
  for (auto* buffer : {&scale_, &right_, &left_}) buffer->resize(k);
  // A row that moves nothing keeps the scale zero and gets no multiplier. Both its sides are then fixed, or both move
  // alike but for round-off, as along the axes of a planar loop in flight.
  const double least = rows_ > 0 ? round_off_row * A.diagonal().maxCoeff() : 0;
  for (int i = 0; i < rows_; ++i) scale_[i] = A(i, i) > least ? 1 / std::sqrt(A(i, i)) : 0;
  for (int j = 0; j < rows_; ++j) {
    for (int i = 0; i < rows_; ++i) scaled_[i + j * k] = scale_[i] * A(i, j) * scale_[j];
  }
  factor_ = scaled_;
  dependent_ = factor_rows();
  if (dependent_ > 0) factorization_.factorize(Eigen::Map<const Eigen::MatrixXd>(scaled_.data(), rows_, rows_));
  return dependent_;
}

void ConstraintMultipliers::solve(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::Ref<Eigen::VectorXd> lambda) {
  for (int i = 0; i < rows_; ++i) right_[i] = scale_[i] * b[i];
  if (dependent_ > 0) {
    factorization_.solve(right_, left_);
  } else {
    left_ = right_;
    for (int i = 0; i < rows_; ++i) {
      for (int k = 0; k < i; ++k) left_[i] -= row(i)[k] * left_[k];
      left_[i] /= row(i)[i];
    }
    for (int i = rows_ - 1; i >= 0; --i) {
      left_[i] /= row(i)[i];
      for (int k = 0; k < i; ++k) left_[k] -= row(i)[k] * left_[i];
    }
  }
  for (int i = 0; i < rows_; ++i) lambda[i] = scale_[i] * left_[i];
}

std::vector<Redundancy> redundant_constraints(const Model& model, const VectorX& q, double time) {
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, q, workspace);
  factor_mass(model, VectorX(), workspace);
  ConstraintEquations equations;
  constraint_equations(model, q, time, ConstraintLevel::velocity, workspace, equations);
  Delassus delassus;
  delassus.build(model, equations.rows, workspace);
  ConstraintMultipliers multipliers;
  multipliers.factor(delassus.matrix());
  std::vector<Redundancy> result;
  int row = 0;
  for (std::size_t i = 0; i < model.constraints().size(); ++i) {
    int count = 0;
    for (const int end = row + row_count(model.constraints()[i].kind); row < end; ++row) {
      count += multipliers.depends(row) ? 1 : 0;
    }
    if (count > 0) result.push_back({static_cast<int>(i), count});
  }
  return result;
}

}  // namespace carom
