#include "carom/stepper/impact_handler.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/contact/hertz.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

void add(const ImpactOutcome& part, ImpactOutcome& whole) {
  whole.status = std::max(whole.status, part.status);
  whole.rounds = std::max(whole.rounds, part.rounds);
  whole.intervals += part.intervals;
  whole.jams += part.jams;
  whole.energy_change += part.energy_change;
  whole.residual = std::max(whole.residual, part.residual);
}

/// Stiffnesses count by their ratios. An unknown one (a joint limit, a material without a modulus) is the geometric
/// mean of those that are known. All are equal if none is known.
void fill_unknown_stiffness(std::vector<ImpactSurface>& surfaces) {
  double logarithms = 0;
  int known = 0;
  for (const ImpactSurface& surface : surfaces) {
    if (!(surface.stiffness > 0)) continue;
    logarithms += std::log(surface.stiffness);
    ++known;
  }
  const double mean = known > 0 ? std::exp(logarithms / known) : 1;
  for (ImpactSurface& surface : surfaces) {
    if (!(surface.stiffness > 0)) surface.stiffness = mean;
  }
}

Vec3 in_frame(const Block& block, const Eigen::Ref<const VectorX>& rows) {
  if (block.kind == BlockKind::cone) return rows.segment<3>(block.row);
  return {0, 0, rows[block.row]};
}

}  // namespace

ImpactLawOptions law_options(const Method& method) {
  ImpactLawOptions options;
  options.plus = method.plus;
  options.lzb.accuracy = method.lzb_accuracy;
  options.propagative = method.propagative;
  return options;
}

ImpactHandler::ImpactHandler(const Model& model, const Method& method)
    : law_(method.law, law_options(method)), rungs_(method.rungs), loads_(model), judge_(model) {
  for (VectorX* vector : {&no_augmentation_, &velocity_}) vector->setZero(model.velocity_count());
}

/// Rows of the constraints, then those of the contacts; velocities, blocks, surfaces and the operator A.
void ImpactHandler::pose(const Model& model, double time, const VectorX& q, const std::vector<Contact>& contacts,
                         const VectorX& v, DynamicsWorkspace& workspace, MassOperator& mass) {
  constraint_equations(model, q, time, ConstraintLevel::velocity, workspace, equations_);
  rows_.assign(equations_.rows.begin(), equations_.rows.end());
  blocks_.clear();
  ImpactSurface unknown;
  unknown.stiffness = 0;
  surfaces_.assign(equations_.rows.size(), unknown);
  int row = 0;
  for (const double rate : equations_.rates) {
    Block block;
    block.kind = BlockKind::bilateral;
    block.row = row++;
    block.offset = -rate;
    blocks_.push_back(block);
  }
  for (const Contact& contact : contacts) {
    append_rows(contact, rows_);
    Block block;
    block.kind = contact.kind();
    block.row = row;
    blocks_.push_back(block);
    row += block.size();
    ImpactSurface surface;
    surface.restitution = contact.surface.restitution;
    surface.stiffness = hertz_stiffness(contact);
    surface.tangential_spring = contact.surface.tangential_spring;
    surfaces_.push_back(surface);
  }
  fill_unknown_stiffness(surfaces_);
  mass.factor(model, no_augmentation_, workspace);
  mass.build(model, rows_, workspace);
  u_.resize(row);
  p_.setZero(row);
  mass.apply(v, u_);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Block& block = blocks_[equations_.rates.size() + i];
    block.friction = contacts[i].surface.friction_of_impact(std::max(0.0, -u_[block.normal_row()]));
  }
}

void ImpactHandler::solve_island(int island, ImpactReport& impact) {
  island_surfaces_.clear();
  for (const int block : islands_.blocks(island)) island_surfaces_.push_back(surfaces_[block]);
  const ContactProblem own = island_.problem();
  p_island_.resize(own.u.size());
  u_island_.resize(own.u.size());
  const ImpactProblem problem{own.A, own.u, own.blocks, island_surfaces_, stop_, rungs_};
  add(law_.solve(problem, p_island_, u_island_, &trace_), impact.outcome);
  std::optional<ImpactPath> path;
  if (!trace_.steps.empty()) path = ImpactPath{trace_.impulse, trace_.velocity};
  keep_worst(certify_impact(problem, p_island_, u_island_, path), impact.certificate);
  const auto rows = islands_.rows(island);
  for (std::size_t r = 0; r < rows.size(); ++r) p_[rows[r]] = p_island_[static_cast<Eigen::Index>(r)];
}

/// Islands in which something strikes, and the places that their contacts will have from `first` on.
void ImpactHandler::find_struck(const std::vector<Contact>& contacts, const std::vector<char>& strikes,
                                std::size_t first) {
  const int constraints = static_cast<int>(equations_.rates.size());
  const auto island_of = [&](std::size_t contact) {
    return islands_.island_of(constraints + static_cast<int>(contact));
  };
  struck_.assign(static_cast<std::size_t>(islands_.count()), 0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (strikes[i]) struck_[island_of(i)] = 1;
  }
  struck_place_.assign(contacts.size(), 0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (struck_[island_of(i)]) struck_place_[i] = first++;
  }
}

