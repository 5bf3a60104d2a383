#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace carom {

/// The manual page (section 1, man macros) of the program, where `command` is it, or of one of its commands: all from
/// the description of its command line. `version` and `date` stand in its margin.
std::string manual_page(const CLI::App& program, const CLI::App& command, const std::string& version,
                        const std::string& date);

/// "carom", or "carom-run" of a command.
std::string page_name(const CLI::App& program, const CLI::App& command);

}  // namespace carom
