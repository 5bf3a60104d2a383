#include "carom/scene/expression.h"

#include <muParser.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <system_error>

#include "carom/counted.h"
#include "carom/scene/diagnostics.h"

namespace carom {
namespace {

/// Protection from hostile files: muParser walks nested brackets by its own stack.
constexpr std::size_t longest_formula = 2000;

/// No number among them: comparisons are false of it, so that its place in the list would decide.
bool any_nan(const double* values, int count) {
  return std::any_of(values, values + count, [](double value) { return std::isnan(value); });
}
double least(const double* values, int count) {
  return any_nan(values, count) ? NAN : *std::min_element(values, values + count);
}
double greatest(const double* values, int count) {
  return any_nan(values, count) ? NAN : *std::max_element(values, values + count);
}

double euclidean(const double* values, int count) {
  double squares = 0;
  for (int i = 0; i < count; ++i) squares += values[i] * values[i];
  return std::sqrt(squares);
}

using OneArgument = double (*)(double);
constexpr struct {
  const char* name;
  OneArgument function;
} functions[] = {
    {"sin", std::sin},   {"cos", std::cos},   {"tan", std::tan}, {"asin", std::asin}, {"acos", std::acos},
    {"atan", std::atan}, {"sqrt", std::sqrt}, {"exp", std::exp}, {"log", std::log},   {"abs", std::fabs},
};
constexpr struct {
  const char* name;
  double value;
} constants[] = {{"pi", std::numbers::pi}, {"deg", std::numbers::pi / 180}};

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const auto& each : functions) names.emplace_back(each.name);
  names.insert(names.end(), {"atan2", "min", "max"});
  return names;
}

ExpressionFault fault_of(const mu::ParserError& error, const std::string& formula) {
  const int offset = std::min(static_cast<int>(error.GetPos()), static_cast<int>(formula.size()));
  const std::string shown = error.GetToken().empty() ? "" : " at " + in_quotes(error.GetToken());
  if (formula.find_first_not_of(' ') == std::string::npos) return {-1, "there is no formula after the '='"};
  if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN) {
    return {offset, "the formula " + in_quotes(formula) + " has an unknown name" + shown +
                        "; the functions are: " + listed(function_names())};
  }
  return {offset, "the formula " + in_quotes(formula) + " can't be read" + shown +
                      "; write + - * / ^, brackets, numbers, names of parameters, and the functions " +
                      listed(function_names())};
}

ExpressionFault several_values(const std::string& formula, int results) {
  return {-1, "the formula " + in_quotes(formula) + " has " + std::to_string(results) +
                  " values; it must have one: a decimal point is '.'"};
}

bool belongs_in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Offset of a name in a formula as a word of its own, not as a part of another; −1 if there is none.
int offset_of(const std::string& name, const std::string& formula) {
  for (std::size_t at = formula.find(name); at != std::string::npos; at = formula.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !belongs_in_name(formula[at - 1])) && (end == formula.size() || !belongs_in_name(formula[end])))
      return static_cast<int>(at);
  }
  return -1;
}

std::string told_values(const std::vector<std::string>& names, const std::map<std::string, double>& values) {
  std::string told;
  for (const std::string& name : names) {
    told += (told.empty() ? " with " : ", ") + name + " = " + number_text(values.at(name));
  }
  return told;
}

/// The parser takes a function's bracket for closed where the text ends.
void check_brackets(const std::string& formula, const std::string& shown) {
  const auto open = std::count(formula.begin(), formula.end(), '('),
             close = std::count(formula.begin(), formula.end(), ')');
  if (open == close) return;
  throw ExpressionFault{-1, "the formula " + in_quotes(shown) + " opens " + counted(open, "bracket") + " and closes " +
                                std::to_string(close)};
}

}  // namespace

void check_length(const std::string& formula) {
  if (formula.size() > longest_formula) {
    throw ExpressionFault{-1, "the formula has more than " + std::to_string(longest_formula) +
                                  " characters; give parts of it names, under parameters"};
  }
}

struct FormulaReader::Parser : mu::Parser {
  Parser() {
    ClearFun();
    for (const auto& each : functions) DefineFun(each.name, each.function);
    DefineFun("atan2", static_cast<double (*)(double, double)>(std::atan2));
    DefineFun("min", least);
    DefineFun("max", greatest);
    forget();
  }
  /// Names of numbers but those of the language.
  void forget() {
    ClearConst();
    for (const auto& each : constants) DefineConst(each.name, each.value);
  }
};

