#include "carom/complementarity/linear/nonnegative_least_squares.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

using Matrix = Eigen::Ref<const Eigen::MatrixXd>;
using Vector = Eigen::Ref<const Eigen::VectorXd>;

/// The columns that are in, B_in = Q R.
class ColumnSet {
 public:
  ColumnSet(const Matrix& B, const Vector& b) : B_(B), b_(b) {
    const Eigen::Index most = std::min(B.rows(), B.cols());
    Q_.resize(B.rows(), most);
    R_.resize(most, most);
    in_.reserve(static_cast<std::size_t>(most));
  }

  const std::vector<int>& columns() const { return in_; }

  /// False if the column depends on those that are in.
  bool add(int column, double tolerance) {
    const Eigen::Index s = size();
    if (s == Q_.cols()) return false;
    Eigen::VectorXd rest = B_.col(column);
    const double length = rest.stableNorm();
    R_.col(s).setZero();
    for (int round = 0; round < 2; ++round) {
      for (Eigen::Index i = 0; i < s; ++i) {
        const double part = Q_.col(i).dot(rest);
        rest -= part * Q_.col(i);
        R_(i, s) += part;
      }
    }
    R_(s, s) = rest.stableNorm();
    if (!(R_(s, s) > tolerance * length)) return false;
    Q_.col(s) = rest / R_(s, s);
    in_.push_back(column);
    return true;
  }

  /// Plane rotations make R triangular again.
  void remove(std::size_t position) {
    const auto first = static_cast<Eigen::Index>(position);
    const Eigen::Index s = size();
    for (Eigen::Index j = first; j + 1 < s; ++j) {
      R_.col(j) = R_.col(j + 1);
      const double length = std::hypot(R_(j, j), R_(j + 1, j));
      const double cosine = R_(j, j) / length, sine = R_(j + 1, j) / length;
      for (Eigen::Index c = j; c + 1 < s; ++c) {
        // The columns after j still stand one place further right.
        double& upper = c == j ? R_(j, j) : R_(j, c + 1);
        double& lower = c == j ? R_(j + 1, j) : R_(j + 1, c + 1);
        const double turned = cosine * upper + sine * lower;
        lower = cosine * lower - sine * upper;
        upper = turned;
      }
      const Eigen::VectorXd turned = cosine * Q_.col(j) + sine * Q_.col(j + 1);
      Q_.col(j + 1) = cosine * Q_.col(j + 1) - sine * Q_.col(j);
      Q_.col(j) = turned;
    }
    in_.erase(in_.begin() + first);
  }

  /// Unconstrained least squares over the columns that are in, refined once against B.
  Eigen::VectorXd solve() const {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(size());
    for (int round = 0; round < 2; ++round) {
      const Eigen::VectorXd rest = residual(x);
      Eigen::VectorXd step = Q_.leftCols(size()).transpose() * rest;
      for (Eigen::Index i = size() - 1; i >= 0; --i) {
        for (Eigen::Index j = i + 1; j < size(); ++j) step(i) -= R_(i, j) * step(j);
        step(i) /= R_(i, i);
      }
      x += step;
    }
    return x;
  }

  Eigen::VectorXd residual(const Eigen::VectorXd& x) const {
    Eigen::VectorXd rest = b_;
    for (Eigen::Index i = 0; i < size(); ++i) rest -= x(i) * B_.col(in_[static_cast<std::size_t>(i)]);
    return rest;
  }

 private:
  Eigen::Index size() const { return static_cast<Eigen::Index>(in_.size()); }

  Matrix B_;
  Vector b_;
  Eigen::MatrixXd Q_, R_;
  std::vector<int> in_;
};

class NonnegativeSearch {
 public:
  NonnegativeSearch(const Matrix& B, const Vector& b, const std::vector<bool>& free, const NonnegativeOptions& options)
      : B_(B), set_(B, b), options_(options), free_(free), waiting_(static_cast<std::size_t>(B.cols()), false) {
    free_.resize(static_cast<std::size_t>(B.cols()), false);
    for (Eigen::Index j = 0; j < B.cols(); ++j) lengths_.push_back(B.col(j).stableNorm());
    size_of_b_ = b.stableNorm();
  }

