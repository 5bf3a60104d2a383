#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "carom/complementarity/least_norm/active_set.h"

namespace carom {

struct SearchOptions {
  LabelTolerance tolerance;
  long node_limit = 100000;  ///< labels tried, on the way as well as at the end
};

enum class SearchStatus {
  optimal,  ///< no choice of labels has an admissible answer of smaller norm
  none,     ///< no choice of labels has an admissible answer
  cut,      ///< the node limit came first; what was found until then is kept
};
std::string search_status_name(SearchStatus status);

struct SearchResult {
  SearchStatus status = SearchStatus::none;
  bool found = false;         ///< an admissible answer
  LabelledSolution solution;  ///< the best
  long nodes = 0;
};

/// Choices of each block, for search(). A bilateral row, a given or an absent normal has only its label, except that a
/// given normal may also slip. A sliding block has {slide, open}; a block that rolls or slips has {roll, slip, open}.
/// Slip is in `directions` directions evenly spaced (of the ellipse's circle, from the x axis), and in that of `found`,
/// if that slips. The arguments start and found have a label per block, before and after prune_active_set; result is
/// resized.
void list_choices(std::span<const Block> blocks, std::span<const BlockLabel> start, std::span<const BlockLabel> found,
                  int directions, std::vector<std::vector<BlockLabel>>& result);

/// The admissible labelling of least norm among all combinations of choices. The search is depth-first, in the order of
/// the blocks and their choices. Blocks that are not decided yet are free (NormalState::free). So a node's solution has
/// at most the norm of any labelling below it, and rows that contradict each other there also do so below. Among
/// answers of equal norm, to 1e-10, the first is kept.
///
/// Without friction the answer is the least-norm solution of 0 ≤ u_z⁺ + offset ⊥ p_z ≥ 0, bilateral rows included, if
/// one exists. Velocities of a labelling are then unique. Suppose that a least-norm solution under its labels pulls
/// somewhere. Then the way to it from any solution that does not pull passes a shorter one that does not either. With
/// friction it is the least of the least-norm solutions. Impulses that roll on the very rim of their cone without being
/// those are not looked at.
///
/// Cost: at most Σ_d Π_{k ≤ d} choices_k solves. With three choices each, that is 120 for 4 contacts, 1092 for 6, 10⁵
/// for 10; the bound usually leaves a small part. Practical to 6 rolling or 10 sliding contacts; see node_limit.
class ActiveSetSearch {
 public:
  /// The best labels are left in the system, solved; without any the system's labels mean nothing.
  [[nodiscard]] SearchResult search(LabelledSystem& system, SlipRule& rule,
                                    std::span<const std::vector<BlockLabel>> choices,
                                    const SearchOptions& options = {});

 private:
  BlockLabel on_the_way(const BlockLabel& label, bool turns) const;
  void try_leaf(LabelledSystem& system, SlipRule& rule, std::span<const std::vector<BlockLabel>> choices,
                const SearchOptions& options, SearchResult& result);

  std::vector<int> pick_;
  std::vector<BlockLabel> undecided_, best_;
};

}  // namespace carom
