#include "carom/import/sdf_frames.h"

#include <map>
#include <sdf/Collision.hh>
#include <sdf/Console.hh>
#include <sdf/Element.hh>
#include <sdf/Exception.hh>
#include <sdf/Frame.hh>
#include <sdf/Joint.hh>
#include <sdf/JointAxis.hh>
#include <sdf/Link.hh>
#include <sdf/Model.hh>
#include <sdf/ParserConfig.hh>
#include <sdf/Root.hh>
#include <sdf/World.hh>

namespace carom {
namespace {

Vec3 vector(const ignition::math::Vector3d& v) { return {v.X(), v.Y(), v.Z()}; }

Transform transform(const ignition::math::Pose3d& pose) {
  const auto& q = pose.Rot();
  return {Quaternion(q.W(), q.X(), q.Y(), q.Z()).normalized().toRotationMatrix(), vector(pose.Pos())};
}

/// The place of a name that something refers to; null if there is none.
XmlNode* find_reference(XmlNode& node, const std::string& name) {
  const bool by_text = node.name == "parent" || node.name == "child" || node.name == "placement_frame";
  if (by_text && node.text == name) return &node;
  for (const XmlNode::Attribute& a : node.attributes) {
    if (a.name != "name" && a.value == name && a.read) return &node;
  }
  for (XmlNode& child : node.children) {
    if (XmlNode* found = find_reference(child, name)) return found;
  }
  return nullptr;
}

XmlNode* find_name(XmlNode& node, const std::string& name) {
  for (const XmlNode::Attribute& a : node.attributes) {
    if (a.name == "name" && a.value == name && node.was_read()) return &node;
  }
  for (XmlNode& child : node.children) {
    if (XmlNode* found = find_name(child, name)) return found;
  }
  return nullptr;
}

/// libsdformat tells most faults of frames without a line, with the names they are about in brackets.
SdfPlace place_of_names(SdfSource& source, const std::string& message) {
  for (auto* const find : {find_reference, find_name}) {
    for (std::size_t from = message.find('['); from != std::string::npos; from = message.find('[', from + 1)) {
      std::string name = message.substr(from + 1, message.find(']', from) - from - 1);
      if (const std::size_t scope = name.rfind("::"); scope != std::string::npos) name.erase(0, scope + 2);
      for (SdfFile& file : source.files) {
        if (XmlNode* node = find(file.root, name)) return {&file, node};
      }
    }
  }
  return {&source.files.front(), &source.files.front().root};
}

void add_faults(SdfSource& source, const sdf::Errors& errors) {
  for (const sdf::Error& error : errors) {
    const bool placed = error.LineNumber().has_value() && error.FilePath().has_value();
    const SdfPlace place =
        placed ? source.place(*error.FilePath(), *error.LineNumber()) : place_of_names(source, error.Message());
    place.fault(error.Message());
    // One mistake in the frames brings up several more sentences about the same.
    return;
  }
}

class Walk {
 public:
  Walk(SdfSource& source, SdfTree& tree) : source_(source), tree_(tree) {}

  void world(const sdf::World& world) {
    tree_.name = world.Name();
    tree_.world = place(world.Element());
    alone_ = world.ModelCount() == 1;
    for (std::uint64_t i = 0; i < world.ModelCount(); ++i) model(*world.ModelByIndex(i), {}, "", -1, false);
    for (std::uint64_t i = 0; i < world.FrameCount(); ++i) frame(*world.FrameByIndex(i), {}, "");
    join();
  }
  void model(const sdf::Model& model) {
    tree_.name = model.Name();
    alone_ = true;
    const SdfPlace at = place(model.Element());
    if (at.node->name == "world") {
      joined_world(model, at);
    } else {
      this->model(model, {}, "", -1, false);
    }
    join();
  }

 private:
  /// A model's part that can only be resolved when all links are known.
  struct Scope {
    const sdf::Model* model;
    Transform X_WM;
    std::string path;
    int number;
  };

