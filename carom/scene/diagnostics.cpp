#include "carom/scene/diagnostics.h"

#include <algorithm>
#include <tuple>

#include "carom/nearest_word.h"
#include "carom/scene/foreign_words.h"

namespace carom {
namespace {

std::string sentences(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += diagnostic.file;
    if (diagnostic.line > 0) {
      text += ':' + std::to_string(diagnostic.line) + ':' + std::to_string(diagnostic.column);
    }
    text += ": " + diagnostic.message;
  }
  return text;
}

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

std::vector<std::size_t> line_starts(std::string_view text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts.push_back(i + 1);
  }
  return starts;
}

int column_in_characters(std::string_view text, std::size_t line_start, int column) {
  int characters = 1;
  for (int byte = 1; byte < column; ++byte) {
    const std::size_t i = line_start + byte;
    if (i < text.size() && continues_character(text[i])) continue;
    ++characters;
  }
  return characters;
}

}  // namespace

SceneError::SceneError(std::vector<Diagnostic> diagnostics)
    : Error(sentences(diagnostics)), diagnostics_(std::move(diagnostics)) {}

int Diagnostics::add_file(std::string file, std::string text) {
  File& added = files_.emplace_back(File{std::move(file), std::move(text), {}});
  added.text = added.own;
  return static_cast<int>(files_.size()) - 1;
}

void Diagnostics::add(Place place, std::string message) { faults_.push_back({place, std::move(message)}); }

void Diagnostics::throw_if_any() const {
  if (faults_.empty()) return;
  std::vector<Fault> faults = faults_;
  const auto key = [](const Fault& fault) { return std::tie(fault.place.file, fault.place.line, fault.place.column); };
  std::stable_sort(faults.begin(), faults.end(), [&](const Fault& a, const Fault& b) { return key(a) < key(b); });

  std::vector<std::vector<std::size_t>> starts_of;
  for (const File& file : files_) starts_of.push_back(line_starts(file.text));
  std::vector<Diagnostic> diagnostics;
  std::size_t left_out = 0;
  for (const Fault& fault : faults) {
    const auto& [name, own, text] = files_[static_cast<std::size_t>(fault.place.file)];
    const std::vector<std::size_t>& starts = starts_of[static_cast<std::size_t>(fault.place.file)];
    const std::size_t line = fault.place.line > 0 ? fault.place.line - 1 : 0;
    const std::size_t start = line < starts.size() ? starts[line] : text.size();
    const int column = fault.place.line > 0 ? column_in_characters(text, start, fault.place.column) : 0;
    const auto same = [&, &file = name](const Diagnostic& other) {
      return other.file == file && other.line == fault.place.line && other.column == column &&
             other.message == fault.message;
    };
    if (std::any_of(diagnostics.begin(), diagnostics.end(), same)) continue;
    if (diagnostics.size() == largest_count) {
      ++left_out;
      continue;
    }
    diagnostics.push_back({name, fault.place.line, column, fault.message});
  }
  if (left_out > 0) {
    diagnostics.push_back({files_[0].name, 0, 0, "there are " + std::to_string(left_out) + " more faults after these"});
  }
  throw SceneError(std::move(diagnostics));
}

std::string in_quotes(std::string_view text) {
  std::string shown = "'";
  int characters = 0;
  for (const char byte : text) {
    if (!continues_character(byte) && ++characters > 40) {
      shown += "…";
      break;
    }
    const auto code = static_cast<unsigned char>(byte);
    shown += code < 0x20 || code == 0x7F ? '?' : byte;
  }
  return shown + "'";
}

std::string listed(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return list;
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  std::string own = own_word(word, known);
  return own.empty() ? nearest_word(word, known) : own;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known, const std::string& otherwise) {
  const std::string meant = nearest(word, known);
  if (!meant.empty()) return "; did you mean " + in_quotes(meant) + "?";
  if (known.empty()) return "; there are none";
  constexpr std::size_t most_listed = 24;  // a scene may name thousands of bodies
  std::vector<std::string> shown(known.begin(), known.begin() + std::min(known.size(), most_listed));
  if (shown.size() < known.size()) shown.push_back("…");
  return "; " + otherwise + ": " + listed(shown);
}

}  // namespace carom
