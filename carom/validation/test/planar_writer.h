#pragma once

#include <string>
#include <vector>

#include "carom/validation/planar_impact_file.h"
#include "toss_writer.h"

namespace carom::test {

/// Writes impacts of a body as measurements are stored, without what is optional.
inline void write_impacts(const TossWriter& writer, const PlanarImpacts& impacts) {
  const std::string body = "/" + impacts.body;
  std::vector<std::int64_t> numbers;
  std::vector<double> pose, contact, before, after;
  const auto add = [](std::vector<double>& to, const auto& v) { to.insert(to.end(), v.data(), v.data() + v.size()); };
  for (const PlanarImpact& impact : impacts.impacts) {
    numbers.push_back(impact.number);
    add(pose, impact.pose);
    add(contact, impact.contact);
    add(before, impact.before);
    add(after, impact.after);
  }
  const auto n = impacts.impacts.size();
  writer.group(body.c_str());
  writer.attribute(body.c_str(), "gyration_radius", impacts.gyration_radius);
  writer.integers((body + (impacts.body == "square" ? "/trial" : "/record")).c_str(), numbers);
  writer.reals((body + "/pose").c_str(), {n, 3}, pose);
  writer.reals((body + "/contact").c_str(), {n, 2}, contact);
  writer.reals((body + "/v_pre").c_str(), {n, 3}, before);
  writer.reals((body + "/v_post").c_str(), {n, 3}, after);
}

}  // namespace carom::test
