#include "carom/record/page_text.h"

#include <string_view>

namespace carom {
namespace {

constexpr std::string_view word_ends = " \t\r\n\"'[](){},:=";

/// End of the path that begins at `at`: at its quote, or at the word's end.
std::size_t path_end(const std::string& text, std::size_t at) {
  const char before = at > 0 ? text[at - 1] : ' ';
  const bool in_quotes = before == '"' || before == '\'';
  const std::size_t end = in_quotes ? text.find_first_of(std::string(1, before) + "\n", at)
                                    : text.find_first_of(std::string_view(" \t\r\n\"'[](){},"), at);
  return end == std::string::npos ? text.size() : end;
}

}  // namespace

std::string without_folders(const std::string& text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = text[i] == '/' && (i == 0 || word_ends.find(text[i - 1]) != std::string_view::npos) &&
                        text.compare(i, 2, "//") != 0;
    if (begins) {
      const std::size_t end = path_end(text, i);
      std::size_t name_end = end;
      while (name_end > i && text[name_end - 1] == '/') --name_end;  // of a folder that is written with a stroke
      const std::size_t last = name_end > i ? text.rfind('/', name_end - 1) : i;
      if (last > i) {
        shown += "…/";
        i = last;
        continue;
      }
    }
    shown += text[i];
  }
  return shown;
}

}  // namespace carom
