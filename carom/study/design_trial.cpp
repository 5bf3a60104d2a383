#include "carom/study/design_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/error.h"
#include "carom/scene/expression.h"

namespace carom {
namespace {

using About = DesignCondition::Quantity;
using Relation = DesignCondition::Relation;

[[noreturn]] void refuse(const DesignStudy& study, Place place, const std::string& message) {
  throw SceneError({{study.file, place.line, place.column, message}});
}

/// The parameter that a path leads to; empty if it leads elsewhere.
std::string parameter_of(const std::string& path) {
  const std::string folder = "parameters/";
  if (path.starts_with(folder))
    return path.find('/', folder.size()) == std::string::npos ? path.substr(folder.size()) : "";
  return path.find('/') == std::string::npos ? path : "";
}

double value_of(const std::string& formula, const std::map<std::string, double>& values) {
  try {
    return evaluate(formula, values);
  } catch (const ExpressionFault& fault) {
    throw Error(fault.message);
  }
}

/// Puts numbers of dependents in order: each after those in its formula.
class DependentOrder {
 public:
  explicit DependentOrder(const DesignStudy& study) : study_(study) {
    for (std::size_t i = 0; i < study.dependent.size(); ++i) {
      const std::string name = parameter_of(study.dependent[i].path);
      if (!name.empty()) by_name_.emplace(name, i);
    }
    states_.resize(study.dependent.size(), State::untouched);
    for (std::size_t i = 0; i < states_.size(); ++i) visit(i);
  }
  const std::vector<std::size_t>& order() const { return order_; }

 private:
  enum class State { untouched, open, done };

  void visit(std::size_t i) {
    if (states_[i] == State::done) return;
    const DesignDependent& dependent = study_.dependent[i];
    if (states_[i] == State::open) {
      std::string way;
      for (auto it = std::find(open_.begin(), open_.end(), i); it != open_.end(); ++it)
        way += study_.dependent[*it].path + " -> ";
      refuse(study_, dependent.place,
             "the dependents " + way + dependent.path +
                 " depend on each other in a circle; write one of them by unknowns alone");
    }
    constexpr std::size_t longest_chain = 1000;  // of calls of this function in each other
    if (open_.size() > longest_chain) {
      refuse(study_, dependent.place,
             "a chain of more than " + std::to_string(longest_chain) +
                 " dependents, each in the formula of the next, is longer than Carom follows");
    }
    states_[i] = State::open;
    open_.push_back(i);
    for (const std::string& name : names_in(dependent.formula)) {
      if (const auto found = by_name_.find(name); found != by_name_.end()) visit(found->second);
    }
    open_.pop_back();
    states_[i] = State::done;
    order_.push_back(i);
  }

  const DesignStudy& study_;
  std::map<std::string, std::size_t> by_name_;
  std::vector<State> states_;
  std::vector<std::size_t> open_, order_;
};

}  // namespace

DesignTrial::DesignTrial(const DesignStudy& study) : study_(study), text_(read_scene_text(study.scene), study.scene) {
  static_cast<void>(parse_scene(text_.text(), text_.file()));  // its own faults first
  const auto count = static_cast<Eigen::Index>(study_.unknowns.size());
  parameters_ = text_.plain_parameters();
  start_.resize(count);
  scale_.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const DesignUnknown& unknown = study_.unknowns[i];
    try {
      start_[i] = text_.number(unknown.path);
    } catch (const Error& error) {
      refuse(study_, unknown.place, error.what());
    }
    if (parameter_of(unknown.path) != unknown.name && parameters_.contains(unknown.name)) {
      refuse(study_, unknown.place,
             "the scene has a parameter " + in_quotes(unknown.name) + " that is something else; choose another name");
    }
    scale_[i] = unknown.scale > 0 ? unknown.scale : start_[i] != 0 ? std::abs(start_[i]) : 1;
    if (start_[i] < unknown.lower || start_[i] > unknown.upper) {
      refuse(study_, unknown.place,
             fmt::format("{} is {} in the scene, outside its bounds {} to {}; widen them, or begin elsewhere",
                         unknown.name, start_[i], unknown.lower, unknown.upper));
    }
  }
  check_dependents();
  static_cast<void>(quantities(start_, impact(start_)));
  if (study_.minimise == DesignStudy::Minimise::formula) {
    try {
      static_cast<void>(formula(study_.formula, start_));
    } catch (const Error& error) {
      throw Error(study_.file + ": minimise: " + error.what());
    }
  }
}

