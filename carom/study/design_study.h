#pragma once

#include <limits>
#include <string>
#include <vector>

#include "carom/scene/diagnostics.h"

namespace carom {

/// A number of the scene that a design may change.
struct DesignUnknown {
  std::string name;  ///< in formulas and tables
  std::string path;  ///< of its number in the scene, see SceneText
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double scale = 0;  ///< a change by so much counts 1; 0: the size of its first value, 1 where that is zero
  Place place;
};

/// A number of the scene that follows from unknowns, plain parameters and other dependents, beside those that the scene
/// computes itself.
struct DesignDependent {
  std::string path, formula;
  Place place;
};

/// Two shapes that touch, or are to touch: BODY, if it has one shape, or BODY/SHAPE; the same for `world`.
struct DesignContact {
  std::string name, a, b;
  Place place;
};

/// A quantity that is to equal a number, or to be at least or at most that.
struct DesignCondition {
  enum class Quantity {
    gap,       ///< of contact `first`, m
    velocity,  ///< at which it opens at the scene's start, m/s
    cosine,    ///< ⟨n_first, n_second⟩ of unit normals in the kinetic metric
    value,     ///< of the formula
  };
  enum class Relation { equals, at_least, at_most };
  Quantity quantity = Quantity::gap;
  Relation relation = Relation::equals;
  double target = 0;
  int first = -1, second = -1;
  std::string formula;
  std::string told;  ///< "gap of tail = 0 m"
};

/// Demands of a design.
struct DesignStudy {
  enum class Minimise { change, indeterminacy, formula };
  std::string file, scene;  ///< paths, the scene's from the current folder
  std::vector<DesignUnknown> unknowns;
  std::vector<DesignDependent> dependent;
  std::vector<DesignContact> contacts;
  std::vector<DesignCondition> conditions;
  Minimise minimise = Minimise::change;
  std::string formula;  ///< to be least
};

/// Reads a study (format: docs/manual/design.md). Throws SceneError with all faults of the file, each with its line, or
/// Error if there is none. The scene is not examined.
DesignStudy load_design_study(const std::string& path);
/// The same from text; `file` names it, and the scene is looked for beside it.
DesignStudy parse_design_study(const std::string& text, const std::string& file);

}  // namespace carom
