#include "carom/stepper/hybrid_dca/joined_problem.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

/// Bodies that a row pushes on, −1 for none.
std::vector<int> bodies_of(const Model& model, const ConstraintRow& row) {
  if (row.coordinate < 0) return {row.body_a, row.body_b};
  std::vector<int> bodies;
  row.for_each_term([&](int k, double) { bodies.push_back(model.coordinate_body(k)); });
  return bodies;
}

}  // namespace

JoinedProblem::JoinedProblem(const Model& model) : loops_(model), terminal_(model.body_count(), -1), workspace_(model) {
  no_force_.setZero(model.velocity_count());
  const AssemblyTree tree(model);
  for (const Assembly& assembly : tree.assemblies) {
    if (assembly.parent < 0 && model.nodes()[assembly.top].parent < 0) terminal_[assembly.top] = assembly.bottom;
  }
}

void JoinedProblem::take_rows(const Posed& posed, const Eigen::Ref<const VectorX>& u_free) {
  rows_.clear();
  kept_.clear();
  kept_blocks_.clear();
  blocks_.clear();
  for (std::size_t b = 0; b < posed.blocks.size(); ++b) {
    const Block& block = posed.blocks[b];
    const bool closes = block.kind == BlockKind::bilateral;
    for (int i = block.row; i < block.row + block.size(); ++i) {
      rows_.push_back({posed.rows[i], closes ? -block.offset - u_free[i] : 0.0, closes});
      if (!closes) kept_.push_back(i);
    }
    if (closes) continue;
    kept_blocks_.push_back(static_cast<int>(b));
    blocks_.push_back(block);
    blocks_.back().row = static_cast<int>(kept_.size()) - block.size();
  }
}

/// Bodies whose velocities the form keeps.
void JoinedProblem::choose_watched(const Model& model, const Posed& posed) {
  watched_.clear();
  if (form_ == ContactForm::pure) return;
  std::vector<int> roots, bodies;
  for (const int i : kept_) {
    for (const int body : bodies_of(model, posed.rows[i])) {
      if (model.is_static(body)) continue;
      roots.push_back(model.root(body));
      if (posed.rows[i].coordinate < 0) bodies.push_back(body);
    }
  }
  const auto make_unique = [](std::vector<int>& numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  };
  make_unique(roots);
  make_unique(bodies);
  for (const int root : roots) watched_.insert(watched_.end(), {root, terminal_[root]});
  if (form_ == ContactForm::contact_bodies) watched_.insert(watched_.end(), bodies.begin(), bodies.end());
}

/// Rows that push nothing, but whose velocities are those of the bodies watched.
void JoinedProblem::watch(const Model& model, const Posed& posed) {
  v_watched_.setZero(6 * static_cast<Eigen::Index>(watched_.size()));
  if (watched_.empty()) return;
  forward_velocity(model, posed.q, posed.v_free, workspace_);
  for (std::size_t w = 0; w < watched_.size(); ++w) {
    const NodeState& node = workspace_.nodes[watched_[w]];
    v_watched_.segment<6>(6 * static_cast<Eigen::Index>(w)) << node.V.angular, node.V.linear;
    for (int axis = 0; axis < 6; ++axis) {
      LoopRow row;
      row.closes = false;
      row.row.body_a = watched_[w];
      row.row.point_a = node.p;
      (axis < 3 ? row.row.moment : row.row.direction) = Vec3::Unit(axis % 3);
      rows_.push_back(row);
    }
  }
}

/// (32) or (33): what the velocities kept know of the impulses, and the rows' velocities of these.
void JoinedProblem::pose_handles(const Model& model, const Posed& posed) {
  const auto k = static_cast<Eigen::Index>(kept_.size()), m = v_watched_.size();
  HandleProblem& of = handles_;
  of.K = loops_.matrix().bottomLeftCorner(m, k);
  of.V_free = v_watched_ + loops_.free_motion().tail(m);
  of.chi.setZero(k, m);
  of.kinematic.assign(kept_.size(), 0);
  const auto place = [&](int body) {
    // The last of equal ones, if a body is watched twice: form contact_bodies tells contacts by their own bodies.
    const auto found = std::find(watched_.rbegin(), watched_.rend(), body);
    return found == watched_.rend() ? -1 : static_cast<int>(watched_.rend() - found) - 1;
  };
  for (Eigen::Index i = 0; i < k; ++i) {
    const ConstraintRow& row = posed.rows[kept_[i]];
    const int a = place(row.body_a), b = place(row.body_b);
    const bool yields = row.compliance > 0;  // its velocity is not that of bodies alone
    if (row.coordinate >= 0 || yields || (a < 0 && !model.is_static(row.body_a)) ||
        (b < 0 && !model.is_static(row.body_b))) {
      continue;
    }
    of.kinematic[static_cast<std::size_t>(i)] = 1;
    const auto add = [&](int at, int body, const Vec3& point, double sign) {
      if (at < 0) return;
      const Vec3 arm = point - workspace_.nodes[body].p;
      of.chi.row(i).segment<3>(6 * at) += sign * (arm.cross(row.direction) + row.moment).transpose();
      of.chi.row(i).segment<3>(6 * at + 3) += sign * row.direction.transpose();
    };
    add(a, row.body_a, row.point_a, 1);
    add(b, row.body_b, row.point_b, -1);
  }
  of.complete(A_, u_, loops_.matrix().diagonal().tail(m));
}

void JoinedProblem::assemble(const Model& model, ContactForm form, const Posed& posed,
                             const Eigen::Ref<const VectorX>& u_free, std::span<const double> negligible,
                             const DynamicsWorkspace& at) {
  model_ = &model;
  form_ = form;
  workspace_ = at;
  take_rows(posed, u_free);
  choose_watched(model, posed);
  watch(model, posed);
  loops_.assemble(model, posed.extra, no_force_, rows_, workspace_);
  const auto k = static_cast<Eigen::Index>(kept_.size());
  const auto A = loops_.matrix().topLeftCorner(k, k);
  A_ = 0.5 * (A + A.transpose());  // symmetric to the bit, as solvers may rely on
  u_ = loops_.free_motion().head(k);
  negligible_.clear();
  for (const int i : kept_) negligible_.push_back(negligible[static_cast<std::size_t>(i)]);
  rigid_round_off_ = u_free.size() > 0 ? 1e-9 * u_free.cwiseAbs().maxCoeff() : 0;
  for (Eigen::Index i = 0; i < k; ++i) {
    u_[i] = without_round_off(i, u_[i] + u_free[kept_[i]]);
  }
  if (form != ContactForm::pure && k > 0) pose_handles(model, posed);
}

void JoinedProblem::expand(const Eigen::Ref<const VectorX>& impulse, VectorX& velocity,
                           Eigen::Ref<VectorX> impulse_of_all) {
  kept_lambda_.setZero(static_cast<Eigen::Index>(loops_.contacts().size()));
  kept_lambda_.head(impulse.size()) = impulse;  // rows that are watched push nothing
  loops_.disassemble(*model_, kept_lambda_, workspace_, change_, lambda_);
  velocity += change_;
  impulse_of_all = lambda_.head(impulse_of_all.size());
}

}  // namespace carom
