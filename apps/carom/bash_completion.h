#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace carom {

/// A script by which bash completes the program's commands, their options, and values that are a few names; else names
/// of files. All from the description of its command line.
std::string bash_completion(const CLI::App& program);

}  // namespace carom
