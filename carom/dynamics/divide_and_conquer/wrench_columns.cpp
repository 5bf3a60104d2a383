#include "carom/dynamics/divide_and_conquer/wrench_columns.h"

#include <algorithm>
#include <tuple>

#include "carom/dynamics/column_solve.h"

namespace carom {
namespace {

void grow_to(std::vector<double>& buffer, std::size_t size) {
  if (buffer.size() < size) buffer.resize(size);
}

}  // namespace

void WrenchColumns::reserve(const Model& model, const AssemblyTree& tree, int rows) {
  const std::size_t k = rows, assemblies = tree.size(), bodies = model.body_count();
  grow_to(A_, k * k);
  ranges_.resize(assemblies);
  is_touched_.resize(assemblies, 0);
  touched_.reserve(assemblies);
  if (place_.size() != bodies) {
    place_.resize(bodies);
    for (const Assembly& run : tree.assemblies) {
      for (int p = run.first; run.is_run() && p < run.last; ++p) place_[tree.path_bodies[p]] = p - run.first;
    }
  }
  pushes_.reserve(2 * k);
  columns_.reserve(k);
  meetings_.reserve(k);
}

void WrenchColumns::build(const Model& model, const std::vector<ConstraintRow>& rows, const DivideAndConquer& dynamics,
                          const DynamicsWorkspace& workspace) {
  const AssemblyTree& tree = dynamics.tree();
  count_ = static_cast<int>(rows.size());
  joins_ = 0;
  reserve(model, tree, count_);
  std::fill_n(A_.begin(), static_cast<std::size_t>(count_) * count_, 0.0);
  pushes_.clear();
  touched_.clear();
  entries_.clear();
  for (int i = 0; i < count_; ++i) add_pushes(model, rows[i], i, tree, workspace);
  const auto order = [](const Push& push) { return std::tuple(push.run, push.column, push.sequence); };
  std::sort(pushes_.begin(), pushes_.end(), [&](const Push& a, const Push& b) { return order(a) < order(b); });
  std::sort(touched_.begin(), touched_.end());  // by level: an assembly after its parts
  for (const int assembly : touched_) {
    if (tree.assemblies[assembly].is_run()) {
      pass_run(model, assembly, tree, workspace);
    } else {
      pass_join(assembly, dynamics, workspace);
    }
  }
  for (const int assembly : touched_) is_touched_[assembly] = 0;
  for (int i = 0; i < count_; ++i) {
    A_[static_cast<std::size_t>(i) * count_ + i] += rows[i].compliance;
    for (int j = 0; j < i; ++j) {
      A_[static_cast<std::size_t>(i) * count_ + j] = A_[static_cast<std::size_t>(j) * count_ + i];
    }
  }
}

void WrenchColumns::add_pushes(const Model& model, const ConstraintRow& row, int column, const AssemblyTree& tree,
                               const DynamicsWorkspace& workspace) {
  Push what;
  what.column = column;
  if (row.coordinate >= 0) {
    row.for_each_term([&](int coordinate, double coefficient) {
      what.body = model.coordinate_body(coordinate);
      what.coordinate = coordinate;
      what.coefficient = coefficient;
      touch(model, tree, tree.run_of[what.body]);
      push(tree, what);
    });
    return;
  }
  const auto on_body = [&](int body, const Vec3& point, double sign) {
    if (body < 0) return;
    const Vec3 arm = point - workspace.nodes[body].p;
    what.body = body;
    what.force = {-sign * (arm.cross(row.direction) + row.moment), -sign * row.direction};
    touch(model, tree, tree.run_of[body]);
    push(tree, what);
  };
  on_body(row.body_a, row.point_a, 1);
  on_body(row.body_b, row.point_b, -1);
}

void WrenchColumns::push(const AssemblyTree& tree, const Push& what) {
  Push made = what;
  made.run = tree.run_of[what.body];
  made.body = place_[what.body];
  made.sequence = static_cast<int>(pushes_.size());
  pushes_.push_back(made);
}

/// Marks the assemblies that a column of the run will come through.
void WrenchColumns::touch(const Model& model, const AssemblyTree& tree, int run) {
  int assembly = run;
  while (assembly >= 0 && !is_touched_[assembly]) {
    is_touched_[assembly] = 1;
    ranges_[assembly] = Range();
    touched_.push_back(assembly);
    const Assembly& part = tree.assemblies[assembly];
    if (part.parent >= 0) {
      assembly = part.parent;
    } else {
      const int below = model.nodes()[part.top].parent;
      assembly = below < 0 ? -1 : tree.run_of[below];
    }
  }
}

/// The columns that push on the run, or on what hangs beside it, through its joints.
void WrenchColumns::pass_run(const Model& model, int assembly, const AssemblyTree& tree,
                             const DynamicsWorkspace& workspace) {
  const Assembly& run = tree.assemblies[assembly];
  run_pushes_.clear();
  const auto own = std::lower_bound(pushes_.begin(), pushes_.end(), assembly,
                                    [](const Push& push, int number) { return push.run < number; });
  for (auto push = own; push != pushes_.end() && push->run == assembly; ++push) run_pushes_.push_back(*push);
  int sequence = 2 * count_;
  int coordinates = 0;
  for (int k = run.first; k < run.last; ++k) {
    const int body = tree.path_bodies[k];
    coordinates += model.nodes()[body].velocity_size;
    for (int s = tree.side_start[body]; s < tree.side_start[body + 1]; ++s) {
      const int side = tree.side_paths[s];
      if (!is_touched_[side]) continue;
      const Vec3& r = workspace.nodes[tree.assemblies[side].top].r;
      for (int e = ranges_[side].first; e < ranges_[side].last; ++e) {
        Push what;
        what.column = entries_[e].column;
        what.body = k - run.first;
        what.force = to_force(entries_[e].force).moved_back_by(r);
        what.sequence = sequence++;
        run_pushes_.push_back(what);
      }
    }
  }
  std::sort(run_pushes_.begin(), run_pushes_.end(), [](const Push& a, const Push& b) {
    return std::pair(a.column, a.sequence) < std::pair(b.column, b.sequence);
  });
  const std::size_t width = coordinates;
  columns_.clear();
  ranges_[assembly].first = static_cast<int>(entries_.size());
  for (int first = 0; first < static_cast<int>(run_pushes_.size());) {
    int last = first;
    while (last < static_cast<int>(run_pushes_.size()) && run_pushes_[last].column == run_pushes_[first].column) ++last;
    columns_.push_back(run_pushes_[first].column);
    grow_to(u_, columns_.size() * width);
    grow_to(w_, columns_.size() * width);
    eliminate_column(model, run, {first, last}, tree, workspace, u_.data() + (columns_.size() - 1) * width);
    first = last;
  }
  ranges_[assembly].last = static_cast<int>(entries_.size());
  // A_ij += u_iᵀ D⁻¹ u_j; eliminate_column has left D⁻¹ u in w_.
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t c = 0; c < width; ++c) sum += u_[i * width + c] * w_[j * width + c];
      A_[static_cast<std::size_t>(columns_[j]) * count_ + columns_[i]] += sum;
    }
  }
}

