#include "carom/record/joint_loads.h"

#include <limits>

namespace carom {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Takes the impulses of a step of length h into means over the `before` seconds ahead of it.
void keep_mean(const VectorX& impulse, double before, double h, VectorX& mean) {
  if (!(before > 0)) {
    mean = impulse / h;
  } else {
    mean += (impulse - h * mean) / (before + h);
  }
}

}  // namespace

std::vector<int> jointed_bodies(const Model& model) {
  std::vector<int> bodies;
  for (int body = 0; body < model.body_count(); ++body) {
    if (model.joints()[static_cast<std::size_t>(body)].type != JointType::free) bodies.push_back(body);
  }
  return bodies;
}

std::vector<int> torque_coordinates(const StepLoads& loads) {
  std::vector<int> coordinates;
  for (const JointTorque& entry : loads.torques()) {
    if (coordinates.empty() || coordinates.back() != entry.coordinate) coordinates.push_back(entry.coordinate);
  }
  return coordinates;
}

JointLoads::JointLoads(const Model& model)
    : model_(model),
      layout_(model),
      joints_(jointed_bodies(model)),
      coordinates_(torque_coordinates(layout_)),
      start_(static_cast<std::size_t>(model.body_count())),
      passed_(static_cast<std::size_t>(model.body_count())) {
  torque.resize(layout_.torque_count());
  for (VectorX* vector : {&joint_force, &joint_moment, &force_, &moment_, &joint_places_}) {
    vector->resize(3 * static_cast<Eigen::Index>(joints_.size()));
  }
  for (VectorX* vector :
       {&constraint_force, &constraint_moment, &of_constraints_force_, &of_constraints_moment_, &constraint_places_}) {
    vector->resize(3 * static_cast<Eigen::Index>(model.constraints().size()));
  }
  clear();
}

void JointLoads::clear() {
  for (VectorX* vector : {&torque, &joint_force, &joint_moment, &constraint_force, &constraint_moment}) {
    vector->setConstant(nan);
  }
}

JointLoads::StepLoad JointLoads::step_joint(int entry) const {
  return {force_.segment<3>(3 * entry), moment_.segment<3>(3 * entry), joint_places_.segment<3>(3 * entry)};
}

JointLoads::StepLoad JointLoads::step_constraint(int constraint) const {
  return {of_constraints_force_.segment<3>(3 * constraint), of_constraints_moment_.segment<3>(3 * constraint),
          constraint_places_.segment<3>(3 * constraint)};
}

VectorX JointLoads::sum() const {
  VectorX sums = VectorX::Zero(static_cast<Eigen::Index>(coordinates_.size()));
  Eigen::Index place = 0;
  for (Eigen::Index i = 0; i < torque.size(); ++i) {
    const int coordinate = layout_.torques()[static_cast<std::size_t>(i)].coordinate;
    while (coordinates_[static_cast<std::size_t>(place)] != coordinate) ++place;
    sums[place] += torque[i];
  }
  return sums;
}

JointLoads::BodyStart JointLoads::look(int body, const DynamicsWorkspace& workspace) {
  const NodeState& node = workspace.nodes[static_cast<std::size_t>(body)];
  const double mass = node.inertia.mass;
  return {(node.inertia * node.V).moved_back_by(node.p), mass > 0 ? Vec3(node.p + node.inertia.moment / mass) : node.p,
          node.p, workspace.X_WB[static_cast<std::size_t>(body)]};
}

void JointLoads::begin_step(const DynamicsWorkspace& start) {
  for (std::size_t body = 0; body < start_.size(); ++body) start_[body] = look(static_cast<int>(body), start);
}

/// A point of a body, halfway between where it is at the step's start and at its end.
Vec3 JointLoads::halfway(int body, const Vec3& p_B, const DynamicsWorkspace& end) const {
  if (body < 0) return p_B;
  const auto b = static_cast<std::size_t>(body);
  return 0.5 * (start_[b].X_WB * p_B + end.X_WB[b] * p_B);
}

/// A body's balance less what is not its joint's.
void JointLoads::take(int body, const Force& impulse) {
  if (body < 0) return;
  Force& passed = passed_[static_cast<std::size_t>(body)];
  passed.moment -= impulse.moment;
  passed.force -= impulse.force;
}

void JointLoads::add_to_constraint(int constraint, const Force& on_a) {
  of_constraints_moment_.segment<3>(3 * constraint) += on_a.moment;
  of_constraints_force_.segment<3>(3 * constraint) += on_a.force;
}

