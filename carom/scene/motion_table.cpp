#include "carom/scene/motion_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>

#include "carom/counted.h"
#include "carom/scene/diagnostics.h"

namespace carom {
namespace {

constexpr std::uintmax_t largest_file = 64u << 20;

/// The words of a line. Commas and semicolons part words even where nothing stands between them; blanks do not.
std::vector<std::string> words_of(const std::string& line) {
  const bool strict = line.find_first_of(",;") != std::string::npos;
  const std::string between = strict ? ",;\t" : " \t";
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    const std::size_t first = word.find_first_not_of(" \"\r"), last = word.find_last_not_of(" \"\r");
    if (first != std::string::npos) {
      words.push_back(word.substr(first, last - first + 1));
    } else if (strict) {
      words.emplace_back();
    }
    word.clear();
  };
  for (const char c : line) {
    if (between.find(c) != std::string::npos) {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return words;
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool is_blank(const std::string& line) { return line.find_first_not_of(" \t\r") == std::string::npos; }

std::vector<std::string> lines_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw Error("is no file");
  if (std::filesystem::file_size(path, error) > largest_file || error) throw Error("is larger than 64 MiB");
  std::ifstream stream(path);
  if (!stream) throw Error("cannot be opened");
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

MotionTable read_motion_table(const std::string& path) {
  std::vector<std::string> lines = lines_of(path);
  MotionTable table;
  const auto end = std::find_if(lines.begin(), lines.end(),
                                [](const std::string& line) { return lower_case(line).starts_with("endheader"); });
  std::size_t at = 0;
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (!lines.empty() && lines[0].starts_with(byte_order_mark)) lines[0].erase(0, byte_order_mark.size());
  if (end != lines.end()) {
    at = static_cast<std::size_t>(end - lines.begin()) + 1;
    for (auto line = lines.begin(); line != end; ++line) {
      std::string plain = lower_case(*line);
      std::erase_if(plain, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
      if (plain == "indegrees=yes") table.degrees = true;
    }
  }
  while (at < lines.size() && is_blank(lines[at])) ++at;
  table.names = at < lines.size() ? words_of(lines[at]) : std::vector<std::string>();
  if (table.names.size() < 2 || lower_case(table.names[0]) != "time") {
    throw Error("has no line of names that begins with 'time' and goes on with those of columns");
  }
  std::set<std::string> names;
  for (const std::string& name : table.names) {
    if (!names.insert(name).second) throw Error("has two columns called '" + name + "'; names must differ");
  }
  const std::size_t width = table.names.size();
  table.names.erase(table.names.begin());
  table.columns.resize(width - 1);
  for (++at; at < lines.size(); ++at) {
    if (is_blank(lines[at])) continue;
    const std::string place = "line " + std::to_string(at + 1);
    const std::vector<std::string> words = words_of(lines[at]);
    if (words.size() != width) {
      throw Error(place + " has " + counted(std::ssize(words), "number") + ", where there are names for " +
                  std::to_string(width));
    }
    for (std::size_t k = 0; k < width; ++k) {
      double number = 0;
      const char* last = words[k].data() + words[k].size();
      const auto [stop, error] = std::from_chars(words[k].data(), last, number);
      if (error != std::errc() || stop != last || !std::isfinite(number)) {
        throw Error(place + " holds " + in_quotes(words[k]) + ", which is no finite number");
      }
      (k == 0 ? table.times : table.columns[k - 1]).push_back(number);
    }
    const std::size_t rows = table.times.size();
    if (rows > 1 && table.times[rows - 1] <= table.times[rows - 2])
      throw Error(place + " is not later than the one before");
  }
  if (table.times.empty()) throw Error("has no line of numbers");
  return table;
}

}  // namespace carom
