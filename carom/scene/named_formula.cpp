#include "carom/scene/named_formula.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/edit_distance.h"
#include "carom/nearest_word.h"
#include "carom/scene/diagnostics.h"

namespace carom {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0; }
bool in_word(char c) { return begins_word(c) || is_digit(c); }

/// The first place behind a run of characters that `belongs` accepts.
template <class Belongs>
std::size_t run_end(const std::string& text, std::size_t at, Belongs&& belongs) {
  while (at < text.size() && belongs(text[at])) ++at;
  return at;
}

/// Nothing of a word goes on here: neither a letter nor a dot with one behind it.
bool ends_word(const std::string& text, std::size_t at) {
  if (at >= text.size()) return true;
  return !in_word(text[at]) && !(text[at] == '.' && at + 1 < text.size() && in_word(text[at + 1]));
}

std::size_t number_end(const std::string& text, std::size_t at) {
  at = run_end(text, at, [](char c) { return is_digit(c) || c == '.'; });
  if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return at;
  const std::size_t sign = at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-') ? 1 : 0;
  const std::size_t digits = run_end(text, at + 1 + sign, is_digit);
  return digits > at + 1 + sign ? digits : at;
}

constexpr const char* axes[] = {"w", "x", "y", "z"};

}  // namespace

void FormulaNames::add(const std::string& name, int place) {
  meanings_.try_emplace(name, Meaning{.places = {place}});
  longest_ = std::max(longest_, name.size());
}

void FormulaNames::set(const std::string& name, int place) {
  meanings_.erase(name);
  add(name, place);
}

void FormulaNames::add_constant(const std::string& name, double value) {
  meanings_.try_emplace(name, Meaning{.places = {}, .value = value});
  longest_ = std::max(longest_, name.size());
}

const FormulaNames::Meaning* FormulaNames::find(const std::string& name) const {
  const auto found = meanings_.find(name);
  return found == meanings_.end() ? nullptr : &found->second;
}

std::vector<std::pair<std::string, int>> FormulaNames::components(const std::string& name) const {
  std::vector<std::pair<std::string, int>> found;
  for (const char* axis : axes) {
    const Meaning* meaning = find(name + "." + axis);
    if (meaning != nullptr && meaning->places.size() == 1) found.emplace_back(axis, meaning->places[0]);
  }
  if (found.size() < 3 || found[found.size() - 3].first != "x") return {};
  return found;
}

std::size_t FormulaNames::longest_at(const std::string& text, std::size_t at) const {
  for (std::size_t length = std::min(longest_, text.size() - at); length > 0; --length) {
    if (!ends_word(text, at + length)) continue;
    const std::string name = text.substr(at, length);
    if (meanings_.contains(name) || !components(name).empty()) return length;
  }
  return 0;
}

std::string FormulaNames::nearest(const std::string& word) const {
  std::string best;
  int fewest = std::numeric_limits<int>::max();
  for (const auto& [name, unused] : meanings_) {
    const int edits = edit_distance(word, name);
    if (edits >= fewest) continue;
    fewest = edits;
    best = name;
  }
  return best;
}

/// Puts v0, v1, … in place of names and of extremes of all so far, for a formula in which they are variables.
struct NamedFormula::Translation {
  struct Part {
    std::string text;
    bool greatest;
  };

  const std::string& formula;
  const FormulaNames& names;
  OneNumberExtreme one_number;
  std::size_t at = 0;
  std::vector<int> reads = {};
  std::vector<Part> extremes = {};            ///< inner ones first
  std::map<int, std::string> variables = {};  ///< of places
  std::size_t slots = 0;

  [[noreturn]] void fail_unknown(const std::string& word, std::size_t begin) const {
    // "wrld/floor.force.z" is one name that is misspelt, not a quotient.
    const std::size_t end = run_end(formula, begin, [](char c) { return in_word(c) || c == '.' || c == '/'; });
    const std::string whole = formula.substr(begin, end - begin);
    const auto edits = [&](const std::string& given) {
      return edit_distance(given, names.nearest(given)) * 3 - static_cast<int>(given.size());
    };
    const std::string& given = edits(word) <= 0 || edits(word) <= edits(whole) ? word : whole;
    const std::string nearest = names.nearest(given);
    throw ExpressionFault{static_cast<int>(begin),
                          "there is no " + in_quotes(given) + " for the formula " + in_quotes(formula) +
                              (is_near(given, nearest) ? "; the nearest name is " + in_quotes(nearest) : "")};
  }

  std::string variable(int place) {
    std::string& name = variables[place];
    if (name.empty()) {
      name = "v" + std::to_string(slots++);
      reads.push_back(place);
    }
    return name;
  }

  /// A name of the mechanism or of a parameter.
  std::string number(const std::string& name, bool in_norm) {
    if (const FormulaNames::Meaning* meaning = names.find(name)) {
      if (meaning->places.empty()) return "(" + number_text(meaning->value) + ")";
      return variable(meaning->places[0]);
    }
    std::string listed;
    for (const auto& [axis, place] : names.components(name)) listed += (listed.empty() ? "" : ",") + variable(place);
    if (in_norm) return listed;
    throw ExpressionFault{-1, in_quotes(name) + " has several components, and the formula " + in_quotes(formula) +
                                  " needs one number there; write " + name + ".x, or norm(" + name + ")"};
  }

