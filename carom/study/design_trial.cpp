#include "carom/study/design_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/error.h"
#include "carom/scene/expression.h"

namespace carom {
namespace {

using About = DesignCondition::Quantity;
using Relation = DesignCondition::Relation;

[[noreturn]] void refuse(const DesignStudy& study, Place place, const std::string& message) {
  throw SceneError({{study.file, place.line, place.column, message}});
}

}  // namespace

DesignTrial::DesignTrial(const DesignStudy& study) : study_(study), text_(read_scene_text(study.scene), study.scene) {
  static_cast<void>(parse_scene(text_.text(), text_.file()));  // its own faults first
  const auto count = static_cast<Eigen::Index>(study_.unknowns.size());
  const std::map<std::string, double> parameters = text_.plain_parameters();
  start_.resize(count);
  scale_.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const DesignUnknown& unknown = study_.unknowns[i];
    try {
      start_[i] = text_.number(unknown.path);
    } catch (const Error& error) {
      refuse(study_, unknown.place, error.what());
    }
    if (unknown.path != unknown.name && parameters.contains(unknown.name)) {
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
  for (const DesignDependent& dependent : study_.dependent) {
    try {
      static_cast<void>(text_.is_computed(dependent.path));
      static_cast<void>(formula(dependent.formula, start_));
    } catch (const Error& error) {
      refuse(study_, dependent.place, error.what());
    }
  }
  static_cast<void>(quantities(start_, blow(start_)));
}

std::map<std::string, double> DesignTrial::names(const Eigen::VectorXd& x) const {
  std::map<std::string, double> values = text_.plain_parameters();
  for (std::size_t i = 0; i < study_.unknowns.size(); ++i)
    values[study_.unknowns[i].name] = x[static_cast<Eigen::Index>(i)];
  return values;
}

double DesignTrial::formula(const std::string& formula, const Eigen::VectorXd& x) const {
  try {
    return evaluate(formula, names(x));
  } catch (const ExpressionFault& fault) {
    throw Error(fault.message);
  }
}

std::string DesignTrial::text(const Eigen::VectorXd& x) const {
  std::vector<std::pair<std::string, double>> values;
  for (std::size_t i = 0; i < study_.unknowns.size(); ++i) {
    values.emplace_back(study_.unknowns[i].path, x[static_cast<Eigen::Index>(i)]);
  }
  for (const DesignDependent& dependent : study_.dependent) {
    values.emplace_back(dependent.path, formula(dependent.formula, x));
  }
  return text_.with(values);
}

Scene DesignTrial::scene(const Eigen::VectorXd& x) const {
  ++evaluations_;
  return parse_scene(text(x), text_.file());
}

DesignBlow DesignTrial::blow(const Eigen::VectorXd& x) const { return design_blow(scene(x), study_.contacts); }

Eigen::VectorXd DesignTrial::quantities(const Eigen::VectorXd& x, const DesignBlow& blow) const {
  Eigen::VectorXd values(static_cast<Eigen::Index>(study_.conditions.size()));
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    const DesignCondition& condition = study_.conditions[i];
    switch (condition.quantity) {
      case About::gap:
        values[i] = blow.gap[condition.first];
        break;
      case About::velocity:
        values[i] = blow.u[condition.first];
        break;
      case About::cosine:
        values[i] = blow.cosine(condition.first, condition.second);
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
      Eigen::VectorXd values = quantities(x, blow(x));
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
