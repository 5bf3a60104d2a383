#include "record_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "carom/error.h"
#include "carom/record/recorded_file.h"

namespace carom {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t longest_variation = 120;  // bytes; file systems take names of 255
constexpr std::size_t longest_name = 240;       // room for the endings of the files beside it

/// FNV-1a, 32 bits: the same on every machine.
std::uint32_t hash_of(const std::string& text) {
  std::uint32_t hash = 2166136261u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

std::string plain(std::string text) {
  for (char& c : text) {
    const auto sign = static_cast<unsigned char>(c);
    if (c == '/' || std::iscntrl(sign) || std::isspace(sign)) c = '_';
  }
  return text;
}

}  // namespace

std::string varied_name(const std::string& scene, const std::vector<std::string>& variation) {
  std::string parts;
  for (const std::string& part : variation) parts += "-" + plain(part);
  if (parts.size() > longest_variation) {
    const std::uint32_t hash = hash_of(parts);
    std::size_t end = longest_variation;
    while (end > 0 && (static_cast<unsigned char>(parts[end]) & 0xc0) == 0x80) --end;  // not within a sign of UTF-8
    parts = fmt::format("{}-{:08x}", parts.substr(0, end), hash);
  }
  return fs::path(scene).stem().string() + parts;
}

void refuse_record_of_another(const std::string& record, const std::string& scene, const std::string& text) {
  std::error_code failed;
  if (!fs::exists(record, failed) || fs::file_size(record, failed) == 0) return;
  const std::optional<RecordedFile> other = recorded_file(record);
  const char* remedy = "; name another with --out, or replace it with --force";
  if (!other) throw Error(record + " exists and is no record that can be read" + remedy);
  if (other->file.empty()) throw Error(record + " is the record of a model that a program built" + remedy);
  // The name leads to no file from here if the command was in another folder.
  if (!fs::exists(other->file, failed) && other->text == text) return;
  if (fs::weakly_canonical(other->file, failed) == fs::weakly_canonical(scene, failed)) return;
  throw Error(record + " is the record of another scene, " + other->file + remedy);
}

void check_hdf5_name(const std::string& path, const std::string& what) {
  const std::string ending = fs::path(path).extension().string();
  if (ending == ".h5" || ending == ".hdf5") return;
  throw Error(fmt::format("--out {}: {} is an HDF5 file, so its name must end in .h5 or .hdf5", path, what));
}

void check_name_length(const std::string& path) {
  for (const fs::path& part : fs::path(path)) {
    const std::size_t size = part.string().size();
    if (size <= longest_name) continue;
    throw Error(fmt::format("the name {}… has {} bytes; file systems take about {}: choose a shorter one with --out",
                            part.string().substr(0, 40), size, longest_name));
  }
}

}  // namespace carom