/// Their order, and that each has a number at the start.
void DesignTrial::check_dependents() {
  for (const DesignDependent& dependent : study_.dependent) {
    const std::string name = parameter_of(dependent.path);
    for (const DesignUnknown& unknown : study_.unknowns) {
      if (dependent.path != unknown.path &&
          (name.empty() || (name != unknown.name && name != parameter_of(unknown.path))))
        continue;
      refuse(study_, dependent.place,
             in_quotes(dependent.path) + " is an unknown already; take it out of one of the two");
    }
  }
  std::map<std::string, double> values = named_unknowns(start_);
  const DependentOrder dependents(study_);
  for (const std::size_t i : dependents.order()) {
    const DesignDependent& dependent = study_.dependent[i];
    try {
      static_cast<void>(text_.is_computed(dependent.path));
      const std::string name = parameter_of(dependent.path);
      const double value = value_of(dependent.formula, values);
      if (name.empty()) continue;
      values[name] = value;
      ordered_.emplace_back(name, dependent.formula);
    } catch (const Error& error) {
      refuse(study_, dependent.place, error.what());
    }
  }
}

std::map<std::string, double> DesignTrial::named_unknowns(const Eigen::VectorXd& x) const {
  std::map<std::string, double> values = parameters_;
  for (std::size_t i = 0; i < study_.unknowns.size(); ++i) {
    const double value = x[static_cast<Eigen::Index>(i)];
    const std::string parameter = parameter_of(study_.unknowns[i].path);
    if (!parameter.empty()) values[parameter] = value;
    values[study_.unknowns[i].name] = value;
  }
  return values;
}

std::map<std::string, double> DesignTrial::names(const Eigen::VectorXd& x) const {
  std::map<std::string, double> values = named_unknowns(x);
  for (const auto& [name, formula] : ordered_) values[name] = value_of(formula, values);
  return values;
}

double DesignTrial::formula(const std::string& formula, const Eigen::VectorXd& x) const {
  return value_of(formula, names(x));
}

std::string DesignTrial::text(const Eigen::VectorXd& x) const {
  std::vector<std::pair<std::string, double>> values;
  for (std::size_t i = 0; i < study_.unknowns.size(); ++i) {
    values.emplace_back(study_.unknowns[i].path, x[static_cast<Eigen::Index>(i)]);
  }
  const std::map<std::string, double> known = names(x);
  for (const DesignDependent& dependent : study_.dependent) {
    values.emplace_back(dependent.path, value_of(dependent.formula, known));
  }
  return text_.with(values);
}

Scene DesignTrial::scene(const Eigen::VectorXd& x) const {
  ++evaluations_;
  return parse_scene(text(x), text_.file());
}

DesignImpact DesignTrial::impact(const Eigen::VectorXd& x) const { return design_impact(scene(x), study_.contacts); }

Eigen::VectorXd DesignTrial::quantities(const Eigen::VectorXd& x, const DesignImpact& impact) const {
  Eigen::VectorXd values(static_cast<Eigen::Index>(study_.conditions.size()));
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const DesignCondition& condition = study_.conditions[i];
    switch (condition.quantity) {
      case About::gap:
        values[i] = impact.gap[condition.first];
        break;
      case About::velocity:
        values[i] = impact.u[condition.first];
        break;
      case About::cosine:
        values[i] = impact.cosine(condition.first, condition.second);
        break;
      case About::value:
        values[i] = formula(condition.formula, x);
        break;
    }
  }
  return values;
}

LeastChangeProblem DesignTrial::problem() const {
  LeastChangeProblem problem;
  problem.start = start_.cwiseQuotient(scale_);
  problem.lower.resize(start_.size());
  problem.upper.resize(start_.size());
  for (Eigen::Index i = 0; i < start_.size(); ++i) {
    problem.lower[i] = study_.unknowns[i].lower / scale_[i];
    problem.upper[i] = study_.unknowns[i].upper / scale_[i];
  }
  for (const DesignCondition& condition : study_.conditions) {
    problem.inequality.push_back(condition.relation != Relation::equals);
  }
  problem.conditions = [this](const Eigen::VectorXd& y) -> std::optional<Eigen::VectorXd> {
    const Eigen::VectorXd x = y.cwiseProduct(scale_);
    try {
      Eigen::VectorXd values = quantities(x, impact(x));
      for (Eigen::Index i = 0; i < values.size(); ++i) values[i] = condition_value(study_.conditions[i], values[i]);
      return values;
    } catch (const Error&) {  // no such mechanism: a length below zero, a formula without a value
      return {};
    }
  };
  if (study_.minimise == DesignStudy::Minimise::formula) {
    problem.objective = [this](const Eigen::VectorXd& y) -> std::optional<double> {
      try {
        return formula(study_.formula, y.cwiseProduct(scale_));
      } catch (const Error&) {
        return {};
      }
    };
  }
  return problem;
}

double condition_value(const DesignCondition& condition, double quantity) {
  const double unit = condition.quantity == About::value ? std::max(1.0, std::abs(condition.target)) : 1;
  const double difference = (quantity - condition.target) / unit;
  return condition.relation == Relation::at_most ? -difference : difference;
}

}  // namespace carom
