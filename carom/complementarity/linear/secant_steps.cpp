#include "carom/complementarity/linear/secant_steps.h"

#include <cmath>
#include <utility>

namespace carom {
namespace {

constexpr double same_direction = 1e-6;  // what is left of a difference that says nothing new, relative

}  // namespace

SecantSteps::SecantSteps(int size, int depth) : depth_(depth), dw_(depth), dF_(depth), dMF_(depth) {
  for (auto* list : {&dw_, &dF_, &dMF_}) {
    for (Eigen::VectorXd& vector : *list) vector.setZero(size);
  }
  for (Eigen::VectorXd* vector : {&w_, &F_, &MF_, &new_w_, &new_F_, &new_MF_}) vector->setZero(size);
}

/// Orthogonal to those kept, and of unit length.
void SecantSteps::keep_difference(const Eigen::VectorXd& F, const Eigen::VectorXd& MF, const Eigen::VectorXd& w) {
  if (kept_ == depth_) kept_ = 0;  // begin afresh: the oldest differences tell of places far away
  new_w_ = w - w_;
  new_F_ = F - F_;
  new_MF_ = MF - MF_;
  const double before = new_F_.dot(new_MF_);
  for (int i = 0; i < kept_; ++i) {
    const double along = dMF_[i].dot(new_F_);
    new_w_ -= along * dw_[i];
    new_F_ -= along * dF_[i];
    new_MF_ -= along * dMF_[i];
  }
  double left = new_F_.dot(new_MF_);
  if (!(left > same_direction * same_direction * before)) {
    // Those kept span it already (as many as there are coordinates, say) and tell of places further back.
    kept_ = 0;
    new_w_ = w - w_;
    new_F_ = F - F_;
    new_MF_ = MF - MF_;
    left = before;
    if (!(left > 0)) return;
  }
  const double scale = 1 / std::sqrt(left);
  dw_[kept_] = scale * new_w_;
  dF_[kept_] = scale * new_F_;
  dMF_[kept_] = scale * new_MF_;
  ++kept_;
}

void SecantSteps::step(const Eigen::VectorXd& F, const Eigen::VectorXd& MF, Eigen::VectorXd& w) {
  if (has_last_) keep_difference(F, MF, w);
  w_ = w;
  F_ = F;
  MF_ = MF;
  has_last_ = true;
  w -= F;
  for (int i = 0; i < kept_; ++i) {
    const double along = dMF_[i].dot(F);
    w -= along * dw_[i];
    w += along * dF_[i];
  }
}

}  // namespace carom
