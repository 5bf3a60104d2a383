#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/scene/scene_text.h"
#include "carom/study/design_impact.h"
#include "carom/study/design_study.h"
#include "carom/study/least_change.h"

namespace carom {

/// A study's scene as a function of the unknowns x, in the order of the study. Keeps the count of scenes read.
class DesignTrial {
 public:
  /// Throws Error or SceneError if an unknown, a dependent or a contact is none of the scene's.
  explicit DesignTrial(const DesignStudy& study);

  const Eigen::VectorXd& start() const { return start_; }
  const Eigen::VectorXd& scale() const { return scale_; }
  const std::string& text_before() const { return text_.text(); }
  /// The scene's text with x in it, and what depends on it. Throws Error where a formula has no value.
  std::string text(const Eigen::VectorXd& x) const;
  /// The scene itself. Throws as parse_scene does.
  Scene scene(const Eigen::VectorXd& x) const;
  DesignImpact impact(const Eigen::VectorXd& x) const;
  /// The conditions' quantities.
  Eigen::VectorXd quantities(const Eigen::VectorXd& x, const DesignImpact& impact) const;
  /// In plain parameters of the scene, unknowns, and dependents that are parameters. Throws Error if it has no value.
  double formula(const std::string& formula, const Eigen::VectorXd& x) const;
  /// In the unknowns y = x / scale, with the objective of the study unless it is the indeterminacy.
  LeastChangeProblem problem() const;
  int evaluations() const { return evaluations_; }

 private:
  void check_dependents();
  /// Values by name: of plain parameters as the scene has them, and of unknowns, which go before.
  std::map<std::string, double> named_unknowns(const Eigen::VectorXd& x) const;
  /// The same with parameters that depend on the unknowns by the study.
  std::map<std::string, double> names(const Eigen::VectorXd& x) const;

  DesignStudy study_;
  SceneText text_;
  std::map<std::string, double> parameters_;                  // plain ones of the scene
  std::vector<std::pair<std::string, std::string>> ordered_;  // dependents that are parameters: name, formula
  Eigen::VectorXd start_, scale_;
  mutable int evaluations_ = 0;
};

/// The condition's value for least_change: quantity − target, turned so that inequalities are ≥ 0. For formulas it is
/// relative to the target where the size of that is above 1.
double condition_value(const DesignCondition& condition, double quantity);

}  // namespace carom
