#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace carom {

/// The manual page (section 1, man macros) of the program if `command` is the program, else of that command. It is made
/// from the description of the command line alone. `version` and `date` stand in its margin.
std::string manual_page(const CLI::App& program, const CLI::App& command, const std::string& version,
                        const std::string& date);

/// "carom", or "carom-run" of a command.
std::string page_name(const CLI::App& program, const CLI::App& command);

}  // namespace carom
