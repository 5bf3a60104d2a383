#include "carom/validation/toss_peers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "carom/error.h"
#include "carom/scene/scene_text.h"
#include "carom/study/csv_cells.h"

namespace carom {
namespace {

constexpr const char* head = "simulator,toss,position_mean,position_end,rotation_mean,rotation_end,right_face";
constexpr std::size_t width = 7;

}  // namespace

std::vector<TossPeer> read_toss_peers(const std::string& path) {
  std::vector<TossPeer> peers;
  std::error_code unused;
  if (!std::filesystem::exists(path, unused)) return peers;
  std::ifstream file(path);
  if (!file) throw Error(path + ": the file can't be opened");
  std::string line;
  if (!std::getline(file, line) || csv_cells(line) != csv_cells(head)) {
    throw Error(fmt::format("{}:1: the head must be {}", path, head));
  }
  for (int number = 2; std::getline(file, line); ++number) {
    const std::vector<std::string> cells = csv_cells(line);
    std::array<double, width - 1> values{};  // -1: none that a cell may have
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = cells.size() == width ? written_number(cells[i + 1]).value_or(-1) : -1;
    }
    const auto [toss, position_mean, position_end, rotation_mean, rotation_end, face] = values;
    const bool good = *std::min_element(values.begin(), values.end()) >= 0 && toss == std::floor(toss) &&
                      (face == 0 || face == 1) && !cells[0].empty();
    if (!good) {
      throw Error(fmt::format(
          "{}:{}: '{}' is no line of a name, a toss, four errors of 0 or more, and a face that is right (1) or not (0)",
          path, number, line));
    }
    auto peer = std::find_if(peers.begin(), peers.end(), [&](const TossPeer& each) { return each.name == cells[0]; });
    if (peer == peers.end()) peer = peers.insert(peers.end(), TossPeer{cells[0], {}});
    const TossError error{{position_mean / 100, rotation_mean}, {position_end / 100, rotation_end}, face == 1};
    if (!peer->errors.emplace(static_cast<std::int64_t>(toss), error).second) {
      throw Error(fmt::format("{}:{}: toss {} of {} is there twice; keep one", path, number, toss, cells[0]));
    }
  }
  return peers;
}

void write_toss_peers(const std::vector<TossPeer>& peers, const std::string& path) {
  std::set<std::string> names;
  for (const TossPeer& peer : peers) {
    if (csv_cells(peer.name) != std::vector{peer.name} || peer.name.empty() || peer.name.find('\n') != peer.name.npos) {
      throw Error(
          fmt::format("{}: the simulator's name '{}' must be one cell of CSV; leave out commas, quotes, and "
                      "blanks around it",
                      path, peer.name));
    }
    if (!names.insert(peer.name).second) {
      throw Error(fmt::format("{}: two simulators are named '{}'; give one another name", path, peer.name));
    }
  }
  std::ofstream file(path);
  file << head << "\n";
  for (const TossPeer& peer : peers) {
    for (const auto& [toss, error] : peer.errors) {
      const auto figures = figures_of(error);
      file << fmt::format("{},{},{:.6g},{:.6g},{:.6g},{:.6g},{}\n", peer.name, toss, figures[0], figures[1], figures[2],
                          figures[3], error.right_face ? 1 : 0);
    }
  }
  if (!file.flush()) throw Error(path + ": can't be written");
}

TossPeer peer_of(const TossScore& score, const std::vector<Toss>& tosses) {
  TossPeer peer{score.name, {}};
  for (std::size_t i = 0; i < tosses.size(); ++i) peer.errors.emplace(tosses[i].number, score.errors[i]);
  return peer;
}

std::optional<TossScore> score_in(const TossPeer& peer, const std::vector<Toss>& tosses) {
  TossScore score{peer.name, {}};
  score.errors.reserve(tosses.size());
  for (const Toss& toss : tosses) {
    const auto found = peer.errors.find(toss.number);
    if (found == peer.errors.end()) return {};
    score.errors.push_back(found->second);
  }
  return score;
}

}  // namespace carom
