#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

// The parts of the command line's description that help, manual pages and completion share. A command's description is
// its line in the list of commands; its footer is the text about it, with examples behind a line `Example`.
namespace carom {

/// Help in which a command's text stands first, and the list of commands has a line for each.
std::shared_ptr<CLI::FormatterBase> help_formatter();

/// Commands that the help lists, in its order.
std::vector<const CLI::App*> listed_commands(const CLI::App& app);
/// Options that the help lists, in its order, without positional ones.
std::vector<const CLI::Option*> listed_options(const CLI::App& command);
/// The words that stand behind a command, in order.
std::vector<const CLI::Option*> positional_options(const CLI::App& command);

/// "-h", "--help".
std::vector<std::string> option_names(const CLI::Option& option);
/// "FLOAT", "TEXT=exact ..."; empty for a flag.
std::string option_value(const CLI::Option& option);
/// The words of an option whose values are a few names; else none.
std::vector<std::string> offered_values(const CLI::Option& option);
/// A check that passes everything and offers these: what else is given is refused by the command, in words of its own.
CLI::Validator offer(const std::vector<std::string>& values);

}  // namespace carom
