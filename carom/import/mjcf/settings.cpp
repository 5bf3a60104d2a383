#include "carom/import/mjcf/settings.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom::mjcf {
namespace {

/// A later <compiler> or <option> overrules an earlier one, attribute by attribute: the last is the element, the others
/// are what stands behind it.
Element last_of(XmlNode& root, const std::string& tag, XmlNode& none) {
  std::vector<XmlNode*> all = root.all(tag);
  if (all.empty()) return Element(none);
  std::reverse(all.begin(), all.end());
  return Element(*all.front(), {all.begin() + 1, all.end()});
}

bool is_enabled(Element& flags, const char* name, XmlFaults& faults) {
  return flags.choice(faults, name, {"enable", "disable"}, "enable") == "enable";
}

void refuse_if(bool said, const Element& element, const char* sentence, XmlFaults& faults) {
  if (said) faults.add(element.node(), sentence);
}

Mat3 turn(char axis, double angle) {
  const Vec3 unit = Vec3::Unit(axis == 'x' ? 0 : axis == 'y' ? 1 : 2);
  return Eigen::AngleAxisd(angle, unit).toRotationMatrix();
}

Mat3 rotation_of_euler(const Vec3& angles, const Compiler& compiler) {
  Mat3 R = Mat3::Identity();
  for (int i = 0; i < 3; ++i) {
    const char letter = compiler.euler_sequence[i];
    const bool turns_along = letter >= 'x';
    const Mat3 next = turn(turns_along ? letter : static_cast<char>(letter - 'X' + 'x'), compiler.angle(angles[i]));
    R = turns_along ? Mat3(R * next) : Mat3(next * R);
  }
  return R;
}

Mat3 rotation_of_axes(Element& element, const VectorX& given, XmlFaults& faults) {
  const Vec3 along = given.head<3>(), beside = given.tail<3>();
  const Vec3 normal = along.cross(beside);
  if (!(normal.norm() > 1e-12 * along.norm() * beside.norm())) {
    faults.add(element.node(), "the two axes in xyaxes of <" + element.node().name + "> must not be zero or parallel");
    return Mat3::Identity();
  }
  Mat3 R;
  R.col(0) = along.normalized();
  R.col(2) = normal.normalized();
  R.col(1) = R.col(2).cross(R.col(0));
  return R;
}

Mat3 rotation_of_axis_angle(Element& element, const VectorX& given, const Compiler& compiler, XmlFaults& faults) {
  const Vec3 axis = given.head<3>();
  if (!(axis.norm() > 0)) {
    faults.add(element.node(), "the axis in axisangle of <" + element.node().name + "> must not be zero");
    return Mat3::Identity();
  }
  return Eigen::AngleAxisd(compiler.angle(given[3]), axis.normalized()).toRotationMatrix();
}

/// The one attribute that tells the rotation; empty if none does. MuJoCo lets the other four overrule quat.
std::string rotation_attribute(Element& element, XmlFaults& faults) {
  std::string found;
  for (const char* key : {"axisangle", "xyaxes", "zaxis", "euler", "quat"}) {
    const int level = element.level(key);
    if (level < 0) continue;
    if (found.empty()) {
      found = key;
      continue;
    }
    const bool quat_behind = key == std::string("quat") && element.level(found) < level;
    if (quat_behind) continue;
    faults.add(element.node(), "<" + element.node().name + "> has both " + found + " and " + key +
                                   (level == 0 && element.level(found) == 0 ? "" : ", one of them by its class") +
                                   "; say the rotation once");
  }
  return found;
}

}  // namespace

double Compiler::angle(double value) const { return degrees ? value * std::numbers::pi / 180 : value; }

Compiler read_compiler(XmlNode& root, XmlFaults& faults) {
  XmlNode none;
  Element element = last_of(root, "compiler", none);
  Compiler compiler;
  compiler.degrees = element.choice(faults, "angle", {"degree", "radian"}, "degree") == "degree";
  refuse_if(element.choice(faults, "coordinate", {"local", "global"}, "local") == "global", element,
            "coordinate is \"global\", which MuJoCo itself no longer reads; give poses relative to the parent", faults);
  if (const std::string* sequence = element.text("eulerseq")) {
    const bool sound = sequence->size() == 3 && sequence->find_first_not_of("xyzXYZ") == std::string::npos;
    refuse_if(!sound, element, "eulerseq must be three letters of x, y, z, X, Y and Z, for example \"xyz\"", faults);
    if (sound) compiler.euler_sequence = *sequence;
  }
  compiler.autolimits = element.flag(faults, "autolimits", true);
  const std::string from = element.choice(faults, "inertiafromgeom", {"true", "false", "auto"}, "auto");
  if (from == "true") compiler.inertia_from_geoms = InertiaFromGeoms::always;
  if (from == "false") compiler.inertia_from_geoms = InertiaFromGeoms::never;
  if (const auto groups = element.numbers(faults, "inertiagrouprange", 2, 2)) {
    const VectorX range = groups->cwiseMax(-1e6).cwiseMin(1e6);
    compiler.least_group = static_cast<int>(std::ceil(range[0]));
    compiler.greatest_group = static_cast<int>(std::floor(range[1]));
  }
  compiler.least_mass = element.number(faults, "boundmass", 0);
  compiler.least_inertia = element.number(faults, "boundinertia", 0);
  refuse_if(compiler.least_mass < 0 || compiler.least_inertia < 0, element,
            "boundmass and boundinertia must not be negative", faults);
  compiler.balance_inertia = element.flag(faults, "balanceinertia", false);
  compiler.total_mass = element.number(faults, "settotalmass", -1);
  refuse_if(element.flag(faults, "fitaabb", false), element,
            "fitaabb is \"true\", but shapes are not fitted to meshes here; give the shapes' sizes", faults);
  compiler.align_free = element.flag(faults, "alignfree", false);
  element.flag(faults, "discardvisual", false);  // changes nothing: such geoms never collide, and count for inertia
  if (const std::string* folder = element.text("assetdir")) compiler.mesh_folder = *folder;
  if (const std::string* folder = element.text("meshdir")) compiler.mesh_folder = *folder;
  compiler.strip_path = element.flag(faults, "strippath", false);
  return compiler;
}

