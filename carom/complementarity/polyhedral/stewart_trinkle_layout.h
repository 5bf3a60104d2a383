#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/contact_problem.h"

namespace carom {

/// Unit vectors (cos(2πj/K), sin(2πj/K)), 2 × K. For even K opposite ones are exact negatives, and those on an axis
/// exact.
void cone_directions(int directions, Eigen::Matrix2Xd& result);

/// Which unknown of Stewart and Trinkle's LCP is what, for blocks that are unilateral, bounded or cone. The unknowns
/// are z = (c of all blocks; β of all cones with friction, K each; λ of these and of bounded rows), with
///
///     p_n = constant + c,   p_t = Σ_j β_j (stretch_x cos(2πj/K), stretch_y sin(2πj/K))
///
/// The constant is the floor, for a bounded row the lower bound.
class StewartTrinkleLayout {
 public:
  struct Part {
    int row = 0;  ///< of the contact problem: of a cone the first of three
    int normal_row = 0;
    int beta = -1;         ///< first β; −1 without friction
    int cap = -1;          ///< λ; −1 if there is none
    double bound = 0;      ///< μ = max(μ_x, μ_y)
    double stretch_x = 0;  ///< μ_x / μ
    double stretch_y = 0;
    double constant = 0;
    double range = 0;  ///< of a bounded row, upper − lower
  };

  void build(std::span<const Block> blocks, int directions);

  int size() const { return size_; }
  int directions() const { return static_cast<int>(directions_.cols()); }
  std::span<const Part> parts() const { return parts_; }
  /// Block of an unknown.
  int block_of(int j) const { return block_of_[j]; }
  /// Unit vectors, before they are stretched: x and y of each.
  const double* unit_vectors() const { return directions_.data(); }
  Eigen::Vector2d direction(const Part& part, int j) const {
    return {directions_(0, j) * part.stretch_x, directions_(1, j) * part.stretch_y};
  }

  /// Pᵀ y: from rows of the contact problem to the rows of c and β.
  void project(const double* y, double* rows) const;

  /// p of z, whose c and β count `unit` N s. Contacts without normal impulse get tangent impulses of exactly zero.
  void recover_impulse(const double* z, double unit, Eigen::Ref<Eigen::VectorXd> impulse) const;

 private:
  int size_ = 0;
  Eigen::Matrix2Xd directions_;
  std::vector<Part> parts_;
  std::vector<int> block_of_;
};

/// Power of two next to 1 / mean of the squared sizes that unit impulses give to the normal rows.
double impulse_unit(double sum_of_squares, std::size_t count);

}  // namespace carom
