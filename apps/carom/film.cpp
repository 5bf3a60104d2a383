#include "film.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "carom/error.h"
#include "external_program.h"
#include "work_folder.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

/// Value of a character of base64 (RFC 4648); −1 of any other.
int digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

std::string decoded(const std::string& base64) {
  std::string bytes;
  unsigned buffer = 0;
  int bits = 0;
  for (char c : base64) {
    if (digit(c) < 0) break;
    buffer = buffer << 6 | static_cast<unsigned>(digit(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(buffer >> bits & 0xff);
  }
  return bytes;
}

/// A text as part of an address: what has a meaning in one is written as its number.
std::string escaped(const std::string& plain_text) {
  std::string text;
  for (char c : plain_text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || std::string("/._-~").find(c) != std::string::npos;
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

/// Order for the page (player/src/film.js).
std::string order_of(const PlayedTime& span, int count, const char* type, const FilmLook& look) {
  nlohmann::json order{{"from", span.first},  {"to", span.last},       {"count", count},       {"type", type},
                       {"width", look.width}, {"height", look.height}, {"follow", look.follow}};
  const auto place = [&](const char* name, const std::optional<Vec3>& p) {
    if (p) order[name] = {p->x(), p->y(), p->z()};
  };
  const auto number = [&](const char* name, const std::optional<double>& x) {
    if (x) order[name] = *x;
  };
  place("camera", look.camera);
  place("target", look.target);
  number("azimuth", look.azimuth);
  number("elevation", look.elevation);
  number("distance", look.distance);
  return escaped(order.dump());
}

/// Writes `count` pictures of the page, from one time to another, through `name(i)`.
template <class Name>
void draw(const std::string& page, const PlayedTime& span, int count, const char* type, const FilmLook& look,
          const std::string& option, Name&& name) {
  const std::string chromium = need_program({"chromium", "chromium-browser", "google-chrome"}, "chromium", option);
  WorkFolder folder;
  // WebGL without a graphics card, and no sandbox, which needs rights that containers do not give.
  const int status =
      run_program({chromium, "--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader",
                   "--enable-unsafe-swiftshader", "--user-data-dir=" + (folder / "profile"), "--dump-dom",
                   "file://" + escaped(fs::absolute(page).string()) + "#film=" + order_of(span, count, type, look)},
                  folder / "dom.html");
  std::ifstream dom(folder / "dom.html");
  int found = 0;
  bool inside = false;
  for (std::string line; std::getline(dom, line);) {
    const std::string begin = "<pre id=\"film\">";
    const std::size_t at = line.find(begin);
    if (at != std::string::npos) {
      inside = true;
      line = line.substr(at + begin.size());
    }
    if (!inside || found == count) continue;
    const std::string picture = decoded(line);
    if (picture.empty()) break;
    std::ofstream file(name(found), std::ios::binary);
    file << picture;
    file.close();
    if (!file) throw Error(name(found) + ": can't write the picture");
    ++found;
  }
  if (found < count) {
    throw std::runtime_error(fmt::format("{} drew {} of {} pictures (exit status {})", chromium, found, count, status));
  }
}

}  // namespace

PlayedTime played_time(const std::vector<Record>& records) {
  PlayedTime span{records.front().frames.front().state.time, records.front().frames.back().state.time};
  for (const Record& record : records) {
    span.first = std::min(span.first, record.frames.front().state.time);
    span.last = std::max(span.last, record.frames.back().state.time);
  }
  return span;
}

void write_picture(const std::string& page, double time, const FilmLook& look, const std::string& path) {
  draw(page, {time, time}, 1, "png", look, "--png", [&](int) { return path; });
}

void write_film(const std::string& page, const PlayedTime& span, double speed, int rate, const FilmLook& look,
                const std::string& path) {
  constexpr int largest = 3000;
  const std::string ffmpeg = need_program({"ffmpeg"}, "ffmpeg", "--mp4");
  const double wanted = std::floor((span.last - span.first) / speed * rate) + 1;
  if (wanted > largest) {
    throw Error(fmt::format("--mp4 {}: {:.0f} pictures are too many; with --speed {:.2g} or more they are at most {}",
                            path, wanted, 1.01 * (span.last - span.first) * rate / largest, largest));
  }
  WorkFolder folder;
  draw(page, span, static_cast<int>(wanted), "jpeg", look, "--mp4",
       [&](int i) { return folder / fmt::format("{:05}.jpg", i); });
  const int status =
      run_program({ffmpeg, "-loglevel", "error", "-y", "-framerate", std::to_string(rate), "-i", folder / "%05d.jpg",
                   "-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart", fs::absolute(path).string()},
                  "/dev/null");
  if (status != 0) throw std::runtime_error(fmt::format("ffmpeg failed with exit status {}", status));
}

}  // namespace carom
