#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "carom/error.h"

namespace carom {

/// One thing wrong with an input file.
struct Diagnostic {
  std::string file;
  int line = 0;         ///< from 1; 0 if it concerns the whole file
  int column = 0;       ///< from 1, in characters
  std::string message;  ///< what is wrong, and what would be right
};

/// Everything wrong with a scene file at once. what() is one "file:line:column: message" per line.
class SceneError : public Error {
 public:
  explicit SceneError(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// Place in a text: line and column from 1, the column in bytes. Line 0 is the text as a whole.
struct Place {
  int line = 0;
  int column = 0;
  int file = 0;  ///< 0: the scene's own; else the number of a file that it includes, from Diagnostics::add_file
};

/// Collects the faults of one text, and of those that it includes, while it is read. So all of them are told in one go.
///
/// A fault told twice at one place with the same words (an alias repeats what its anchor says) counts once. At most
/// `largest_count` are kept; the last one then says how many were left out.
class Diagnostics {
 public:
  static constexpr std::size_t largest_count = 200;

  /// `text` must outlive the object: columns are turned from bytes into characters with it.
  Diagnostics(std::string file, std::string_view text) { files_.push_back({std::move(file), "", text}); }

  /// A file that is included, and its text: its number in places.
  int add_file(std::string file, std::string text);
  void add(Place place, std::string message);
  bool empty() const { return faults_.empty(); }
  /// The file in which a place is, as it was opened.
  const std::string& file(Place place) const { return files_[static_cast<std::size_t>(place.file)].name; }
  /// Throws SceneError if there is a fault; sorted by file, line and column.
  void throw_if_any() const;

 private:
  struct Fault {
    Place place;
    std::string message;
  };
  struct File {
    std::string name;
    std::string own;        ///< the text, of an included file
    std::string_view text;  ///< of the scene's own, which the caller keeps
  };
  std::deque<File> files_;
  std::vector<Fault> faults_;
};

/// The text in quotes for use inside a sentence: cut after 40 characters, control characters shown as '?'.
std::string in_quotes(std::string_view text);

/// "a, b, c"
std::string listed(const std::vector<std::string>& words);

/// The word of `known` that a misspelt `word` most likely stands for; empty if none. It is the one within the fewest
/// insertions, deletions, replacements and swaps of neighbours, at most a third of the word's length (at least 1).
/// Among equals it is the first. A word that another simulator has for one of `known` gives that one (foreign_words.h).
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// "; did you mean 'x'?" for the nearest word. If no word is near, "; " + otherwise + ": " + the list of words. If the
/// list is empty, "; there are none".
std::string suggestion(std::string_view word, const std::vector<std::string>& known, const std::string& otherwise);

}  // namespace carom
