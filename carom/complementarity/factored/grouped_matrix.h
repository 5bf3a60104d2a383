#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/complementarity/contact_problem.h"
#include "carom/complementarity/factored/block_factors.h"

namespace carom {

/// The n × n matrix H = 1 + Σ_i G_iᵀ D_i G_i over blocks i, with G_i the rows of G of a block. Two groups of columns
/// are joined if a block touches both. H is written into and factored in dense panels (BlockFactors), in an order of
/// small fill. The order is found anew only if other groups are joined than before.
///
/// Cost: O(Σ (columns of a block)²) to write, then the factors'. That is O(n^1.5) if each body touches few others, as
/// in a wall. Allocates when groups are joined anew.
class GroupedMatrix {
 public:
  static constexpr int stride = 4;  ///< between rows of a D_i
  enum class Kind {
    symmetric,  ///< D_i symmetric positive semidefinite: Cholesky factors
    general,    ///< any D_i: L U without pivots
  };

  /// Lays out the places of entries. G's values are not read.
  void lay_out(const ContactFactors& G, std::span<const Block> blocks);

  /// D: stride · size numbers per block, row after row, stride² numbers from block to block. False if H is singular
  /// (of a symmetric one: not positive definite) to working precision. `stop` is asked again and again; or null.
  bool factor(Kind kind, const ContactFactors& G, std::span<const Block> blocks, std::span<const double> D,
              const StopSignal* stop = nullptr);

  /// x = H⁻¹ b.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) { factors_.solve(b, x); }

 private:
  /// A block's part of one block of H: columns of group `column` among the block's, rows of group `row`.
  struct Part {
    int column, row;  // first of the block's columns
    int column_size, row_size;
    BlockPattern::Slot slot;
  };
  void join(const ContactFactors& G, std::span<const Block> blocks);
  void add_block(const ContactFactors& G, const Block& block, const double* D, bool turned, std::span<const Part> parts,
                 double* values);

  std::vector<int> group_start_;
  std::vector<std::uint64_t> pairs_, known_pairs_;  // (group, later or equal group), ascending
  std::vector<Part> parts_;
  std::vector<int> part_start_;  // of every block
  std::vector<double> product_;  // D_i G_i
  BlockPattern pattern_;
  BlockFactors factors_;
};

}  // namespace carom
