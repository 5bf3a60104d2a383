#include "testing/problems/problem_factors.h"

#include <Eigen/Cholesky>
#include <set>

namespace carom::families {

ContactFactors factors_of(const Mechanics& m) {
  const Eigen::Index n = m.M.rows();
  const Eigen::LLT<Eigen::MatrixXd> llt(m.M);
  const Eigen::MatrixXd rows = llt.matrixL().solve(m.J.transpose()).transpose();
  ContactFactors G;
  for (Eigen::Index i = 0; i < n; i += 6) G.group_start.push_back(static_cast<int>(i) + 6);
  for (const Block& block : m.blocks) {
    std::set<int> touched;
    for (int g = 0; g < G.groups(); ++g) {
      if (!m.J.block(block.row, 6 * g, block.size(), 6).isZero(0)) touched.insert(g);
    }
    for (int row = block.row; row < block.row + block.size(); ++row) {
      for (const int g : touched) {
        G.group.push_back(g);
        for (int j = 0; j < 6; ++j) G.value.push_back(rows(row, 6 * g + j));
      }
      G.row_start.push_back(static_cast<int>(G.group.size()));
      G.value_start.push_back(static_cast<int>(G.value.size()));
    }
  }
  return G;
}

}  // namespace carom::families
