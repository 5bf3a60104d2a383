#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carom/validation/toss_file.h"
#include "carom/validation/toss_scores.h"

namespace carom {

/// Errors of another simulator by the number of the toss, so that Carom's can be held against them without it.
struct TossPeer {
  std::string name;
  std::map<std::int64_t, TossError> errors;
};

/// Reads or writes errors of simulators as CSV: a head, then a line for each toss of each,
///
///   simulator,toss,position_mean,position_end,rotation_mean,rotation_end,right_face
///
/// positions in % of the width, rotations in degrees, faces 1 or 0. Both throw Error that names the file, and the line.
/// No peers if there is no such file.
std::vector<TossPeer> read_toss_peers(const std::string& path);
void write_toss_peers(const std::vector<TossPeer>& peers, const std::string& path);

TossPeer peer_of(const TossScore& score, const std::vector<Toss>& tosses);
/// The peer's errors of these tosses; nothing if it lacks one of them.
std::optional<TossScore> score_in(const TossPeer& peer, const std::vector<Toss>& tosses);

}  // namespace carom
