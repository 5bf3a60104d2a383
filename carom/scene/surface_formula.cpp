#include "carom/scene/surface_formula.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <numbers>

#include "carom/scene/diagnostics.h"
#include "carom/scene/expression.h"

namespace carom {
namespace {

using Operation = SurfaceFormula::Operation;

constexpr struct {
  const char* name;
  Operation operation;
} formula_functions[] = {
    {"sin", Operation::sin},   {"cos", Operation::cos},   {"tan", Operation::tan},   {"asin", Operation::asin},
    {"acos", Operation::acos}, {"atan", Operation::atan}, {"sqrt", Operation::sqrt}, {"exp", Operation::exp},
    {"log", Operation::log},   {"abs", Operation::abs},
};

/// Recursive descent: sum → term → sign → power → value, each putting its operations after its operands'.
class Reader {
 public:
  Reader(const std::string& text, const std::vector<std::string>& names) : text_(text), names_(names) {
    formula_.text = text;
  }

  SurfaceFormula read() {
    sum();
    if (next() != '\0') refuse();
    return formula_;
  }

 private:
  char next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void refuse() const {
    throw ExpressionFault{static_cast<int>(at_),
                          "the formula " + in_quotes(text_) + " of a surface is no smooth one at " +
                              in_quotes(text_.substr(at_, 12)) + "; write + - * / ^, brackets, numbers, " +
                              listed(names_) +
                              ", pi, and the functions sin, cos, tan, asin, acos, atan, sqrt, exp, log and abs"};
  }
  void put(Operation operation, double number = 0) {
    formula_.steps.push_back({operation, number});
    if (operation <= Operation::z) {
      if (++depth_ > SurfaceFormula::deepest) too_deep();
    } else if (operation <= Operation::power) {
      --depth_;
    }
  }

  void sum() {
    term();
    for (;;) {
      if (take('+')) {
        term();
        put(Operation::add);
      } else if (take('-')) {
        term();
        put(Operation::subtract);
      } else {
        return;
      }
    }
  }
  void term() {
    sign();
    for (;;) {
      if (take('*')) {
        sign();
        put(Operation::multiply);
      } else if (take('/')) {
        sign();
        put(Operation::divide);
      } else {
        return;
      }
    }
  }
  /// Every way down comes by here.
  void sign() {
    constexpr int most = 200;
    if (++nested_ > most) too_deep();
    if (take('-')) {
      sign();
      put(Operation::negate);
    } else if (take('+')) {
      sign();
    } else {
      power();
    }
    --nested_;
  }
  void power() {
    const std::size_t base = formula_.steps.size();
    value();
    const bool has_kink = formula_.steps.back().operation == Operation::abs && !std::isfinite(constant_from(base));
    const std::size_t exponent = formula_.steps.size();
    if (take('^')) {
      sign();  // to the right, and with a sign: 2^-x
      if (has_kink && !(constant_from(exponent) >= 2)) refuse_kink();
      put(Operation::power);
    } else if (has_kink) {
      refuse_kink();
    }
  }
  /// The value of the operations from the first on; not a number if it depends on where one is.
  double constant_from(std::size_t first) const {
    auto part = std::make_shared<SurfaceFormula>();
    part->steps.assign(formula_.steps.begin() + static_cast<std::ptrdiff_t>(first), formula_.steps.end());
    for (const SurfaceFormula::Step& step : part->steps) {
      const bool varies = step.operation >= Operation::x && step.operation <= Operation::z;
      if (varies) return std::numeric_limits<double>::quiet_NaN();
    }
    return FormulaSurface{part}.jet(Vec3::Zero()).value;
  }
  [[noreturn]] void refuse_kink() const {
    throw ExpressionFault{
        -1, "abs in the formula " + in_quotes(text_) +
                " of a surface makes a kink where its argument is zero; raise it itself to a constant power "
                "of at least 2, as abs(x)^3, or write one inequality for either side"};
  }
  [[noreturn]] void too_deep() const {
    throw ExpressionFault{-1, "the formula " + in_quotes(text_) + " nests too deeply; split or simplify it"};
  }
  void value() {
    const char c = next();
    if (take('(')) {
      sum();
      if (!take(')')) refuse();
    } else if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') {
      number();
    } else {
      word();
    }
  }
  /// Digits, a point, an exponent: no 0x10, which strtod would take.
  void number() {
    const auto digits = [&](std::size_t from) {
      while (from < text_.size() && std::isdigit(static_cast<unsigned char>(text_[from]))) ++from;
      return from;
    };
    std::size_t end = digits(at_);
    if (end < text_.size() && text_[end] == '.') end = digits(end + 1);
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      const bool has_sign = end + 1 < text_.size() && (text_[end + 1] == '+' || text_[end + 1] == '-');
      const std::size_t after = digits(end + 1 + has_sign);
      if (after > end + 1 + has_sign) end = after;
    }
    const std::string digits_read = text_.substr(at_, end - at_);
    if (digits_read == ".") refuse();
    at_ = end;
    put(Operation::number, std::strtod(digits_read.c_str(), nullptr));
  }
  void word() {
    const std::size_t start = at_;
    std::size_t end = at_;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_')) ++end;
    const std::string name = text_.substr(start, end - start);
    const auto variable = std::find(names_.begin(), names_.end(), name);
    if (variable != names_.end()) {
      put(static_cast<Operation>(static_cast<int>(Operation::x) + static_cast<int>(variable - names_.begin())));
    } else if (name == "pi" || name == "deg") {
      put(Operation::number, name == "pi" ? std::numbers::pi : std::numbers::pi / 180);
    } else {
      const auto* found = std::find_if(std::begin(formula_functions), std::end(formula_functions),
                                       [&](const auto& each) { return name == each.name; });
      if (found == std::end(formula_functions)) refuse();
      at_ = end;
      if (!take('(')) refuse();
      sum();
      if (!take(')')) refuse();
      put(found->operation);
      return;
    }
    at_ = end;
  }

