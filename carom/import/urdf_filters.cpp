#include "carom/import/urdf_filters.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "carom/import/urdf_gazebo.h"

namespace carom {
namespace {

using Members = std::map<std::string, std::vector<int>>;

/// The places of the links of each group.
Members members_of(const std::vector<XmlNode*>& groups, const std::vector<UrdfLink>& links, const UrdfTree& tree,
                   XmlFaults& faults) {
  std::map<std::string, int> places;
  for (std::size_t i = 0; i < links.size(); ++i) places.emplace(links[i].name, tree.place_of[i]);
  Members members;
  for (XmlNode* group : groups) {
    const auto name = faults.require(*group, "name");
    if (!name) continue;
    std::vector<int>& of_group = members[*name];
    for (XmlNode* member : group->all("drake:member")) {
      const auto link = faults.require(*member, "link");
      const auto place = link ? places.find(*link) : places.end();
      if (place != places.end()) of_group.push_back(place->second);
      if (link && place == places.end()) faults.add(*member, "there is no link " + quote(*link) + " in this file");
    }
    for (XmlNode* nested : group->all("drake:member_group")) {
      faults.add(*nested,
                 "groups within groups are not understood; name the members of <drake:member_group> one by one");
    }
  }
  return members;
}

}  // namespace

std::vector<std::pair<int, int>> urdf_excluded_links(XmlNode& root, const std::vector<UrdfLink>& links,
                                                     const UrdfTree& tree, XmlFaults& faults) {
  const std::vector<XmlNode*> groups = root.all("drake:collision_filter_group");
  const Members members = members_of(groups, links, tree, faults);
  std::set<std::pair<int, int>> pairs;
  for (XmlNode* group : groups) {
    const std::string* name = group->attribute("name");
    for (XmlNode* ignored : group->all("drake:ignored_collision_filter_group")) {
      const auto other = faults.require(*ignored, "name");
      if (!other || !name) continue;
      if (!members.contains(*other)) {
        faults.add(*ignored, "there is no group " + quote(*other) + " in this file");
        continue;
      }
      for (const int a : members.at(*name)) {
        for (const int b : members.at(*other)) {
          if (a != b) pairs.insert(std::minmax(a, b));
        }
      }
    }
  }
  return {pairs.begin(), pairs.end()};
}

}  // namespace carom
