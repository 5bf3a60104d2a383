#include "carom/stepper/assembly.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "carom/dynamics/recursions.h"
#include "carom/error.h"
#include "carom/stepper/constraint_projection.h"

namespace carom {
namespace {

constexpr double closed = 1e-9;  // m or rad

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
  std::size_t row = 0;
  for (std::size_t i = 0; i < model.constraints().size(); ++i) {
    for (const std::size_t end = row + row_count(model.constraints()[i].kind); row < end; ++row) {
      if (std::abs(equations.errors[row]) > worst.position) {
        worst.position = std::abs(equations.errors[row]);
        worst.worst_by_position = static_cast<int>(i);
      }
      const double rate = std::abs(rates[static_cast<Eigen::Index>(row)]);
      if (rate > worst.velocity) {
        worst.velocity = rate;
        worst.worst_by_velocity = static_cast<int>(i);
      }
    }
  }
  return worst;
}

ConstraintViolation assemble_constraints(const Model& model, State& state) {
  const ConstraintViolation before = constraint_violation(model, state);
  if (model.constraints().empty()) return before;
  MassOperator mass(model, DynamicsKind::articulated);
  ConstraintProjection projection(model, mass);
  DynamicsWorkspace workspace(model);
  const VectorX q = state.q;
  projection.project_position(model, state.time, state.q, workspace, mass);
  transport_velocity(model, q, state.q, state.v, state.v);
  const ConstraintViolation left = constraint_violation(model, state);
  if (!(left.position <= closed)) {
    const Constraint& worst = model.constraints()[std::max(left.worst_by_position, 0)];
    std::ostringstream sentence;
    sentence << "constraint \"" << worst.name << "\" (" << constraint_name(worst.kind)
             << ") cannot be closed from where the mechanism starts: " << left.position
             << " m or rad are left of its violation; start nearer to a closed position, or mend the lengths";
    throw Error(sentence.str());
  }
  projection.project_velocity(model, state.time, state.q, state.v, workspace, mass);
  return before;
}

}  // namespace carom
