#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace carom {

/// Writes one self-contained page: the script and the style sheet of player/, and the content that player/src/report.js
/// shows. Whatever texts the content holds, they are shown as texts. Throws Error if the file can't be written.
void write_page(const std::string& title, const nlohmann::ordered_json& content, const std::string& path);

}  // namespace carom
