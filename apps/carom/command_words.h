#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace carom {

/// The words after the program's name, with `help X` as `X --help`, and `help` or nothing as `--help`.
std::vector<std::string> asking_for_help(std::vector<std::string> words);

/// The fault of the first word, as a sentence that says what is meant. The word may be no command, or an option that
/// only commands have. Empty if there is no fault.
std::string command_fault(const CLI::App& app, const std::vector<std::string>& words);

/// The fault of an option that the command does not have, with the one that is meant; empty if the parser stopped
/// for another reason.
std::string option_fault(const CLI::App& app);

}  // namespace carom
