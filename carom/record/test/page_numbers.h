#pragma once

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "carom/record/record.h"
#include "carom/stepper/simulation.h"

// Runs without files, and the numbers that pages carry of them.
namespace carom::test {

/// A record without a file: what the simulation did, every frame of it.
inline Record simulate(const Scene& scene, std::int64_t steps) {
  Record record;
  record.scene = scene;
  record.frames.emplace_back().state = scene.initial;
  Simulation simulation(scene.model, scene.method, scene.initial);
  for (std::int64_t i = 0; i < steps; ++i) {
    const StepReport& report = simulation.step();
    Frame& frame = record.frames.emplace_back();
    frame.state = simulation.state();
    frame.contacts = report.contacts;
    record.events.insert(record.events.end(), report.events.begin(), report.events.end());
    for (ImpactReport impact : report.impacts) {
      impact.first_contact += record.struck.size();
      impact.first_interval += record.intervals.size();
      record.impacts.push_back(impact);
    }
    for (ImpactInterval interval : report.intervals) {
      interval.first_contact += record.interval_contacts.size();
      record.intervals.push_back(interval);
    }
    for (IntervalContact contact : report.interval_contacts) {
      contact.contact += record.struck.size();
      record.interval_contacts.push_back(contact);
    }
    record.struck.insert(record.struck.end(), report.struck.begin(), report.struck.end());
  }
  return record;
}

/// Numbers as the page's script reads them.
inline std::vector<float> decoded(const nlohmann::ordered_json& base64) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned buffer = 0;
  int bits = 0;
  for (char c : base64.get<std::string>()) {
    const std::size_t digit = letters.find(c);
    if (digit == std::string_view::npos) break;
    buffer = buffer << 6 | static_cast<unsigned>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(buffer >> bits & 0xff);
  }
  std::vector<float> numbers(bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(float));
  return numbers;
}

}  // namespace carom::test
