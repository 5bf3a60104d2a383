#include "carom/study/design_impact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "carom/complementarity/bilateral_elimination.h"
#include "carom/contact/contact_finder.h"
#include "carom/dynamics/constraint_equations.h"
#include "carom/dynamics/delassus.h"
#include "carom/dynamics/recursions.h"
#include "carom/error.h"

namespace carom {
namespace {

std::string owner_of(const Model& model, const Collider& collider) {
  return collider.body < 0 ? "world" : model.bodies()[collider.body].name;
}

/// A shape's name; that of its body if it is its only one.
std::string name_of(const Model& model, int collider) {
  const Collider& shape = model.colliders()[collider];
  int on_body = 0;
  for (const Collider& other : model.colliders()) on_body += other.body == shape.body ? 1 : 0;
  return on_body == 1 ? owner_of(model, shape) : shape.name;
}

int collider_named(const Scene& scene, const DesignContact& contact, const std::string& name) {
  const Model& model = *scene.model;
  std::vector<int> found;
  std::string there;
  for (std::size_t i = 0; i < model.colliders().size(); ++i) {
    const Collider& collider = model.colliders()[i];
    const std::string owner = owner_of(model, collider);
    if (owner == name || collider.name == name || collider.name.ends_with("/" + name))
      found.push_back(static_cast<int>(i));
    there += (there.empty() ? "" : ", ") + name_of(model, static_cast<int>(i));
  }
  if (found.size() == 1) return found[0];
  throw Error(fmt::format("contact {}: {} {}; the shapes of {} are: {}", contact.name,
                          found.empty() ? "there is no shape" : "there are several shapes on", in_quotes(name),
                          scene.file, there));
}

/// Rows of the constraints and of the contacts' normals, in this order.
struct DesignRows {
  std::vector<ConstraintRow> rows;
  std::vector<Block> blocks;

  DesignRows(const Scene& scene, const std::vector<Contact>& contacts, const DynamicsWorkspace& workspace) {
    ConstraintEquations equations;
    const State& start = scene.initial;
    constraint_equations(*scene.model, start.q, start.time, ConstraintLevel::velocity, workspace, equations);
    rows = equations.rows;
    for (const double rate : equations.rates) add(BlockKind::bilateral, -rate);
    for (const Contact& contact : contacts) {
      std::vector<ConstraintRow> own;
      append_rows(contact, own);
      rows.push_back(own.back());  // the normal
      add(BlockKind::unilateral, 0);
    }
  }

 private:
  void add(BlockKind kind, double offset) {
    Block block;
    block.kind = kind;
    block.row = static_cast<int>(blocks.size());
    block.offset = offset;
    blocks.push_back(block);
  }
};

}  // namespace

double DesignImpact::cosine(int i, int j) const { return A(i, j) / std::sqrt(A(i, i) * A(j, j)); }

std::pair<int, int> contact_colliders(const Scene& scene, const DesignContact& contact) {
  const Model& model = *scene.model;
  int a = collider_named(scene, contact, contact.a), b = collider_named(scene, contact, contact.b);
  const auto still = [&](int collider) { return model.is_static(model.colliders()[collider].body); };
  if (a > b) std::swap(a, b);
  if (still(a)) std::swap(a, b);
  if (a == b || still(a) || !model.may_collide(a, b)) {
    throw Error(
        fmt::format("contact {}: {} and {} are never tested for contact in {}: they are one body, neighbours by a "
                    "joint, both at rest, or kept apart under 'collisions'",
                    contact.name, contact.a, contact.b, scene.file));
  }
  return {a, b};
}

DesignImpact design_impact(const Scene& scene, const std::vector<DesignContact>& contacts) {
  const Model& model = *scene.model;
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, scene.initial.q, workspace);
  forward_velocity(model, scene.initial.q, scene.initial.v, workspace);
  DesignImpact impact;
  impact.kinetic_energy = kinetic_energy(model, workspace);
  factor_mass(model, VectorX(), workspace);
  ContactFinder finder(model);
  std::vector<Contact> found;
  const auto count = static_cast<Eigen::Index>(contacts.size());
  impact.gap.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto [a, b] = contact_colliders(scene, contacts[i]);
    found.push_back(finder.nearest(model, a, b, workspace.X_WB));
    impact.gap[i] = found.back().gap;
  }
  const DesignRows all(scene, found, workspace);
  Delassus delassus;
  delassus.build(model, all.rows, workspace);
  Eigen::VectorXd u(static_cast<Eigen::Index>(all.rows.size()));
  delassus.apply(scene.initial.v, u);
  impact.A = delassus.matrix();
  impact.u = u;
  if (BilateralElimination constraints; constraints.eliminate({delassus.matrix(), u, all.blocks})) {
    const ContactProblem untied = constraints.problem();
    impact.A = untied.A.dense();
    impact.u = untied.u;
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    if (!(impact.A(i, i) > 0)) {
      throw Error(fmt::format("contact {}: no impulse along its normal moves anything; its bodies can't come apart",
                              contacts[i].name));
    }
  }
  return impact;
}

std::vector<std::string> other_overlaps(const Scene& scene, const std::vector<DesignContact>& contacts, double depth) {
  const Model& model = *scene.model;
  std::set<std::pair<int, int>> named;
  for (const DesignContact& contact : contacts) named.insert(contact_colliders(scene, contact));
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, scene.initial.q, workspace);
  ContactFinder finder(model);
  std::vector<std::string> told;
  for (const Contact& contact : finder.find(model, scene.initial.q, workspace.X_WB, -depth)) {
    if (!contact.id.is_surface() || named.contains({contact.id.a, contact.id.b})) continue;
    named.emplace(contact.id.a, contact.id.b);  // each pair once
    told.push_back(fmt::format("{} and {}, by {:.3g} m", name_of(model, contact.id.a), name_of(model, contact.id.b),
                               -contact.gap));
  }
  return told;
}

}  // namespace carom
