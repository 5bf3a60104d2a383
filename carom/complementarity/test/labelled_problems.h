#pragma once

#include <Eigen/Core>
#include <cstdlib>
#include <vector>

#include "carom/complementarity/least_norm/labelled_system.h"
#include "testing/problems/problem_families.h"

/// Small contact problems and their labels, for tests of active sets.
namespace carom::labelled {

using Eigen::MatrixXd;
using families::Mechanics;
using families::Random;

inline int count(int full, int subset) { return std::getenv("CAROM_LONG") != nullptr ? full : subset; }

/// Compressing where it approaches, observing elsewhere; sliding where it moves faster than `transition`.
inline std::vector<BlockLabel> labels_of(const Mechanics& m, double transition) {
  std::vector<BlockLabel> labels;
  for (const Block& block : m.blocks) {
    BlockLabel label;
    label.normal = m.u[block.normal_row()] + block.offset < 0 ? NormalState::active : NormalState::absent;
    if (block.kind == BlockKind::cone && m.u.segment<2>(block.row).norm() > transition) {
      label.tangent = TangentState::sliding;
      label.slip = m.u.segment<2>(block.row).normalized();
    }
    labels.push_back(label);
  }
  return labels;
}

inline Mechanics small_problem(Random& random, int contacts) {
  return families::make(families::all[random.integer(0, 3)], contacts, random);
}

/// Normal rows only.
inline Mechanics without_friction(const Mechanics& m) {
  Mechanics result;
  const auto n = static_cast<Eigen::Index>(m.blocks.size());
  MatrixXd pick = MatrixXd::Zero(n, m.u.size());
  for (Eigen::Index i = 0; i < n; ++i) {
    pick(i, m.blocks[i].normal_row()) = 1;
    Block block;
    block.row = static_cast<int>(i);
    block.offset = m.blocks[i].offset;
    result.blocks.push_back(block);
  }
  result.A = pick * m.A * pick.transpose();
  result.u = pick * m.u;
  return result;
}

}  // namespace carom::labelled
