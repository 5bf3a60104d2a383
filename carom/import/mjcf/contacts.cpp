#include <algorithm>
#include <cstdio>

#include "carom/import/mjcf/reader.h"

namespace carom::mjcf {
namespace {

constexpr std::size_t most_materials = 1000;  // their pairs are listed one by one

/// Friction of a geom. Geoms that say the same share a material, but one that a <pair> names has its own.
struct Surface {
  double friction = 0;
  bool is_smooth = false;  // condim 1
  int priority = 0;
  int own = -1;  // collider
  auto operator<=>(const Surface&) const = default;
};

std::string told(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string name_of(const Surface& surface, const Reader& reader) {
  std::string name = "friction " + told(surface.friction);
  if (surface.is_smooth) name += ", condim 1";
  if (surface.priority != 0) name += ", priority " + std::to_string(surface.priority);
  if (surface.own >= 0) name += ", of " + reader.model.colliders[surface.own].name;
  return name;
}

double friction_between(const Surface& a, const Surface& b) {
  if (a.priority != b.priority) {
    const Surface& higher = a.priority > b.priority ? a : b;
    return higher.is_smooth ? 0 : higher.friction;
  }
  return a.is_smooth && b.is_smooth ? 0 : std::max(a.friction, b.friction);
}

NamedPair together(double friction) { return {Vec2(friction, friction), 0}; }

class ContactReader {
 public:
  explicit ContactReader(Reader& reader) : reader_(reader), faults_(reader.faults) {}

  void read(XmlNode& root) {
    std::vector<XmlNode*> pairs;
    for (XmlNode* contact : root.all("contact")) {
      for (XmlNode& child : contact->children) {
        if (child.name == "exclude") {
          read_exclude(child);
        } else if (child.name == "pair") {
          child.take();
          pairs.push_back(&child);
        } else {
          child.take();
          faults_.add(child, "<" + child.name + "> in <contact> is no element of MJCF that Carom knows");
        }
      }
    }
    std::vector<std::pair<int, int>> named;
    named.reserve(pairs.size());
    for (XmlNode* pair : pairs) named.push_back(geoms_of(*pair));
    make_materials(named);
    for (std::size_t i = 0; i < pairs.size(); ++i) read_pair(*pairs[i], named[i]);
  }

 private:
  void read_exclude(XmlNode& node) {
    node.take();
    Element element(node);
    element.name();
    if (!element.has("body1") || !element.has("body2")) {
      faults_.add(node, "<exclude> needs body1 and body2");
      return;
    }
    const int a = reader_.body_of(element, "body1"), b = reader_.body_of(element, "body2");
    if (a < 0 || b < 0) return;
    reader_.model.excluded.emplace_back(reader_.bodies[a].link, reader_.bodies[b].link);
  }

  /// Colliders, −1 where there is none.
  std::pair<int, int> geoms_of(XmlNode& node) {
    int numbers[2] = {-1, -1};
    for (int i = 0; i < 2; ++i) {
      const auto name = faults_.require(node, i == 0 ? "geom1" : "geom2");
      if (!name) continue;
      const auto found = reader_.geom_named.find(*name);
      if (found == reader_.geom_named.end()) {
        faults_.add(node, "<pair> names the geom \"" + *name + "\", which the file does not have");
      } else if (found->second < 0 && reader_.global.contacts) {
        faults_.add(node, "<pair> names the geom \"" + *name +
                              "\", whose contype and conaffinity are 0; only geoms that collide can be named here");
      } else {
        numbers[i] = found->second;
      }
    }
    return {numbers[0], numbers[1]};
  }

  void make_materials(const std::vector<std::pair<int, int>>& pairs) {
    std::vector<char> named(reader_.colliding.size(), false);
    for (const auto& [a, b] : pairs) {
      if (a >= 0) named[a] = true;
      if (b >= 0) named[b] = true;
    }
    std::map<Surface, int> numbers;
    std::vector<Surface> surfaces;
    for (std::size_t i = 0; i < reader_.colliding.size(); ++i) {
      const Geom& geom = reader_.colliding[i];
      const Surface surface{geom.friction, geom.condim == 1, geom.priority, named[i] ? static_cast<int>(i) : -1};
      const auto [at, is_new] = numbers.emplace(surface, static_cast<int>(surfaces.size()));
      if (is_new) surfaces.push_back(surface);
      reader_.model.colliders[i].material = at->second;
      if (geom.condim > 3) {
        reader_.note(*geom.node, "condim " + std::to_string(geom.condim) +
                                     " of <geom>: torsional and rolling friction, which contacts here do not have");
      }
    }
    if (surfaces.size() > most_materials) {
      faults_.add(*reader_.colliding.back().node,
                  "the geoms have more than 1000 different frictions; give several the same");
      return;
    }
    ImportedModel& model = reader_.model;
    for (std::size_t a = 0; a < surfaces.size(); ++a) {
      const double own = friction_between(surfaces[a], surfaces[a]);
      model.materials.push_back({name_of(surfaces[a], reader_), Vec2(own, own), 0});
      for (std::size_t b = 0; b <= a; ++b) {
        model.pairs.push_back(
            {static_cast<int>(b), static_cast<int>(a), together(friction_between(surfaces[b], surfaces[a]))});
      }
    }
  }

  /// The body whose joint moves the link: MuJoCo's welded bodies are one for this.
  int moved_link(int link) const {
    while (link >= 0 && is_fixed(link)) link = reader_.model.links[link].joint->parent;
    return link;
  }
  bool is_fixed(int link) const {
    const auto& joint = reader_.model.links[link].joint;
    return joint && joint->type == JointType::fixed;
  }
  int moved_parent(int link) const {
    const auto& joint = reader_.model.links[link].joint;
    return joint ? moved_link(joint->parent) : -1;
  }

  /// True if the file lets the two collide without the <pair>.
  bool collide_anyway(int a, int b) const {
    const Collider &A = reader_.model.colliders[a], &B = reader_.model.colliders[b];
    if ((A.groups & B.collides_with) == 0 && (B.groups & A.collides_with) == 0) return false;
    const int link_a = moved_link(A.body), link_b = moved_link(B.body);
    if (link_a == link_b) return false;
    const bool related =
        link_a >= 0 && link_b >= 0 && (moved_parent(link_a) == link_b || moved_parent(link_b) == link_a);
    if (related && !reader_.global.parents_collide) return false;
    return std::none_of(reader_.model.excluded.begin(), reader_.model.excluded.end(),
                        [&](const std::pair<int, int>& pair) {
                          return pair == std::pair(A.body, B.body) || pair == std::pair(B.body, A.body);
                        });
  }

  void read_pair(XmlNode& node, const std::pair<int, int>& geoms) {
    Element element = reader_.defaults.element(node, "", {"pair"}, faults_);
    element.name();
    const auto [a, b] = geoms;
    if (a < 0 || b < 0) return;
    if (!collide_anyway(a, b)) {
      faults_.add(node,
                  "<pair> lets two geoms collide that otherwise do not: their contype and conaffinity, their bodies or "
                  "an <exclude> keep them apart; let these allow it");
      return;
    }
    // Values that a pair leaves out are not its geoms' but MuJoCo's own: condim 3 and friction 1.
    const int condim = element.integer(faults_, "condim", 3);
    const auto friction = element.numbers(faults_, "friction", 1, 5);
    double value = friction ? (*friction)[0] : 1;
    if (friction && friction->size() > 1 && (*friction)[1] != (*friction)[0]) {
      faults_.add(node,
                  "<pair> has two different sliding frictions, along axes that MuJoCo alone knows; make them equal");
    }
    if (value < 0) faults_.add(node, "<pair> has a negative friction coefficient; give one from 0 on");
    if (condim == 1) value = 0;
    if (element.number(faults_, "adhesion", 0) != 0) {
      faults_.add(node, "<pair> has adhesion, which contacts here do not have");
    }
    for (MaterialPair& pair : reader_.model.pairs) {
      const int first = reader_.model.colliders[a].material, second = reader_.model.colliders[b].material;
      if (std::minmax(first, second) == std::minmax(pair.a, pair.b)) pair.together = together(value);
    }
  }

  Reader& reader_;
  XmlFaults& faults_;
};

}  // namespace

void read_contacts(XmlNode& root, Reader& reader) { ContactReader(reader).read(root); }

}  // namespace carom::mjcf
