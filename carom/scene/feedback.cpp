#include "carom/scene/feedback.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>

#include "carom/model/coordinate_names.h"
#include "carom/run_failure.h"
#include "carom/scene/named_formula.h"

namespace carom {
namespace {

/// Places of names in a list of q, v and t.
FormulaNames names_of(const Model& model) {
  FormulaNames names;
  for (std::size_t body = 0; body < model.bodies().size(); ++body) {
    const Joint& joint = model.joints()[body];
    const auto add = [&](const std::vector<CoordinateName>& coordinates, int first) {
      for (std::size_t k = 0; k < coordinates.size(); ++k) {
        const std::string& own = coordinates[k].name;
        names.add(joint_name(model, body) + (own.empty() ? "" : "." + own), first + static_cast<int>(k));
      }
    };
    add(position_coordinates(joint), joint.q_index);
    add(velocity_coordinates(joint), model.position_count() + joint.v_index);
  }
  names.add("t", model.position_count() + model.velocity_count());
  return names;
}

struct BoundFeedback {
  SceneFeedback drive;
  int coordinate;  ///< of v
  NamedFormula formula;
};

NamedFormula bind(const Model& model, const FormulaNames& all, const SceneFeedback& drive) {
  const Joint& joint = model.joints()[static_cast<std::size_t>(drive.body)];
  FormulaNames names = all;
  names.set("joint", joint.q_index + drive.coordinate);
  names.set("joint.rate", model.position_count() + joint.v_index + drive.coordinate);
  return NamedFormula(drive.formula, names, OneNumberExtreme::refused);
}

/// The controller of one simulation.
class FeedbackController {
 public:
  explicit FeedbackController(std::vector<BoundFeedback> drives) : drives_(std::move(drives)) {}

  void add(const Model& model, const State& state, VectorX& force) {
    const auto number = [&](int place) {
      if (place < model.position_count()) return state.q[place];
      place -= model.position_count();
      return place < model.velocity_count() ? state.v[place] : state.time;
    };
    for (BoundFeedback& each : drives_) {
      numbers_.clear();
      for (const int place : each.formula.reads()) numbers_.push_back(number(place));
      const double value = each.formula.evaluate(numbers_);
      if (!std::isfinite(value)) {
        std::ostringstream sentence;
        sentence << "the force of drive '" << each.drive.name << "', " << in_quotes(each.drive.formula)
                 << ", is no finite number at t = " << state.time
                 << " s; look for a division by zero, or a root or logarithm outside its range";
        throw RunFailure(sentence.str());
      }
      force[each.coordinate] += std::clamp(value, -each.drive.limit, each.drive.limit);
    }
  }

 private:
  std::vector<BoundFeedback> drives_;
  std::vector<double> numbers_;
};

}  // namespace

ControllerMaker read_feedback(const Model& model, const FeedbackFormulas& formulas, Diagnostics& diagnostics) {
  const auto& [drives, parameters] = formulas;
  if (drives.empty()) return {};
  FormulaNames names = names_of(model);
  for (const auto& [name, value] : parameters) {
    for (const SceneFeedback& drive : drives) {
      const std::vector<std::string> words = plain_words(drive.formula);
      if (names.find(name) == nullptr || std::find(words.begin(), words.end(), name) == words.end()) continue;
      diagnostics.add(drive.place, in_quotes(name) +
                                       " is a parameter and a joint's coordinate or the time; rename the "
                                       "parameter");
    }
    names.add_constant(name, value);
  }
  for (const SceneFeedback& drive : drives) {
    try {
      static_cast<void>(bind(model, names, drive));
    } catch (const ExpressionFault& fault) {
      diagnostics.add(drive.place, "drive " + in_quotes(drive.name) + ": " + fault.message);
    }
  }
  return [names = std::move(names), drives = formulas.drives]() -> Controller {
    // Bound where the model is known for certain: in the first step.
    auto made = std::make_shared<std::unique_ptr<FeedbackController>>();
    return [names, drives, made](const Model& model, const State& state, VectorX& force) {
      if (!*made) {
        std::vector<BoundFeedback> bound;
        for (const SceneFeedback& drive : drives) {
          const int coordinate = model.joints()[static_cast<std::size_t>(drive.body)].v_index + drive.coordinate;
          bound.push_back({drive, coordinate, bind(model, names, drive)});
        }
        *made = std::make_unique<FeedbackController>(std::move(bound));
      }
      (*made)->add(model, state, force);
    };
  };
}

}  // namespace carom