void JointLoads::balance(const StepReport& report, const DynamicsWorkspace& end, double h, bool told) {
  for (int body = 0; body < model_.body_count(); ++body) {
    const auto b = static_cast<std::size_t>(body);
    const BodyStart& before = start_[b];
    const BodyStart after = look(body, end);
    const Vec3 weight = h * end.nodes[b].inertia.mass * model_.gravity();
    passed_[b] = {after.momentum.moment - before.momentum.moment, after.momentum.force - before.momentum.force};
    take(body, {Vec3(0.5 * (before.center + after.center)).cross(weight), weight});
  }
  for (const ContactReport& contact : report.contacts) {
    const bool on_joints = contact.id.is_limit() || contact.id.is_tendon();
    if (on_joints || contact.impulse.isZero(0)) continue;
    const Vec3 force = contact.R_WC * contact.impulse;
    const Vec3 moment = contact.position.cross(force);
    take(contact.body_a, {moment, force});
    take(contact.body_b, {-moment, -force});
  }
  for (const BodyImpulse& push : report.pushes) {
    take(push.body, {push.moment + halfway(push.body, push.point, end).cross(push.force), push.force});
  }
  if (!told) return;
  for (int i = 0; i < static_cast<int>(model_.constraints().size()); ++i) {
    const Constraint& constraint = model_.constraints()[static_cast<std::size_t>(i)];
    const Vec3 moment = loads_.segment<3>(layout_.constraint_place(i));
    const Vec3 force = loads_.segment<3>(layout_.constraint_place(i) + 3);
    if (force.isZero(0) && moment.isZero(0)) continue;
    const Vec3 about_origin = moment + halfway(constraint.body_a, constraint.X_AF.p, end).cross(force);
    take(constraint.body_a, {about_origin, force});
    take(constraint.body_b, {-about_origin, -force});
  }
  for (int i = 0; i < static_cast<int>(model_.wrenches().size()); ++i) {
    const AppliedWrench& wrench = model_.wrenches()[static_cast<std::size_t>(i)];
    const Vec3 moment = loads_.segment<3>(layout_.wrench_place(i)),
               force = loads_.segment<3>(layout_.wrench_place(i) + 3);
    take(wrench.body, {moment + halfway(wrench.body, wrench.point, end).cross(force), force});
  }
}

void JointLoads::add(const StepReport& report, const DynamicsWorkspace& end, double before, double h) {
  const bool told = report.loads.size() == layout_.size();
  if (told) loads_ = report.loads.head(layout_.corrections()) + report.loads.tail(layout_.corrections());
  balance(report, end, h, told);
  for (std::size_t body = passed_.size(); body-- > 0;) {
    const int parent = model_.joints()[body].parent;
    if (parent >= 0) passed_[static_cast<std::size_t>(parent)] += passed_[body];
  }
  const bool known = told || (model_.constraints().empty() && model_.wrenches().empty());
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto body = static_cast<std::size_t>(joints_[i]);
    const Force& passed = passed_[body];
    const auto at = static_cast<Eigen::Index>(3 * i);
    const Vec3 joint = 0.5 * (start_[body].joint + end.nodes[body].p);
    joint_places_.segment<3>(at) = joint;
    force_.segment<3>(at) = known ? passed.force : Vec3::Constant(nan);
    moment_.segment<3>(at) = known ? Vec3(passed.moment - joint.cross(passed.force)) : Vec3::Constant(nan);
  }
  if (told) {
    torque_ = loads_.head(layout_.torque_count());
    of_constraints_force_.setZero();
    of_constraints_moment_.setZero();
    for (int i = 0; i < static_cast<int>(model_.constraints().size()); ++i) {
      add_to_constraint(
          i, {loads_.segment<3>(layout_.constraint_place(i)), loads_.segment<3>(layout_.constraint_place(i) + 3)});
    }
    for (const ContactReport& contact : report.contacts) {
      if (contact.id.is_rope()) add_to_constraint(contact.id.b, {Vec3::Zero(), contact.R_WC * contact.impulse});
      if (contact.id.is_tendon()) {
        const double push = contact.id.feature == ContactId::lower ? contact.impulse.z() : -contact.impulse.z();
        for (const RowTerm& term : model_.constraint_terms(static_cast<std::size_t>(contact.id.b))) {
          layout_.add_torque(TorqueSource::limit, term.coordinate, term.coefficient * push, torque_);
        }
      }
      if (!contact.id.is_limit()) continue;
      const bool upwards = contact.id.feature == ContactId::lower || contact.id.feature == ContactId::forward;
      layout_.add_torque(TorqueSource::limit, contact.id.b, upwards ? contact.impulse.z() : -contact.impulse.z(),
                         torque_);
    }
  } else {
    torque_.setConstant(layout_.torque_count(), nan);
    of_constraints_force_.setConstant(nan);
    of_constraints_moment_.setConstant(nan);
  }
  for (std::size_t i = 0; i < model_.constraints().size(); ++i) {
    const Constraint& constraint = model_.constraints()[i];
    constraint_places_.segment<3>(3 * static_cast<Eigen::Index>(i)) =
        halfway(constraint.body_a, constraint.X_AF.p, end);
  }
  keep_mean(torque_, before, h, torque);
  keep_mean(force_, before, h, joint_force);
  keep_mean(moment_, before, h, joint_moment);
  keep_mean(of_constraints_force_, before, h, constraint_force);
  keep_mean(of_constraints_moment_, before, h, constraint_moment);
  begin_step(end);
}

}  // namespace carom
