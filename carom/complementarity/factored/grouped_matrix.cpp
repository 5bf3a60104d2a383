#include "carom/complementarity/factored/grouped_matrix.h"

#include <algorithm>

namespace carom {

namespace {

std::uint64_t pair_of(int column_group, int row_group) {
  return (static_cast<std::uint64_t>(column_group) << 32U) | static_cast<std::uint64_t>(row_group);
}
int column_group(std::uint64_t pair) { return static_cast<int>(pair >> 32U); }
int row_group(std::uint64_t pair) { return static_cast<int>(pair & 0xffffffffU); }

/// Groups of the block's rows; all of them touch the same bodies.
std::span<const int> groups_of(const ContactFactors& G, const Block& block) {
  const int first = G.row_start[block.row], last = G.row_start[block.row + 1];
  return {G.group.data() + first, static_cast<std::size_t>(last - first)};
}

}  // namespace

void GroupedMatrix::join(const ContactFactors& G, std::span<const Block> blocks) {
  pairs_.clear();
  for (int g = 0; g < G.groups(); ++g) pairs_.push_back(pair_of(g, g));
  for (const Block& block : blocks) {
    const std::span<const int> groups = groups_of(G, block);
    for (const int g : groups) {
      for (const int h : groups) {
        if (kind_ == Kind::symmetric ? g < h : g != h) pairs_.push_back(pair_of(g, h));
      }
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

void GroupedMatrix::lay_out(const ContactFactors& G, std::span<const Block> blocks) {
  join(G, blocks);
  place_.clear();
  place_start_.assign(1, 0);
  for (const Block& block : blocks) {
    const std::span<const int> groups = groups_of(G, block);
    for (const int g : groups) {
      for (const int h : groups) {
        const bool turned = kind_ == Kind::symmetric && h < g;
        const auto pair = turned ? pair_of(h, g) : pair_of(g, h);
        place_.push_back(static_cast<int>(std::lower_bound(pairs_.begin(), pairs_.end(), pair) - pairs_.begin()));
      }
    }
    place_start_.push_back(static_cast<int>(place_.size()));
  }
  if (pairs_ == known_pairs_ && group_start_ == G.group_start) return;
  known_pairs_ = pairs_;
  group_start_ = G.group_start;

  // Columns of a group have the same rows: those of its pairs, in their order.
  const int n = G.columns();
  row_offset_.assign(pairs_.size(), 0);
  pair_of_column_.assign(G.groups() + 1, 0);
  own_pair_.assign(G.groups(), 0);
  std::vector<int> height(G.groups(), 0);
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const int g = column_group(pairs_[k]);
    row_offset_[k] = height[g];
    if (row_group(pairs_[k]) == g) own_pair_[g] = static_cast<int>(k);
    height[g] += G.group_size(row_group(pairs_[k]));
    pair_of_column_[g + 1] = static_cast<int>(k) + 1;
  }
  Eigen::Index entries = 0;
  for (int g = 0; g < G.groups(); ++g) entries += static_cast<Eigen::Index>(height[g]) * G.group_size(g);
  H_.resize(n, n);
  H_.resizeNonZeros(entries);
  int* outer = H_.outerIndexPtr();
  int* inner = H_.innerIndexPtr();
  int at = 0;
  for (int g = 0; g < G.groups(); ++g) {
    for (int j = G.group_start[g]; j < G.group_start[g + 1]; ++j) {
      outer[j] = at;
      for (int k = pair_of_column_[g]; k < pair_of_column_[g + 1]; ++k) {
        const int h = row_group(pairs_[k]);
        for (int i = G.group_start[h]; i < G.group_start[h + 1]; ++i) inner[at++] = i;
      }
    }
  }
  outer[n] = at;
  std::fill_n(H_.valuePtr(), entries, 0.0);
  if (kind_ == Kind::symmetric) {
    if (!cholesky_) cholesky_ = std::make_unique<Cholesky>();
    cholesky_->analyzePattern(H_);
  } else {
    if (!lu_) lu_ = std::make_unique<LU>();
    lu_->analyzePattern(H_);
  }
}

void GroupedMatrix::add_block(const ContactFactors& G, const Block& block, const double* D, const int* place) {
  const std::span<const int> groups = groups_of(G, block);
  const int size = block.size(), width = G.value_start[block.row + 1] - G.value_start[block.row];
  product_.assign(static_cast<std::size_t>(size) * width, 0.0);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      const double factor = D[i * stride + j];
      if (factor == 0) continue;
      const double* row = G.value.data() + G.value_start[block.row + j];
      for (int k = 0; k < width; ++k) product_[i * width + k] += factor * row[k];
    }
  }
  // H_hg += Σ_i G_i,hᵀ (D G)_i,g
  double* value = H_.valuePtr();
  int first_column = 0;
  for (const int g : groups) {
    int first_row = 0;
    for (const int h : groups) {
      const int pair = *place++;
      if (kind_ == Kind::general || h >= g) {
        for (int column = 0; column < G.group_size(g); ++column) {
          double* to = value + H_.outerIndexPtr()[G.group_start[g] + column] + row_offset_[pair];
          for (int i = 0; i < size; ++i) {
            const double factor = product_[i * width + first_column + column];
            const double* from = G.value.data() + G.value_start[block.row + i] + first_row;
            for (int row = 0; row < G.group_size(h); ++row) to[row] += factor * from[row];
          }
        }
      }
      first_row += G.group_size(h);
    }
    first_column += G.group_size(g);
  }
}

bool GroupedMatrix::factor(const ContactFactors& G, std::span<const Block> blocks, std::span<const double> D) {
  std::fill_n(H_.valuePtr(), H_.nonZeros(), 0.0);
  for (int g = 0; g < G.groups(); ++g) {
    for (int j = 0; j < G.group_size(g); ++j) {
      H_.valuePtr()[H_.outerIndexPtr()[G.group_start[g] + j] + row_offset_[own_pair_[g]] + j] = 1;
    }
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    add_block(G, blocks[b], D.data() + b * stride * stride, place_.data() + place_start_[b]);
  }
  if (kind_ == Kind::symmetric) {
    cholesky_->factorize(H_);
    return cholesky_->info() == Eigen::Success;
  }
  lu_->factorize(H_);
  return lu_->info() == Eigen::Success;
}

void GroupedMatrix::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) {
  if (kind_ == Kind::symmetric) {
    x = cholesky_->solve(b);
  } else {
    x = lu_->solve(b);
  }
}

}  // namespace carom