  const std::string& text_;
  const std::vector<std::string>& names_;
  std::size_t at_ = 0;
  int depth_ = 0, nested_ = 0;
  SurfaceFormula formula_;
};

/// Compares with muParser wherever it has a value.
void compare(const SurfaceFormula& formula, const std::vector<std::string>& names, FormulaReader& reader) {
  const FormulaSurface surface{std::make_shared<const SurfaceFormula>(formula)};
  for (int k = 0; k < 27; ++k) {
    const int i = k % 3, j = k / 3 % 3, l = k / 9;
    const Vec3 at(0.37 * i - 0.31, 0.43 * j - 0.47, 0.29 * l - 0.23);
    double expected = 0;
    try {
      std::map<std::string, double> values;
      for (std::size_t n = 0; n < names.size(); ++n) values[names[n]] = at[static_cast<Eigen::Index>(n)];
      expected = reader.evaluate(formula.text, values);
    } catch (const ExpressionFault&) {
      continue;
    }
    const double value = surface.jet(at).value;
    if (!(std::abs(value - expected) <= 1e-9 * (1 + std::abs(expected)))) {
      throw ExpressionFault{
          -1, "the formula " + in_quotes(formula.text) + " can be read in two ways; put brackets around its parts"};
    }
  }
}

}  // namespace

SurfaceFormula surface_formula(const std::string& text, const std::vector<std::string>& names) {
  FormulaReader reader;
  for (const std::string& name : reader.names_in(text)) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw ExpressionFault{-1, "unknown name " + in_quotes(name) + " in the formula " + in_quotes(text) +
                                  "; the formula of a surface is one in " + listed(names)};
  }
  SurfaceFormula formula = Reader(text, names).read();
  compare(formula, names, reader);
  return formula;
}

SurfaceFormula surface_formula(const std::string& text) { return surface_formula(text, {"x", "y", "z"}); }

}  // namespace carom
