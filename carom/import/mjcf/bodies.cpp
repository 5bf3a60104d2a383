#include <algorithm>
#include <array>
#include <utility>

#include "carom/import/mjcf/reader.h"

namespace carom::mjcf {
namespace {

/// A child and the frame around it.
struct Placed {
  XmlNode* node = nullptr;
  std::string childclass;
  Transform X_BE;
};

/// Content of a <body> or <worldbody>, through all <frame>s.
struct Content {
  XmlNode* inertial = nullptr;
  std::vector<JointElement> joints;
  std::vector<Placed> geoms, sites, bodies;
};

class BodyReader {
 public:
  explicit BodyReader(Reader& reader) : reader_(reader), faults_(reader.faults) {}

  void read_world(XmlNode& world) {
    const std::string childclass = class_inside(world, "");
    Content content;
    collect(world, childclass, Transform::identity(), false, content);
    if (content.inertial) faults_.add(*content.inertial, "<inertial> is in the world, which does not move");
    if (!content.joints.empty()) faults_.add(*content.joints.front().node, "the world has a joint; put it into a body");
    FileBody& body = reader_.bodies.front();
    read_geoms(content, false, body);
    read_sites(content, 0);
    for (const Placed& child : content.bodies) read_body(child, 0);
  }

 private:
  std::string class_inside(XmlNode& node, const std::string& outside) {
    const std::string* own = node.attribute("childclass");
    if (!own || !reader_.defaults.knows(node, *own, faults_)) return outside;
    return *own;
  }

  void collect(XmlNode& parent, const std::string& childclass, const Transform& X_BE, bool in_frame, Content& content) {
    for (XmlNode& child : parent.children) {
      if (child.name == "camera" || child.name == "light") continue;  // not read, so listed
      child.take();
      refuse_parts(child);
      if (child.name == "inertial") {
        if (in_frame) faults_.add(child, "<inertial> is in a <frame>; put it into the body itself");
        if (content.inertial) faults_.add(child, "the body has two <inertial>; it can have one");
        content.inertial = &child;
      } else if (child.name == "joint" || child.name == "freejoint") {
        content.joints.push_back({&child, childclass, X_BE});
      } else if (child.name == "geom") {
        content.geoms.push_back({&child, childclass, X_BE});
      } else if (child.name == "site") {
        content.sites.push_back({&child, childclass, X_BE});
      } else if (child.name == "body") {
        content.bodies.push_back({&child, childclass, X_BE});
      } else if (child.name == "frame") {
        Element frame(child);
        frame.name();
        const Transform X_EF = read_pose(frame, reader_.compiler, faults_);
        collect(child, class_inside(child, childclass), X_BE * X_EF, true, content);
      } else {
        refuse(child, parent);
      }
    }
  }

  /// Joints, geoms and the like have no parts but those that change what they are.
  void refuse_parts(const XmlNode& node) {
    constexpr std::array whole = {"inertial", "joint", "freejoint", "geom", "site"};
    if (std::find(whole.begin(), whole.end(), node.name) == whole.end()) return;
    for (const XmlNode& part : node.children) {
      faults_.add(
          part, "<" + part.name + "> in <" + node.name + "> is nothing that Carom reads, and could change the motion");
    }
  }

  void refuse(XmlNode& child, const XmlNode& parent) {
    constexpr std::array known = {"composite", "flexcomp", "plugin"};
    const bool is_known = std::find(known.begin(), known.end(), child.name) != known.end();
    faults_.add(child, "<" + child.name + "> in <" + parent.name + "> " +
                           (is_known ? "is a part of MJCF that Carom does not read; write its bodies out"
                                     : "is no element of MJCF that Carom knows, and could change the motion"));
  }

  /// A body of a file that is attached has that file's settings.
  void read_body(const Placed& from, int parent_number) {
    const auto attached = reader_.attached.find(from.node->file);
    if (attached == reader_.attached.end()) return read_placed(from, parent_number);
    const Compiler outside = std::exchange(reader_.compiler, attached->second);
    read_placed(from, parent_number);
    reader_.aligned = reader_.aligned || reader_.compiler.align_free;
    reader_.compiler = outside;
  }

