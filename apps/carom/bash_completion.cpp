#include "bash_completion.h"

#include <sstream>

#include "help_text.h"

namespace carom {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
  return all;
}

std::vector<std::string> names_of(const std::vector<const CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) {
    for (const std::string& name : option_names(*option)) names.push_back(name);
  }
  return names;
}

/// Lines of a case: the values that options of a command take.
void add_values(std::ostream& script, const CLI::App& command) {
  for (const CLI::Option* option : listed_options(command)) {
    if (option->get_type_size() == 0) continue;
    script << "        " << joined(option_names(*option), "|") << ") takes_value=1 words='"
           << joined(offered_values(*option), " ") << "' ;;\n";
  }
}

}  // namespace

std::string bash_completion(const CLI::App& program) {
  std::vector<std::string> first{"help"};
  for (const CLI::App* command : listed_commands(program)) first.push_back(command->get_name());
  const std::string commands = joined(first, " ");
  const std::string name = program.get_name();
  std::ostringstream script;
  script
      << "# Completion of " << name << " in bash; made from the description of its command line.\n_" << name << "() {\n"
      << "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words='' takes_value='' head=''\n"
      << "  # bash takes --option=value for three words.\n"
      << "  if [[ $word == = ]]; then\n    word=''\n  elif [[ $before == = ]]; then\n"
      << "    before=${COMP_WORDS[COMP_CWORD - 2]}\n  fi\n"
      << "  COMPREPLY=()\n"
      << "  if ((COMP_CWORD == 1)); then\n    words='" << commands << " "
      << joined(names_of(listed_options(program)), " ") << "'\n  else\n    case ${COMP_WORDS[1]} in\n    help) words='"
      << commands << "' ;;\n";
  for (const CLI::App* command : listed_commands(program)) {
    script << "    " << command->get_name() << ")\n      case $before in\n";
    add_values(script, *command);
    script << "      esac\n      [[ $takes_value || $word != -* ]] || words='"
           << joined(names_of(listed_options(*command)), " ") << "'\n      ;;\n";
  }
  script << "    esac\n  fi\n"
         << "  # The last one of a list A,B,C.\n"
         << "  if [[ $takes_value && $word == *,* ]]; then\n    head=${word%,*},\n    word=${word##*,}\n  fi\n"
         << "  [[ $words ]] && mapfile -t COMPREPLY < <(compgen -P \"$head\" -W \"$words\" -- \"$word\")\n}\n"
         << "complete -o default -F _" << name << " " << name << "\n";
  return script.str();
}

}  // namespace carom
