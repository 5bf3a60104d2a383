#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/scene/scene_text.h"
#include "carom/study/sweep_study.h"

namespace carom {

/// One run of a study.
struct SweepCase {
  std::int64_t number = 0;
  std::optional<MethodChoice> method;                    ///< none: the scene's own
  std::vector<std::pair<std::string, double>> settings;  ///< numbers of the scene by their paths
  std::vector<double> values;                            ///< by SweepCases::names()
};

/// The cases of a study. Each depends on study, scene and its number alone: neither on threads nor on other cases.
class SweepCases {
 public:
  /// `text`: of the scene. Throws Error if a path leads nowhere in it.
  SweepCases(const SweepStudy& study, const std::string& text);

  std::int64_t count() const { return count_; }
  const std::vector<std::string>& names() const { return names_; }  ///< of what is varied, a column each
  SweepCase at(std::int64_t number) const;
  /// The scene of a case, with the study's outputs. Throws SceneError or Error where it makes no sense.
  SceneSource source(const SweepCase& sweep_case) const;
  /// The scene of the first case that makes sense. Throws the last one's SceneError if the first hundred make none.
  Scene first_sound_scene() const;
  /// Sixteen hexadecimal digits that change with all that the result of the case depends on. These are the scene with
  /// its files, the numbers, the method, outputs, bounds, and Carom's version.
  std::string key(const SweepCase& sweep_case) const;

 private:
  const SweepStudy& study_;
  SceneText scene_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> draws_;  ///< by draw, by column of what is drawn
  std::int64_t count_ = 1;
  std::string ground_;  ///< what is in the key of every case
};

}  // namespace carom