  void read_placed(const Placed& from, int parent_number) {
    XmlNode& node = *from.node;
    Element element(node);
    const FileBody parent = reader_.bodies[parent_number];
    const int number = static_cast<int>(reader_.bodies.size());
    const Transform X_PB = from.X_BE * read_pose(element, reader_.compiler, faults_);
    FileBody body{element.name(), static_cast<int>(reader_.model.links.size()), parent.X_WB * X_PB};
    if (body.name.empty()) body.name = free_name("body" + std::to_string(number));
    if (!reader_.body_named.emplace(body.name, number).second) {
      faults_.add(node, "there are two bodies called \"" + body.name + "\"; each needs a name of its own");
    }
    const bool is_mocap = read_mocap(element, body.name);
    body.gravity_compensation = element.number(faults_, "gravcomp", 0);
    Content content;
    collect(node, class_inside(node, from.childclass), Transform::identity(), false, content);
    ImportedModel::Link link;
    link.name = body.name;
    link.line = node.line;
    link.joint = read_joints(content.joints, body, parent.link, X_PB, link.position, reader_);
    if (is_mocap) set_free(node, content, parent_number, link);
    if (!link.joint) link.X_WB = X_PB;
    reader_.bodies.push_back(body);
    reader_.link_nodes.push_back(&node);
    reader_.model.links.push_back(std::move(link));
    SpatialInertia inertia = read_inertia(content, body);
    // MuJoCo puts a centre of mass that nothing tells at the body's place in its parent, told in the body. Only
    // the least mass of all bodies lets this be seen.
    if (inertia.mass == 0 && !content.inertial) inertia.center = X_PB.p;
    // Its path moves it whatever it weighs, but no body weighs nothing.
    if (is_mocap && inertia.mass == 0) inertia = {1, Vec3::Zero(), Mat3::Identity()};
    reader_.model.links[body.link].inertia = bounded_inertia(inertia, reader_.compiler);
    read_sites(content, number);
    for (const Placed& child : content.bodies) read_body(child, number);
  }

  /// True if the body is to be moved along a path.
  bool read_mocap(Element& element, const std::string& name) {
    if (!element.flag(faults_, "mocap", false)) return false;
    reader_.model.mocap.push_back(name);
    if (reader_.options.mocap.contains(name)) return true;
    faults_.warn(element.node(), "body \"" + name +
                                     "\" is moved by motion capture: it stands still where the file puts it, unless a "
                                     "scene moves it along a path (mocap)");
    return false;
  }

  /// A body that is moved hangs on nothing. MuJoCo lets no other be.
  void set_free(const XmlNode& node, const Content& content, int parent_number, ImportedModel::Link& link) {
    if (parent_number != 0 || !content.joints.empty()) {
      faults_.add(node, "body \"" + link.name +
                            "\" has a joint or hangs on another body; motion capture moves bodies of the world that "
                            "have none");
    }
    link.joint.reset();
    link.is_mocap = true;
  }

  std::string free_name(std::string name) const {
    while (reader_.body_named.count(name) > 0) name += "_";
    return name;
  }

  SpatialInertia read_inertia(const Content& content, const FileBody& body) {
    const InertiaFromGeoms rule = reader_.compiler.inertia_from_geoms;
    const bool by_geoms =
        rule == InertiaFromGeoms::always || (rule == InertiaFromGeoms::if_missing && !content.inertial);
    SpatialInertia of_geoms = read_geoms(content, by_geoms, body);
    if (!content.inertial) return of_geoms;
    SpatialInertia said = read_inertial(*content.inertial, reader_);
    return by_geoms && of_geoms.mass > 0 ? of_geoms : said;
  }

