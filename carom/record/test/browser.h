#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace carom::test {

inline std::string read_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Elements of a page in a browser without a window, once the scripts have come to their end. `folder`
/// takes the browser's files. Chromium is among the packages that scripts/install.sh installs for the tests, so a
/// machine that lacks it fails here.
inline std::string elements_of(const std::string& page, const std::string& folder) {
  const std::string dom = folder + "/dom.html";
  const std::string command = "timeout 60 chromium --headless=new --no-sandbox --disable-gpu --user-data-dir='" +
                              folder + "/profile' --virtual-time-budget=3000 --dump-dom 'file://" + page +
                              "' 2>/dev/null >'" + dom + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << "chromium failed or is missing: scripts/install.sh test";
  return read_text(dom);
}

}  // namespace carom::test