  /// A world that the extract gives as a model: its models are the outermost ones all the same.
  void joined_world(const sdf::Model& world, const SdfPlace& at) {
    tree_.world = at;
    joined_ = &world;
    const std::string path = world.Name() + "::";
    tree_.models.push_back({at, world.Name(), 0, false});
    scopes_.push_back({&world, {}, path, 0});
    for (std::uint64_t i = 0; i < world.ModelCount(); ++i) model(*world.ModelByIndex(i), {}, path, -1, false);
  }

  SdfPlace place(const sdf::ElementPtr& element) {
    return source_.place(element->FilePath(), element->LineNumber().value_or(0));
  }
  void check(const sdf::Errors& errors) { add_faults(source_, errors); }

  template <class Part>
  Transform resolved(const Part& part, const std::string& to) {
    ignition::math::Pose3d pose;
    check(part.SemanticPose().Resolve(pose, to));
    return transform(pose);
  }

  void model(const sdf::Model& model, const Transform& X_WP, const std::string& outer, int outermost, bool is_static) {
    const std::string path = outer + model.Name() + "::";
    const Transform X_WM = X_WP * resolved(model, "");
    const int number = static_cast<int>(tree_.models.size());
    if (outermost < 0) outermost = number;
    is_static = is_static || model.Static();  // what nests in a model that does not move does not, either
    tree_.models.push_back({place(model.Element()), path.substr(0, path.size() - 2), outermost, is_static});
    scopes_.push_back({&model, X_WM, path, number});
    for (std::uint64_t i = 0; i < model.LinkCount(); ++i) link(*model.LinkByIndex(i), scopes_.back());
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i) {
      this->model(*model.ModelByIndex(i), X_WM, path, outermost, is_static);
    }
  }

  void link(const sdf::Link& link, const Scope& scope) {
    SdfLink added{
        place(link.Element()), shown(scope.path + link.Name()), scope.number, scope.X_WM * resolved(link, ""), {}};
    for (std::uint64_t i = 0; i < link.CollisionCount(); ++i) {
      const sdf::Collision& collision = *link.CollisionByIndex(i);
      added.collisions.push_back({place(collision.Element()), collision.Name(), resolved(collision, link.Name())});
    }
    numbers_[scope.path + link.Name()] = static_cast<int>(tree_.links.size());
    tree_.links.push_back(std::move(added));
  }

  void join() {
    for (const Scope& scope : scopes_) {
      const sdf::Model& model = *scope.model;
      for (std::uint64_t i = 0; i < model.JointCount(); ++i) joint(*model.JointByIndex(i), scope);
      for (std::uint64_t i = 0; i < model.FrameCount(); ++i)
        frame(*model.FrameByIndex(i), scope.X_WM, scope.path, scope.model == joined_);
    }
  }

  void joint(const sdf::Joint& joint, const Scope& scope) {
    SdfJoint added;
    added.place = place(joint.Element());
    added.name = shown(scope.path + joint.Name());
    added.model = scope.number;
    std::string parent, child;
    check(joint.ResolveParentLink(parent));
    check(joint.ResolveChildLink(child));
    const bool on_world = scope.model == joined_ && stands(joint.ParentLinkName());
    added.parent = on_world ? -1 : number(scope.path, parent);
    added.child = number(scope.path, child);
    added.X_WJ = scope.X_WM * resolved(joint, "__model__");
    for (unsigned i = 0; i < 2; ++i) {
      added.axis[i].setZero();
      if (!joint.Axis(i)) continue;
      ignition::math::Vector3d axis;
      check(joint.Axis(i)->ResolveXyz(axis, joint.Name()));
      added.axis[i] = vector(axis).normalized();
    }
    tree_.joints.push_back(std::move(added));
  }

  /// True if a frame of the joined world is attached to the world: as a model's it would be to the model's first link.
  bool stands(std::string name) const {
    while (const sdf::Frame* frame = joined_->FrameByName(name)) {
      name = frame->AttachedTo();
      if (name.empty() || name == "__model__") return true;
    }
    return false;
  }