/// One column through the run: its u, D⁻¹ u, and its entry.
void WrenchColumns::eliminate_column(const Model& model, const Assembly& run, Range pushes, const AssemblyTree& tree,
                                     const DynamicsWorkspace& workspace, double* u) {
  double* w = w_.data() + (u - u_.data());
  const int width = run.last - run.first;
  double* end = u;
  for (int k = 0; k < width; ++k) end += model.nodes()[tree.path_bodies[run.first + k]].velocity_size;
  double* const past = end;
  std::fill(u, past, 0.0);
  Force f;
  for (int k = width - 1; k >= 0; --k) {
    const int body = tree.path_bodies[run.first + k];
    const TreeNode& node = model.nodes()[body];
    end -= node.velocity_size;
    if (k + 1 < width) f = f.moved_back_by(workspace.nodes[tree.path_bodies[run.first + k + 1]].r);
    for (int p = pushes.first; p < pushes.last; ++p) {
      const Push& what = run_pushes_[p];
      if (what.body != k) continue;
      if (what.coordinate >= 0) {
        end[what.coordinate - node.v_index] += what.coefficient;
      } else {
        f += what.force;
      }
    }
    const JointColumn* columns = workspace.columns.data() + node.v_index;
    const Mat6* inverse = workspace.inverse_of(node, body);
    gather_columns(node, columns, inverse, end, f);
    divide_by_D(node, columns, inverse, end, w + (end - u));
  }
  Entry entry;
  entry.column = run_pushes_[pushes.first].column;
  entry.force = to_vector(f);
  entry.motion.setZero();
  if (run.has_outboard) {
    Motion a;
    for (int k = 0; k < width; ++k) {
      const int body = tree.path_bodies[run.first + k];
      const TreeNode& node = model.nodes()[body];
      if (k > 0) a = a.moved_by(workspace.nodes[body].r);
      double acceleration[6];
      std::copy_n(end, node.velocity_size, acceleration);
      end += node.velocity_size;
      const Mat6* inverse = workspace.inverse_of(node, body);
      spread_columns(node, workspace.columns.data() + node.v_index, inverse, acceleration, a);
    }
    entry.motion = to_vector(a);
  }
  entries_.push_back(entry);
}

