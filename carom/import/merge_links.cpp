#include "carom/import/merge_links.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "carom/import/keep_apart.h"

namespace carom {
namespace {

/// Destination of a link: link i of the file is at X_TB of link `target`, which is numbered as after merging.
struct Place {
  int target = -1;
  Transform X_TB;
  bool merged = false;
};

/// The places of all links, by their numbers before; −1 is the world.
class Places {
 public:
  explicit Places(const std::vector<ImportedModel::Link>& links) : places_(links.size()) {
    int kept = 0;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const auto& joint = links[i].joint;
      if (joint && joint->type == JointType::fixed) {
        const Place& parent = at(joint->parent);
        places_[i] = {parent.target, parent.X_TB * joint->X_PF * joint->X_BM.inverse(), true};
      } else {
        places_[i].target = kept++;
      }
    }
  }
  const Place& at(int link) const { return link < 0 ? world_ : places_[link]; }

 private:
  std::vector<Place> places_;
  Place world_;
};

bool is_fixed(const ImportedModel::Link& link) { return link.joint && link.joint->type == JointType::fixed; }

void merge_bodies(const Places& places, ImportedModel& model) {
  std::vector<ImportedModel::Link> kept;
  std::vector<ImportedModel::Frame> merged;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    ImportedModel::Link& link = model.links[i];
    const Place& place = places.at(static_cast<int>(i));
    if (is_fixed(link)) {
      merged.push_back({link.name, link.line, place.target, place.X_TB, link.inertia});
      continue;
    }
    if (link.joint) {
      const Place& parent = places.at(link.joint->parent);
      link.joint->parent = parent.target;
      link.joint->X_PF = parent.X_TB * link.joint->X_PF;
    }
    kept.push_back(std::move(link));
  }
  for (const ImportedModel::Frame& frame : merged) {
    if (frame.link < 0) continue;  // the world needs no inertia
    SpatialInertia& inertia = kept[frame.link].inertia;
    inertia = inertia + frame.inertia.in(frame.X_BF);
  }
  model.links = std::move(kept);
  for (ImportedModel::Frame& frame : model.frames) {
    const Place& place = places.at(frame.link);
    frame.X_BF = place.X_TB * frame.X_BF;
    frame.link = place.target;
  }
  model.frames.insert(model.frames.end(), merged.begin(), merged.end());
}

/// A force on a joint's coordinate cannot move to another joint with the link.
void check_coordinate(const Place& place, const std::string& what) {
  if (place.merged) throw Error(what + " is about a coordinate of a fixed joint, which has none");
}

void move_parts(const Places& places, ImportedModel& model) {
  for (Collider& collider : model.colliders) {
    const Place& place = places.at(collider.body);
    collider.X_BS = place.X_TB * collider.X_BS;
    collider.body = place.target;
  }
  for (Visual& visual : model.visuals) {
    const Place& place = places.at(visual.body);
    visual.X_BV = place.X_TB * visual.X_BV;
    visual.body = place.target;
  }
  for (Constraint& constraint : model.constraints) {
    const Place &a = places.at(constraint.body_a), &b = places.at(constraint.body_b);
    if (is_of_coordinates(constraint.kind)) check_coordinate(a, "constraint \"" + constraint.name + "\"");
    for (CoordinateShare& share : constraint.shares) {
      check_coordinate(places.at(share.body), "constraint \"" + constraint.name + "\"");
      share.body = places.at(share.body).target;
    }
    constraint.X_AF = a.X_TB * constraint.X_AF;
    constraint.X_BG = b.X_TB * constraint.X_BG;
    constraint.body_a = a.target;
    constraint.body_b = b.target;
  }
  std::erase_if(model.constraints, [&](const Constraint& constraint) {
    if (constraint.kind != ConstraintKind::spring || constraint.body_a != constraint.body_b) return false;
    model.unused.push_back(
        {model.file, 0, "constraint \"" + constraint.name + "\": it ties parts of one rigid body to each other"});
    return true;
  });
  std::erase_if(model.lifts, [&](const ImportedModel::Lift& lift) { return places.at(lift.link).target < 0; });
  for (ImportedModel::Lift& lift : model.lifts) {
    const Place& place = places.at(lift.link);
    lift.point = place.X_TB * lift.point;
    lift.link = place.target;
  }
  for (Drive& drive : model.drives) {
    check_coordinate(places.at(drive.body), "drive \"" + drive.name + "\"");
    drive.body = places.at(drive.body).target;
    for (CoordinateShare& share : drive.others) {
      check_coordinate(places.at(share.body), "drive \"" + drive.name + "\"");
      share.body = places.at(share.body).target;
    }
  }
}