  NonnegativeResult run(Eigen::Ref<Eigen::VectorXd> x) {
    NonnegativeResult result;
    const int n = static_cast<int>(B_.cols());
    for (int j = 0; j < n; ++j) {
      ask_to_go_on(options_.stop);
      if (free_[static_cast<std::size_t>(j)]) set_.add(j, options_.dependence_tolerance);
    }
    x_ = set_.solve();
    const int limit = options_.max_iterations > 0 ? options_.max_iterations : 3 * n + 10;
    while (result.iterations < limit) {
      ask_to_go_on(options_.stop);
      const int best = most_promising(set_.residual(x_));
      if (best < 0) {
        result.converged = true;
        break;
      }
      if (take_in(best)) {
        ++result.iterations;
        std::fill(waiting_.begin(), waiting_.end(), false);
      } else {
        waiting_[static_cast<std::size_t>(best)] = true;  // until the set changes
      }
    }
    result.residual = set_.residual(x_).stableNorm();
    x.setZero();
    for (std::size_t i = 0; i < set_.columns().size(); ++i) x(set_.columns()[i]) = x_(static_cast<Eigen::Index>(i));
    return result;
  }

 private:
  int most_promising(const Eigen::VectorXd& rest) const {
    std::vector<bool> in(waiting_);
    double terms = size_of_b_;
    for (std::size_t i = 0; i < set_.columns().size(); ++i) {
      const auto column = static_cast<std::size_t>(set_.columns()[i]);
      in[column] = true;
      terms += lengths_[column] * std::abs(x_(static_cast<Eigen::Index>(i)));
    }
    int best = -1;
    double most = options_.promise_tolerance * terms;
    for (Eigen::Index j = 0; j < B_.cols(); ++j) {
      const auto column = static_cast<std::size_t>(j);
      if (in[column] || free_[column] || lengths_[column] == 0) continue;
      const double promise = B_.col(j).dot(rest) / lengths_[column];
      if (promise > most) {
        most = promise;
        best = static_cast<int>(j);
      }
    }
    return best;
  }

  /// Adds the column and moves towards the new least squares, putting out what would turn negative. False, with nothing
  /// changed, if the column depends on the others or would itself turn negative by round-off.
  bool take_in(int column) {
    if (!set_.add(column, options_.dependence_tolerance)) return false;
    Eigen::VectorXd target = set_.solve();
    if (!(target(target.size() - 1) > 0)) {
      set_.remove(set_.columns().size() - 1);
      return false;
    }
    x_.conservativeResize(target.size());
    x_(target.size() - 1) = 0;
    while (turns_negative(target)) {
      x_ += longest_step(target) * (target - x_);
      put_out_zeros(target);
      target = set_.solve();
    }
    x_ = target;
    return true;
  }

  bool is_signed(Eigen::Index i) const {
    return !free_[static_cast<std::size_t>(set_.columns()[static_cast<std::size_t>(i)])];
  }

  bool turns_negative(const Eigen::VectorXd& target) const {
    for (Eigen::Index i = 0; i < target.size(); ++i) {
      if (is_signed(i) && target(i) <= 0) return true;
    }
    return false;
  }

  double longest_step(const Eigen::VectorXd& target) const {
    double step = 1;
    for (Eigen::Index i = 0; i < target.size(); ++i) {
      if (is_signed(i) && target(i) <= 0) step = std::min(step, x_(i) / (x_(i) - target(i)));
    }
    return step;
  }

  /// Puts out those that were stopped by the step, all at zero: one at least, so that the search ends.
  void put_out_zeros(const Eigen::VectorXd& target) {
    Eigen::Index least = -1;
    for (Eigen::Index i = 0; i < x_.size(); ++i) {
      if (is_signed(i) && target(i) <= 0 && (least < 0 || x_(i) < x_(least))) least = i;
    }
    x_(least) = 0;
    for (Eigen::Index i = x_.size() - 1; i >= 0; --i) {
      if (!is_signed(i) || target(i) > 0 || x_(i) > 0) continue;
      set_.remove(static_cast<std::size_t>(i));
      for (Eigen::Index j = i; j + 1 < x_.size(); ++j) x_(j) = x_(j + 1);
      x_.conservativeResize(x_.size() - 1);
    }
  }

  Matrix B_;
  ColumnSet set_;
  NonnegativeOptions options_;
  std::vector<bool> free_, waiting_;
  std::vector<double> lengths_;
  double size_of_b_ = 0;
  Eigen::VectorXd x_;  // of the columns that are in
};

}  // namespace

NonnegativeResult nonnegative_least_squares(const Eigen::Ref<const Eigen::MatrixXd>& B,
                                            const Eigen::Ref<const Eigen::VectorXd>& b, const std::vector<bool>& free,
                                            const NonnegativeOptions& options, Eigen::Ref<Eigen::VectorXd> x) {
  return NonnegativeSearch(B, b, free, options).run(x);
}

}  // namespace carom
