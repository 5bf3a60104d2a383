#include "carom/stepper/assembly.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "carom/dynamics/recursions.h"
#include "carom/dynamics/singular_mass.h"
#include "carom/error.h"
#include "carom/stepper/constraint_projection.h"
#include "carom/stepper/model_size.h"

namespace carom {
namespace {

constexpr double closed = 1e-8;  // of what places can tell apart
constexpr double kept = 1e-6;    // of the largest velocity

/// By how much a rope is longer than its length, or a tendon outside its range, m or rad.
double excess(const Model& model, const Constraint& rope, const VectorX& q, const DynamicsWorkspace& workspace) {
  if (rope.kind == ConstraintKind::tendon) {
    const double length = sum_of_shares(model, rope.shares, q);
    return std::abs(length - std::clamp(length, rope.lower, rope.upper));
  }
  if (rope.kind != ConstraintKind::rope) return 0;
  const auto end = [&](int body, const Vec3& p) { return body < 0 ? p : workspace.X_WB[body] * p; };
  const Vec3 apart = end(rope.body_a, rope.X_AF.p) - end(rope.body_b, rope.X_BG.p);
  return std::max(0.0, apart.norm() - rope.length);
}

std::string label(const Constraint& constraint) {
  return "constraint \"" + constraint.name + "\" (" + constraint_name(constraint.kind) + ")";
}

/// Throws if closing it has taken a joint past its limits.
void check_limits(const Model& model, const ModelSize& size, const VectorX& q) {
  const double reach = size.reach(model, q);
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.lower.size(); ++k) {
      const double at = q[joint.q_index + k];
      const double slack = closed * (size.is_length(joint.v_index + k) ? size.told(reach) : 1);
      if (at >= joint.lower[k] - slack && at <= joint.upper[k] + slack) continue;
      std::ostringstream sentence;
      sentence << "joint \"" << joint.name << "\" is at " << at << " where the constraints hold, beyond its limits "
               << joint.lower[k] << " to " << joint.upper[k] << "; widen them, or start elsewhere";
      throw Error(sentence.str());
    }
  }
}

/// Largest speed of a coordinate, or asked of a row, m/s; at least that of a fall by the least size (ModelSize::speed),
/// which has a floor without gravity. After a projection, what is left of contradictory motions may be all that moves.
double fastest_of(const ModelSize& size, const VectorX& v, const ConstraintEquations& equations) {
  constexpr double rest = 1;  // s
  double fastest = std::max(size.fastest(v), size.speed(rest));
  for (std::size_t i = 0; i < equations.rows.size(); ++i)
    fastest = std::max(fastest, std::abs(equations.rates[i]) * size.as_speed(equations.rows[i]));
  return fastest;
}

}  // namespace

ConstraintViolation constraint_violation(const Model& model, const State& state) {
  ConstraintViolation worst;
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, state.q, workspace);
  ConstraintEquations equations;
  constraint_equations(model, state.q, state.time, ConstraintLevel::velocity, workspace, equations);
  Delassus delassus;
  factor_mass(model, VectorX(), workspace);
  delassus.build(model, equations.rows, workspace);
  VectorX rates(static_cast<Eigen::Index>(equations.rows.size()));
  delassus.apply(state.v, rates);
  rates -= Eigen::Map<const VectorX>(equations.rates.data(), rates.size());
  const ModelSize size(model);
  const double reach = size.reach(model, state.q);
  const double fastest = fastest_of(size, state.v, equations);
  std::size_t row = 0;
  for (std::size_t i = 0; i < model.constraints().size(); ++i) {
    const auto note_position = [&](double violation, double unit) {
      if (!(violation / unit > worst.position_by_size)) return;
      worst.position = violation;
      worst.position_by_size = violation / unit;
      worst.worst_by_position = static_cast<int>(i);
    };
    const double unit = model.constraints()[i].kind == ConstraintKind::tendon
                            ? size.told({ContactId::of_tendon, static_cast<int>(i), 0}, reach)
                            : size.told(reach);
    note_position(excess(model, model.constraints()[i], state.q, workspace), unit);
    for (const std::size_t end = row + row_count(model.constraints()[i].kind); row < end; ++row) {
      note_position(std::abs(equations.errors[row]), size.told(equations.rows[row], reach));
      const double rate = std::abs(rates[static_cast<Eigen::Index>(row)]),
                   by_size = rate * size.as_speed(equations.rows[row]) / fastest;
      if (!(by_size > worst.velocity_by_size)) continue;
      worst.velocity = rate;
      worst.velocity_by_size = by_size;
      worst.worst_by_velocity = static_cast<int>(i);
    }
  }
  return worst;
}

ConstraintViolation assemble_constraints(const Model& model, State& state) {
  // By a mass matrix that is singular no shortest way onto the constraints is told.
  if (const auto faults = singular_mass_faults(model, state.q); !faults.empty()) throw Error(faults.front());
  const ConstraintViolation before = constraint_violation(model, state);
  if (model.constraints().empty()) return before;
  MassOperator mass(model, DynamicsKind::articulated);
  ConstraintProjection projection(model, mass);
  DynamicsWorkspace workspace(model);
  const VectorX q = state.q;
  projection.project_position(model, state.time, state.q, workspace, mass, ConstraintLevel::assembly);
  transport_velocity(model, q, state.q, state.v, state.v);
  const ConstraintViolation left = constraint_violation(model, state);
  if (!(left.position_by_size <= closed)) {
    const Constraint& worst = model.constraints()[std::max(left.worst_by_position, 0)];
    std::ostringstream sentence;
    sentence << label(worst) << " cannot be closed from where the mechanism starts: " << left.position
             << " m or rad are left of its violation; start nearer to a closed position, or mend the lengths";
    throw Error(sentence.str());
  }
  check_limits(model, ModelSize(model), state.q);
  projection.project_velocity(model, state.time, state.q, state.v, workspace, mass);
  const ConstraintViolation moving = constraint_violation(model, state);
  if (moving.velocity_by_size <= kept) return before;
  std::ostringstream sentence;
  sentence << label(model.constraints()[moving.worst_by_velocity]) << " and others ask for motions that contradict one "
           << "another: " << moving.velocity << " m/s or rad/s are left between them; mend their targets or paths";
  throw Error(sentence.str());
}

}  // namespace carom
