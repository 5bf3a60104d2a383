#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>

#include "carom/error.h"
#include "carom/nearest_word.h"
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

/// Names that tell the runs apart: the files' names, or their whole paths where two have one name.
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

/// "1920x1080". An H.264 film has even sides.
void read_size(const std::string& text, bool film, FilmLook& look) {
  if (text.empty()) return;
  constexpr int least = 16, largest = 4096;
  const char* end = text.data() + text.size();
  const auto [x, no_width] = std::from_chars(text.data(), end, look.width);
  const bool has_height = no_width == std::errc() && x != end && *x == 'x';
  const auto [rest, no_height] = std::from_chars(has_height ? x + 1 : end, end, look.height);
  const auto fits = [](int side) { return side >= least && side <= largest; };
  if (!has_height || no_height != std::errc() || rest != end || !fits(look.width) || !fits(look.height)) {
    throw Error(fmt::format("--size {}: it must be WIDTHxHEIGHT in pixels, each from {} to {}, as in 1920x1080", text,
                            least, largest));
  }
  if (film && (look.width % 2 != 0 || look.height % 2 != 0)) {
    throw Error(fmt::format("--size {}: a film's width and height must be even", text));
  }
}

int body_number(const Model& model, const std::string& name) {
  if (name.empty()) return -1;
  std::vector<std::string> names;
  for (int body = 0; body < model.body_count(); ++body) {
    const std::string& known = model.bodies()[static_cast<std::size_t>(body)].name;
    if (known == name) return body;
    names.push_back(known);
  }
  const std::string nearest = nearest_word(name, names);
  throw Error(fmt::format("--follow {}: the first run has no such body{}", name,
                          nearest.empty() ? "" : "; the nearest name is '" + nearest + "'"));
}

FilmLook look_of(const ViewOptions& options, const Model& model) {
  FilmLook look;
  read_size(options.size, !options.mp4.empty(), look);
  look.follow = body_number(model, options.follow);
  const auto place = [](const char* name, const std::vector<double>& p) -> std::optional<Vec3> {
    if (p.empty()) return std::nullopt;
    if (!Vec3(p[0], p[1], p[2]).allFinite()) throw Error(fmt::format("{}: it must be three finite numbers", name));
    return Vec3(p[0], p[1], p[2]);
  };
  look.camera = place("--camera", options.camera);
  look.target = place("--target", options.target);
  if (look.camera && (options.azimuth || options.elevation || options.distance)) {
    throw Error("--camera says where the camera stands; leave it out, or --azimuth, --elevation and --distance");
  }
  const auto within = [](const char* name, const std::optional<double>& x, double low, double high, double unit) {
    if (x && !(*x >= low && *x <= high)) {
      throw Error(fmt::format("{} {}: it must be from {} to {}", name, *x, low, high));
    }
    return x ? std::optional(*x * unit) : x;
  };
  const double degree = std::numbers::pi / 180;
  look.azimuth = within("--azimuth", options.azimuth, -360, 360, degree);
  look.elevation = within("--elevation", options.elevation, -90, 90, degree);
  look.distance = within("--distance", options.distance, 1e-6, 1e9, 1);
  return look;
}

/// Pictures are made of times that the runs have.
void check_film_options(const ViewOptions& options, const std::vector<Record>& records) {
  if (options.time && options.png.empty())
    throw Error("--time says when the picture is taken that --png FILE asks for");
  const bool looks = !options.size.empty() || !options.follow.empty() || !options.camera.empty() ||
                     !options.target.empty() || options.azimuth || options.elevation || options.distance;
  if (looks && options.png.empty() && options.mp4.empty()) {
    throw Error("--size, --follow and the camera are those of pictures, which --png FILE and --mp4 FILE ask for");
  }
  if (options.rate && options.mp4.empty()) throw Error("--rate is that of the film that --mp4 FILE asks for");
  if (options.rate && !(*options.rate >= 1 && *options.rate <= 240)) {
    throw Error(fmt::format("--rate {}: it must be from 1 to 240 pictures a second", *options.rate));
  }
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
  const FilmLook look = look_of(options, *records.front().scene.model);
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
  write_runs_page(scene.empty() ? "Runs" : scene, runs, nullptr, nullptr, page);
  if (!drawn_only) fmt::print("page  {}\n", page);

  const PlayedTime span = played_time(records);
  if (!options.png.empty()) {
    make_folder_of(options.png);
    write_picture(page, options.time.value_or(span.first), look, options.png);
    fmt::print("picture  {}\n", options.png);
  }
  if (!options.mp4.empty()) {
    make_folder_of(options.mp4);
    write_film(page, span, options.speed.value_or(1), options.rate.value_or(30), look, options.mp4);
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
