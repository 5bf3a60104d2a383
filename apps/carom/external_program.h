#pragma once

#include <string>
#include <vector>

// Programs that others wrote and that Carom asks for work on request.
namespace carom {

/// Path of the first of these names that is in PATH. Throws Error with a sentence that says which Debian package has
/// it, and that `option` needs it.
std::string need_program(const std::vector<std::string>& names, const std::string& package, const std::string& option);

/// The place of a program's standard error.
enum class Errors { nowhere, with_output };

/// Runs a program with its arguments, no shell in between; its standard output goes into a file. Returns its exit
/// status, −1 if it could not be started or was killed.
int run_program(const std::vector<std::string>& words, const std::string& output, Errors errors = Errors::nowhere);

}  // namespace carom
