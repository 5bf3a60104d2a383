#pragma once

#include <limits>
#include <random>
#include <vector>

#include "carom/problem_files/stored_problem.h"

namespace carom::test {

/// Numbers that are the same on every platform.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : engine_(seed) {}
  double real(double low, double high) { return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53); }
  int integer(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(double probability) { return real(0, 1) < probability; }
  Eigen::VectorXd vector(Eigen::Index size) {
    Eigen::VectorXd result(size);
    for (double& value : result) value = real(-1, 1);
    return result;
  }

 private:
  std::mt19937_64 engine_;
};

/// A block of a kind with numbers in all fields that the kind allows.
inline Block random_block(BlockKind kind, int row, Numbers& numbers) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Block block;
  block.kind = kind;
  block.row = row;
  block.offset = numbers.real(-1, 1);
  block.push_speed = numbers.chance(0.3) ? numbers.real(0, 1) : 0;
  block.restitution = numbers.chance(0.3) ? numbers.real(0, 1) : 0;
  if (kind == BlockKind::bounded) {
    block.lower = numbers.chance(0.2) ? -infinity : numbers.real(-1, 0);
    block.upper = numbers.chance(0.2) ? infinity : numbers.real(0, 1);
  }
  if (kind == BlockKind::unilateral || block.is_contact()) {
    block.floor = numbers.chance(0.3) ? numbers.real(0, 1) : 0;
  }
  if (!block.is_contact()) return block;
  block.friction.setConstant(numbers.chance(0.2) ? 0 : numbers.real(0, 2));
  if (numbers.chance(0.5)) block.friction.y() = numbers.chance(0.3) ? 0 : numbers.real(0, 2);
  if (kind == BlockKind::ellipsoid) block.torsion = numbers.chance(0.2) ? 0 : numbers.real(0, 0.1);
  return block;
}

/// A problem A = J Jᵀ, u = J v of `count` blocks of the kinds given. It has about as many freedoms as rows, so A may be
/// singular. A sparse one consists of islands of one block each.
inline StoredProblem random_problem(int count, const std::vector<BlockKind>& kinds, ContactOperator::Form form,
                                    Numbers& numbers) {
  StoredProblem stored;
  int rows = 0;
  for (int b = 0; b < count; ++b) {
    const BlockKind kind = kinds[static_cast<std::size_t>(numbers.integer(0, static_cast<int>(kinds.size()) - 1))];
    stored.blocks.push_back(random_block(kind, rows, numbers));
    rows += stored.blocks.back().size();
  }
  const Eigen::Index freedoms = numbers.integer(std::max(1, rows - 4), rows + 4);
  Eigen::MatrixXd J(rows, freedoms);
  for (Eigen::Index j = 0; j < freedoms; ++j) J.col(j) = numbers.vector(rows);
  stored.u = J * numbers.vector(freedoms);
  const Eigen::MatrixXd A = J * J.transpose();
  stored.form = form;
  stored.dense = 0.5 * (A + A.transpose());
  if (form == ContactOperator::Form::dense) return stored;
  std::vector<Eigen::Triplet<double>> entries;
  for (const Block& block : stored.blocks) {
    for (int i = block.row; i < block.row + block.size(); ++i) {
      for (int j = block.row; j < block.row + block.size(); ++j) entries.emplace_back(i, j, stored.dense(i, j));
    }
  }
  stored.dense.resize(0, 0);
  stored.sparse.resize(rows, rows);
  stored.sparse.setFromTriplets(entries.begin(), entries.end());
  return stored;
}

}  // namespace carom::test
