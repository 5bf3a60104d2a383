#include "carom/record/player_impacts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "carom/record/curve.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<double>;

void append(const Vec3& vector, Numbers& numbers) { numbers.insert(numbers.end(), vector.begin(), vector.end()); }
double number(std::size_t count) { return static_cast<double>(count); }

/// Number of impacts, from the first one, that fit on a page.
std::size_t impacts_that_fit(const Record& record) {
  std::size_t count = 0, struck = 0, rows = 0;
  for (const ImpactReport& impact : record.impacts) {
    struck += impact.contacts;
    for (std::size_t i = 0; i < impact.intervals; ++i) rows += 1 + record.intervals[impact.first_interval + i].contacts;
    if (count == largest_impact_count || struck > largest_struck_count || rows > largest_interval_rows) break;
    ++count;
  }
  return count;
}

class ImpactWriter {
 public:
  ImpactWriter(const Record& record, PairList& pairs) : record_(record), pairs_(pairs) {}

  void add(const ImpactReport& impact) {
    const std::size_t first = struck_.size() / struck_width;
    impacts_.insert(impacts_.end(), {impact.time, number(first), number(impact.contacts), number(intervals_.size() / 5),
                                     number(impact.intervals), impact.outcome.energy_change});
    statuses_.push_back(impact_status_name(impact.outcome.status));
    for (std::size_t i = 0; i < impact.contacts; ++i) add(record_.struck[impact.first_contact + i]);
    for (std::size_t i = 0; i < impact.intervals; ++i) {
      add(record_.intervals[impact.first_interval + i], impact.first_contact, first);
    }
  }

  Json json() const {
    Json roles = Json::array(), motions = Json::array();
    for (PlusRole role : {PlusRole::observing, PlusRole::compressing, PlusRole::expanding, PlusRole::holding}) {
      roles.push_back(role_name(role));
    }
    for (PlusMotion motion :
         {PlusMotion::idle, PlusMotion::pushing, PlusMotion::rolling, PlusMotion::slipping, PlusMotion::sliding}) {
      motions.push_back(motion_name(motion));
    }
    return {{"impacts", base64(impacts_)},
            {"statuses", statuses_},
            {"struck", base64(struck_)},
            {"intervals", base64(intervals_)},
            {"interval_contacts", base64(contacts_)},
            {"roles", std::move(roles)},
            {"motions", std::move(motions)},
            {"left_out", record_.impacts.size() - statuses_.size()}};
  }

 private:
  static constexpr std::size_t struck_width = 17, contact_width = 9;

  void add(const ImpactContact& contact) {
    struck_.push_back(number(pairs_.number(contact.id, contact.body_a, contact.body_b)));
    append_place(contact.position, contact.R_WC, struck_);
    for (const Vec3& vector : {contact.impulse, contact.before, contact.after}) append(vector, struck_);
  }

  /// `recorded`, `here`: where the impact's struck contacts begin in the record and on the page.
  void add(const ImpactInterval& interval, std::size_t recorded, std::size_t here) {
    intervals_.insert(intervals_.end(), {static_cast<double>(interval.group), static_cast<double>(interval.round),
                                         interval.jammed ? 1.0 : 0.0, number(contacts_.size() / contact_width),
                                         number(interval.contacts)});
    for (std::size_t i = 0; i < interval.contacts; ++i) {
      const IntervalContact& contact = record_.interval_contacts[interval.first_contact + i];
      contacts_.insert(contacts_.end(), {number(contact.contact - recorded + here), static_cast<double>(contact.role),
                                         static_cast<double>(contact.motion)});
      append(contact.impulse, contacts_);
      append(contact.velocity, contacts_);
    }
  }

  const Record& record_;
  PairList& pairs_;
  Numbers impacts_, struck_, intervals_, contacts_;
  std::vector<std::string> statuses_;
};

}  // namespace

Json player_impacts(const Record& record, PairList& pairs) {
  ImpactWriter writer(record, pairs);
  const std::size_t count = impacts_that_fit(record);
  for (std::size_t i = 0; i < count; ++i) writer.add(record.impacts[i]);
  return writer.json();
}

}  // namespace carom
