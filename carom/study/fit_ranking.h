#pragma once

#include <memory>
#include <vector>

#include "carom/study/fit.h"
#include "carom/study/method_fit.h"

namespace carom {

/// A method that was fitted, or why it was not.
struct TriedMethod {
  std::string name;
  std::unique_ptr<MethodFit> fit;  ///< null: left out
  std::string left_out;
};

/// The methods, best first: by the misfit of experiments left out of the fit if the study has folds, else by that of
/// all. Each fold is fitted without its experiments, from the study's own starts. Numbers that an experiment has for
/// itself are fitted to it, others stay. An experiment without measurements counts in no mean. Differences to the first
/// are of mean squares, experiment by experiment, with a bootstrap over experiments. All are in units of the noise that
/// the method of least misfit estimates. `order`: places in `tried`.
std::vector<RankedMethod> ranked(const std::vector<TriedMethod>& tried, const FitStudy& study,
                                 std::vector<std::size_t>& order);

}  // namespace carom