void keep_rows(const std::vector<char>& fixed, std::vector<VectorX>& by_link) {
  std::vector<VectorX> kept;
  for (std::size_t i = 0; i < by_link.size(); ++i) {
    if (i >= fixed.size() || !fixed[i]) kept.push_back(std::move(by_link[i]));
  }
  by_link = std::move(kept);
}

std::pair<int, int> ordered(int a, int b) { return std::minmax({a, b}); }

/// Exclusions of links that are now parts of larger ones. Excluding the whole link would let shapes pass that the file
/// means to touch, above all the ground, which belongs to the world. So colliders of such links get groups of their
/// own.
class Exclusions {
 public:
  Exclusions(const Places& places, const ImportedModel& before) : places_(places) {
    for (const auto& [a, b] : before.excluded) excluded_.insert(ordered(a, b));
    for (const Collider& collider : before.colliders) link_of_.push_back(collider.body);
  }

  void apply(ImportedModel& model) {
    std::set<std::pair<int, int>> whole;
    std::set<int> parts;  // links from before that need groups of their own
    for (const auto& [a, b] : excluded_) {
      const int target_a = places_.at(a).target, target_b = places_.at(b).target;
      if (target_a == target_b) continue;  // welded together they never touch
      if (covers(a, b)) {
        whole.insert(ordered(target_a, target_b));
      } else if (a < 0 || b < 0) {
        throw Error("link \"" + model.links[std::max(target_a, target_b)].name +
                    "\" is excluded from the world, but not all that is welded to either is; exclude that, too");
      } else {
        parts.insert({a, b});
      }
    }
    model.excluded.assign(whole.begin(), whole.end());
    keep_apart(pairs_of(parts), model.colliders);
  }

 private:
  /// True if every shape of the one merged link is excluded from every shape of the other. Shapes may be added to the
  /// world later: they count as the world's own.
  bool covers(int a, int b) const {
    const auto side = [&](int link) {
      const int target = places_.at(link).target;
      std::set<int> links{link};
      if (target < 0) links.insert(-1);
      for (const int other : link_of_) {
        if (places_.at(other).target == target) links.insert(other);
      }
      return links;
    };
    const std::set<int> side_a = side(a), side_b = side(b);
    return std::all_of(side_a.begin(), side_a.end(), [&](int i) {
      return std::all_of(side_b.begin(), side_b.end(), [&](int j) { return excluded_.contains(ordered(i, j)); });
    });
  }

  /// Colliders of excluded links of which one at least is a part.
  std::set<std::pair<int, int>> pairs_of(const std::set<int>& parts) const {
    std::set<std::pair<int, int>> pairs;
    for (std::size_t i = 0; i < link_of_.size(); ++i) {
      if (!parts.contains(link_of_[i])) continue;
      for (std::size_t j = 0; j < link_of_.size(); ++j) {
        if (excluded_.contains(ordered(link_of_[i], link_of_[j]))) {
          pairs.insert(ordered(static_cast<int>(i), static_cast<int>(j)));
        }
      }
    }
    return pairs;
  }

  const Places& places_;
  std::set<std::pair<int, int>> excluded_;
  std::vector<int> link_of_;  // by collider, numbered as before merging
};

}  // namespace

void merge_fixed_links(ImportedModel& model) {
  std::vector<char> fixed;
  for (const ImportedModel::Link& link : model.links) fixed.push_back(is_fixed(link));
  if (std::find(fixed.begin(), fixed.end(), true) == fixed.end()) return;
  const Places places(model.links);
  Exclusions exclusions(places, model);
  merge_bodies(places, model);
  move_parts(places, model);
  exclusions.apply(model);
  for (ImportedModel::Keyframe& keyframe : model.keyframes) {
    keep_rows(fixed, keyframe.position);
    keep_rows(fixed, keyframe.velocity);
  }
}

void weld_roots(ImportedModel& model, const ImportOptions& options) {
  std::vector<std::string> roots;
  for (const ImportedModel::Link& link : model.links) {
    if (!link.joint && !link.is_mocap) roots.push_back(link.name);
  }
  for (const auto& [name, pose] : options.bases) {
    if (std::find(roots.begin(), roots.end(), name) == roots.end()) throw UnknownBase(name, roots);
  }
  for (ImportedModel::Link& link : model.links) {
    const auto placed = options.bases.find(link.name);
    if (link.joint || link.is_mocap || (!options.fixed_base && placed == options.bases.end())) continue;
    if (placed != options.bases.end()) link.X_WB = placed->second;
    weld_root(link);
  }
}

void weld_root(ImportedModel::Link& link) {
  link.joint.emplace();
  link.joint->name = link.name + " base";
  link.joint->type = JointType::fixed;
  link.joint->X_PF = link.X_WB;
}

}  // namespace carom
