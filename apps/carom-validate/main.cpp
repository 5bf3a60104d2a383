// carom-validate: the program behind `carom validate`, apart so that a user's command holds no papers.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>

#include "carom/error.h"
#include "carom/output_error.h"
#include "carom/version.h"
#include "help_text.h"
#include "standard_output.h"
#include "validate_command.h"

namespace {

int run_program(int argc, char** argv) {
  CLI::App app(carom::validate_line, "carom validate");
  app.formatter(carom::help_formatter());
  app.set_version_flag("--version", "carom " CAROM_VERSION);
  carom::ValidateOptions options;
  carom::describe_validate(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    return carom::validate_command(options);
  } catch (const carom::OutputError& error) {
    std::cerr << "carom: " << error.what() << "\n";
    return 1;
  } catch (const carom::Error& error) {
    std::cerr << "carom: " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    if (std::ferror(stdout) == 0) std::cerr << "carom: failed: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may grow no longer is a write that fails, which is told
  return carom::finish_standard_output(run_program(argc, argv));
}
