// carom-validate: the program behind `carom validate`, apart so that a user's command holds no papers.
#include <CLI/CLI.hpp>
#include <csignal>

#include "carom/version.h"
#include "help_text.h"
#include "standard_output.h"
#include "told_faults.h"
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
  return carom::telling_faults_of([&] { return carom::validate_command(options); });
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may grow no longer is a write that fails, which is told
  return carom::finish_standard_output(run_program(argc, argv));
}
