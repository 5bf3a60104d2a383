#include "carom/record/player_data.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "carom/dynamics/body_motion.h"
#include "carom/record/contact_names.h"
#include "carom/record/curve.h"
#include "carom/record/part_names.h"
#include "carom/record/player_impacts.h"
#include "carom/record/world_motion.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;
using Frames = std::vector<std::size_t>;

/// 7 numbers per body and frame.
std::vector<double> poses(const Record& record, const Frames& frames) {
  std::vector<double> numbers;
  numbers.reserve(7 * record.scene.model->bodies().size() * frames.size());
  for (std::size_t f : frames) {
    for (const BodyMotion& body : body_motions(*record.scene.model, record.frames[f].state)) {
      const Quaternion& q = body.orientation;
      const Vec3& p = body.position;
      numbers.insert(numbers.end(), {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()});
    }
  }
  return numbers;
}

/// Mass centres and momenta of the trees of joints, where they are not too many to be told apart.
Json mechanisms(const Record& record, const Frames& frames) {
  const Model& model = *record.scene.model;
  std::vector<std::string> names = mechanism_names(model);
  std::vector<double> centres, momenta;
  if (names.size() > largest_mechanisms) names.clear();
  WorldObserver observer(model);
  for (std::size_t k = 0; k < frames.size() && !names.empty(); ++k) {
    const WorldMotion& motion = observer.observe(record.frames[frames[k]].state);
    centres.insert(centres.end(), motion.mass_centre.begin(), motion.mass_centre.end());
    momenta.insert(momenta.end(), motion.momentum.begin(), motion.momentum.end());
  }
  return {{"names", names}, {"mass_centre", base64(centres)}, {"momentum", base64(momenta)}};
}

bool is_drawn(const ContactReport& contact, bool idle_too) {
  return contact.id.is_surface() && (idle_too || !contact.impulse.isZero(0));
}

std::size_t row_count(const Record& record, const Frames& frames, bool idle_too) {
  std::size_t count = 0;
  for (std::size_t f : frames) {
    const auto& contacts = record.frames[f].contacts;
    count += static_cast<std::size_t>(std::count_if(
        contacts.begin(), contacts.end(), [&](const ContactReport& contact) { return is_drawn(contact, idle_too); }));
  }
  return count;
}

/// Contacts of the played frames, as many as a page should carry.
Json contacts(const Record& record, const Frames& frames, PairList& pairs) {
  const bool idle_too = row_count(record, frames, true) <= largest_contact_rows;
  const std::size_t rows = row_count(record, frames, idle_too);
  const std::size_t stride = std::max<std::size_t>(1, (rows + largest_contact_rows - 1) / largest_contact_rows);
  std::vector<double> shown, offsets{0}, numbers;
  std::size_t count = 0;
  for (std::size_t k = 0; k < frames.size(); k += stride) {
    shown.push_back(static_cast<double>(k));
    for (const ContactReport& contact : record.frames[frames[k]].contacts) {
      if (!is_drawn(contact, idle_too)) continue;
      numbers.push_back(static_cast<double>(pairs.number(contact.id, contact.body_a, contact.body_b)));
      numbers.push_back(static_cast<double>(contact.mode));
      append_place(contact.position, contact.R_WC, numbers);
      for (const Vec3& vector : {contact.impulse, contact.velocity}) {
        numbers.insert(numbers.end(), vector.begin(), vector.end());
      }
      ++count;
    }
    offsets.push_back(static_cast<double>(count));
  }
  return {{"frames", base64(shown)}, {"offsets", base64(offsets)}, {"rows", base64(numbers)}, {"idle", idle_too}};
}

/// Times and kinds of events, for marks along the time line.
Json event_marks(const Record& record) {
  constexpr std::size_t largest = 4000;
  const std::size_t stride = std::max<std::size_t>(1, (record.events.size() + largest - 1) / largest);
  std::vector<double> times, kinds;
  for (std::size_t i = 0; i < record.events.size(); i += stride) {
    times.push_back(record.events[i].time);
    kinds.push_back(static_cast<double>(record.events[i].kind));
  }
  Json names = Json::array();
  for (int kind = 0; kind <= static_cast<int>(EventKind::impact); ++kind) {
    names.push_back(event_name(static_cast<EventKind>(kind)));
  }
  return {{"times", base64(times)}, {"kinds", base64(kinds)}, {"kind_names", std::move(names)}};
}

}  // namespace

Json player_data(const Record& record) {
  const Frames frames = played_frames(record);
  std::vector<double> times;
  for (std::size_t f : frames) times.push_back(record.frames[f].state.time);
  PairList pairs(*record.scene.model);
  Json modes = Json::array();
  for (int mode = 0; mode <= static_cast<int>(ContactMode::closed); ++mode) {
    modes.push_back(mode_name(static_cast<ContactMode>(mode)));
  }
  Json data{{"times", base64(times)},
            {"poses", base64(poses(record, frames))},
            {"recorded", record.frames.size()},
            {"mechanisms", mechanisms(record, frames)},
            {"modes", std::move(modes)},
            {"contacts", contacts(record, frames, pairs)},
            {"step", record.scene.method.step},
            {"events", event_marks(record)},
            {"impacts", player_impacts(record, pairs)}};
  data["pairs"] = pairs.json();
  return data;
}

}  // namespace carom
