#include "carom/impact/impact_rows.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "carom/complementarity/worse_of.h"
#include "carom/error.h"

namespace carom {

void check_sizes(const ImpactProblem& problem) {
  const Eigen::Index k = problem.u.size();
  if (problem.A.rows() != k || problem.A.cols() != k) {
    throw Error("The operator A of the impact is " + std::to_string(problem.A.rows()) + " x " +
                std::to_string(problem.A.cols()) + ", but u has " + std::to_string(k) +
                " rows; A must be square with as many rows as u.");
  }
  if (problem.surfaces.size() != problem.blocks.size()) {
    throw Error("The impact has " + std::to_string(problem.blocks.size()) + " blocks and " +
                std::to_string(problem.surfaces.size()) + " surfaces; there must be one surface per block.");
  }
  Eigen::Index covered = 0;
  for (std::size_t b = 0; b < problem.blocks.size(); ++b) {
    const Block& block = problem.blocks[b];
    if (block.kind == BlockKind::bounded || block.kind == BlockKind::ellipsoid) {
      throw Error("Block " + std::to_string(b) +
                  " of the impact is bounded or an ellipsoid; impact laws know bilateral, unilateral and cone blocks.");
    }
    if (block.row < 0 || block.row + block.size() > k) {
      throw Error("Block " + std::to_string(b) + " of the impact begins at row " + std::to_string(block.row) +
                  " and does not fit in the " + std::to_string(k) + " rows of u.");
    }
    covered += block.size();
    if (block.kind == BlockKind::bilateral) continue;
    const ImpactSurface& surface = problem.surfaces[b];
    if (!(surface.stiffness > 0) || !std::isfinite(surface.stiffness)) {
      throw Error("Surface " + std::to_string(b) + " of the impact has the stiffness " +
                  std::to_string(surface.stiffness) + "; it must be positive and finite.");
    }
    if (surface.tangential_spring && !(surface.tangential_spring->stiffness > 0)) {
      throw Error("Surface " + std::to_string(b) + " of the impact has a tangential spring of the stiffness " +
                  std::to_string(surface.tangential_spring->stiffness) + "; it must be above 0.");
    }
    if (!(surface.exponent >= 1) || !std::isfinite(surface.exponent)) {
      throw Error("Surface " + std::to_string(b) + " of the impact has the exponent " +
                  std::to_string(surface.exponent) + "; it must be 1 or more (1 a linear spring, 1.5 Hertz).");
    }
    if (!(block.friction.minCoeff() >= 0)) {
      throw Error("Block " + std::to_string(b) + " of the impact has a friction that is negative or no number.");
    }
  }
  if (covered != k) {
    throw Error("The blocks of the impact cover " + std::to_string(covered) + " rows of " + std::to_string(k) +
                "; every row must belong to one block.");
  }
}

void ImpactRows::gather(const ImpactProblem& problem) {
  check_sizes(problem);
  const Eigen::Index k = problem.u.size();
  const ContactProblem whole{problem.A, problem.u, problem.blocks};
  reduced_ = elimination_.eliminate(whole);
  speed_ = k > 0 ? problem.u.cwiseAbs().maxCoeff() : 0;
  if (!(speed_ > 0)) speed_ = 1;

  contacts_.clear();
  for (std::size_t b = 0, left = 0; b < problem.blocks.size(); ++b) {
    const Block& block = problem.blocks[b];
    if (block.kind == BlockKind::bilateral) continue;
    Contact contact;
    contact.block = static_cast<int>(b);
    contact.row = reduced_ ? static_cast<int>(left) : block.row;
    contact.normal_at = contact.row + block.size() - 1;
    contact.friction[0] = block.friction.x();
    contact.friction[1] = block.friction.y();
    left += block.size();
    contacts_.push_back(contact);
  }
  const int n = contacts();
  from_.resize(n);
  scale_.assign(n, 1.0);
  for (int i = 0; i < n; ++i) {
    Contact& contact = contacts_[i];
    from_[i] = contact.normal_at;
    if (contact.normal_at == contact.row || !(contact.friction[0] + contact.friction[1] > 0)) continue;
    contact.tangent = static_cast<int>(from_.size());
    for (int t = 0; t < 2; ++t) {
      from_.push_back(contact.row + t);
      scale_.push_back(contact.friction[t]);
    }
  }
  rows_ = static_cast<int>(from_.size());
  matrix_.resize(static_cast<std::size_t>(rows_) * rows_);
  velocity_.resize(rows_);

  const auto fill = [&](const auto& A, const auto& u) {
    for (int j = 0; j < rows_; ++j) {
      double* column = matrix_.data() + static_cast<std::ptrdiff_t>(j) * rows_;
      for (int i = 0; i < rows_; ++i) column[i] = scale_[i] * scale_[j] * A(from_[i], from_[j]);
      velocity_[j] = scale_[j] * u(from_[j]);
    }
  };
  if (reduced_) {
    const ContactProblem rest = elimination_.problem();
    fill(rest.A.dense(), rest.u);
  } else if (problem.A.form() == ContactOperator::Form::dense) {
    fill(problem.A.dense(), problem.u);
  } else {
    whole_.resize(static_cast<std::size_t>(k) * k);
    Eigen::Map<Eigen::MatrixXd> A(whole_.data(), k, k);
    problem.A.copy_to(A);
    fill(A, problem.u);
  }
}

/// ½ Pᵀ B P + wᵀ P ≤ 0, and = 0 where nothing is lost.
void ImpactRows::balance_energy(bool conserves, double* P) const {
  double first = 0, second = 0;
  for (int j = 0; j < rows_; ++j) {
    const double* own = matrix() + static_cast<std::ptrdiff_t>(j) * rows_;
    double sum = 0;
    for (int i = 0; i < rows_; ++i) sum += own[i] * P[i];
    second += 0.5 * P[j] * sum;
    first += velocity()[j] * P[j];
  }
  if (!(second > 0 && (first + second > 0 || conserves))) return;
  const double share = std::max(0.0, -first / second);
  for (int i = 0; i < rows_; ++i) P[i] *= share;
}

void ImpactRows::scatter(const ImpactProblem& problem, const double* P, Eigen::Ref<Eigen::VectorXd> impulse,
                         Eigen::Ref<Eigen::VectorXd> velocity) {
  left_.assign(problem.u.size(), 0.0);
  for (int i = 0; i < rows_; ++i) left_[from_[i]] = scale_[i] * P[i];
  if (!reduced_) {
    impulse = Eigen::Map<const Eigen::VectorXd>(left_.data(), problem.u.size());
  } else {
    elimination_.expand(left_.data(), impulse.data());
    problem.A.multiply(impulse, velocity);
    velocity += problem.u;
    elimination_.correct(velocity.data(), impulse.data());
  }
  problem.A.multiply(impulse, velocity);
  velocity += problem.u;
}

void measure(const ImpactProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& impulse,
             const Eigen::Ref<const Eigen::VectorXd>& velocity, ImpactOutcome& outcome) {
  double energy = 0, size = 0, left = 0;
  for (Eigen::Index i = 0; i < problem.u.size(); ++i) {
    energy += 0.5 * (velocity(i) + problem.u(i)) * impulse(i);
    size = std::max(size, std::abs(problem.u(i)));
  }
  for (const Block& block : problem.blocks) {
    const double v = velocity(block.normal_row());
    left = worse_of(left, block.kind == BlockKind::bilateral ? std::abs(v + block.offset) : -v);
  }
  outcome.energy_change = energy;
  outcome.residual = left / (size > 0 ? size : 1);
}

}  // namespace carom
