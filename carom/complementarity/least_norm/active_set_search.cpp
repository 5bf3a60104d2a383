#include "carom/complementarity/least_norm/active_set_search.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom {
namespace {

constexpr double tie = 1e-10;

BlockLabel undecided(const BlockLabel& label) {
  BlockLabel result = label;
  result.tangent = TangentState::free;
  if (label.normal != NormalState::given) result.normal = NormalState::free;
  return result;
}

bool begins_to_slip(const BlockLabel& label) {
  return label.tangent == TangentState::slipping &&
         (label.normal == NormalState::active || label.normal == NormalState::given);
}

}  // namespace

std::string search_status_name(SearchStatus status) {
  switch (status) {
    case SearchStatus::optimal:
      return "optimal";
    case SearchStatus::none:
      return "none";
    case SearchStatus::cut:
      return "cut";
  }
  return "unknown";
}

void list_choices(std::span<const Block> blocks, std::span<const BlockLabel> start, std::span<const BlockLabel> found,
                  int directions, std::vector<std::vector<BlockLabel>>& result) {
  result.resize(blocks.size());
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    std::vector<BlockLabel>& choices = result[k];
    choices.assign(1, start[k]);
    const bool active = start[k].normal == NormalState::active;
    if (blocks[k].kind == BlockKind::bilateral || (!active && start[k].normal != NormalState::given)) continue;
    if (blocks[k].kind == BlockKind::cone && start[k].tangent != TangentState::sliding) {
      BlockLabel label = start[k];
      choices[0].tangent = TangentState::rolling;
      label.tangent = TangentState::slipping;
      if (found[k].tangent == TangentState::slipping) {
        label.slip = found[k].slip;
        choices.push_back(label);
      }
      for (int d = 0; d < directions; ++d) {
        const double angle = 2 * std::numbers::pi * d / directions;
        label.slip = {std::cos(angle), std::sin(angle)};
        choices.push_back(label);
      }
    }
    if (active) {
      choices.push_back(start[k]);
      choices.back().normal = NormalState::open;
    }
  }
}

/// A label that bounds: one whose slip may still turn counts as undecided.
BlockLabel ActiveSetSearch::on_the_way(const BlockLabel& label, bool turns) const {
  return turns && begins_to_slip(label) ? undecided(label) : label;
}

void ActiveSetSearch::try_leaf(LabelledSystem& system, SlipRule& rule, std::span<const std::vector<BlockLabel>> choices,
                               const SearchOptions& options, SearchResult& result) {
  for (int k = 0; k < std::ssize(choices); ++k) {
    if (rule.turns() && begins_to_slip(choices[k][pick_[k]])) system.relabel(k, choices[k][pick_[k]]);
  }
  const LabelledSolution solution = rule.solve(system);
  if (judge(system.violation(), options.tolerance) == LabelStatus::admissible &&
      (!result.found || solution.norm < (1 - tie) * result.solution.norm)) {
    result.found = true;
    result.solution = solution;
    best_.assign(system.labels().begin(), system.labels().end());
  }
  for (int k = 0; k < std::ssize(choices); ++k) {
    if (rule.turns() && begins_to_slip(choices[k][pick_[k]])) system.relabel(k, undecided(choices[k][pick_[k]]));
  }
}

SearchResult ActiveSetSearch::search(LabelledSystem& system, SlipRule& rule,
                                     std::span<const std::vector<BlockLabel>> choices, const SearchOptions& options) {
  SearchResult result;
  const int blocks = static_cast<int>(choices.size());
  pick_.assign(choices.size(), -1);
  undecided_.clear();
  for (const std::vector<BlockLabel>& of_block : choices) {
    const BlockLabel& first = of_block.front();
    undecided_.push_back(of_block.size() == 1 ? on_the_way(first, rule.turns()) : undecided(first));
  }
  system.set_labels(undecided_);
  bool cut = false;
  if (blocks == 0) try_leaf(system, rule, choices, options, result);
  for (int depth = 0; depth >= 0 && blocks > 0;) {
    if (++pick_[depth] == std::ssize(choices[depth])) {
      system.relabel(depth, undecided_[depth]);
      pick_[depth--] = -1;
      continue;
    }
    if (result.nodes == options.node_limit) {
      cut = true;
      break;
    }
    ++result.nodes;
    system.relabel(depth, on_the_way(choices[depth][pick_[depth]], rule.turns()));
    if (depth == blocks - 1) {
      try_leaf(system, rule, choices, options, result);
      continue;
    }
    const LabelledSolution node = system.solve();
    if (node.residual > options.tolerance.residual) continue;
    if (result.found && node.norm >= (1 - tie) * result.solution.norm) continue;
    ++depth;
  }
  result.status = cut ? SearchStatus::cut : result.found ? SearchStatus::optimal : SearchStatus::none;
  if (result.found) {
    system.set_labels(best_);
    system.solve();
  }
  return result;
}

}  // namespace carom
