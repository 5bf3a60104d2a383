#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "carom/error.h"
#include "carom/record/runs_page.h"
#include "commands.h"
#include "external_program.h"
#include "film.h"
#include "output_file.h"
#include "work_folder.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

std::vector<Record> read_all(const std::vector<std::string>& paths) {
  std::vector<Record> records;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) throw Error(path + ": there is no such record");
    records.push_back(read_record(path));
  }
  return records;
}

/// What tells the runs apart: the files' names, or their whole paths where two have one name.
std::vector<std::string> run_names(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  names.reserve(paths.size());
  for (const std::string& path : paths) names.push_back(fs::path(path).stem().string());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    for (std::size_t j = 0; j < paths.size(); ++j) {
      if (i != j && fs::path(paths[i]).stem() == fs::path(paths[j]).stem()) names[i] = paths[i];
    }
  }
  return names;
}

/// Beside the first record: of one run where carom run puts its report.
std::string page_path(const ViewOptions& options) {
  if (!options.out.empty()) return options.out;
  const fs::path first(options.records.front());
  if (options.records.size() == 1) return report_path(first.string());
  return (first.parent_path() / (first.stem().string() + "-and-others.html")).string();
}

/// Pictures are made of times that the runs have.
void check_film_options(const ViewOptions& options, const std::vector<Record>& records) {
  if (options.time && options.png.empty())
    throw Error("--time says when the picture is taken that --png FILE asks for");
  if (options.speed && options.mp4.empty()) throw Error("--speed is that of the film that --mp4 FILE asks for");
  if (options.speed && !(std::isfinite(*options.speed) && *options.speed > 0)) {
    throw Error(fmt::format("--speed {}: it must be a positive number, 1 for the speed of life", *options.speed));
  }
  // Whatever else lies there is not to be lost.
  if (!options.png.empty() && fs::path(options.png).extension() != ".png") {
    throw Error("--png " + options.png + ": the picture's name must end in .png");
  }
  if (!options.mp4.empty() && fs::path(options.mp4).extension() != ".mp4") {
    throw Error("--mp4 " + options.mp4 + ": the film's name must end in .mp4");
  }
  const PlayedTime span = played_time(records);
  if (options.time && !(*options.time >= span.first && *options.time <= span.last)) {
    throw Error(fmt::format("--time {}: the runs last from {} s to {} s", *options.time, span.first, span.last));
  }
}

}  // namespace

int view_command(const ViewOptions& options) {
  const std::vector<Record> records = read_all(options.records);
  check_film_options(options, records);
  const std::vector<std::string> names = run_names(options.records);
  std::vector<PageRun> runs;
  for (std::size_t i = 0; i < records.size(); ++i) runs.push_back({names[i], &records[i]});
  // Pictures and films are drawn from a page of their own, unless one is asked for as well.
  const bool drawn_only = options.out.empty() && !options.open && !(options.png.empty() && options.mp4.empty());
  std::optional<WorkFolder> folder;
  if (drawn_only) folder.emplace();
  const std::string page = drawn_only ? *folder / "page.html" : page_path(options);
  if (!drawn_only) {
    make_folder_of(page);
    check_overwrite(page, "page", "<!doctype html>");
  }
  const std::string& scene = records.front().scene.name;
  write_runs_page(scene.empty() ? "Runs" : scene, runs, nullptr, page);
  if (!drawn_only) fmt::print("page  {}\n", page);

  const PlayedTime span = played_time(records);
  if (!options.png.empty()) {
    make_folder_of(options.png);
    write_picture(page, options.time.value_or(span.first), options.png);
    fmt::print("picture  {}\n", options.png);
  }
  if (!options.mp4.empty()) {
    make_folder_of(options.mp4);
    write_film(page, span, options.speed.value_or(1), options.mp4);
    fmt::print("film  {}\n", options.mp4);
  }
  if (options.open) {
    const std::string opener = need_program({"xdg-open"}, "xdg-utils", "--open");
    if (run_program({opener, fs::absolute(page).string()}, "/dev/null") != 0) {
      throw std::runtime_error(page + " is written, but xdg-open found no browser for it; open it by hand");
    }
  }
  return 0;
}

}  // namespace carom
