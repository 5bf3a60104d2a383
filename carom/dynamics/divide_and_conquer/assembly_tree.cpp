#include "carom/dynamics/divide_and_conquer/assembly_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "carom/error.h"

namespace carom {
namespace {

class Builder {
 public:
  Builder(const Model& model, const AssemblyOptions& options, AssemblyTree& tree)
      : model_(model), run_length_(options.bodies_per_run), tree_(tree) {}

  void build() {
    weigh();
    const int n = model_.body_count();
    tree_.run_of.assign(n, -1);
    side_levels_.assign(n, 0);
    whole_.assign(n, -1);
    // Bodies that hang on a path have a higher number than the body they hang on, so its levels are known in time.
    for (int i = n - 1; i >= 0; --i) {
      const int parent = model_.nodes()[i].parent;
      if (parent < 0 || heavy_child_[parent] != i) assemble_path(i);
    }
    sort_by_level();
    list_side_paths();
  }

 private:
  void weigh() {
    const int n = model_.body_count();
    weight_.assign(n, 1);
    heavy_child_.assign(n, -1);
    for (int i = n - 1; i >= 0; --i) {
      const int parent = model_.nodes()[i].parent;
      if (parent < 0) continue;
      weight_[parent] += weight_[i];
      const int heavy = heavy_child_[parent];
      if (heavy < 0 || weight_[i] >= weight_[heavy]) heavy_child_[parent] = i;
    }
  }

  void assemble_path(int root) {
    const int first = static_cast<int>(tree_.path_bodies.size());
    for (int i = root; i >= 0; i = heavy_child_[i]) tree_.path_bodies.push_back(i);
    const int last = static_cast<int>(tree_.path_bodies.size());
    cut_runs(first, last);
    const int whole = join(0, static_cast<int>(runs_.size()));
    whole_[root] = whole;
    const int parent = model_.nodes()[root].parent;
    if (parent >= 0) {
      side_levels_[parent] = std::max(side_levels_[parent], tree_.assemblies[whole].level + 1);
    }
  }

  /// The runs of one path, inboard first. The last is up to two lengths long: its outboard handle needs no work.
  void cut_runs(int first, int last) {
    runs_.clear();
    int begin = first;
    for (int k = first; k < last; ++k) {
      if (k + 1 - begin < run_length_ || last - (k + 1) < run_length_) continue;
      add_run(begin, k + 1, true);
      begin = k + 1;
    }
    add_run(begin, last, false);
  }

  void add_run(int begin, int end, bool has_outboard) {
    Assembly run;
    run.first = begin;
    run.last = end;
    run.top = tree_.path_bodies[begin];
    run.bottom = tree_.path_bodies[end - 1];
    run.has_outboard = has_outboard;
    double weight = 0;
    for (int k = begin; k < end; ++k) {
      const int body = tree_.path_bodies[k];
      run.level = std::max(run.level, side_levels_[body]);
      tree_.run_of[body] = static_cast<int>(tree_.assemblies.size());
      weight += weight_[body] - (heavy_child_[body] >= 0 ? weight_[heavy_child_[body]] : 0);
    }
    runs_.push_back({static_cast<int>(tree_.assemblies.size()), weight});
    tree_.assemblies.push_back(run);
  }

  /// Joins runs_[begin, end), cut where both sides weigh as nearly the same as can be.
  int join(int begin, int end) {
    if (end - begin == 1) return runs_[begin].assembly;
    double total = 0, left = 0;
    for (int k = begin; k < end; ++k) total += runs_[k].weight;
    int cut = begin + 1;
    double best = total;
    for (int k = begin; k + 1 < end; ++k) {
      left += runs_[k].weight;
      const double difference = std::abs(total - 2 * left);
      if (difference < best) best = difference, cut = k + 1;
    }
    Assembly whole;
    whole.inboard = join(begin, cut);
    whole.outboard = join(cut, end);
    const Assembly& A = tree_.assemblies[whole.inboard];
    const Assembly& B = tree_.assemblies[whole.outboard];
    whole.first = A.first;
    whole.last = B.last;
    whole.top = A.top;
    whole.bottom = B.bottom;
    whole.has_outboard = B.has_outboard;
    whole.level = std::max(A.level, B.level) + 1;
    const int number = static_cast<int>(tree_.assemblies.size());
    tree_.assemblies[whole.inboard].parent = tree_.assemblies[whole.outboard].parent = number;
    tree_.assemblies.push_back(whole);
    return number;
  }

  void sort_by_level() {
    std::vector<Assembly>& assemblies = tree_.assemblies;
    std::vector<int> order(assemblies.size());
    std::iota(order.begin(), order.end(), 0);
    // Within a level in the order of the bodies, so that neighbours lie side by side.
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return std::pair(assemblies[a].level, assemblies[a].top) < std::pair(assemblies[b].level, assemblies[b].top);
    });
    std::vector<int> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
    const auto moved = [&](int assembly) { return assembly < 0 ? -1 : place[assembly]; };
    std::vector<Assembly> sorted;
    sorted.reserve(assemblies.size());
    for (const int k : order) {
      Assembly assembly = assemblies[k];
      assembly.inboard = moved(assembly.inboard);
      assembly.outboard = moved(assembly.outboard);
      assembly.parent = moved(assembly.parent);
      while (static_cast<int>(tree_.level_start.size()) <= assembly.level) {
        tree_.level_start.push_back(static_cast<int>(sorted.size()));
      }
      sorted.push_back(assembly);
    }
    tree_.level_start.push_back(static_cast<int>(sorted.size()));
    assemblies = std::move(sorted);
    for (int& run : tree_.run_of) run = moved(run);
    for (int& whole : whole_) whole = moved(whole);
  }

  void list_side_paths() {
    const int n = model_.body_count();
    tree_.side_start.assign(n + 1, 0);
    const auto hangs_on = [&](int root) { return whole_[root] < 0 ? -1 : model_.nodes()[root].parent; };
    for (int i = 0; i < n; ++i) {
      if (hangs_on(i) >= 0) ++tree_.side_start[hangs_on(i) + 1];
    }
    std::partial_sum(tree_.side_start.begin(), tree_.side_start.end(), tree_.side_start.begin());
    tree_.side_paths.resize(tree_.side_start.back());
    std::vector<int> next(tree_.side_start.begin(), tree_.side_start.end() - 1);
    for (int i = 0; i < n; ++i) {
      if (hangs_on(i) >= 0) tree_.side_paths[next[hangs_on(i)]++] = whole_[i];
    }
  }

  struct Run {
    int assembly = 0;
    double weight = 0;  // bodies of the run and of all that hangs beside it
  };

  const Model& model_;
  int run_length_;
  AssemblyTree& tree_;
  std::vector<int> weight_, heavy_child_;  // by body: bodies that it carries, and the child that carries the most
  std::vector<int> side_levels_;           // by body: first level after those of the paths that hang on it
  std::vector<int> whole_;                 // by first body of a path
  std::vector<Run> runs_;
};

}  // namespace

AssemblyTree::AssemblyTree(const Model& model, const AssemblyOptions& options) {
  if (options.bodies_per_run < 1) {
    throw Error("bodies_per_run is " + std::to_string(options.bodies_per_run) +
                "; an assembly needs at least 1 body to begin with");
  }
  Builder(model, options, *this).build();
}

}  // namespace carom