FormulaReader::FormulaReader() : parser_(std::make_unique<Parser>()) {}
FormulaReader::~FormulaReader() = default;
FormulaReader::FormulaReader(FormulaReader&&) noexcept = default;
FormulaReader& FormulaReader::operator=(FormulaReader&&) noexcept = default;

std::vector<std::string> FormulaReader::names_in(const std::string& formula) {
  check_length(formula);
  check_brackets(formula, formula);
  try {
    parser_->forget();
    parser_->SetExpr(formula);
    const auto& used = parser_->GetUsedVar();
    std::vector<std::string> names;
    names.reserve(used.size());
    for (const auto& [name, unused] : used) names.push_back(name);
    return names;
  } catch (const mu::ParserError& error) {
    throw fault_of(error, formula);
  }
}

double FormulaReader::evaluate(const std::string& formula, const std::map<std::string, double>& values) {
  const std::vector<std::string> names = names_in(formula);
  for (const std::string& name : names) {
    const auto found = values.find(name);
    if (found == values.end()) {
      std::vector<std::string> known;
      known.reserve(values.size());
      for (const auto& [each, unused] : values) known.push_back(each);
      const std::string otherwise =
          known.empty() ? "; no parameters are given" : suggestion(name, known, "the parameters are");
      throw ExpressionFault{offset_of(name, formula),
                            "unknown name " + in_quotes(name) + " in the formula " + in_quotes(formula) + otherwise};
    }
    parser_->DefineConst(name, found->second);
  }
  double value = 0;
  int results = 0;
  try {
    const double* all = parser_->Eval(results);
    value = all[0];
  } catch (const mu::ParserError& error) {
    throw fault_of(error, formula);
  }
  if (results != 1) {
    throw several_values(formula, results);
  }
  if (!std::isfinite(value)) {
    const std::string what = std::isnan(value) ? "no number" : "infinite";
    throw ExpressionFault{-1, "the formula " + in_quotes(formula) + " is " + what + told_values(names, values) +
                                  "; look for a division by zero, or a root or logarithm outside its range"};
  }
  return value;
}

BoundFormula::BoundFormula(const std::string& formula, const std::vector<std::string>& variables, double* values,
                           const std::string& shown)
    : parser_(std::make_unique<FormulaReader::Parser>()) {
  check_length(shown);
  check_brackets(formula, shown);
  int results = 0;
  try {
    parser_->DefineFun("norm", euclidean);
    for (std::size_t i = 0; i < variables.size(); ++i) parser_->DefineVar(variables[i], values + i);
    parser_->SetExpr(formula);
    parser_->Eval(results);
  } catch (const mu::ParserError&) {
    std::vector<std::string> functions = function_names();
    functions.emplace_back("norm");
    throw ExpressionFault{-1, "the formula " + in_quotes(shown) +
                                  " can't be read; write + - * / ^, brackets, numbers, names, and the functions " +
                                  listed(functions)};
  }
  if (results != 1) throw several_values(shown, results);
}

BoundFormula::~BoundFormula() = default;
BoundFormula::BoundFormula(BoundFormula&&) noexcept = default;
BoundFormula& BoundFormula::operator=(BoundFormula&&) noexcept = default;

double BoundFormula::value() const { return parser_->Eval(); }

FormulaWord formula_word(const std::string& word) {
  const std::vector<std::string> functions = function_names();
  if (word == "norm" || std::find(functions.begin(), functions.end(), word) != functions.end()) {
    return FormulaWord::function;
  }
  const bool constant =
      std::any_of(std::begin(constants), std::end(constants), [&](const auto& each) { return word == each.name; });
  return constant ? FormulaWord::constant : FormulaWord::none;
}

std::vector<std::string> names_in(const std::string& formula) { return FormulaReader().names_in(formula); }

double evaluate(const std::string& formula, const std::map<std::string, double>& values) {
  return FormulaReader().evaluate(formula, values);
}

std::string name_fault(const std::string& word) {
  const bool fit =
      !word.empty() && !(word[0] >= '0' && word[0] <= '9') && std::all_of(word.begin(), word.end(), belongs_in_name);
  if (!fit) return in_quotes(word) + " is no name for a parameter; use letters, digits and '_', a letter first";
  std::vector<std::string> taken = function_names();
  for (const auto& each : constants) taken.emplace_back(each.name);
  if (std::find(taken.begin(), taken.end(), word) == taken.end()) return {};
  return in_quotes(word) + " is a function or constant of formulas already; choose another name";
}

std::string number_text(double value) {
  char digits[32];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  return error == std::errc() ? std::string(digits, end) : "0";
}

}  // namespace carom
