#include "carom/problem_files/fclib_local.h"

#include <array>

#include "carom/counted.h"

namespace carom {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Offset of each row of the problem: the normal one of a contact, the only one of others.
Eigen::VectorXd offsets(const StoredProblem& stored) {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(stored.rows());
  for (const Block& block : stored.blocks) result(block.normal_row()) = block.offset;
  return result;
}

}  // namespace

Eigen::Index problem_row(int dimension, Eigen::Index row) {
  constexpr std::array<int, 3> place = {2, 0, 1};  // normal, x, y; in two dimensions normal, x
  return 3 * (row / dimension) + place[static_cast<std::size_t>(row % dimension)];
}

Eigen::Index problem_rows(int dimension, Eigen::Index m, Eigen::Index p) { return 3 * (m / dimension) + p; }

std::vector<Block> blocks_of(int dimension, const Eigen::VectorXd& mu, Eigen::Index p) {
  std::vector<Block> blocks(static_cast<std::size_t>(mu.size() + p));
  int row = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    Block& block = blocks[b];
    block.row = row;
    if (static_cast<Eigen::Index>(b) < mu.size()) {
      const double friction = mu(static_cast<Eigen::Index>(b));
      block.kind = BlockKind::cone;
      block.friction << friction, dimension == 3 ? friction : 0.0;
    } else {
      block.kind = BlockKind::bilateral;
    }
    row += block.size();
  }
  return blocks;
}

Eigen::VectorXd rows_of(int dimension, const Eigen::VectorXd& contact, const Eigen::VectorXd& equality) {
  Eigen::VectorXd rows = Eigen::VectorXd::Zero(problem_rows(dimension, contact.size(), equality.size()));
  for (Eigen::Index i = 0; i < contact.size(); ++i) rows(problem_row(dimension, i)) = contact(i);
  rows.tail(equality.size()) = equality;
  return rows;
}

StoredProblem problem_of(const FclibLocal& local, const std::string& file) {
  const int dimension = local.dimension;
  const Eigen::Index k = problem_rows(dimension, local.q.size(), local.s.size()), first = k - local.s.size();
  Triplets entries;
  entries.reserve(static_cast<std::size_t>(local.W.nonZeros() + 2 * local.V.nonZeros() + local.R.nonZeros()));
  const auto each = [](const Eigen::SparseMatrix<double>& matrix, auto visit) {
    for (Eigen::Index j = 0; j < matrix.outerSize(); ++j) {
      for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, j); it; ++it) visit(it.row(), it.col(), it.value());
    }
  };
  each(local.W, [&](Eigen::Index i, Eigen::Index j, double value) {
    entries.emplace_back(problem_row(dimension, i), problem_row(dimension, j), value);
  });
  each(local.V, [&](Eigen::Index i, Eigen::Index j, double value) {
    entries.emplace_back(problem_row(dimension, i), first + j, value);
    entries.emplace_back(first + j, problem_row(dimension, i), value);
  });
  each(local.R,
       [&](Eigen::Index i, Eigen::Index j, double value) { entries.emplace_back(first + i, first + j, value); });
  Eigen::SparseMatrix<double> W(k, k);
  W.setFromTriplets(entries.begin(), entries.end());

  StoredProblem stored;
  stored.set_operator(W, file);
  stored.u = rows_of(dimension, local.q, local.s);
  stored.blocks = blocks_of(dimension, local.mu, local.s.size());
  return stored;
}

FclibRows fclib_rows(std::span<const Block> blocks) {
  FclibRows rows;
  int bounded = 0, torsion = 0, floors = 0, restitution = 0, scaled = 0;
  for (const Block& block : blocks) {
    floors += block.floor > 0 ? 1 : 0;
    restitution += block.restitution > 0 ? 1 : 0;
    torsion += block.kind == BlockKind::ellipsoid ? 1 : 0;
    switch (block.kind) {
      case BlockKind::bilateral:
        rows.equality.push_back(block.row);
        continue;
      case BlockKind::bounded:
        ++bounded;
        continue;
      case BlockKind::unilateral:
        rows.contact.insert(rows.contact.end(), {block.row, -1, -1});
        rows.scale.insert(rows.scale.end(), {1, 1, 1});
        rows.mu.push_back(0);
        continue;
      case BlockKind::cone:
      case BlockKind::ellipsoid:
        break;
    }
    const double mu = block.friction.maxCoeff();
    const bool equal = block.friction.x() == block.friction.y();
    scaled += equal ? 0 : 1;
    rows.contact.insert(rows.contact.end(), {block.row + 2, block.row, block.row + 1});
    rows.scale.insert(rows.scale.end(), {1, equal ? 1 : block.friction.x() / mu, equal ? 1 : block.friction.y() / mu});
    rows.mu.push_back(mu);
  }
  const auto tell = [&](int count, const char* one, const char* many, const char* what) {
    if (count > 0) rows.unseen.push_back(counted(count, one, many) + what);
  };
  tell(bounded, "bounded row", "bounded rows", " (left out: no impulse)");
  tell(torsion, "frictional torque", "frictional torques", " about the normal (left out: no torque)");
  tell(floors, "normal impulse that is owed", "normal impulses that are owed", " (left out)");
  tell(restitution, "coefficient of restitution", "coefficients of restitution", " (read by impact laws only)");
  tell(scaled, "contact", "contacts", " with unequal friction along x and y (tangent axes scaled to make it equal)");
  return rows;
}

