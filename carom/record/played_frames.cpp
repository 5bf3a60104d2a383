#include <algorithm>
#include <set>

#include "carom/record/player_data.h"

namespace carom {
namespace {

using Frames = std::vector<std::size_t>;

/// At most `count` of them, evenly chosen, the first and the last among them.
Frames evenly(const Frames& frames, std::size_t count) {
  if (frames.size() <= count) return frames;
  Frames chosen;
  for (std::size_t k = 0; k < count; ++k) {
    chosen.push_back(frames[count == 1 ? 0 : k * (frames.size() - 1) / (count - 1)]);
  }
  return chosen;
}

/// On both sides of every event and impact: the frame before it, and the first that is not.
Frames frames_at_events(const Record& record) {
  std::vector<double> times;
  for (const Event& event : record.events) times.push_back(event.time);
  for (const ImpactReport& impact : record.impacts) times.push_back(impact.time);
  std::set<std::size_t> at;
  for (double time : times) {
    const auto after = std::partition_point(record.frames.begin(), record.frames.end(),
                                            [&](const Frame& frame) { return frame.state.time < time; });
    const auto index = static_cast<std::size_t>(after - record.frames.begin());
    if (index < record.frames.size()) at.insert(index);
    if (index > 0) at.insert(index - 1);
  }
  return {at.begin(), at.end()};
}

Frames frames_at_extremes(const Record& record) {
  std::set<std::size_t> at;
  const auto add = [&](auto&& value) {
    std::size_t low = 0, high = 0;
    for (std::size_t f = 0; f < record.frames.size(); ++f) {
      if (value(record.frames[f]) < value(record.frames[low])) low = f;
      if (value(record.frames[f]) > value(record.frames[high])) high = f;
    }
    at.insert({low, high});
  };
  for (int i = 0; i < record.scene.model->position_count(); ++i) {
    add([i](const Frame& frame) { return frame.state.q[i]; });
  }
  add([](const Frame& frame) { return frame.penetration; });
  add([](const Frame& frame) {
    double sum = 0;
    for (const ContactReport& contact : frame.contacts) sum += contact.impulse.z();
    return sum;
  });
  return {at.begin(), at.end()};
}

}  // namespace

std::vector<std::size_t> played_frames(const Record& record, std::size_t largest) {
  const std::size_t n = record.frames.size();
  Frames all(n);
  for (std::size_t f = 0; f < n; ++f) all[f] = f;
  if (n <= largest) return all;
  std::set<std::size_t> kept{0, n - 1};
  for (std::size_t f : evenly(frames_at_events(record), largest / 2)) kept.insert(f);
  for (std::size_t f : evenly(frames_at_extremes(record), largest / 4)) kept.insert(f);
  Frames others;
  std::set_difference(all.begin(), all.end(), kept.begin(), kept.end(), std::back_inserter(others));
  for (std::size_t f : evenly(others, largest > kept.size() ? largest - kept.size() : 0)) kept.insert(f);
  return {kept.begin(), kept.end()};
}

}  // namespace carom
