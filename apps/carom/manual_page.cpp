#include "manual_page.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "help_text.h"

namespace carom {
namespace {

/// A text as troff has it: no line of it is a request, and '-' stays what a reader can paste.
std::string escaped(const std::string& text) {
  std::string out;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    begins_line = c == '\n';
  }
  return out;
}

std::string capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

/// "Simulate a scene" as the NAME section has it.
std::string brief(const CLI::App& command) {
  std::string text = command.get_description();
  while (!text.empty() && text.back() == '.') text.pop_back();
  return text;
}

void add_option(std::ostream& page, const CLI::Option& option) {
  page << ".TP\n";
  bool first = true;
  for (const std::string& name : option_names(option)) {
    page << (first ? "" : ", ") << "\\fB" << escaped(name) << "\\fR";
    first = false;
  }
  const std::string value = option_value(option);
  if (!value.empty()) page << " \\fI" << escaped(value) << "\\fR";
  page << "\n" << escaped(option.get_description()) << "\n";
}

void add_synopsis(std::ostream& page, const CLI::App& program, const CLI::App& command) {
  page << ".SH SYNOPSIS\n.B " << escaped(program.get_name());
  if (&command == &program) {
    page << "\n\\fICOMMAND\\fR [\\fIOPTION\\fR ...]\n.br\n.B " << escaped(program.get_name())
         << "\n\\fICOMMAND\\fR \\fB"
         << "\\-\\-help\\fR\n";
    return;
  }
  page << " " << escaped(command.get_name()) << "\n[\\fIOPTION\\fR ...]";
  for (const CLI::Option* option : positional_options(command)) {
    const bool several = option->get_expected_max() == CLI::detail::expected_max_vector_size;
    const std::string word =
        "\\fI" + escaped(capitals(option->get_name(true, false))) + "\\fR" + (several ? " ..." : "");
    page << " " << (option->get_required() ? word : "[" + word + "]");
  }
  page << "\n";
}

/// A command's text without its examples, and these.
struct CommandText {
  std::string about, examples;
};
CommandText command_text(const CLI::App& command) {
  const std::string text = command.get_footer().empty() ? command.get_description() : command.get_footer();
  const std::string heading = "\n\nExample\n";
  const std::size_t at = text.find(heading);
  if (at == std::string::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + heading.size())};
}

void add_examples(std::ostream& page, const std::string& examples) {
  if (examples.empty()) return;
  page << ".SH EXAMPLES\n.nf\n" << escaped(examples) << "\n.fi\n";
}

void add_words_and_options(std::ostream& page, const CLI::App& command) {
  const auto positional = positional_options(command);
  if (!positional.empty()) page << ".SH ARGUMENTS\n";
  for (const CLI::Option* option : positional) {
    page << ".TP\n\\fI" << escaped(capitals(option->get_name(true, false))) << "\\fR\n"
         << escaped(option->get_description()) << "\n";
  }
  page << ".SH OPTIONS\n";
  for (const CLI::Option* option : listed_options(command)) add_option(page, *option);
}

void add_commands(std::ostream& page, const CLI::App& program) {
  page << ".SH COMMANDS\nEach has a page of its own.\n";
  for (const CLI::App* each : listed_commands(program)) {
    page << ".TP\n\\fB" << escaped(page_name(program, *each)) << "\\fR(1)\n"
         << escaped(each->get_description()) << "\n";
  }
}

void add_other_pages(std::ostream& page, const CLI::App& program, const CLI::App& command) {
  std::string others = &command == &program ? "" : "\\fB" + escaped(program.get_name()) + "\\fR(1)";
  for (const CLI::App* each : listed_commands(program)) {
    if (each == &command) continue;
    others += (others.empty() ? "" : ",\n") + ("\\fB" + escaped(page_name(program, *each))) + "\\fR(1)";
  }
  page << ".SH SEE ALSO\n" << others << "\n";
}

}  // namespace

std::string page_name(const CLI::App& program, const CLI::App& command) {
  return program.get_name() + (&command == &program ? "" : "-" + command.get_name());
}

std::string manual_page(const CLI::App& program, const CLI::App& command, const std::string& version,
                        const std::string& date) {
  const std::string name = page_name(program, command);
  const CommandText text = command_text(command);
  std::ostringstream page;
  page << ".TH " << escaped(capitals(name)) << " 1 \"" << date << "\" \"" << program.get_name() << " " << version
       << "\" \"Carom\"\n.ad l\n.SH NAME\n"
       << escaped(name) << " \\- " << escaped(brief(command)) << "\n";
  add_synopsis(page, program, command);
  page << ".SH DESCRIPTION\n" << escaped(text.about) << "\n";
  if (&command == &program) add_commands(page, program);
  add_words_and_options(page, command);
  page << ".SH EXIT STATUS\n0: done. 1: the run failed, or what was asked for is not so. 2: the input is wrong. "
          "Sentences on\n"
          "standard error say why.\n";
  add_examples(page, text.examples);
  add_other_pages(page, program, command);
  return page.str();
}

}  // namespace carom
