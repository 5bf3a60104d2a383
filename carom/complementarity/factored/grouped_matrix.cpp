#include "carom/complementarity/factored/grouped_matrix.h"

#include <algorithm>

namespace carom {

namespace {

/// Groups of the block's rows; all of them touch the same bodies.
std::span<const int> groups_of(const ContactFactors& G, const Block& block) {
  const int first = G.row_start[block.row], last = G.row_start[block.row + 1];
  return {G.group.data() + first, static_cast<std::size_t>(last - first)};
}

constexpr int of_free_body = 6;  // velocities, of most groups that have many contacts

/// to (rows × columns, column-major) += a (its transpose) times b, of `depth` rows each.
void add_product(int rows, int columns, int depth, const double* a, const double* b, int width, double* to,
                 int stride) {
  for (int j = 0; j < columns; ++j, to += stride) {
    for (int k = 0; k < depth; ++k) {
      const double factor = b[k * width + j];
      const double* from = a + k * width;
      for (int i = 0; i < rows; ++i) to[i] += factor * from[i];
    }
  }
}

/// The same of one contact of two free bodies: a column stays in registers.
void add_free_product(const double* __restrict a, const double* __restrict b, int width, double* __restrict to,
                      int stride) {
  constexpr int depth = 3;
  for (int j = 0; j < of_free_body; ++j, to += stride) {
    double column[of_free_body];
    for (int i = 0; i < of_free_body; ++i) column[i] = to[i];
    for (int k = 0; k < depth; ++k) {
      const double factor = b[k * width + j];
      for (int i = 0; i < of_free_body; ++i) column[i] += factor * a[k * width + i];
    }
    for (int i = 0; i < of_free_body; ++i) to[i] = column[i];
  }
}

}  // namespace

void GroupedMatrix::join(const ContactFactors& G, std::span<const Block> blocks) {
  pairs_.clear();
  for (const Block& block : blocks) {
    const std::span<const int> groups = groups_of(G, block);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const auto [g, h] = std::minmax(groups[i], groups[j]);
        const std::uint64_t pair = (static_cast<std::uint64_t>(g) << 32U) | static_cast<std::uint64_t>(h);
        if (pairs_.empty() || pairs_.back() != pair) pairs_.push_back(pair);
      }
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

void GroupedMatrix::lay_out(const ContactFactors& G, std::span<const Block> blocks) {
  join(G, blocks);
  if (pairs_ != known_pairs_ || group_start_ != G.group_start) {
    known_pairs_ = pairs_;
    group_start_ = G.group_start;
    pattern_.analyze(group_start_, pairs_);
  }
  parts_.clear();
  part_start_.assign(1, 0);
  for (const Block& block : blocks) {
    const std::span<const int> groups = groups_of(G, block);
    int column = 0;
    for (const int g : groups) {
      int row = 0;
      for (const int h : groups) {
        if (pattern_.place_of(h) >= pattern_.place_of(g)) {
          parts_.push_back({column, row, G.group_size(g), G.group_size(h), pattern_.slot(g, h)});
        }
        row += G.group_size(h);
      }
      column += G.group_size(g);
    }
    part_start_.push_back(static_cast<int>(parts_.size()));
  }
}

/// H += GᵀDG, or of Dᵀ where `turned`, at and below the diagonal.
void GroupedMatrix::add_block(const ContactFactors& G, const Block& block, const double* D, bool turned,
                              std::span<const Part> parts, double* values) {
  const int size = block.size(), width = G.value_start[block.row + 1] - G.value_start[block.row];
  const double* rows = G.value.data() + G.value_start[block.row];
  product_.assign(static_cast<std::size_t>(size) * width, 0.0);
  bool any = false;
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      const double factor = turned ? D[j * stride + i] : D[i * stride + j];
      if (factor == 0) continue;
      any = true;
      for (int k = 0; k < width; ++k) product_[i * width + k] += factor * rows[j * width + k];
    }
  }
  if (!any) return;
  for (const Part& part : parts) {
    const double *a = rows + part.row, *b = product_.data() + part.column;
    double* to = values + part.slot.first;
    if (part.row_size == of_free_body && part.column_size == of_free_body && size == 3) {
      add_free_product(a, b, width, to, part.slot.stride);
    } else {
      add_product(part.row_size, part.column_size, size, a, b, width, to, part.slot.stride);
    }
  }
}

bool GroupedMatrix::factor(Kind kind, const ContactFactors& G, std::span<const Block> blocks, std::span<const double> D,
                           const StopSignal* stop) {
  const bool general = kind == Kind::general;
  factors_.reset(pattern_, general);
  for (int g = 0; g < G.groups(); ++g) {
    const BlockPattern::Slot slot = pattern_.slot(g, g);
    for (int j = 0; j < G.group_size(g); ++j) {
      factors_.values()[slot.first + j * (slot.stride + 1)] = 1;
      factors_.upper()[slot.first + j * (slot.stride + 1)] = 1;
    }
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const double* own = D.data() + b * stride * stride;
    const std::span<const Part> parts(parts_.data() + part_start_[b], parts_.data() + part_start_[b + 1]);
    add_block(G, blocks[b], own, false, parts, factors_.values());
    if (general) add_block(G, blocks[b], own, true, parts, factors_.upper());
  }
  return factors_.factor(stop);
}

}  // namespace carom
