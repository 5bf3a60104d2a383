#include "carom/record/column_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace carom {
namespace {

std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\n\r") == std::string::npos) return name;
  std::string text = "\"";
  for (const char letter : name) text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return text + "\"";
}

std::string without_blanks(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char letter) { return std::isspace(static_cast<unsigned char>(letter)) != 0; }, '_');
  return name;
}

void append_rows(const std::vector<RecordColumn>& columns, char separator, const char* not_a_number,
                 std::string& text) {
  const std::size_t rows = columns.empty() ? 0 : columns.front().values.size();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) text += separator;
      const double value = columns[i].values[row];
      if (std::isnan(value)) {
        text += not_a_number;
      } else {
        fmt::format_to(std::back_inserter(text), "{}", value);
      }
    }
    text += '\n';
  }
}

}  // namespace

std::string csv_text(const std::vector<RecordColumn>& columns) {
  std::string text;
  for (std::size_t i = 0; i < columns.size(); ++i) text += (i > 0 ? "," : "") + quoted(columns[i].name);
  text += '\n';
  append_rows(columns, ',', "", text);
  return text;
}

std::string sto_text(const std::vector<RecordColumn>& columns, const std::string& name) {
  const std::size_t rows = columns.empty() ? 0 : columns.front().values.size();
  std::string text =
      fmt::format("{}\nversion=1\nnRows={}\nnColumns={}\ninDegrees=no\nendheader\n", name, rows, columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) text += (i > 0 ? "\t" : "") + without_blanks(columns[i].name);
  text += '\n';
  append_rows(columns, '\t', "NaN", text);
  return text;
}

}  // namespace carom
