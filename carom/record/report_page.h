#pragma once

#include <string_view>

namespace carom {

// Scripts of pages and their style sheet, bundled from player/ when Carom is built (room.cmake).
std::string_view plots_script();  ///< facts, tables and plots: player/src/report.js
std::string_view runs_script();   ///< runs played in three dimensions: player/src/player.js
std::string_view report_style();

}  // namespace carom