Options read_options(XmlNode& root, XmlFaults& faults) {
  XmlNode none, no_flag;
  Element element = last_of(root, "option", none);
  Options options;
  options.gravity = element.vector(faults, "gravity", options.gravity);
  const double density = element.number(faults, "density", 0), viscosity = element.number(faults, "viscosity", 0);
  if (density > 0 || viscosity > 0) options.fluid = &element.node();
  if (element.level("wind") >= 0) element.numbers(faults, "wind", 3, 3);  // of the fluid alone
  const std::string collision = element.choice(faults, "collision", {"all", "predefined", "dynamic"}, "all");
  std::vector<XmlNode*> flags;
  for (XmlNode* option : root.all("option")) {
    for (XmlNode* flag : option->all("flag")) flags.insert(flags.begin(), flag);
  }
  Element flag = flags.empty() ? Element(no_flag) : Element(*flags.front(), {flags.begin() + 1, flags.end()});
  const bool constraint = is_enabled(flag, "constraint", faults);
  options.contacts = is_enabled(flag, "contact", faults) && constraint && collision != "predefined";
  options.limits = is_enabled(flag, "limit", faults) && constraint;
  options.dry_friction = is_enabled(flag, "frictionloss", faults) && constraint;
  options.equalities = is_enabled(flag, "equality", faults) && constraint;
  const bool passive = is_enabled(flag, "passive", faults);  // both of the next, before they were two
  options.springs = is_enabled(flag, "spring", faults) && passive;
  options.dampers = is_enabled(flag, "damper", faults) && passive;
  options.actuation = is_enabled(flag, "actuation", faults);
  options.clamps_controls = is_enabled(flag, "clampctrl", faults);
  options.parents_collide = !is_enabled(flag, "filterparent", faults);
  if (!is_enabled(flag, "gravity", faults)) options.gravity.setZero();
  const bool overrides = flag.choice(faults, "override", {"enable", "disable"}, "disable") == "enable";
  refuse_if(overrides && element.has("o_friction"), element,
            "o_friction takes the place of every contact's friction; give it to the geoms, by their default class",
            faults);
  if (const auto groups = element.numbers(faults, "actuatorgroupdisable", 0, 31)) {
    for (const double group : *groups) {
      refuse_if(group < 0 || group > 30 || group != std::floor(group), element,
                "actuatorgroupdisable must be whole numbers from 0 to 30", faults);
      options.idle_groups.insert(static_cast<int>(std::clamp(group, -1.0, 31.0)));
    }
  }
  return options;
}

Mat3 rotation_of_z(const Vec3& direction) {
  // Every axis in the plane would do for the direction −z; MuJoCo takes x.
  const Vec3 n = direction.normalized();
  const Vec3 axis = Vec3::UnitZ().cross(n);
  const double sine = axis.norm();
  if (sine < 1e-10) return n.z() > 0 ? Mat3::Identity() : turn('x', std::numbers::pi);
  return Eigen::AngleAxisd(std::atan2(sine, n.z()), axis / sine).toRotationMatrix();
}

Mat3 rotation_of_quaternion(const XmlNode& at, const VectorX& wxyz, XmlFaults& faults) {
  if (!(wxyz.norm() > 1e-10)) {
    faults.add(at, "a quaternion of <" + at.name + "> is zero; it must have a length, as 1 0 0 0 has");
    return Mat3::Identity();
  }
  return Quaternion(wxyz[0], wxyz[1], wxyz[2], wxyz[3]).normalized().toRotationMatrix();
}

Mat3 read_rotation(Element& element, const Compiler& compiler, XmlFaults& faults) {
  const std::string key = rotation_attribute(element, faults);
  if (key.empty()) return Mat3::Identity();
  const int count = key == "xyaxes" ? 6 : key == "quat" || key == "axisangle" ? 4 : 3;
  const auto given = element.numbers(faults, key, count, count);
  if (!given) return Mat3::Identity();
  if (key == "quat") return rotation_of_quaternion(element.node(), *given, faults);
  if (key == "axisangle") return rotation_of_axis_angle(element, *given, compiler, faults);
  if (key == "xyaxes") return rotation_of_axes(element, *given, faults);
  if (key == "euler") return rotation_of_euler(*given, compiler);
  if (given->norm() > 1e-10) return rotation_of_z(*given);
  faults.add(element.node(), "zaxis of <" + element.node().name + "> must not be zero");
  return Mat3::Identity();
}

Transform read_pose(Element& element, const Compiler& compiler, XmlFaults& faults) {
  return {read_rotation(element, compiler, faults), element.vector(faults, "pos", Vec3::Zero())};
}

bool is_limited(Element& element, const std::string& limited, const std::string& range, const Compiler& compiler,
                XmlFaults& faults) {
  const std::string said = element.choice(faults, limited, {"true", "false", "auto"}, "auto");
  if (said != "auto") return said == "true";
  if (element.level(range) < 0) return false;
  if (compiler.autolimits) return true;
  faults.add(element.node(), "<" + element.node().name + "> has " + range + " but no " + limited +
                                 ", and autolimits is \"false\"; say " + limited + "=\"true\" or \"false\"");
  return false;
}

}  // namespace carom::mjcf
