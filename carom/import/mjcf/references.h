#pragma once

#include <map>
#include <set>
#include <string>

#include "carom/import/xml_node.h"

// Names in an MJCF file, by the kind of element that bears them: body, joint, geom, site, tendon.
namespace carom::mjcf {

using Names = std::map<std::string, std::set<std::string>>;  // by kind

/// Kind of name that an attribute of an element in `<contact>`, `<equality>`, `<tendon>` or `<actuator>` holds; empty
/// if it holds none.
std::string kind_of_reference(const std::string& attribute);

/// The names of bodies, joints, geoms and sites below a node.
void collect_names(const XmlNode& node, Names& names);

/// True if an element or one below refers to one of the names.
bool refers_to(const XmlNode& node, const Names& names);

}  // namespace carom::mjcf
