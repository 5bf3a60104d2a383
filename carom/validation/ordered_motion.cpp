#include "carom/validation/ordered_motion.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/dynamics/recursions.h"
#include "carom/error.h"
#include "carom/impact/propagative/elastic_sequence.h"
#include "carom/study/design_impact.h"

namespace carom {
namespace {

constexpr double step = 1e-4;      // s
constexpr double touching = 1e-9;  // m
constexpr int most_impacts = 100000;

}  // namespace

OrderedMotion::OrderedMotion(const Scene& scene, const std::vector<DesignContact>& contacts, std::vector<int> order)
    : scene_(scene),
      model_(*scene.model),
      order_(std::move(order)),
      workspace_(model_),
      finder_(model_),
      q_(scene.initial.q),
      v_(scene.initial.v) {
  if (!model_.drives().empty() || !model_.wrenches().empty() || !model_.constraints().empty() ||
      model_.position_count() != model_.velocity_count()) {
    throw Error(scene.file +
                ": impacts in a given order are followed between springs and dampers alone, without drives, "
                "wrenches, constraints, spherical and free joints");
  }
  std::vector<int> sorted = order_;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (sorted.size() != contacts.size() || sorted[i] != static_cast<int>(i)) {
      throw Error(scene.file + ": the order of the contacts must list each of them once");
    }
    colliders_.push_back(contact_colliders(scene, contacts[i]));
  }
  damping_.setZero(v_.size());
  for (const Joint& joint : model_.joints()) {
    if (joint.damping.size() > 0) damping_.segment(joint.v_index, joint.damping.size()) = joint.damping;
  }
}

OrderedMotion::Point OrderedMotion::after(double h) {
  const auto rate = [&](const VectorX& q, const VectorX& v) {
    spring_force(model_, q, tau_);
    tau_ -= damping_.cwiseProduct(v);
    forward_dynamics(model_, q, v, tau_, workspace_, vdot_);
    return vdot_;
  };
  const VectorX a1 = rate(q_, v_), v2 = v_ + h / 2 * a1;
  const VectorX a2 = rate(q_ + h / 2 * v_, v2), v3 = v_ + h / 2 * a2;
  const VectorX a3 = rate(q_ + h / 2 * v2, v3), v4 = v_ + h * a3;
  const VectorX a4 = rate(q_ + h * v3, v4);
  return {q_ + h / 6 * (v_ + 2 * v2 + 2 * v3 + v4), v_ + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)};
}

void OrderedMotion::find(const VectorX& q, const VectorX& v) {
  forward_kinematics(model_, q, workspace_);
  factor_mass(model_, VectorX(), workspace_);
  rows_.clear();
  gap_.resize(static_cast<Eigen::Index>(colliders_.size()));
  rate_.resize(gap_.size());
  std::vector<ConstraintRow> own;
  for (std::size_t i = 0; i < colliders_.size(); ++i) {
    const Contact contact = finder_.nearest(model_, colliders_[i].first, colliders_[i].second, workspace_.X_WB);
    gap_[static_cast<Eigen::Index>(i)] = contact.gap;
    own.clear();
    append_rows(contact, own);
    rows_.push_back(own.back());  // the normal
  }
  delassus_.build(model_, rows_, workspace_);
  delassus_.apply(v, rate_);
}

bool OrderedMotion::strikes(const Point& point) {
  find(point.q, point.v);
  return ((gap_.array() < 0) && (rate_.array() < 0)).any();
}

void OrderedMotion::strike() {
  find(q_, v_);
  std::vector<int> taking_part;
  ElasticOptions options;
  options.rule = ResetRule::priority;
  for (const int contact : order_) {
    if (gap_[contact] > touching) continue;
    options.order.push_back(static_cast<int>(taking_part.size()));
    taking_part.push_back(contact);
  }
  std::vector<ConstraintRow> rows;
  for (const int contact : taking_part) rows.push_back(rows_[static_cast<std::size_t>(contact)]);
  delassus_.build(model_, rows, workspace_);
  VectorX u(static_cast<Eigen::Index>(rows.size()));
  delassus_.apply(v_, u);
  const ElasticOutcome outcome = elastic_impact(normal_impact(delassus_.matrix(), u), options);
  if (outcome.status != ElasticStatus::feasible || ++impacts_ > most_impacts) {
    throw Error(scene_.file + ": impacts do not come to an end at " + std::to_string(time_) + " s");
  }
  delassus_.add_response(outcome.impulse, v_);
}

void OrderedMotion::advance(double time) {
  find(q_, v_);
  if (((gap_.array() <= touching) && (rate_.array() < 0)).any()) strike();
  while (time_ < time) {
    const double h = std::min(step, time - time_);
    Point end = after(h);
    if (!strikes(end)) {
      q_ = end.q;
      v_ = end.v;
      time_ = h < step ? time : time_ + h;
      continue;
    }
    double before = 0, late = h;
    while (late - before > 1e-15) {
      const double middle = 0.5 * (before + late);
      (strikes(after(middle)) ? late : before) = middle;
    }
    end = after(late);
    q_ = end.q;
    v_ = end.v;
    time_ += late;
    strike();
  }
}

VectorX OrderedMotion::momentum() {
  MatrixX M;
  forward_kinematics(model_, q_, workspace_);
  mass_matrix(model_, workspace_, M);
  return M * v_;
}

double OrderedMotion::norm(const VectorX& p) {
  forward_kinematics(model_, q_, workspace_);
  factor_mass(model_, VectorX(), workspace_);
  VectorX x(p.size());
  solve_mass(model_, p, workspace_, x);
  return std::sqrt(std::max(0.0, p.dot(x)));
}

double OrderedMotion::kinetic_energy() { return 0.5 * momentum().dot(v_); }

double OrderedMotion::energy() {
  const double kinetic = kinetic_energy();
  forward_kinematics(model_, q_, workspace_);
  return kinetic + potential_energy(model_, q_, workspace_);
}

}  // namespace carom