FclibLocal local_of(const StoredProblem& stored, const FclibRows& rows) {
  const Eigen::Index k = stored.rows(), m = static_cast<Eigen::Index>(rows.contact.size()),
                     p = static_cast<Eigen::Index>(rows.equality.size());
  std::vector<int> contact(static_cast<std::size_t>(k), -1), equality(static_cast<std::size_t>(k), -1);
  for (Eigen::Index i = 0; i < m; ++i) {
    if (rows.contact[i] >= 0) contact[rows.contact[i]] = static_cast<int>(i);
  }
  for (Eigen::Index i = 0; i < p; ++i) equality[rows.equality[i]] = static_cast<int>(i);
  Triplets W, V, R;
  const auto add = [&](Eigen::Index i, Eigen::Index j, double value) {
    if (value == 0) return;
    if (contact[i] >= 0 && contact[j] >= 0) {
      const double scaled = value * rows.scale[contact[i]] * rows.scale[contact[j]];
      if (scaled != 0) W.emplace_back(contact[i], contact[j], scaled);
    } else if (contact[i] >= 0 && equality[j] >= 0) {
      const double scaled = value * rows.scale[contact[i]];
      if (scaled != 0) V.emplace_back(contact[i], equality[j], scaled);
    } else if (equality[i] >= 0 && equality[j] >= 0) {
      R.emplace_back(equality[i], equality[j], value);
    }
  };
  const auto add_sparse = [&](const Eigen::SparseMatrix<double>& matrix) {
    for (Eigen::Index j = 0; j < matrix.outerSize(); ++j) {
      for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, j); it; ++it) add(it.row(), j, it.value());
    }
  };
  if (stored.form == ContactOperator::Form::sparse) {
    add_sparse(stored.sparse);
  } else {
    for (Eigen::Index j = 0; j < k; ++j) {
      for (Eigen::Index i = 0; i < k; ++i) add(i, j, stored.dense(i, j));
    }
  }
  add_sparse(stored.skew);

  FclibLocal local;
  local.W.resize(m, m);
  local.W.setFromTriplets(W.begin(), W.end());
  local.V.resize(m, p);
  local.V.setFromTriplets(V.begin(), V.end());
  local.R.resize(p, p);
  local.R.setFromTriplets(R.begin(), R.end());
  local.q = file_velocity_of(stored, rows, stored.u);
  const Eigen::VectorXd demanded = stored.u + offsets(stored);
  local.s = demanded(rows.equality);
  local.mu = Eigen::Map<const Eigen::VectorXd>(rows.mu.data(), static_cast<Eigen::Index>(rows.mu.size()));
  return local;
}

void solution_of(const FclibRows& rows, const Eigen::VectorXd& impulse, Eigen::VectorXd& r, Eigen::VectorXd& lambda) {
  r.setZero(static_cast<Eigen::Index>(rows.contact.size()));
  for (std::size_t i = 0; i < rows.contact.size(); ++i) {
    if (rows.contact[i] >= 0 && rows.scale[i] > 0) r(i) = impulse(rows.contact[i]) / rows.scale[i];
  }
  lambda = impulse(rows.equality);
}

Eigen::VectorXd file_velocity_of(const StoredProblem& stored, const FclibRows& rows, const Eigen::VectorXd& velocity) {
  const Eigen::VectorXd demanded = velocity + offsets(stored);
  Eigen::VectorXd u = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(rows.contact.size()));
  for (std::size_t i = 0; i < rows.contact.size(); ++i) {
    if (rows.contact[i] >= 0) u(i) = demanded(rows.contact[i]) * rows.scale[i];
  }
  return u;
}

}  // namespace carom
