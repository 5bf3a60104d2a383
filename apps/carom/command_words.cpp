#include "command_words.h"

#include <algorithm>
#include <array>

#include "carom/scene/diagnostics.h"
#include "help_text.h"

namespace carom {
namespace {

/// Names of our options in other programs, or in our own scene files.
struct OptionWord {
  const char* foreign;
  const char* own;
};
constexpr std::array option_words = {
    OptionWord{"duration", "until"},
    OptionWord{"time", "until"},
    OptionWord{"end", "until"},
    OptionWord{"tend", "until"},
    OptionWord{"dt", "step"},
    OptionWord{"timestep", "step"},
    OptionWord{"time-step", "step"},
    OptionWord{"step-size", "step"},
    OptionWord{"output", "out"},
    OptionWord{"file", "out"},
    OptionWord{"method", "stepper"},
    OptionWord{"method", "methods"},
    OptionWord{"solver", "stepper"},
    OptionWord{"solver", "method"},
    OptionWord{"integrator", "stepper"},
    OptionWord{"height", "drop"},
    OptionWord{"mu", "friction"},
    OptionWord{"param", "set"},
    OptionWord{"parameter", "set"},
    OptionWord{"key", "keyframe"},
    OptionWord{"fixed-base", "fixed"},
    OptionWord{"package", "search-path"},
    OptionWord{"continue", "resume"},
    OptionWord{"restart", "resume"},
    OptionWord{"tol", "tolerance"},
    OptionWord{"browser", "open"},
    OptionWord{"video", "mp4"},
    OptionWord{"image", "png"},
};

std::string meant_option(const std::string& word, const std::vector<std::string>& known) {
  for (const OptionWord& pair : option_words) {
    if (word == pair.foreign && std::find(known.begin(), known.end(), pair.own) != known.end()) return pair.own;
  }
  return nearest(word, known);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : listed_commands(app)) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> long_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options(nullptr)) {
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

/// The name in --NAME or --NAME=VALUE; empty if it is none.
std::string option_name(const std::string& word) {
  return word.starts_with("--") ? word.substr(2, word.find('=') - 2) : std::string();
}

/// The word that stands first behind a command, in capitals: SCENE.
std::string first_argument(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options(nullptr)) {
    if (!option->get_positional()) continue;
    std::string name = option->get_single_name();
    for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return name;
  }
  return {};
}

/// The fault of words that begin with an option that is not the program's own. That option belongs behind a
/// command: one that is among the words, else the first of ours that knows it.
std::string option_before_command(const CLI::App& app, const std::vector<std::string>& words) {
  const std::string name = option_name(words[0]);
  const std::vector<std::string> own = long_names(app), commands = command_names(app);
  if (words[0] == "-h" || std::find(own.begin(), own.end(), name) != own.end()) return {};
  const auto named = std::find_first_of(words.begin(), words.end(), commands.begin(), commands.end());
  for (const CLI::App* command : listed_commands(app)) {
    if (named != words.end() && command->get_name() != *named) continue;
    const std::string meant = name.empty() ? "" : meant_option(name, long_names(*command));
    if (meant.empty()) continue;
    const std::string::size_type sign = words[0].find('=');
    const bool has_value = sign != std::string::npos || (words.size() > 1 && named != words.begin() + 1);
    const std::string value = !has_value ? "" : sign != std::string::npos ? words[0].substr(sign) : " " + words[1];
    return "options follow a command: carom " + command->get_name() + " " + first_argument(*command) + " --" + meant +
           value;
  }
  return "options follow a command, and none has " + in_quotes(words[0]) + "; carom --help lists the commands";
}

}  // namespace

std::vector<std::string> asking_for_help(std::vector<std::string> words) {
  if (words.empty()) return {"--help"};
  if (words[0] != "help") return words;
  if (words.size() == 1) return {"--help"};
  return {words[1], "--help"};
}

std::string command_fault(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty()) return {};
  const std::vector<std::string> names = command_names(app);
  if (words[0].starts_with('-')) return option_before_command(app, words);
  // One that the help does not list is a command all the same.
  if (!app.get_subcommands([&](const CLI::App* command) { return command->get_name() == words[0]; }).empty()) return {};
  return "there is no command " + in_quotes(words[0]) + suggestion(words[0], names, "there are");
}

std::string option_fault(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) {
    const std::vector<std::string> known = long_names(*command);
    for (const std::string& word : command->remaining(true)) {
      if (!word.starts_with("--") || word.size() < 3) continue;
      const std::string name = word.substr(2, word.find('=') - 2), meant = meant_option(name, known);
      return "carom " + command->get_name() + " has no option --" + name +
             (meant.empty() ? "; carom " + command->get_name() + " --help lists those it has"
                            : "; did you mean --" + meant + "?");
    }
  }
  return {};
}

}  // namespace carom
