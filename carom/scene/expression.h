#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

// Formulas in scene and study files: + - * / ^ ( ), comparisons, a ? b : c, functions and names of numbers. muParser
// does the work (expression.cpp alone sees its header); which functions and constants there are is decided here.
//
//     sin cos tan asin acos atan atan2 sqrt exp log (natural) abs min max;   pi, deg = π/180
//
// ^ binds more tightly than a sign before it (−2^2 = −4), and to the right. Angles are in rad: write 30*deg.
namespace carom {

/// Why a formula says nothing.
struct ExpressionFault {
  int offset = -1;      ///< in the formula, bytes; −1 if it concerns the whole
  std::string message;  ///< what is wrong, and what would be right
};

/// Reads formulas, many with one set-up.
class FormulaReader {
 public:
  FormulaReader();
  ~FormulaReader();
  FormulaReader(FormulaReader&&) noexcept;
  FormulaReader& operator=(FormulaReader&&) noexcept;

  /// As the functions below.
  std::vector<std::string> names_in(const std::string& formula);
  double evaluate(const std::string& formula, const std::map<std::string, double>& values);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

/// Names that a formula uses other than functions and constants, sorted. Throws ExpressionFault if its syntax is wrong.
std::vector<std::string> names_in(const std::string& formula);

/// Its value. Throws ExpressionFault if a name is not in `values`, the syntax is wrong, or the value is not finite.
double evaluate(const std::string& formula, const std::map<std::string, double>& values);

/// Empty if the word can be a name in formulas; otherwise why not: "'2x' is no name: …".
std::string name_fault(const std::string& word);

/// The fewest digits that give the number back to the bit.
std::string number_text(double value);

}  // namespace carom
