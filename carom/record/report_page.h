#pragma once

#include <string_view>

namespace carom {

/// The page's script and style sheet, bundled from player/ when Carom is built (room.cmake).
std::string_view report_script();
std::string_view report_style();

}  // namespace carom
