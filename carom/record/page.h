#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace carom {

/// Writes one self-contained page: the content, a script of report_page.h that shows it, and the style sheet of
/// player/. Whatever texts the content holds, they are shown as texts. Throws Error if the file can't be written, or if
/// Carom was built without its player.
void write_page(const std::string& title, const nlohmann::ordered_json& content, std::string_view script,
                const std::string& path);

}  // namespace carom
