#include "carom/validation/first_touch.h"

#include <algorithm>
#include <cmath>

#include "carom/contact/contact_finder.h"
#include "carom/dynamics/recursions.h"
#include "carom/error.h"

namespace carom {
namespace {

constexpr double step = 1e-3;  // s

class Fall {
 public:
  explicit Fall(const Model& model) : model_(model), workspace_(model), finder_(model) {}

  State after(const State& from, double h) {
    const auto rate = [&](const VectorX& q, const VectorX& v) {
      forward_dynamics(model_, q, v, VectorX::Zero(v.size()), workspace_, vdot_);
      return vdot_;
    };
    const VectorX a1 = rate(from.q, from.v), v2 = from.v + h / 2 * a1;
    const VectorX a2 = rate(from.q + h / 2 * from.v, v2), v3 = from.v + h / 2 * a2;
    const VectorX a3 = rate(from.q + h / 2 * v2, v3), v4 = from.v + h * a3;
    const VectorX a4 = rate(from.q + h * v3, v4);
    State to = from;
    to.time += h;
    to.q += h / 6 * (from.v + 2 * v2 + 2 * v3 + v4);
    to.v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    return to;
  }

  double gap(const State& state) {
    forward_kinematics(model_, state.q, workspace_);
    double least = INFINITY;
    for (const Contact& contact : finder_.find(model_, state.q, workspace_.X_WB, 1))
      least = std::min(least, contact.gap);
    return least;
  }

 private:
  const Model& model_;
  DynamicsWorkspace workspace_;
  ContactFinder finder_;
  VectorX vdot_;
};

}  // namespace

State first_touch(const Scene& scene, const State& start, double limit) {
  Fall fall(*scene.model);
  State state = start;
  while (state.time < start.time + limit) {
    if (!(fall.gap(fall.after(state, step)) <= 0)) {
      state = fall.after(state, step);
      continue;
    }
    double before = 0, after = step;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (before + after);
      (fall.gap(fall.after(state, middle)) > 0 ? before : after) = middle;
    }
    return fall.after(state, after);
  }
  throw Error(scene.file + ": nothing touches within " + std::to_string(limit) + " s of the fall");
}

}  // namespace carom
