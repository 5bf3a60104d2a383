#include "carom/import/sdf_state.h"

namespace carom {
namespace {

XmlNode* child_named(XmlNode& node, const std::string& name) {
  for (XmlNode& child : node.children) {
    const std::string* own = nullptr;
    if (child.name == "model") own = child.attribute("name");
    if (child.name == "include" && child.first("name")) own = &child.first("name")->text;
    if (own && *own == name) return &child;
  }
  return nullptr;
}

}  // namespace

void apply_state(SdfFile& file, XmlNode& world) {
  XmlNode* state = world.first("state");
  if (!state) return;
  bool moved = false;
  for (const char* change : {"insertions", "deletions"}) {
    const XmlNode* found = state->first(change);
    if (!found) continue;
    file.faults.add(*found, "<" + std::string(change) +
                                "> in <state> changes which models there are, which is not "
                                "understood; write the world out, or remove it");
  }
  for (XmlNode* saved : state->all("model")) {
    const std::string* name = saved->attribute("name");
    XmlNode* pose = saved->first("pose");
    const XmlNode* scale = saved->first("scale");
    if (scale && scale->text != "1 1 1") {
      file.faults.add(*scale, "<scale> in <state> is not understood; give the shapes their sizes");
    }
    XmlNode* model = name ? child_named(world, *name) : nullptr;
    if (name && !model) {
      file.faults.warn(*saved, "<state> has a place for a model \"" + *name +
                                   "\", but the world names no such model or <include>; nothing is moved");
    }
    if (!pose || !model) continue;
    moved = true;
    std::erase_if(model->children,
                  [](const XmlNode& child) { return child.name == "pose" || child.name == "placement_frame"; });
    std::erase_if(model->attributes, [](const XmlNode::Attribute& a) { return a.name == "placement_frame"; });
    model->children.push_back(*pose);
  }
  if (moved) {
    file.faults.warn(*state,
                     "<state> puts the models of this world where they stood when it was saved; the joints "
                     "within them start where the models have them, at rest");
  }
  state->ignore();
}

}  // namespace carom
