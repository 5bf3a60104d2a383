#pragma once

#include <map>
#include <string>
#include <vector>

#include "carom/scene/expression.h"

// Formulas over numbers whose names are those of a mechanism: "hip.rate", "box.position.x", "world/floor.force.z".
namespace carom {

/// Names that such formulas may use.
class FormulaNames {
 public:
  /// A number that changes, at this place in a list that the caller keeps. Numbers NAME.x, NAME.y and NAME.z (and
  /// NAME.w before them) also make a vector NAME. The first number of a name stays.
  void add(const std::string& name, int place);
  /// The same, in place of what had the name.
  void set(const std::string& name, int place);
  /// A number that does not change: a parameter of the scene. Nothing where the name is taken.
  void add_constant(const std::string& name, double value);

  struct Meaning {
    std::vector<int> places;  ///< one of a number, several of a vector, none of a constant
    double value = 0;         ///< of a constant
  };
  /// Null if there is none.
  const Meaning* find(const std::string& name) const;
  /// Length of the longest name that stands at this place of a text as a word of its own; 0 if none does.
  std::size_t longest_at(const std::string& text, std::size_t at) const;
  /// The name that differs from `word` by the fewest edits; empty if there are no names.
  std::string nearest(const std::string& word) const;
  /// Places of the components of the vector `name` with their names ("x", "w", …); empty if there is no such vector.
  std::vector<std::pair<std::string, int>> components(const std::string& name) const;

 private:
  std::map<std::string, Meaning> meanings_;
  std::size_t longest_ = 0;
};

/// Meaning of max and min of a single number.
enum class OneNumberExtreme {
  of_all_so_far,  ///< the greatest and the least that it was up to now
  refused,
};

/// A formula over such names, evaluated as often as their numbers change. norm takes numbers or the name of a vector.
class NamedFormula {
 public:
  /// `names` is not kept. Throws ExpressionFault if the formula says nothing, or names what there is not: the sentence
  /// has the nearest name.
  NamedFormula(const std::string& formula, const FormulaNames& names, OneNumberExtreme extremes);

  /// Places of the numbers that it reads.
  const std::vector<int>& reads() const { return reads_; }
  /// It has extremes of all so far.
  bool looks_back() const { return !extremes_.empty(); }
  /// Its value for these numbers, in the order of reads(); it may be not finite. Extremes are over the numbers that
  /// were kept and these; what is no number is left out of them.
  double evaluate(const std::vector<double>& numbers);
  /// The numbers that were last evaluated count among those so far.
  void keep();

 private:
  struct Extreme {
    BoundFormula of;
    bool greatest;
    std::size_t slot;
    double kept, now;
  };
  struct Translation;
  std::vector<int> reads_;
  std::vector<double> slots_;  ///< numbers read, then extremes; bound formulas point into it
  std::vector<Extreme> extremes_;
  std::vector<BoundFormula> whole_;  ///< one
};

/// Words of a formula that could be names of parameters: letters, digits and '_', not part of a name with dots.
std::vector<std::string> plain_words(const std::string& formula);

}  // namespace carom
