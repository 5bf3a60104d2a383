#include "carom/study/text_table.h"

#include <algorithm>

namespace carom {
namespace {

/// Characters of a text in UTF-8.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string padded(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> width;
  for (const std::string& column : columns) width.push_back(width_of(column));
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], width_of(row[c]));
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string blanks(width[c] - width_of(cells[c]), ' ');
      text += "  " + (c == 0 ? cells[c] + blanks : blanks + cells[c]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text = line(columns);
  for (const auto& row : rows) text += line(row);
  return text;
}

std::string wrapped(const std::string& paragraph) {
  const std::string indent(std::min(paragraph.find_first_not_of(' '), paragraph.size()), ' ');
  std::string text, line;
  std::size_t at = indent.size();
  while (at < paragraph.size()) {
    const std::size_t end = std::min(paragraph.find(' ', at), paragraph.size());
    const std::string word = paragraph.substr(at, end - at);
    if (!line.empty() && width_of(line) + 1 + width_of(word) > 100) {
      text += line + "\n";
      line.clear();
    }
    line += (line.empty() ? indent : " ") + word;
    at = end + 1;
  }
  return text + line + "\n";
}

}  // namespace carom
