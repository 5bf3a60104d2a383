#include "carom/stepper/step_loads.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/applied_force.h"
#include "carom/dynamics/point_spring.h"
#include "carom/dynamics/spring_stretch.h"

namespace carom {
namespace {

using Sources = std::array<bool, torque_sources>;

/// Source of a constraint on coordinates.
TorqueSource source_of(ConstraintKind kind) {
  if (kind == ConstraintKind::motion) return TorqueSource::motion;
  return kind == ConstraintKind::tendon ? TorqueSource::limit : TorqueSource::coupler;
}

/// Sources that each coordinate of v has.
std::vector<Sources> sources_of(const Model& model) {
  std::vector<Sources> all(static_cast<std::size_t>(model.velocity_count()));
  const auto mark = [&](int body, int coordinate, TorqueSource source) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(body)];
    all[static_cast<std::size_t>(joint.v_index + coordinate)][static_cast<std::size_t>(source)] = true;
  };
  for (int body = 0; body < model.body_count(); ++body) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(body)];
    const auto has = [](const VectorX& numbers, int k) { return k < numbers.size() && numbers[k] != 0; };
    for (int k = 0; k < velocity_size(joint); ++k) {
      const auto limits = [&](const VectorX& numbers) { return k < numbers.size() && std::isfinite(numbers[k]); };
      const bool ratchet = static_cast<std::size_t>(k) < joint.ratchet.size() &&
                           joint.ratchet[static_cast<std::size_t>(k)] != Ratchet::none;
      if (limits(joint.lower) || limits(joint.upper) || ratchet) mark(body, k, TorqueSource::limit);
      if (has(joint.stiffness, k)) mark(body, k, TorqueSource::spring);
      if (has(joint.damping, k)) mark(body, k, TorqueSource::damper);
      if (has(joint.friction, k)) mark(body, k, TorqueSource::friction);
      if (joint.type != JointType::free) mark(body, k, TorqueSource::controller);
    }
  }
  const auto mark_terms = [&](std::span<const RowTerm> terms, TorqueSource source) {
    for (const RowTerm& term : terms) {
      all[static_cast<std::size_t>(term.coordinate)][static_cast<std::size_t>(source)] = true;
    }
  };
  for (std::size_t i = 0; i < model.drives().size(); ++i) {
    mark_terms(model.drive_terms(i),
               model.drives()[i].kind == DriveKind::servo ? TorqueSource::servo : TorqueSource::force);
  }
  for (std::size_t i = 0; i < model.constraints().size(); ++i) {
    mark_terms(model.constraint_terms(i), source_of(model.constraints()[i].kind));
  }
  return all;
}

}  // namespace

std::string torque_source_name(TorqueSource source) {
  switch (source) {
    case TorqueSource::servo:
      return "servo";
    case TorqueSource::force:
      return "force";
    case TorqueSource::motion:
      return "motion";
    case TorqueSource::coupler:
      return "coupler";
    case TorqueSource::limit:
      return "limit";
    case TorqueSource::spring:
      return "spring";
    case TorqueSource::damper:
      return "damper";
    case TorqueSource::friction:
      return "friction";
    case TorqueSource::controller:
      return "controller";
  }
  return "";
}

double servo_force(const Model& model, std::size_t drive, double time, const VectorX& q, const VectorX& v) {
  const Drive& servo = model.drives()[drive];
  const double position = driven_position(model, servo, q), rate = coordinate_row(model.drive_terms(drive)).sum(v);
  const double pull =
      servo.stiffness * (servo.value.at(time) - position) + servo.damping * (servo.value.rate(time) - rate);
  return std::clamp(pull, -servo.limit, servo.limit);
}

StepLoads::StepLoads(const Model& model)
    : constraints_(static_cast<int>(model.constraints().size())), wrenches_(static_cast<int>(model.wrenches().size())) {
  const std::vector<Sources> all = sources_of(model);
  for (std::size_t coordinate = 0; coordinate < all.size(); ++coordinate) {
    std::array<int, torque_sources>& places = places_.emplace_back();
    for (std::size_t source = 0; source < torque_sources; ++source) {
      places[source] = all[coordinate][source] ? static_cast<int>(torques_.size()) : -1;
      if (all[coordinate][source]) {
        torques_.push_back({static_cast<int>(coordinate), static_cast<TorqueSource>(source)});
      }
    }
  }
  for (int i = 0; i < constraints_; ++i) {
    const ConstraintKind kind = model.constraints()[static_cast<std::size_t>(i)].kind;
    if (kind == ConstraintKind::spring) springs_.push_back(i);
    const int rows = row_count(kind);
    constraint_of_row_.insert(constraint_of_row_.end(), static_cast<std::size_t>(rows), i);
  }
}

void StepLoads::add_constraint_row(const Model& model, int number, const ConstraintRow& row, double impulse,
                                   const std::vector<Transform>& X_WB, VectorX& loads, Eigen::Index half) const {
  const int i = constraint_of_row_[static_cast<std::size_t>(number)];
  const Constraint& constraint = model.constraints()[static_cast<std::size_t>(i)];
  if (row.coordinate >= 0) {
    row.for_each_term([&](int k, double coefficient) {
      add_torque(source_of(constraint.kind), k, coefficient * impulse, loads, half);
    });
    return;
  }
  const Vec3& p = constraint.X_AF.p;
  const Vec3 p_WF = row.body_a < 0 ? p : Vec3(X_WB[static_cast<std::size_t>(row.body_a)] * p);
  loads.segment<3>(half + constraint_place(i)) += impulse * ((row.point_a - p_WF).cross(row.direction) + row.moment);
  loads.segment<3>(half + constraint_place(i) + 3) += impulse * row.direction;
}

