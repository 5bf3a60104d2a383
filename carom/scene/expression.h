#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

// Formulas in scene and study files: + - * / ^ ( ), comparisons, a ? b : c, functions and names of numbers. They are
// evaluated by muParser, whose header expression.cpp alone sees. The functions and constants are chosen here:
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
  friend class BoundFormula;
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

/// A formula that is read once and evaluated often, of variables. It may use norm(x, y, …) too, the root of the sum of
/// squares.
class BoundFormula {
 public:
  /// `values` holds as many numbers as there are variables, and must outlive it. Throws ExpressionFault if it can't be
  /// read; sentences show `shown` in its place.
  BoundFormula(const std::string& formula, const std::vector<std::string>& variables, double* values,
               const std::string& shown);
  ~BoundFormula();
  BoundFormula(BoundFormula&&) noexcept;
  BoundFormula& operator=(BoundFormula&&) noexcept;
  /// Its value at the variables' present ones; it may be not finite.
  double value() const;

 private:
  std::unique_ptr<FormulaReader::Parser> parser_;
};

/// Throws ExpressionFault if the formula is longer than Carom reads.
void check_length(const std::string& formula);

/// Meaning of a word in every formula; norm is one of bound formulas alone.
enum class FormulaWord { none, function, constant };
FormulaWord formula_word(const std::string& word);

/// Names that a formula uses other than functions and constants, sorted. Throws ExpressionFault if its syntax is wrong.
std::vector<std::string> names_in(const std::string& formula);

/// Its value. Throws ExpressionFault if a name is not in `values`, the syntax is wrong, or the value is not finite.
double evaluate(const std::string& formula, const std::map<std::string, double>& values);

/// Empty if the word can be a name in formulas; otherwise why not: "'2x' is no name: …".
std::string name_fault(const std::string& word);

/// The fewest digits that give the number back to the bit.
std::string number_text(double value);

}  // namespace carom
