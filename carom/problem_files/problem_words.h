#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace carom {

/// The words of a text file, one after another, each with its line. Words stand between blanks; #, % and // begin a
/// comment that ends with the line. Whatever goes wrong is an Error that begins with `file:line:`.
class ProblemWords {
 public:
  /// `path`: for sentences.
  ProblemWords(std::string text, std::string path);
  // Words are views of the text.
  ProblemWords(const ProblemWords&) = delete;
  ProblemWords& operator=(const ProblemWords&) = delete;

  const std::string& path() const { return path_; }
  std::size_t count() const { return words_.size(); }
  std::size_t left() const { return words_.size() - next_; }

  /// The word `ahead` words further on, empty beyond the end; nothing is taken.
  std::string_view peek(std::size_t ahead = 0) const;
  /// The same as an integer; no value where there is none.
  std::optional<std::int64_t> peek_integer(std::size_t ahead = 0) const;
  /// Line of the next word, from 1; beyond the end the last line.
  int line() const;

  // The next word; `what` names it in the sentence of an Error, as in "the number of contacts".
  std::string_view word(const std::string& what);
  std::int64_t integer(const std::string& what, std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t largest = std::numeric_limits<std::int64_t>::max());
  double real(const std::string& what);  ///< finite

  /// Passes over what is left of the line of the word taken last.
  void skip_line();

  /// Throws an Error about the word taken last.
  [[noreturn]] void refuse(const std::string& sentence) const;

 private:
  struct Word {
    std::string_view text;
    int line;
  };
  std::string path_, text_;
  std::vector<Word> words_;
  std::size_t next_ = 0;
};

}  // namespace carom
