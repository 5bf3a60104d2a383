#include "random_mjcf.h"

#include <array>
#include <cstdio>
#include <numbers>
#include <vector>

namespace carom::test {
namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g ", value);
  return text;
}

template <class Vector>
std::string numbers(const Vector& values) {
  std::string text;
  for (int i = 0; i < values.size(); ++i) text += number(values[i]);
  return text;
}

class Writer {
 public:
  Writer(Random& random, const MjcfOptions& options) : random_(random), options_(options) {
    degrees_ = random.index(2) == 0;
    for (char& letter : sequence_) letter = "xyzXYZ"[random.index(6)];
  }

  std::string write() {
    std::string text = "<mujoco><compiler autolimits=\"true\" angle=\"" + std::string(degrees_ ? "degree" : "radian") +
                       "\" eulerseq=\"" + sequence_ + "\"/><option gravity=\"" + numbers(random_.vector(10)) + "\"/>\n";
    text +=
        "<default><joint armature=\"0.3\"/><geom density=\"700\" contype=\"0\" conaffinity=\"0\"/><default "
        "class=\"slim\"><joint type=\"slide\" "
        "damping=\"0.4\"/><geom size=\"0.07 0.3\" type=\"capsule\"/><default class=\"wide\"><joint axis=\"1 2 3\" "
        "ref=\"0.2\"/><geom type=\"box\" size=\"0.1 0.2 0.15\"/></default></default></default>\n<worldbody>\n";
    while (written_ < options_.bodies) text += body(0);
    return text + "</worldbody></mujoco>\n";
  }

 private:
  double angle(double radians) const { return degrees_ ? radians * 180 / std::numbers::pi : radians; }
  std::string angle_text(double size) { return number(angle(random_.uniform(-size, size))); }

  std::string rotation() {
    switch (random_.index(6)) {
      case 0:
        return " quat=\"" + numbers(random_.vector(4, 1)) + "\"";
      case 1:
        return " axisangle=\"" + numbers(random_.vector(1)) + angle_text(3) + "\"";
      case 2:
        return " xyaxes=\"" + numbers(random_.vector(6, 1)) + "\"";
      case 3:
        return " zaxis=\"" + numbers(random_.vector(1)) + "\"";
      case 4:
        return " euler=\"" + angle_text(3) + angle_text(3) + angle_text(3) + "\"";
      default:
        return "";
    }
  }

  std::string pose() { return " pos=\"" + numbers(random_.vector(0.5)) + "\"" + rotation(); }

  std::string scalar_joint() {
    const bool is_hinge = random_.index(2) == 0;
    const double unit = is_hinge ? angle(1) : 1;
    std::string text = "<joint type=\"" + std::string(is_hinge ? "hinge" : "slide") + "\" axis=\"" +
                       numbers(random_.vector(1)) + "\" pos=\"" + numbers(random_.vector(0.5)) + "\"";
    if (random_.index(2) == 0) text += " ref=\"" + number(unit * random_.uniform(-1, 1)) + "\"";
    if (random_.index(2) == 0) {
      text += " stiffness=\"" + number(random_.uniform(0, 5)) + "\" springref=\"" +
              number(unit * random_.uniform(-1, 1)) + "\"";
    }
    if (random_.index(2) == 0) text += " damping=\"" + number(random_.uniform(0, 2)) + "\"";
    if (random_.index(2) == 0) text += " armature=\"" + number(random_.uniform(0, 2)) + "\"";
    if (random_.index(2) == 0) text += " range=\"" + number(-2 * unit) + number(unit * random_.uniform(-1, 2)) + "\"";
    return text + "/>";
  }

  /// Forces of a ball, and of a free joint, whose springs are slack where the file puts the body.
  std::string forces() {
    return " stiffness=\"" + number(random_.uniform(0, 5)) + "\" damping=\"" + number(random_.uniform(0, 2)) +
           "\" frictionloss=\"" + number(random_.uniform(0, 2)) + "\"";
  }

  std::string joints(int depth) {
    const int kind = random_.index(8);
    if (kind == 0 && depth > 0) return "";
    if (kind == 1) {
      const std::string armature = number(random_.index(2) * random_.uniform(0, 2));
      return "<joint type=\"ball\" armature=\"" + armature + "\" pos=\"" + numbers(random_.vector(0.5)) + "\"" +
             (random_.index(2) == 0 ? forces() : "") + "/>";
    }
    if (kind == 2 && depth == 0) {
      return random_.index(2) == 0 ? "<freejoint/>" : "<joint type=\"free\" armature=\"0\"" + forces() + "/>";
    }
    if (kind == 3) return "<joint class=\"slim\"/>";
    if (kind == 4) return "<joint class=\"wide\" type=\"hinge\" pos=\"0.1 0.2 0.3\"/>";
    std::string text;
    for (int count = 1 + random_.index(3); count > 0; --count) text += scalar_joint();
    return text;
  }

  std::string size(int count) {
    std::string text = " size=\"";
    while (count-- > 0) text += number(random_.uniform(0.1, 0.4));
    return text + "\"";
  }

  std::string geom() {
    const std::string ends = " fromto=\"" + numbers(random_.vector(6, 0.5)) + "\"";
    const std::string mass = random_.index(2) == 0 ? " mass=\"" + number(random_.uniform(0.5, 2)) + "\"" : "";
    switch (random_.index(9)) {
      case 0:
        return "<geom type=\"sphere\"" + size(1) + pose() + mass + "/>";
      case 1:
        return "<geom type=\"capsule\"" + size(2) + pose() + mass + "/>";
      case 2:
        return "<geom type=\"cylinder\"" + size(2) + pose() + mass + "/>";
      case 3:
        return "<geom type=\"box\"" + size(3) + pose() + mass + "/>";
      case 4:
        return "<geom type=\"ellipsoid\"" + size(3) + pose() + mass + "/>";
      case 5:
        return "<geom type=\"" + std::string(random_.index(2) == 0 ? "capsule" : "cylinder") + "\"" + size(1) + ends +
               mass + "/>";
      case 6:
        return "<geom type=\"" + std::string(random_.index(2) == 0 ? "box" : "ellipsoid") + "\"" + size(2) + ends +
               mass + "/>";
      case 7:
        return "<geom class=\"slim\"" + pose() + mass + "/>";
      default:
        return "<geom class=\"wide\"" + pose() + mass + "/>";
    }
  }

  std::string inertia() {
    if (!options_.geoms) {
      const Vec3 seconds = 0.1 * Vec3::Ones() + 0.5 * random_.vector(1).cwiseAbs();
      const Vec3 moments = seconds.sum() * Vec3::Ones() - seconds;
      return "<inertial mass=\"" + number(random_.uniform(0.5, 2)) + "\"" + pose() + " diaginertia=\"" +
             numbers(moments) + "\"/>";
    }
    std::string text = geom();
    for (int more = options_.composite ? random_.index(3) : 0; more > 0; --more) text += geom();
    return text;
  }

  std::string body(int depth) {
    std::string text = "<body name=\"b" + std::to_string(written_++) + "\"" + pose();
    if (random_.index(4) == 0) text += " childclass=\"wide\"";
    text += ">" + joints(depth) + inertia() + "\n";
    while (written_ < options_.bodies && depth < 6 && random_.index(3) > 0) text += body(depth + 1);
    return text + "</body>\n";
  }

  Random& random_;
  const MjcfOptions& options_;
  bool degrees_ = true;
  std::string sequence_ = "xyz";
  int written_ = 0;
};

}  // namespace

std::string random_mjcf(Random& random, const MjcfOptions& options) { return Writer(random, options).write(); }

}  // namespace carom::test