/// The trace of an island into the report. Rows of constraints belong to no contact and are left out.
void ImpactHandler::tell_intervals(int island, int group, StepReport& report) const {
  const auto whole = islands_.blocks(island);
  const auto own = island_.problem().blocks;
  const int constraints = static_cast<int>(equations_.rates.size());
  for (std::size_t s = 0; s < trace_.steps.size(); ++s) {
    const PlusStep& step = trace_.steps[s];
    ImpactInterval interval;
    interval.group = group;
    interval.round = step.round;
    interval.alpha = step.alpha;
    interval.jammed = step.jammed;
    interval.ending = step.ending;
    interval.status = step.status;
    interval.first_contact = report.interval_contacts.size();
    for (std::size_t b = 0; b < whole.size(); ++b) {
      if (whole[b] < constraints) continue;
      IntervalContact contact;
      contact.contact = struck_place_[static_cast<std::size_t>(whole[b] - constraints)];
      contact.role = trace_.role(s, static_cast<int>(b));
      contact.motion = trace_.motion(s, static_cast<int>(b));
      contact.impulse = in_frame(own[b], trace_.impulse_of(s));
      contact.velocity = in_frame(own[b], trace_.velocity_after(s));
      report.interval_contacts.push_back(contact);
    }
    interval.contacts = report.interval_contacts.size() - interval.first_contact;
    report.intervals.push_back(interval);
  }
}

void ImpactHandler::strike(const Model& model, double time, const VectorX& q, const std::vector<Contact>& contacts,
                           const std::vector<char>& strikes, double push, DynamicsWorkspace& workspace,
                           MassOperator& mass, VectorX& v, StepReport& report) {
  pose(model, time, q, contacts, v, workspace, mass);
  const int constraints = static_cast<int>(equations_.rates.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (strikes[i]) u_[blocks_[static_cast<std::size_t>(constraints) + i].normal_row()] -= push;
  }
  const ContactProblem whole{mass.contact_operator(), u_, blocks_};
  islands_.find(whole);
  find_struck(contacts, strikes, report.struck.size());
  ImpactReport impact;
  impact.time = time;
  impact.step = report.step;
  impact.first_interval = report.intervals.size();
  int groups = 0;
  for (int island = 0; island < islands_.count(); ++island) {
    if (!struck_[island]) continue;
    island_.copy(whole, islands_, island);
    solve_island(island, impact);
    tell_intervals(island, groups++, report);
  }
  impact.intervals = report.intervals.size() - impact.first_interval;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (strikes[i]) u_[blocks_[static_cast<std::size_t>(constraints) + i].normal_row()] += push;
  }
  u_plus_.resize(u_.size());
  whole.A.multiply(p_, u_plus_);
  u_plus_ += u_;
  velocity_ = v;
  mass.add_response(p_, velocity_);
  impact.momentum_residual =
      judge_.judge_impact(model, {q, v, velocity_, rows_, {p_.data(), static_cast<std::size_t>(p_.size())}});
  v = velocity_;
  account(contacts, impact, report);
  if (report.loads.size() != loads_.size()) loads_.clear(report.loads);
  loads_.add_standing_rows(model, rows_, {p_.data(), rows_.size()}, equations_.rates.size(), workspace.X_WB,
                           report.loads);
}

void ImpactHandler::account(const std::vector<Contact>& contacts, ImpactReport& impact, StepReport& report) const {
  const std::size_t constraints = equations_.rates.size();
  for (std::size_t i = 0; i < constraints; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    impact.drive_work += equations_.rates[i] * p_[row];
    impact.constraint_work += (0.5 * (u_plus_[row] + u_[row]) - equations_.rates[i]) * p_[row];
  }
  impact.first_contact = report.struck.size();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Block& block = blocks_[constraints + i];
    if (!struck_[islands_.island_of(static_cast<int>(constraints + i))]) continue;
    const Contact& contact = contacts[i];
    ImpactContact struck;
    struck.id = contact.id;
    struck.body_a = contact.body_a;
    struck.body_b = contact.body_b;
    struck.position = contact.p_WA;
    struck.R_WC = contact.R_WC;
    struck.gap = contact.gap;
    struck.impulse = in_frame(block, p_);
    struck.before = in_frame(block, u_);
    struck.after = in_frame(block, u_plus_);
    impact.contact_work += 0.5 * (struck.before + struck.after).dot(struck.impulse);
    report.struck.push_back(struck);
  }
  impact.contacts = report.struck.size() - impact.first_contact;
  report.impacts.push_back(impact);
}

}  // namespace carom