  void frame(const sdf::Frame& frame, const Transform& X_WM, const std::string& path, bool of_joined_world = false) {
    std::string body;
    check(frame.ResolveAttachedToBody(body));
    const Transform X = resolved(frame, path.empty() ? "world" : "__model__");
    tree_.frames.push_back({place(frame.Element()), shown(path + frame.Name()),
                            of_joined_world && stands(frame.Name()) ? -1 : number(path, body), X_WM * X});
  }

  /// −1 for the world, and for a static model, whose frames are attached to no link.
  int number(const std::string& path, const std::string& link) const {
    const auto found = numbers_.find(path + link);
    return found == numbers_.end() ? -1 : found->second;
  }
  std::string shown(const std::string& path) const {
    return alone_ && path.find("::") != std::string::npos ? path.substr(path.find("::") + 2) : path;
  }

  SdfSource& source_;
  SdfTree& tree_;
  bool alone_ = false;                  // one outermost model
  const sdf::Model* joined_ = nullptr;  // a world that the extract gives as a model
  std::vector<Scope> scopes_;
  std::map<std::string, int> numbers_;  // of links by their full names
};

bool check_count(SdfSource& source) {
  XmlNode& root = source.files.front().root;
  int worlds = 0, models = 0;
  for (XmlNode& child : root.children) {
    const bool world = child.name == "world", model = child.name == "model";
    worlds += world;
    models += model;
    if ((world || model) && worlds + models > 1) {
      source.files.front().faults.add(child,
                                      "this is the file's second world or model; keep one of them, or put the "
                                      "models into one world");
      return false;
    }
  }
  if (worlds + models == 1) return true;
  source.files.front().faults.add(root, "there is neither a model nor a world in this file; it needs one of them");
  return false;
}

/// libsdformat fails its own assertions for some names of files before 1.8, where "::" made scopes.
void add_tangled(SdfSource& source) {
  source.files.front().faults.add(source.files.front().root,
                                  "libsdformat makes no sense of the names and frames of this file; look for a \"::\" "
                                  "in a name, or for a frame of another model");
}

}  // namespace

SdfTree resolve_frames(SdfSource& source) {
  SdfTree tree;
  if (!check_count(source)) return tree;
  sdf::Console::Instance()->SetQuiet(true);
  sdf::ParserConfig config;
  config.SetUnrecognizedElementsPolicy(sdf::EnforcementPolicy::LOG);
  config.SetDeprecatedElementsPolicy(sdf::EnforcementPolicy::LOG);
  try {
    sdf::Root root;
    const sdf::Errors errors = root.LoadSdfString(source.files.front().extract, config);
    add_faults(source, errors);
    if (!errors.empty()) return tree;
    Walk walk(source, tree);
    if (root.WorldCount() > 0) {
      walk.world(*root.WorldByIndex(0));
    } else if (root.Model()) {
      walk.model(*root.Model());
    }
  } catch (const sdf::Exception&) {
    add_tangled(source);
  } catch (const std::exception&) {
    add_tangled(source);
  }
  return tree;
}

std::string scope_of(const std::string& name) {
  const std::size_t end = name.rfind("::");
  return end == std::string::npos ? "" : name.substr(0, end + 2);
}

std::optional<Transform> frame_of_pose(const SdfTree& tree, const SdfLink& link, const SdfPlace& part) {
  const SdfPlace pose = peek(part, "pose");
  const std::string* named = pose.node ? pose.node->attribute("relative_to") : nullptr;
  if (!named || named->empty()) return Transform();
  const std::string& model = tree.models[static_cast<std::size_t>(link.model)].name;
  const std::string full = scope_of(link.name) + *named;
  for (const SdfLink& other : tree.links) {
    if (other.name == full) return link.X_WB.inverse() * other.X_WB;
  }
  for (const SdfJoint& joint : tree.joints) {
    if (joint.name == full) return link.X_WB.inverse() * joint.X_WJ;
  }
  for (const SdfFrame& frame : tree.frames) {
    if (frame.name == full) return link.X_WB.inverse() * frame.X_WF;
  }
  pose.fault("its pose is relative to \"" + *named + "\", no link, joint or frame of model \"" + model + "\"");
  return {};
}

}  // namespace carom
