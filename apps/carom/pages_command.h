#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace carom {

/// carom pages, which the help does not list. It writes the manual pages and the completion for bash into a folder, as
/// man1/carom.1, man1/carom-run.1, … and bash-completion/carom.
int pages_command(const CLI::App& program, const std::string& folder);

}  // namespace carom