/// The columns of two assemblies through their join.
void WrenchColumns::pass_join(int assembly, const DivideAndConquer& dynamics, const DynamicsWorkspace& workspace) {
  const AssemblyTree& tree = dynamics.tree();
  const Assembly& joined = tree.assemblies[assembly];
  const Vec3& r = workspace.nodes[tree.assemblies[joined.outboard].top].r;
  const Mat6& Psi = dynamics.transfer(joined.inboard);
  const Mat6& G = dynamics.response(joined.inboard);
  const Range in_A = is_touched_[joined.inboard] ? ranges_[joined.inboard] : Range();
  const Range in_B = is_touched_[joined.outboard] ? ranges_[joined.outboard] : Range();
  meetings_.clear();
  ranges_[assembly].first = static_cast<int>(entries_.size());
  int a = in_A.first, b = in_B.first;
  while (a < in_A.last || b < in_B.last) {
    const int column_a = a < in_A.last ? entries_[a].column : count_,
              column_b = b < in_B.last ? entries_[b].column : count_;
    Meeting meeting{std::min(column_a, column_b), Vec6::Zero(), Vec6::Zero(), Vec6::Zero()};
    Entry entry{meeting.column, Vec6::Zero(), Vec6::Zero()};
    if (column_a == meeting.column) {
      meeting.own = meeting.at_handle = entries_[a].motion;
      entry.force = entries_[a++].force;
    }
    if (column_b == meeting.column) {
      meeting.from_outboard = moved_back_force(r, entries_[b].force);
      meeting.at_handle -= G * meeting.from_outboard;
      entry.force += Psi.transpose() * meeting.from_outboard;
      entry.motion = entries_[b++].motion;
    }
    if (joined.has_outboard) {
      entry.motion += dynamics.transfer(joined.outboard) * moved_motion(r, meeting.at_handle);
    }
    meetings_.push_back(meeting);
    entries_.push_back(entry);
    ++joins_;
  }
  ranges_[assembly].last = static_cast<int>(entries_.size());
  for (std::size_t i = 0; i < meetings_.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double both =
          meetings_[i].from_outboard.dot(meetings_[j].at_handle) + meetings_[i].own.dot(meetings_[j].from_outboard);
      A_[static_cast<std::size_t>(meetings_[j].column) * count_ + meetings_[i].column] -= both;
    }
  }
}

}  // namespace carom