  /// The sum of the geoms' inertias, if they count for the body's.
  SpatialInertia read_geoms(const Content& content, bool by_geoms, const FileBody& body) {
    SpatialInertia sum;
    for (const Placed& from : content.geoms) {
      const std::string* name = from.node->attribute("name");
      if (name && !reader_.geom_named.emplace(*name, -1).second) {
        faults_.add(*from.node, "there are two geoms called \"" + *name + "\"; each needs a name of its own");
      }
      const auto geom = read_geom(*from.node, from.childclass, from.X_BE, by_geoms, reader_);
      if (!geom) continue;
      if (geom->has_inertia) sum = sum.mass > 0 ? sum + geom->inertia : geom->inertia;
      if (geom->contype != 0 || geom->conaffinity != 0) add_collider(*geom, body);
      if (geom->visual) add_visual(*geom->visual, body);
    }
    return sum;
  }

  void add_collider(const Geom& geom, const FileBody& body) {
    if (!reader_.global.contacts) return;
    ImportedModel& model = reader_.model;
    const int number = static_cast<int>(model.colliders.size());
    if (!geom.name.empty()) reader_.geom_named[geom.name] = number;
    Collider collider;
    collider.name = geom.name.empty() ? "geom" + std::to_string(number) + " of " + body.name : geom.name;
    collider.body = body.link;
    collider.shape = geom.shape;
    collider.X_BS = geom.X_BG;
    collider.groups = static_cast<std::uint32_t>(geom.contype);
    collider.collides_with = static_cast<std::uint32_t>(geom.conaffinity);
    model.colliders.push_back(std::move(collider));
    model.collider_lines.push_back(geom.node->line);
    reader_.colliding.push_back(geom);
  }

  void add_visual(Visual visual, const FileBody& body) {
    if (visual.name.empty()) visual.name = body.name;
    visual.body = body.link;
    reader_.model.visuals.push_back(std::move(visual));
  }

  void read_sites(const Content& content, int body) {
    for (const Placed& from : content.sites) {
      Element element = reader_.defaults.element(*from.node, from.childclass, {"site"}, faults_);
      Transform X_EF = read_pose(element, reader_.compiler, faults_);
      if (const auto ends = element.numbers(faults_, "fromto", 6, 6)) {
        const Vec3 back = ends->head<3>() - ends->tail<3>();
        if (back.norm() > 1e-14) X_EF = {rotation_of_z(back), 0.5 * (ends->head<3>() + ends->tail<3>())};
      }
      const std::string name = element.name();
      if (name.empty()) continue;
      const FileSite site{body, from.X_BE * X_EF};
      if (!reader_.site_named.emplace(name, site).second) {
        faults_.add(*from.node, "there are two sites called \"" + name + "\"; each needs a name of its own");
      }
      reader_.model.frames.push_back({name, from.node->line, reader_.bodies[body].link, site.X_BF, {}});
    }
  }

  Reader& reader_;
  XmlFaults& faults_;
};

}  // namespace

void read_bodies(XmlNode& root, Reader& reader) {
  reader.bodies = {{"world", -1, Transform::identity()}};
  reader.body_named["world"] = 0;
  for (XmlNode* world : root.all("worldbody")) BodyReader(reader).read_world(*world);
}

int Reader::body_of(Element& element, const std::string& attribute) {
  const std::string* name = element.text(attribute);
  if (!name) return 0;
  const auto found = body_named.find(*name);
  if (found != body_named.end()) return found->second;
  faults.add(element.node(),
             "<" + element.node().name + "> names the body \"" + *name + "\", which the file does not have");
  return -1;
}

int Reader::joint_of(Element& element, const std::string& attribute) {
  const std::string* name = element.text(attribute);
  const auto found = name ? joint_named.find(*name) : joint_named.end();
  if (found != joint_named.end()) return found->second;
  faults.add(element.node(),
             name ? "<" + element.node().name + "> names the joint \"" + *name + "\", which the file does not have"
                  : "<" + element.node().name + "> has no " + attribute + "; it needs one");
  return -1;
}

}  // namespace carom::mjcf
