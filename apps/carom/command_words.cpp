#include "command_words.h"

#include <algorithm>
#include <array>

#include "carom/scene/diagnostics.h"

namespace carom {
namespace {

/// What other programs, or our own scene files, call our options.
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
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

}  // namespace

std::vector<std::string> asking_for_help(std::vector<std::string> words) {
  if (words.empty() || words[0] != "help") return words;
  if (words.size() == 1) return {"--help"};
  return {words[1], "--help"};
}

std::string command_fault(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || words[0].starts_with('-')) return {};
  const std::vector<std::string> names = command_names(app);
  if (std::find(names.begin(), names.end(), words[0]) != names.end()) return {};
  return "there is no command " + in_quotes(words[0]) + suggestion(words[0], names, "there are");
}

std::string option_fault(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) {
    std::vector<std::string> known;
    for (const CLI::Option* option : command->get_options(nullptr)) {
      for (const std::string& name : option->get_lnames()) known.push_back(name);
    }
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
