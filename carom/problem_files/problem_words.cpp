#include "carom/problem_files/problem_words.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "carom/error.h"

namespace carom {
namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool begins_comment(std::string_view rest) { return rest[0] == '#' || rest[0] == '%' || rest.starts_with("//"); }

std::string quoted(std::string_view word) {
  constexpr std::size_t most = 40;
  std::string text;
  for (const char c : word.substr(0, most)) text += c >= ' ' && c <= '~' ? c : '?';
  return "\"" + text + (word.size() > most ? "..." : "") + "\"";
}

std::optional<std::int64_t> integer_in(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || rest != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace

ProblemWords::ProblemWords(std::string text, std::string path) : path_(std::move(path)), text_(std::move(text)) {
  const std::string_view all = text_;
  int line = 1;
  for (std::size_t i = 0; i < all.size();) {
    if (all[i] == '\n') ++line;
    if (is_blank(all[i])) {
      ++i;
    } else if (begins_comment(all.substr(i))) {
      i = std::min(all.find('\n', i), all.size());
    } else {
      const std::size_t begin = i;
      while (i < all.size() && !is_blank(all[i]) && !begins_comment(all.substr(i))) ++i;
      words_.push_back({all.substr(begin, i - begin), line});
    }
  }
}

std::string_view ProblemWords::peek(std::size_t ahead) const {
  return ahead < left() ? words_[next_ + ahead].text : std::string_view();
}

std::optional<std::int64_t> ProblemWords::peek_integer(std::size_t ahead) const { return integer_in(peek(ahead)); }

int ProblemWords::line() const { return words_.empty() ? 1 : words_[std::min(next_, words_.size() - 1)].line; }

std::string_view ProblemWords::word(const std::string& what) {
  if (left() == 0) refuse("the file ends where " + what + " should stand");
  return words_[next_++].text;
}

std::int64_t ProblemWords::integer(const std::string& what, std::int64_t least, std::int64_t largest) {
  const std::string_view text = word(what);
  const std::optional<std::int64_t> value = integer_in(text);
  if (!value) refuse(what + " is " + quoted(text) + "; it must be an integer");
  if (*value < least || *value > largest) {
    const bool open = largest == std::numeric_limits<std::int64_t>::max();
    refuse(what + " is " + std::to_string(*value) + "; it must be " +
           (open               ? std::to_string(least) + " or more"
            : least == largest ? std::to_string(least)
                               : "from " + std::to_string(least) + " to " + std::to_string(largest)));
  }
  return *value;
}

double ProblemWords::real(const std::string& what) {
  const std::string_view text = word(what);
  const std::string_view number = text.starts_with('+') ? text.substr(1) : text;
  double value = 0;
  const auto [rest, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (rest != number.data() + number.size() || (error != std::errc() && error != std::errc::result_out_of_range)) {
    refuse(what + " is " + quoted(text) + "; it must be a number");
  }
  // A number too small for a double is zero; one too large is none to go on with.
  if (error == std::errc::result_out_of_range)
    value = number.find("e-") != number.npos || number.find("E-") != number.npos ? 0 : INFINITY;
  if (!std::isfinite(value)) refuse(what + " is " + quoted(text) + "; it must be finite");
  return value;
}

void ProblemWords::skip_line() {
  if (next_ == 0) return;
  const int line = words_[next_ - 1].line;
  while (left() > 0 && words_[next_].line == line) ++next_;
}

void ProblemWords::refuse(const std::string& sentence) const {
  const int line = words_.empty() ? 1 : words_[next_ == 0 ? 0 : next_ - 1].line;
  throw Error(path_ + ":" + std::to_string(line) + ": " + sentence);
}

}  // namespace carom