  /// The arguments of a function, from behind its bracket to behind its end.
  std::vector<std::string> arguments(bool in_norm) {
    std::vector<std::string> list{part(in_norm)};
    while (at < formula.size() && formula[at] == ',') {
      ++at;
      list.push_back(part(in_norm));
    }
    if (at >= formula.size()) {
      throw ExpressionFault{-1, "the formula " + in_quotes(formula) + " opens a bracket that nothing closes"};
    }
    ++at;
    return list;
  }

  std::string call(const std::string& function) {
    at = formula.find('(', at) + 1;
    const std::vector<std::string> list = arguments(function == "norm");
    const bool extreme = (function == "max" || function == "min") && list.size() == 1;
    if (extreme && one_number == OneNumberExtreme::refused) {
      throw ExpressionFault{
          -1, function + " has one argument in the formula " + in_quotes(formula) + "; give it two or more"};
    }
    if (extreme) {
      extremes.push_back({list[0], function == "max"});
      return "m" + std::to_string(extremes.size() - 1);
    }
    std::string text = function + "(";
    for (std::size_t i = 0; i < list.size(); ++i) text += (i > 0 ? "," : "") + list[i];
    return text + ")";
  }

  std::string word(bool in_norm) {
    const std::size_t begin = at;
    const std::size_t plain = run_end(formula, at, in_word);
    std::string first = formula.substr(begin, plain - begin);
    const std::size_t bracket = formula.find_first_not_of(' ', plain);
    const bool called = bracket != std::string::npos && formula[bracket] == '(';
    if (called && formula_word(first) == FormulaWord::function) {
      at = plain;
      return call(first);
    }
    if (const std::size_t length = names.longest_at(formula, begin)) {
      at += length;
      return number(formula.substr(begin, length), in_norm);
    }
    if (is_digit(formula[begin]) || formula[begin] == '.') {
      at = std::max(number_end(formula, begin), begin + 1);
      return formula.substr(begin, at - begin);
    }
    if (ends_word(formula, plain) && formula_word(first) == FormulaWord::constant) {
      at = plain;
      return first;
    }
    fail_unknown(formula.substr(begin, run_end(formula, begin, [](char c) { return in_word(c) || c == '.'; }) - begin),
                 begin);
  }

  /// A single '=' sets a variable in muParser's language, which nobody means here.
  void check_no_assignment() const {
    const auto is = [&](std::size_t place, const char* any) {
      return place < formula.size() && std::string(any).find(formula[place]) != std::string::npos;
    };
    if (!is(at, "=") || is(at + 1, "=") || (at > 0 && is(at - 1, "=<>!"))) return;
    throw ExpressionFault{static_cast<int>(at), "the formula " + in_quotes(formula) +
                                                    " has a single '='; write == to compare, and = before it alone"};
  }

  /// Up to a comma or bracket that ends it, which stays, or to the end.
  std::string part(bool in_norm) {
    std::string text;
    while (at < formula.size() && formula[at] != ')' && formula[at] != ',') {
      const char c = formula[at];
      if (in_word(c) || c == '.') {
        text += word(in_norm);
      } else if (c == '(') {
        ++at;
        text += "(" + part(false);
        if (at < formula.size() && formula[at] == ',') text += formula[at++];
        if (at < formula.size() && formula[at] == ')') text += formula[at++];
      } else {
        check_no_assignment();
        text += c;
        ++at;
      }
    }
    return text;
  }

  /// The whole, with what can't belong to it left in place for the reader of formulas to complain about.
  std::string all() {
    std::string text = part(false);
    while (at < formula.size()) {
      text += formula[at++];
      text += part(false);
    }
    return text;
  }
};

NamedFormula::NamedFormula(const std::string& formula, const FormulaNames& names, OneNumberExtreme extremes) {
  check_length(formula);
  Translation translation{.formula = formula, .names = names, .one_number = extremes};
  const std::string whole = translation.all();
  reads_ = translation.reads;
  slots_.assign(reads_.size() + translation.extremes.size(), 1);
  std::vector<std::string> variables;
  for (std::size_t i = 0; i < reads_.size(); ++i) variables.push_back("v" + std::to_string(i));
  for (std::size_t i = 0; i < translation.extremes.size(); ++i) variables.push_back("m" + std::to_string(i));
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const Translation::Part& part : translation.extremes) {
    const std::size_t slot = reads_.size() + extremes_.size();
    extremes_.push_back({BoundFormula(part.text, variables, slots_.data(), formula), part.greatest, slot, none, none});
  }
  whole_.emplace_back(whole, variables, slots_.data(), formula);
}

double NamedFormula::evaluate(const std::vector<double>& numbers) {
  std::copy(numbers.begin(), numbers.end(), slots_.begin());
  for (Extreme& extreme : extremes_) {
    const double value = extreme.of.value();
    // fmax and fmin take the other where one is no number.
    extreme.now = extreme.greatest ? std::fmax(extreme.kept, value) : std::fmin(extreme.kept, value);
    slots_[extreme.slot] = extreme.now;
  }
  return whole_.front().value();
}

void NamedFormula::keep() {
  for (Extreme& extreme : extremes_) extreme.kept = extreme.now;
}

std::vector<std::string> plain_words(const std::string& formula) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < formula.size();) {
    if (!in_word(formula[at]) && formula[at] != '.') {
      ++at;
      continue;
    }
    const std::size_t end = run_end(formula, at, [](char c) { return in_word(c) || c == '.'; });
    std::string word = formula.substr(at, end - at);
    if (begins_word(word[0]) && word.find('.') == std::string::npos) words.push_back(std::move(word));
    at = end;
  }
  return words;
}

}  // namespace carom