void StepLoads::add_spring_row(int i, const ConstraintRow& row, double impulse, VectorX& loads) const {
  loads.segment<3>(constraint_place(i) + 3) += impulse * row.direction;
}

void StepLoads::add_standing_rows(const Model& model, std::span<const ConstraintRow> rows,
                                  std::span<const double> impulse, std::size_t standing,
                                  const std::vector<Transform>& X_WB, VectorX& loads, Eigen::Index half) const {
  std::size_t spring = 0;
  for (std::size_t i = 0; i < standing; ++i) {
    if (i < constraint_of_row_.size()) {
      add_constraint_row(model, static_cast<int>(i), rows[i], impulse[i], X_WB, loads, half);
    } else if (rows[i].coordinate < 0) {
      add_spring_row(springs_[spring++], rows[i], impulse[i], loads);
    } else {
      const bool servo = rows[i].compliance > 0;
      rows[i].for_each_term([&](int k, double coefficient) {
        add_torque(servo ? TorqueSource::servo : TorqueSource::friction, k, coefficient * impulse[i], loads, half);
      });
    }
  }
}

void StepLoads::add_applied(const Model& model, double time, double h, const VectorX& controlled,
                            const DynamicsWorkspace& workspace, VectorX& loads) const {
  for (std::size_t i = 0; i < model.drives().size(); ++i) {
    const Drive& drive = model.drives()[i];
    if (drive.kind != DriveKind::force) continue;
    for (const RowTerm& term : model.drive_terms(i)) {
      add_torque(TorqueSource::force, term.coordinate, h * term.coefficient * drive.value.at(time), loads);
    }
  }
  for (int i = 0; i < controlled.size(); ++i) add_torque(TorqueSource::controller, i, h * controlled[i], loads);
  for (int i = 0; i < wrenches_; ++i) {
    const AppliedWrench& applied = model.wrenches()[static_cast<std::size_t>(i)];
    const Force force = force_of(applied, time, workspace);
    const auto body = static_cast<std::size_t>(applied.body);
    const Vec3 arm = workspace.X_WB[body] * applied.point - workspace.nodes[body].p;
    loads.segment<3>(wrench_place(i)) += h * (force.moment - arm.cross(force.force));
    loads.segment<3>(wrench_place(i) + 3) += h * force.force;
  }
}

void StepLoads::add_implicit(const Model& model, double h, const Linearisation& at, const VectorX& v_plus,
                             VectorX& loads) const {
  for (const JointTorque& torque : torques_) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(model.coordinate_body(torque.coordinate))];
    const int k = torque.coordinate - joint.v_index;
    const double phi = at.weights == nullptr ? 1 : at.weights->of_joints()[torque.coordinate];
    const double start = at.start[torque.coordinate], end = v_plus[torque.coordinate];
    if (torque.source == TorqueSource::spring) {
      const double way = phi * ((1 - phi) * start + phi * end) - at.reach[torque.coordinate];
      add_torque(torque.source, torque.coordinate, -h * joint.stiffness[k] * (spring_stretch(joint, at.q)[k] + h * way),
                 loads);
    } else if (torque.source == TorqueSource::damper) {
      add_torque(torque.source, torque.coordinate, -h * joint.damping[k] * ((1 - phi) * start + phi * end), loads);
    }
  }
}

void StepLoads::add_explicit(const Model& model, double time, double h, const VectorX& q, const VectorX& v,
                             const DynamicsWorkspace& at, VectorX& loads) const {
  for (const int i : springs_) {
    const SpringPull pull = spring_pull(model, model.constraints()[static_cast<std::size_t>(i)], v, at);
    add_spring_row(i, pull.spring.row, h * pull.force, loads);
  }
  for (const JointTorque& torque : torques_) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(model.coordinate_body(torque.coordinate))];
    const int k = torque.coordinate - joint.v_index;
    if (torque.source == TorqueSource::spring) {
      const double slack = -spring_stretch(joint, q)[k];
      add_torque(torque.source, torque.coordinate, h * joint.stiffness[k] * slack, loads);
    } else if (torque.source == TorqueSource::damper) {
      add_torque(torque.source, torque.coordinate, -h * joint.damping[k] * v[torque.coordinate], loads);
    }
  }
  for (std::size_t i = 0; i < model.drives().size(); ++i) {
    if (model.drives()[i].kind != DriveKind::servo) continue;
    const double force = servo_force(model, i, time, q, v);
    for (const RowTerm& term : model.drive_terms(i)) {
      add_torque(TorqueSource::servo, term.coordinate, h * term.coefficient * force, loads);
    }
  }
}

void add_loads(const VectorX& part, VectorX& whole) {
  if (part.size() == 0) return;
  if (whole.size() == part.size()) {
    whole += part;
  } else {
    whole = part;
  }
}

}  // namespace carom
