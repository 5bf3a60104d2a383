#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "carom/import/sdformat.h"

// Pieces of SDFormat files, and what is read of them, for the tests of SDFormat.
namespace carom::test {

inline constexpr double exact = 1e-14;
inline const std::string inertial =
    "<inertial><mass>2</mass><inertia><ixx>3</ixx><iyy>4</iyy><izz>5</izz></inertia></inertial>";

inline std::string link(const std::string& name, const std::string& inside = "") {
  return "<link name='" + name + "'>" + inertial + inside + "</link>";
}

inline ImportedModel model(const std::string& inside, const std::string& version = "1.9") {
  return parse_sdformat("<sdf version='" + version + "'><model name='m'>" + inside + "</model></sdf>", "text.sdf");
}

inline ImportedModel world(const std::string& inside) {
  return parse_sdformat("<sdf version='1.9'><world name='w'>" + inside + "</world></sdf>", "text.sdf");
}

inline std::string faults_of(const std::string& inside) {
  try {
    static_cast<void>(model(inside));
  } catch (const ImportError& error) {
    return error.what();
  }
  return "";
}

inline std::string joint(const std::string& type, const std::string& inside, const std::string& parent = "a",
                         const std::string& child = "b", const std::string& name = "j") {
  return "<joint name='" + name + "' type='" + type + "'><parent>" + parent + "</parent><child>" + child + "</child>" +
         inside + "</joint>";
}

inline std::string axis(const std::string& xyz, const std::string& rest = "") {
  return "<axis><xyz>" + xyz + "</xyz>" + rest + "</axis>";
}

inline std::string ball_shape(const std::string& name, const std::string& surface = "") {
  return "<collision name='" + name + "'><geometry><sphere><radius>0.1</radius></sphere></geometry>" + surface +
         "</collision>";
}

inline bool lists(const ImportedModel& read, int line, const std::string& text) {
  return std::any_of(read.unused.begin(), read.unused.end(),
                     [&](const ImportNote& note) { return note.line == line && note.text == text; });
}

inline void expect_near(const Transform& a, const Transform& b, double tolerance = exact) {
  EXPECT_LE((a.R - b.R).norm(), tolerance);
  EXPECT_LE((a.p - b.p).norm(), tolerance);
}

/// Bodies as the joints at zero put them.
inline Transform at_rest(const ImportedModel& read, int i) {
  const ImportedModel::Link& link = read.links[i];
  if (!link.joint) return link.X_WB;
  const Transform X_WP = link.joint->parent < 0 ? Transform() : at_rest(read, link.joint->parent);
  return X_WP * link.joint->X_PF * link.joint->X_BM.inverse();
}

}  // namespace carom::test
